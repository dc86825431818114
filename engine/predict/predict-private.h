/* SPDX-License-Identifier: MIT */
/* What the makers of answers share; for engine/ alone. */
#pragma once

#include "engine/predict/predict.h"

G_BEGIN_DECLS

typedef struct {
  const EngModel  *model;
  EngTrace        *trace;
  const EngTokens *tokens;      /* that the positions count in */
  EngMatrix        logits;      /* [positions, classes] */
  const int       *positions;
  GArray          *predictions; /* of EngPrediction */
} EngAnswer;

/* FALSE with a sentence where the trace has no logits of the task's head. */
gboolean    eng_answer_init      (EngAnswer       *self,
                                  const EngModel  *model,
                                  EngTrace        *trace,
                                  EngTask          task,
                                  GArray          *predictions,
                                  GError         **error);
/* Of A (0) or B; NULL where the trace has none. */
const char *eng_answer_get_text  (const EngAnswer *self,
                                  int              segment);
GArray     *eng_predictions_new  (void);

/* probabilities: [n] */
void        eng_predict_softmax  (const float     *logits,
                                  gsize            stride,
                                  int              n,
                                  double          *probabilities);
int         eng_predict_find_largest (const double *values,
                                      int           n);
/* Neighbouring tokens of one tag as one prediction: the "simple" strategy of transformers. */
void        eng_predict_entities (const EngAnswer *self);
/* What became of each typed token. */
void        eng_predict_replaced (const EngAnswer *self);
/* The likeliest spans of B that the tokens hold. Spans that read alike are one prediction, also
 * with those that are there already. */
void        eng_predict_spans    (const EngAnswer *self);
/* Leaves the likeliest alone. */
void        eng_predict_keep_best (GArray         *predictions);

G_END_DECLS
