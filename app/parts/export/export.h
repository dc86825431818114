/* SPDX-License-Identifier: MIT */
/* Figures and numbers out of the window. Files and pictures are made in a thread; the program stays
 * until they are done, even when the window closes meanwhile. */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

#define APP_TYPE_EXPORT_PART (app_export_part_get_type ())
G_DECLARE_FINAL_TYPE (AppExportPart, app_export_part, APP, EXPORT_PART, AppPart)

G_END_DECLS
