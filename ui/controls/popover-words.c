/* SPDX-License-Identifier: MIT */
#include "ui/controls/popover-words.h"

void
ui_popover_words_fit (GtkPopover *popover)
{
  GtkWidget *child = gtk_popover_get_child (popover);
  int width, height;

  gtk_widget_set_size_request (child, -1, -1);
  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
  gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, width, NULL, &height, NULL, NULL);
  gtk_widget_set_size_request (child, -1, height);
}
