/* SPDX-License-Identifier: MIT */
/* A lesson on paper: first the side with text, pictures and questions, then that with the answers
 * and what the claims come to. Blocking; one thread. */
#pragma once

#include "app/teaching/check.h"
#include "ui/scene/export/pages.h"

G_BEGIN_DECLS

/* (transfer full) The PDF. check: of that lesson, by runs, which nothing was begun in since. n_pages
 * is nullable. */
GBytes *app_hand_out_new (AppRuns              *runs,
                          const AppLesson      *lesson,
                          const AppLessonCheck *check,
                          UiPaper               paper,
                          int                  *n_pages,
                          GError              **error);

G_END_DECLS
