/* SPDX-License-Identifier: MIT */
/* A whole model forward and backward over a batch: the loss of what its task head answers, and
 * the gradient of that by every weight. What is kept between the two directions lies in one
 * arena, laid out when a batch is larger than those before. Of models that eng_learnable_check()
 * lets pass. Used by one thread, its work spread over the pool; the same numbers however many
 * threads there are. */
#pragma once

#include "engine/base/error.h"
#include "engine/base/kinds.h"
#include "engine/training/batch.h"

G_BEGIN_DECLS

typedef struct _EngStep EngStep;

typedef struct {
  EngTask task;
  double  attention_dropout; /* shares, 0 to below 1 */
  double  hidden_dropout;    /* of what a sub-layer adds, and of what a classifier reads */
  double  embedding_dropout;
  double  smoothing;         /* of labels */
} EngStepSettings;

/* Everything is borrowed and has to live as long; weights lie in the block of gradients. Fails
 * where the model has no such head, or one that reads a mean, or the end, of a text. */
EngStep *eng_step_new      (const EngSpec          *spec,
                            const EngWeights       *weights,
                            const EngGradients     *gradients,
                            const EngStepSettings  *settings,
                            GError                **error);
void     eng_step_free     (EngStep                *self);

/* loss (out): the sum of the losses of the batch's labels. To the gradients are added those of
 * that sum / divisor. seed: of what is dropped. cancel (nullable): once raised, the results are
 * of no use. Fails with ENG_ERROR_RANGE where the batch is longer than the model's positions, or
 * has no memory. */
gboolean eng_step_run      (EngStep                *self,
                            const EngBatch         *batch,
                            double                  divisor,
                            guint64                 seed,
                            const gint             *cancel,
                            double                 *loss,
                            GError                **error);
/* The loss alone, nothing dropped, labels not smoothed. */
gboolean eng_step_evaluate (EngStep                *self,
                            const EngBatch         *batch,
                            const gint             *cancel,
                            double                 *loss,
                            GError                **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngStep, eng_step_free)

G_END_DECLS
