/* SPDX-License-Identifier: MIT */
/* What edits change in what the model predicts, beside the picture: the run with edits beside the
 * run without them (app/run/before.h). */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

#define APP_TYPE_CHANGES_PART (app_changes_part_get_type ())
G_DECLARE_FINAL_TYPE (AppChangesPart, app_changes_part, APP, CHANGES_PART, AppPart)

G_END_DECLS
