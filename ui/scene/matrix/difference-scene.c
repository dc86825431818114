/* SPDX-License-Identifier: MIT */
#include "ui/scene/matrix/difference-scene.h"

#include <math.h>
#include <string.h>

#include "ui/document/amount.h"
#include "ui/document/bidi.h"
#include "ui/scene/base/describe.h"
#include "ui/scene/numbers/changes.h"
#include "ui/scene/numbers/mask.h"
#include "ui/scene/sinks/text.h"

/* The full scale of sides that do not differ. */
#define LEAST_UNIT 0.01

static const UiAlignedToken *
get_aligned (const UiDifferenceScene *self,
             UiAxis                   axis,
             int                      row)
{
  return &g_array_index (self->tokens[axis], UiAlignedToken, row);
}

static int
get_side_token (const UiDifferenceScene *self,
                int                      side,
                UiAxis                   axis,
                int                      row)
{
  const UiAlignedToken *token = get_aligned (self, axis, row);

  return side == 0 ? token->first : token->second;
}

static const EngTokens *
get_side_tokens (const UiScene *side,
                 UiAxis         axis)
{
  return axis == UI_AXIS_ROWS ? side->queries : side->keys;
}

static void
finalize (UiScene *scene)
{
  UiDifferenceScene *self = (UiDifferenceScene *) scene;

  ui_matrix_scene_clear (&self->matrix);
  for (int i = 0; i < 2; i++) {
    ui_scene_unref (self->sides[i]);
    g_array_unref (self->tokens[i]);
  }
  g_clear_pointer (&self->changed_links, g_array_unref);
}

static int
get_number (const UiDifferenceScene *self,
            int                      side,
            UiAxis                   axis,
            int                      row)
{
  int token = get_side_token (self, side, axis, row);

  return token >= 0 ? eng_tokens_get_number (get_side_tokens (self->sides[side], axis), token) : -1;
}

/* Case and the blank that marks a word are no other word. */
static gboolean
is_same_word (const char *a,
              const char *b)
{
  g_autofree char *first = g_utf8_casefold (a + strspn (a, " "), -1);
  g_autofree char *second = g_utf8_casefold (b + strspn (b, " "), -1);

  return g_str_equal (first, second);
}

/* "cat", "cat / dog" for words that were exchanged. (transfer full) */
static char *
join_texts (const UiDifferenceScene *self,
            UiAxis                   axis,
            int                      row)
{
  const char *texts[2] = { NULL, NULL };

  for (int side = 0; side < 2; side++) {
    int token = get_side_token (self, side, axis, row);

    if (token >= 0)
      texts[side] = get_side_tokens (self->sides[side], axis)->texts[token];
  }
  if (texts[0] == NULL || texts[1] == NULL || is_same_word (texts[0], texts[1]))
    return g_strdup (texts[0] != NULL ? texts[0] : texts[1]);
  return g_strdup_printf ("%s / %s", texts[0], texts[1] + strspn (texts[1], " "));
}

/* What else is known of a token is what the first side that has it says. */
static EngTokens *
join_tokens (const UiDifferenceScene *self,
             UiAxis                   axis)
{
  int n = (int) self->tokens[axis]->len;
  EngTokens *joined = eng_tokens_new (n);

  for (int row = 0; row < n; row++) {
    int side = get_side_token (self, 0, axis, row) < 0;
    int token = get_side_token (self, side, axis, row);
    const EngTokens *tokens = get_side_tokens (self->sides[side], axis);

    joined->texts[row] = join_texts (self, axis, row);
    joined->typed[row] = g_strdup (tokens->typed[token]);
    joined->segments[row] = tokens->segments[token];
    joined->special[row] = tokens->special[token];
    joined->padding[row] = tokens->padding[token];
  }
  g_clear_pointer (&joined->pieces, g_free);
  g_clear_pointer (&joined->ids, g_free);
  g_clear_pointer (&joined->type_ids, g_free);
  g_clear_pointer (&joined->spans, g_free);
  return joined;
}

static double
get_side_value (const UiDifferenceScene *self,
                int                      side,
                int                      row,
                int                      column)
{
  const UiWeights *weights = &self->sides[side]->weights;
  int query = get_side_token (self, side, UI_AXIS_ROWS, row);
  int key = get_side_token (self, side, UI_AXIS_COLUMNS, column);

  return query < 0 || key < 0 ? 0 : ui_weights_get (weights, weights->heads[0], query, key);
}

/* What the strongest of a row that together have the kept mass are on one side, is a change of
 * what that side shows. */
static gboolean
is_kept (const UiDifferenceScene *self,
         int                      row,
         int                      column)
{
  for (int side = 0; side < 2; side++) {
    const UiWeights *weights = &self->sides[side]->weights;
    int query = get_side_token (self, side, UI_AXIS_ROWS, row);

    if (query >= 0 && ui_weights_keeps (weights, weights->heads[0], query,
                                        get_side_value (self, side, row, column)))
      return TRUE;
  }
  return FALSE;
}

static gboolean
has_cell (const UiDifferenceScene *self,
          int                      side,
          int                      row,
          int                      column)
{
  return get_side_token (self, side, UI_AXIS_ROWS, row) >= 0 &&
         get_side_token (self, side, UI_AXIS_COLUMNS, column) >= 0;
}

/* What neither side's mask lets be read. */
static gboolean
is_masked (const UiDifferenceScene *self,
           int                      row,
           int                      column)
{
  for (int side = 0; side < 2; side++)
    if (!ui_mask_hides (self->sides[side]->attention,
                        get_side_token (self, side, UI_AXIS_ROWS, row),
                        get_side_token (self, side, UI_AXIS_COLUMNS, column)))
      return FALSE;
  return TRUE;
}

static UiCellState
get_state (const UiDifferenceScene *self,
           int                      row,
           int                      column)
{
  gboolean in_first = has_cell (self, 0, row, column);
  gboolean in_second = has_cell (self, 1, row, column);

  if (in_first && in_second)
    return is_masked (self, row, column) ? UI_CELL_MASKED : UI_CELL_SHOWN;
  if (in_first)
    return UI_CELL_FIRST_ONLY;
  /* Else a row of one side crosses a column of the other. */
  return in_second ? UI_CELL_SECOND_ONLY : UI_CELL_BLANK;
}

/* Row or column of the difference, shown where every side that has its token shows it. */
static guint8 *
mark_passing (const UiDifferenceScene *self,
              UiAxis                   axis)
{
  guint n = self->tokens[axis]->len;
  guint8 *passes = g_new (guint8, MAX (n, 1));

  for (guint row = 0; row < n; row++) {
    passes[row] = TRUE;
    for (int side = 0; side < 2; side++) {
      const UiWeights *weights = &self->sides[side]->weights;
      int token = get_side_token (self, side, axis, (int) row);

      if (token >= 0)
        passes[row] &= (axis == UI_AXIS_ROWS ? weights->query_passes : weights->key_passes)[token];
    }
  }
  return passes;
}

/* The difference as a block of one head, so that what reads the weights of a scene finds it. */
static void
fill_weights (UiDifferenceScene *self,
              UiWeights         *weights,
              const UiDocument  *document)
{
  const UiBlock *first = &self->sides[0]->weights.block;
  int n_rows = (int) self->tokens[UI_AXIS_ROWS]->len;
  int n_columns = (int) self->tokens[UI_AXIS_COLUMNS]->len;
  float *values = g_new0 (float, MAX ((gsize) n_rows * n_columns, 1));
  double largest = LEAST_UNIT;

  for (int row = 0; row < n_rows; row++) {
    for (int column = 0; column < n_columns; column++) {
      double value = get_side_value (self, 0, row, column) - get_side_value (self, 1, row, column);

      if (get_state (self, row, column) != UI_CELL_SHOWN)
        continue;
      values[(gsize) row * n_columns + column] = (float) value;
      largest = MAX (largest, fabs (value));
    }
  }
  *weights = (UiWeights) {
    .block = {
      .queries = join_tokens (self, UI_AXIS_ROWS),
      .keys = join_tokens (self, UI_AXIS_COLUMNS),
      .attention = eng_attention_new (1, n_rows, n_columns, values, NULL, NULL),
      .is_aggregate = TRUE,
      .heads = first->is_aggregate ? first->heads : UI_AGGREGATE_MEAN,
      .measure = first->measure,
      .layers = first->layers,
      .n_layers = first->n_layers,
      .unit = ui_amount_round_up (largest),
    },
    .heads = g_new0 (int, 1),
    .n_heads = 1,
    .query_passes = mark_passing (self, UI_AXIS_ROWS),
    .key_passes = mark_passing (self, UI_AXIS_COLUMNS),
    .gain = document->gain,
  };
  weights->attention = weights->block.attention;
  weights->threshold = document->threshold * weights->block.unit;
}

/* Pins of the first side's tokens as pins of aligned ones. */
static void
map_pins (const UiDifferenceScene *self,
          const UiPins            *from,
          UiPins                  *to)
{
  for (int axis = 0; axis < 2; axis++) {
    gboolean key = axis == UI_AXIS_COLUMNS;

    for (guint row = 0; row < self->tokens[axis]->len; row++) {
      int token = get_aligned (self, (UiAxis) axis, (int) row)->first;

      if (token >= 0 && ui_pins_has (from, key, token))
        ui_pins_click (to, key, (int) row, TRUE);
    }
  }
}

/* A token that stands elsewhere on the second side has both numbers; -1 = it is not there. */
static char *
make_name (int         first,
           int         second,
           const char *text)
{
  g_autofree char *one = ui_tokens_write_place (text, first >= 0 ? first : second);

  if (first == second)
    return g_steal_pointer (&one);
  if (first < 0 || second < 0)
    return g_strdup_printf ("%s %s", second < 0 ? "+" : "−", one);
  return g_strdup_printf ("%s %d→%d", text, first, second);
}

static char *
make_label (int         first,
            int         second,
            const char *text)
{
  if (first < 0 || second < 0)
    return g_strdup_printf ("%s %s", second < 0 ? "+" : "−", text);
  return first == second ? g_strdup (text) : make_name (first, second, text);
}

/* NULL = the label is of a token that is known. (transfer full) */
static char *
make_brief (int              first,
            int              second,
            const EngTokens *tokens,
            int              row)
{
  g_autofree char *typed = ui_tokens_dup_brief (tokens, row);
  g_autofree char *text = typed != NULL ? ui_bidi_isolate (typed) : NULL;

  return text != NULL ? make_label (first, second, text) : NULL;
}

/* (transfer full) */
static UiMatrixLabel *
make_labels (UiDifferenceScene *self,
             UiAxis             axis,
             int               *n_labels)
{
  UiMatrixScene *matrix = &self->matrix;
  const UiWeights *weights = &matrix->scene.weights;
  const EngTokens *tokens = get_side_tokens (&matrix->scene, axis);
  const guint8 *passes = axis == UI_AXIS_ROWS ? weights->query_passes : weights->key_passes;
  UiMatrixLabel *labels = g_new (UiMatrixLabel, MAX (tokens->n, 1));

  *n_labels = 0;
  matrix->texts[axis] = g_new0 (char *, tokens->n + 1);
  matrix->names[axis] = g_new0 (char *, tokens->n + 1);
  matrix->briefs[axis] = g_ptr_array_new_full ((guint) tokens->n, g_free);
  for (int row = 0; row < tokens->n; row++) {
    int first = get_number (self, 0, axis, row);
    int second = get_number (self, 1, axis, row);
    g_autofree char *visible = ui_tokens_dup_shown (tokens, row);
    g_autofree char *text = ui_bidi_isolate (visible);

    matrix->texts[axis][row] = make_label (first, second, text);
    matrix->names[axis][row] = make_name (first, second, text);
    g_ptr_array_add (matrix->briefs[axis], make_brief (first, second, tokens, row));
    if (passes[row])
      labels[(*n_labels)++] = (UiMatrixLabel) {
        row, matrix->texts[axis][row], g_ptr_array_index (matrix->briefs[axis], row),
        matrix->names[axis][row], tokens->segments[row] != 0, tokens->special[row]
      };
  }
  return labels;
}

/* Half of the amounts by which a row differs, a token that one side alone has counted with all that
 * it gets there: for rows that sum to 1 the total variation. NAN for a row of one side. */
static double
find_moved (const UiDifferenceScene *self,
            int                      row)
{
  const UiMatrixAxisLayout *columns = &self->matrix.layout.axes[UI_AXIS_COLUMNS];
  double sum = 0;

  if (get_side_token (self, 0, UI_AXIS_ROWS, row) < 0
      || get_side_token (self, 1, UI_AXIS_ROWS, row) < 0)
    return NAN;
  for (int i = 0; i < columns->n; i++)
    sum += fabs (get_side_value (self, 0, row, columns->labels[i].row)
                 - get_side_value (self, 1, row, columns->labels[i].row));
  return sum / 2;
}

static void
fill_cells (UiDifferenceScene *self)
{
  UiMatrixScene *matrix = &self->matrix;
  const UiWeights *weights = &matrix->scene.weights;
  UiMatrixLabel *labels[2];
  int n_labels[2];
  gsize cell = 0;

  for (int axis = 0; axis < 2; axis++)
    labels[axis] = make_labels (self, (UiAxis) axis, &n_labels[axis]);
  matrix->values = g_new (float, MAX ((gsize) n_labels[0] * n_labels[1], 1));
  matrix->states = g_new (guint8, MAX ((gsize) n_labels[0] * n_labels[1], 1));
  for (int i = 0; i < n_labels[UI_AXIS_ROWS]; i++) {
    for (int j = 0; j < n_labels[UI_AXIS_COLUMNS]; j++, cell++) {
      int row = labels[UI_AXIS_ROWS][i].row;
      int column = labels[UI_AXIS_COLUMNS][j].row;
      double value = ui_weights_get (weights, 0, row, column);

      matrix->values[cell] = (float) value;
      matrix->states[cell] = get_state (self, row, column);
      if (matrix->states[cell] == UI_CELL_SHOWN
          && (fabs (value) < weights->threshold || !is_kept (self, row, column)))
        matrix->states[cell] = UI_CELL_BLANK;
    }
  }
  ui_matrix_scene_finish (matrix, labels, n_labels);
  for (int i = 0; i < n_labels[UI_AXIS_ROWS]; i++)
    matrix->row_notes[i] =
      (float) find_moved (self, matrix->layout.axes[UI_AXIS_ROWS].labels[i].row);
}

static int
get_token (const UiScene *scene,
           gboolean       key,
           int            row)
{
  const UiDifferenceScene *self = (const UiDifferenceScene *) scene;
  int first = get_side_token (self, 0, key ? UI_AXIS_COLUMNS : UI_AXIS_ROWS, row);

  return first >= 0 ? ui_scene_get_token (self->sides[0], key, first) : -1;
}

static gboolean
find_first (const UiScene *scene,
            const UiItem  *item,
            UiItem        *first)
{
  *first = *item;
  return (!ui_item_names_query (item->type) || get_token (scene, FALSE, item->query) >= 0)
         && (!ui_item_names_key (item->type) || get_token (scene, TRUE, item->key) >= 0);
}

static UiScene *resize (UiScene              *scene,
                        const UiDocument     *document,
                        const UiSceneOptions *options);

static const UiSceneClass difference_scene_class = {
  .finalize = finalize,
  .paint = ui_matrix_paint,
  .paint_overlay = ui_matrix_paint_overlay,
  .hit = ui_matrix_scene_hit,
  .describe = ui_difference_describe,
  .legend = ui_difference_legend,
  .explain = ui_difference_explain,
  .headline = ui_difference_headline,
  .has_no_shares = TRUE,
  .summarise = ui_difference_summarise,
  .caption = ui_difference_caption,
  .move = ui_matrix_scene_move,
  .get_rect = ui_matrix_scene_get_rect,
  .numbers = ui_difference_numbers,
  .find_first = find_first,
  .get_token = get_token,
  .resize = resize,
};

/* A view of one head is a matrix of that one. */
static UiDocument *
dup_as_matrix (const UiDocument *document)
{
  UiDocument *matrix = ui_document_copy (document);

  if (ui_view_get (document->view)->has_one_head)
    ui_head_set_only (&matrix->heads, ui_head_set_first (&document->heads, UI_MAX_HEADS));
  matrix->view = UI_VIEW_MATRIX;
  return matrix;
}

static UiScene *
create_side (EngTrace              *trace,
             const UiDocument      *document,
             const UiSceneOptions  *options,
             GError               **error)
{
  g_autoptr (UiDocument) matrix = dup_as_matrix (document);
  UiSceneOptions without_caption = *options;

  without_caption.caption = without_caption.key = FALSE;
  return ui_scene_create (ui_matrix_scene_new, trace, matrix, &without_caption, error);
}

static gboolean
check_sides (const UiScene  *first,
             const UiScene  *second,
             GError        **error)
{
  g_autofree char *of_first = ui_describe_column (first);
  g_autofree char *of_second = ui_describe_column (second);

  if (g_str_equal (of_first, of_second))
    return TRUE;
  g_set_error (error, UI_ERROR, UI_ERROR_RANGE,
               "This shows %s and Other %s; numbers of two measures cannot be"
               " subtracted", of_first, of_second);
  return FALSE;
}

static UiScene *
create_difference (UiScene              *first,
                   UiScene              *second,
                   GArray               *changed_links,
                   const UiDocument     *first_document,
                   const UiSceneOptions *options)
{
  UiDifferenceScene *self = g_new0 (UiDifferenceScene, 1);
  g_autoptr (UiDocument) document = dup_as_matrix (first_document);
  UiSceneParts parts = { first->trace, document, options, first->kind };

  self->sides[0] = ui_scene_ref (first);
  self->sides[1] = ui_scene_ref (second);
  self->changed_links = changed_links != NULL ? g_array_ref (changed_links) : NULL;
  self->tokens[UI_AXIS_ROWS] = ui_alignment_new (first->queries, second->queries);
  self->tokens[UI_AXIS_COLUMNS] = ui_alignment_new (first->keys, second->keys);
  ui_pins_clear (&document->pins);
  map_pins (self, &first->document->pins, &document->pins);
  fill_weights (self, &parts.weights, document);
  ui_scene_init (&self->matrix.scene, &difference_scene_class, &parts);
  self->matrix.is_signed = TRUE;
  self->matrix.unit = "This − Other";
  fill_cells (self);
  return &self->matrix.scene;
}

static UiScene *
resize (UiScene              *scene,
        const UiDocument     *document,
        const UiSceneOptions *options)
{
  const UiDifferenceScene *self = (const UiDifferenceScene *) scene;
  UiScene *resized = create_difference (self->sides[0], self->sides[1], self->changed_links,
                                        document, options);

  ui_scene_add_caption (resized);
  return resized;
}

UiScene *
ui_difference_scene_new (EngTrace              *first,
                         const UiDocument      *first_document,
                         EngTrace              *second,
                         const UiDocument      *second_document,
                         const UiSceneOptions  *options,
                         GError               **error)
{
  g_autoptr (UiScene) first_side = create_side (first, first_document, options, error);
  g_autoptr (UiScene) second_side = NULL;
  g_autoptr (GArray) links = NULL;
  UiScene *self;

  if (first_side == NULL)
    return NULL;
  second_side = create_side (second, second_document, options, error);
  if (second_side == NULL || !check_sides (first_side, second_side, error))
    return NULL;
  if (first_side->kind == second_side->kind)
    links = ui_changes_list_links (&first_side->weights, &second_side->weights,
                                   UI_N_CHANGED_LINKS);
  self = create_difference (first_side, second_side, links, first_document, options);
  ui_scene_add_caption (self);
  return self;
}

gboolean
ui_scene_is_difference (const UiScene *scene)
{
  return scene->klass == &difference_scene_class;
}

int
ui_difference_scene_get_token (const UiScene *scene,
                               int            side,
                               gboolean       key,
                               int            row)
{
  return get_side_token ((const UiDifferenceScene *) scene, side,
                         key ? UI_AXIS_COLUMNS : UI_AXIS_ROWS, row);
}

gboolean
ui_difference_scene_is_paired (const UiScene *scene,
                               gboolean       key,
                               int            row)
{
  return ui_difference_scene_get_token (scene, 0, key, row) >= 0
         && ui_difference_scene_get_token (scene, 1, key, row) >= 0;
}

int
ui_difference_scene_get_number (const UiScene *scene,
                                int            side,
                                gboolean       key,
                                int            row)
{
  return get_number ((const UiDifferenceScene *) scene, side,
                     key ? UI_AXIS_COLUMNS : UI_AXIS_ROWS, row);
}
