/* SPDX-License-Identifier: MIT */
/* Popovers of words that wrap. Main thread. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* To be called when its words change, not while it opens: GTK 4.8 asks the child of a popover how
 * high it is for a width that it does not get, and cuts its last line. */
void ui_popover_words_fit (GtkPopover *popover);

G_END_DECLS
