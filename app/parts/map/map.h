/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

#define APP_TYPE_MAP_PART (app_map_part_get_type ())
G_DECLARE_FINAL_TYPE (AppMapPart, app_map_part, APP, MAP_PART, AppPart)

G_END_DECLS
