/* SPDX-License-Identifier: MIT */
#include "ui/scene/model/model-layout.h"

#include <math.h>

#include "ui/scene/sinks/text.h"

/* At 100 % text. */
#define MARGIN 16.0
#define FIGURE_MARGIN 8.0
#define HEADER 40.0
#define HEADING UI_MODEL_HEADING_SIZE
#define HEADING_STEP 1.3   /* from one line of a heading to the next, of its size */
#define HEADING_LINE 34.0  /* height of a line between rows of cells */
#define HEADING_GAP 12.0   /* between the name of a layer and its cells */
#define CELL 68.0
#define LARGE_TEXT_CELL 30.0 /* of text that is larger than 100 %, where all rows fit so */
#define LARGEST 112.0      /* of few heads */
#define SMALLEST 12.0
#define GAP_PART 0.12      /* of a cell */
#define SMALLEST_GAP 2.0
#define LARGEST_GAP 8.0
#define LABEL_LINE 15.0
#define LABEL_ROW_GAP 6.0
#define LABEL_GAP UI_MODEL_LABEL_GAP

static double
get_gap (double cell,
         double scale)
{
  return CLAMP (cell * GAP_PART, SMALLEST_GAP, LARGEST_GAP * scale);
}

static UiModelLabel
choose_label (const UiModelLayout      *self,
              const UiModelLabelWidths *labels)
{
  double gap = LABEL_GAP * self->scale;
  double room = self->pitch - gap;

  if (labels->number > 0 && labels->name + gap + labels->number <= self->cell)
    return UI_MODEL_LABEL_BOTH;
  if (labels->name <= room)
    return UI_MODEL_LABEL_NAME;
  if (labels->code > 0 && labels->code <= room)
    return UI_MODEL_LABEL_CODE;
  if (labels->numbers_speak && labels->number <= room)
    return UI_MODEL_LABEL_NUMBER;
  return labels->numbers_speak && labels->bare <= room ? UI_MODEL_LABEL_BARE : UI_MODEL_LABEL_NONE;
}

/* Paper has margins of its own; the caption begins there, too. */
double
ui_model_layout_get_margin (const UiSceneOptions *options)
{
  return (options->key ? FIGURE_MARGIN : MARGIN) * options->text_scale;
}

/* The least edge in a window, where that shows all rows at in_sight. */
static double
get_least_cell (double in_sight,
                double scale)
{
  return scale > 1 && in_sight >= LARGE_TEXT_CELL ? MIN (in_sight, CELL * scale) : CELL * scale;
}

/* The edge with which all columns fit into the width. Few heads grow with it, in a window as far as
 * all layers stay in sight, and become smaller below large text. Whole units, so that all maps fall
 * on the pixels alike. */
double
ui_model_layout_fit_cell (const UiSceneOptions *options,
                          double                room,
                          int                   n_columns,
                          int                   n_rows)
{
  double scale = options->text_scale;
  double pitch = room / MAX (n_columns, 1);
  double cell = MAX (pitch / (1 + GAP_PART), pitch - LARGEST_GAP * scale);
  double largest = LARGEST * scale;

  if (options->view_height > 0) {
    double height = options->view_height - (HEADER + MARGIN) * scale;
    double in_sight = height / MAX (n_rows, 1) - (LABEL_LINE + LARGEST_GAP) * scale;

    largest = CLAMP (in_sight, get_least_cell (in_sight, scale), largest);
  }
  if (pitch - cell < SMALLEST_GAP)
    cell = pitch - SMALLEST_GAP;
  return floor (CLAMP (cell, SMALLEST * scale, largest) * options->zoom);
}

static void
clear_heading (gpointer data)
{
  g_free (((UiModelHeading *) data)->text);
}

void
ui_model_layout_init (UiModelLayout            *self,
                      const UiSceneOptions     *options,
                      const UiModelLabelWidths *labels,
                      double                    left,
                      double                    cell,
                      double                    gap)
{
  double scale = options->text_scale;

  *self = (UiModelLayout) { .scale = scale, .left = left, .cell = cell };
  self->pitch = cell + round (MAX (get_gap (cell, scale), gap));
  self->row_gap = self->pitch - cell;
  self->has_label = choose_label (self, labels);
  self->label = self->has_label != UI_MODEL_LABEL_NONE ? LABEL_LINE * scale : 0;
  self->headings = g_array_new (FALSE, FALSE, sizeof (UiModelHeading));
  g_array_set_clear_func (self->headings, clear_heading);
}

double
ui_model_layout_get_row_height (const UiModelLayout *self)
{
  double gap = self->row_gap;

  /* A label stands nearer to its own map than to the one below. */
  if (self->label > 0)
    gap = MAX (gap, LABEL_ROW_GAP * self->scale);
  return self->cell + self->label + gap;
}

/* In a window that is wider than the cells need they stand in the middle. */
static void
finish (UiModelLayout        *self,
        const UiSceneOptions *options,
        int                   n_columns,
        double                bottom)
{
  double margin = ui_model_layout_get_margin (options);
  double used = self->left + n_columns * self->pitch - (self->pitch - self->cell) + margin;
  double shift = options->view_height > 0 ? MAX (0, floor ((options->width - used) / 2)) : 0;

  for (int i = 0; i < self->n_cells; i++)
    self->cells[i].x += shift;
  for (guint i = 0; i < self->headings->len; i++)
    g_array_index (self->headings, UiModelHeading, i).x += shift;
  self->left += shift;
  self->width = MAX (options->width, used);
  /* Nothing else paints what of a window lies below. */
  self->height = MAX (bottom + margin, options->view_height);
}

void
ui_model_layout_add_heading (UiModelLayout      *self,
                             UiModelHeadingType  type,
                             double              x,
                             double              y,
                             char               *text,
                             int                 what)
{
  UiModelHeading heading = { type, x, y, text, what };

  g_array_append_val (self->headings, heading);
}

/* "local, 128"; NULL of a layer that is not. */
static char *
describe_window (int window)
{
  return window > 0 ? g_strdup_printf ("local, %d", window) : NULL;
}

static double
measure_layer_names (double     scale,
                     const int *windows,
                     int        n_layers)
{
  UiTextStyle style = { .size = HEADING * scale };
  UiTextStyle local_style = ui_model_get_heading_style (UI_MODEL_HEADING_LOCAL, scale);
  g_autofree char *widest_name = g_strdup_printf ("layer %d", MAX (n_layers - 1, 10));
  double widest = ui_text_measure (widest_name, &style);

  for (int layer = 0; layer < n_layers; layer++) {
    g_autofree char *local = describe_window (windows[layer]);

    if (local != NULL)
      widest = MAX (widest, ui_text_measure (local, &local_style));
  }
  return ceil (widest);
}

/* A line between cells, or several where the text is longer than the width. */
static void
add_lines (UiModelLayout        *self,
           const UiSceneOptions *options,
           const char           *text,
           double               *y)
{
  UiTextStyle style = { .size = HEADING * self->scale, .bold = TRUE };
  double room = options->width - self->left - ui_model_layout_get_margin (options);
  g_auto (GStrv) lines = ui_text_wrap (text, &style, room);
  double first = *y + HEADING_LINE * self->scale / 2;
  double step = HEADING * HEADING_STEP * self->scale;
  int n = 0;

  for (; lines[n] != NULL; n++)
    ui_model_layout_add_heading (self, UI_MODEL_HEADING_GAP, self->left, first + n * step,
                                 g_strdup (lines[n]), -1);
  *y += HEADING_LINE * self->scale + (n - 1) * step;
}

/* "layers 3 to 7 are not in this trace" */
static void
add_gap (UiModelLayout        *self,
         const UiSceneOptions *options,
         int                   first,
         int                   end,
         double               *y)
{
  g_autofree char *text = end - first == 1
    ? g_strdup_printf ("layer %d is not in this trace", first)
    : g_strdup_printf ("layers %d to %d are not in this trace", first, end - 1);

  add_lines (self, options, text, y);
}

static void
add_row (UiModelLayout *self,
         int            layer,
         int            window,
         int            n_heads,
         int            row,
         double        *y)
{
  double line = HEADING * HEADING_STEP * self->scale;
  gboolean has_two = window > 0 && 2 * line <= ui_model_layout_get_row_height (self);
  double x = self->left - HEADING_GAP * self->scale;
  double middle = *y + self->cell / 2;

  ui_model_layout_add_heading (self, UI_MODEL_HEADING_LAYER, x, middle - (has_two ? line / 2 : 0),
                               g_strdup_printf ("layer %d", layer), layer);
  if (has_two)
    ui_model_layout_add_heading (self, UI_MODEL_HEADING_LOCAL, x, middle + line / 2,
                                 describe_window (window), layer);
  for (int head = 0; head < n_heads; head++)
    self->cells[self->n_cells++] = (UiModelCell) {
      .layer = layer, .head = head, .x = self->left + head * self->pitch, .y = *y, .row = row
    };
  *y += ui_model_layout_get_row_height (self);
}

/* Maps that are low for the height stand apart where that gives them room for their names. */
static void
spread (UiModelLayout            *self,
        const UiModelLabelWidths *labels,
        double                    most)
{
  const double wanted = ceil (labels->name + LABEL_GAP * self->scale);

  if (wanted <= self->pitch || wanted > most)
    return;
  self->pitch = wanted;
  self->has_label = choose_label (self, labels);
  self->label = LABEL_LINE * self->scale;
}

void
ui_model_layout_init_grid (UiModelLayout            *self,
                           const UiSceneOptions     *options,
                           const UiModelLabelWidths *labels,
                           const guint8             *present,
                           const int                *windows,
                           int                       n_layers,
                           int                       n_heads,
                           gboolean                  is_growing)
{
  double scale = options->text_scale;
  double names = measure_layer_names (scale, windows, n_layers);
  double left = ui_model_layout_get_margin (options) + names + HEADING_GAP * scale;
  double room = options->width - left - ui_model_layout_get_margin (options);
  double cell = ui_model_layout_fit_cell (options, room, n_heads, n_layers);
  double y = HEADER * scale;
  int row = 0;

  ui_model_layout_init (self, options, labels, left, cell, 0);
  spread (self, labels, room / MAX (n_heads, 1));
  self->is_grid = TRUE;
  self->header = HEADER * scale;
  self->cells = g_new (UiModelCell, MAX ((gsize) n_layers * n_heads, 1));
  for (int layer = 0; layer < n_layers; layer++) {
    int end = layer;

    while (!is_growing && end < n_layers && !present[end])
      end++;
    if (end > layer) {
      add_gap (self, options, layer, end, &y);
      layer = end - 1;
      continue;
    }
    add_row (self, layer, windows[layer], n_heads, row++, &y);
  }
  finish (self, options, n_heads, y);
}

void
ui_model_layout_init_flow (UiModelLayout            *self,
                           const UiSceneOptions     *options,
                           const UiModelLabelWidths *labels,
                           UiModelCell              *cells,
                           int                       n_cells,
                           int                       n_columns)
{
  double margin = ui_model_layout_get_margin (options);
  double room = options->width - 2 * margin;
  double least = options->key ? labels->name + LABEL_GAP * options->text_scale : 0;
  double cell = ui_model_layout_fit_cell (options, room, n_columns,
                                          (n_cells + n_columns - 1) / MAX (n_columns, 1));

  ui_model_layout_init (self, options, labels, margin, MAX (cell, ceil (least)), 0);
  self->cells = cells;
  self->n_cells = n_cells;
  n_columns = MAX (1, (int) ((room + self->pitch - self->cell) / self->pitch));
  for (int i = 0; i < n_cells; i++) {
    cells[i].row = i / n_columns;
    cells[i].x = self->left + i % n_columns * self->pitch;
    cells[i].y = MARGIN * options->text_scale
                 + cells[i].row * ui_model_layout_get_row_height (self);
  }
  finish (self, options, MIN (n_columns, MAX (n_cells, 1)),
          MARGIN * options->text_scale
            + (n_cells + n_columns - 1) / n_columns * ui_model_layout_get_row_height (self));
}

void
ui_model_layout_clear (UiModelLayout *self)
{
  g_clear_pointer (&self->cells, g_free);
  g_clear_pointer (&self->headings, g_array_unref);
}

gboolean
ui_model_layout_has_names (const UiModelLayout *self)
{
  return self->has_label >= UI_MODEL_LABEL_CODE;
}

gboolean
ui_model_layout_has_numbers (const UiModelLayout *self)
{
  return self->has_label == UI_MODEL_LABEL_BOTH || self->has_label == UI_MODEL_LABEL_NUMBER ||
         self->has_label == UI_MODEL_LABEL_BARE;
}

int
ui_model_layout_find (const UiModelLayout *self,
                      int                  layer,
                      int                  head)
{
  for (int i = 0; i < self->n_cells; i++)
    if (head >= 0 && self->cells[i].layer == layer && self->cells[i].head == head)
      return i;
  return -1;
}

int
ui_model_layout_find_opener (const UiModelLayout *self,
                             int                  group)
{
  for (int i = 0; i < self->n_cells; i++)
    if (self->cells[i].head < 0 && self->cells[i].group == group)
      return i;
  return -1;
}

int
ui_model_layout_hit (const UiModelLayout *self,
                     double               x,
                     double               y)
{
  for (int i = 0; i < self->n_cells; i++) {
    const UiModelCell *cell = &self->cells[i];

    if (cell->row >= 0 && x >= cell->x && x < cell->x + self->cell && y >= cell->y &&
        y < cell->y + self->cell + self->label)
      return i;
  }
  return -1;
}

/* The one of the row above or below that stands nearest. */
static int
move_to_row (const UiModelLayout *self,
             int                  from,
             int                  row)
{
  double x = self->cells[from].x;
  int nearest = from;

  for (int i = 0; i < self->n_cells; i++) {
    if (row < 0 || self->cells[i].row != row)
      continue;
    if (nearest == from || fabs (self->cells[i].x - x) < fabs (self->cells[nearest].x - x))
      nearest = i;
  }
  return nearest;
}

/* The next cell in a direction that has a place; the same one where there is none. */
static int
move_along (const UiModelLayout *self,
            int                  from,
            int                  step)
{
  for (int i = from + step; i >= 0 && i < self->n_cells; i += step)
    if (self->cells[i].row >= 0)
      return i;
  return from;
}

/* The first cell of the group of a cell. */
static int
find_first (const UiModelLayout *self,
            int                  cell)
{
  while (cell > 0 && self->cells[cell - 1].group == self->cells[cell].group)
    cell--;
  return cell;
}

static int
find_last (const UiModelLayout *self,
           int                  cell)
{
  int last = cell;

  for (int i = cell; i < self->n_cells && self->cells[i].group == self->cells[cell].group; i++)
    if (self->cells[i].row >= 0)
      last = i;
  return last;
}

static int
move_to_group (const UiModelLayout *self,
               int                  cell,
               int                  step)
{
  int beside = move_along (self, step < 0 ? find_first (self, cell) : find_last (self, cell), step);

  return self->cells[beside].group != self->cells[cell].group ? find_first (self, beside) : cell;
}

int
ui_model_layout_move (const UiModelLayout *self,
                      UiMove               move,
                      int                  cell)
{
  int row = self->cells[cell].row;
  int beside;

  switch (move) {
  case UI_MOVE_UP:
    return move_to_row (self, cell, row - 1);
  case UI_MOVE_DOWN:
    return move_to_row (self, cell, row + 1);
  case UI_MOVE_FIRST:
    return self->is_grouped ? find_first (self, cell) : 0;
  case UI_MOVE_LAST:
    return self->is_grouped ? find_last (self, cell) : self->n_cells - 1;
  case UI_MOVE_GROUP_BEFORE:
    return self->is_grouped ? move_to_group (self, cell, -1) : cell;
  case UI_MOVE_GROUP_AFTER:
    return self->is_grouped ? move_to_group (self, cell, 1) : cell;
  case UI_MOVE_LEFT:
  case UI_MOVE_RIGHT:
  default:
    beside = move_along (self, cell, move == UI_MOVE_LEFT ? -1 : 1);
    /* A row of the grid is a layer, where the heads end; a flow goes on in the next row. */
    return self->is_grid && self->cells[beside].row != row ? cell : beside;
  }
}

UiRect
ui_model_layout_get_map (const UiModelLayout *self,
                         int                  cell)
{
  return (UiRect) { self->cells[cell].x, self->cells[cell].y, self->cell, self->cell };
}
