/* SPDX-License-Identifier: MIT */
/* What a stage shows in full: vectors of the token, and a table in which each row is a token that
 * is read, a head or a layer. */
#include <math.h>

#include "ui/scene/base/describe.h"
#include "ui/scene/sinks/text.h"
#include "ui/scene/steps/steps-builder.h"

/* At 100 % text. */
#define ROW 20.0
#define NAME_WIDTH 92.0
#define NARROW_NAME_WIDTH 66.0
#define NARROW 420.0
#define NUMBER_WIDTH 62.0
#define BAR_WIDTH 110.0   /* where there is room for as much */
#define LEAST_VECTOR 70.0
#define MOST_VECTOR_CELL 22.0
#define MATRIX_GAP 28.0
#define COLUMN_GAP 8.0
#define LENGTH_WIDTH 76.0  /* "length 17.3" */
#define HEADING_LINE 14.0
#define MOST_HEADING_LINES 3
#define BELOW 10.0
#define SINGLE_PART 0.3
#define NARROW_SINGLE_PART 0.6
#define MOST_COLUMNS 12
#define MOST_CANDIDATES 10
#define MOST_STRONGEST 12
#define MOST_MATRIX 160.0
#define DIAL 30.0
#define MOST_MATRIX_CELL 12.0

/* A column of a table. */
typedef struct {
  int      numbers;
  int      own_row;   /* the column stands in this row of the numbers; -1 = rows are rows */
  gboolean is_vector;
  double   full;
  double   x, width;
} Column;

typedef struct {
  EngAxis axis;
  int     n_rows;
  int     n_columns;
  Column  columns[MOST_COLUMNS];
} Table;

/* "full colour ±2.9" */
static char *
describe_full (const EngNumbers *numbers,
               double            full)
{
  g_autofree char *value = ui_steps_write_number (numbers, full);

  return g_strdup_printf ("full ±%s", value[0] == '+' ? value + 1 : value);
}

static char *
name_numbers (const EngNumbers *numbers)
{
  return numbers->symbol != NULL ? g_strdup_printf ("%s · %s", numbers->name, numbers->symbol)
                                 : g_strdup (numbers->name);
}

static gboolean
is_of_tokens (EngAxis axis)
{
  return axis == ENG_AXIS_QUERIES || axis == ENG_AXIS_KEYS || axis == ENG_AXIS_LAST;
}

/* A number alone stands beside its name. */
static void
add_single (UiStepsBuilder   *builder,
            const UiStepsRun *run,
            char             *name)
{
  const double name_width =
    (builder->room < NARROW * builder->scale ? NARROW_SINGLE_PART : SINGLE_PART) * builder->room;
  UiStepsText *text = ui_steps_add_text (builder, name, builder->left,
                                         builder->y + ROW / 2 * builder->scale,
                                         UI_STEPS_LABEL_SIZE);
  UiStepsRun placed = *run;

  ui_steps_add_break (builder);
  text->room = name_width - COLUMN_GAP * builder->scale;
  ui_steps_place_run (builder, &placed, builder->left + name_width, builder->y,
                      MIN (NUMBER_WIDTH * builder->scale, builder->room - name_width), 2);
  builder->y += (ROW + 2) * builder->scale;
}

/* Of a vector that is the token's own, or everybody's. */
static void
add_vector_band (UiStepsBuilder *builder,
                 int             index)
{
  const UiStepsScene *self = builder->self;
  const EngNumbers *numbers = eng_way_get_numbers (self->way, index);
  const int row = eng_way_get_own_row (self->way, index);
  UiStepsRun run = {
    .numbers = index, .row = row, .d_column = 1, .n = numbers->columns,
    .full = ui_steps_find_full (numbers, row, 1), .look = ui_steps_find_look (numbers),
  };
  g_autofree char *of = is_of_tokens (numbers->row_axis) && numbers->rows > 1
                        ? ui_steps_name_row (self, numbers, row) : NULL;
  g_autofree char *own = name_numbers (numbers);
  g_autofree char *name = of != NULL ? g_strdup_printf ("%s, %s", own, of) : g_strdup (own);

  if (run.n == 1) {
    add_single (builder, &run, g_steal_pointer (&name));
    return;
  }
  ui_steps_add_label (builder, g_steal_pointer (&name),
                      run.look == UI_STEPS_LOOK_CELLS ? describe_full (numbers, run.full) : NULL);
  ui_steps_add_vector (builder, &run);
}

/* A label and where its share of the answer stands. */
static void
add_candidates (UiStepsBuilder *builder,
                int             index)
{
  const UiStepsScene *self = builder->self;
  const EngNumbers *numbers = eng_way_get_numbers (self->way, index);
  int columns[MOST_CANDIDATES];
  const int n = ui_steps_list_answers (self, MOST_CANDIDATES, columns);
  const double name_width = 2 * NAME_WIDTH * builder->scale;
  const double width = MIN (4 * NUMBER_WIDTH * builder->scale, builder->room - name_width);
  double full = 0;

  for (int i = 0; i < n; i++)
    full = MAX (full, fabs (eng_numbers_get (numbers, 0, columns[i])));
  ui_steps_add_label (builder, g_strdup_printf ("%s, the likeliest of %d", numbers->name,
                                                numbers->columns), NULL);
  for (int i = 0; i < n; i++) {
    const UiStepsRun run = {
      .numbers = index, .column = columns[i], .n = 1, .full = MAX (full, 1e-30),
      /* The longest bar, and the strongest colour, is the answer. */
      .look = self->scene.options.holds_back ? UI_STEPS_LOOK_PLAIN : ui_steps_find_look (numbers),
      .x = builder->left + name_width, .y = builder->y, .cell_width = width,
      .cell_height = ROW * builder->scale, .per_line = 1,
    };
    /* A model without a vocabulary has numbers alone. */
    const char *word = ui_steps_find_answer (self, columns[i]);
    char *name = word != NULL ? ui_text_make_visible (word) : g_strdup_printf ("%d", columns[i]);
    UiStepsText *text = ui_steps_add_text (builder, name, builder->left,
                                           builder->y + ROW / 2 * builder->scale,
                                           UI_STEPS_TOKEN_SIZE);

    text->room = name_width - COLUMN_GAP * builder->scale;
    g_array_append_val (builder->layout->runs, run);
    builder->y += ROW * builder->scale;
    ui_steps_add_inner_break (builder);
  }
  builder->y += BELOW * builder->scale;
}

/* Tables. */

/* Whether numbers have a row for each row of a table, or a column in the query's own row. */
static gboolean
find_table_axis (const EngNumbers *numbers,
                 EngAxis          *axis,
                 gboolean         *is_row)
{
  *is_row = numbers->row_axis == ENG_AXIS_QUERIES && numbers->column_axis == ENG_AXIS_KEYS;
  *axis = *is_row ? ENG_AXIS_KEYS : numbers->row_axis;
  if (numbers->is_weights || numbers->column_axis == ENG_AXIS_CLASSES)
    return FALSE;
  if (*is_row || *axis == ENG_AXIS_KEYS || *axis == ENG_AXIS_HEADS || *axis == ENG_AXIS_LAYERS)
    return TRUE;
  return *axis == ENG_AXIS_QUERIES && numbers->columns == 1 && numbers->rows > 1
         && ui_steps_find_look (numbers) == UI_STEPS_LOOK_PLAIN;
}

static void
add_column (const UiStepsScene *self,
            Table              *table,
            int                 index)
{
  const EngNumbers *numbers = eng_way_get_numbers (self->way, index);
  Column *column = &table->columns[table->n_columns];
  EngAxis axis;
  gboolean is_row;

  if (!find_table_axis (numbers, &axis, &is_row) || table->n_columns == MOST_COLUMNS
      || (table->n_columns > 0 && axis != table->axis))
    return;
  for (int i = 0; i < table->n_columns; i++)
    if (table->columns[i].numbers == index)
      return;
  *column = (Column) {
    .numbers = index, .own_row = is_row ? eng_way_get_own_row (self->way, index) : -1,
    .is_vector = !is_row && numbers->columns > 1,
  };
  column->full = ui_steps_find_full (numbers, is_row ? column->own_row : 0,
                                     is_row ? 1 : numbers->rows);
  table->axis = axis;
  table->n_rows = is_row ? numbers->columns : numbers->rows;
  table->n_columns++;
}

/* What the stage reads of earlier ones stands before what it makes of that. */
static void
add_read_columns (const UiStepsScene *self,
                  Table              *table,
                  int                 index)
{
  EngSource sources[ENG_MAX_SOURCES];
  const EngNumbers *numbers = eng_way_get_numbers (self->way, index);
  const int row = numbers->row_axis == ENG_AXIS_QUERIES ? eng_way_get_own_row (self->way, index)
                                                        : 0;
  const int n = eng_way_get_sources (self->way, index, row, 0, sources);

  for (int i = 0; i < n; i++) {
    const EngNumbers *source = eng_way_get_numbers (self->way, sources[i].numbers);

    if (source->stage != numbers->stage && source->row_axis == ENG_AXIS_QUERIES
        && source->column_axis == ENG_AXIS_KEYS)
      add_column (self, table, sources[i].numbers);
  }
}

/* The columns of an axis that a stage has. */
static void
collect_columns (const UiStepsScene *self,
                 const EngStage     *stage,
                 EngAxis             axis,
                 Table              *table)
{
  *table = (Table) { .axis = axis };
  for (int i = stage->first; i < stage->first + stage->n; i++) {
    EngAxis of;
    gboolean is_row;

    if (!find_table_axis (eng_way_get_numbers (self->way, i), &of, &is_row) || of != axis)
      continue;
    if (axis == ENG_AXIS_KEYS)
      add_read_columns (self, table, i);
    add_column (self, table, i);
  }
}

/* As wide as it needs to be. */
static double
find_most_width (UiStepsBuilder *builder,
                 const Column   *column)
{
  const EngNumbers *numbers = eng_way_get_numbers (builder->self->way, column->numbers);

  if (column->is_vector)
    return MAX (numbers->columns * MOST_VECTOR_CELL, LEAST_VECTOR) * builder->scale;
  return (ui_steps_find_look (numbers) == UI_STEPS_LOOK_BARS ? BAR_WIDTH : NUMBER_WIDTH)
         * builder->scale;
}

/* Vectors share what numbers leave; where that is too little, numbers become narrower. Returns the
 * right edge. */
static double
place_columns (UiStepsBuilder *builder,
               Table          *table,
               double          x)
{
  const double scale = builder->scale;
  const double gap = COLUMN_GAP * scale;
  const double lengths = table->axis == ENG_AXIS_LAYERS ? LENGTH_WIDTH * scale : 0;
  const double room = builder->left + builder->room - x - table->n_columns * gap - lengths;
  double n_vectors = 0, numbers = 0;
  double squeeze, share;

  for (int i = 0; i < table->n_columns; i++) {
    n_vectors += table->columns[i].is_vector;
    numbers += table->columns[i].is_vector ? 0 : find_most_width (builder, &table->columns[i]);
  }
  squeeze = numbers > 0 ? CLAMP ((room - n_vectors * LEAST_VECTOR * scale) / numbers, 0, 1) : 1;
  share = n_vectors > 0 ? (room - numbers * squeeze) / n_vectors : 0;
  for (int i = 0; i < table->n_columns; i++) {
    Column *column = &table->columns[i];
    const double most = find_most_width (builder, column);

    column->x = x;
    column->width = column->is_vector ? MIN (share, most) : most * squeeze;
    x += column->width + gap;
  }
  return x;
}

static void
add_headings (UiStepsBuilder *builder,
              const Table    *table)
{
  const UiTextStyle style = { .size = UI_STEPS_NUMBER_SIZE * builder->scale };
  int most = 0;

  for (int i = 0; i < table->n_columns; i++) {
    const Column *column = &table->columns[i];
    const EngNumbers *numbers = eng_way_get_numbers (builder->self->way, column->numbers);
    g_autofree char *name = name_numbers (numbers);
    g_autofree char *full = column->is_vector && !builder->self->scene.options.holds_back
                            ? describe_full (numbers, column->full) : NULL;
    g_autofree char *heading = full != NULL ? g_strdup_printf ("%s, %s", name, full)
                                            : g_strdup (column->is_vector ? name : numbers->name);
    g_auto (GStrv) lines = ui_text_wrap (heading, &style, column->width);
    const int n = MIN ((int) g_strv_length (lines), MOST_HEADING_LINES);

    for (int j = 0; j < n; j++) {
      UiStepsText *text =
        ui_steps_add_text (builder, g_strdup (lines[j]), column->x,
                           builder->y + (j + 0.5) * HEADING_LINE * builder->scale,
                           UI_STEPS_NUMBER_SIZE);

      text->room = column->width;
      text->color = UI_STEPS_COLOR_DIM;
    }
    most = MAX (most, n);
  }
  builder->y += (most * HEADING_LINE + 2) * builder->scale;
}

/* A token as it is written, without quotation marks: each stands alone. */
static char *
label_row (const UiStepsScene *self,
           const Table        *table,
           int                 row)
{
  const EngNumbers *numbers = eng_way_get_numbers (self->way, table->columns[0].numbers);
  const EngTokens *tokens = ui_steps_get_tokens (self, numbers, table->axis);

  if (tokens != NULL)
    return ui_tokens_dup_shown (tokens, row);
  return ui_steps_name_row (self, numbers, row);
}

static UiStepsRun
make_run (const UiStepsScene *self,
          const Column       *column,
          int                 row)
{
  const EngNumbers *numbers = eng_way_get_numbers (self->way, column->numbers);
  const gboolean is_row = column->own_row >= 0;

  return (UiStepsRun) {
    .numbers = column->numbers, .row = is_row ? column->own_row : row,
    .column = is_row ? row : 0, .d_column = column->is_vector ? 1 : 0,
    .n = column->is_vector ? numbers->columns : 1, .full = column->full,
    .look = ui_steps_find_look (numbers),
  };
}

/* Those from the first on, in a line of that height from y on. */
static void
centre_runs (UiStepsBuilder *builder,
             guint           first,
             double          height)
{
  GArray *runs = builder->layout->runs;

  for (guint i = first; i < runs->len; i++) {
    UiStepsRun *run = &g_array_index (runs, UiStepsRun, i);

    run->y = builder->y + (height - ui_steps_run_get_rect (run).height) / 2;
  }
}

/* How long the vector of a layer is, at the right. */
static void
add_length (UiStepsBuilder *builder,
            const Table    *table,
            int             row,
            double          height)
{
  const EngNumbers *numbers =
    eng_way_get_numbers (builder->self->way, table->columns[0].numbers);
  g_autofree char *length = ui_steps_write_number (numbers, eng_numbers_get_length (numbers, row));
  UiStepsText *text =
    ui_steps_add_text (builder, g_strdup_printf ("length %s", length),
                       builder->left + builder->room, builder->y + height / 2,
                       UI_STEPS_NUMBER_SIZE);

  text->align = UI_ALIGN_RIGHT;
  text->color = UI_STEPS_COLOR_DIM;
}

/* Returns the right edge of the table. */
static double
add_table (UiStepsBuilder *builder,
           Table          *table)
{
  const UiStepsScene *self = builder->self;
  const double scale = builder->scale;
  const double name_width =
    (builder->room < NARROW * scale ? NARROW_NAME_WIDTH : NAME_WIDTH) * scale;
  const double right = place_columns (builder, table, builder->left + name_width);

  ui_steps_begin_table (builder);
  add_headings (builder, table);
  ui_steps_end_headings (builder);
  for (int row = 0; row < table->n_rows; row++) {
    UiStepsText *text = ui_steps_add_text (builder, label_row (self, table, row), builder->left,
                                           builder->y + ROW / 2 * scale, UI_STEPS_TOKEN_SIZE);
    const guint first = builder->layout->runs->len;
    double height = ROW * scale;

    text->room = name_width - COLUMN_GAP * scale;
    text->token = table->axis == ENG_AXIS_QUERIES ? row : -1;
    if (text->token >= 0 && row == eng_way_get_query (self->way)) {
      text->bold = TRUE;
      text->color = UI_STEPS_COLOR_ACCENT;
    }
    for (int i = 0; i < table->n_columns; i++) {
      const Column *column = &table->columns[i];
      UiStepsRun run = make_run (self, column, row);
      const double used = ui_steps_place_run (builder, &run, column->x, builder->y + scale,
                                              column->width, column->is_vector ? 0 : 1);

      height = MAX (height, used + 2 * scale);
    }
    centre_runs (builder, first, height);
    if (table->axis == ENG_AXIS_LAYERS && !self->scene.options.holds_back)
      add_length (builder, table, row, height);
    builder->y += height;
    ui_steps_add_inner_break (builder);
  }
  ui_steps_end_table (builder);
  builder->y += BELOW * scale;
  return right;
}

/* The same of all tokens that read, a cell each: what is done for one is done for all. */
static void
add_matrix (UiStepsBuilder *builder,
            int             index)
{
  const UiStepsScene *self = builder->self;
  const EngNumbers *numbers = eng_way_get_numbers (self->way, index);
  const double scale = builder->scale;
  const double full = ui_steps_find_full (numbers, 0, numbers->rows);
  const double cell = MIN (MIN (MOST_MATRIX * scale, builder->room)
                           / MAX (numbers->columns, numbers->rows), MOST_MATRIX_CELL * scale);

  ui_steps_add_label (builder, g_strdup_printf ("all %d tokens alike", numbers->rows), NULL);
  for (int row = 0; row < numbers->rows; row++) {
    const UiStepsRun run = {
      .numbers = index, .row = row, .d_column = 1, .n = numbers->columns, .full = full,
      .look = UI_STEPS_LOOK_STRIP, .x = builder->left, .y = builder->y, .cell_width = cell,
      .cell_height = cell, .per_line = numbers->columns,
      .is_own = row == eng_way_get_own_row (self->way, index),
    };

    g_array_append_val (builder->layout->runs, run);
    builder->y += cell;
  }
  builder->y += BELOW * scale;
}

/* Beside the table where there is room, else below it. */
static void
place_matrix (UiStepsBuilder *builder,
              int             index,
              double          top,
              double          right)
{
  const double scale = builder->scale;
  const double bottom = builder->y, left = builder->left, room = builder->room;
  const double x = right + MATRIX_GAP * scale;

  if (x + MOST_MATRIX * scale > left + room) {
    add_matrix (builder, index);
    return;
  }
  builder->left = x;
  builder->room = left + room - x;
  builder->y = top;
  add_matrix (builder, index);
  builder->left = left;
  builder->room = room;
  builder->y = MAX (builder->y, bottom);
}

/* Those that fire, by their numbers. */
static void
add_strongest (UiStepsBuilder *builder,
               int             index)
{
  const UiStepsScene *self = builder->self;
  const EngNumbers *numbers = eng_way_get_numbers (self->way, index);
  const int row = eng_way_get_own_row (self->way, index);
  const double scale = builder->scale;
  const double name_width = NAME_WIDTH * scale;
  const double width = NUMBER_WIDTH * scale;
  const int fit = MAX ((int) (builder->room / (name_width + width + MATRIX_GAP * scale)), 1);
  int order[MOST_STRONGEST];
  const int n = eng_numbers_find_strongest (numbers, row, MOST_STRONGEST, order);

  ui_steps_hide_order (self, order, n);
  ui_steps_add_label (builder, g_strdup_printf ("the strongest of %d", numbers->columns), NULL);
  for (int i = 0; i < n; i++) {
    const double x = builder->left + i % fit * (name_width + width + MATRIX_GAP * scale);
    const double y = builder->y + i / fit * ROW * scale;
    const UiStepsRun run = {
      .numbers = index, .row = row, .column = order[i], .n = 1, .look = UI_STEPS_LOOK_CELLS,
      .full = ui_steps_find_full (numbers, row, 1), .x = x + name_width, .y = y,
      .cell_width = width, .cell_height = ROW * scale, .per_line = 1,
    };
    UiStepsText *text =
      ui_steps_add_text (builder, ui_steps_name_column (self, numbers, order[i]), x,
                         y + ROW / 2 * scale, UI_STEPS_TEXT_SIZE);

    text->room = name_width - COLUMN_GAP * scale;
    g_array_append_val (builder->layout->runs, run);
  }
  builder->y += ((n + fit - 1) / fit * ROW + BELOW) * scale;
}

/* The turn of the token's own place, a hand for each pair of dimensions. */
static void
add_dials (UiStepsBuilder *builder,
           const EngStage *stage)
{
  const UiStepsScene *self = builder->self;
  const int index = stage->first;
  const int cosines = eng_way_find (self->way, stage->part, ENG_NUMBERS_COSINES, 0);
  const int sines = eng_way_find (self->way, stage->part, ENG_NUMBERS_SINES, 0);
  const int row = eng_way_get_query (self->way);
  const EngNumbers *across, *up;
  const double scale = builder->scale;
  g_autofree char *token = NULL;
  int n;

  if (cosines < index || sines < index || eng_way_get_kind (self->way) == ENG_KIND_CROSS)
    return;
  across = eng_way_get_numbers (self->way, cosines);
  up = eng_way_get_numbers (self->way, sines);
  n = CLAMP ((int) (builder->room / (DIAL * scale)), 1, across->columns);
  token = ui_describe_distinct (eng_way_get_query_tokens (self->way), row);
  ui_steps_add_label (builder, g_strdup_printf ("how far the pairs of %s are turned", token),
             n < across->columns ? g_strdup_printf ("the first %d of %d", n, across->columns)
                                 : NULL);
  for (int i = 0; i < n; i++) {
    const UiStepsDial dial = {
      .x = builder->left + (i + 0.5) * DIAL * scale, .y = builder->y + DIAL / 2 * scale,
      .radius = (DIAL / 2 - 3) * scale, .cosine = eng_numbers_get (across, row, i),
      .sine = eng_numbers_get (up, row, i),
    };

    g_array_append_val (builder->layout->dials, dial);
  }
  builder->y += (DIAL + BELOW) * scale;
}

static gboolean
is_vector_band (const EngNumbers *numbers)
{
  EngAxis axis;
  gboolean is_row;

  return !numbers->is_weights && numbers->row_axis != ENG_AXIS_LAST
         && numbers->row_axis != ENG_AXIS_POSITIONS && numbers->row_axis != ENG_AXIS_TABLE
         && numbers->column_axis != ENG_AXIS_CLASSES
         && !find_table_axis (numbers, &axis, &is_row);
}

void
ui_steps_lay_out_bands (UiStepsBuilder *builder,
                        int             index)
{
  static const EngAxis axes[] = {
    ENG_AXIS_QUERIES, ENG_AXIS_KEYS, ENG_AXIS_HEADS, ENG_AXIS_LAYERS
  };
  const UiStepsScene *self = builder->self;
  const EngStage *stage = eng_way_get_stage (self->way, index);
  const EngNumbers *result = eng_way_get_numbers (self->way, stage->result);
  double top = 0, right = builder->left + builder->room;
  Table table;

  for (int i = stage->first; i < stage->first + stage->n; i++) {
    const EngNumbers *numbers = eng_way_get_numbers (self->way, i);

    if (is_vector_band (numbers))
      add_vector_band (builder, i);
    if (numbers->id == ENG_NUMBERS_NEURONS)
      add_strongest (builder, i);
    if (numbers->column_axis == ENG_AXIS_CLASSES && !numbers->is_weights)
      add_candidates (builder, i);
  }
  for (gsize i = 0; i < G_N_ELEMENTS (axes); i++) {
    collect_columns (self, stage, axes[i], &table);
    if (table.n_columns > 0) {
      top = builder->y;
      right = add_table (builder, &table);
    }
  }
  if (stage->id == ENG_STAGE_TURN)
    add_dials (builder, stage);
  if (result->row_axis == ENG_AXIS_QUERIES && result->column_axis == ENG_AXIS_KEYS
      && result->rows > 1)
    place_matrix (builder, stage->result, top, right);
}
