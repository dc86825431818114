/* SPDX-License-Identifier: MIT */
/* The trace: everything that one pass of a model showed. The only thing of the engine that pictures
 * are made from, whether it came from our own forward or from a file that somebody else wrote.
 *
 * Reference-counted, safe to read from every thread. A trace that is still being computed gains
 * layers and never changes one that it has: eng_trace_has_layer() turns TRUE when all of a layer
 * may be read. It keeps q, k, v, masks, biases and hidden states; the attention of a layer is
 * materialised on demand by the function that the forward itself calls, and kept while memory
 * allows.
 *
 * Everything returned by a get function is borrowed and lives as long as the trace. Rows are
 * queries (they read), columns are keys (they are read). Layers, heads and tokens count from 0. */
#pragma once

#include "engine/attention/attention.h"
#include "engine/base/kinds.h"
#include "engine/tokenizer/base/tokens.h"

G_BEGIN_DECLS

typedef struct _EngTrace EngTrace;

/* A view of rows × cols floats; row r starts at data + r * stride. */
typedef struct {
  const float *data;
  int          rows;
  int          cols;
  gsize        stride;
} EngMatrix;

EngTrace         *eng_trace_ref                  (EngTrace *self);
void              eng_trace_unref                (EngTrace *self);

gboolean          eng_trace_has_kind             (const EngTrace *self,
                                                  EngKind         kind);
/* encoder where there is one */
EngKind           eng_trace_get_default_kind     (const EngTrace *self);
/* 1 + the last layer, gaps included */
int               eng_trace_get_n_layers         (const EngTrace *self,
                                                  EngKind         kind);
gboolean          eng_trace_has_layer            (const EngTrace *self,
                                                  EngKind         kind,
                                                  int             layer);
gboolean          eng_trace_is_complete          (const EngTrace *self);
int               eng_trace_get_n_heads          (const EngTrace *self,
                                                  EngKind         kind);
int               eng_trace_get_n_queries        (const EngTrace *self,
                                                  EngKind         kind);
int               eng_trace_get_n_keys           (const EngTrace *self,
                                                  EngKind         kind);
/* Weights of all heads of a layer, and of all layers, whether they are there or not. */
gsize             eng_trace_count_layer_weights  (const EngTrace *self,
                                                  EngKind         kind);
gsize             eng_trace_count_weights        (const EngTrace *self,
                                                  EngKind         kind);

const EngTokens  *eng_trace_get_query_tokens     (const EngTrace *self,
                                                  EngKind         kind);
const EngTokens  *eng_trace_get_key_tokens       (const EngTrace *self,
                                                  EngKind         kind);

/* (transfer full) NULL only for a layer that is not there (yet). May compute: up to some ms for
 * long texts. */
EngAttention     *eng_trace_dup_attention        (EngTrace       *self,
                                                  EngKind         kind,
                                                  int             layer);
/* Frees attention and rollouts that the trace materialised, but for blocks that somebody holds. Who
 * asks again gets the same numbers, computed anew. */
void              eng_trace_forget_attention     (EngTrace       *self);
/* Of memory that it keeps besides: what the pass wrote, not a mapped file nor the model. */
gsize             eng_trace_get_n_bytes          (EngTrace       *self);

/* After bias and rotary, before scaling: [n_queries, d] and [n_keys, d] of one query head (a key of
 * a grouped model is the one that this query head reads). FALSE where the trace has none. */
gboolean          eng_trace_get_queries          (const EngTrace *self,
                                                  EngKind         kind,
                                                  int             layer,
                                                  int             head,
                                                  EngMatrix      *queries);
gboolean          eng_trace_get_keys             (const EngTrace *self,
                                                  EngKind         kind,
                                                  int             layer,
                                                  int             head,
                                                  EngMatrix      *keys);
gboolean          eng_trace_get_values           (const EngTrace *self,
                                                  EngKind         kind,
                                                  int             layer,
                                                  int             head,
                                                  EngMatrix      *values);
/* What is added to the scaled score, [n_queries, n_keys]. FALSE where nothing is. */
gboolean          eng_trace_get_position_bias    (const EngTrace *self,
                                                  EngKind         kind,
                                                  int             layer,
                                                  int             head,
                                                  EngMatrix      *bias);
/* Where positions are apart from content (spec/stack.h) the bias is the sum of two terms, of
 * queries with positions and of keys with positions, both scaled. FALSE where the trace has no such
 * term. All three may compute, a head at a time, what the trace then keeps. */
gboolean          eng_trace_get_content_position (const EngTrace *self,
                                                  EngKind         kind,
                                                  int             layer,
                                                  int             head,
                                                  EngMatrix      *term);
gboolean          eng_trace_get_position_content (const EngTrace *self,
                                                  EngKind         kind,
                                                  int             layer,
                                                  int             head,
                                                  EngMatrix      *term);
/* [n_queries, n_keys], 1 = visible, to one of the heads where they see different keys. NULL = all
 * visible. */
const guint8     *eng_trace_get_mask             (const EngTrace *self,
                                                  EngKind         kind,
                                                  int             layer);
/* score = cap (scale · q·k) + bias */
double            eng_trace_get_scale            (const EngTrace *self,
                                                  EngKind         kind,
                                                  int             layer);
/* cap (s) = c tanh (s / c); 0 where there is no c and cap (s) = s. */
double            eng_trace_get_soft_cap         (const EngTrace *self,
                                                  EngKind         kind,
                                                  int             layer);
/* How many tokens a query of a local layer reads at most, itself among them, whatever the text is; 0
 * where the layer is not local. This and the next one are also known of layers that are not there
 * (yet). */
int               eng_trace_get_window           (const EngTrace *self,
                                                  EngKind         kind,
                                                  int             layer);
/* How many layers have the weights that the layer has; 1 where they are its own. */
int               eng_trace_get_n_uses           (const EngTrace *self,
                                                  EngKind         kind,
                                                  int             layer);
/* ‖v W_O‖ of each key of a head, [n_keys]; NULL where the trace has none. */
const float      *eng_trace_get_value_output_norms (const EngTrace *self,
                                                  EngKind         kind,
                                                  int             layer,
                                                  int             head);
/* Whether the above has them; computes nothing. */
gboolean          eng_trace_has_value_output_norms (EngTrace     *self,
                                                  EngKind         kind,
                                                  int             layer);
/* Hidden states as transformers returns them: 0 = embeddings, i = after layer i - 1.
 * [tokens, hidden size]. */
gboolean          eng_trace_get_hidden_states    (const EngTrace *self,
                                                  EngKind         kind,
                                                  int             index,
                                                  EngMatrix      *states);
/* [positions, classes]; positions (nullable out) are token indices, one a row. FALSE where not
 * computed. */
gboolean          eng_trace_get_logits           (const EngTrace *self,
                                                  EngTask         task,
                                                  EngMatrix      *logits,
                                                  const int     **positions);
/* One unit of the type in which the weights were stored, relative (F32 1.2e-7, F16 9.8e-4, BF16
 * 7.8e-3). */
double            eng_trace_get_stored_unit      (const EngTrace *self);

const char       *eng_trace_get_model_name       (const EngTrace *self); /* NULL when unknown */
const char       *eng_trace_get_family           (const EngTrace *self); /* NULL when unknown */
const char       *eng_trace_get_text_a           (const EngTrace *self); /* NULL when unknown */
/* NULL when unknown or none */
const char       *eng_trace_get_text_b           (const EngTrace *self);
/* text forms, NULL-terminated, never NULL */
const char *const *eng_trace_get_edits           (const EngTrace *self);
/* ms of the forward; < 0 when unknown */
double            eng_trace_get_wall_time        (const EngTrace *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngTrace, eng_trace_unref)

G_END_DECLS
