/* SPDX-License-Identifier: MIT */
/* What a person aims at, in the picture or in a row of the inspector: its menu, and ways on from it:
 * its head alone, the same link in the neuron view, its tokens. */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

#define APP_TYPE_AIM_PART (app_aim_part_get_type ())
G_DECLARE_FINAL_TYPE (AppAimPart, app_aim_part, APP, AIM_PART, AppPart)

G_END_DECLS
