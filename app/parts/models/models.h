/* SPDX-License-Identifier: MIT */
/* The model menu and everything that opens a model or a trace file. */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

#define APP_TYPE_MODELS_PART (app_models_part_get_type ())
G_DECLARE_FINAL_TYPE (AppModelsPart, app_models_part, APP, MODELS_PART, AppPart)

G_END_DECLS
