/* SPDX-License-Identifier: MIT */
/* Whether what a lesson says is true. Blocking; one thread. */
#pragma once

#include "app/teaching/runs.h"

G_BEGIN_DECLS

typedef enum { APP_VERDICT_TRUE, APP_VERDICT_FALSE, APP_VERDICT_SKIPPED } AppVerdict;

typedef struct {
  /* borrowed: a claim, or a question whose answer is not there; NULL = the section's state */
  const AppBlock *block;
  AppVerdict      verdict;
  double          value;   /* NAN where it could not be computed */
  AppPlace        place;   /* of the claim, or what in it is wrong */
  /* one sentence; NULL where it is true */
  char           *reason;
} AppFinding;

typedef struct {
  GArray *findings;        /* of AppFinding, in the order of the file */
  int     n_claims;
  int     n_false;
  int     n_skipped;
  int     n_faults;        /* states that cannot be shown, answers that are not there */
  GPtrArray *unsupported;  /* of const AppAsk *, borrowed: no claim stands behind their answers */
} AppLessonCheck;

/* Before each section. */
typedef void (*AppCheckFunc) (guint    section,
                              guint    n_sections,
                              gpointer data);

/* (transfer full) Every claim, computed but where its state cannot be shown; of the questions those
 * whose answer is wrong. progress is nullable. NULL where it was cancelled. */
AppLessonCheck *app_lesson_check         (AppRuns         *runs,
                                          const AppLesson *lesson,
                                          AppCheckFunc     progress,
                                          gpointer         data);
/* The same of one section. */
AppLessonCheck *app_lesson_check_section (AppRuns         *runs,
                                          const AppLesson *lesson,
                                          guint            section);
void            app_lesson_check_free    (AppLessonCheck  *self);
const char     *app_verdict_get_name     (AppVerdict       verdict); /* "true" */
/* (transfer full) "0.9153", with a point in every locale; "–" of NAN */
char           *app_lesson_format_value  (double           value);
/* The same of an answer, with one digit more than what is counted as right tells apart; tolerance 0 =
 * all. */
char           *app_lesson_format_answer (double           value,
                                          double           tolerance);
/* (transfer full) The same of a finding; of a false claim with so many digits that it is seen to be. */
char           *app_finding_format_value (const AppFinding *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppLessonCheck, app_lesson_check_free)

G_END_DECLS
