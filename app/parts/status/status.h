/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

#define APP_TYPE_STATUS_PART (app_status_part_get_type ())
G_DECLARE_FINAL_TYPE (AppStatusPart, app_status_part, APP, STATUS_PART, AppPart)

G_END_DECLS
