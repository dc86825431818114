/* SPDX-License-Identifier: MIT */
/* Actions of how large the picture is in the window: no matter of the document. */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

#define APP_TYPE_ZOOM_PART (app_zoom_part_get_type ())
G_DECLARE_FINAL_TYPE (AppZoomPart, app_zoom_part, APP, ZOOM_PART, AppPart)

G_END_DECLS
