/* SPDX-License-Identifier: MIT */
/* A training on disk: a folder that opens as a model, here and in transformers, and what is
 * needed to go on. config.json (with the type that is stored), model.safetensors (F32, tensors
 * as the hub's files of the family have them), optimizer.safetensors (the running means, as they
 * lie in memory). */
#pragma once

#include "engine/training/optimizer.h"

G_BEGIN_DECLS

/* Makes the folder where there is none. Each file is there whole or not at all; an older one is
 * as it was after an error. optimizer (nullable): that of the parameters. */
gboolean eng_training_save   (const EngParameters  *parameters,
                              EngOptimizer         *optimizer,
                              const char           *folder,
                              GError              **error);
/* Gives the optimiser of parameters that were opened from the folder the state that was saved
 * beside them. Fails, nothing changed, where there is none, or where it was saved at another
 * step than the weights. */
gboolean eng_training_resume (EngOptimizer         *optimizer,
                              const EngParameters  *parameters,
                              const char           *folder,
                              GError              **error);

G_END_DECLS
