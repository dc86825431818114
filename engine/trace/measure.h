/* SPDX-License-Identifier: MIT */
/* Numbers about attention, from the trace alone. Logarithms are to base 2 (bits). */
#pragma once

#include "engine/trace/trace.h"

G_BEGIN_DECLS

/* Whether tokens of both sentences take part: not in a block without a sentence B, nor in a decoder
 * whose tokens are all of B. */
gboolean eng_measure_has_pair    (const EngTokens    *queries,
                                  const EngTokens    *keys);

/* Mean over all rows, those of padding left out, of the weight on keys of the other sentence,
 * template tokens by their segments. FALSE (no number) when one sentence is all there is. share:
 * [n_heads]. */
gboolean eng_measure_pair_share  (const EngAttention *attention,
                                  const EngTokens    *queries,
                                  const EngTokens    *keys,
                                  float              *share);

/* Shannon entropy of n weights, -Σ w log2 w; a row that does not sum to 1 is taken as it is. */
double   eng_measure_entropy     (const float *weights,
                                  gsize        n);

/* Padding: template tokens of a stack that reads itself, which no token sees. What they read, the
 * model makes nothing of. (transfer full) [n_queries] of 0 and 1; NULL where there is none. */
guint8  *eng_measure_mark_padding (const EngAttention *attention,
                                   const EngTokens    *queries,
                                   const EngTokens    *keys);

G_END_DECLS
