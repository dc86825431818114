/* SPDX-License-Identifier: MIT */
/* Words that the vocabulary lacks: said while they are many. */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

#define APP_TYPE_UNKNOWN_PART (app_unknown_part_get_type ())
G_DECLARE_FINAL_TYPE (AppUnknownPart, app_unknown_part, APP, UNKNOWN_PART, AppPart)

G_END_DECLS
