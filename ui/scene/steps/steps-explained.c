/* SPDX-License-Identifier: MIT */
/* Where one number of a stage comes from, and whether it comes to the same when it is worked out
 * again. */
#include "ui/scene/sinks/text.h"
#include "ui/scene/steps/steps-builder.h"

/* At 100 % text. */
#define PADDING 10.0
#define LINE 20.0
#define LABEL_LINE 17.0
#define GAP 6.0
#define VALUE_WIDTH 66.0
#define MOST_LINES 4
#define MOST_SHOWN 6144 /* numbers, such as neurons; of a vocabulary only how many they are */
#define NAME_PART 0.62 /* of the width, for the name of a single number */

static double
find_source_full (const UiStepsScene *self,
                  const EngSource    *source)
{
  const EngNumbers *numbers = eng_way_get_numbers (self->way, source->numbers);
  double full = 0;

  for (int row = source->first_row; row < source->first_row + source->n_rows; row++)
    for (int i = 0; i < source->n_columns; i++) {
      const double value = eng_numbers_get (numbers, row, source->first_column + i);

      if (!ui_steps_is_hidden (value))
        full = MAX (full, ABS (value));
    }
  return full > 0 ? full : 1;
}

static char *
name_source (const UiStepsScene *self,
             int                 stage,
             const EngSource    *source)
{
  const EngNumbers *numbers = eng_way_get_numbers (self->way, source->numbers);
  g_autofree char *row = source->n_rows == 1 && numbers->rows > 1
                         ? ui_steps_name_row (self, numbers, source->first_row) : NULL;
  g_autofree char *column = source->n_columns == 1 && numbers->columns > 1
                            ? ui_steps_name_column (self, numbers, source->first_column) : NULL;
  GString *text = g_string_new (numbers->symbol != NULL ? numbers->symbol : numbers->name);

  if (row != NULL)
    g_string_append_printf (text, ", %s", row);
  if (column != NULL)
    g_string_append_printf (text, ", %s", column);
  if (!numbers->is_weights && numbers->stage != stage)
    g_string_append_printf (text, " (step %d)", numbers->stage);
  return g_string_free (text, FALSE);
}

static UiStepsText *
add_line (UiStepsBuilder *builder,
          char           *line,
          double          room,
          double          height,
          double          size)
{
  UiStepsText *text = ui_steps_add_text (builder, line, builder->left,
                                         builder->y + height / 2 * builder->scale, size);

  text->room = room;
  return text;
}

/* A single number stands beside its name, a row or a column of them below. */
static void
add_source (UiStepsBuilder  *builder,
            int              stage,
            const EngSource *source)
{
  const UiStepsScene *self = builder->self;
  const EngNumbers *numbers = eng_way_get_numbers (self->way, source->numbers);
  const int n = source->n_rows * source->n_columns;
  UiStepsRun run = {
    .numbers = source->numbers, .row = source->first_row, .column = source->first_column,
    .d_row = source->n_columns == 1 && n > 1, .d_column = source->n_columns > 1, .n = n,
    .full = find_source_full (self, source), .look = ui_steps_find_look (numbers),
    .is_source = TRUE,
  };
  const double scale = builder->scale;

  if ((source->n_rows > 1 && source->n_columns > 1) || n > MOST_SHOWN) {
    g_autofree char *name = name_source (self, stage, source);

    add_line (builder, n > MOST_SHOWN && source->n_rows == 1
                       ? g_strdup_printf ("%s: %d numbers", name, n)
                       : g_strdup_printf ("%s: %d × %d numbers", name, source->n_rows,
                                          source->n_columns),
              builder->room, LINE, UI_STEPS_LABEL_SIZE);
    builder->y += LINE * scale;
  } else if (n == 1) {
    add_line (builder, name_source (self, stage, source), builder->room * NAME_PART, LINE,
              UI_STEPS_LABEL_SIZE);
    ui_steps_place_run (builder, &run, builder->left + builder->room * NAME_PART + GAP * scale,
                        builder->y,
                        MIN (VALUE_WIDTH * scale, builder->room * (1 - NAME_PART) - GAP * scale),
                        MOST_LINES);
    builder->y += LINE * scale;
  } else {
    add_line (builder, name_source (self, stage, source), builder->room, LABEL_LINE,
              UI_STEPS_LABEL_SIZE);
    builder->y += LABEL_LINE * scale;
    ui_steps_add_vector (builder, &run);
  }
  builder->y += 2 * scale;
}

static void
add_check (UiStepsBuilder     *builder,
           const UiStepsPlace *place)
{
  gboolean agrees;
  g_autofree char *check = ui_steps_describe_check (builder->self, place, &agrees);

  if (check != NULL)
    ui_steps_add_paragraph (builder, check,
                            agrees ? UI_STEPS_COLOR_GOOD : UI_STEPS_COLOR_WARNING);
}

void
ui_steps_lay_out_explained (UiStepsBuilder *builder,
                            int             stage)
{
  const UiStepsScene *self = builder->self;
  const UiStepsPlace place = ui_steps_find_explained (self, stage);
  const double padding = PADDING * builder->scale;
  EngSource sources[ENG_MAX_SOURCES];
  g_autofree char *name = NULL;
  g_autofree char *value = NULL;
  g_autofree char *formula = NULL;
  g_autofree char *sentence = NULL;
  UiRect frame;
  int n;

  if (place.numbers < 0 || self->scene.options.holds_back)
    return;
  n = eng_way_get_sources (self->way, place.numbers, place.row, place.column, sources);
  ui_steps_add_break (builder);
  frame = (UiRect) { builder->left, builder->y, builder->room, 0 };
  builder->left += padding;
  builder->room -= 2 * padding;
  builder->y += padding;
  name = ui_steps_name_place (self, &place);
  value = ui_steps_write_exact (
    eng_numbers_get (eng_way_get_numbers (self->way, place.numbers), place.row, place.column));
  formula = eng_way_describe_formula (self->way, place.numbers, place.row);
  sentence = g_strdup_printf ("Where one number comes from: %s = %s", name, value);
  ui_steps_add_paragraph (builder, sentence, UI_STEPS_COLOR_TEXT);
  ui_steps_add_paragraph (builder, formula, UI_STEPS_COLOR_DIM);
  builder->y += GAP * builder->scale;
  for (int i = 0; i < n; i++) {
    ui_steps_add_inner_break (builder);
    add_source (builder, stage, &sources[i]);
  }
  add_check (builder, &place);
  builder->left -= padding;
  builder->room += 2 * padding;
  builder->y += padding;
  frame.height = builder->y - frame.y;
  g_array_append_val (builder->layout->frames, frame);
}
