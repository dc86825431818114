/* SPDX-License-Identifier: MIT */
/* What positions add to the scores of one head where they are apart from content (spec/stack.h):
 * for query i and key j at their distance's row r the terms scale · q_i·PK[r], of content and
 * position, and scale · k_j·PQ[r], of position and content. The forward and, for whoever looks at
 * the terms, the trace compute the same numbers with the same function. For engine/ alone. */
#pragma once

#include "engine/attention/block-trace.h"

G_BEGIN_DECLS

typedef enum {
  ENG_POSITION_TERM_CONTENT_POSITION = 1 << 0,
  ENG_POSITION_TERM_POSITION_CONTENT = 1 << 1,
  ENG_POSITION_TERM_BOTH             = ENG_POSITION_TERM_CONTENT_POSITION |
                                       ENG_POSITION_TERM_POSITION_CONTENT
} EngPositionTerms;

/* Floats of scratch for heads of the block and so many queries at a time; 0 where positions are not
 * apart. Aligned to a cache line. */
gsize            eng_position_terms_n_scratch (const EngBlockTrace *block,
                                               int                  n_queries);
/* Those that a layer has. */
EngPositionTerms eng_position_terms_of_layer  (const EngLayerTrace *layer);

/* Prepares scratch for a head. keys: its keys, packed [head_size, n_keys]. */
void             eng_position_terms_begin     (const EngBlockTrace *block,
                                               int                  layer,
                                               int                  head,
                                               const float         *keys,
                                               float               *scratch);
/* out [last - first, n_keys]: the sum of the terms in which, for the queries [first, last), of
 * which there are no more than scratch was made for. */
void             eng_position_terms_fill      (const EngBlockTrace *block,
                                               int                  layer,
                                               int                  head,
                                               EngPositionTerms     which,
                                               int                  first,
                                               int                  last,
                                               float               *scratch,
                                               float               *out);
/* out [n_queries, n_keys]: the same for all queries of a head. */
void             eng_position_terms_fill_head (const EngBlockTrace *block,
                                               int                  layer,
                                               int                  head,
                                               EngPositionTerms     which,
                                               float               *out);

G_END_DECLS
