/* SPDX-License-Identifier: MIT */
/* The weights of a checkpoint by role: finds the tensors that a family names, checks every shape
 * against the config and makes them float32. Aligned F32 tensors stay where they lie in the mapped
 * file; other types are widened once, each layer when it is first computed. For engine/ alone. */
#pragma once

#include "engine/families/loaded-weights.h"

G_BEGIN_DECLS

EngLoadedWeights *eng_weights_load           (EngTensorSet      *file,
                                              const EngConfig   *config,
                                              GError           **error);
/* Weights of a model that was never trained: normally distributed with deviation 0.02, norms 1,
 * biases 0, the same for a seed on every machine. The heads are those of the class that the config
 * names. what names it in messages. */
EngLoadedWeights *eng_weights_make_random    (const EngConfig   *config,
                                              const char        *what,
                                              guint32            seed,
                                              GError           **error);
/* Weights that are there to be written: all of the class that the config names, zeroed, in memory of
 * their own, and the list of their tensors. */
EngLoadedWeights *eng_weights_lay_out        (const EngConfig   *config,
                                              const char        *what,
                                              GError           **error);
void              eng_weights_free           (EngLoadedWeights  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngLoadedWeights, eng_weights_free)

G_END_DECLS
