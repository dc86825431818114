/* SPDX-License-Identifier: MIT */
#include "ui/scene/steps/steps-builder.h"

#include <math.h>

#include "ui/scene/sinks/text.h"

/* At 100 % text. */
#define MARGIN 14.0
#define MOST_ROOM 1180.0
#define LEAST_COLUMN 0.75    /* of a sheet, of the width that was asked for */
#define MOST_COLUMN 1.5
#define LINE 30.0          /* of a stage that is not in full */
#define TEXT_LINE 18.0
#define LABEL_LINE 17.0
#define GAP 8.0
#define BADGE_GAP 12.0
#define MINI_WIDTH 190.0   /* what a stage has handed on, beside its name */
#define MINI_HEIGHT 8.0
#define MINI_PART 0.36
#define CELL_WIDTH 41.0    /* the narrowest with a number in it */
#define MOST_CELL_WIDTH 66.0
#define CELL_HEIGHT 20.0
#define STRIP_CELL 1.7     /* the narrowest of colour alone */
#define MOST_STRIP_CELL 22.0
#define STRIP_HEIGHT 16.0
#define STRIP_LINE 9.0     /* where it takes several lines */
#define MOST_CELL_LINES 4
#define ALL_TOKENS (ENG_PART_ANSWER + 1)

UiStepsText *
ui_steps_add_text (UiStepsBuilder *builder,
                   char           *text,
                   double          x,
                   double          y,
                   double          size)
{
  const UiStepsText entry = {
    .x = x, .y = y, .text = text, .size = size * builder->scale, .token = -1
  };
  GArray *texts = builder->layout->texts;

  g_array_append_val (texts, entry);
  return &g_array_index (texts, UiStepsText, texts->len - 1);
}

void
ui_steps_add_label (UiStepsBuilder *builder,
                    char           *name,
                    char           *note)
{
  const double y = builder->y + LABEL_LINE / 2 * builder->scale;
  const double right = builder->left + builder->room;
  double end = right;
  UiStepsText *text;

  ui_steps_add_break (builder);
  if (builder->self->scene.options.holds_back)
    g_clear_pointer (&note, g_free);
  if (note != NULL) {
    text = ui_steps_add_text (builder, note, right, y, UI_STEPS_NUMBER_SIZE);
    text->align = UI_ALIGN_RIGHT;
    text->color = UI_STEPS_COLOR_DIM;
    text->room = builder->room / 2;
    end = ui_steps_text_get_rect (text).x - GAP * builder->scale;
  }
  text = ui_steps_add_text (builder, name, builder->left, y, UI_STEPS_LABEL_SIZE);
  text->room = end - builder->left;
  builder->y += LABEL_LINE * builder->scale;
}

void
ui_steps_add_paragraph (UiStepsBuilder *builder,
                        const char     *text,
                        UiStepsColor    color)
{
  const UiTextStyle style = { .size = UI_STEPS_TEXT_SIZE * builder->scale };
  g_auto (GStrv) lines = ui_text_wrap (text, &style, builder->room);

  for (int i = 0; lines[i] != NULL; i++) {
    UiStepsText *entry =
      ui_steps_add_text (builder, g_strdup (lines[i]), builder->left,
                         builder->y + TEXT_LINE / 2 * builder->scale, UI_STEPS_TEXT_SIZE);

    entry->color = color;
    entry->room = builder->room;
    builder->y += TEXT_LINE * builder->scale;
  }
}

UiStepsLook
ui_steps_find_look (const EngNumbers *numbers)
{
  switch (numbers->id) {
  case ENG_NUMBERS_IDS:
  case ENG_NUMBERS_PLACES:
  case ENG_NUMBERS_TYPES:
  case ENG_NUMBERS_LANGUAGES:
  case ENG_NUMBERS_READINGS:
  case ENG_NUMBERS_ALL_READINGS:
  case ENG_NUMBERS_PADDING:
  case ENG_NUMBERS_DISTANCES:
    return UI_STEPS_LOOK_PLAIN;
  default:
    return ui_steps_is_share (numbers) ? UI_STEPS_LOOK_BARS : UI_STEPS_LOOK_CELLS;
  }
}

double
ui_steps_find_full (const EngNumbers *numbers,
                    int               first_row,
                    int               n_rows)
{
  double full = 0;

  for (int row = first_row; row < first_row + n_rows; row++)
    for (int column = 0; column < numbers->columns; column++) {
      const double amount = fabs (eng_numbers_get (numbers, row, column));

      if (isfinite (amount))
        full = MAX (full, amount);
    }
  return full > 0 ? full : 1;
}

/* On lines of nearly the same length. */
static void
break_lines (UiStepsRun *run,
             double      width,
             double      least)
{
  const int fit = MAX ((int) (width / least), 1);
  const int n_lines = (run->n + fit - 1) / fit;

  run->per_line = (run->n + n_lines - 1) / n_lines;
  run->cell_width = width / run->per_line;
}

double
ui_steps_place_run (UiStepsBuilder *builder,
                    UiStepsRun     *run,
                    double          x,
                    double          y,
                    double          width,
                    int             most_lines)
{
  const double scale = builder->scale;
  int n_lines;

  run->x = x;
  run->y = y;
  /* A number alone has no larger one beside it that its colour could go by. */
  if (run->n == 1 && run->look == UI_STEPS_LOOK_CELLS && most_lines > 1)
    run->look = UI_STEPS_LOOK_PLAIN;
  break_lines (run, width, CELL_WIDTH * scale);
  n_lines = (run->n + run->per_line - 1) / run->per_line;
  if (n_lines <= most_lines) {
    if (run->look != UI_STEPS_LOOK_BARS)
      run->cell_width = MIN (run->cell_width, MOST_CELL_WIDTH * scale);
    run->cell_height = CELL_HEIGHT * scale;
  } else {
    run->look = UI_STEPS_LOOK_STRIP;
    break_lines (run, width, STRIP_CELL * scale);
    n_lines = (run->n + run->per_line - 1) / run->per_line;
    run->cell_width = MIN (run->cell_width, MOST_STRIP_CELL * scale);
    run->cell_height = (n_lines == 1 ? STRIP_HEIGHT : STRIP_LINE) * scale;
  }
  g_array_append_val (builder->layout->runs, *run);
  return n_lines * run->cell_height;
}

void
ui_steps_add_vector (UiStepsBuilder   *builder,
                     const UiStepsRun *run)
{
  UiStepsRun placed = *run;

  builder->y += ui_steps_place_run (builder, &placed, builder->left, builder->y, builder->room,
                                    MOST_CELL_LINES)
                + GAP * builder->scale;
}

/* What a stage has handed on of the token, small. Returns where it begins. */
static double
add_mini (UiStepsBuilder *builder,
          int             stage,
          double          middle)
{
  const UiStepsScene *self = builder->self;
  const EngStage *of = eng_way_get_stage (self->way, stage);
  const EngNumbers *numbers = eng_way_get_numbers (self->way, of->result);
  const double right = builder->left + builder->room;
  const double width = MIN (MINI_WIDTH * builder->scale, MINI_PART * builder->room);
  const int row = eng_way_get_own_row (self->way, of->result);
  UiStepsRun run = {
    .numbers = of->result, .row = row, .d_column = 1, .n = numbers->columns,
    .look = UI_STEPS_LOOK_STRIP, .x = right - width, .per_line = numbers->columns,
    .cell_height = MINI_HEIGHT * builder->scale, .is_mini = TRUE,
  };

  if (numbers->columns < 2 || numbers->column_axis == ENG_AXIS_CLASSES)
    return right;
  run.full = ui_steps_find_full (numbers, row, 1);
  run.y = middle - run.cell_height / 2;
  run.cell_width = width / run.n;
  g_array_append_val (builder->layout->runs, run);
  return run.x;
}

/* "Attention, of all tokens", "The answer: Fill mask head" */
static char *
name_row (const UiStepsScene *self,
          const UiStepsRow   *row)
{
  const EngStage *stage = eng_way_get_stage (self->way, row->stage);
  const char *name = row->is_part ? ui_steps_name_part (self, stage->part) : stage->name;

  if (row->has_all_rows)
    return g_strconcat (name, ", of all tokens", NULL);
  if (row->is_part && stage->part == ENG_PART_ANSWER && ui_steps_find_answering (self) >= 0)
    return g_strdup_printf ("%s: %s", name,
                            self->diagram->blocks[ui_steps_find_answering (self)].name);
  return g_strdup (name);
}

static void
add_name (UiStepsBuilder   *builder,
          const UiStepsRow *row,
          double            right)
{
  UiStepsText *text = ui_steps_add_text (builder, name_row (builder->self, row), builder->left,
                                         row->middle,
                                         row->is_card ? UI_STEPS_TITLE_SIZE : UI_STEPS_TOKEN_SIZE);

  text->bold = row->is_card;
  text->room = right - builder->left - GAP * builder->scale;
  text->color = row->state == UI_STEPS_LATER ? UI_STEPS_COLOR_DIM : UI_STEPS_COLOR_TEXT;
}

static void
add_line (UiStepsBuilder *builder,
          UiStepsRow     *row)
{
  const double right = builder->left + builder->room;
  double end = right;

  if (row->is_part) {
    char *steps = row->n == 1 ? g_strdup_printf ("step %d", row->first)
                              : g_strdup_printf ("steps %d–%d", row->first,
                                                 row->first + row->n - 1);
    UiStepsText *text = ui_steps_add_text (builder, steps, right, row->middle,
                                           UI_STEPS_LABEL_SIZE);

    text->align = UI_ALIGN_RIGHT;
    text->color = UI_STEPS_COLOR_DIM;
    end -= ui_steps_text_get_rect (text).width;
  } else if (row->state == UI_STEPS_REACHED || row->has_all_rows) {
    end = add_mini (builder, row->stage, row->middle);
  }
  add_name (builder, row, end);
  builder->y += LINE * builder->scale;
}

static void
add_card (UiStepsBuilder *builder,
          UiStepsRow     *row)
{
  const UiStepsScene *self = builder->self;
  const EngStage *stage = eng_way_get_stage (self->way, row->stage);
  g_autofree char *sentence = ui_steps_explain_stage (self, row->stage);

  if (row->has_all_rows) {
    g_free (sentence);
    sentence = g_strdup ("What was done for one token is done for each: its row is one of many.");
  }
  add_name (builder, row, builder->left + builder->room);
  builder->y += LINE * builder->scale;
  ui_steps_add_paragraph (builder, sentence, UI_STEPS_COLOR_DIM);
  if (ui_steps_is_tried (self, row->stage))
    ui_steps_add_paragraph (builder, stage->is_models
                            ? "The model’s own numbers: what if is not fed forward."
                            : "What if, not fed forward.", UI_STEPS_COLOR_WARNING);
  builder->y += GAP * builder->scale;
  if (row->has_all_rows)
    ui_steps_lay_out_all_rows (builder, row->stage);
  else
    ui_steps_lay_out_bands (builder, row->stage);
  ui_steps_lay_out_explained (builder, row->stage);
  builder->y += GAP * builder->scale;
}

static UiStepsState
find_state (const UiStepsScene *self,
            const UiStepsRow   *row)
{
  if (row->first > self->place)
    return UI_STEPS_LATER;
  return row->is_card && row->first == self->place ? UI_STEPS_CURRENT : UI_STEPS_REACHED;
}

static void
add_row (UiStepsBuilder *builder,
         UiStepsRow     *row)
{
  const double top = builder->y;

  row->state = find_state (builder->self, row);
  row->middle = top + LINE / 2 * builder->scale;
  ui_steps_add_break (builder);
  if (row->is_card)
    add_card (builder, row);
  else
    add_line (builder, row);
  row->rect = (UiRect) {
    builder->layout->way_x - UI_STEPS_BADGE * builder->scale, top,
    builder->left + builder->room - builder->layout->way_x + UI_STEPS_BADGE * builder->scale,
    builder->y - top
  };
  g_array_append_val (builder->layout->rows, *row);
}

static void
add_mark (const UiStepsLayout *layout,
          GArray              *marks)
{
  const UiStepsMark mark = {
    layout->texts->len, layout->runs->len, layout->frames->len, layout->dials->len
  };

  g_array_append_val (marks, mark);
}

/* Steps for all tokens are a part of their own, behind the others. */
static int
get_part (const UiStepsScene *self,
          int                 step)
{
  gboolean has_all_rows;
  const int stage = ui_steps_find_stage (self->way, step, &has_all_rows);

  return has_all_rows ? ALL_TOKENS : (int) eng_way_get_stage (self->way, stage)->part;
}

/* The steps of the part that is looked at one by one, the other parts as a line each. marks (out):
 * of UiStepsMark. */
static void
lay_out_way (UiStepsBuilder *builder,
             GArray         *marks)
{
  const UiStepsScene *self = builder->self;
  UiStepsLayout *layout = builder->layout;
  const int n = ui_steps_count (self->way);
  const int here = get_part (self, self->place);
  const double left = builder->left, room = builder->room;
  const double indent = (2 * UI_STEPS_BADGE + BADGE_GAP) * builder->scale;
  int end;

  layout->way_x = left + UI_STEPS_BADGE * builder->scale;
  layout->left = builder->left = left + indent;
  layout->room = builder->room = room - indent;
  for (int first = 0; first < n; first = end) {
    const int part = get_part (self, first);
    const gboolean is_open = self->is_whole || part == here;
    UiStepsRow row = { .first = first, .is_part = !is_open };

    end = first + 1;
    while (!is_open && end < n && get_part (self, end) == part)
      end++;
    row.n = end - first;
    row.stage = ui_steps_find_stage (self->way, first, &row.has_all_rows);
    row.is_card = self->is_whole || first == self->place;
    add_mark (layout, marks);
    add_row (builder, &row);
  }
  add_mark (layout, marks);
  builder->left = left;
  builder->room = room;
}

/* In a window or at one step; else a sheet: *n_columns as of ui_steps_lay_out_sheet(). */
static void
lay_out (UiStepsScene *self,
         double        room,
         gboolean      is_sheet,
         int          *n_columns)
{
  const double scale = self->scene.options.text_scale;
  const double width = self->scene.options.width;
  UiStepsLayout *layout = &self->layout;
  g_autoptr (UiStepsBreaks) breaks = self->scene.options.screen > 0 ? ui_steps_breaks_new () : NULL;
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (UiStepsMark));
  UiStepsBuilder builder = {
    .self = self, .layout = layout, .breaks = breaks, .scale = scale, .room = room, .y = MARGIN * scale,
    .left = is_sheet ? MARGIN * scale : (width - room) / 2,
  };

  ui_steps_layout_init (layout);
  layout->scale = scale;
  layout->width = width;
  if (!is_sheet)
    ui_steps_lay_out_diagram (&builder);
  layout->diagram_height = builder.y;
  lay_out_way (&builder, marks);
  if (is_sheet)
    ui_steps_lay_out_sheet (&builder, marks, n_columns);
  layout->height = builder.y + MARGIN * scale;
  if (breaks != NULL) {
    const double height = round (self->scene.options.view_height / self->scene.options.zoom);

    self->screen = ui_steps_lay_out_screen (&builder, marks, height, &self->n_screens);
    layout->height = MAX (height, builder.y);
  }
}

/* Of columns that are as wide as was asked for the number is found that makes the best sheet; then
 * they are made somewhat wider or narrower, to make it a good one. */
void
ui_steps_lay_out (UiStepsScene *self)
{
  const double scale = self->scene.options.text_scale;
  const double room = MIN (self->scene.options.width - 2 * MARGIN * scale, MOST_ROOM * scale);
  const gboolean is_sheet = self->is_whole && self->scene.options.view_height <= 0;
  const UiStepsLayout *layout = &self->layout;
  int n_columns = 0;
  double better;

  lay_out (self, room, is_sheet, &n_columns);
  if (!is_sheet)
    return;
  better = room + (layout->height / UI_STEPS_SHEET - layout->width) / n_columns;
  ui_steps_layout_clear (&self->layout);
  lay_out (self, CLAMP (better, LEAST_COLUMN * room, MOST_COLUMN * room), TRUE, &n_columns);
}
