/* SPDX-License-Identifier: MIT */
/* Where the keys of a window go. What had the focus may be gone, and GTK 4.8 leaves it in menus
 * that have closed: keys are then heard by nobody. It goes back to where it was, if that is an entry or
 * was reached by the keyboard, and to the picture otherwise. A click on what takes no focus by it,
 * as a view's tab, gives it to the picture. Main thread. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct _AppFocus AppFocus;

/* picture: of the window; beside, which holds it, is looked in while it is out of sight. Free it
 * before the window. */
AppFocus *app_focus_new  (GtkWindow *window,
                          GtkWidget *picture,
                          GtkWidget *beside);
void      app_focus_free (AppFocus  *self);

G_END_DECLS
