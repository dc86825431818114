/* SPDX-License-Identifier: MIT */
/* What the window looks like: light or dark, high contrast. Where nothing is chosen the desktop says
 * it; that of controls, and the size of text, it says always. Main thread. */
#pragma once

#include "app/shell/parts.h"

G_BEGIN_DECLS

#define APP_TYPE_APPEARANCE (app_appearance_get_type ())
G_DECLARE_FINAL_TYPE (AppAppearance, app_appearance, APP, APPEARANCE, GObject)

/* desk and parts are borrowed and outlive it. From now on colours follow the desktop and the
 * actions of the menu. */
AppAppearance *app_appearance_new (AppDesk  *desk,
                                   AppParts *parts);

G_END_DECLS
