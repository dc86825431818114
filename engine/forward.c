/* SPDX-License-Identifier: MIT */
#include "engine/forward.h"

#include <string.h>

#include "engine/attention.h"
#include "engine/heads.h"
#include "engine/interventions.h"
#include "engine/linalg.h"
#include "engine/pool.h"

/* Up to so many rows a norm is not worth waking the pool. */
#define SERIAL_ROWS 32
#define CHUNK_ROWS 16

typedef struct {
  const EngSpec *spec;
  const EngNorm *norm;     /* NULL = only add */
  const float   *x;        /* [n, D] */
  const float   *residual; /* [n, D] or NULL */
  float         *y;        /* [n, D] */
  int            n;
} RowsCall;

static void
run_rows_chunk (int      chunk,
                int      worker,
                gpointer data)
{
  const RowsCall *call = data;
  gsize size = call->spec->hidden_size;
  int last = MIN ((chunk + 1) * CHUNK_ROWS, call->n);

  for (int row = chunk * CHUNK_ROWS; row < last; row++) {
    const float *x = call->x + row * size;
    const float *residual = call->residual != NULL ? call->residual + row * size : NULL;
    float *y = call->y + row * size;

    if (call->norm != NULL)
      eng_norm (call->spec->norm_kind, call->spec->norm_eps, call->norm, x, residual,
                call->spec->hidden_size, y);
    else
      eng_add (x, residual, size, y);
  }
}

static void
run_rows (const EngPass *self,
          const EngNorm *norm,
          const float   *x,
          const float   *residual,
          float         *y)
{
  RowsCall call = { self->spec, norm, x, residual, y, self->n };
  int n_chunks = (self->n + CHUNK_ROWS - 1) / CHUNK_ROWS;

  if (self->n > SERIAL_ROWS) {
    eng_pool_run (n_chunks, run_rows_chunk, &call, self->request->cancel);
    return;
  }
  for (int i = 0; i < n_chunks; i++)
    run_rows_chunk (i, 0, &call);
}

/* y = norm (x + residual) for every token; residual NULL = 0; all [n, D]. */
static void
layer_norm (const EngPass *self,
            const EngNorm *norm,
            const float   *x,
            const float   *residual,
            float         *y)
{
  run_rows (self, norm, x, residual, y);
}

/* x [n, D] = word + position + type, then the norm where there is one. */
static void
embed (const EngPass *self,
       float         *x)
{
  const EngSpec *spec = self->spec;
  const EngWeights *weights = self->weights;
  const EngTokens *tokens = self->request->tokens;
  gsize size = spec->hidden_size;

  for (int i = 0; i < self->n; i++) {
    float *row = x + i * size;
    int type = tokens->type_ids != NULL ? tokens->type_ids[i] : 0;

    memcpy (row, weights->word + tokens->ids[i] * size, size * sizeof (float));
    if (weights->type != NULL)
      eng_add (row, weights->type + type * size, size, row);
    if (weights->position != NULL)
      eng_add (row, weights->position + (i + spec->position_offset) * size, size, row);
  }
  if (spec->embedding_norm)
    layer_norm (self, &weights->embedding_norm, x, NULL, x);
}

/* x [n, D] → output [n, D] = (for each head α · V) · W_Oᵀ + b_O */
static void
attention (const EngPass *self,
           int            layer,
           const float   *x,
           float         *output)
{
  const EngLayerWeights *weights = &self->weights->layers[layer];
  const EngRunRequest *request = self->request;
  gsize rows = (gsize) layer * self->n * self->spec->n_heads * self->spec->head_size;
  gsize n_weights = (gsize) self->spec->n_heads * self->n * self->n;
  float *kept = self->keep_attention ? self->attention + layer * n_weights : NULL;
  EngProduct projections[] = {
    { &weights->query, self->queries + rows },
    { &weights->key, self->keys + rows },
    { &weights->value, self->values + rows },
  };
  EngProduct merge = { &weights->output, output };

  eng_products (projections, G_N_ELEMENTS (projections), x, self->n, ENG_ACTIVATION_LINEAR,
                self->products, request->cancel);
  eng_attention_read (self->block, layer, request->edits, request->n_edits,
                      kept, self->heads, self->context, request->cancel);
  eng_products (&merge, 1, self->context, self->n, ENG_ACTIVATION_LINEAR,
                self->products, request->cancel);
}

/* x [n, D] → output [n, D] = activation (x · W_1ᵀ + b_1) · W_2ᵀ + b_2 */
static void
feed_forward (const EngPass *self,
              int            layer,
              const float   *x,
              float         *output)
{
  const EngLayerWeights *weights = &self->weights->layers[layer];

  eng_product_pair (&weights->up, self->spec->activation, &weights->down, x, self->n,
                    self->products, output, self->request->cancel);
}

typedef void (*SubLayer) (const EngPass *self,
                          int            layer,
                          const float   *x,
                          float         *output);

/* One sub-layer with its residual connection and its norm; x and y [n, D], not the same.
 * A sub-layer that an edit skips counts as 0, yet it is computed, because its heads are shown. */
static void
residual_step (const EngPass    *self,
               SubLayer          sub_layer,
               int               layer,
               EngNormPlacement  placement,
               const EngNorm    *norm,
               gboolean          skip,
               const float      *x,
               float            *y)
{
  gsize n_bytes = (gsize) self->n * self->spec->hidden_size * sizeof (float);
  const float *input = x;

  if (placement == ENG_NORM_PRE) {
    layer_norm (self, norm, x, NULL, self->normed);
    input = self->normed;
  }
  sub_layer (self, layer, input, self->output);

  switch (placement) {
  case ENG_NORM_POST:
    layer_norm (self, norm, x, skip ? NULL : self->output, y);
    return;
  case ENG_NORM_MIXED:
    layer_norm (self, norm, self->output, NULL, self->output);
    break;
  case ENG_NORM_PRE:
  default:
    break;
  }
  if (skip)
    memcpy (y, x, n_bytes);
  else
    run_rows (self, NULL, x, self->output, y);
}

/* x [n, D] → y [n, D] */
static void
transformer_layer (const EngPass *self,
                   int            layer,
                   const float   *x,
                   float         *y)
{
  const EngSpec *spec = self->spec;
  const EngLayerWeights *weights = &self->weights->layers[layer];
  const EngRunRequest *request = self->request;

  residual_step (self, attention, layer, spec->attention_norm, &weights->attention_norm,
                 eng_interventions_skip (request->edits, request->n_edits,
                                         ENG_EDIT_SKIP_ATTENTION, layer),
                 x, self->between);
  residual_step (self, feed_forward, layer, spec->feed_forward_norm, &weights->feed_forward_norm,
                 eng_interventions_skip (request->edits, request->n_edits,
                                         ENG_EDIT_SKIP_FEED_FORWARD, layer),
                 self->between, y);
}

/* Visible is what comes not later than the query, where the model is causal, and is not knocked
 * out. */
static void
fill_mask (const EngPass *self)
{
  for (int query = 0; query < self->n; query++)
    for (int key = 0; key < self->n; key++)
      self->mask[(gsize) query * self->n + key] = !self->spec->causal || key <= query;

  eng_interventions_hide_tokens (self->request->edits, self->request->n_edits, self->n, self->n,
                                 self->mask);
}

static void
point_layer_to_storage (EngPass *self,
                        int      layer)
{
  EngLayerTrace *trace = &self->block->layers[layer];
  gsize row_stride = (gsize) self->spec->n_heads * self->spec->head_size;
  gsize rows = (gsize) layer * self->n * row_stride;
  gsize n_weights = (gsize) self->spec->n_heads * self->n * self->n;

  trace->queries = (EngHeadRows) { self->queries + rows, self->spec->head_size, row_stride };
  trace->keys = (EngHeadRows) { self->keys + rows, self->spec->head_size, row_stride };
  trace->values = (EngHeadRows) { self->values + rows, self->spec->head_size, row_stride };
  trace->attention = self->keep_attention ? self->attention + layer * n_weights : NULL;
  trace->mask = self->mask;
  trace->scale = self->spec->scale;
}

static gboolean
needs_mask (const EngPass *self)
{
  return self->spec->causal ||
         eng_interventions_hide_tokens (self->request->edits, self->request->n_edits, 0, 0, NULL);
}

gboolean
eng_pass_is_cancelled (const EngPass *self)
{
  return self->request->cancel != NULL && g_atomic_int_get (self->request->cancel) != 0;
}

void
eng_forward_describe (EngPass *self)
{
  const EngSpec *spec = self->spec;
  EngTokens *tokens = self->request->tokens;
  EngBlockTrace *block = &self->trace->blocks[spec->kind];

  *block = (EngBlockTrace) {
    .present = TRUE,
    .n_layers = spec->n_layers,
    .n_heads = spec->n_heads,
    .n_kv_heads = spec->n_heads,
    .n_queries = tokens->n,
    .n_keys = tokens->n,
    .head_size = spec->head_size,
    .value_size = spec->head_size,
    .hidden_size = spec->hidden_size,
    .query_tokens = eng_tokens_ref (tokens),
    .key_tokens = eng_tokens_ref (tokens),
    .layers = g_new0 (EngLayerTrace, spec->n_layers),
    .hidden_states = g_new0 (const float *, spec->n_layers + 1),
  };
  self->block = block;
  self->n = tokens->n;
  eng_heads_describe (self);
}

void
eng_forward_lay_out_trace (EngPass  *self,
                           EngArena *arena)
{
  const EngSpec *spec = self->spec;
  gsize n = self->n;
  gsize n_rows = (gsize) spec->n_layers * n * spec->n_heads * spec->head_size;

  self->queries = eng_arena_floats (arena, n_rows);
  self->keys = eng_arena_floats (arena, n_rows);
  self->values = eng_arena_floats (arena, n_rows);
  self->hidden_states = eng_arena_floats (arena, (spec->n_layers + 1) * n * spec->hidden_size);
  if (self->keep_attention)
    self->attention = eng_arena_floats (arena, (gsize) spec->n_layers * spec->n_heads * n * n);
  if (needs_mask (self))
    self->mask = eng_arena_take (arena, n * n);

  for (int task = 0; task < ENG_N_TASKS; task++) {
    const EngLogitsTrace *logits = &self->trace->logits[task];

    if (logits->n_positions > 0)
      self->logits[task] = eng_arena_floats (arena, (gsize) logits->n_positions *
                                                    logits->n_classes);
  }
}

void
eng_forward_lay_out_scratch (EngPass  *self,
                             EngArena *arena)
{
  const EngSpec *spec = self->spec;
  gsize n = self->n;
  gsize n_products = MAX (eng_products_n_scratch (self->n, spec->hidden_size),
                          eng_products_n_scratch (self->n, spec->n_heads * spec->head_size));

  for (int layer = 0; layer < spec->n_layers; layer++)
    n_products = MAX (n_products,
                      eng_product_pair_n_scratch (self->n, &self->weights->layers[layer].up));

  self->normed = eng_arena_floats (arena, n * spec->hidden_size);
  self->context = eng_arena_floats (arena, n * spec->n_heads * spec->head_size);
  self->output = eng_arena_floats (arena, n * spec->hidden_size);
  self->between = eng_arena_floats (arena, n * spec->hidden_size);
  self->gathered = eng_arena_floats (arena, n * spec->hidden_size);
  self->transformed = eng_arena_floats (arena, n * spec->hidden_size);
  self->products = eng_arena_floats (arena, n_products);
  self->heads = eng_arena_floats (arena, eng_attention_n_scratch (self->block));
}

gboolean
eng_forward_run (EngPass *self)
{
  gsize size = (gsize) self->n * self->spec->hidden_size;
  int n_layers = self->spec->n_layers;

  if (self->mask != NULL)
    fill_mask (self);
  for (int layer = 0; layer < n_layers; layer++)
    point_layer_to_storage (self, layer);
  for (int i = 0; i <= n_layers; i++)
    self->block->hidden_states[i] = self->hidden_states + i * size;

  embed (self, self->hidden_states);
  for (int layer = 0; layer < n_layers; layer++) {
    float *next = self->hidden_states + (layer + 1) * size;

    transformer_layer (self, layer, self->hidden_states + layer * size, next);
    if (layer == n_layers - 1 && self->spec->final_norm)
      layer_norm (self, &self->weights->final_norm, next, NULL, next);
    if (eng_pass_is_cancelled (self))
      return FALSE;

    g_atomic_int_set (&self->block->layers[layer].ready, 1);
    if (self->request->layer_done != NULL)
      self->request->layer_done (self->trace, layer, self->request->data);
  }
  eng_heads_run (self);
  return !eng_pass_is_cancelled (self);
}
