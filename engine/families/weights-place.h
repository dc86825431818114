/* SPDX-License-Identifier: MIT */
/* Finds the place from which the forward reads tensors: aligned float32 tensors stay in the mapped
 * file, the others are made up in one block of memory, or will be widened into it when they are
 * needed (engine/families/lazy-weights.h). For engine/families/weights.c alone. */
#pragma once

#include "engine/families/lazy-weights.h"

G_BEGIN_DECLS

/* bindings of EngBinding. Fills the counts of self, and the position tables that no file holds.
 * seed: of tensors that no file holds; NULL = these are zeroed. */
gboolean eng_weights_place (EngLoadedWeights  *self,
                            const EngConfig   *config,
                            const GArray      *bindings,
                            const guint32     *seed,
                            const char        *what,
                            GError           **error);

G_END_DECLS
