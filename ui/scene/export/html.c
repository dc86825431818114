/* SPDX-License-Identifier: MIT */
#include "ui/scene/export/html.h"

#include <string.h>

#include "engine/base/json.h"
#include "ui/document/bidi.h"
#include "ui/document/figure-session.h"
#include "ui/scene/base/describe.h"
#include "ui/scene/base/head-color.h"
#include "ui/scene/export/html-script.h"
#include "ui/scene/head/head-scene.h"
#include "ui/scene/matrix/matrix-scene.h"
#include "ui/scene/sinks/svg-sink.h"
#include "ui/scene/sinks/text.h"
#include "ui/scene/steps/steps-facts.h"
#include "ui/scene/views/panels.h"

#define XML_PROLOG_END "?>\n"

/* A page under way. */
typedef struct {
  const UiScene *scene;
  char          *id;   /* of the figure; the prefix of every other id */
  GString       *html;
} Page;

static void
append_escaped (GString    *html,
                const char *text)
{
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  g_string_append (html, escaped);
}

/* A place that can be pointed at and has the focus; of a token the side "q" or "k" and the number of
 * its row or column. */
static void
append_spot (Page         *page,
             const UiItem *item)
{
  g_autofree char *sentence = ui_scene_describe (page->scene, item);
  char numbers[4][G_ASCII_DTOSTR_BUF_SIZE];
  UiRect rect;

  if (!ui_scene_get_rect (page->scene, item, &rect))
    return;
  g_ascii_formatd (numbers[0], sizeof numbers[0], "%.2f", rect.x);
  g_ascii_formatd (numbers[1], sizeof numbers[1], "%.2f", rect.y);
  g_ascii_formatd (numbers[2], sizeof numbers[2], "%.2f", rect.width);
  g_ascii_formatd (numbers[3], sizeof numbers[3], "%.2f", rect.height);
  g_string_append_printf (page->html,
                          "<rect class=\"spot\" tabindex=\"0\" role=\"img\" x=\"%s\" y=\"%s\""
                          " width=\"%s\" height=\"%s\" rx=\"4\"", numbers[0], numbers[1],
                          numbers[2], numbers[3]);
  if (item->type == UI_ITEM_QUERY)
    g_string_append_printf (page->html, " data-side=\"q\" data-at=\"%d\"", item->query);
  else if (item->type == UI_ITEM_KEY)
    g_string_append_printf (page->html, " data-side=\"k\" data-at=\"%d\"", item->key);
  g_string_append (page->html, "><title>");
  append_escaped (page->html, sentence);
  g_string_append (page->html, "</title></rect>\n");
}

static void
append_spots (Page *page)
{
  UiItem item;

  g_string_append (page->html, "<g>\n");
  for (int i = 0; ui_scene_get_spot (page->scene, i, &item); i++)
    append_spot (page, &item);
  g_string_append (page->html, "</g>\n");
}

/* As the sentences of the script name them. */
static cJSON *
json_texts (const EngTokens *tokens)
{
  cJSON *array = cJSON_CreateArray ();

  for (int i = 0; i < tokens->n; i++) {
    g_autofree char *visible = g_strstrip (ui_tokens_dup_shown (tokens, i));
    g_autofree char *isolated = ui_bidi_isolate (visible);

    cJSON_AddItemToArray (array, cJSON_CreateString (isolated));
  }
  return array;
}

static cJSON *
json_number (double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  return cJSON_CreateRaw (g_ascii_formatd (text, sizeof text, "%.7g", value));
}

static cJSON *
json_numbers (const double *values,
              int           n)
{
  cJSON *array = cJSON_CreateArray ();

  for (int i = 0; i < n; i++)
    cJSON_AddItemToArray (array, json_number (values[i]));
  return array;
}

static char *
encode_floats (const float *values,
               gsize        n)
{
  g_autofree guint32 *bits = g_new (guint32, MAX (n, 1));

  memcpy (bits, values, n * sizeof *bits);
  for (gsize i = 0; i < n; i++)
    bits[i] = GUINT32_TO_LE (bits[i]);
  return g_base64_encode ((const guchar *) bits, n * sizeof *bits);
}

/* [heads shown, queries, keys]; 0 for what the drawing leaves out. */
static char *
encode_drawn (const UiScene *scene)
{
  const UiWeights *weights = &scene->weights;
  gsize n = (gsize) weights->n_heads * scene->queries->n * scene->keys->n;
  g_autofree float *values = g_new (float, MAX (n, 1));
  gsize at = 0;

  for (int i = 0; i < weights->n_heads; i++)
    for (int query = 0; query < scene->queries->n; query++)
      for (int key = 0; key < scene->keys->n; key++) {
        int head = weights->heads[i];
        double value = ui_weights_get (weights, head, query, key);

        values[at++] = ui_weights_draws (weights, head, query, value) ? (float) value : 0;
      }
  return encode_floats (values, n);
}

static char *
name_color (UiColor color)
{
  return g_strdup_printf ("#%02x%02x%02x", color.r, color.g, color.b);
}

/* As the drawn links of an edited head have it. */
static void
add_dash (const UiHeadField *field,
          int                head,
          cJSON             *dashes)
{
  const double dash = field->edited != NULL && field->edited[head]
                      ? UI_HEAD_DASH * field->frame.scale : 0;
  char numbers[2][G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *text = NULL;

  g_ascii_formatd (numbers[0], sizeof numbers[0], "%.2f", dash * UI_DASH_DRAWN);
  g_ascii_formatd (numbers[1], sizeof numbers[1], "%.2f", dash * (1 - UI_DASH_DRAWN));
  text = dash > 0 ? g_strdup_printf ("%s %s", numbers[0], numbers[1]) : g_strdup ("");
  cJSON_AddItemToArray (dashes, cJSON_CreateString (text));
}

/* Where links run, and what they look like: {x0, x1, reach, queries, keys: heights; offsets, colors,
 * dashes ("" = drawn through): by head; thin, thick: widths of nothing and of the unit; unit, gain,
 * least: of the values; leastDashed: part of the unit}. */
static cJSON *
json_field (const UiScene     *scene,
            const UiHeadField *field)
{
  const UiWeights *weights = &scene->weights;
  cJSON *object = cJSON_CreateObject ();
  cJSON *offsets = cJSON_AddArrayToObject (object, "offsets");
  cJSON *colors = cJSON_AddArrayToObject (object, "colors");
  cJSON *dashes = cJSON_AddArrayToObject (object, "dashes");

  for (int i = 0; i < weights->n_heads; i++) {
    g_autofree char *color =
      name_color (ui_head_color_get (weights, field->theme, weights->heads[i]));

    add_dash (field, weights->heads[i], dashes);
    cJSON_AddItemToArray (offsets, json_number (ui_head_field_get_offset (field, i)));
    cJSON_AddItemToArray (colors, cJSON_CreateString (color));
  }
  cJSON_AddItemToObject (object, "x0", json_number (field->frame.x0));
  cJSON_AddItemToObject (object, "x1", json_number (field->frame.x1));
  cJSON_AddItemToObject (object, "reach", json_number (UI_LINK_REACH));
  cJSON_AddItemToObject (object, "queries", json_numbers (field->frame.query_y,
                                                          scene->queries->n));
  cJSON_AddItemToObject (object, "keys", json_numbers (field->frame.key_y, scene->keys->n));
  cJSON_AddItemToObject (object, "thin", json_number (ui_head_field_get_width (field, 0)));
  cJSON_AddItemToObject (object, "thick",
                         json_number (ui_head_field_get_width (field, weights->block.unit)));
  cJSON_AddItemToObject (object, "unit", json_number (weights->block.unit));
  cJSON_AddItemToObject (object, "gain", json_number (weights->gain));
  cJSON_AddItemToObject (object, "least", json_number (weights->threshold));
  cJSON_AddItemToObject (object, "leastDashed", json_number (UI_HEAD_LEAST_DASHED));
  return object;
}

/* {rows, columns: upper and left edges of the cells; size; left, right, top, bottom: of all of
 * them; color: of the cross over them}. */
static cJSON *
json_cells (const UiMatrixScene *self)
{
  const UiMatrixLayout *layout = &self->layout;
  const UiRect *cells = &layout->cells;
  g_autofree char *color = name_color (ui_palette_get (self->scene.options.theme)->accent);
  cJSON *object = cJSON_CreateObject ();

  cJSON_AddItemToObject (object, "rows", json_numbers (layout->axes[UI_AXIS_ROWS].starts,
                                                       layout->axes[UI_AXIS_ROWS].n));
  cJSON_AddItemToObject (object, "columns", json_numbers (layout->axes[UI_AXIS_COLUMNS].starts,
                                                          layout->axes[UI_AXIS_COLUMNS].n));
  cJSON_AddItemToObject (object, "size", json_number (layout->cell));
  cJSON_AddItemToObject (object, "left", json_number (cells->x));
  cJSON_AddItemToObject (object, "right", json_number (cells->x + cells->width));
  cJSON_AddItemToObject (object, "top", json_number (cells->y));
  cJSON_AddItemToObject (object, "bottom", json_number (cells->y + cells->height));
  cJSON_AddStringToObject (object, "color", color);
  return object;
}

static cJSON *
json_labels (const UiMatrixScene *self,
             UiAxis               axis)
{
  const UiMatrixAxisLayout *layout = &self->layout.axes[axis];
  cJSON *array = cJSON_CreateArray ();

  for (int i = 0; i < layout->n; i++)
    cJSON_AddItemToArray (array, cJSON_CreateString (layout->labels[i].text));
  return array;
}

/* Rows and columns that are left out are no part of it. */
static void
add_matrix (const UiMatrixScene *self,
            cJSON               *object)
{
  gsize n = (gsize) self->layout.axes[UI_AXIS_ROWS].n * self->layout.axes[UI_AXIS_COLUMNS].n;
  g_autofree char *values = encode_floats (self->values, n);

  cJSON_AddStringToObject (object, "measure", self->unit);
  cJSON_AddItemToObject (object, "queries", json_labels (self, UI_AXIS_ROWS));
  cJSON_AddItemToObject (object, "keys", json_labels (self, UI_AXIS_COLUMNS));
  cJSON_AddStringToObject (object, "values", values);
  cJSON_AddItemToObject (object, "cells", json_cells (self));
}

static void
add_links (const UiScene     *scene,
           const UiHeadField *field,
           cJSON             *object)
{
  g_autofree char *values = encode_drawn (scene);
  cJSON *heads;

  cJSON_AddStringToObject (object, "measure", ui_describe_measure (&scene->weights));
  cJSON_AddItemToObject (object, "queries", json_texts (scene->queries));
  cJSON_AddItemToObject (object, "keys", json_texts (scene->keys));
  cJSON_AddStringToObject (object, "values", values);
  heads = cJSON_AddArrayToObject (object, "heads");
  for (int i = 0; i < scene->weights.n_heads; i++) {
    g_autofree char *name = ui_describe_lane (&scene->weights, scene->weights.heads[i]);

    cJSON_AddItemToArray (heads, cJSON_CreateString (name));
  }
  cJSON_AddItemToObject (object, "field", json_field (scene, field));
}

/* What the script needs. Nothing in it may look like markup, which could end or hide the
 * element. */
static void
append_data (Page *page)
{
  g_autoptr (cJSON) object = cJSON_CreateObject ();
  const UiMatrixScene *matrix = ui_matrix_scene_cast (page->scene);
  UiHeadField field;
  g_auto (GStrv) parts = NULL;
  g_autofree char *safe = NULL;
  char *text;

  if (matrix != NULL) {
    add_matrix (matrix, object);
  } else if (ui_head_scene_init_field (page->scene, &field)) {
    add_links (page->scene, &field, object);
    ui_head_field_clear (&field);
  }
  text = cJSON_PrintUnformatted (object);
  parts = g_strsplit (text, "<", -1);
  cJSON_free (text);
  safe = g_strjoinv ("\\u003c", parts);
  g_string_append_printf (page->html, "<script type=\"application/json\">%s</script>\n", safe);
}

/* The SVG without its prolog and its end, then the places that can be pointed at. */
static void
append_picture (Page       *page,
                double      unit,
                const char *session)
{
  g_autofree char *title = ui_scene_caption (page->scene);
  g_autofree char *description = ui_scene_summarise (page->scene);
  g_autofree char *prefix = g_strconcat (page->id, "-", NULL);
  g_autoptr (GString) svg = g_string_new (NULL);
  UiSink *sink = ui_svg_sink_new (svg, page->scene->width, page->scene->height, unit, prefix,
                                  title, description);
  const char *start, *end;

  if (session != NULL) {
    g_autofree char *session_id = g_strconcat (prefix, UI_FIGURE_SESSION_ID, NULL);

    ui_svg_sink_add_metadata (sink, session_id, session);
  }
  ui_scene_paint (page->scene, sink, NULL);
  ui_svg_sink_finish (sink);
  start = strstr (svg->str, XML_PROLOG_END) + strlen (XML_PROLOG_END);
  end = g_strrstr (start, "</svg>");
  g_string_append_len (page->html, start, end - start);
  append_spots (page);
  g_string_append (page->html, "</svg>\n");
}

/* Puts the id in for every %s of the style or the script. */
static void
append_template (Page       *page,
                 const char *element,
                 const char *template)
{
  g_auto (GStrv) parts = g_strsplit (template, "%s", -1);
  g_autofree char *text = g_strjoinv (page->id, parts);

  g_string_append_printf (page->html, "<%s>%s</%s>\n", element, text, element);
}

/* Pages of different pictures have different ids, and the same picture always has the same. */
static char *
create_id (const UiScene *scene)
{
  g_autofree char *summary = ui_scene_summarise (scene);
  g_autofree char *legend = ui_scene_legend (scene);

  return g_strdup_printf ("headlight-%08x", g_str_hash (summary) * 31 + g_str_hash (legend));
}

/* Every step by itself, one below the other until the script shows one at a time. */
static void
append_steps (Page       *page,
              double      unit,
              const char *session)
{
  g_string_append (page->html, ui_html_steps_controls);
  for (int i = 0; i < ui_steps_get_n (page->scene); i++) {
    g_autoptr (UiScene) step = ui_steps_new_at (page->scene, i);
    g_autofree char *id = g_strdup_printf ("%s-%d", page->id, i);
    Page part = { step, id, page->html };

    g_string_append (page->html, "<div class=\"step\">\n");
    append_picture (&part, unit, i == 0 ? session : NULL);
    g_string_append (page->html, "</div>\n");
  }
  append_template (page, "script", ui_html_steps_script);
}

static void
append_figure (Page       *page,
               double      unit,
               const char *session)
{
  append_template (page, "style", ui_html_style);
  if (ui_steps_is_whole (page->scene)) {
    append_steps (page, unit, session);
    return;
  }
  append_picture (page, unit, session);
  append_data (page);
  append_template (page, "script", ui_html_script);
}

GBytes *
ui_html_new (const UiScene *scene,
             double         unit,
             const char    *session)
{
  g_autofree char *id = create_id (scene);
  g_autofree char *caption = ui_scene_caption (scene);
  g_autofree char *ground = name_color (ui_palette_get (scene->options.theme)->ground);
  Page page = { scene, id, g_string_new (NULL) };

  g_string_append (page.html, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
                   "<meta charset=\"utf-8\">\n"
                   "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
  append_escaped (page.html, caption);
  g_string_append_printf (page.html, "</title>\n<style>body{margin:16px;background:%s}</style>\n"
                          "</head>\n<body>\n<figure id=\"%s\">\n", ground, id);
  append_figure (&page, unit, session);
  g_string_append (page.html, "</figure>\n</body>\n</html>\n");

  return g_string_free_to_bytes (page.html);
}
