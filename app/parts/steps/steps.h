/* SPDX-License-Identifier: MIT */
/* The bar of the steps view: a step on and back, play, where on the way one is, all of it. */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

#define APP_TYPE_STEPS_PART (app_steps_part_get_type ())
G_DECLARE_FINAL_TYPE (AppStepsPart, app_steps_part, APP, STEPS_PART, AppPart)

G_END_DECLS
