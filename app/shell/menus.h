/* SPDX-License-Identifier: MIT */
/* What the menus of header and toolbar hold. Main thread. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* (transfer full) recent: the submenu of what was opened last. */
GMenuModel *app_menus_new_main (GMenuModel *recent);
/* (transfer full) That of the toolbar; with what toolbar and header have no room for. */
GMenuModel *app_menus_new_more (gboolean    has_zoom,
                                gboolean    has_header);

G_END_DECLS
