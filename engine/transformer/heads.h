/* SPDX-License-Identifier: MIT */
/* The task heads: [transform → activation → norm →] output over the pooled first token or over
 * tokens. */
#pragma once

#include "engine/transformer/pass.h"

G_BEGIN_DECLS

/* Which heads the request asks for and the model has, and which positions they read: the members
 * positions, n_positions and n_classes of the trace's logits. A masked word's head reads the mask
 * tokens only, unless the request says all. */
void eng_heads_describe (EngPass *self);

/* The rows of the last hidden states [n, D] of tokens that a head reads, behind the pooler where it
 * has one: gathered [n_positions, D]. products is scratch for a row of the hidden size. */
void eng_heads_gather   (const EngSpec    *spec,
                         const EngWeights *weights,
                         EngTask           task,
                         const EngTokens  *tokens,
                         const float      *hidden,
                         const int        *positions,
                         int               n_positions,
                         float            *products,
                         const gint       *cancel,
                         float            *gathered);

/* logits [n, classes] of the rows x [n, D] that a head reads; the pooler is behind them. scaled and
 * transformed, n rows of eng_spec_get_head_size(), and products (for such rows,
 * engine/kernels/linalg.h) are scratch; scaled may be x. */
void eng_heads_apply    (const EngSpec    *spec,
                         const EngWeights *weights,
                         EngTask           task,
                         const float      *x,
                         int               n,
                         float            *scaled,
                         float            *transformed,
                         float            *products,
                         const gint       *cancel,
                         float            *logits);

/* Computes them from the last hidden state [n, D]; after a cancel the results are incomplete. */
void eng_heads_run      (EngPass *self);

G_END_DECLS
