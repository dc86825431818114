/* SPDX-License-Identifier: MIT */
/* Keys of a window that stands before another one. Main thread. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The application's keys hold in it, Ctrl+Q among them, and Ctrl+Shift+D, which is a key of the
 * window below, asks for no debugger of GTK's. It goes
 * with that window. dialog: transient for a window. */
void ui_dialog_share_keys (GtkWindow *dialog);

G_END_DECLS
