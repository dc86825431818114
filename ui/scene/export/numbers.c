/* SPDX-License-Identifier: MIT */
#include "ui/scene/export/numbers.h"

#include <math.h>
#include <string.h>

#include "engine/base/json.h"
#include "ui/document/table-text.h"
#include "ui/scene/base/describe.h"
#include "ui/scene/matrix/difference-scene.h"
#include "ui/scene/model/model-scene.h"
#include "ui/scene/numbers/npy.h"
#include "ui/scene/views/panels-private.h"

/* Of the values of an array: what a computer's memory and a reader's patience hold. */
#define MOST_BYTES (1u << 30)

static const char *const format_names[] = { "csv", "json", "npy" };

/* Rows and columns of the weights that are selected, ascending. */
typedef struct {
  GArray *queries; /* of int */
  GArray *keys;
} Selection;

static GArray *
select_tokens (const guint8 *passes,
               int           n,
               const int    *pinned,
               int           n_pinned)
{
  GArray *tokens = g_array_new (FALSE, FALSE, sizeof (int));

  for (int i = 0; i < (n_pinned > 0 ? n_pinned : n); i++) {
    int token = n_pinned > 0 ? pinned[i] : i;

    if (passes[token])
      g_array_append_val (tokens, token);
  }
  return tokens;
}

static gboolean
has_all_heads (const UiScene *scene)
{
  return ui_view_get (scene->document->view)->has_all_heads;
}

/* Numbers that are no block of rows and columns. */
static gboolean
is_table (const UiScene *scene)
{
  return has_all_heads (scene) || ui_view_get (scene->document->view)->has_steps;
}

/* The model view is of whole heads. */
static void
selection_init (Selection     *self,
                const UiScene *scene)
{
  const UiWeights *weights = &scene->weights;
  const UiPins none = { 0 };
  const UiPins *pins = has_all_heads (scene) ? &none : &scene->document->pins;

  self->queries = select_tokens (weights->query_passes, scene->queries->n, pins->queries,
                                 pins->n_queries);
  self->keys = select_tokens (weights->key_passes, scene->keys->n, pins->keys, pins->n_keys);
}

static void
selection_clear (Selection *self)
{
  g_array_unref (self->queries);
  g_array_unref (self->keys);
}

/* NaN where one side of a difference lacks the token. */
static float
get_value (const UiScene   *scene,
           const UiWeights *weights,
           const Selection *selection,
           int              i,
           guint            row,
           guint            column)
{
  const int query = g_array_index (selection->queries, int, row);
  const int key = g_array_index (selection->keys, int, column);

  if (ui_scene_is_difference (scene)
      && !(ui_difference_scene_is_paired (scene, FALSE, query)
           && ui_difference_scene_is_paired (scene, TRUE, key)))
    return NAN;
  return (float) ui_weights_get (weights, weights->heads[i], query, key);
}

/* The scenes whose blocks are written: the panels, or the scene alone. */
static int
count_parts (const UiScene *scene)
{
  return ui_scene_is_panels (scene) ? ui_panels (scene)->n : 1;
}

static const UiScene *
get_part (const UiScene *scene,
          int            i)
{
  return ui_scene_is_panels (scene) ? ui_panels (scene)->panels[i].scene : scene;
}

typedef struct {
  int   layers; /* 0 = of one, which is no dimension of its own */
  int   heads;
  guint rows;
  guint columns;
} Shape;

static Shape
find_part_shape (const UiScene *part)
{
  Selection selection;
  Shape shape;

  selection_init (&selection, part);
  shape = (Shape) {
    .heads = part->weights.n_heads,
    .rows = selection.queries->len,
    .columns = selection.keys->len,
  };
  selection_clear (&selection);
  if (has_all_heads (part)) {
    shape.layers = ((const UiModelScene *) part)->n_layers;
    shape.heads = ((const UiModelScene *) part)->n_heads;
  }
  return shape;
}

/* Of the one array that holds all parts. */
static gboolean
find_shape (const UiScene  *scene,
            Shape          *shape,
            GError        **error)
{
  *shape = find_part_shape (get_part (scene, 0));
  for (int i = 1; i < count_parts (scene); i++) {
    Shape part = find_part_shape (get_part (scene, i));

    if (part.rows != shape->rows || part.columns != shape->columns) {
      g_set_error (error, UI_ERROR, UI_ERROR_VALUE,
                   "Panel a has %u rows and %u columns and %c %u and %u, which one NPY array"
                   " cannot hold; choose CSV or JSON",
                   shape->rows, shape->columns, 'a' + i, part.rows, part.columns);
      return FALSE;
    }
    shape->heads += part.heads;
  }
  return TRUE;
}

/* (transfer full) */
static char *
describe_shape (const Shape *shape)
{
  g_autofree char *layers = g_strdup_printf ("%d layer%s × ", shape->layers,
                                             shape->layers == 1 ? "" : "s");

  return g_strdup_printf ("%s%d head%s × %u row%s × %u column%s", shape->layers > 0 ? layers : "",
                          shape->heads, shape->heads == 1 ? "" : "s", shape->rows,
                          shape->rows == 1 ? "" : "s", shape->columns,
                          shape->columns == 1 ? "" : "s");
}

static gboolean
find_array_shape (const UiScene  *scene,
                  Shape          *shape,
                  GError        **error)
{
  g_autofree char *words = NULL;
  double n_bytes;

  if (!find_shape (scene, shape, error))
    return FALSE;
  n_bytes = (double) sizeof (float) * MAX (shape->layers, 1) * shape->heads * shape->rows
            * shape->columns;
  if (n_bytes <= MOST_BYTES)
    return TRUE;

  words = describe_shape (shape);
  g_set_error (error, UI_ERROR, UI_ERROR_VALUE,
               "%s are %.1f GB, more than one NPY array is made for; save the trace", words,
               n_bytes / 1e9);
  return FALSE;
}

/* weights NULL: of a layer that a trace has not. */
static void
append_values (GByteArray      *bytes,
               const UiScene   *part,
               const UiWeights *weights,
               int              n_heads)
{
  Selection selection;

  selection_init (&selection, part);
  for (int i = 0; i < n_heads; i++)
    for (guint row = 0; row < selection.queries->len; row++)
      for (guint column = 0; column < selection.keys->len; column++)
        ui_npy_append (bytes,
                       weights != NULL ? get_value (part, weights, &selection, i, row, column)
                                       : NAN);
  selection_clear (&selection);
}

static void
append_layers (GByteArray         *bytes,
               const UiModelScene *model)
{
  for (int layer = 0; layer < model->n_layers; layer++) {
    UiWeights weights;
    gboolean is_there = ui_model_scene_init_weights (model, layer, &weights);

    append_values (bytes, &model->scene, is_there ? &weights : NULL, model->n_heads);
    if (is_there)
      ui_weights_clear (&weights);
  }
}

static GBytes *
create_npy (const UiScene  *scene,
            GError        **error)
{
  GByteArray *bytes;
  Shape shape;

  if (!find_array_shape (scene, &shape, error))
    return NULL;

  if (shape.layers > 0) {
    bytes = ui_npy_new ((guint[]) { (guint) shape.layers, (guint) shape.heads, shape.rows,
                                    shape.columns }, 4);
    append_layers (bytes, (const UiModelScene *) scene);
    return g_byte_array_free_to_bytes (bytes);
  }
  bytes = ui_npy_new ((guint[]) { (guint) shape.heads, shape.rows, shape.columns }, 3);
  for (int i = 0; i < count_parts (scene); i++) {
    const UiScene *part = get_part (scene, i);

    append_values (bytes, part, &part->weights, part->weights.n_heads);
  }
  return g_byte_array_free_to_bytes (bytes);
}

static GBytes *
take_text (char *text)
{
  return g_bytes_new_take (text, strlen (text));
}

static GBytes *
create_csv (const UiScene *scene)
{
  g_autofree char *tabbed = ui_scene_numbers (scene);

  return take_text (ui_table_to_csv (tabbed));
}

/* As few digits as read back as the same float. */
static cJSON *
json_number (float value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (isnan (value))
    return cJSON_CreateNull ();
  for (int digits = 6; digits <= 9; digits++) {
    char format[8];

    g_snprintf (format, sizeof format, "%%.%dg", digits);
    g_ascii_formatd (text, sizeof text, format, value);
    if ((float) g_ascii_strtod (text, NULL) == value)
      break;
  }
  return cJSON_CreateRaw (text);
}

static void
add_index (cJSON      *object,
           const char *key,
           int         index)
{
  cJSON_AddItemToObject (object, key, index >= 0 ? cJSON_CreateNumber (index)
                                                 : cJSON_CreateNull ());
}

static cJSON *
json_tokens (const UiScene *scene,
             gboolean       key,
             const GArray  *rows)
{
  const EngTokens *tokens = key ? scene->keys : scene->queries;
  cJSON *array = cJSON_CreateArray ();

  for (guint i = 0; i < rows->len; i++) {
    int row = g_array_index (rows, int, i);
    cJSON *object = cJSON_CreateObject ();

    if (ui_scene_is_difference (scene)) {
      add_index (object, "first", ui_difference_scene_get_number (scene, 0, key, row));
      add_index (object, "second", ui_difference_scene_get_number (scene, 1, key, row));
    } else
      add_index (object, "index", ui_scene_get_token (scene, key, row));
    cJSON_AddStringToObject (object, "text", tokens->texts[row]);
    if (tokens->typed[row] != NULL)
      cJSON_AddStringToObject (object, "typed", tokens->typed[row]);
    cJSON_AddItemToArray (array, object);
  }
  return array;
}

static cJSON *
json_heads (const UiScene *scene)
{
  cJSON *array = cJSON_CreateArray ();

  if (scene->weights.block.is_aggregate) {
    g_autofree char *words = ui_describe_heads (scene);

    cJSON_AddItemToArray (array, cJSON_CreateString (words));
    return array;
  }
  for (int i = 0; i < scene->weights.n_heads; i++)
    cJSON_AddItemToArray (array, cJSON_CreateNumber (scene->weights.heads[i]));
  return array;
}

static cJSON *
json_values (const UiScene   *scene,
             const Selection *selection)
{
  cJSON *heads = cJSON_CreateArray ();

  for (int i = 0; i < scene->weights.n_heads; i++) {
    cJSON *rows = cJSON_CreateArray ();

    for (guint row = 0; row < selection->queries->len; row++) {
      cJSON *values = cJSON_CreateArray ();

      for (guint column = 0; column < selection->keys->len; column++)
        cJSON_AddItemToArray (values, json_number (get_value (scene, &scene->weights, selection, i,
                                                              row, column)));
      cJSON_AddItemToArray (rows, values);
    }
    cJSON_AddItemToArray (heads, rows);
  }
  return heads;
}

static void
add_string (cJSON      *object,
            const char *key,
            const char *text)
{
  cJSON_AddItemToObject (object, key, text != NULL ? cJSON_CreateString (text)
                                                   : cJSON_CreateNull ());
}

static void
add_field (cJSON         *object,
           const UiScene *scene,
           const char    *name)
{
  g_autofree char *value = ui_document_get (scene->document, ui_fields_find (name));

  cJSON_AddStringToObject (object, name, value);
}

/* Numbers of all layers are of no layer. */
static void
add_layer (cJSON         *object,
           const UiScene *scene)
{
  if (scene->weights.block.layers == UI_AGGREGATE_EACH) {
    cJSON_AddNumberToObject (object, "layer", scene->layer);
    return;
  }
  cJSON_AddNullToObject (object, "layer");
  add_field (object, scene, "layers");
}

/* What was done with the numbers. */
static void
add_treatment (cJSON         *object,
               const UiScene *scene)
{
  if (ui_view_get (scene->document->view)->has_one_head)
    return;
  add_field (object, scene, "filter");
  cJSON_AddBoolToObject (object, "hide_special", scene->document->hide_special);
  cJSON_AddBoolToObject (object, "renormalised", scene->weights.row_scale != NULL);
  cJSON_AddBoolToObject (object, "words", scene->document->words);
}

/* Where numbers come from. */
static void
add_run (cJSON         *object,
         const UiScene *scene)
{
  const char *const *edits = eng_trace_get_edits (scene->trace);
  cJSON *array = cJSON_CreateArray ();

  add_string (object, "model", eng_trace_get_model_name (scene->trace));
  add_string (object, "text_a", eng_trace_get_text_a (scene->trace));
  add_string (object, "text_b", eng_trace_get_text_b (scene->trace));
  for (int i = 0; edits != NULL && edits[i] != NULL; i++)
    cJSON_AddItemToArray (array, cJSON_CreateString (edits[i]));
  cJSON_AddItemToObject (object, "edits", array);
}

static void
add_side (cJSON         *object,
          const UiScene *scene)
{
  cJSON_AddStringToObject (object, "kind", eng_kind_get_name (scene->kind));
  add_layer (object, scene);
  cJSON_AddStringToObject (object, "measure",
                           ui_fields_find ("measure")->choices[scene->weights.block.measure]);
  cJSON_AddItemToObject (object, "heads", json_heads (scene));
  add_treatment (object, scene);
}

/* A difference is made of the first side, which is described as any scene, and of this one. */
static void
add_second_side (cJSON         *object,
                 const UiScene *scene)
{
  const UiScene *side = ((const UiDifferenceScene *) scene)->sides[1];
  cJSON *second;

  cJSON_AddStringToObject (object, "compare", "difference");
  second = cJSON_AddObjectToObject (object, "second");
  add_run (second, side);
  add_side (second, side);
}

static void
add_block (cJSON         *object,
           const UiScene *scene)
{
  gboolean is_difference = ui_scene_is_difference (scene);
  Selection selection;

  selection_init (&selection, scene);
  add_side (object, is_difference ? ((const UiDifferenceScene *) scene)->sides[0] : scene);
  if (is_difference)
    add_second_side (object, scene);
  cJSON_AddItemToObject (object, "queries", json_tokens (scene, FALSE, selection.queries));
  cJSON_AddItemToObject (object, "keys", json_tokens (scene, TRUE, selection.keys));
  cJSON_AddItemToObject (object, "values", json_values (scene, &selection));
  selection_clear (&selection);
}

/* A cell that is all of it a number is one; there is none in an empty one. */
static cJSON *
json_cell (const char *cell)
{
  char *end;
  double value = g_ascii_strtod (cell, &end);

  if (*cell == '\0')
    return cJSON_CreateNull ();
  return *end == '\0' && isfinite (value) ? cJSON_CreateRaw (cell) : cJSON_CreateString (cell);
}

static void
add_table (cJSON         *object,
           const UiScene *scene)
{
  g_autofree char *tabbed = ui_scene_numbers (scene);
  const char *rest = tabbed;
  cJSON *rows = cJSON_CreateArray ();
  gboolean is_head = TRUE;
  char **cells;

  for (; (cells = ui_table_read_line (&rest)) != NULL; is_head = FALSE) {
    cJSON *row = cJSON_CreateArray ();

    for (int j = 0; cells[j] != NULL; j++)
      cJSON_AddItemToArray (row, is_head ? cJSON_CreateString (cells[j]) : json_cell (cells[j]));
    if (is_head)
      cJSON_AddItemToObject (object, "columns", row);
    else
      cJSON_AddItemToArray (rows, row);
    g_strfreev (cells);
  }
  cJSON_AddItemToObject (object, "rows", rows);
}

static void
add_scene (cJSON         *object,
           const UiScene *scene)
{
  add_run (object, scene);
  if (is_table (scene))
    add_table (object, scene);
  else
    add_block (object, scene);
}

static void
add_panels (cJSON         *object,
            const UiScene *scene)
{
  cJSON *panels = cJSON_AddArrayToObject (object, "panels");

  for (int i = 0; i < count_parts (scene); i++) {
    const char letter[] = { (char) ('a' + i), '\0' };
    cJSON *panel = cJSON_CreateObject ();

    cJSON_AddStringToObject (panel, "panel", letter);
    add_scene (panel, get_part (scene, i));
    cJSON_AddItemToArray (panels, panel);
  }
}

static GBytes *
create_json (const UiScene *scene)
{
  g_autoptr (cJSON) object = cJSON_CreateObject ();
  GBytes *bytes;
  char *text;

  if (ui_scene_is_panels (scene))
    add_panels (object, scene);
  else
    add_scene (object, scene);
  text = cJSON_PrintUnformatted (object);
  bytes = g_bytes_new (text, strlen (text));
  cJSON_free (text);

  return bytes;
}

gboolean
ui_numbers_format_from_path (const char      *path,
                             UiNumbersFormat *format)
{
  const char *dot = strrchr (path, '.');

  for (guint i = 0; dot != NULL && i < G_N_ELEMENTS (format_names); i++)
    if (g_ascii_strcasecmp (dot + 1, format_names[i]) == 0) {
      *format = (UiNumbersFormat) i;
      return TRUE;
    }
  return FALSE;
}

GBytes *
ui_numbers_to_bytes (const UiScene    *scene,
                     UiNumbersFormat   format,
                     GError          **error)
{
  if (!ui_scene_may_tell (scene, error))
    return NULL;
  if (format == UI_NUMBERS_CSV)
    return create_csv (scene);
  if (format == UI_NUMBERS_JSON)
    return create_json (scene);
  return create_npy (scene, error);
}

char *
ui_numbers_describe (const UiScene    *scene,
                     UiNumbersFormat   format,
                     GError          **error)
{
  Shape shape;

  if (!ui_scene_may_tell (scene, error))
    return NULL;
  if (format == UI_NUMBERS_NPY) {
    if (!find_array_shape (scene, &shape, error))
      return NULL;
  } else if (is_table (scene))
    return g_strdup (has_all_heads (scene) ? "A table with a line for each head"
                                           : "A table with a line for each number");
  else if (format == UI_NUMBERS_CSV)
    return g_strdup ("A table of every number that is drawn");
  else if (!find_shape (scene, &shape, NULL))
    return g_strdup_printf ("%d panels", count_parts (scene));

  return describe_shape (&shape);
}
