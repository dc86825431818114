/* SPDX-License-Identifier: MIT */
/* The task heads: [transform → activation → norm →] output over the pooled first token or over
 * tokens. */
#pragma once

#include "engine/forward.h"

G_BEGIN_DECLS

/* Which heads the request asks for and the model has, and which positions they read: the members
 * positions, n_positions and n_classes of the trace's logits. A masked word's head reads the mask
 * tokens only, unless the request says all. */
void eng_heads_describe (EngPass *self);

/* Computes them from the last hidden state [n, D]; after a cancel the results are incomplete. */
void eng_heads_run      (EngPass *self);

G_END_DECLS
