/* SPDX-License-Identifier: MIT */
/* What a person chose where a lesson asks, and what is right. One thread. */
#pragma once

#include "app/teaching/evaluate.h"

G_BEGIN_DECLS

/* What of it counts the type of the question says. */
typedef struct {
  int    tokens[2]; /* of a token; of a cell the one that reads, the one that is read */
  int    layer;     /* of a head */
  int    head;
  double number;
  int    option;
} AppChoice;

typedef struct {
  gboolean  is_known; /* FALSE where the numbers for it are not on this computer */
  AppChoice choice;
  char     *text;     /* "“cat”", "“cat” (9) of sentence B", "3.11", "0.9153"; NULL where it is not known */
} AppSolution;

/* What is right; a pass may be made for it. *self is empty. */
void      app_solution_find      (AppSolution             *self,
                                const AppClaimContext *context,
                                const AppAsk          *ask);
/* By the lesson's tolerance; where it gives none, as many digits as are written suffice. */
gboolean  app_solution_is_right  (const AppSolution       *self,
                                const AppAsk          *ask,
                                const AppChoice       *choice);
void      app_solution_clear     (AppSolution             *self);
/* (transfer full) A choice in a line of the score sheet: "4", "4 9", "3.11", "0.5". */
char     *app_choice_to_text   (const AppChoice       *self,
                                AppAskType             type);
gboolean  app_choice_from_text (AppChoice             *self,
                                AppAskType             type,
                                const char            *text);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (AppSolution, app_solution_clear)

G_END_DECLS
