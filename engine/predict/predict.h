/* SPDX-License-Identifier: MIT */
/* Answers from the logits of a trace: what a task head says, in words and probabilities, the same
 * as transformers' pipelines give. The trace must have been run with the task's bit set, and in a
 * model of two stacks on inputs that eng_predict_repeats() tells how to make. */
#pragma once

#include "engine/transformer/inputs.h"
#include "engine/transformer/session.h"

G_BEGIN_DECLS

/* One line of an answer. Which members are used: fill-mask and language-model token, id, position,
 * probability (grouped by position, best first); next-sentence, sentence-order and
 * text-classification label, probability; entities label (the entity), token (the word), start,
 * end, probability; replaced-tokens position, token, label ("replaced", or "original" where the
 * logit is not above 0), start, end, probability (that it was replaced) of every typed token;
 * question-answering token (the answer), start, end, probability. */
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
 * n_candidates for each mask or for what follows the text, one line for each class, one for each
 * entity, at most one answer. */
GArray    *eng_predict          (const EngModel *model,
                                 EngTrace       *trace,
                                 EngTask         task,
                                 int             n_candidates,
                                 GError        **error);

/* Whether the labels of entities, at least one, are all parts of speech: those of Universal
 * Dependencies ("NOUN") or of the Penn Treebank ("NNS"). */
gboolean   eng_predict_tags_speech (const GArray *entities);

/* (transfer full) The answer to a question, the request's text A, in a context of any length, its
 * text B: the head reads the context in overlapping parts. Of the request edits and cancel count
 * too, those of tokens are applied here; edits are refused where there are several parts, for they
 * name the tokens of one pass. */
GArray    *eng_predict_answer   (EngModel             *model,
                                 const EngTextOptions *options,
                                 const EngRunRequest  *request,
                                 GError              **error);

/* Tokens of a part, the question and the template among them; the model has a tokenizer. */
int        eng_predict_get_window (const EngModel *model);

/* The head whose logits answer a task, for EngRunRequest.tasks: the task's own. Masked words of a
 * model of two stacks without a head for them are its language model's at all positions: it writes
 * the text that it reads again, with the gaps filled. FALSE with a sentence that names the tasks
 * that there are. */
gboolean   eng_predict_find_head (const EngModel *model,
                                  EngTask         task,
                                  EngTask        *head,
                                  GError        **error);
/* Whether both stacks read A beside B for a task: EngTextOptions.repeat. For a pass that is for no
 * task in particular ask with the language model's. */
gboolean   eng_predict_repeats  (const EngModel *model,
                                 EngTask         task);

/* The head used when none is named: fill-mask if the text has a mask token and the model the head,
 * else the first other head that there is. FALSE when the model has none. */
gboolean   eng_predict_find_default_task (const EngModel  *model,
                                          const EngTokens *tokens,
                                          EngTask         *task);

G_END_DECLS
