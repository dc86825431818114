/* SPDX-License-Identifier: MIT */
/* A row of a number: what it is called, or whether it is set at all, and the number. Shows what holds
 * and changes nothing: ::changed says that a person chose. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Static. */
typedef struct {
  const char *field;     /* of the table of fields (ui/document/document.h) */
  const char *label;
  const char *tooltip;
  double      min;
  double      max;
  double      step;
  guint       n_digits;
  gboolean    has_check; /* it may be unset */
  double      begin;     /* the number when it is first set */
  const char *lacking;   /* why it may be useless; NULL where it never is */
} UiNumberSpec;

#define UI_TYPE_NUMBER_ROW (ui_number_row_get_type ())
G_DECLARE_FINAL_TYPE (UiNumberRow, ui_number_row, UI, NUMBER_ROW, GtkWidget)

/* numbers: of all rows that stand above each other, so that they are as wide. */
GtkWidget  *ui_number_row_new       (const UiNumberSpec *spec,
                                     GtkSizeGroup       *numbers);
/* value: what holds. is_set: it is a person's. is_useful: it would change something. */
void        ui_number_row_set       (UiNumberRow        *self,
                                     double              value,
                                     gboolean            is_set,
                                     gboolean            is_useful);
void        ui_number_row_set_max   (UiNumberRow        *self,
                                     double              max);
/* ::changed (void). The field and its text, "" where it is unset. (transfer full) */
const char *ui_number_row_get_field (UiNumberRow        *self);
char       *ui_number_row_dup_text  (UiNumberRow        *self);

G_END_DECLS
