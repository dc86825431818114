/* SPDX-License-Identifier: MIT */
/* The sentences: two entries, examples, what is swapped, typed and marked. */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

#define APP_TYPE_TEXTS_PART (app_texts_part_get_type ())
G_DECLARE_FINAL_TYPE (AppTextsPart, app_texts_part, APP, TEXTS_PART, AppPart)

G_END_DECLS
