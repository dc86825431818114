/* SPDX-License-Identifier: MIT */
/* The tree of the families that the engine knows, in a window of its own; each of its leaves opens a
 * model of its family: one of this computer, else a small one with random weights. */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

#define APP_TYPE_FAMILIES_PART (app_families_part_get_type ())
G_DECLARE_FINAL_TYPE (AppFamiliesPart, app_families_part, APP, FAMILIES_PART, AppPart)

G_END_DECLS
