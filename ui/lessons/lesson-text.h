/* SPDX-License-Identifier: MIT */
/* What a lesson says, a block a widget, as wide as there is room. Main thread. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef enum {
  UI_LESSON_HEADING,
  UI_LESSON_PARAGRAPH,
  UI_LESSON_ITEM,  /* of a list */
  UI_LESSON_CODE,  /* markup is plain text: lines stand as they are */
  UI_LESSON_TRY    /* what to do alone, on a card of its own */
} UiLessonStyle;

GtkWidget *ui_lesson_text_new (const char    *markup,
                               UiLessonStyle  style);

G_END_DECLS
