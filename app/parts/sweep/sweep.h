/* SPDX-License-Identifier: MIT */
/* "Ablate each head": what every head does for a prediction, in a window of its own. */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

#define APP_TYPE_SWEEP_PART (app_sweep_part_get_type ())
G_DECLARE_FINAL_TYPE (AppSweepPart, app_sweep_part, APP, SWEEP_PART, AppPart)

G_END_DECLS
