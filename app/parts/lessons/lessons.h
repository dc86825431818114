/* SPDX-License-Identifier: MIT */
/* Lessons beside the picture: the list of those that come with the program, and the one that is
 * open: its text, its questions, its claims computed, and the window in the state of its section.
 * What a person had before comes back when the lesson is left. The tour is one whose sections point
 * at parts of the window. */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

#define APP_TYPE_LESSONS_PART (app_lessons_part_get_type ())
G_DECLARE_FINAL_TYPE (AppLessonsPart, app_lessons_part, APP, LESSONS_PART, AppPart)

/* The window is about to close: what a person had before is the document again. */
void     app_lessons_part_leave_for_good (AppLessonsPart *self);

G_END_DECLS
