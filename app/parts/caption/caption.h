/* SPDX-License-Identifier: MIT */
/* The sentence above the picture. Main thread. */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

#define APP_TYPE_CAPTION_PART (app_caption_part_get_type ())
G_DECLARE_FINAL_TYPE (AppCaptionPart, app_caption_part, APP, CAPTION_PART, AppPart)

/* As ui_sentence_line_set_large(); a lesson's sentence is whole then. */
void app_caption_part_set_large (AppCaptionPart *self,
                                 int             size,
                                 int             most);

G_END_DECLS
