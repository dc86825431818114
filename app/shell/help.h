/* SPDX-License-Identifier: MIT */
/* The last lines of the menu: help, the list of shortcuts, and what Headlight is. Main thread. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* window is an action map; what is opened stands over it. */
void app_help_add_actions (GtkWindow *window);

G_END_DECLS
