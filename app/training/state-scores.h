/* SPDX-License-Identifier: MIT */
/* What the heads of a training's kept states (kept.h) read in a person's sentence: computed state by
 * state in a thread that leaves the machine to others, and remembered for as long as the sentence is
 * the same. No GTK. Main thread; the callback arrives in the main context that it was made in. */
#pragma once

#include "app/training/toys.h"
#include "engine/trace/patterns.h"
#include "ui/document/document.h"

G_BEGIN_DECLS

typedef struct _AppStateScores AppStateScores;

/* Scores of a head: those of patterns.h by their numbers, and behind them induction.h's. */
#define APP_SCORE_INDUCTION ENG_N_PATTERNS
#define APP_N_SCORES (ENG_N_PATTERNS + 1)

typedef struct {
  gint64  step;
  int     n_layers; /* 0 where the state cannot read the sentence */
  int     n_heads;
  float  *scores;   /* [n_layers, n_heads, APP_N_SCORES]; NaN as patterns.h says */
  double  right;    /* of a toy the share of answers that are right, else NaN */
} AppStateScore;

/* What is asked for. */
typedef struct {
  const UiDocument *document; /* its texts and its kind, without its edits */
  const char       *folder;   /* of the training */
  const GArray     *kept;     /* gint64, steps */
  gint64            newest;   /* step of the folder itself, where it rests; -1 = it changes */
  AppToy            toy;      /* APP_N_TOYS = none */
} AppStateQuestion;

typedef void (*AppStateScoresFunc) (gpointer data);

/* func is called when there are more. */
AppStateScores  *app_state_scores_new  (AppStateScoresFunc      func,
                                        gpointer                data);
/* Waits for the state that is being read. */
void             app_state_scores_free (AppStateScores         *self);
void             app_state_scores_ask  (AppStateScores         *self,
                                        const AppStateQuestion *question);
/* Borrowed until the next change: of AppStateScore, those that are known, by their steps. */
const GPtrArray *app_state_scores_get  (AppStateScores         *self);

/* The highest score of a state's heads; NaN = none has one. */
float            app_state_score_find_best (const AppStateScore *score,
                                            int                  which);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppStateScores, app_state_scores_free)

G_END_DECLS
