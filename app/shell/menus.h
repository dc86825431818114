/* SPDX-License-Identifier: MIT */
/* What the menu of the header holds. Main thread. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* (transfer full) recent: the submenu of what was opened last. */
GMenuModel *app_menus_new_main (GMenuModel *recent);

G_END_DECLS
