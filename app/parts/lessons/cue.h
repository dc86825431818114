/* SPDX-License-Identifier: MIT */
/* A lesson before people, for who presents the window. The part emits "cue-changed" when what it
 * says is another. Strings are markup, (transfer full), NULL where no lesson is open. Main thread. */
#pragma once

#include "app/parts/lessons/lessons.h"

G_BEGIN_DECLS

/* While it is presented a lesson says one sentence in the place of the picture's, and its page stays
 * away. */
void      app_lessons_part_set_presented (AppLessonsPart *self,
                                          gboolean        is_presented);
/* On by one sentence (1), or back (-1). FALSE = no lesson is open. */
gboolean  app_lessons_part_go_by_cue     (AppLessonsPart *self,
                                          int             direction);
/* Whether the sentence of now is a question, whose answer the next key brings. */
gboolean  app_lessons_part_asks_by_cue   (AppLessonsPart *self);
/* What is said now, and what the next key brings; of the last NULL. */
char     *app_lessons_part_dup_now       (AppLessonsPart *self);
char     *app_lessons_part_dup_next      (AppLessonsPart *self);
/* "One score, taken apart, 2 of 3"; plain text */
char     *app_lessons_part_dup_place     (AppLessonsPart *self);
/* What the speaker has of the section: its notes in bold, then its text. */
char     *app_lessons_part_dup_notes     (AppLessonsPart *self);

G_END_DECLS
