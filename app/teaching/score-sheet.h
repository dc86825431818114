/* SPDX-License-Identifier: MIT */
/* What a person has chosen in lessons and which of them are done: one small file on this computer,
 * sent nowhere. Main thread; it is written in a thread. */
#pragma once

#include "app/teaching/solution.h"

G_BEGIN_DECLS

typedef struct _AppScoreSheet AppScoreSheet;

/* What the file has; one that cannot be read counts as empty. */
AppScoreSheet *app_score_sheet_new        (const char          *path);
/* What was noted is written before it goes. */
void           app_score_sheet_free       (AppScoreSheet       *self);

/* (transfer full) What the sheet calls a lesson: its file's name where it is one of the program's,
 * else its path. A translation is the lesson that it translates. */
char          *app_score_sheet_name       (const char          *path);
/* What was chosen where a question of this file, whichever has its number now, was another one, is
 * forgotten: for when a lesson is opened or has changed. What an older program has noted without its
 * question, or was asked in another language, is kept by its number. */
void           app_score_sheet_forget_changed (AppScoreSheet   *self,
                                           const char          *lesson,
                                           const AppLesson     *file);
/* A question by its number in the lesson, from 0. FALSE = it was not answered. */
gboolean       app_score_sheet_get_choice (AppScoreSheet       *self,
                                           const char          *lesson,
                                           guint                question,
                                           AppAskType           type,
                                           AppChoice           *choice);
/* file: in whose words it was asked. */
void           app_score_sheet_set_choice (AppScoreSheet       *self,
                                           const char          *lesson,
                                           const AppLesson     *file,
                                           guint                question,
                                           const AppChoice     *choice,
                                           gboolean             is_right);
/* How many questions were answered, and of these how many rightly. */
void           app_score_sheet_count      (AppScoreSheet       *self,
                                           const char          *lesson,
                                           int                 *n_answered,
                                           int                 *n_right);
gboolean       app_score_sheet_is_done    (AppScoreSheet       *self,
                                           const char          *lesson);
void           app_score_sheet_set_done   (AppScoreSheet       *self,
                                           const char          *lesson);
gboolean       app_score_sheet_is_empty   (AppScoreSheet       *self);
/* Nothing was chosen, nothing is done; the file goes. */
void           app_score_sheet_clear      (AppScoreSheet       *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppScoreSheet, app_score_sheet_free)

G_END_DECLS
