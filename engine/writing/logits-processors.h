/* SPDX-License-Identifier: MIT */
/* What the settings of a generation do to the scores of the next token before one is chosen, in the
 * order of transformers 5.23 and in single precision as there. Scores are logits, or their
 * log-softmax in a beam search. */
#pragma once

#include "engine/families/generation-config.h"

G_BEGIN_DECLS

typedef struct {
  const EngGeneration *settings;
  int                  n_classes;
  int                  n_start;    /* tokens at the beginning */
  int                  min_length; /* before so many tokens there is no end */
  int                  max_length;
  const gint32        *given;      /* [n_given] the text that the model was given to read */
  int                  n_given;
} EngLogitsProcessors;

/* In place: scores [n_classes] of what follows the n tokens ids. Banned tokens get -∞. */
void eng_logits_process   (const EngLogitsProcessors *self,
                           const gint32              *ids,
                           int                        n,
                           float                     *scores);

/* In place: scores [n] become their log-softmax. scratch [n]. */
void eng_logits_normalise (float *scores,
                           int    n,
                           float *scratch);

G_END_DECLS
