/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

#define APP_TYPE_SHOW_PART (app_show_part_get_type ())
G_DECLARE_FINAL_TYPE (AppShowPart, app_show_part, APP, SHOW_PART, AppPart)

G_END_DECLS
