/* SPDX-License-Identifier: MIT */
#include "ui/scene/matrix/matrix-scene.h"

#include <math.h>
#include <string.h>

#include "ui/scene/base/describe.h"
#include "ui/scene/base/layer-words.h"
#include "ui/scene/base/plain-words.h"
#include "ui/scene/numbers/mask.h"

/* "3 rows", "1 column"; nothing for none. */
static void
append_count (int         n,
              const char *noun,
              GString    *text)
{
  const char *joint = g_str_has_suffix (text->str, ":") ? " " : " and ";

  if (n > 0)
    g_string_append_printf (text, "%s%d %s%s", joint, n, noun, n == 1 ? "" : "s");
}

/* What filter, hidden template tokens and padding leave nothing of has no place in the drawing. */
static void
append_left_out (const UiMatrixScene *self,
                 GString             *text)
{
  int rows = self->scene.queries->n - self->layout.axes[UI_AXIS_ROWS].n;
  int columns = self->scene.keys->n - self->layout.axes[UI_AXIS_COLUMNS].n;
  g_autoptr (GString) list = g_string_new (" Taken out:");

  if (rows + columns == 0)
    return;
  append_count (rows, "row", list);
  append_count (columns, "column", list);
  g_string_append_printf (text, "%s.", list->str);
}

static void
append_mask (const UiScene *scene,
             GString       *text)
{
  g_autofree char *mask = ui_mask_describe (scene->attention);

  ui_layer_append_reach (scene, text);
  if (mask != NULL)
    g_string_append_printf (text, " Hatched: masked, %s.", mask);
  else if (ui_mask_is_missing (scene->attention))
    g_string_append (text, " No token reads a later one: these weights are exactly 0, and the trace"
                           " holds no mask that says why.");
}

static gboolean
has_cut (const UiMatrixScene *self)
{
  const gsize n = (gsize) self->layout.axes[UI_AXIS_ROWS].n
                  * (gsize) self->layout.axes[UI_AXIS_COLUMNS].n;

  return memchr (self->states, UI_CELL_CUT, n) != NULL;
}

char *
ui_matrix_explain (const UiScene *scene)
{
  g_autofree char *cells = ui_plain_explain_cells (scene);

  return g_strconcat (cells, has_cut ((const UiMatrixScene *) scene) ? " Hatched: cut by an edit."
                                                                    : "", NULL);
}

char *
ui_matrix_describe_axis (const UiScene *scene,
                         UiAxis         axis)
{
  gboolean key = axis == UI_AXIS_COLUMNS;

  return g_strconcat (ui_describe_heading (scene, key), key ? " →" : " ↓", NULL);
}

char *
ui_matrix_describe_scale (const UiMatrixScene *self)
{
  double factor = self->scene.weights.gain;
  char gain[G_ASCII_DTOSTR_BUF_SIZE];

  if (factor == 1)
    return g_strdup (self->unit);
  g_ascii_formatd (gain, sizeof gain, "%.3g", factor);
  return g_strdup_printf ("%s, shown × %s", self->unit, gain);
}

/* What a scale of so little would show as nought has one more. */
int
ui_matrix_count_decimals (const UiMatrixScene *self)
{
  return self->scene.weights.block.unit < 0.0995 ? 3 : 2;
}

char *
ui_matrix_format_cell (const UiMatrixScene *self,
                       double               value)
{
  const char *sign = !self->is_signed ? "" : value < 0 ? "−" : "+";
  double amount = fabs (value);
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (amount >= 9.95)
    g_ascii_formatd (buffer, sizeof buffer, "%.0f", amount);
  else if (amount >= 0.995)
    g_ascii_formatd (buffer, sizeof buffer, "%.1f", amount);
  else
    g_ascii_formatd (buffer, sizeof buffer,
                     ui_matrix_count_decimals (self) > 2 ? "%.3f" : "%.2f", amount);
  /* Less than the last decimal is neither more nor less. */
  if (self->is_signed && strpbrk (buffer, "123456789") == NULL)
    return g_strdup ("0");
  if (g_str_has_suffix (buffer, ".0"))
    buffer[strlen (buffer) - 2] = '\0';
  /* The nought before a point would say nothing and take the room of a digit. */
  return g_strconcat (sign, buffer + (buffer[0] == '0' && buffer[1] == '.'), NULL);
}

char *
ui_matrix_legend (const UiScene *scene)
{
  const UiMatrixScene *self = (const UiMatrixScene *) scene;
  GString *text = g_string_new (NULL);

  ui_describe_append_measure (scene, text);
  ui_describe_append_row_sums (scene, text);
  ui_describe_append_opacity (scene, text);
  g_string_append_c (text, '.');
  ui_describe_append_left_out (scene, "Cells", text);
  append_left_out (self, text);
  append_mask (scene, text);
  if (has_cut (self))
    g_string_append (text, " Hatched in the colour of the scale: cut by an edit, exactly 0.");
  g_string_append (text, self->note == UI_NOTE_BITS ? " Right: entropy of each row in bits"
                                                    : " Right: the sum of each row");
  g_string_append (text, "; below: sums of columns.");
  return g_strchug (g_string_free (text, FALSE));
}

void
ui_matrix_append_number (double   value,
                         GString *text)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (buffer, sizeof buffer, "%.7g", value);
  g_string_append_printf (text, "\t%s", buffer);
}

static void
append_number_row (const UiMatrixScene *self,
                   int                  row,
                   GString             *text)
{
  const UiMatrixLabel *label = &self->layout.axes[UI_AXIS_ROWS].labels[row];

  g_string_append_printf (text, "%d\t%s",
                          eng_tokens_get_number (self->scene.queries, label->row), label->text);
  for (int column = 0; column < self->layout.axes[UI_AXIS_COLUMNS].n; column++) {
    if (ui_matrix_get_state (self, row, column) == UI_CELL_MASKED)
      g_string_append (text, "\tmasked");
    else
      ui_matrix_append_number (ui_matrix_get_value (self, row, column), text);
  }
  ui_matrix_append_number (self->row_notes[row], text);
  g_string_append_c (text, '\n');
}

char *
ui_matrix_numbers (const UiScene *scene)
{
  const UiMatrixScene *self = (const UiMatrixScene *) scene;
  const UiMatrixAxisLayout *columns = &self->layout.axes[UI_AXIS_COLUMNS];
  g_autofree char *heading = ui_describe_column (scene);
  GString *text = g_string_new (heading);

  g_string_append (text, "\tis read");
  for (int column = 0; column < columns->n; column++)
    g_string_append_printf (text, "\t%d",
                            eng_tokens_get_number (scene->keys, columns->labels[column].row));
  g_string_append (text, "\t\nreads\ttoken");
  for (int column = 0; column < columns->n; column++)
    g_string_append_printf (text, "\t%s", columns->labels[column].text);
  g_string_append_printf (text, "\t%s\n",
                          self->note == UI_NOTE_BITS ? "entropy (bits)" : "row sum");
  for (int row = 0; row < self->layout.axes[UI_AXIS_ROWS].n; row++)
    append_number_row (self, row, text);
  g_string_append (text, "\tcolumn sum");
  for (int column = 0; column < columns->n; column++)
    ui_matrix_append_number (self->column_sums[column], text);
  g_string_append (text, "\t\n");
  return g_string_free (text, FALSE);
}
