/* SPDX-License-Identifier: MIT */
/* What stands beside the picture, or in its place: inspector and table. */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

#define APP_TYPE_SIDE_PART (app_side_part_get_type ())
G_DECLARE_FINAL_TYPE (AppSidePart, app_side_part, APP, SIDE_PART, AppPart)

G_END_DECLS
