/* SPDX-License-Identifier: MIT */
/* What could not be opened: why, and what is shown instead, until a person has read it or something
 * else opens. */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

#define APP_TYPE_OPENING_PART (app_opening_part_get_type ())
G_DECLARE_FINAL_TYPE (AppOpeningPart, app_opening_part, APP, OPENING_PART, AppPart)

G_END_DECLS
