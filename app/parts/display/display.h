/* SPDX-License-Identifier: MIT */
/* What is drawn of attention: the popover of the window, and what of it the trace has. */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

#define APP_TYPE_DISPLAY_PART (app_display_part_get_type ())
G_DECLARE_FINAL_TYPE (AppDisplayPart, app_display_part, APP, DISPLAY_PART, AppPart)

G_END_DECLS
