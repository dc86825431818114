/* SPDX-License-Identifier: MIT */
/* Which heads link two words. The words are pinned, clicked or chosen beside the picture; the list
 * follows the text, the measure and the kind of attention. */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

#define APP_TYPE_LINKS_PART (app_links_part_get_type ())
G_DECLARE_FINAL_TYPE (AppLinksPart, app_links_part, APP, LINKS_PART, AppPart)

G_END_DECLS
