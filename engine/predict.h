/* SPDX-License-Identifier: MIT */
/* Answers from the logits of a trace: what a task head says, in words and probabilities, the same
 * as transformers' pipelines give. The trace must have been run with the task's bit set. */
#pragma once

#include "engine/model.h"

G_BEGIN_DECLS

/* One line of an answer. Which members are used: fill-mask token, id, position, probability
 * (grouped by position, best first); next-sentence and text-classification label, probability;
 * entities label (the entity), token (the word), start, end, probability; question-answering token
 * (the answer), start, end, probability. */
typedef struct {
  int     position;    /* token index */
  int     id;
  char   *token;
  char   *label;
  int     start;       /* code points of the typed text (of the context for question-answering) */
  int     end;
  double  probability; /* of a regression the number itself */
} EngPrediction;

void       eng_prediction_clear (EngPrediction *self);

/* (transfer full) Array of EngPrediction with eng_prediction_clear() as its clear function:
 * n_candidates for each mask, one line for each class, one for each entity, at most one answer. */
GArray    *eng_predict          (const EngModel *model,
                                 EngTrace       *trace,
                                 EngTask         task,
                                 int             n_candidates,
                                 GError        **error);

/* The head used when none is named: fill-mask if the text has a mask token and the model the head,
 * else the first other head that there is. FALSE when the model has none. */
gboolean   eng_predict_find_default_task (const EngModel  *model,
                                          const EngTokens *tokens,
                                          EngTask         *task);

G_END_DECLS
