/* SPDX-License-Identifier: MIT */
#include "engine/training/step-private.h"

#include <string.h>

#include "engine/kernels/random.h"
#include "engine/spec/positions.h"

/* Where numbers are dropped in a layer; each has a key of its own. */
typedef enum {
  SITE_WEIGHTS,
  SITE_ATTENTION,
  SITE_FEED_FORWARD,
  N_SITES
} Site;

static int
count_rows (const EngStep *self)
{
  return self->batch->n_sequences * self->batch->n;
}

static const EngLayerSpec *
get_layer_spec (const EngStep *self,
                int            layer)
{
  return eng_stack_spec_get_layer (self->stack, layer);
}

static EngDropout
get_dropout (const EngStep *self,
             double         rate,
             int            layer,
             Site           site)
{
  EngDropout dropout = { self->learns ? rate : 0, 0 };

  dropout.key = eng_random_key (self->seed, (guint64) (layer * N_SITES + (int) site + 1));

  return dropout;
}

static EngDropout
get_embedding_dropout (const EngStep *self)
{
  return (EngDropout) { self->learns ? self->settings.embedding_dropout : 0,
                        eng_random_key (self->seed, 0) };
}

static EngAttentionShape
get_shape (const EngStep *self,
           int            layer)
{
  const EngAttentionSpec *heads = &get_layer_spec (self, layer)->self;

  return (EngAttentionShape) {
    .n_sequences = self->batch->n_sequences,
    .n_queries = self->batch->n,
    .n_keys = self->batch->n,
    .n_heads = heads->n_heads,
    .n_kv_heads = heads->n_kv_heads,
    .head_size = heads->head_size,
    .scale = (float) eng_attention_spec_get_scale (heads, layer),
    .causal = heads->causal,
    .visible = self->batch->visible,
    .dropout = get_dropout (self, self->settings.attention_dropout, layer, SITE_WEIGHTS),
  };
}

static void
lay_out_layer (EngStep *self,
               int      layer)
{
  const EngLayerSpec *spec = get_layer_spec (self, layer);
  EngArena *arena = &self->arena;
  EngStepLayer *rows = &self->layers[layer];
  gsize n = (gsize) count_rows (self), size = (gsize) self->spec->hidden_size;
  gsize heads_size = (gsize) eng_attention_spec_get_size (&spec->self);
  gsize kv_size = (gsize) eng_attention_spec_get_kv_size (&spec->self);
  gsize wide = (gsize) spec->feed_forward.intermediate_size;
  gboolean attention_first = spec->attention_norm == ENG_NORM_PRE;
  gboolean feed_forward_first = spec->feed_forward_norm == ENG_NORM_PRE;

  *rows = (EngStepLayer) {
    .attention_read = attention_first ? eng_arena_floats (arena, n * size) : NULL,
    .q = eng_arena_floats (arena, n * heads_size),
    .k = eng_arena_floats (arena, n * kv_size),
    .v = eng_arena_floats (arena, n * kv_size),
    .weights = eng_arena_floats (arena, n * (gsize) self->batch->n * (gsize) spec->self.n_heads),
    .context = eng_arena_floats (arena, n * heads_size),
    .attention_sum = eng_arena_floats (arena, n * size),
    .feed_forward_read = feed_forward_first ? eng_arena_floats (arena, n * size) : NULL,
    .gate = spec->feed_forward.gated ? eng_arena_floats (arena, n * wide) : NULL,
    .up = eng_arena_floats (arena, n * wide),
    .active = eng_arena_floats (arena, n * wide),
    .feed_forward_sum = eng_arena_floats (arena, n * size),
  };
  rows->middle = attention_first ? rows->attention_sum : eng_arena_floats (arena, n * size);
  rows->output = feed_forward_first ? rows->feed_forward_sum : eng_arena_floats (arena, n * size);
}

/* The widest rows of all layers. */
static int
get_widest (const EngStep *self,
            gboolean       heads)
{
  int widest = 0;

  for (int layer = 0; layer < self->stack->n_layers; layer++) {
    const EngLayerSpec *spec = get_layer_spec (self, layer);

    widest = MAX (widest, heads ? eng_attention_spec_get_size (&spec->self)
                                : spec->feed_forward.intermediate_size);
  }

  return widest;
}

static void
lay_out_turns (EngStep *self)
{
  gsize largest = 0;

  for (int sort = 0; sort < ENG_MAX_LAYER_SORTS; sort++) {
    gsize n = (gsize) count_rows (self) * (gsize) self->stack->sorts[sort].self.rotary.size;

    self->turns[sort] = n > 0 ? eng_arena_floats (&self->arena, n) : NULL;
    largest = MAX (largest, n);
  }
  self->reversed = eng_arena_floats (&self->arena, largest);
}

static void
lay_out (EngStep *self)
{
  EngArena *arena = &self->arena;
  gsize n = (gsize) count_rows (self), size = (gsize) self->spec->hidden_size;
  int wide = get_widest (self, FALSE), heads = get_widest (self, TRUE);
  int widest = MAX (MAX (wide, heads), self->spec->hidden_size);
  gsize n_scratch = 0;

  self->positions = eng_arena_take (arena, n * sizeof (gint32));
  lay_out_turns (self);
  self->embedded = eng_arena_floats (arena, n * size);
  self->stream = self->spec->embedding.has_norm ? eng_arena_floats (arena, n * size)
                                                : self->embedded;
  for (int layer = 0; layer < self->stack->n_layers; layer++) {
    EngAttentionShape shape = get_shape (self, layer);

    lay_out_layer (self, layer);
    n_scratch = MAX (n_scratch, eng_piece_attention_n_scratch (&shape));
  }
  self->final = self->stack->final_norm ? eng_arena_floats (arena, n * size) : NULL;
  self->heads = eng_arena_floats (arena, n_scratch);
  self->branch = eng_arena_floats (arena, n * size);
  self->d = eng_arena_floats (arena, n * size);
  self->d_read = eng_arena_floats (arena, n * size);
  for (int i = 0; i < 4; i++)
    self->d_heads[i] = eng_arena_floats (arena, n * (gsize) heads);
  for (int i = 0; i < 2; i++)
    self->d_wide[i] = eng_arena_floats (arena, n * (gsize) wide);
  eng_pieces_lay_out (&self->pieces, (int) n, widest, widest, arena);
  eng_step_head_lay_out (self);
}

static void
fill_positions (EngStep *self)
{
  int n = self->batch->n;

  for (int i = 0; i < self->batch->n_sequences; i++)
    eng_positions_fill (self->spec, self->batch->ids + i * n, n, self->positions + i * n);
  for (int sort = 0; sort < ENG_MAX_LAYER_SORTS; sort++)
    if (self->turns[sort] != NULL)
      eng_rotary_fill (&self->stack->sorts[sort].self.rotary, &self->stack->rotary_factors,
                       self->weights->frequencies, self->positions, count_rows (self), n,
                       self->turns[sort]);
}

static void
turn (const EngStep *self,
      int            layer,
      const float   *turns,
      float         *q,
      float         *k)
{
  const EngAttentionSpec *heads = &get_layer_spec (self, layer)->self;

  if (heads->rotary.size == 0)
    return;
  eng_piece_turn (&self->pieces, &heads->rotary, turns, count_rows (self), heads->n_heads,
                  heads->head_size, q);
  eng_piece_turn (&self->pieces, &heads->rotary, turns, count_rows (self), heads->n_kv_heads,
                  heads->head_size, k);
}

/* x [R, D] → output [R, D] */
static void
attention (EngStep     *self,
           int          layer,
           const float *x,
           float       *output)
{
  const EngAttentionWeights *weights = &self->weights->layers[layer].self;
  EngAttentionShape shape = get_shape (self, layer);
  EngStepLayer *rows = &self->layers[layer];
  EngProduct projections[] = {
    { &weights->query, rows->q }, { &weights->key, rows->k }, { &weights->value, rows->v },
  };
  int n = count_rows (self);

  eng_piece_linears (&self->pieces, projections, G_N_ELEMENTS (projections), x, n);
  turn (self, layer, self->turns[self->stack->sort_of_layer[layer]], rows->q, rows->k);
  eng_piece_attention (&self->pieces, &shape, rows->q, rows->k, rows->v, self->heads,
                       rows->weights, rows->context);
  eng_piece_linear (&self->pieces, &weights->output, rows->context, n, output);
}

/* d [R, D] by the output → dx [R, D] */
static void
attention_backward (EngStep     *self,
                    int          layer,
                    const float *x,
                    const float *d,
                    float       *dx)
{
  const EngAttentionWeights *weights = &self->weights->layers[layer].self;
  EngAttentionShape shape = get_shape (self, layer);
  const EngStepLayer *rows = &self->layers[layer];
  float *dcontext = self->d_heads[0];
  float *dq = self->d_heads[1], *dk = self->d_heads[2], *dv = self->d_heads[3];
  int sort = self->stack->sort_of_layer[layer], n = count_rows (self);

  eng_piece_linear_backward (&self->pieces, &weights->output, rows->context, d, n, FALSE, dcontext);
  eng_piece_attention_backward (&self->pieces, &shape, rows->q, rows->k, rows->v, rows->weights,
                                dcontext, self->heads, dq, dk, dv);
  if (self->turns[sort] != NULL)
    eng_piece_reverse_turns (self->turns[sort], n, self->stack->sorts[sort].self.rotary.size,
                             self->reversed);
  turn (self, layer, self->reversed, dq, dk);
  eng_piece_linear_backward (&self->pieces, &weights->query, x, dq, n, FALSE, dx);
  eng_piece_linear_backward (&self->pieces, &weights->key, x, dk, n, TRUE, dx);
  eng_piece_linear_backward (&self->pieces, &weights->value, x, dv, n, TRUE, dx);
}

static void
feed_forward (EngStep     *self,
              int          layer,
              const float *x,
              float       *output)
{
  const EngFeedForwardSpec *spec = &get_layer_spec (self, layer)->feed_forward;
  const EngLayerWeights *weights = &self->weights->layers[layer];
  EngStepLayer *rows = &self->layers[layer];
  EngProduct inner[] = { { &weights->up, rows->up }, { &weights->gate, rows->gate } };
  int n = count_rows (self);

  eng_piece_linears (&self->pieces, inner, spec->gated ? 2 : 1, x, n);
  eng_piece_activate (&self->pieces, spec->activation, rows->gate, rows->up, n,
                      spec->intermediate_size, rows->active);
  eng_piece_linear (&self->pieces, &weights->down, rows->active, n, output);
}

static void
feed_forward_backward (EngStep     *self,
                       int          layer,
                       const float *x,
                       const float *d,
                       float       *dx)
{
  const EngFeedForwardSpec *spec = &get_layer_spec (self, layer)->feed_forward;
  const EngLayerWeights *weights = &self->weights->layers[layer];
  const EngStepLayer *rows = &self->layers[layer];
  float *dup = self->d_wide[0], *dgate = self->d_wide[1];
  int n = count_rows (self);

  eng_piece_linear_backward (&self->pieces, &weights->down, rows->active, d, n, FALSE, dup);
  eng_piece_activate_backward (&self->pieces, spec->activation, rows->gate, rows->up, dup, n,
                               spec->intermediate_size, dgate, dup);
  eng_piece_linear_backward (&self->pieces, &weights->up, x, dup, n, FALSE, dx);
  if (spec->gated)
    eng_piece_linear_backward (&self->pieces, &weights->gate, x, dgate, n, TRUE, dx);
}

/* A sub-layer f with its residual connection and its norm. */
typedef struct {
  void           (*forward)  (EngStep *self, int layer, const float *x, float *output);
  void           (*backward) (EngStep *self, int layer, const float *x, const float *d, float *dx);
  EngNormPlacement placement;
  const EngNorm   *norm;
  Site             site;
  const float     *x;    /* what the residual connection reads */
  float           *read; /* what f reads, where a norm stands before it */
  float           *sum;
  float           *y;
} SubLayer;

static SubLayer
get_attention (const EngStep *self,
               int            layer)
{
  const EngStepLayer *rows = &self->layers[layer];

  return (SubLayer) {
    attention, attention_backward, get_layer_spec (self, layer)->attention_norm,
    &self->weights->layers[layer].self.norm, SITE_ATTENTION, rows->input, rows->attention_read,
    rows->attention_sum, rows->middle,
  };
}

static SubLayer
get_feed_forward (const EngStep *self,
                  int            layer)
{
  const EngStepLayer *rows = &self->layers[layer];

  return (SubLayer) {
    feed_forward, feed_forward_backward, get_layer_spec (self, layer)->feed_forward_norm,
    &self->weights->layers[layer].feed_forward_norm, SITE_FEED_FORWARD, rows->middle,
    rows->feed_forward_read, rows->feed_forward_sum, rows->output,
  };
}

static void
run_sub_layer (EngStep  *self,
               int       layer,
               SubLayer  sub)
{
  const EngNormSpec *norm = &get_layer_spec (self, layer)->norm;
  EngDropout dropout = get_dropout (self, self->settings.hidden_dropout, layer, sub.site);
  int n = count_rows (self), size = self->spec->hidden_size;

  if (sub.placement == ENG_NORM_PRE)
    eng_piece_norm (&self->pieces, norm, sub.norm, sub.x, n, size, sub.read);
  sub.forward (self, layer, sub.read != NULL ? sub.read : sub.x, self->branch);
  eng_piece_drop (&self->pieces, &dropout, self->branch, n, size, self->branch);
  eng_piece_add (&self->pieces, sub.x, self->branch, n, size, sub.sum);
  if (sub.placement == ENG_NORM_POST)
    eng_piece_norm (&self->pieces, norm, sub.norm, sub.sum, n, size, sub.y);
}

/* The step's d by y becomes that by x. */
static void
run_sub_layer_backward (EngStep  *self,
                        int       layer,
                        SubLayer  sub)
{
  const EngNormSpec *norm = &get_layer_spec (self, layer)->norm;
  EngDropout dropout = get_dropout (self, self->settings.hidden_dropout, layer, sub.site);
  int n = count_rows (self), size = self->spec->hidden_size;

  if (sub.placement == ENG_NORM_POST)
    eng_piece_norm_backward (&self->pieces, norm, sub.norm, sub.sum, self->d, n, size, self->d);
  eng_piece_drop (&self->pieces, &dropout, self->d, n, size, self->branch);
  sub.backward (self, layer, sub.read != NULL ? sub.read : sub.x, self->branch, self->d_read);
  if (sub.placement == ENG_NORM_PRE)
    eng_piece_norm_backward (&self->pieces, norm, sub.norm, sub.x, self->d_read, n, size,
                             self->d_read);
  eng_piece_add (&self->pieces, self->d, self->d_read, n, size, self->d);
}

static void
embed (EngStep *self)
{
  EngDropout dropout = get_embedding_dropout (self);
  int n = count_rows (self), size = self->spec->hidden_size;

  eng_piece_embed (&self->pieces, self->weights, self->batch->ids, self->batch->type_ids,
                   self->positions, n, size, self->embedded);
  if (self->spec->embedding.has_norm)
    eng_piece_norm (&self->pieces, &self->spec->norm, &self->weights->embedding_norm,
                    self->embedded, n, size, self->stream);
  eng_piece_drop (&self->pieces, &dropout, self->stream, n, size, self->stream);
}

static void
embed_backward (EngStep *self)
{
  EngDropout dropout = get_embedding_dropout (self);
  int n = count_rows (self), size = self->spec->hidden_size;

  if (eng_gradients_find (self->pieces.gradients, self->weights->word) == NULL)
    return;
  eng_piece_drop (&self->pieces, &dropout, self->d, n, size, self->d);
  if (self->spec->embedding.has_norm)
    eng_piece_norm_backward (&self->pieces, &self->spec->norm, &self->weights->embedding_norm,
                             self->embedded, self->d, n, size, self->d);
  eng_piece_embed_backward (&self->pieces, self->weights, self->batch->ids, self->batch->type_ids,
                            self->positions, self->d, n, size);
}

/* The last hidden states [R, D]. */
static const float *
run_forward (EngStep *self)
{
  const float *x = self->stream;

  fill_positions (self);
  embed (self);
  for (int layer = 0; layer < self->stack->n_layers; layer++) {
    self->layers[layer].input = x;
    run_sub_layer (self, layer, get_attention (self, layer));
    run_sub_layer (self, layer, get_feed_forward (self, layer));
    x = self->layers[layer].output;
  }
  if (self->final == NULL)
    return x;
  eng_piece_norm (&self->pieces, &self->spec->norm, &self->weights->final_norm, x,
                  count_rows (self), self->spec->hidden_size, self->final);

  return self->final;
}

/* Layers that are not learnt, from the first on. */
static gboolean
is_frozen (const EngStep *self,
           int            layer)
{
  return eng_gradients_find (self->pieces.gradients,
                             self->weights->layers[layer].self.query.weight) == NULL;
}

static void
run_backward (EngStep *self)
{
  if (self->final != NULL)
    eng_piece_norm_backward (&self->pieces, &self->spec->norm, &self->weights->final_norm,
                             self->layers[self->stack->n_layers - 1].output, self->d,
                             count_rows (self), self->spec->hidden_size, self->d);
  for (int layer = self->stack->n_layers - 1; layer >= 0; layer--) {
    if (is_frozen (self, layer))
      return;
    run_sub_layer_backward (self, layer, get_feed_forward (self, layer));
    run_sub_layer_backward (self, layer, get_attention (self, layer));
  }
  embed_backward (self);
}

EngStep *
eng_step_new (const EngSpec          *spec,
              const EngWeights       *weights,
              const EngGradients     *gradients,
              const EngStepSettings  *settings,
              GError                **error)
{
  const EngHeadSpec *head = &spec->heads[settings->task];
  EngKind kind = eng_spec_get_last_kind (spec);
  EngStep *self;

  if (!head->present || head->input == ENG_HEAD_MEAN || head->input == ENG_HEAD_END ||
      head->has_residual) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
                 "the model has no head of the task %s that can be trained, expected one that "
                 "reads tokens", eng_task_get_name (settings->task));
    return NULL;
  }

  self = g_new0 (EngStep, 1);
  self->spec = spec;
  self->stack = &spec->stacks[kind];
  self->weights = &weights->stacks[kind];
  self->head_spec = head;
  self->head_weights = &weights->heads[settings->task];
  self->pooler = head->input == ENG_HEAD_POOLED ? &weights->pooler : NULL;
  self->settings = *settings;
  self->pieces.gradients = gradients;
  self->head.pieces.gradients = gradients;
  self->layers = g_new0 (EngStepLayer, self->stack->n_layers);

  return self;
}

void
eng_step_free (EngStep *self)
{
  eng_arena_clear (&self->arena);
  g_free (self->layers);
  g_free (self);
}

static gboolean
prepare (EngStep         *self,
         const EngBatch  *batch,
         const gint      *cancel,
         GError         **error)
{
  int longest = eng_spec_get_max_positions (self->spec);

  if (self->spec->embedding.positions != ENG_POSITIONS_NONE && batch->n > longest) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                 "the texts have %d tokens, expected at most the %d that the model has positions "
                 "for", batch->n, longest);
    return FALSE;
  }

  self->batch = batch;
  self->pieces.cancel = cancel;
  self->head.pieces.cancel = cancel;
  self->head.n = eng_step_head_count (self);
  eng_arena_measure (&self->arena);
  lay_out (self);
  if (!eng_arena_allocate (&self->arena, error))
    return FALSE;
  lay_out (self);

  return TRUE;
}

gboolean
eng_step_run (EngStep         *self,
              const EngBatch  *batch,
              double           divisor,
              guint64          seed,
              const gint      *cancel,
              double          *loss,
              GError         **error)
{
  self->learns = TRUE;
  self->seed = seed;
  self->factor = 1 / divisor;
  if (!prepare (self, batch, cancel, error))
    return FALSE;
  *loss = eng_step_head_run (self, run_forward (self), self->d);
  run_backward (self);

  return TRUE;
}

gboolean
eng_step_evaluate (EngStep         *self,
                   const EngBatch  *batch,
                   const gint      *cancel,
                   double          *loss,
                   GError         **error)
{
  self->learns = FALSE;
  self->factor = 0;
  if (!prepare (self, batch, cancel, error))
    return FALSE;
  *loss = eng_step_head_run (self, run_forward (self), self->d);

  return TRUE;
}
