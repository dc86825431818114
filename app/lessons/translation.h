/* SPDX-License-Identifier: MIT */
/* Lessons in other languages: NAME.de.md, or NAME.pt_BR.md, lies beside NAME.md. Any thread. */
#pragma once

#include "app/lessons/lesson.h"

G_BEGIN_DECLS

/* Whether a lesson's file is a translation by its name. */
gboolean  app_lesson_is_translation   (const char *path);
/* (transfer full) The lesson that it translates, where that file is there, else itself. */
char     *app_lesson_find_original    (const char *path);
/* (transfer full) The translation into the first of the person's languages that one is there for;
 * the file itself where it is in that language, there is none, or it is a translation. */
char     *app_lesson_find_translation (const char *path);
/* (transfer full) The files beside it that translate it, of char *, sorted. */
GPtrArray *app_lesson_list_translations (const char *path);
/* FALSE where a translation differs from the lesson beside it in more than its words: its sections,
 * states, questions, answers and claims are the same. With one sentence, and where in *fault.
 * Nothing is compared with a lesson that is not there or cannot be read. */
gboolean  app_lesson_check_translation (const AppLesson  *self,
                                        AppPlace         *fault,
                                        GError          **error);

G_END_DECLS
