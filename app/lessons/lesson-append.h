/* SPDX-License-Identifier: MIT */
/* Adds to a lesson's file what a window shows. Blocking; any thread. */
#pragma once

#include "app/lessons/lesson.h"

G_BEGIN_DECLS

/* Puts a section behind those of the file, or makes a file of a lesson with that section where none
 * is, all of it or nothing. heading and text are what a person typed, text may be empty; command:
 * what the state is, as ui_document_to_command() gives it; model: of a new lesson's header. Refuses
 * a file that is no lesson, which is left as it is, with NAME:LINE:COLUMN and one sentence. */
gboolean app_lesson_append (const char  *path,
                            const char  *heading,
                            const char  *text,
                            const char  *command,
                            const char  *model,
                            GError     **error);

G_END_DECLS
