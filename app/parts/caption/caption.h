/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

#define APP_TYPE_CAPTION_PART (app_caption_part_get_type ())
G_DECLARE_FINAL_TYPE (AppCaptionPart, app_caption_part, APP, CAPTION_PART, AppPart)

G_END_DECLS
