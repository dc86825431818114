/* SPDX-License-Identifier: MIT */
/* Interventions: what is done to the model, and the chips of what was done. An edit is a part of
 * the document like any other choice. The second side of a comparison has the edits of the first
 * until it is given its own, by the actions that begin with "second-". */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

#define APP_TYPE_EDITS_PART (app_edits_part_get_type ())
G_DECLARE_FINAL_TYPE (AppEditsPart, app_edits_part, APP, EDITS_PART, AppPart)

G_END_DECLS
