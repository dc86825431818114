/* SPDX-License-Identifier: MIT */
/* What the forward sees of a model; for engine/ alone. */
#pragma once

#include "engine/model.h"
#include "engine/spec.h"

G_BEGIN_DECLS

const EngSpec    *eng_model_get_spec    (const EngModel *self);
const EngWeights *eng_model_get_weights (const EngModel *self);

/* A model without files, for tests: takes ownership of weights through free_weights (data, called once).
 * tokenizer may be NULL. */
EngModel         *eng_model_new_from_weights (const EngSpec    *spec,
                                              const EngWeights *weights,
                                              GDestroyNotify    free_weights,
                                              gpointer          data);

G_END_DECLS
