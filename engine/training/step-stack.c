/* SPDX-License-Identifier: MIT */
/* A stack of a step: its layers forward and backward. */
#include "engine/training/step-private.h"

#include "engine/kernels/random.h"
#include "engine/spec/positions.h"

/* Where numbers are dropped in a layer; each has a key of its own. */
typedef enum {
  SITE_WEIGHTS,
  SITE_ATTENTION,
  SITE_CROSS_WEIGHTS,
  SITE_CROSS,
  SITE_FEED_FORWARD,
  N_SITES
} Site;

/* A layer at work. */
typedef struct {
  EngStep               *step;
  EngStepStack          *stack;
  int                    number;
  const EngLayerSpec    *spec;
  const EngLayerWeights *weights;
  EngStepLayer          *layer;
  int                    n;      /* R */
} At;

static At
go_to (EngStep      *self,
       EngStepStack *stack,
       int           layer)
{
  return (At) {
    self, stack, layer, eng_stack_spec_get_layer (stack->spec, layer),
    &stack->weights->layers[layer], &stack->layers[layer], eng_step_stack_count_rows (self, stack),
  };
}

static EngDropout
get_dropout (const At *at,
             double    rate,
             Site      site)
{
  EngDropout dropout = { at->step->learns ? rate : 0, 0 };

  dropout.key = eng_random_key (at->stack->seed, (guint64) (at->number * N_SITES + (int) site + 1));

  return dropout;
}

static EngDropout
get_embedding_dropout (const EngStep      *self,
                       const EngStepStack *stack)
{
  return (EngDropout) { self->learns ? self->settings.embedding_dropout : 0,
                        eng_random_key (stack->seed, 0) };
}

/* The stack whose tokens an attention reads. */
static EngStepStack *
get_read (const At *at,
          gboolean  cross)
{
  return cross ? at->stack->memory : at->stack;
}

static EngAttentionShape
get_shape (const At *at,
           gboolean  cross)
{
  const EngAttentionSpec *heads = cross ? &at->spec->cross : &at->spec->self;
  const EngStepStack *read = get_read (at, cross);

  return (EngAttentionShape) {
    .n_sequences = at->step->batch->n_sequences,
    .n_queries = at->stack->n,
    .n_keys = read->n,
    .n_heads = heads->n_heads,
    .n_kv_heads = heads->n_kv_heads,
    .head_size = heads->head_size,
    .scale = (float) eng_attention_spec_get_scale (heads, at->number),
    .causal = heads->causal,
    .visible = read->visible,
    .dropout = get_dropout (at, at->step->settings.attention_dropout,
                            cross ? SITE_CROSS_WEIGHTS : SITE_WEIGHTS),
  };
}

/* Rows of a sub-layer that reads input; input is what the sub-layer before leaves. */
static EngStepRows
lay_out_rows (const At         *at,
              EngNormPlacement  placement,
              const float      *input)
{
  EngArena *arena = &at->step->arena;
  gsize size = (gsize) at->n * (gsize) at->step->spec->hidden_size;
  gboolean first = placement == ENG_NORM_PRE;
  EngStepRows rows = { .input = input };

  rows.read = first ? eng_arena_floats (arena, size) : NULL;
  rows.sum = eng_arena_floats (arena, size);
  rows.output = first ? rows.sum : eng_arena_floats (arena, size);

  return rows;
}

static EngStepAttention
lay_out_attention (const At    *at,
                   gboolean     cross,
                   const float *input)
{
  const EngAttentionSpec *heads = cross ? &at->spec->cross : &at->spec->self;
  EngArena *arena = &at->step->arena;
  const EngStepStack *read = get_read (at, cross);
  gsize n = (gsize) at->n, n_keys = (gsize) eng_step_stack_count_rows (at->step, read);
  gsize size = (gsize) eng_attention_spec_get_size (heads);
  gsize kv_size = (gsize) eng_attention_spec_get_kv_size (heads);

  return (EngStepAttention) {
    .rows = lay_out_rows (at, at->spec->attention_norm, input),
    .q = eng_arena_floats (arena, n * size),
    .k = eng_arena_floats (arena, n_keys * kv_size),
    .v = eng_arena_floats (arena, n_keys * kv_size),
    .weights = eng_arena_floats (arena, n * (gsize) read->n * (gsize) heads->n_heads),
    .context = eng_arena_floats (arena, n * size),
  };
}

static void
lay_out_layer (const At    *at,
               const float *input)
{
  EngArena *arena = &at->step->arena;
  EngStepLayer *layer = at->layer;
  gsize n_wide = (gsize) at->n * (gsize) at->spec->feed_forward.intermediate_size;

  *layer = (EngStepLayer) { .self = lay_out_attention (at, FALSE, input) };
  input = layer->self.rows.output;
  if (at->stack->memory) {
    layer->cross = lay_out_attention (at, TRUE, input);
    input = layer->cross.rows.output;
  }
  layer->feed_forward = lay_out_rows (at, at->spec->feed_forward_norm, input);
  layer->gate = at->spec->feed_forward.gated ? eng_arena_floats (arena, n_wide) : NULL;
  layer->up = eng_arena_floats (arena, n_wide);
  layer->active = eng_arena_floats (arena, n_wide);
}

static void
lay_out_turns (EngStep      *self,
               EngStepStack *stack)
{
  gsize largest = 0;

  for (int sort = 0; sort < ENG_MAX_LAYER_SORTS; sort++) {
    gsize n = (gsize) eng_step_stack_count_rows (self, stack) *
              (gsize) stack->spec->sorts[sort].self.rotary.size;

    stack->turns[sort] = n > 0 ? eng_arena_floats (&self->arena, n) : NULL;
    largest = MAX (largest, n);
  }
  stack->reversed = eng_arena_floats (&self->arena, largest);
}

void
eng_step_stack_lay_out (EngStep      *self,
                        EngStepStack *stack)
{
  EngArena *arena = &self->arena;
  gsize n = (gsize) eng_step_stack_count_rows (self, stack);
  gsize size = n * (gsize) self->spec->hidden_size;
  const float *x;

  stack->positions = eng_arena_take (arena, n * sizeof (gint32));
  lay_out_turns (self, stack);
  stack->embedded = eng_arena_floats (arena, size);
  stack->stream = self->spec->embedding.has_norm ? eng_arena_floats (arena, size)
                                                 : stack->embedded;
  x = stack->stream;
  for (int layer = 0; layer < stack->spec->n_layers; layer++) {
    At at = go_to (self, stack, layer);

    lay_out_layer (&at, x);
    x = at.layer->feed_forward.output;
  }
  stack->final = stack->spec->final_norm ? eng_arena_floats (arena, size) : NULL;
  stack->output = stack->final ? stack->final : x;
  stack->d = eng_arena_floats (arena, size);
}

gsize
eng_step_stack_n_scratch (const EngStep      *self,
                          const EngStepStack *stack)
{
  gsize n = 0;

  for (int layer = 0; layer < stack->spec->n_layers; layer++) {
    At at = go_to ((EngStep *) self, (EngStepStack *) stack, layer);
    EngAttentionShape own = get_shape (&at, FALSE);

    n = MAX (n, eng_piece_attention_n_scratch (&own));
    if (stack->memory) {
      EngAttentionShape cross = get_shape (&at, TRUE);

      n = MAX (n, eng_piece_attention_n_scratch (&cross));
    }
  }

  return n;
}

static void
fill_positions (EngStep      *self,
                EngStepStack *stack)
{
  int n = stack->n;

  for (int i = 0; i < self->batch->n_sequences; i++)
    eng_positions_fill (self->spec, stack->ids + i * n, n, stack->positions + i * n);
  for (int sort = 0; sort < ENG_MAX_LAYER_SORTS; sort++)
    if (stack->turns[sort] != NULL)
      eng_rotary_fill (&stack->spec->sorts[sort].self.rotary, &stack->spec->rotary_factors,
                       stack->weights->frequencies, stack->positions,
                       eng_step_stack_count_rows (self, stack), n, stack->turns[sort]);
}

static void
turn (const At    *at,
      const float *turns,
      float       *q,
      float       *k)
{
  const EngAttentionSpec *heads = &at->spec->self;

  eng_piece_turn (&at->step->pieces, &heads->rotary, turns, at->n, heads->n_heads,
                  heads->head_size, q);
  eng_piece_turn (&at->step->pieces, &heads->rotary, turns, at->n, heads->n_kv_heads,
                  heads->head_size, k);
}

/* x [R, D] → output [R, D] */
static void
attention (const At    *at,
           const float *x,
           float       *output)
{
  const EngPieces *pieces = &at->step->pieces;
  const EngAttentionWeights *weights = &at->weights->self;
  EngStepAttention *rows = &at->layer->self;
  EngAttentionShape shape = get_shape (at, FALSE);
  EngProduct projections[] = {
    { &weights->query, rows->q }, { &weights->key, rows->k }, { &weights->value, rows->v },
  };

  eng_piece_linears (pieces, projections, G_N_ELEMENTS (projections), x, at->n);
  if (at->spec->self.rotary.size > 0)
    turn (at, at->stack->turns[at->stack->spec->sort_of_layer[at->number]], rows->q, rows->k);
  eng_piece_attention (pieces, &shape, rows->q, rows->k, rows->v, at->step->heads, rows->weights,
                       rows->context);
  eng_piece_linear (pieces, &weights->output, rows->context, at->n, output);
}

/* The same of what the encoder left. */
static void
cross_attention (const At    *at,
                 const float *x,
                 float       *output)
{
  const EngPieces *pieces = &at->step->pieces;
  const EngAttentionWeights *weights = &at->weights->cross;
  const EngStepStack *memory = at->stack->memory;
  EngStepAttention *rows = &at->layer->cross;
  EngAttentionShape shape = get_shape (at, TRUE);
  EngProduct read[] = { { &weights->key, rows->k }, { &weights->value, rows->v } };

  eng_piece_linear (pieces, &weights->query, x, at->n, rows->q);
  eng_piece_linears (pieces, read, G_N_ELEMENTS (read), memory->output,
                     eng_step_stack_count_rows (at->step, memory));
  eng_piece_attention (pieces, &shape, rows->q, rows->k, rows->v, at->step->heads, rows->weights,
                       rows->context);
  eng_piece_linear (pieces, &weights->output, rows->context, at->n, output);
}

/* d [R, D] by the output → those of q, k, v */
static void
weigh_backward (const At    *at,
                gboolean     cross,
                const float *d,
                float       *dq,
                float       *dk,
                float       *dv)
{
  const EngPieces *pieces = &at->step->pieces;
  const EngLinear *output = cross ? &at->weights->cross.output : &at->weights->self.output;
  const EngStepAttention *rows = cross ? &at->layer->cross : &at->layer->self;
  EngAttentionShape shape = get_shape (at, cross);
  float *dcontext = at->step->d_heads[0];

  eng_piece_linear_backward (pieces, output, rows->context, d, at->n, FALSE, dcontext);
  eng_piece_attention_backward (pieces, &shape, rows->q, rows->k, rows->v, rows->weights, dcontext,
                                at->step->heads, dq, dk, dv);
}

/* d [R, D] by the output → dx [R, D] */
static void
attention_backward (const At    *at,
                    const float *x,
                    const float *d,
                    float       *dx)
{
  const EngPieces *pieces = &at->step->pieces;
  const EngAttentionWeights *weights = &at->weights->self;
  float *dq = at->step->d_heads[1], *dk = at->step->d_heads[2], *dv = at->step->d_heads[3];

  weigh_backward (at, FALSE, d, dq, dk, dv);
  if (at->spec->self.rotary.size > 0) {
    eng_piece_reverse_turns (at->stack->turns[at->stack->spec->sort_of_layer[at->number]], at->n,
                             at->spec->self.rotary.size, at->stack->reversed);
    turn (at, at->stack->reversed, dq, dk);
  }
  eng_piece_linear_backward (pieces, &weights->query, x, dq, at->n, FALSE, dx);
  eng_piece_linear_backward (pieces, &weights->key, x, dk, at->n, TRUE, dx);
  eng_piece_linear_backward (pieces, &weights->value, x, dv, at->n, TRUE, dx);
}

/* Every layer adds to the gradient of what the encoder left. */
static void
cross_attention_backward (const At    *at,
                          const float *x,
                          const float *d,
                          float       *dx)
{
  const EngPieces *pieces = &at->step->pieces;
  const EngAttentionWeights *weights = &at->weights->cross;
  EngStepStack *memory = at->stack->memory;
  float *dq = at->step->d_heads[1], *dk = at->step->d_heads[2], *dv = at->step->d_heads[3];
  int n_read = eng_step_stack_count_rows (at->step, memory);

  weigh_backward (at, TRUE, d, dq, dk, dv);
  eng_piece_linear_backward (pieces, &weights->query, x, dq, at->n, FALSE, dx);
  eng_piece_linear_backward (pieces, &weights->key, memory->output, dk, n_read, TRUE, memory->d);
  eng_piece_linear_backward (pieces, &weights->value, memory->output, dv, n_read, TRUE, memory->d);
}

static void
feed_forward (const At    *at,
              const float *x,
              float       *output)
{
  const EngPieces *pieces = &at->step->pieces;
  const EngFeedForwardSpec *spec = &at->spec->feed_forward;
  EngStepLayer *layer = at->layer;
  EngProduct inner[] = { { &at->weights->up, layer->up }, { &at->weights->gate, layer->gate } };

  eng_piece_linears (pieces, inner, spec->gated ? 2 : 1, x, at->n);
  eng_piece_activate (pieces, spec->activation, layer->gate, layer->up, at->n,
                      spec->intermediate_size, layer->active);
  eng_piece_linear (pieces, &at->weights->down, layer->active, at->n, output);
}

static void
feed_forward_backward (const At    *at,
                       const float *x,
                       const float *d,
                       float       *dx)
{
  const EngPieces *pieces = &at->step->pieces;
  const EngFeedForwardSpec *spec = &at->spec->feed_forward;
  const EngStepLayer *layer = at->layer;
  float *dup = at->step->d_wide[0], *dgate = at->step->d_wide[1];

  eng_piece_linear_backward (pieces, &at->weights->down, layer->active, d, at->n, FALSE, dup);
  eng_piece_activate_backward (pieces, spec->activation, layer->gate, layer->up, dup, at->n,
                               spec->intermediate_size, dgate, dup);
  eng_piece_linear_backward (pieces, &at->weights->up, x, dup, at->n, FALSE, dx);
  if (spec->gated)
    eng_piece_linear_backward (pieces, &at->weights->gate, x, dgate, at->n, TRUE, dx);
}

/* A sub-layer f with its residual connection and its norm. */
typedef struct {
  void              (*forward)  (const At *at, const float *x, float *output);
  void              (*backward) (const At *at, const float *x, const float *d, float *dx);
  EngNormPlacement    placement;
  const EngNorm      *norm;
  Site                site;
  const EngStepRows  *rows;
} SubLayer;

static SubLayer
get_attention (const At *at)
{
  return (SubLayer) {
    attention, attention_backward, at->spec->attention_norm, &at->weights->self.norm,
    SITE_ATTENTION, &at->layer->self.rows,
  };
}

static SubLayer
get_cross_attention (const At *at)
{
  return (SubLayer) {
    cross_attention, cross_attention_backward, at->spec->attention_norm, &at->weights->cross.norm,
    SITE_CROSS, &at->layer->cross.rows,
  };
}

static SubLayer
get_feed_forward (const At *at)
{
  return (SubLayer) {
    feed_forward, feed_forward_backward, at->spec->feed_forward_norm,
    &at->weights->feed_forward_norm, SITE_FEED_FORWARD, &at->layer->feed_forward,
  };
}

static void
run_sub_layer (const At *at,
               SubLayer  sub)
{
  const EngPieces *pieces = &at->step->pieces;
  const EngNormSpec *norm = &at->spec->norm;
  const EngStepRows *rows = sub.rows;
  float *branch = at->step->branch;
  EngDropout dropout = get_dropout (at, at->step->settings.hidden_dropout, sub.site);
  int n = at->n, size = at->step->spec->hidden_size;

  if (sub.placement == ENG_NORM_PRE)
    eng_piece_norm (pieces, norm, sub.norm, rows->input, n, size, rows->read);
  sub.forward (at, rows->read != NULL ? rows->read : rows->input, branch);
  eng_piece_drop (pieces, &dropout, branch, n, size, branch);
  eng_piece_add (pieces, rows->input, branch, n, size, rows->sum);
  if (sub.placement == ENG_NORM_POST)
    eng_piece_norm (pieces, norm, sub.norm, rows->sum, n, size, rows->output);
}

/* The stack's d by the output becomes that by the input. */
static void
run_sub_layer_backward (const At *at,
                        SubLayer  sub)
{
  const EngPieces *pieces = &at->step->pieces;
  const EngNormSpec *norm = &at->spec->norm;
  const EngStepRows *rows = sub.rows;
  float *branch = at->step->branch, *d = at->stack->d, *d_read = at->step->d_read;
  EngDropout dropout = get_dropout (at, at->step->settings.hidden_dropout, sub.site);
  int n = at->n, size = at->step->spec->hidden_size;

  if (sub.placement == ENG_NORM_POST)
    eng_piece_norm_backward (pieces, norm, sub.norm, rows->sum, d, n, size, d);
  eng_piece_drop (pieces, &dropout, d, n, size, branch);
  sub.backward (at, rows->read != NULL ? rows->read : rows->input, branch, d_read);
  if (sub.placement == ENG_NORM_PRE)
    eng_piece_norm_backward (pieces, norm, sub.norm, rows->input, d_read, n, size, d_read);
  eng_piece_add (pieces, d, d_read, n, size, d);
}

static double
get_scale (const EngStep *self)
{
  return self->spec->embedding.scale != 0 ? self->spec->embedding.scale : 1;
}

static void
embed (EngStep      *self,
       EngStepStack *stack)
{
  EngDropout dropout = get_embedding_dropout (self, stack);
  int n = eng_step_stack_count_rows (self, stack), size = self->spec->hidden_size;

  eng_piece_embed (&self->pieces, stack->weights, get_scale (self), stack->ids, stack->type_ids,
                   stack->positions, n, size, stack->embedded);
  if (self->spec->embedding.has_norm)
    eng_piece_norm (&self->pieces, &self->spec->norm, &stack->weights->embedding_norm,
                    stack->embedded, n, size, stack->stream);
  eng_piece_drop (&self->pieces, &dropout, stack->stream, n, size, stack->stream);
}

static void
embed_backward (EngStep      *self,
                EngStepStack *stack)
{
  EngDropout dropout = get_embedding_dropout (self, stack);
  int n = eng_step_stack_count_rows (self, stack), size = self->spec->hidden_size;

  if (eng_gradients_find (self->pieces.gradients, stack->weights->word) == NULL)
    return;
  eng_piece_drop (&self->pieces, &dropout, stack->d, n, size, stack->d);
  if (self->spec->embedding.has_norm)
    eng_piece_norm_backward (&self->pieces, &self->spec->norm, &stack->weights->embedding_norm,
                             stack->embedded, stack->d, n, size, stack->d);
  eng_piece_embed_backward (&self->pieces, stack->weights, get_scale (self), stack->ids,
                            stack->type_ids, stack->positions, stack->d, n, size);
}

/* What the final norm reads. */
static const float *
get_last_rows (const EngStepStack *stack)
{
  return stack->layers[stack->spec->n_layers - 1].feed_forward.output;
}

void
eng_step_stack_run (EngStep      *self,
                    EngStepStack *stack)
{
  fill_positions (self, stack);
  embed (self, stack);
  for (int layer = 0; layer < stack->spec->n_layers; layer++) {
    At at = go_to (self, stack, layer);

    run_sub_layer (&at, get_attention (&at));
    if (stack->memory)
      run_sub_layer (&at, get_cross_attention (&at));
    run_sub_layer (&at, get_feed_forward (&at));
  }
  if (stack->final != NULL)
    eng_piece_norm (&self->pieces, &self->spec->norm, &stack->weights->final_norm,
                    get_last_rows (stack), eng_step_stack_count_rows (self, stack),
                    self->spec->hidden_size, stack->final);
}

/* Layers that are not learnt, from the first on. */
static gboolean
is_frozen (const EngStep      *self,
           const EngStepStack *stack,
           int                 layer)
{
  return eng_gradients_find (self->pieces.gradients,
                             stack->weights->layers[layer].self.query.weight) == NULL;
}

void
eng_step_stack_run_backward (EngStep      *self,
                             EngStepStack *stack)
{
  if (stack->final != NULL)
    eng_piece_norm_backward (&self->pieces, &self->spec->norm, &stack->weights->final_norm,
                             get_last_rows (stack), stack->d,
                             eng_step_stack_count_rows (self, stack), self->spec->hidden_size,
                             stack->d);
  for (int layer = stack->spec->n_layers - 1; layer >= 0; layer--) {
    At at = go_to (self, stack, layer);

    if (is_frozen (self, stack, layer))
      return;
    run_sub_layer_backward (&at, get_feed_forward (&at));
    if (stack->memory)
      run_sub_layer_backward (&at, get_cross_attention (&at));
    run_sub_layer_backward (&at, get_attention (&at));
  }
  embed_backward (self, stack);
}
