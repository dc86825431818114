/* SPDX-License-Identifier: MIT */
#include "engine/predict/predict-private.h"

#include <math.h>

#define ORIGINAL "original"

/* The head's only class is that the token was replaced. */
static void
add_token (const EngAnswer *self,
           int              row)
{
  const EngTokens *tokens = self->tokens;
  int token = self->positions[row];
  const EngSpan *span = &tokens->spans[token];
  const char *text = eng_answer_get_text (self, tokens->segments[token]);
  double logit = (double) self->logits.data[(gsize) row * self->logits.stride];
  EngPrediction prediction = {
    .position = token,
    .id = tokens->ids[token],
    .token = g_strdup (tokens->texts[token]),
    .label = g_strdup (logit > 0 ? eng_model_get_label (self->model, ENG_TASK_REPLACED_TOKENS, 0)
                                 : ORIGINAL),
    .start = (int) g_utf8_strlen (text, span->start),
    .end = (int) g_utf8_strlen (text, span->end),
    .probability = 1 / (1 + exp (-logit)),
  };

  g_array_append_val (self->predictions, prediction);
}

void
eng_predict_replaced (const EngAnswer *self)
{
  for (int row = 0; row < self->logits.rows; row++)
    if (!self->tokens->special[self->positions[row]] &&
        self->tokens->spans[self->positions[row]].start >= 0)
      add_token (self, row);
}
