/* SPDX-License-Identifier: MIT */
/* The numbers of the stages: which of very many are shown, and all of them as a table. */
#include "ui/scene/steps/steps-scene.h"

static int
compare_columns (gconstpointer a,
                 gconstpointer b)
{
  return *(const int *) a - *(const int *) b;
}

void
ui_steps_hide_order (const UiStepsScene *self,
                     int                *columns,
                     int                 n)
{
  if (self->scene.options.holds_back)
    qsort (columns, (gsize) n, sizeof *columns, compare_columns);
}

int
ui_steps_list_answers (const UiStepsScene *self,
                       int                 most,
                       int                *columns)
{
  EngTask task;
  int n, token;
  const EngCandidate *candidates = eng_way_get_candidates (self->way, &n, &task, &token);

  n = MIN (n, most);
  for (int i = 0; i < n; i++)
    columns[i] = candidates[i].index;
  ui_steps_hide_order (self, columns, n);
  return n;
}

const char *
ui_steps_find_answer (const UiStepsScene *self,
                      int                 column)
{
  EngTask task;
  int n, token;
  const EngCandidate *candidates = eng_way_get_candidates (self->way, &n, &task, &token);

  for (int i = 0; i < n; i++)
    if (candidates[i].index == column)
      return candidates[i].text;
  return NULL;
}

static void
append_value (GString *text,
              double   value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (buffer, sizeof buffer, "%.9g", value);
  g_string_append (text, ui_steps_is_hidden (value) ? "masked" : buffer);
}

/* A line a number, named by where it stands. */
static void
append_matrix (const UiStepsScene *self,
               const EngNumbers   *numbers,
               GString            *text)
{
  const char *stage = eng_way_get_stage (self->way, numbers->stage)->name;

  for (int row = 0; row < numbers->rows; row++) {
    g_autofree char *row_name = ui_steps_name_row (self, numbers, row);

    for (int column = 0; column < numbers->columns; column++) {
      g_autofree char *column_name = ui_steps_name_column (self, numbers, column);

      g_string_append_printf (text, "%d\t%s\t%s\t%s\t%s\t", numbers->stage, stage, numbers->name,
                              row_name, column_name);
      append_value (text, eng_numbers_get (numbers, row, column));
      g_string_append_c (text, '\n');
    }
  }
}

char *
ui_steps_numbers (const UiScene *scene)
{
  const UiStepsScene *self = (const UiStepsScene *) scene;
  GString *text = g_string_new ("step\tname\tnumbers\trow\tcolumn\tvalue\n");

  for (int i = 0; i < eng_way_get_n_numbers (self->way); i++) {
    const EngNumbers *numbers = eng_way_get_numbers (self->way, i);

    if (!numbers->is_weights && (self->is_whole || numbers->stage == self->step))
      append_matrix (self, numbers, text);
  }
  return g_string_free (text, FALSE);
}
