/* SPDX-License-Identifier: MIT */
#include "ui/dialogs/dialog-label.h"

GtkWidget *
ui_dialog_label_new (const char        *css_class,
                     GtkAccessibleRole  role)
{
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL,
                                   "accessible-role", role,
                                   "wrap", TRUE,
                                   "wrap-mode", PANGO_WRAP_WORD_CHAR,
                                   "xalign", 0.0f,
                                   "selectable", TRUE,
                                   "focusable", FALSE,
                                   "max-width-chars", 50,
                                   NULL);

  gtk_widget_add_css_class (label, css_class);
  return label;
}
