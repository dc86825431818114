/* SPDX-License-Identifier: MIT */
#include "ui/scene/base/scene-private.h"

#include "ui/document/fit.h"
#include "ui/scene/sinks/text.h"

/* At 100 % text. */
#define CAPTION_SIZE 12.0
#define CAPTION_LINE 17.0
#define CAPTION_EDGE 8.0

#define LEAST_TEXT_PART 0.6 /* of large text */

#define LIGHT 20000 /* weights in a drawing */

static UiTextStyle
get_caption_style (const UiScene *self)
{
  return (UiTextStyle) { .size = CAPTION_SIZE * self->options.text_scale };
}

/* The legend stands below the caption, in plain words and as the exact rule; each begins on a line
 * of its own. */
static void
add_caption (UiScene *self)
{
  UiTextStyle style = get_caption_style (self);
  double scale = self->options.text_scale;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autofree char *caption = ui_scene_caption (self);
  g_autofree char *markup = ui_scene_explain (self);
  g_autofree char *plain = ui_text_strip_markup (markup);
  g_autofree char *legend = ui_scene_legend (self);
  double width = self->width - 2 * CAPTION_EDGE * scale;
  g_auto (GStrv) caption_lines = ui_text_wrap (caption, &style, width);
  g_auto (GStrv) plain_lines = ui_text_wrap (plain, &style, width);
  g_auto (GStrv) legend_lines = ui_text_wrap (legend, &style, width);

  g_strv_builder_addv (builder, (const char **) caption_lines);
  g_strv_builder_addv (builder, (const char **) plain_lines);
  g_strv_builder_addv (builder, (const char **) legend_lines);
  self->n_caption_lines = (int) g_strv_length (caption_lines);
  self->caption = g_strv_builder_end (builder);
  self->height += (g_strv_length (self->caption) * CAPTION_LINE + 2 * CAPTION_EDGE) * scale;
}

static void
paint_caption (const UiScene *self,
               UiSink        *sink)
{
  const UiPalette *palette = ui_palette_get (self->options.theme);
  UiTextStyle style = get_caption_style (self);
  double scale = self->options.text_scale;
  double bottom = self->height - CAPTION_EDGE * scale;
  int n = (int) g_strv_length (self->caption);

  sink->klass->push_group (sink, "caption");
  for (int i = 0; i < n; i++) {
    double y = bottom - (n - i - 0.5) * CAPTION_LINE * scale;
    UiColor color = i < self->n_caption_lines ? palette->text : palette->dim;

    ui_text_paint (sink, CAPTION_EDGE * scale, y, self->caption[i], &style, color);
  }
  sink->klass->pop_group (sink);
}

/* An item may come from another scene: of a longer text, or with more heads. Only what its type
 * names counts. */
gboolean
ui_scene_has_item (const UiScene *self,
                   const UiItem  *item)
{
  if (item->type == UI_ITEM_NONE)
    return FALSE;
  if (self->klass->has_item != NULL)
    return self->klass->has_item (self, item);
  /* Which heads there are, the one scene that has such items knows. */
  if (item->type == UI_ITEM_HEAD || item->type == UI_ITEM_GROUP)
    return ui_view_get (self->document->view)->has_all_heads &&
           self->klass->get_rect (self, item, &(UiRect) { 0 });
  if (item->type == UI_ITEM_LINK && (item->head < 0 || item->head >= self->attention->n_heads))
    return FALSE;

  if (ui_item_names_query (item->type) && (item->query < 0 || item->query >= self->queries->n))
    return FALSE;

  return !ui_item_names_key (item->type) || (item->key >= 0 && item->key < self->keys->n);
}

gboolean
ui_scene_get_spot (const UiScene *self,
                   int            index,
                   UiItem        *item)
{
  if (self->klass->get_spot != NULL)
    return self->klass->get_spot (self, index, item);
  if (index < self->queries->n)
    *item = (UiItem) { .type = UI_ITEM_QUERY, .query = index };
  else
    *item = (UiItem) { .type = UI_ITEM_KEY, .key = index - self->queries->n };

  return ui_scene_has_item (self, item);
}

gboolean
ui_item_is_of_way (UiItemType type)
{
  return type == UI_ITEM_STAGE || type == UI_ITEM_NUMBER;
}

/* What names neither who reads nor who is read. */
static gboolean
is_of_no_token (UiItemType type)
{
  return type == UI_ITEM_HEAD || type == UI_ITEM_GROUP || ui_item_is_of_way (type);
}

gboolean
ui_item_names_query (UiItemType type)
{
  return type != UI_ITEM_NONE && type != UI_ITEM_KEY && type != UI_ITEM_KEY_CELL &&
         type != UI_ITEM_VALUE_CELL && !is_of_no_token (type);
}

gboolean
ui_item_names_key (UiItemType type)
{
  return type != UI_ITEM_NONE && type != UI_ITEM_QUERY && type != UI_ITEM_QUERY_CELL &&
         type != UI_ITEM_OUTPUT_CELL && !is_of_no_token (type);
}

/* Tokens that are set larger stand in a window that is larger by as much: so no row is placed anew
 * by a zoom. Columns that keep the window's width stay in sight, all of them. */
UiSceneOptions
ui_scene_enlarge (const UiSceneOptions *options,
                  UiViewKind            view)
{
  UiSceneOptions enlarged = *options;

  enlarged.zoom = options->zoom > 0 ? options->zoom : 1;
  if (ui_view_get (view)->enlarges_text) {
    if (!ui_view_get (view)->keeps_width || options->view_height <= 0 || enlarged.zoom < 1)
      enlarged.width *= enlarged.zoom;
    enlarged.view_height *= enlarged.zoom;
    enlarged.text_scale *= enlarged.zoom;
  }
  return enlarged;
}

gboolean
ui_scene_may_shrink_to (const UiSceneOptions *options,
                        double                scale)
{
  return options->view_height > 0 && scale > MAX (LEAST_TEXT_PART * options->text_scale, 1);
}

UiScene *
ui_scene_create (UiSceneConstructor    *construct,
                 EngTrace              *trace,
                 const UiDocument      *document,
                 const UiSceneOptions  *options,
                 GError               **error)
{
  return ui_scene_create_of_way (construct, NULL, trace, document, options, error);
}

UiScene *
ui_scene_create_of_way (UiSceneConstructor    *construct,
                        EngWay                *way,
                        EngTrace              *trace,
                        const UiDocument      *document,
                        const UiSceneOptions  *options,
                        GError               **error)
{
  UiSceneOptions enlarged = ui_scene_enlarge (options, document->view);
  UiSceneParts parts = {
    trace, document, &enlarged, ui_fit_get_kind (document, trace), .construct = construct,
    .way = way
  };
  UiScene *self;

  if (!ui_fit_check (document, trace, error)
      || !ui_weights_init (&parts.weights, trace, document, parts.kind,
                           ui_fit_get_layer (document, trace), options->watch, error))
    return NULL;

  self = construct (&parts);
  ui_scene_add_caption (self);
  return self;
}

UiScene *
ui_scene_new_resized (UiScene              *scene,
                      const UiDocument     *document,
                      const UiSceneOptions *options)
{
  UiSceneOptions enlarged = ui_scene_enlarge (options, document->view);
  UiScene *owner = scene->owner != NULL ? scene->owner : scene;
  UiScene *self;

  if (scene->klass->resize != NULL)
    return scene->klass->resize (scene, document, options);

  self = scene->construct (&(UiSceneParts) {
    scene->trace, document, &enlarged, scene->kind, owner->weights, scene->construct, scene->way
  });
  ui_scene_add_caption (self);
  self->owner = ui_scene_ref (owner);
  return self;
}

static void
add_key (UiScene *self)
{
  double scale = self->options.text_scale;

  self->key = self->klass->create_key (self);
  self->key_y = self->height;
  if (self->key != NULL)
    self->height += ui_key_lay_out (self->key, self->width - 2 * CAPTION_EDGE * scale, scale)
                    + CAPTION_EDGE * scale;
}

void
ui_scene_add_caption (UiScene *self)
{
  if (self->options.key && self->klass->create_key != NULL)
    add_key (self);
  if (self->options.caption)
    add_caption (self);
}

void
ui_scene_init (UiScene            *self,
               const UiSceneClass *klass,
               const UiSceneParts *parts)
{
  self->klass = klass;
  self->trace = eng_trace_ref (parts->trace);
  self->document = ui_document_copy (parts->document);
  self->options = *parts->options;
  self->options.watch = NULL;
  self->options.before = NULL;
  self->kind = parts->kind;
  self->layer = parts->document->layer;
  self->weights = parts->weights;
  self->queries = self->weights.block.queries;
  self->keys = self->weights.block.keys;
  self->attention = self->weights.attention;
  self->construct = parts->construct;
  self->way = parts->way != NULL ? eng_way_ref (parts->way) : NULL;
  self->text_size = UI_TOKEN_SIZE * parts->options->text_scale;
  ui_pins_clear (&self->document->pins);
  ui_block_map_pins (&self->weights.block, &parts->document->pins, &self->document->pins);
  g_atomic_ref_count_init (&self->ref_count);
}

UiScene *
ui_scene_ref (UiScene *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
ui_scene_unref (UiScene *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  self->klass->finalize (self);
  if (self->owner != NULL)
    ui_scene_unref (self->owner);
  else
    ui_weights_clear (&self->weights);
  g_clear_pointer (&self->way, eng_way_unref);
  g_clear_pointer (&self->key, ui_key_free);
  g_strfreev (self->caption);
  ui_document_free (self->document);
  eng_trace_unref (self->trace);
  g_free (self);
}

void
ui_scene_get_size (const UiScene *self,
                   double        *width,
                   double        *height)
{
  if (width != NULL)
    *width = self->width;
  if (height != NULL)
    *height = self->height;
}

double
ui_scene_get_text_size (const UiScene *self)
{
  return self->text_size;
}

double
ui_scene_get_header (const UiScene *self)
{
  return self->header;
}

double
ui_scene_get_stage_height (const UiScene *self,
                           gboolean       is_whole)
{
  return self->klass->get_stage_height != NULL ? self->klass->get_stage_height (self, is_whole)
                                               : self->height;
}

double
ui_scene_get_left_band (const UiScene *self)
{
  return self->left_band;
}

static void
paint_with (const UiScene *self,
            void         (*paint) (const UiScene *, UiSink *, const UiRect *),
            UiSink        *sink,
            const UiRect  *clip)
{
  UiRect all = { 0, 0, self->width, self->height };

  clip = clip != NULL ? clip : &all;
  sink->klass->fill (sink, clip, 0, ui_palette_get (self->options.theme)->ground);
  paint (self, sink, clip);
  if (self->key != NULL)
    ui_key_paint (self->key, CAPTION_EDGE * self->options.text_scale, self->key_y,
                  self->options.theme, sink);
  if (self->caption != NULL)
    paint_caption (self, sink);
}

void
ui_scene_paint (const UiScene *self,
                UiSink        *sink,
                const UiRect  *clip)
{
  paint_with (self, self->klass->paint, sink, clip);
}

gboolean
ui_scene_paint_preview (const UiScene *self,
                        UiSink        *sink,
                        const UiRect  *clip)
{
  if (self->klass->paint_preview == NULL)
    return FALSE;

  paint_with (self, self->klass->paint_preview, sink, clip);
  return TRUE;
}

gboolean
ui_scene_is_light (const UiScene *self)
{
  const gsize n_pairs = (gsize) self->queries->n * self->keys->n;
  const gsize n_blocks = ui_view_get (self->document->view)->has_all_heads
                           ? (gsize) eng_trace_get_n_layers (self->trace, self->kind) *
                             eng_trace_get_n_heads (self->trace, self->kind)
                           : (gsize) self->weights.n_heads;

  return n_blocks * n_pairs < LIGHT;
}

void
ui_scene_paint_overlay (const UiScene *self,
                        const UiItem  *hover,
                        UiSink        *sink,
                        const UiRect  *clip)
{
  UiRect all = { 0, 0, self->width, self->height };

  if (ui_scene_has_item (self, hover))
    self->klass->paint_overlay (self, hover, sink, clip != NULL ? clip : &all);
}

gboolean
ui_scene_hit (const UiScene *self,
              double         x,
              double         y,
              UiItem        *item)
{
  *item = (UiItem) { 0 };
  return self->klass->hit (self, x, y, item);
}

gboolean
ui_scene_holds_back (const UiScene *self)
{
  return self->options.holds_back;
}

void
ui_scene_paint_reading (const UiScene     *self,
                        UiSink            *sink,
                        double             x,
                        double             y,
                        const char        *text,
                        const UiTextStyle *style,
                        UiColor            color)
{
  if (!self->options.holds_back)
    ui_text_paint (sink, x, y, text, style, color);
}

gboolean
ui_scene_move (const UiScene *self,
               UiMove         move,
               UiItem        *item)
{
  if (!ui_scene_has_item (self, item))
    *item = (UiItem) { 0 };
  if (move >= UI_MOVE_GROUP_BEFORE && !ui_view_get (self->document->view)->has_all_heads)
    return FALSE;
  return self->klass->move (self, move, item);
}

gboolean
ui_scene_get_rect (const UiScene *self,
                   const UiItem  *item,
                   UiRect        *rect)
{
  return ui_scene_has_item (self, item) && self->klass->get_rect (self, item, rect);
}

EngTrace *
ui_scene_get_trace (const UiScene *self)
{
  return self->trace;
}

EngKind
ui_scene_get_kind (const UiScene *self)
{
  return self->kind;
}

const UiDocument *
ui_scene_get_document (const UiScene *self)
{
  return self->document;
}

const UiWeights *
ui_scene_get_weights (const UiScene *self)
{
  return &self->weights;
}

UiScene *
ui_scene_get_part (UiScene      *self,
                   const UiItem *item)
{
  return self->klass->get_part != NULL && ui_scene_has_item (self, item)
         ? self->klass->get_part (self, item) : self;
}

gboolean
ui_scene_find_first (const UiScene *self,
                     const UiItem  *item,
                     UiItem        *first)
{
  *first = *item;
  if (item->type == UI_ITEM_NONE || self->klass->find_first == NULL)
    return TRUE;
  return ui_scene_has_item (self, item) && self->klass->find_first (self, item, first);
}

int
ui_scene_get_token (const UiScene *self,
                    gboolean       key,
                    int            row)
{
  if (self->klass->get_token != NULL)
    return self->klass->get_token (self, key, row);
  return ui_block_get_token (&self->weights.block, key, row);
}

gboolean
ui_scene_get_subject (const UiScene *self,
                      UiItem        *subject)
{
  return self->klass->get_subject != NULL && self->klass->get_subject (self, subject);
}

UiPins
ui_scene_pins_of (const UiItem *item)
{
  UiPins pins = { 0 };

  if (ui_item_names_key (item->type) && !ui_item_names_query (item->type)) {
    pins.keys = (int *) &item->key;
    pins.n_keys = 1;
  } else if (ui_item_names_query (item->type)) {
    pins.queries = (int *) &item->query;
    pins.n_queries = 1;
  }
  return pins;
}

char *
ui_scene_numbers (const UiScene *self)
{
  return self->klass->numbers (self);
}
