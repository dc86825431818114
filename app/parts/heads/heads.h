/* SPDX-License-Identifier: MIT */
/* Which layer and which heads: the pickers and the chips, and the controls that a view has. */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

#define APP_TYPE_HEADS_PART (app_heads_part_get_type ())
G_DECLARE_FINAL_TYPE (AppHeadsPart, app_heads_part, APP, HEADS_PART, AppPart)

G_END_DECLS
