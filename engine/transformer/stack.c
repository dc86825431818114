/* SPDX-License-Identifier: MIT */
#include "engine/transformer/stack.h"

#include <string.h>

#include "engine/attention/attention-heads.h"
#include "engine/families/lazy-weights.h"
#include "engine/kernels/linalg.h"
#include "engine/kernels/nn.h"
#include "engine/spec/positions.h"
#include "engine/transformer/rows.h"
#include "engine/transformer/stack-private.h"

static int
count_rows (const EngStackPass *self)
{
  return self->n_sequences * self->n;
}

/* y = norm (x + residual) for every row; norm NULL = no norm, residual NULL = 0; all [R, D]. */
static void
layer_norm (const EngStackPass *self,
            const EngNormSpec  *spec,
            const EngNorm      *norm,
            const float        *x,
            const float        *residual,
            float              *y)
{
  EngRows rows = { count_rows (self), self->spec->hidden_size, self->cancel };

  eng_rows_add_norm (&rows, spec, norm, x, residual, y);
}

/* rows [R, size] of embeddings in place */
static void
norm_embeddings (const EngStackPass *self,
                 int                 size,
                 float              *rows)
{
  EngRows all = { count_rows (self), size, self->cancel };

  eng_rows_add_norm (&all, &self->spec->norm, &self->weights->embedding_norm, rows, NULL, rows);
}

static gboolean
is_hidden (const EngStackPass *self,
           int                 row)
{
  return self->hidden_tokens != NULL && self->hidden_tokens[self->n_past + row % self->n];
}

/* x [R, D] in place: rows of padding become 0. */
static void
hide_padding (const EngStackPass *self,
              float              *x)
{
  gsize size = (gsize) self->spec->hidden_size;

  for (int i = 0; i < count_rows (self); i++)
    if (is_hidden (self, i))
      memset (x + i * size, 0, size * sizeof (float));
}

/* What the words of a sequence, ids [m], are multiplied with; mask tokens may be 0 instead. */
static float
get_word_scale (const EngStackPass *self,
                const gint32       *ids)
{
  const EngEmbeddingSpec *spec = &self->spec->embedding;
  double scale = spec->scale != 0 ? spec->scale : 1;
  int n = 0, n_masks = 0;

  if (spec->mask_dropout == 0)
    return (float) scale;

  for (int i = 0; i < self->n; i++) {
    n += !is_hidden (self, i);
    n_masks += ids[i] == spec->mask_id;
  }
  return (float) (scale * (1 - spec->mask_dropout) / (1 - (double) n_masks / n));
}

/* rows [R, n_heads · d] of queries or keys in place, where they are normed. */
static void
norm_heads (const EngStackPass *self,
            int                 layer,
            const EngNorm      *norm,
            int                 n_heads,
            float              *rows)
{
  const EngLayerSpec *spec = eng_stack_spec_get_layer (self->stack, layer);
  gboolean apart = spec->self.qk_norm == ENG_QK_NORM_HEAD;
  EngRows all = { count_rows (self) * (apart ? n_heads : 1),
                  spec->self.head_size * (apart ? 1 : n_heads), self->cancel };

  if (spec->self.qk_norm != ENG_QK_NORM_NONE)
    eng_rows_add_norm (&all, &spec->norm, norm, rows, NULL, rows);
}

/* x [R, D] in place; 0 = none, as 1. */
static void
scale_rows (const EngStackPass *self,
            double              factor,
            float              *x)
{
  EngRows rows = { count_rows (self), self->spec->hidden_size, self->cancel };

  if (factor != 0)
    eng_rows_scale (&rows, (float) factor, x);
}

/* x [R, D] = scale · word + position + type + language, then the norm where there is one; of tables of another
 * width through [R, E] and the projection, behind which the norm may stand. */
static void
embed (const EngStackPass *self,
       float              *x)
{
  const EngEmbeddingSpec *spec = &self->spec->embedding;
  const EngStackWeights *weights = self->weights;
  gsize size = eng_spec_get_embedding_size (self->spec);
  float *rows = self->embedded != NULL ? self->embedded : x;
  float scale = 1;
  EngInterventions edits = eng_stack_get_interventions (self, self->kind, 0);
  gboolean placed = !eng_interventions_drop_positions (&edits, 0);
  gboolean typed = self->type_ids != NULL && !eng_interventions_drop_segments (&edits);
  EngProduct project = { &weights->projection, x };

  for (int i = 0; i < count_rows (self); i++) {
    float *row = rows + i * size;
    int type = typed ? self->type_ids[i] : 0;
    gboolean masked = spec->mask_dropout != 0 && self->ids[i] == spec->mask_id;

    if (i % self->n == 0)
      scale = get_word_scale (self, self->ids + i);
    memcpy (row, weights->word + self->ids[i] * size, size * sizeof (float));
    for (gsize column = 0; (masked || scale != 1) && column < size; column++)
      row[column] = masked ? 0 : row[column] * scale;
    if (weights->type != NULL)
      eng_add (row, weights->type + type * size, size, row);
    if (weights->position != NULL && placed)
      eng_add (row, weights->position + self->positions[i] * size, size, row);
    if (weights->language != NULL && self->languages != NULL)
      eng_add (row, weights->language + self->languages[i] * size, size, row);
  }
  if (spec->has_norm && !spec->projects_first)
    norm_embeddings (self, (int) size, rows);
  if (self->embedded != NULL)
    eng_products (&project, 1, rows, count_rows (self), ENG_ACTIVATION_LINEAR, self->products,
                  self->cancel);
  if (spec->has_norm && spec->projects_first)
    norm_embeddings (self, self->spec->hidden_size, x);
  if (spec->hides_padding)
    hide_padding (self, x);
}

/* Where the projection of the new rows of a layer goes: into the sequence's kept rows when there is
 * one sequence that keeps them, else to scratch. */
static float *
get_destination (const EngStackPass *self,
                 float              *kept,
                 float              *scratch,
                 int                 layer,
                 int                 size)
{
  if (self->n_sequences > 1 || kept == NULL)
    return scratch;

  return kept + ((gsize) layer * self->rows[0].capacity + self->n_past) * size;
}

/* Rows of several sequences, from scratch [B, m, size] behind the kept ones of each. */
static void
scatter_rows (const EngStackPass *self,
              int                 layer,
              int                 size,
              const float        *keys,
              const float        *values)
{
  gsize n = (gsize) self->n * size;

  for (int i = 0; i < self->n_sequences && self->n_sequences > 1; i++) {
    const EngStackRows *rows = &self->rows[i];
    gsize place = ((gsize) layer * rows->capacity + self->n_past) * size;

    memcpy (rows->keys + place, keys + i * n, n * sizeof (float));
    memcpy (rows->values + place, values + i * n, n * sizeof (float));
  }
}

static void
turn_rows (const EngStackPass *self,
           int                 layer,
           int                 n_heads,
           float              *rows)
{
  const EngAttentionSpec *heads = &eng_stack_spec_get_layer (self->stack, layer)->self;
  EngInterventions edits = eng_stack_get_interventions (self, self->kind, 0);

  if (heads->rotary.size > 0 && !eng_interventions_drop_positions (&edits, layer))
    eng_rotary_turn (&heads->rotary, self->turns[self->stack->sort_of_layer[layer]],
                     count_rows (self), n_heads, heads->head_size,
                     (gsize) n_heads * heads->head_size, rows);
}

/* What the heads of every sequence read: context [R, H·d]; kept [H, m, keys] or NULL. */
static void
read_heads (const EngStackPass  *self,
            EngKind              kind,
            const EngBlockTrace *blocks,
            int                  layer,
            float               *kept)
{
  gsize size = (gsize) self->n *
               eng_attention_spec_get_size (eng_stack_spec_get_heads (self->stack));

  for (int i = 0; i < self->n_sequences; i++) {
    EngInterventions edits = eng_stack_get_interventions (self, kind, i);

    eng_attention_read (&blocks[i], layer, &edits, kept, self->heads, self->context + i * size,
                        self->cancel);
  }
}

static void
merge_heads (const EngStackPass *self,
             const EngLinear    *linear,
             float              *output)
{
  EngProduct merge = { linear, output };

  eng_products (&merge, 1, self->context, count_rows (self), ENG_ACTIVATION_LINEAR,
                self->products, self->cancel);
}

/* x [R, D] → output [R, D] = (for each head α · V) · W_Oᵀ + b_O */
static void
attention (const EngStackPass *self,
           int                 layer,
           const float        *x,
           float              *output)
{
  const EngAttentionWeights *weights = &self->weights->layers[layer].self;
  const EngAttentionSpec *heads = &eng_stack_spec_get_layer (self->stack, layer)->self;
  const EngStackRows *rows = &self->rows[0];
  int size = eng_attention_spec_get_size (heads);
  int kv_size = eng_attention_spec_get_kv_size (heads);
  gsize n_weights = (gsize) heads->n_heads * self->n * (self->n_past + self->n);
  EngProduct projections[] = {
    { &weights->query,
      get_destination (self, rows->queries, self->projected[0], layer, size) },
    { &weights->key, get_destination (self, rows->keys, self->projected[1], layer, kv_size) },
    { &weights->value, get_destination (self, rows->values, self->projected[2], layer, kv_size) },
  };

  eng_products (projections, G_N_ELEMENTS (projections), x, count_rows (self),
                ENG_ACTIVATION_LINEAR, self->products, self->cancel);
  eng_stack_share_queries (self, self->kind, layer, x, projections[0].y);
  eng_stack_share_keys (self, layer, x, projections[1].y, projections[2].y);
  norm_heads (self, layer, &weights->query_norm, heads->n_heads, projections[0].y);
  norm_heads (self, layer, &weights->key_norm, heads->n_kv_heads, projections[1].y);
  turn_rows (self, layer, heads->n_heads, projections[0].y);
  turn_rows (self, layer, heads->n_kv_heads, projections[1].y);
  eng_stack_zero_dimensions (self, self->kind, layer, heads, projections[0].y, projections[1].y);
  scatter_rows (self, layer, kv_size, projections[1].y, projections[2].y);
  eng_stack_project_positions (self, layer);
  read_heads (self, self->kind, self->blocks, layer,
              self->attention != NULL ? self->attention + layer * n_weights : NULL);
  merge_heads (self, &weights->output, output);
}

/* The same over the encoder's keys and values. */
static void
cross_attention (const EngStackPass *self,
                 int                 layer,
                 const float        *x,
                 float              *output)
{
  const EngAttentionWeights *weights = &self->weights->layers[layer].cross;
  const EngAttentionSpec *heads = &eng_stack_spec_get_layer (self->stack, layer)->cross;
  int size = eng_attention_spec_get_size (heads);
  gsize n_weights = (gsize) heads->n_heads * self->n * self->cross->n;
  EngProduct projection = {
    &weights->query,
    get_destination (self, self->rows[0].cross_queries, self->projected[0], layer, size)
  };

  eng_products (&projection, 1, x, count_rows (self), ENG_ACTIVATION_LINEAR, self->products,
                self->cancel);
  eng_stack_share_queries (self, ENG_KIND_CROSS, layer, x, projection.y);
  eng_stack_zero_dimensions (self, ENG_KIND_CROSS, layer, heads, projection.y, NULL);
  read_heads (self, ENG_KIND_CROSS, self->cross_blocks, layer,
              self->cross_attention != NULL ? self->cross_attention + layer * n_weights : NULL);
  merge_heads (self, &weights->output, output);
}

/* x [R, D] → output [R, D] = activation (x · W_1ᵀ + b_1) · W_2ᵀ + b_2, or, gated,
 * (activation (x · W_gᵀ + b_g) ⊙ (x · W_1ᵀ + b_1)) · W_2ᵀ + b_2 */
static void
feed_forward (const EngStackPass *self,
              int                 layer,
              const float        *x,
              float              *output)
{
  const EngLayerWeights *weights = &self->weights->layers[layer];
  EngActivation activation =
    eng_stack_spec_get_layer (self->stack, layer)->feed_forward.activation;
  int n = count_rows (self);
  EngProduct gate = { &weights->gate, self->gate };
  EngProduct up = { &weights->up, self->up };
  EngProduct down = { &weights->down, output };
  EngRows rows = { n, weights->up.out, self->cancel };

  if (weights->gate.weight == NULL) {
    eng_product_pair (&weights->up, activation, &weights->down, x, n, self->products, output,
                      self->cancel);
    return;
  }
  eng_products (&gate, 1, x, n, activation, self->products, self->cancel);
  eng_products (&up, 1, x, n, ENG_ACTIVATION_LINEAR, self->products, self->cancel);
  eng_rows_gate (&rows, self->gate, self->up);
  eng_products (&down, 1, self->up, n, ENG_ACTIVATION_LINEAR, self->products, self->cancel);
}

typedef void (*SubLayer) (const EngStackPass *self,
                          int                 layer,
                          const float        *x,
                          float              *output);

/* One sub-layer with its residual connection and its norms: reads read, adds to x; all [R, D], y not
 * the same as the others. A sub-layer that an edit skips counts as 0, yet it is computed, because its
 * heads are shown. */
static void
residual_step (const EngStackPass *self,
               SubLayer            sub_layer,
               int                 layer,
               EngNormPlacement    placement,
               const EngNorm      *norm,
               const EngNorm      *output_norm,
               gboolean            skip,
               const float        *read,
               const float        *x,
               float              *y)
{
  gsize n_bytes = (gsize) count_rows (self) * self->spec->hidden_size * sizeof (float);
  const EngLayerSpec *layer_spec = eng_stack_spec_get_layer (self->stack, layer);
  const EngNormSpec *spec = &layer_spec->norm;
  const float *input = read;

  if (placement == ENG_NORM_PRE || placement == ENG_NORM_BOTH) {
    layer_norm (self, spec, norm, read, NULL, self->normed);
    input = self->normed;
  }
  sub_layer (self, layer, input, self->output);
  if (placement == ENG_NORM_MIXED)
    layer_norm (self, spec, norm, self->output, NULL, self->output);
  else if (placement == ENG_NORM_BOTH)
    layer_norm (self, spec, output_norm, self->output, NULL, self->output);
  scale_rows (self, layer_spec->residual_scale, self->output);

  if (placement == ENG_NORM_POST)
    layer_norm (self, spec, norm, x, skip ? NULL : self->output, y);
  else if (skip)
    memcpy (y, x, n_bytes);
  else
    layer_norm (self, spec, NULL, x, self->output, y);
}

/* x [R, D] → y [R, D] */
static void
transformer_layer (const EngStackPass *self,
                   int                 layer,
                   const float        *x,
                   float              *y)
{
  const EngLayerSpec *spec = eng_stack_spec_get_layer (self->stack, layer);
  const EngLayerWeights *weights = &self->weights->layers[layer];
  EngInterventions edits = eng_stack_get_interventions (self, self->kind, 0);
  EngInterventions cross_edits = eng_stack_get_interventions (self, ENG_KIND_CROSS, 0);
  const float *between = self->between[0];

  residual_step (self, attention, layer, spec->attention_norm, &weights->self.norm,
                 &weights->self.output_norm,
                 eng_interventions_skip (&edits, ENG_EDIT_SKIP_ATTENTION, layer),
                 x, x, self->between[0]);
  if (spec->cross.n_heads > 0) {
    residual_step (self, cross_attention, layer, spec->attention_norm, &weights->cross.norm,
                   &weights->cross.output_norm,
                   eng_interventions_skip (&cross_edits, ENG_EDIT_SKIP_ATTENTION, layer),
                   spec->parallel ? x : between, between, self->between[1]);
    between = self->between[1];
  }
  residual_step (self, feed_forward, layer, spec->feed_forward_norm, &weights->feed_forward_norm,
                 &weights->feed_forward_output_norm,
                 eng_interventions_skip (&edits, ENG_EDIT_SKIP_FEED_FORWARD, layer),
                 spec->parallel ? x : between, between, y);
}

/* Hidden states of the new rows before layer i, or after the last. */
static float *
get_stream (const EngStackPass *self,
            int                 i)
{
  return get_destination (self, self->rows[0].hidden_states, self->stream[i % 2], i,
                          self->spec->hidden_size);
}

/* What the first layer read, x [R, D], is convolved beside it:
 * y [R, D] = norm (y + convolution of x) · hidden. */
static void
add_convolution (const EngStackPass *self,
                 const float        *x,
                 float              *y)
{
  eng_stack_convolve (self, x);
  layer_norm (self, &self->spec->norm, &self->weights->convolution_norm, y, self->convolved, y);
  hide_padding (self, y);
}

/* Where the first layer finds what it reads. */
static void
begin (const EngStackPass *self)
{
  float *x = get_stream (self, self->first_layer);

  if (self->first_states != NULL)
    memcpy (x, self->first_states,
            (gsize) count_rows (self) * self->spec->hidden_size * sizeof (float));
  else
    embed (self, x);
}

static gboolean
is_cancelled (const EngStackPass *self)
{
  return self->cancel != NULL && g_atomic_int_get (self->cancel) != 0;
}

/* Floats of scratch for the products of all layers; *n_between (out) for those between the two of a
 * gated feed-forward, 0 where none is gated. */
static gsize
count_products (const EngStackPass *self,
                gsize              *n_between)
{
  int n = count_rows (self);
  int size = eng_attention_spec_get_size (eng_stack_spec_get_heads (self->stack));
  int widest = MAX (eng_spec_get_embedding_size (self->spec), size);
  gsize n_products = MAX (eng_products_n_scratch (n, widest),
                          eng_stack_n_head_scratch (self->spec, n));

  n_products = MAX (n_products, eng_stack_positions_n_scratch (self));
  n_products = MAX (n_products, eng_stack_convolution_n_scratch (self));
  *n_between = 0;
  for (int layer = 0; layer < self->stack->n_layers; layer++) {
    const EngFeedForwardSpec *spec = &eng_stack_spec_get_layer (self->stack, layer)->feed_forward;
    const EngLinear *up = &self->weights->layers[layer].up;

    n_products = MAX (n_products, eng_product_pair_n_scratch (n, up));
    if (!spec->gated)
      continue;
    n_products = MAX (n_products, eng_products_n_scratch (n, spec->intermediate_size));
    *n_between = MAX (*n_between, (gsize) n * spec->intermediate_size);
  }

  return n_products;
}

gsize
eng_stack_n_head_scratch (const EngSpec *spec,
                          int            n)
{
  EngLinear widest = { .in = spec->hidden_size, .out = eng_spec_get_head_size (spec) };
  gsize n_floats = eng_products_n_scratch (n, widest.out);

  for (int task = 0; task < ENG_N_TASKS; task++)
    if (spec->heads[task].has_residual)
      n_floats = MAX (n_floats, eng_product_pair_n_scratch (n, &widest));

  return n_floats;
}

void
eng_stack_lay_out_scratch (EngStackPass *self,
                           EngArena     *arena)
{
  const EngStackSpec *stack = self->stack;
  gsize size = eng_attention_spec_get_size (eng_stack_spec_get_heads (stack));
  gsize n = count_rows (self), n_hidden = n * self->spec->hidden_size;
  gsize n_heads = eng_attention_n_scratch (&self->blocks[0]);
  gsize n_between, n_products = count_products (self, &n_between);

  if (n_between > 0) {
    self->gate = eng_arena_floats (arena, n_between);
    self->up = eng_arena_floats (arena, n_between);
  }
  if (self->spec->embedding.size > 0)
    self->embedded = eng_arena_floats (arena, n * self->spec->embedding.size);
  if (self->cross_blocks != NULL)
    n_heads = MAX (n_heads, eng_attention_n_scratch (&self->cross_blocks[0]));

  for (int i = 0; i < 2; i++)
    self->stream[i] = eng_arena_floats (arena, n_hidden);
  for (int i = 0; i < 3; i++)
    self->projected[i] = eng_arena_floats (arena, n * size);
  self->normed = eng_arena_floats (arena, n_hidden);
  self->context = eng_arena_floats (arena, n * size);
  self->output = eng_arena_floats (arena, n_hidden);
  for (int i = 0; i < 2; i++)
    self->between[i] = eng_arena_floats (arena, n_hidden);
  for (int sort = 0; sort < ENG_MAX_LAYER_SORTS; sort++)
    if (eng_stack_spec_uses_sort (stack, sort) && stack->sorts[sort].self.rotary.size > 0)
      self->turns[sort] = eng_arena_floats (arena, n * stack->sorts[sort].self.rotary.size);
  eng_stack_lay_out_positions (self, arena);
  eng_stack_lay_out_convolution (self, arena);
  self->products = eng_arena_floats (arena, n_products);
  self->heads = eng_arena_floats (arena, n_heads);
}

void
eng_stack_read_encoder (const EngSpec          *spec,
                        const EngStackWeights  *weights,
                        const EngInterventions *edits,
                        const float            *states,
                        float                  *scratch,
                        const gint             *cancel,
                        EngCrossRows           *cross)
{
  const EngStackSpec *stack = &spec->stacks[ENG_KIND_DECODER];
  gsize size = (gsize) cross->n *
               eng_attention_spec_get_kv_size (eng_stack_spec_get_heads (stack));

  for (int layer = 0; layer < stack->n_layers; layer++) {
    const EngAttentionWeights *attention = &weights->layers[layer].cross;
    EngProduct projections[] = {
      { &attention->key, cross->keys + layer * size },
      { &attention->value, cross->values + layer * size },
    };

    eng_lazy_weights_need (weights->lazy, ENG_KIND_DECODER, layer);
    eng_products (projections, G_N_ELEMENTS (projections), states, cross->n,
                  ENG_ACTIVATION_LINEAR, scratch, cancel);
    eng_stack_share_cross_keys (spec, edits, layer, states, cross->n, projections[0].y,
                                projections[1].y);
  }
}

gboolean
eng_stack_run (EngStackPass *self)
{
  EngLazyWeights *lazy = self->weights->lazy;
  int n_layers = self->stack->n_layers;

  eng_lazy_weights_need (lazy, self->kind, -1);
  eng_stack_show (self);
  for (int sort = 0; sort < ENG_MAX_LAYER_SORTS; sort++)
    if (self->turns[sort] != NULL)
      eng_rotary_fill (&self->stack->sorts[sort].self.rotary, &self->stack->rotary_factors,
                       self->weights->frequencies,
                       self->positions, count_rows (self), self->n_past + self->n,
                       self->turns[sort]);
  eng_stack_begin_positions (self);
  begin (self);

  for (int layer = self->first_layer; layer < n_layers; layer++) {
    float *next = get_stream (self, layer + 1);

    eng_lazy_weights_need (lazy, self->kind, layer);
    transformer_layer (self, layer, get_stream (self, layer), next);
    if (layer == 0 && self->stack->convolution.kernel_size > 0)
      add_convolution (self, get_stream (self, 0), next);
    if (self->stack->hides_padding)
      hide_padding (self, next);
    if (layer == n_layers - 1)
      eng_lazy_weights_need (lazy, self->kind, n_layers);
    if (layer == n_layers - 1 && self->stack->final_norm)
      layer_norm (self, &self->spec->norm, &self->weights->final_norm, next, NULL, next);
    if (is_cancelled (self))
      return FALSE;
    if (self->layer_done != NULL)
      self->layer_done (layer, self->data);
  }
  return TRUE;
}

const float *
eng_stack_get_output (const EngStackPass *self)
{
  return get_stream (self, self->stack->n_layers);
}
