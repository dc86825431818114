/* SPDX-License-Identifier: MIT */
/* What the heads of a model say about a text, for the window: which of them are asked, and their
 * answers. Blocking. */
#pragma once

#include "engine/predict/predict.h"
#include "engine/transformer/inputs.h"
#include "ui/document/document.h"

G_BEGIN_DECLS

/* By task, arrays of EngPrediction; NULL where the head is not there or says nothing. */
typedef struct {
  GArray *of[ENG_N_TASKS];
} AppPredictions;

void  app_predictions_clear  (AppPredictions   *self);

/* The heads to run for these tokens, bit 1 << EngTask: those of pairs beside a sentence B, that of
 * masked words where a mask is typed, every other head that there is. */
guint app_predictions_choose (const EngModel   *model,
                              const EngInputs  *inputs);
/* Fills *self, which is empty, from the logits of the trace. A text that is longer than what is
 * searched for an answer at once is run again, in parts. */
void  app_predictions_read   (AppPredictions   *self,
                              EngModel         *model,
                              const UiDocument *document,
                              EngTrace         *trace,
                              gint             *cancel);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (AppPredictions, app_predictions_clear)

G_END_DECLS
