/* SPDX-License-Identifier: MIT */
/* The heads of one layer: weights = softmax over the visible keys of cap (scale · q·k) + bias, and
 * what they read, α · V. A key that is read several times counts as often in both, and its weight is
 * that of one reading. The forward and, for a layer that was not kept, the trace compute the same
 * rows with the same function, so both give the same bits. For engine/ alone. */
#pragma once

#include "engine/attention/block-trace.h"
#include "engine/edits/interventions.h"

G_BEGIN_DECLS

/* Floats of scratch that eng_attention_read() needs for a block, aligned to a cache line. */
gsize eng_attention_n_scratch      (const EngBlockTrace *block);

/* Reads the layer's q, k, v and mask from the block. context [n_queries, n_heads * value_size]: per
 * head α · V times the factor of the edits, head after head in a row. weights [n_heads, n_queries,
 * n_keys], or NULL when nobody keeps them. Spread over the pool by heads; after a cancel the
 * results are incomplete. */
void  eng_attention_read           (const EngBlockTrace    *block,
                                    int                     layer,
                                    const EngInterventions *edits,
                                    float                  *weights,
                                    float                  *scratch,
                                    float                  *context,
                                    const gint             *cancel);

/* The one function that turns q, k, bias, mask and edits of a layer into weights. weights: [last -
 * first, n_queries, n_keys]. */
void  eng_attention_weights        (const EngBlockTrace    *block,
                                    int                     layer,
                                    const EngInterventions *edits,
                                    int                     first_head,
                                    int                     last_head,
                                    float                  *weights);

/* norms [n_heads, n_keys]: ‖v W_O‖ of each key of each head, output [hidden size, n_heads *
 * value_size] as a Linear's weight. Without the bias, which belongs to no head. */
void  eng_attention_measure_values (const EngBlockTrace *block,
                                    int                  layer,
                                    const float         *output,
                                    float               *norms);

G_END_DECLS
