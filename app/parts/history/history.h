/* SPDX-License-Identifier: MIT */
/* Undo and redo of everything, back and forward between the places that were looked at. */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

#define APP_TYPE_HISTORY_PART (app_history_part_get_type ())
G_DECLARE_FINAL_TYPE (AppHistoryPart, app_history_part, APP, HISTORY_PART, AppPart)

G_END_DECLS
