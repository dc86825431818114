/* SPDX-License-Identifier: MIT */
/* Work that is done before a person notices needs no spinner. Main thread. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Turns a moment later, unless the work is done by then. */
void app_spinner_set_busy (GtkSpinner *spinner,
                           gboolean    is_busy);

G_END_DECLS
