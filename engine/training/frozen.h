/* SPDX-License-Identifier: MIT */
/* Layers that stay as they are while what stands above them learns. */
#pragma once

#include "engine/training/parameters.h"

G_BEGIN_DECLS

/* The embedding and the first n_layers layers of a model of one stack: their gradients are not
 * computed, and weight decay leaves them alone. A pooler, the last norm and the heads are no
 * layers; an output that is tied to the word embedding is frozen with it. Before an optimiser is
 * made. Refuses more layers than there are. */
gboolean eng_freeze_layers (EngParameters  *parameters,
                            int             n_layers,
                            GError        **error);

G_END_DECLS
