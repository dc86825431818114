/* SPDX-License-Identifier: MIT */
/* What is pinned: the last that a click in the picture and Escape are meant for. */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

#define APP_TYPE_PINS_PART (app_pins_part_get_type ())
G_DECLARE_FINAL_TYPE (AppPinsPart, app_pins_part, APP, PINS_PART, AppPart)

G_END_DECLS
