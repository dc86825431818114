/* SPDX-License-Identifier: MIT */
#include "ui/scene/model/model-layout.h"

#include <math.h>

#include "ui/scene/sinks/text.h"

/* At 100 % text. */
#define MARGIN 16.0
#define FIGURE_MARGIN 8.0
#define HEADER 40.0
#define HEADING 13.0       /* size of a heading's text */
#define HEADING_STEP 1.3   /* from one line of a heading to the next, of its size */
#define HEADING_LINE 34.0  /* height of a line between rows of cells */
#define HEADING_GAP 12.0   /* between the name of a layer and its cells */
#define CELL 68.0
#define LARGEST 112.0      /* of few heads */
#define SMALLEST 12.0
#define GAP_PART 0.12      /* of a cell */
#define SMALLEST_GAP 2.0
#define LARGEST_GAP 8.0
#define LABEL_LINE 15.0
#define LABEL_ROW_GAP 6.0
#define LABEL_GAP 5.0      /* between the labels of neighbours, of name and number */

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
static double
get_margin (const UiSceneOptions *options)
{
  return (options->key ? FIGURE_MARGIN : MARGIN) * options->text_scale;
}

/* The edge with which all columns fit into the width. Few heads grow with it, in a window as far as
 * all layers stay in sight. Whole units, so that all maps fall on the pixels alike. */
static double
fit_cell (const UiSceneOptions *options,
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

    largest = CLAMP (in_sight, CELL * scale, largest);
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

/* least: edge of a cell. */
static void
init (UiModelLayout            *self,
      const UiSceneOptions     *options,
      const UiModelLabelWidths *labels,
      double                    left,
      double                    least,
      int                       n_columns,
      int                       n_rows)
{
  double scale = options->text_scale;
  double room = options->width - left - get_margin (options);

  *self = (UiModelLayout) { .scale = scale };
  self->cell = MAX (fit_cell (options, room, n_columns, n_rows), ceil (least));
  self->pitch = self->cell + round (get_gap (self->cell, scale));
  self->has_label = choose_label (self, labels);
  self->label = self->has_label != UI_MODEL_LABEL_NONE ? LABEL_LINE * scale : 0;
  self->left = left;
  self->headings = g_array_new (FALSE, FALSE, sizeof (UiModelHeading));
  g_array_set_clear_func (self->headings, clear_heading);
}

double
ui_model_layout_get_row_height (const UiModelLayout *self)
{
  double gap = self->pitch - self->cell;

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
  double margin = get_margin (options);
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

static void
add_heading (UiModelLayout *self,
             double         x,
             double         y,
             UiAlign        align,
             char          *text,
             int            layer)
{
  UiModelHeading heading = { x, y, align, text, layer };

  g_array_append_val (self->headings, heading);
}

static double
measure_layer_names (double scale,
                     int    n_layers)
{
  UiTextStyle style = { .size = HEADING * scale };
  g_autofree char *widest = g_strdup_printf ("layer %d", MAX (n_layers - 1, 10));

  return ceil (ui_text_measure (widest, &style));
}

/* A line between cells, or several where the text is longer than the width. */
static void
add_lines (UiModelLayout        *self,
           const UiSceneOptions *options,
           const char           *text,
           double               *y)
{
  UiTextStyle style = { .size = HEADING * self->scale, .bold = TRUE };
  double room = options->width - self->left - get_margin (options);
  g_auto (GStrv) lines = ui_text_wrap (text, &style, room);
  double first = *y + HEADING_LINE * self->scale / 2;
  double step = HEADING * HEADING_STEP * self->scale;
  int n = 0;

  for (; lines[n] != NULL; n++)
    add_heading (self, self->left, first + n * step, UI_ALIGN_LEFT, g_strdup (lines[n]), -1);
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
         int            n_heads,
         int            row,
         double        *y)
{
  add_heading (self, self->left - HEADING_GAP * self->scale, *y + self->cell / 2, UI_ALIGN_RIGHT,
               g_strdup_printf ("layer %d", layer), layer);
  for (int head = 0; head < n_heads; head++)
    self->cells[self->n_cells++] = (UiModelCell) {
      .layer = layer, .head = head, .x = self->left + head * self->pitch, .y = *y, .row = row
    };
  *y += ui_model_layout_get_row_height (self);
}

void
ui_model_layout_init_grid (UiModelLayout            *self,
                           const UiSceneOptions     *options,
                           const UiModelLabelWidths *labels,
                           const guint8             *present,
                           int                       n_layers,
                           int                       n_heads,
                           gboolean                  is_growing)
{
  double scale = options->text_scale;
  double names = measure_layer_names (scale, n_layers);
  double left = get_margin (options) + names + HEADING_GAP * scale;
  double y = HEADER * scale;
  int row = 0;

  init (self, options, labels, left, 0, n_heads, n_layers);
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
    add_row (self, layer, n_heads, row++, &y);
  }
  finish (self, options, n_heads, y);
}

/* "separator · 89 heads" */
static char *
name_group (const UiModelCell *cells,
            int                n_cells,
            int                first,
            const char        *name)
{
  int end = first;

  while (end < n_cells && cells[end].group == cells[first].group)
    end++;
  return g_strdup_printf ("%s · %d head%s", name, end - first, end - first == 1 ? "" : "s");
}

void
ui_model_layout_init_flow (UiModelLayout            *self,
                           const UiSceneOptions     *options,
                           const UiModelLabelWidths *labels,
                           UiModelCell              *cells,
                           int                       n_cells,
                           int                       n_columns,
                           const char *const        *group_names)
{
  double margin = get_margin (options);
  double y = MARGIN * options->text_scale / 2;
  double least = options->key ? labels->name + LABEL_GAP * options->text_scale : 0;
  int column = 0, row = -1;

  init (self, options, labels, margin, least, n_columns,
        (n_cells + n_columns - 1) / MAX (n_columns, 1));
  self->cells = cells;
  self->n_cells = n_cells;
  n_columns = MAX (1, (int) ((options->width - 2 * margin + self->pitch - self->cell) /
                             self->pitch));
  y += group_names == NULL ? MARGIN * options->text_scale / 2 : 0;
  for (int i = 0; i < n_cells; i++) {
    gboolean is_new_group = group_names != NULL && (i == 0 || cells[i].group != cells[i - 1].group);

    if (i > 0 && (is_new_group || column == n_columns)) {
      y += ui_model_layout_get_row_height (self);
      column = 0;
    }
    if (is_new_group) {
      g_autofree char *name = name_group (cells, n_cells, i, group_names[cells[i].group]);

      add_lines (self, options, name, &y);
    }
    row += column == 0;
    cells[i].row = row;
    cells[i].x = self->left + column++ * self->pitch;
    cells[i].y = y;
  }
  finish (self, options, MIN (n_columns, MAX (n_cells, 1)),
          y + ui_model_layout_get_row_height (self));
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
    if (self->cells[i].layer == layer && self->cells[i].head == head)
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

    if (x >= cell->x && x < cell->x + self->cell && y >= cell->y &&
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
    if (self->cells[i].row != row)
      continue;
    if (nearest == from || fabs (self->cells[i].x - x) < fabs (self->cells[nearest].x - x))
      nearest = i;
  }
  return nearest;
}

int
ui_model_layout_move (const UiModelLayout *self,
                      UiMove               move,
                      int                  cell)
{
  int row = self->cells[cell].row;
  int beside = cell + (move == UI_MOVE_LEFT ? -1 : 1);

  switch (move) {
  case UI_MOVE_UP:
    return move_to_row (self, cell, row - 1);
  case UI_MOVE_DOWN:
    return move_to_row (self, cell, row + 1);
  case UI_MOVE_FIRST:
    return 0;
  case UI_MOVE_LAST:
    return self->n_cells - 1;
  case UI_MOVE_LEFT:
  case UI_MOVE_RIGHT:
  default:
    /* A row of the grid is a layer, where the heads end; a flow goes on in the next row. */
    if (beside < 0 || beside >= self->n_cells ||
        (self->is_grid && self->cells[beside].row != row))
      return cell;
    return beside;
  }
}

UiRect
ui_model_layout_get_map (const UiModelLayout *self,
                         int                  cell)
{
  return (UiRect) { self->cells[cell].x, self->cells[cell].y, self->cell, self->cell };
}
