/* SPDX-License-Identifier: MIT */
/* A label whose text changes while the pointer moves. A GtkLabel lays the whole window out anew
 * with every text, and asks the X server about monitors as it does; this one keeps its place, is
 * drawn anew, and grows only when a text needs more lines than any before it. Wraps at words. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define UI_TYPE_STEADY_LABEL (ui_steady_label_get_type ())
G_DECLARE_FINAL_TYPE (UiSteadyLabel, ui_steady_label, UI, STEADY_LABEL, GtkWidget)

/* css_class: nullable. */
GtkWidget  *ui_steady_label_new       (const char    *css_class);

void        ui_steady_label_set_text  (UiSteadyLabel *self,
                                       const char    *text);
/* The same, and frees text. */
void        ui_steady_label_take_text (UiSteadyLabel *self,
                                       char          *text);
const char *ui_steady_label_get_text  (UiSteadyLabel *self);

G_END_DECLS
