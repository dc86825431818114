/* SPDX-License-Identifier: MIT */
/* What the forward sees of a model; for engine/ alone. */
#pragma once

#include "engine/families/config.h"
#include "engine/transformer/model.h"

G_BEGIN_DECLS

const EngSpec    *eng_model_get_spec    (const EngModel *self);
const EngWeights *eng_model_get_weights (const EngModel *self);
/* After a pass: FALSE with a sentence where another program has written to the file of the weights,
 * so that the pass is of no use. */
gboolean          eng_model_check_files (const EngModel  *self,
                                         GError         **error);
/* One unit of the type in which the weights are stored, relative. */
double            eng_model_get_stored_unit (const EngModel *self);
/* How the logits of a text classifier become scores. */
EngScores         eng_model_get_scores  (const EngModel *self);

/* A model without files, for tests: takes ownership of weights through free_weights (data, called
 * once). tokenizer may be NULL. */
EngModel         *eng_model_new_from_weights (const EngSpec    *spec,
                                              const EngWeights *weights,
                                              GDestroyNotify    free_weights,
                                              gpointer          data);

G_END_DECLS
