/* SPDX-License-Identifier: MIT */
/* What stands in the place of the picture where the trace has not what the view is about: the neuron
 * view of a file without queries and keys. */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

#define APP_TYPE_LACKING_PART (app_lacking_part_get_type ())
G_DECLARE_FINAL_TYPE (AppLackingPart, app_lacking_part, APP, LACKING_PART, AppPart)

G_END_DECLS
