/* SPDX-License-Identifier: MIT */
/* The page beside the picture where heads are looked for, and the search over a text file: which
 * heads follow a pattern or link two words, and in which lines most. */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

#define APP_TYPE_SEARCH_PART (app_search_part_get_type ())
G_DECLARE_FINAL_TYPE (AppSearchPart, app_search_part, APP, SEARCH_PART, AppPart)

/* The file that is searched. */
void app_search_part_set_file (AppSearchPart *self,
                               const char    *path);

G_END_DECLS
