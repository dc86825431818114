/* SPDX-License-Identifier: MIT */
/* Multi-head attention that learns, of the stack's own tokens or of another's, forward and
 * backward; as engine/training/pieces.h. B sequences of m queries and n keys, H heads of d, K
 * key heads; head h reads key head h div (H / K). */
#pragma once

#include "engine/training/pieces.h"

G_BEGIN_DECLS

typedef struct {
  int           n_sequences;
  int           n_queries;
  int           n_keys;
  int           n_heads;
  int           n_kv_heads;
  int           head_size;
  float         scale;
  gboolean      causal;   /* query i reads keys up to i */
  const guint8 *visible;  /* [B, n] 1 = may be read; NULL = all */
  EngDropout    dropout;  /* of weights */
} EngAttentionShape;

/* Floats of scratch of both directions. */
gsize eng_piece_attention_n_scratch (const EngAttentionShape *shape);

/* context [B · m, H · d] = per head dropped (softmax (scale · q·k over visible keys)) · v, with
 * q [B · m, H · d], k and v [B · n, K · d]. weights [B, H, m, n]: the softmax, for the backward. */
void  eng_piece_attention           (const EngPieces         *self,
                                     const EngAttentionShape *shape,
                                     const float             *q,
                                     const float             *k,
                                     const float             *v,
                                     float                   *scratch,
                                     float                   *weights,
                                     float                   *context);
void  eng_piece_attention_backward  (const EngPieces         *self,
                                     const EngAttentionShape *shape,
                                     const float             *q,
                                     const float             *k,
                                     const float             *v,
                                     const float             *weights,
                                     const float             *dcontext,
                                     float                   *scratch,
                                     float                   *dq,
                                     float                   *dk,
                                     float                   *dv);

/* rows [n, n_heads · head_size] of queries or keys in place, by their rotary angles; turns [n,
 * size] of engine/spec/positions.h. */
void  eng_piece_turn                (const EngPieces         *self,
                                     const EngRotary         *rotary,
                                     const float             *turns,
                                     int                      n,
                                     int                      n_heads,
                                     int                      head_size,
                                     float                   *rows);
/* The same tables with the angles the other way: with them the same function is its backward. */
void  eng_piece_reverse_turns       (const float             *turns,
                                     int                      n,
                                     int                      size,
                                     float                   *reversed);

G_END_DECLS
