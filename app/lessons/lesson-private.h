/* SPDX-License-Identifier: MIT */
/* How the reader makes a lesson. */
#pragma once

#include "app/lessons/lesson.h"

G_BEGIN_DECLS

AppLesson  *app_lesson_new         (const char    *path);
AppSection *app_lesson_add_section (AppLesson     *self,
                                    AppPlace       place,
                                    const char    *heading);
AppBlock   *app_section_add_block  (AppSection    *self,
                                    AppBlockType   type,
                                    AppPlace       place);
void        app_ask_free           (AppAsk        *self);
gboolean    app_ask_type_from_name (const char    *name,
                                    AppAskType    *type);

/* (transfer full) lines: the file's, without blanks at their ends; NULL-terminated. NULL where
 * anything is wrong, all of which is added to faults, in the order of the file. */
AppLesson  *app_lesson_read_lines  (const char    *path,
                                    char         **lines,
                                    GArray        *faults);
/* (transfer full) The document of the command line in a section's code block (lesson-state.c), a
 * line or several that end with "\". folder: of the lesson; model: where it names none. */
UiDocument *app_lesson_read_state  (const char    *text,
                                    AppPlace       place,
                                    const char    *folder,
                                    const char    *model,
                                    AppPlace      *fault,
                                    GError       **error);
/* (transfer full) What stands behind "answer:" (lesson-ask.c). */
gboolean    app_ask_read_answer    (AppAsk        *self,
                                    const char    *text,
                                    AppPlace       place,
                                    AppPlace      *fault,
                                    GError       **error);
/* (transfer full) What stands behind "ask:". */
AppAsk     *app_ask_read           (const char    *text,
                                    AppPlace       place,
                                    AppPlace      *fault,
                                    GError       **error);
/* (transfer full) What a line of text was probably meant as, one sentence (lesson-meant.c): it begins
 * with a word of the grammar, but not as that is written. NULL = it is text. unanswered: the
 * question whose answer is to come, nullable; keyword: that word. */
char       *app_lesson_find_meant  (const char    *line,
                                    const AppAsk  *unanswered,
                                    const char   **keyword);
/* Whether a lesson is another one but for its words (lesson-same.c); else one sentence, and where in
 * *fault. */
gboolean    app_lesson_is_same     (const AppLesson  *self,
                                    const AppLesson  *original,
                                    AppPlace         *fault,
                                    GError          **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppAsk, app_ask_free)

G_END_DECLS
