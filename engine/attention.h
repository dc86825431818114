/* SPDX-License-Identifier: MIT */
/* The heads of one layer: weights = softmax over the visible keys of scale · q·k + bias, and what
 * they read, α · V. eng_attention_weights() (engine/trace/trace-private.h) is here too: the trace
 * computes the same rows with the same function, so both give the same bits. */
#pragma once

#include "engine/trace/trace-private.h"

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

/* norms [n_heads, n_keys]: ‖v W_O‖ of each key of each head, output [hidden size, n_heads *
 * value_size] as a Linear's weight. Without the bias, which belongs to no head. */
void  eng_attention_measure_values (const EngBlockTrace *block,
                                    int                  layer,
                                    const float         *output,
                                    float               *norms);

G_END_DECLS
