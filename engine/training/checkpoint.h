/* SPDX-License-Identifier: MIT */
/* A training on disk: a folder that opens as a model, here and in transformers, and what is
 * needed to go on. config.json (with the type that is stored), model.safetensors (F32 or F16,
 * tensors as the hub's files of the family have them), optimizer.safetensors (weights and running
 * means, as they lie in memory: all that a training goes on from is in this one file, so that
 * neither of them can be of another step). */
#pragma once

#include "engine/training/optimizer.h"

G_BEGIN_DECLS

/* Makes the folder where there is none. Each file is there whole or not at all, whenever the
 * program is ended; an older one is as it was after an error. optimizer (nullable): that of the
 * parameters; without it the folder has no state to go on from. half: weights are stored as F16,
 * which fails where one is too large for it; the state has them as they are. */
gboolean eng_training_save   (const EngParameters  *parameters,
                              EngOptimizer         *optimizer,
                              const char           *folder,
                              gboolean              half,
                              GError              **error);
/* *n_steps (out): of the state that the folder has. FALSE where it has none that can be read. */
gboolean eng_training_find_steps (const char        *folder,
                                  gint64            *n_steps);
/* Gives parameters, of the shape that was saved, and their optimiser what the folder's state has,
 * whatever its weights are. Fails, nothing changed, where there is none. */
gboolean eng_training_resume (EngOptimizer         *optimizer,
                              EngParameters        *parameters,
                              const char           *folder,
                              GError              **error);

G_END_DECLS
