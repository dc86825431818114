/* SPDX-License-Identifier: MIT */
/* What a step learns from: B sequences of n tokens each, padding counted, and what is asked of
 * every token. Of two stacks these are the decoder's, which reads m tokens each of the encoder's.
 * Owns nothing. */
#pragma once

#include "engine/training/pieces.h"

G_BEGIN_DECLS

typedef struct {
  int           n_sequences;
  int           n;
  const gint32 *ids;      /* [B, n] */
  const gint32 *type_ids; /* [B, n]; NULL = all 0 */
  const guint8 *visible;  /* [B, n] 0 = padding, which nothing reads; NULL = there is none */
  /* [B, n] the right answer at the token, or ENG_NO_LABEL; of classes of whole texts at the token
   * that the head reads, of answers at their first token, and it is the place of their last one */
  const gint32 *labels;

  int           n_source; /* m; 0 = of one stack */
  const gint32 *source_ids;     /* [B, m] */
  const guint8 *source_visible; /* [B, m], as visible */
} EngBatch;

int  eng_batch_count_labels     (const EngBatch *self);
/* labels [B, n]: each token's is the one behind it; the last one's, and that of a token before
 * padding, is none. */
void eng_batch_label_next_words (const EngBatch *self,
                                 gint32         *labels);

G_END_DECLS
