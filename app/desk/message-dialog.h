/* SPDX-License-Identifier: MIT */
/* A question in front of a window. Main thread. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* An AdwMessageDialog whose heading fits into it at any width. */
GtkWidget *app_message_dialog_new (GtkWindow  *parent,
                                   const char *heading);

G_END_DECLS
