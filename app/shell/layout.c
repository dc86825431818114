/* SPDX-License-Identifier: MIT */
#include "app/shell/layout.h"

/* A scrollbar that comes or goes asks for a layout, and GTK 4.8 forgets that of widgets which it
 * only passes through while it lays the window out. It then warns and leaves the window undrawn. */
void
app_layout_again (GtkWidget        *window,
                  GtkWidget *const *widgets,
                  gsize             n_widgets,
                  int               width,
                  int               height)
{
  GtkWidget *content = NULL;

  for (gsize i = 0; i < n_widgets; i++)
    for (GtkWidget *part = widgets[i]; part != window; part = gtk_widget_get_parent (part)) {
      gtk_widget_queue_allocate (part);
      content = part;
    }
  gtk_widget_measure (content, GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL, NULL);
  gtk_widget_allocate (content, width, height, -1, NULL);
}
