/* SPDX-License-Identifier: MIT */
/* Answers of the task heads, listed in the inspector. */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

#define APP_TYPE_PREDICTIONS_PART (app_predictions_part_get_type ())
G_DECLARE_FINAL_TYPE (AppPredictionsPart, app_predictions_part, APP, PREDICTIONS_PART, AppPart)

G_END_DECLS
