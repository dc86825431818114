/* SPDX-License-Identifier: MIT */
/* What edits change in the answers of a model: the run of a text with them beside the run without
 * them. A token of one run is that of the other which came from the same place of the typed text;
 * where edits moved tokens about and nothing says where they came from, nothing is compared.
 *
 * Compared are masked words, the next token, sentence pairs, text classes (but for a regression,
 * which has no probabilities), the tags of tokens and which of them were replaced; an answer that is
 * a part of the text is no choice among classes. */
#pragma once

#include "engine/predict/prediction-change.h"
#include "engine/trace/trace.h"
#include "engine/transformer/model.h"

G_BEGIN_DECLS

typedef struct {
  char              *name; /* token or label */
  EngPredictionMove  move;
} EngTaskMove;

/* Of one place: a masked word, the end of the text, a token, or (position -1) the whole text. */
typedef struct {
  EngTask  task;
  int      position;   /* in the run with edits */
  double   divergence; /* KL (before ‖ after) in bits */
  GArray  *moves;      /* of EngTaskMove, by rank before */
} EngTaskChange;

/* ‖h after − h before‖ / ‖h before‖ of a token's last hidden state. */
typedef struct {
  int    token;        /* in the run with edits */
  double change;
} EngTokenChange;

/* (transfer full) k: classes to follow, those that are among the best k before or after. Of tags
 * and of replaced tokens only those whose answer is another. Array of EngTaskChange, empty where
 * there is nothing to compare. */
GArray *eng_task_changes_list   (const EngModel *model,
                                 EngTrace       *before,
                                 EngTrace       *after,
                                 int             k);
/* (transfer full) Of every token of a stack (encoder or decoder) that both runs have, in the order
 * of the text; array of EngTokenChange. */
GArray *eng_token_changes_list  (EngTrace       *before,
                                 EngTrace       *after,
                                 EngKind         kind);

G_END_DECLS
