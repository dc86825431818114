/* SPDX-License-Identifier: MIT */
/* Waiting that ends at once when it is cancelled. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* FALSE with APP_HUB_ERROR_CANCELLED when cancelled before or meanwhile. */
gboolean app_hub_wait (int            milliseconds,
                       GCancellable  *cancellable,
                       GError       **error);

G_END_DECLS
