/* SPDX-License-Identifier: MIT */
/* What a reader of one section needs: what its claims come to, and the answers of its questions.
 * Blocking; one thread. */
#pragma once

#include "app/teaching/solution.h"
#include "app/teaching/check.h"

G_BEGIN_DECLS

typedef struct {
  AppLessonCheck *check;
  GArray         *answers; /* of AppSolution, in the order of the questions */
  EngTrace       *trace;   /* of the section's state; NULL where it is not known */
  EngKind         kind;    /* that is shown of it */
} AppSectionCheck;

/* (transfer full) NULL where it was cancelled. */
AppSectionCheck *app_section_check_new  (AppRuns         *runs,
                                         const AppLesson *lesson,
                                         guint            section);
void             app_section_check_free (AppSectionCheck *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppSectionCheck, app_section_check_free)

G_END_DECLS
