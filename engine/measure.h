/* SPDX-License-Identifier: MIT */
/* Numbers about attention, from the trace alone. Logarithms are to base 2 (bits). */
#pragma once

#include "engine/trace.h"

G_BEGIN_DECLS

/* Whether tokens of both sentences take part: not in a block without a sentence B, nor in a decoder
 * whose tokens are all of B. */
gboolean eng_measure_has_pair    (const EngTokens    *queries,
                                  const EngTokens    *keys);

/* Mean over all rows of the weight on keys of the other sentence, template tokens by their
 * segments. FALSE (no number) when one sentence is all there is. share: [n_heads]. */
gboolean eng_measure_pair_share  (const EngAttention *attention,
                                  const EngTokens    *queries,
                                  const EngTokens    *keys,
                                  float              *share);

/* Shannon entropy of n weights, -Σ w log2 w; a row that does not sum to 1 is taken as it is. */
double   eng_measure_entropy     (const float *weights,
                                  gsize        n);

G_END_DECLS
