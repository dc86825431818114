/* SPDX-License-Identifier: MIT */
/* The bar of a model that writes: what it wrote, play and pause, and what becomes of the text. */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

#define APP_TYPE_WRITING_PART (app_writing_part_get_type ())
G_DECLARE_FINAL_TYPE (AppWritingPart, app_writing_part, APP, WRITING_PART, AppPart)

G_END_DECLS
