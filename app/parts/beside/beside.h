/* SPDX-License-Identifier: MIT */
/* What stands in the inspector beside the steps of a token: the same word elsewhere, the length of
 * its vector at every station, the answer by layer. */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

#define APP_TYPE_BESIDE_PART (app_beside_part_get_type ())
G_DECLARE_FINAL_TYPE (AppBesidePart, app_beside_part, APP, BESIDE_PART, AppPart)

G_END_DECLS
