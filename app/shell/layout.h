/* SPDX-License-Identifier: MIT */
/* What GTK 4.8 leaves undone when it lays a window out. Main thread. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* All that holds one of the widgets, up to the window, is laid out in (width, height): at the end
 * of the window's own size_allocate(). */
void app_layout_again (GtkWidget        *window,
                       GtkWidget *const *widgets,
                       gsize             n_widgets,
                       int               width,
                       int               height);

G_END_DECLS
