/* SPDX-License-Identifier: MIT */
/* Ways on, at the end of the inspector: where nothing is pinned how a person may start, for as long
 * as that is news; beside what is pinned at most three next steps. */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

#define APP_TYPE_WAYS_PART (app_ways_part_get_type ())
G_DECLARE_FINAL_TYPE (AppWaysPart, app_ways_part, APP, WAYS_PART, AppPart)

G_END_DECLS
