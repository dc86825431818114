/* SPDX-License-Identifier: MIT */
/* The model view in the window: selecting, opening and collecting heads, and their order. */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

#define APP_TYPE_MODEL_VIEW_PART (app_model_view_part_get_type ())
G_DECLARE_FINAL_TYPE (AppModelViewPart, app_model_view_part, APP, MODEL_VIEW_PART, AppPart)

G_END_DECLS
