/* SPDX-License-Identifier: MIT */
/* The attention of one kind over all layers, as a pass left it: what the forward fills and reads
 * while it runs, and what a trace keeps. The tokens and the arrays are the block's, from
 * g_malloc(); the numbers that it points to belong to whoever filled it. For engine/ alone. */
#pragma once

#include "engine/kernels/shapes.h"
#include "engine/tokenizer/base/tokens.h"

G_BEGIN_DECLS

typedef struct {
  gint          ready;         /* atomic: set last, with g_atomic_int_set() */
  EngHeadRows   queries;       /* n_heads × n_queries × head_size */
  EngHeadRows   keys;          /* n_kv_heads × n_keys × head_size */
  EngHeadRows   values;        /* n_kv_heads × n_keys × value_size */
  const float  *attention;     /* [n_heads, n_queries,
                                   n_keys] when kept or from a file; else NULL */
  const guint8 *mask;          /* [n_queries, n_keys] or NULL; knocked out tokens are not visible */
  /* [n_heads, n_queries, n_keys] of a file whose heads see different keys, beside attention; mask is
   * then what one of them sees. Else NULL. */
  const guint8 *head_masks;
  gboolean      counted;       /* mask has numbers above 1 */
  const float  *position_bias; /* [n_heads, n_queries, n_keys] or NULL */
  /* What the bias is the sum of where positions are apart, both scaled, either may be NULL; from a
   * file, else computed on demand from what follows. */
  const float  *content_position; /* [n_heads, n_queries, n_keys]: of queries and positions */
  const float  *position_content; /* the same of keys and positions */
  EngHeadRows   position_keys;    /* n_heads × n_position_rows × head_size; data NULL = no term */
  EngHeadRows   position_queries;
  /* [n_heads] or NULL; entries of [3, n_queries, n_keys]: both terms and their sum, or NULL; filled
   * on demand under the trace's lock */
  float       **position_terms;
  const float  *value_output_norms; /* [n_heads,
                                        n_keys] or NULL; filled on demand under the trace's lock */
  double        scale;
  double        soft_cap;      /* of scale · q·k; 0 = none */
  int           window;        /* tokens that a query reads at most, itself among them; 0 = all */
  int           n_uses;        /* layers that have the same weights, itself among them; 0 = as 1 */
} EngLayerTrace;

typedef struct {
  gboolean       present;
  int            n_layers;
  int            n_heads;
  int            n_kv_heads;
  int            n_queries;
  int            n_keys;
  int            head_size;
  int            value_size;
  int            hidden_size;
  int            n_position_rows; /* keys and queries that positions have; 0 = none */
  gint32        *position_rows;   /* [2 n_keys - 1] which of them a distance query - key has, from
                                   * 1 - n_keys on; NULL = none */
  EngTokens     *query_tokens;
  EngTokens     *key_tokens;
  EngLayerTrace *layers;        /* [n_layers] */
  /* [n_layers + 1] of [n_queries, hidden_size]; entries or the array may be NULL */
  const float  **hidden_states;
} EngBlockTrace;

/* The key and value head that a query head reads: in a grouped model consecutive ones share it. */
static inline int
eng_block_trace_get_kv_head (const EngBlockTrace *self,
                             int                  head)
{
  return head / (self->n_heads / self->n_kv_heads);
}

G_END_DECLS
