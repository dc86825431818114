/* SPDX-License-Identifier: MIT */
/* What is compared: the choice, the model of the second side, and the bar that says what that side
 * is. */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

#define APP_TYPE_COMPARE_PART (app_compare_part_get_type ())
G_DECLARE_FINAL_TYPE (AppComparePart, app_compare_part, APP, COMPARE_PART, AppPart)

G_END_DECLS
