/* SPDX-License-Identifier: MIT */
#include "ui/scene/matrix/matrix-scene.h"

#include <math.h>

#include "engine/trace/measure.h"
#include "ui/document/bidi.h"
#include "ui/scene/base/describe.h"
#include "ui/scene/base/edited-heads.h"
#include "ui/scene/base/plain-words.h"
#include "ui/scene/base/token-words.h"
#include "ui/scene/numbers/mask.h"
#include "ui/scene/sinks/text.h"

/* How far the sum of a row may be from 1 where it is called a distribution. */
#define SUM_TOLERANCE 0.005
#define LEAST_TARGET 14.0 /* at 100 % text */

static const UiMatrixScene *
matrix_scene (const UiScene *scene)
{
  return (const UiMatrixScene *) scene;
}

static void
finalize (UiScene *scene)
{
  ui_matrix_scene_clear ((UiMatrixScene *) scene);
}

/* The rows, or the columns, that something is left of. (transfer full) */
static UiMatrixLabel *
list_labels (const EngTokens *tokens,
             const guint8    *passes,
             char           **texts,
             GPtrArray       *briefs,
             char           **names,
             int             *n_labels)
{
  UiMatrixLabel *labels = g_new (UiMatrixLabel, MAX (tokens->n, 1));

  *n_labels = 0;
  for (int row = 0; row < tokens->n; row++) {
    if (passes[row])
      labels[(*n_labels)++] = (UiMatrixLabel) {
        row, texts[row], g_ptr_array_index (briefs, row), names[row], tokens->segments[row] != 0,
        tokens->special[row]
      };
  }
  return labels;
}

static char **
make_names (const EngTokens *tokens,
            char           **texts)
{
  char **names = g_new0 (char *, tokens->n + 1);

  for (int i = 0; i < tokens->n; i++) {
    g_autofree char *isolated = ui_bidi_isolate (texts[i]);

    names[i] = ui_tokens_write_place (isolated, eng_tokens_get_number (tokens, i));
  }
  return names;
}

static void
fill_cells (UiMatrixScene       *self,
            UiMatrixLabel *const labels[2],
            const int            n_labels[2])
{
  const UiWeights *weights = &self->scene.weights;
  g_autofree guint8 *cut = ui_scene_mark_cut (&self->scene);
  gsize cell = 0;

  for (int i = 0; i < n_labels[UI_AXIS_ROWS]; i++) {
    int query = labels[UI_AXIS_ROWS][i].row;

    for (int j = 0; j < n_labels[UI_AXIS_COLUMNS]; j++, cell++) {
      int key = labels[UI_AXIS_COLUMNS][j].row;
      double value = ui_weights_get (weights, weights->heads[0], query, key);

      self->values[cell] = (float) value;
      if (ui_mask_hides (self->scene.attention, query, key))
        self->states[cell] = UI_CELL_MASKED;
      else if (cut != NULL && cut[query * self->scene.keys->n + key] && value == 0)
        self->states[cell] = UI_CELL_CUT;
      else if (!ui_weights_draws (weights, weights->heads[0], query, value))
        self->states[cell] = UI_CELL_BLANK;
    }
  }
}

static double
sum_row (const UiMatrixScene *self,
         int                  row)
{
  double sum = 0;

  for (int column = 0; column < self->layout.axes[UI_AXIS_COLUMNS].n; column++)
    sum += ui_matrix_get_value (self, row, column);
  return sum;
}

/* Entropy belongs to what is a distribution: rows that sum to 1, or see nothing. */
static UiRowNote
choose_note (const UiMatrixScene *self)
{
  EngMeasure measure = self->scene.weights.block.measure;
  gboolean any = FALSE;

  if (self->is_signed)
    return UI_NOTE_MOVED;
  if (measure != ENG_MEASURE_WEIGHT && measure != ENG_MEASURE_ROLLOUT)
    return UI_NOTE_SUM;
  for (int row = 0; row < self->layout.axes[UI_AXIS_ROWS].n; row++) {
    double sum = sum_row (self, row);

    any |= sum > 0;
    if (sum > 0 && fabs (sum - 1) > SUM_TOLERANCE)
      return UI_NOTE_SUM;
  }
  return any ? UI_NOTE_BITS : UI_NOTE_SUM;
}

static double
get_note (const UiMatrixScene *self,
          int                  row)
{
  int n = self->layout.axes[UI_AXIS_COLUMNS].n;

  switch (self->note) {
  case UI_NOTE_BITS:
    return eng_measure_entropy (self->values + (gsize) row * n, (gsize) n);
  case UI_NOTE_MOVED: /* the difference knows both sides */
    return 0;
  case UI_NOTE_SUM:
  default:
    return sum_row (self, row);
  }
}

static void
sum_up (UiMatrixScene *self)
{
  int n_rows = self->layout.axes[UI_AXIS_ROWS].n;
  int n_columns = self->layout.axes[UI_AXIS_COLUMNS].n;

  self->row_notes = g_new0 (float, MAX (n_rows, 1));
  self->column_sums = g_new0 (float, MAX (n_columns, 1));
  self->note = choose_note (self);
  for (int row = 0; row < n_rows; row++) {
    self->row_notes[row] = (float) get_note (self, row);
    for (int column = 0; column < n_columns; column++)
      self->column_sums[column] += ui_matrix_get_value (self, row, column);
  }
  for (int column = 0; column < n_columns; column++)
    self->largest_sum = MAX (self->largest_sum, fabsf (self->column_sums[column]));
}

static UiItem
make_item (const UiMatrixScene *self,
           int                  row,
           int                  column)
{
  const UiMatrixAxisLayout *axes = self->layout.axes;
  UiItem item = { .type = UI_ITEM_LINK, .head = self->scene.weights.heads[0] };

  if (column < 0)
    item.type = UI_ITEM_QUERY;
  else if (row < 0)
    item.type = UI_ITEM_KEY;
  item.query = axes[UI_AXIS_ROWS].labels[MAX (row, 0)].row;
  item.key = axes[UI_AXIS_COLUMNS].labels[MAX (column, 0)].row;
  return item;
}

/* The column whose turned label, or whose bar below the cells, lies at x, y. */
static int
find_column (const UiMatrixScene *self,
             double               x,
             double               y)
{
  const UiMatrixLayout *layout = &self->layout;
  double above = layout->cells.y - y;

  if (above > 0 && layout->angle < 90)
    x -= above / tan (layout->angle * G_PI / 180);
  return ui_matrix_layout_find_place (layout, UI_AXIS_COLUMNS, x);
}

gboolean
ui_matrix_scene_hit (const UiScene *scene,
                     double         x,
                     double         y,
                     UiItem        *item)
{
  const UiMatrixScene *self = matrix_scene (scene);
  const UiMatrixLayout *layout = &self->layout;
  int row = ui_matrix_layout_find_place (layout, UI_AXIS_ROWS, y);
  int column = find_column (self, x, y);
  gboolean left_of_end = x < layout->notes.x + layout->notes.width;
  double bottom = layout->sums.y + layout->sums.height;

  if (row >= 0 && left_of_end && (column < 0) != (x >= layout->cells.x && x < layout->notes.x)) {
    *item = make_item (self, row, column);
    return TRUE;
  }
  if (row < 0 && column >= 0 && y < bottom
      && (y < layout->cells.y || y >= layout->cells.y + layout->cells.height)) {
    *item = make_item (self, -1, column);
    return TRUE;
  }
  return FALSE;
}

gboolean
ui_matrix_scene_move (const UiScene *scene,
                      UiMove         move,
                      UiItem        *item)
{
  const UiMatrixScene *self = matrix_scene (scene);
  int last_row = self->layout.axes[UI_AXIS_ROWS].n - 1;
  int last_column = self->layout.axes[UI_AXIS_COLUMNS].n - 1;
  int row, column, wanted_row, wanted_column;

  if (last_row < 0 || last_column < 0)
    return FALSE;
  if (item->type == UI_ITEM_NONE || !ui_matrix_scene_find_places (self, item, &row, &column)) {
    *item = make_item (self, 0, 0);
    return TRUE;
  }
  wanted_row = row + (move == UI_MOVE_DOWN) - (move == UI_MOVE_UP);
  wanted_column = column + (move == UI_MOVE_RIGHT) - (move == UI_MOVE_LEFT);
  if (move == UI_MOVE_FIRST || move == UI_MOVE_LAST) {
    if (column < 0)
      wanted_row = move == UI_MOVE_FIRST ? 0 : last_row;
    else
      wanted_column = move == UI_MOVE_FIRST ? 0 : last_column;
  }
  wanted_row = CLAMP (wanted_row, column < 0 ? 0 : -1, last_row);
  wanted_column = CLAMP (wanted_column, row < 0 ? 0 : -1, last_column);
  if (wanted_row == row && wanted_column == column)
    return FALSE;
  *item = make_item (self, wanted_row, wanted_column);
  return TRUE;
}

/* Around a cell of some pixels a cursor would hide it. */
static void
widen (double *start,
       double *length,
       double  least)
{
  double more = MAX (least - *length, 0);

  *start -= more / 2;
  *length += more;
}

gboolean
ui_matrix_scene_get_rect (const UiScene *scene,
                          const UiItem  *item,
                          UiRect        *rect)
{
  const UiMatrixScene *self = matrix_scene (scene);
  const UiMatrixLayout *layout = &self->layout;
  int row, column;

  if (!ui_matrix_scene_find_places (self, item, &row, &column))
    return FALSE;
  if (row >= 0 && column >= 0)
    *rect = ui_matrix_layout_get_cell (layout, row, column);
  else
    *rect = row >= 0 ? ui_matrix_layout_get_line (layout, UI_AXIS_ROWS, row)
                     : ui_matrix_layout_get_line (layout, UI_AXIS_COLUMNS, column);
  widen (&rect->x, &rect->width, LEAST_TARGET * layout->scale);
  widen (&rect->y, &rect->height, LEAST_TARGET * layout->scale);
  return TRUE;
}

const UiMatrixScene *
ui_matrix_scene_cast (const UiScene *scene)
{
  return scene->klass->get_rect == ui_matrix_scene_get_rect ? matrix_scene (scene) : NULL;
}

/* Width of the widest words over and under the labels of rows. */
static double
measure_headings (const UiScene *scene)
{
  UiTextStyle style = {
    .size = UI_MATRIX_SMALL_TEXT * scene->options.text_scale, .tabular = TRUE
  };
  double widest = ui_text_measure (UI_MATRIX_COLUMN_SUM, &style);

  for (int axis = 0; axis < 2; axis++) {
    g_autofree char *words = ui_matrix_describe_axis (scene, (UiAxis) axis);

    widest = MAX (widest, ui_text_measure (words, &style));
  }
  return widest;
}

static const UiSceneClass matrix_scene_class = {
  .finalize = finalize,
  .paint = ui_matrix_paint,
  .paint_overlay = ui_matrix_paint_overlay,
  .hit = ui_matrix_scene_hit,
  .describe = ui_describe_item,
  .legend = ui_matrix_legend,
  .explain = ui_matrix_explain,
  .headline = ui_plain_headline,
  .summarise = ui_describe_summary,
  .caption = ui_describe_caption,
  .move = ui_matrix_scene_move,
  .get_rect = ui_matrix_scene_get_rect,
  .numbers = ui_matrix_numbers,
};

UiScene *
ui_matrix_scene_new (const UiSceneParts *parts)
{
  UiMatrixScene *self = g_new0 (UiMatrixScene, 1);
  UiScene *scene = &self->scene;
  const EngTokens *tokens[2];
  const guint8 *passes[2];
  UiMatrixLabel *labels[2];
  int n_labels[2];
  gsize n_cells;

  ui_scene_init (scene, &matrix_scene_class, parts);
  tokens[UI_AXIS_ROWS] = scene->queries;
  tokens[UI_AXIS_COLUMNS] = scene->keys;
  passes[UI_AXIS_ROWS] = scene->weights.query_passes;
  passes[UI_AXIS_COLUMNS] = scene->weights.key_passes;
  for (int axis = 0; axis < 2; axis++) {
    self->texts[axis] = ui_tokens_make_shown (tokens[axis]);
    self->names[axis] = make_names (tokens[axis], self->texts[axis]);
    self->briefs[axis] = ui_tokens_make_brief (tokens[axis]);
    labels[axis] = list_labels (tokens[axis], passes[axis], self->texts[axis], self->briefs[axis],
                                self->names[axis], &n_labels[axis]);
  }
  n_cells = (gsize) n_labels[UI_AXIS_ROWS] * n_labels[UI_AXIS_COLUMNS];
  self->values = g_new (float, MAX (n_cells, 1));
  self->states = g_new0 (guint8, MAX (n_cells, 1));
  self->unit = ui_describe_measure (&scene->weights);
  fill_cells (self, labels, n_labels);
  ui_matrix_scene_finish (self, labels, n_labels);
  return scene;
}

void
ui_matrix_scene_finish (UiMatrixScene *self,
                        UiMatrixLabel *labels[2],
                        const int      n_labels[2])
{
  UiScene *scene = &self->scene;
  int n_in_block[2] = { scene->queries->n, scene->keys->n };
  UiTextStyle style = { .size = UI_MATRIX_SMALL_TEXT * scene->options.text_scale, .tabular = TRUE };
  g_autofree char *words = ui_matrix_describe_scale (self);

  ui_matrix_layout_init (&self->layout, labels, n_labels, n_in_block, measure_headings (scene),
                         ui_text_measure (words, &style), &scene->options);
  sum_up (self);
  scene->text_size = self->layout.text_size;
  scene->width = self->layout.width;
  scene->height = self->layout.height;
  scene->header = self->layout.header;
  scene->left_band = self->layout.cells.x;
}

double
ui_matrix_scene_find_largest_note (const UiMatrixScene *self)
{
  double largest = 0;

  /* Where there is none, NaN, nothing is larger. No fmax(): GCC 12 for arm64 dies of it here. */
  for (int row = 0; row < self->layout.axes[UI_AXIS_ROWS].n; row++)
    largest = MAX (self->row_notes[row], largest);
  return largest;
}

void
ui_matrix_scene_set_note_unit (UiScene *scene,
                               double   unit)
{
  ((UiMatrixScene *) scene)->note_unit = unit;
}

void
ui_matrix_scene_clear (UiMatrixScene *self)
{
  for (int axis = 0; axis < 2; axis++) {
    g_clear_pointer (&self->texts[axis], g_strfreev);
    g_clear_pointer (&self->names[axis], g_strfreev);
    g_clear_pointer (&self->briefs[axis], g_ptr_array_unref);
  }
  g_clear_pointer (&self->values, g_free);
  g_clear_pointer (&self->states, g_free);
  g_clear_pointer (&self->row_notes, g_free);
  g_clear_pointer (&self->column_sums, g_free);
  ui_matrix_layout_clear (&self->layout);
}

float
ui_matrix_get_value (const UiMatrixScene *self,
                     int                  row,
                     int                  column)
{
  return self->values[(gsize) row * self->layout.axes[UI_AXIS_COLUMNS].n + column];
}

UiCellState
ui_matrix_get_state (const UiMatrixScene *self,
                     int                  row,
                     int                  column)
{
  return (UiCellState) self->states[(gsize) row * self->layout.axes[UI_AXIS_COLUMNS].n + column];
}

gboolean
ui_matrix_scene_find_places (const UiMatrixScene *self,
                             const UiItem        *item,
                             int                 *row,
                             int                 *column)
{
  const UiMatrixAxisLayout *axes = self->layout.axes;
  gboolean names_row = item->type == UI_ITEM_LINK || item->type == UI_ITEM_QUERY;
  gboolean names_column = item->type == UI_ITEM_LINK || item->type == UI_ITEM_KEY;

  *row = names_row ? axes[UI_AXIS_ROWS].places[item->query] : -1;
  *column = names_column ? axes[UI_AXIS_COLUMNS].places[item->key] : -1;
  return (names_row || names_column) && names_row == (*row >= 0) && names_column == (*column >= 0);
}
