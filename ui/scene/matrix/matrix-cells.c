/* SPDX-License-Identifier: MIT */
#include "ui/scene/matrix/matrix-scene.h"

#include <math.h>

#include "ui/scene/base/head-color.h"
#include "ui/scene/sinks/cairo-sink.h"
#include "ui/scene/sinks/text.h"

/* At 100 % text. */
#define FRAME_CELL 10.0      /* smaller cells touch, and are one picture */
#define FRAME_WIDTH 1.0
#define NUMBER_SIZE 11.0
#define LARGE_NUMBER_SIZE 15.0
#define LARGE_NUMBER_PART 0.3 /* of a cell that is larger than most */
#define NUMBER_PART_OF_CELL 0.42 /* of ".29" */
#define GLYPH_PART_OF_CELL  0.06 /* less for each further glyph: "+.29", "+.004" */
#define HATCH_SPACING 4.5    /* along x */
#define N_COLOR_STEPS 96

#define ALONE_ALPHA 0.5      /* of the hatching of what one side alone has, and of what is cut */
#define FAINT 0.22           /* of the colour of a cell that a pin puts aside */
/* Parts of the full scale from which on numbers are set: of all cells, of those that stand out. */
#define FAINTEST_NUMBER 0.095
#define FAINTEST_CHOSEN 0.005
#define LEVELS 256
#define N_COLORS (4 * LEVELS) /* level, sign, faint */
#define NEARLY 1e-6

/* What a span of cells is painted with. */
typedef struct {
  const UiMatrixScene *self;
  UiSink              *sink;
  const UiMatrixSpan  *span;
  UiColor              colors[N_COLORS];
  guint8              *row_stands_out;    /* [rows] */
  guint8              *column_stands_out; /* [columns] */
} Painter;

static int
get_color_index (int      level,
                 gboolean negative,
                 gboolean faint)
{
  return (faint ? 2 * LEVELS : 0) + (negative ? LEVELS : 0) + level;
}

/* An empty cell is a shade off the ground, so that the grid is seen. */
static UiColor
get_empty_color (UiTheme theme)
{
  const UiPalette *palette = ui_palette_get (theme);

  return ui_color_mix (palette->ground, palette->plate, palette->plate.a / 255.0);
}

static UiColor
get_hue (const UiMatrixScene *self,
         gboolean             negative)
{
  UiTheme theme = self->scene.options.theme;
  const UiPalette *palette = ui_palette_get (theme);

  if (self->is_signed)
    return negative ? palette->negative : palette->positive;
  return ui_head_color_get (&self->scene.weights, theme, self->scene.weights.heads[0]);
}

static UiColor
get_color (const UiMatrixScene *self,
           double               value,
           double               share)
{
  double alpha = ui_weights_get_alpha (&self->scene.weights, fabs (value)) / 255.0;

  return ui_color_mix (get_empty_color (self->scene.options.theme), get_hue (self, value < 0),
                       alpha * share);
}

static guint8 *
mark_pinned (const UiMatrixScene *self,
             UiAxis               axis)
{
  const UiPins *pins = &self->scene.document->pins;
  const UiMatrixAxisLayout *layout = &self->layout.axes[axis];
  gboolean key = axis == UI_AXIS_COLUMNS;
  gboolean none = (key ? pins->n_keys : pins->n_queries) == 0;
  guint8 *marked = g_new (guint8, MAX (layout->n, 1));

  for (int place = 0; place < layout->n; place++)
    marked[place] = none || ui_pins_has (pins, key, layout->labels[place].row);
  return marked;
}

static void
painter_init (Painter             *painter,
              const UiMatrixScene *self,
              UiSink              *sink,
              const UiMatrixSpan  *span)
{
  UiColor empty = get_empty_color (self->scene.options.theme);

  painter->self = self;
  painter->sink = sink;
  painter->span = span;
  painter->row_stands_out = mark_pinned (self, UI_AXIS_ROWS);
  painter->column_stands_out = mark_pinned (self, UI_AXIS_COLUMNS);
  for (int i = 0; i < N_COLORS; i++) {
    double share = i >= 2 * LEVELS ? FAINT : 1;
    UiColor hue = get_hue (self, i / LEVELS % 2);

    painter->colors[i] = ui_color_mix (empty, hue, i % LEVELS / (LEVELS - 1.0) * share);
  }
}

static void
painter_clear (Painter *painter)
{
  g_free (painter->row_stands_out);
  g_free (painter->column_stands_out);
}

/* -1 for a cell that is hatched instead. */
static int
find_color (const Painter *painter,
            int            row,
            int            column)
{
  float value = ui_matrix_get_value (painter->self, row, column);

  switch (ui_matrix_get_state (painter->self, row, column)) {
  case UI_CELL_SHOWN:
    return get_color_index (ui_weights_get_alpha (&painter->self->scene.weights, fabsf (value)),
                            value < 0, !painter->row_stands_out[row]
                                       || !painter->column_stands_out[column]);
  case UI_CELL_BLANK:
    return get_color_index (0, FALSE, FALSE);
  default:
    return -1;
  }
}

/* Cells that stand apart: all of one colour at once. */
static void
paint_rects (const Painter *painter)
{
  const UiMatrixLayout *layout = &painter->self->layout;
  const UiMatrixSpan *span = painter->span;
  double frame = FRAME_WIDTH * layout->scale;
  GArray *rects[N_COLORS] = { NULL };

  for (int row = span->rows[0]; row <= span->rows[1]; row++) {
    for (int column = span->columns[0]; column <= span->columns[1]; column++) {
      UiRect rect = ui_matrix_layout_get_cell (layout, row, column);
      int color = find_color (painter, row, column);

      if (color < 0)
        continue;
      rect.width -= frame;
      rect.height -= frame;
      if (rects[color] == NULL)
        rects[color] = g_array_new (FALSE, FALSE, sizeof (UiRect));
      g_array_append_val (rects[color], rect);
    }
  }
  for (int i = 0; i < N_COLORS; i++) {
    if (rects[i] == NULL)
      continue;
    painter->sink->klass->fill_many (painter->sink, (const UiRect *) rects[i]->data,
                                     (int) rects[i]->len, painter->colors[i]);
    g_array_unref (rects[i]);
  }
}

static guint32
get_pixel (UiColor color)
{
  return 0xff000000u | (guint32) color.r << 16 | (guint32) color.g << 8 | color.b;
}

/* The cells of some rows and columns that stand together as a picture of a pixel each. */
static void
paint_image (const Painter *painter,
             const int      rows[2],
             const int      columns[2])
{
  const UiMatrixLayout *layout = &painter->self->layout;
  int width = columns[1] - columns[0] + 1;
  int height = rows[1] - rows[0] + 1;
  UiRect rect = ui_matrix_layout_get_cell (layout, rows[0], columns[0]);
  guint32 ground = get_pixel (ui_palette_get (painter->self->scene.options.theme)->ground);
  g_autofree guint32 *pixels = g_new (guint32, (gsize) width * height);
  guint32 *pixel = pixels;

  for (int row = rows[0]; row <= rows[1]; row++) {
    for (int column = columns[0]; column <= columns[1]; column++) {
      int color = find_color (painter, row, column);

      *pixel++ = color < 0 ? ground : get_pixel (painter->colors[color]);
    }
  }
  rect.width = width * layout->cell;
  rect.height = height * layout->cell;
  painter->sink->klass->image (painter->sink, &rect, (const guint8 *) pixels, width, height,
                               width * (int) sizeof *pixels);
}

/* One picture for the rows and columns of each sentence. */
static void
paint_images (const Painter *painter)
{
  const UiMatrixAxisLayout *axes = painter->self->layout.axes;
  const UiMatrixSpan *span = painter->span;

  for (int i = 0; i < axes[UI_AXIS_ROWS].n_groups; i++) {
    const UiMatrixGroup *row_group = &axes[UI_AXIS_ROWS].groups[i];
    int rows[2] = { MAX (row_group->first, span->rows[0]), MIN (row_group->last, span->rows[1]) };

    for (int j = 0; j < axes[UI_AXIS_COLUMNS].n_groups && rows[0] <= rows[1]; j++) {
      const UiMatrixGroup *group = &axes[UI_AXIS_COLUMNS].groups[j];
      int columns[2] = {
        MAX (group->first, span->columns[0]), MIN (group->last, span->columns[1])
      };

      if (columns[0] <= columns[1])
        paint_image (painter, rows, columns);
    }
  }
}

/* One stroke x + y = sum of a hatching, broken where a cell has another state. */
static void
paint_stroke (const Painter *painter,
              UiCellState    state,
              double         sum,
              UiColor        color)
{
  const UiMatrixLayout *layout = &painter->self->layout;
  const UiMatrixSpan *span = painter->span;
  const double *lefts = layout->axes[UI_AXIS_COLUMNS].starts;
  const double *tops = layout->axes[UI_AXIS_ROWS].starts;
  double x = MAX (lefts[span->columns[0]], sum - tops[span->rows[1]] - layout->cell);
  double end = MIN (lefts[span->columns[1]] + layout->cell, sum - tops[span->rows[0]]);
  double run_start = 0, run_end = -1;
  int column = span->columns[0], row = span->rows[1];

  while (x < end - NEARLY) {
    gboolean is_inside;
    double next;

    while (lefts[column] + layout->cell <= x + NEARLY)
      column++;
    while (tops[row] >= sum - x - NEARLY)
      row--;
    next = MIN (lefts[column] + layout->cell, sum - tops[row]);
    if (x < lefts[column] - NEARLY)
      next = MIN (next, lefts[column]);
    if (sum - x > tops[row] + layout->cell + NEARLY)
      next = MIN (next, sum - tops[row] - layout->cell);
    is_inside = x >= lefts[column] - NEARLY && sum - x <= tops[row] + layout->cell + NEARLY
                && ui_matrix_get_state (painter->self, row, column) == state;
    if (is_inside && run_end < run_start)
      run_start = x;
    if (is_inside)
      run_end = next;
    if (run_end > run_start && (!is_inside || next >= end - NEARLY)) {
      painter->sink->klass->line (painter->sink, run_start, sum - run_start, run_end, sum - run_end,
                                  UI_HATCH_WIDTH, color);
      run_end = run_start - 1;
    }
    x = next;
  }
}

static gboolean
has_state (const Painter *painter,
           UiCellState    state)
{
  const UiMatrixSpan *span = painter->span;

  for (int row = span->rows[0]; row <= span->rows[1]; row++)
    for (int column = span->columns[0]; column <= span->columns[1]; column++)
      if (ui_matrix_get_state (painter->self, row, column) == state)
        return TRUE;
  return FALSE;
}

/* Strokes run through all cells of a state that touch, however many these are: a causal mask of
 * 512 tokens is some hundred lines. */
static void
paint_hatching (const Painter *painter,
                UiCellState    state,
                UiColor        color)
{
  const UiMatrixLayout *layout = &painter->self->layout;
  const UiMatrixSpan *span = painter->span;
  UiRect first = ui_matrix_layout_get_cell (layout, span->rows[0], span->columns[0]);
  UiRect last = ui_matrix_layout_get_cell (layout, span->rows[1], span->columns[1]);
  double end = last.x + last.y + 2 * layout->cell;

  if (!has_state (painter, state))
    return;
  for (double sum = ceil ((first.x + first.y) / HATCH_SPACING) * HATCH_SPACING; sum < end;
       sum += HATCH_SPACING)
    paint_stroke (painter, state, sum, color);
}

static double
get_luminance (UiColor color)
{
  return 0.2126 * pow (color.r / 255.0, 2.2) + 0.7152 * pow (color.g / 255.0, 2.2)
         + 0.0722 * pow (color.b / 255.0, 2.2);
}

/* As WCAG counts it: 1 to 21. */
static double
get_contrast (UiColor a,
              UiColor b)
{
  double first = get_luminance (a) + 0.05, second = get_luminance (b) + 0.05;

  return MAX (first, second) / MIN (first, second);
}

/* Whichever of text and ground is told better from the cell. */
static UiColor
get_number_color (const UiPalette *palette,
                  UiColor          under)
{
  return get_contrast (palette->text, under) >= get_contrast (palette->ground, under)
         ? palette->text : palette->ground;
}

static void
paint_number (const UiMatrixScene *self,
              int                  row,
              int                  column,
              UiColor              under,
              UiSink              *sink)
{
  const UiMatrixLayout *layout = &self->layout;
  UiRect cell = ui_matrix_layout_get_cell (layout, row, column);
  g_autofree char *number = ui_matrix_format_cell (self, ui_matrix_get_value (self, row, column));
  int n_further = (self->is_signed ? 1 : 0) + ui_matrix_count_decimals (self) - 2;
  UiTextStyle style = {
    .size = MIN (MAX (NUMBER_SIZE * layout->scale,
                      MIN (LARGE_NUMBER_SIZE * layout->scale, LARGE_NUMBER_PART * layout->cell)),
                 layout->cell * (NUMBER_PART_OF_CELL - n_further * GLYPH_PART_OF_CELL)),
    .tabular = TRUE,
    .align = UI_ALIGN_CENTER,
  };
  double middle = cell.y + (cell.height - FRAME_WIDTH * layout->scale) / 2;

  ui_scene_paint_reading (&self->scene, sink,
                          cell.x + (cell.width - FRAME_WIDTH * layout->scale) / 2, middle, number,
                          &style,
                          get_number_color (ui_palette_get (self->scene.options.theme), under));
}

static gboolean
has_number (const UiMatrixScene *self,
            int                  row,
            int                  column,
            double               faintest)
{
  double value = fabsf (ui_matrix_get_value (self, row, column));

  return self->layout.has_numbers && ui_matrix_get_state (self, row, column) == UI_CELL_SHOWN
         && ui_weights_get_strength (&self->scene.weights, value) >= faintest;
}

static void
paint_numbers (const Painter *painter)
{
  const UiMatrixSpan *span = painter->span;
  double faintest = ui_pins_is_empty (&painter->self->scene.document->pins) ? FAINTEST_NUMBER
                                                                            : FAINTEST_CHOSEN;

  for (int row = span->rows[0]; row <= span->rows[1]; row++)
    for (int column = span->columns[0]; column <= span->columns[1]; column++)
      if (has_number (painter->self, row, column, faintest) && painter->row_stands_out[row]
          && painter->column_stands_out[column])
        paint_number (painter->self, row, column,
                      painter->colors[find_color (painter, row, column)], painter->sink);
}

void
ui_matrix_paint_cells (const UiMatrixScene *self,
                       UiSink              *sink,
                       const UiMatrixSpan  *span)
{
  const UiPalette *palette = ui_palette_get (self->scene.options.theme);
  g_autofree Painter *painter = g_new (Painter, 1);

  painter_init (painter, self, sink, span);
  sink->klass->push_group (sink, "cells");
  if (self->layout.cell >= FRAME_CELL * self->layout.scale)
    paint_rects (painter);
  else
    paint_images (painter);
  sink->klass->pop_group (sink);
  sink->klass->push_group (sink, "hatching");
  paint_hatching (painter, UI_CELL_MASKED, palette->hatch);
  paint_hatching (painter, UI_CELL_CUT, ui_color_with_alpha (get_hue (self, FALSE), ALONE_ALPHA));
  paint_hatching (painter, UI_CELL_FIRST_ONLY,
                  ui_color_with_alpha (palette->positive, ALONE_ALPHA));
  paint_hatching (painter, UI_CELL_SECOND_ONLY,
                  ui_color_with_alpha (palette->negative, ALONE_ALPHA));
  sink->klass->pop_group (sink);
  sink->klass->push_group (sink, "numbers");
  paint_numbers (painter);
  sink->klass->pop_group (sink);
  painter_clear (painter);
}

void
ui_matrix_paint_cell (const UiMatrixScene *self,
                      int                  row,
                      int                  column,
                      UiSink              *sink)
{
  UiRect cell = ui_matrix_layout_get_cell (&self->layout, row, column);
  UiColor color = get_color (self, ui_matrix_get_value (self, row, column), 1);

  if (ui_matrix_get_state (self, row, column) != UI_CELL_SHOWN)
    return;
  if (self->layout.cell >= FRAME_CELL * self->layout.scale) {
    cell.width -= FRAME_WIDTH * self->layout.scale;
    cell.height -= FRAME_WIDTH * self->layout.scale;
  }
  sink->klass->fill (sink, &cell, 0, color);
  if (has_number (self, row, column, FAINTEST_CHOSEN))
    paint_number (self, row, column, color, sink);
}

void
ui_matrix_paint_colors (const UiMatrixScene *self,
                        UiSink              *sink)
{
  const UiRect *bar = &self->layout.colors;
  double full = self->scene.weights.block.unit;
  double start = self->is_signed ? -full : 0;

  /* Each step reaches to the end, under the next ones: no seams between them. */
  for (int i = 0; i < N_COLOR_STEPS; i++) {
    double x = bar->width * i / N_COLOR_STEPS;
    UiRect rest = { bar->x + x, bar->y, bar->width - x, bar->height };

    sink->klass->fill (sink, &rest, 0,
                       get_color (self, start + (full - start) * (i + 0.5) / N_COLOR_STEPS, 1));
  }
}
