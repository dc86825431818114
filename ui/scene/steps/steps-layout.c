/* SPDX-License-Identifier: MIT */
#include "ui/scene/steps/steps-layout.h"

#include "ui/scene/sinks/text.h"

static void
clear_text (gpointer text)
{
  g_free (((UiStepsText *) text)->text);
}

static void
clear_box (gpointer box)
{
  g_free (((UiStepsBox *) box)->shape);
}

void
ui_steps_layout_init (UiStepsLayout *self)
{
  self->rows = g_array_new (FALSE, FALSE, sizeof (UiStepsRow));
  self->texts = g_array_new (FALSE, FALSE, sizeof (UiStepsText));
  self->runs = g_array_new (FALSE, FALSE, sizeof (UiStepsRun));
  self->boxes = g_array_new (FALSE, FALSE, sizeof (UiStepsBox));
  self->forks = g_array_new (FALSE, FALSE, sizeof (UiStepsFork));
  self->frames = g_array_new (FALSE, FALSE, sizeof (UiRect));
  self->dials = g_array_new (FALSE, FALSE, sizeof (UiStepsDial));
  g_array_set_clear_func (self->texts, clear_text);
  g_array_set_clear_func (self->boxes, clear_box);
}

void
ui_steps_layout_clear (UiStepsLayout *self)
{
  g_array_unref (self->rows);
  g_array_unref (self->texts);
  g_array_unref (self->runs);
  g_array_unref (self->boxes);
  g_array_unref (self->forks);
  g_array_unref (self->frames);
  g_array_unref (self->dials);
}

UiRect
ui_steps_run_get_cell (const UiStepsRun *self,
                       int               index)
{
  return (UiRect) {
    self->x + index % self->per_line * self->cell_width,
    self->y + index / self->per_line * self->cell_height,
    self->cell_width, self->cell_height
  };
}

UiRect
ui_steps_run_get_rect (const UiStepsRun *self)
{
  const int n_lines = (self->n + self->per_line - 1) / self->per_line;

  return (UiRect) {
    self->x, self->y, self->per_line * self->cell_width, n_lines * self->cell_height
  };
}

int
ui_steps_run_find (const UiStepsRun *self,
                   double            x,
                   double            y)
{
  const UiRect rect = ui_steps_run_get_rect (self);
  int index;

  if (x < rect.x || y < rect.y || x >= rect.x + rect.width || y >= rect.y + rect.height)
    return -1;
  index = (int) ((y - rect.y) / self->cell_height) * self->per_line
          + MIN ((int) ((x - rect.x) / self->cell_width), self->per_line - 1);
  return index < self->n ? index : -1;
}

int
ui_steps_run_find_place (const UiStepsRun *self,
                         int               row,
                         int               column)
{
  const int index = self->d_row != 0 ? (row - self->row) / self->d_row
                    : self->d_column != 0 ? (column - self->column) / self->d_column : 0;

  return index >= 0 && index < self->n && row == self->row + index * self->d_row
         && column == self->column + index * self->d_column ? index : -1;
}

UiRect
ui_steps_text_get_rect (const UiStepsText *self)
{
  const UiTextStyle style = { .size = self->size, .bold = self->bold, .max_width = self->room };
  const double measured = ui_text_measure (self->text, &style);
  const double width = self->room > 0 ? MIN (measured, self->room) : measured;
  const double left = self->align == UI_ALIGN_LEFT ? self->x
                      : self->align == UI_ALIGN_RIGHT ? self->x - width : self->x - width / 2;

  return (UiRect) { left, self->y - self->size * 0.6, width, self->size * 1.2 };
}
