/* SPDX-License-Identifier: MIT */
/* The whole way on one sheet of a file: columns side by side below the blocks of the model, each
 * read down, then the next one to its right. There are as many as give the sheet a poster's
 * proportion. */
#include <math.h>

#include "ui/scene/steps/steps-builder.h"

/* At 100 % text. */
#define COLUMN_GAP 34.0
#define HEAD_SCALE 1.4     /* of the diagram, which is read from further away */

#define MOST_COLUMNS 12
#define N_HALVINGS 40

typedef struct {
  int    n;
  guint  first[MOST_COLUMNS]; /* row */
  double height;              /* of the highest */
} Columns;

/* Rows from top to bottom into columns that are no higher than that, unless a row is; more of them
 * than there may be are not made. */
static void
fill (const GArray *rows,
      double        height,
      int           most,
      Columns      *columns)
{
  double used = 0;

  *columns = (Columns) { .n = 1 };
  for (guint i = 0; i < rows->len; i++) {
    const double more = g_array_index (rows, UiStepsRow, i).rect.height;

    if (used > 0 && used + more > height && columns->n < most) {
      columns->first[columns->n++] = i;
      used = 0;
    }
    used += more;
    columns->height = MAX (columns->height, used);
  }
}

/* As low as so many columns can be. */
static void
balance (const GArray *rows,
         int           n,
         Columns      *columns)
{
  double low = 0, high = 0;

  for (guint i = 0; i < rows->len; i++)
    high += g_array_index (rows, UiStepsRow, i).rect.height;
  for (int i = 0; i < N_HALVINGS; i++) {
    const double middle = (low + high) / 2;

    fill (rows, middle, n, columns);
    if (columns->height <= middle)
      high = middle;
    else
      low = middle;
  }
  fill (rows, high, n, columns);
}

static double
get_width (const UiStepsBuilder *builder,
           int                   n)
{
  return n * builder->room + (n - 1) * COLUMN_GAP * builder->scale;
}

/* Those with which the sheet comes nearest to its proportion. */
static Columns
find_columns (const UiStepsBuilder *builder)
{
  Columns best = { 0 };
  double least = INFINITY;

  for (int n = 1; n <= MOST_COLUMNS; n++) {
    Columns columns;
    double off;

    balance (builder->layout->rows, n, &columns);
    off = fabs (log (columns.height / get_width (builder, columns.n) / UI_STEPS_SHEET));
    if (off < least) {
      least = off;
      best = columns;
    }
  }
  return best;
}

static void
move_row (UiStepsLayout      *layout,
          guint               index,
          const UiStepsMark  *mark,
          const UiStepsMark  *end,
          double              dx,
          double              dy)
{
  UiStepsRow *row = &g_array_index (layout->rows, UiStepsRow, index);

  row->rect.x += dx;
  row->rect.y += dy;
  row->middle += dy;
  for (guint i = mark->texts; i < end->texts; i++) {
    g_array_index (layout->texts, UiStepsText, i).x += dx;
    g_array_index (layout->texts, UiStepsText, i).y += dy;
  }
  for (guint i = mark->runs; i < end->runs; i++) {
    g_array_index (layout->runs, UiStepsRun, i).x += dx;
    g_array_index (layout->runs, UiStepsRun, i).y += dy;
  }
  for (guint i = mark->frames; i < end->frames; i++) {
    g_array_index (layout->frames, UiRect, i).x += dx;
    g_array_index (layout->frames, UiRect, i).y += dy;
  }
  for (guint i = mark->dials; i < end->dials; i++) {
    g_array_index (layout->dials, UiStepsDial, i).x += dx;
    g_array_index (layout->dials, UiStepsDial, i).y += dy;
  }
}

static void
move_rows (UiStepsBuilder *builder,
           const Columns  *columns,
           const GArray   *marks,
           double          top)
{
  const GArray *rows = builder->layout->rows;
  double y = top;
  int column = -1;

  for (guint i = 0; i < rows->len; i++) {
    const UiRect rect = g_array_index (rows, UiStepsRow, i).rect;

    if (column + 1 < columns->n && columns->first[column + 1] == i) {
      column++;
      y = top;
    }
    move_row (builder->layout, i, &g_array_index (marks, UiStepsMark, i),
              &g_array_index (marks, UiStepsMark, i + 1),
              column * (builder->room + COLUMN_GAP * builder->scale), y - rect.y);
    y += rect.height;
  }
}

void
ui_steps_lay_out_sheet (UiStepsBuilder *builder,
                        const GArray   *marks,
                        int            *n_columns)
{
  UiStepsBuilder head = *builder;
  Columns columns;

  if (*n_columns == 0)
    columns = find_columns (builder);
  else
    balance (builder->layout->rows, *n_columns, &columns);
  *n_columns = columns.n;
  head.scale *= HEAD_SCALE;
  head.room = get_width (builder, columns.n);
  head.y = builder->left;
  ui_steps_lay_out_diagram (&head);
  builder->layout->diagram_height = head.y;
  move_rows (builder, &columns, marks, head.y);
  builder->layout->width = head.room + 2 * builder->left;
  builder->y = head.y + columns.height;
}
