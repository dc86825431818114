/* SPDX-License-Identifier: MIT */
/* The attention of all tokens at once, behind the way of one of them: the stages whose result has a
 * row for each token that reads and a column for each that is read, once more, as matrices. */
#include "ui/scene/base/token-words.h"
#include "ui/scene/steps/steps-builder.h"

/* At 100 % text. */
#define ROW 20.0
#define NAME_WIDTH 92.0
#define NARROW_NAME_WIDTH 66.0
#define NARROW 420.0
#define NAME_GAP 8.0
#define MOST_NAMED 48      /* rows; more are lower, and without names */
#define LOW_ROW 8.0
#define HEADING 18.0
#define LEAST_HEADING 26.0 /* width of a column that has its token above it */
#define CELL_WIDTH 41.0    /* the narrowest with a number in it */
#define SHARE_WIDTH 33.0   /* likewise of a share */
#define MOST_CELL_WIDTH 66.0
#define BELOW 10.0

/* Whether the stage has it; a way of many tokens has the rows of a few. */
static gboolean
has_rows (const EngWay *way,
          int           stage)
{
  const EngStage *of = eng_way_get_stage (way, stage);
  const EngNumbers *numbers = eng_way_get_numbers (way, of->result);

  return of->part == ENG_PART_ATTENTION && numbers->row_axis == ENG_AXIS_QUERIES
         && numbers->column_axis == ENG_AXIS_KEYS && numbers->rows > 1;
}

int
ui_steps_count (const EngWay *way)
{
  const int n = eng_way_get_n_stages (way);
  int n_more = 0;

  for (int stage = 0; stage < n; stage++)
    n_more += has_rows (way, stage);
  return n + n_more;
}

int
ui_steps_find_stage (const EngWay *way,
                     int           step,
                     gboolean     *has_all_rows)
{
  const int n = eng_way_get_n_stages (way);
  int stage = step, n_before = n;

  if (step >= n)
    for (stage = 0; !has_rows (way, stage) || n_before++ < step;)
      stage++;
  if (has_all_rows != NULL)
    *has_all_rows = step >= n;
  return stage;
}

typedef struct {
  const EngNumbers *numbers;
  int               index;
  gboolean          has_names;
  double            left;        /* of the cells */
  double            cell_width, cell_height;
  UiStepsLook       look;
} Matrix;

static void
find_sizes (const UiStepsBuilder *builder,
            Matrix               *matrix)
{
  const double scale = builder->scale;
  const double least = (ui_steps_is_share (matrix->numbers) ? SHARE_WIDTH : CELL_WIDTH) * scale;
  double room = builder->room;

  matrix->has_names = matrix->numbers->rows <= MOST_NAMED;
  matrix->left = builder->left;
  if (matrix->has_names) {
    const double name = (room < NARROW * scale ? NARROW_NAME_WIDTH : NAME_WIDTH) * scale;

    matrix->left += name;
    room -= name;
  }
  matrix->cell_width = MIN (room / matrix->numbers->columns, MOST_CELL_WIDTH * scale);
  matrix->cell_height = (matrix->has_names ? ROW : LOW_ROW) * scale;
  matrix->look = matrix->has_names && matrix->cell_width >= least ? UI_STEPS_LOOK_CELLS
                                                                  : UI_STEPS_LOOK_STRIP;
}

/* Tokens that are read, above their columns. */
static void
add_headings (UiStepsBuilder *builder,
              const Matrix   *matrix)
{
  const EngTokens *keys = ui_steps_get_tokens (builder->self, matrix->numbers, ENG_AXIS_KEYS);

  if (matrix->cell_width < LEAST_HEADING * builder->scale)
    return;
  for (int i = 0; i < matrix->numbers->columns; i++) {
    UiStepsText *text =
      ui_steps_add_text (builder, ui_tokens_dup_shown (keys, i),
                         matrix->left + (i + 0.5) * matrix->cell_width,
                         builder->y + HEADING / 2 * builder->scale, UI_STEPS_NUMBER_SIZE);

    text->align = UI_ALIGN_CENTER;
    text->color = UI_STEPS_COLOR_DIM;
    text->room = matrix->cell_width - 2 * builder->scale;
  }
  builder->y += HEADING * builder->scale;
}

static void
add_name (UiStepsBuilder *builder,
          const Matrix   *matrix,
          int             row,
          gboolean        is_own)
{
  const EngTokens *tokens = eng_way_get_query_tokens (builder->self->way);
  const int token = row + matrix->numbers->first_row;
  UiStepsText *text = ui_steps_add_text (builder, ui_tokens_dup_shown (tokens, token),
                                         builder->left, builder->y + matrix->cell_height / 2,
                                         UI_STEPS_TOKEN_SIZE);

  text->room = matrix->left - builder->left - NAME_GAP * builder->scale;
  text->token = token;
  text->bold = is_own;
  if (is_own)
    text->color = UI_STEPS_COLOR_ACCENT;
}

void
ui_steps_lay_out_all_rows (UiStepsBuilder *builder,
                           int             stage)
{
  const EngWay *way = builder->self->way;
  const int index = eng_way_get_stage (way, stage)->result;
  Matrix matrix = { .numbers = eng_way_get_numbers (way, index), .index = index };
  const double full = ui_steps_find_full (matrix.numbers, 0, matrix.numbers->rows);

  find_sizes (builder, &matrix);
  ui_steps_begin_table (builder);
  ui_steps_add_label (builder, g_strdup_printf ("%s, a row for each token that reads",
                                                matrix.numbers->name), NULL);
  add_headings (builder, &matrix);
  ui_steps_end_headings (builder);
  for (int row = 0; row < matrix.numbers->rows; row++) {
    const UiStepsRun run = {
      .numbers = index, .row = row, .d_column = 1, .n = matrix.numbers->columns, .full = full,
      .look = matrix.look, .x = matrix.left, .y = builder->y, .cell_width = matrix.cell_width,
      .cell_height = matrix.cell_height, .per_line = matrix.numbers->columns,
      .is_own = row == eng_way_get_own_row (way, index),
    };

    if (matrix.has_names)
      add_name (builder, &matrix, row, run.is_own);
    g_array_append_val (builder->layout->runs, run);
    builder->y += matrix.cell_height;
    ui_steps_add_inner_break (builder);
  }
  ui_steps_end_table (builder);
  builder->y += BELOW * builder->scale;
}
