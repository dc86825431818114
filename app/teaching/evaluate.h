/* SPDX-License-Identifier: MIT */
/* What the expression of a claim is, computed from the trace and the task heads by the functions
 * that the window's numbers come from. Blocking; one thread. */
#pragma once

#include "app/teaching/runs.h"

G_BEGIN_DECLS

typedef struct {
  AppRuns         *runs;
  const AppLesson *lesson;
  guint            section;
  AppPlace        *fault;  /* where it was refused */
} AppClaimContext;

/* One number. FALSE with one sentence: APP_LESSON_ERROR_LACKING where the numbers for it are not on
 * this computer, else it names what is not there. */
gboolean app_evaluate_claim  (const AppClaimContext *self,
                              const AppExpression   *expression,
                              double                *value,
                              GError               **error);
/* Whether the answer of a question is there: a token of the text, a head of the model. Of a number
 * it is computed. */
gboolean app_evaluate_answer (const AppClaimContext *self,
                              const AppAsk          *ask,
                              double                *number,
                              GError               **error);
/* The token of the section's state that an answer names: its number and, transfer full, its text
 * and, nullable, its name, "“cat”", or "“cat” (9) of sentence B" where another is spelled alike. is_key:
 * it is read. */
gboolean app_evaluate_token  (const AppClaimContext *self,
                              const AppTokens       *token,
                              gboolean               is_key,
                              int                   *index,
                              char                 **text,
                              char                 **name,
                              GError               **error);

G_END_DECLS
