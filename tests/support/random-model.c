/* SPDX-License-Identifier: MIT */
#include "tests/support/random-model.h"

#include <math.h>

typedef struct {
  EngWeights weights;
  GPtrArray *memory; /* of float* */
} RandomWeights;

static void
random_weights_free (gpointer data)
{
  RandomWeights *self = data;

  g_ptr_array_unref (self->memory);
  g_free (self);
}

/* n numbers of a uniform distribution with this deviation and mean. */
static const float *
fill (RandomWeights *self,
      guint32       *state,
      gsize          n,
      double         mean,
      double         deviation)
{
  float *numbers = g_new (float, n);
  float factor = (float) (deviation * sqrt (3));

  for (gsize i = 0; i < n; i++)
    numbers[i] = (float) mean + factor * test_random_uniform (state);
  g_ptr_array_add (self->memory, numbers);
  return numbers;
}

/* A layer whose outputs have this deviation when its inputs have 1. */
static EngLinear
fill_linear (RandomWeights *self,
             guint32       *state,
             int            out,
             int            in,
             double         gain)
{
  gboolean has_bias = test_random_range (state, 0, 5) > 0;

  return (EngLinear) {
    .weight = fill (self, state, (gsize) out * in, 0, gain / sqrt (in)),
    .bias = has_bias ? fill (self, state, out, 0, 0.3) : NULL,
    .out = out,
    .in = in,
  };
}

static EngNorm
fill_norm (RandomWeights *self,
           guint32       *state,
           const EngSpec *spec)
{
  gboolean has_bias = spec->norm_kind == ENG_NORM_LAYER;

  return (EngNorm) {
    .weight = fill (self, state, spec->hidden_size, 1, 0.2),
    .bias = has_bias ? fill (self, state, spec->hidden_size, 0, 0.2) : NULL,
  };
}

/* The deviation of what a sub-layer reads, and in *variance that of the residual stream before and
 * after it. A stream that no norm resets grows, and scores with it: beyond some tens a float's own
 * rounding would exceed the tolerance of the tests. */
static double
pass_sub_layer (EngNormPlacement  placement,
                double           *variance)
{
  double input = placement == ENG_NORM_PRE ? 1 : *variance;

  *variance = placement == ENG_NORM_POST ? 1 : *variance + 1;
  return sqrt (input);
}

/* x: deviation of what queries are made of, read: of what keys and values are made of. */
static void
fill_attention (RandomWeights       *self,
                guint32             *state,
                const EngSpec       *spec,
                const EngStackSpec  *stack,
                int                  layer,
                double               x,
                double               read,
                EngAttentionWeights *weights)
{
  int size = stack->n_heads * stack->head_size, kv_size = stack->n_kv_heads * stack->head_size;
  double scale = stack->scale_by_layer ? stack->scale / (layer + 1) : stack->scale;
  /* A query and a key with deviation g give scores with deviation g² · √d · scale. */
  double gain = sqrt (3 / (sqrt (stack->head_size) * scale));

  weights->query = fill_linear (self, state, size, spec->hidden_size, gain / x);
  weights->key = fill_linear (self, state, kv_size, spec->hidden_size, gain / read);
  weights->value = fill_linear (self, state, kv_size, spec->hidden_size, 1 / read);
  weights->output = fill_linear (self, state, spec->hidden_size, size, 1);
  weights->norm = fill_norm (self, state, spec);
}

/* source: deviation of the encoder's last hidden states. */
static void
fill_layer (RandomWeights      *self,
            guint32            *state,
            const EngSpec      *spec,
            const EngStackSpec *stack,
            int                 index,
            double              source,
            double             *variance,
            EngLayerWeights    *layer)
{
  int size = spec->hidden_size;
  double input = pass_sub_layer (spec->attention_norm, variance);

  fill_attention (self, state, spec, stack, index, input, input, &layer->self);
  if (stack->cross_attention)
    fill_attention (self, state, spec, stack, index,
                    pass_sub_layer (spec->attention_norm, variance), source, &layer->cross);
  input = pass_sub_layer (spec->feed_forward_norm, variance);
  if (spec->gated)
    layer->gate = fill_linear (self, state, stack->intermediate_size, size, 1.6 / input);
  layer->up = fill_linear (self, state, stack->intermediate_size, size,
                           spec->gated ? 0.6 / input : 1.6 / input);
  layer->down = fill_linear (self, state, size, stack->intermediate_size, 1);
  layer->feed_forward_norm = fill_norm (self, state, spec);
}

/* In *source the deviation of the last hidden states. */
static void
fill_stack (RandomWeights      *self,
            guint32            *state,
            const EngSpec      *spec,
            const EngStackSpec *stack,
            double             *source,
            EngStackWeights    *weights)
{
  gsize size = spec->hidden_size;
  double scale = spec->embedding_scale != 0 ? spec->embedding_scale : 1;
  double variance = spec->embedding_norm ? 1 : scale * scale + 0.3;

  weights->word = fill (self, state, stack->vocab_size * size, 0, 1);
  if (spec->positions != ENG_POSITIONS_NONE)
    weights->position = fill (self, state, spec->n_positions * size, 0, 0.5);
  if (spec->n_types > 0)
    weights->type = fill (self, state, spec->n_types * size, 0, 0.3);
  if (spec->relative_bias.n_buckets > 0)
    weights->relative_bias = fill (self, state, (gsize) spec->relative_bias.n_buckets *
                                                stack->n_heads, 0, 1);
  weights->embedding_norm = fill_norm (self, state, spec);
  weights->layers = g_new0 (EngLayerWeights, stack->n_layers);
  g_ptr_array_add (self->memory, weights->layers);
  for (int layer = 0; layer < stack->n_layers; layer++)
    fill_layer (self, state, spec, stack, layer, *source, &variance, &weights->layers[layer]);
  weights->final_norm = fill_norm (self, state, spec);
  *source = spec->final_norm ? 1 : sqrt (variance);
}

static void
fill_head (RandomWeights *self,
           guint32       *state,
           const EngSpec *spec,
           int            task)
{
  EngHeadWeights *head = &self->weights.heads[task];
  int size = spec->hidden_size;

  if (spec->heads[task].has_transform) {
    head->transform = fill_linear (self, state, size, size, 1.6);
    head->norm = fill_norm (self, state, spec);
  }
  head->output = fill_linear (self, state, spec->heads[task].n_classes, size, 1);
}

float
test_random_uniform (guint32 *state)
{
  *state = *state * 1664525u + 1013904223u;
  return (float) ((gint32) (*state >> 8) - (1 << 23)) / (1 << 23);
}

int
test_random_range (guint32 *state,
                   int      first,
                   int      last)
{
  *state = *state * 1664525u + 1013904223u;
  return first + (int) ((*state >> 10) % (guint32) (last - first + 1));
}

static void
draw_stack (EngStackSpec *stack,
            EngKind       kind,
            guint32      *state)
{
  int head_size = test_random_range (state, 1, 40);
  int n_groups = test_random_range (state, 1, 3);
  int n_heads = n_groups * test_random_range (state, 1, n_groups > 1 ? 3 : 5);

  *stack = (EngStackSpec) {
    .n_layers = test_random_range (state, 1, 3),
    .n_heads = n_heads,
    .n_kv_heads = test_random_range (state, 0, 1) ? n_groups : n_heads,
    .head_size = head_size,
    .intermediate_size = test_random_range (state, 1, 200),
    .vocab_size = test_random_range (state, 5, 60),
    .scale = test_random_range (state, 0, 4) == 0 ? 1 : 1 / sqrt (head_size),
    .scale_by_layer = test_random_range (state, 0, 4) == 0,
    .causal = kind == ENG_KIND_DECODER || test_random_range (state, 0, 5) == 0,
  };
  if (test_random_range (state, 0, 2) == 0) {
    stack->window = test_random_range (state, 1, 9);
    for (int layer = 0; layer < stack->n_layers; layer++)
      eng_stack_spec_set_windowed (stack, layer, test_random_range (state, 0, 1));
  }
}

/* An encoder, a decoder, or both, of which the second reads the first. */
static void
draw_stacks (EngSpec *spec,
             guint32 *state)
{
  int which = test_random_range (state, 0, 2);

  if (which != 1)
    draw_stack (&spec->stacks[ENG_KIND_ENCODER], ENG_KIND_ENCODER, state);
  if (which != 0)
    draw_stack (&spec->stacks[ENG_KIND_DECODER], ENG_KIND_DECODER, state);
  spec->stacks[ENG_KIND_DECODER].cross_attention = which == 2;
}

static void
draw_positions (EngSpec *spec,
                guint32 *state)
{
  static const int primes[] = { 11, 13, 17, 29, 53 };
  int largest = 40;

  spec->positions = test_random_range (state, ENG_POSITIONS_NONE, ENG_POSITIONS_SKIP_PADDING);
  spec->position_offset = test_random_range (state, 0, 2);
  if (spec->positions == ENG_POSITIONS_SKIP_PADDING)
    spec->position_offset++;
  spec->n_positions = 70 + spec->position_offset;

  for (int kind = 0; kind < ENG_N_STACKS; kind++)
    if (spec->stacks[kind].n_layers > 0)
      largest = MIN (largest, spec->stacks[kind].head_size);
  if (largest >= 4 && test_random_range (state, 0, 2) == 0)
    spec->rotary = (EngRotary) {
      .size = 2 * test_random_range (state, 2, largest / 2),
      .base = test_random_range (state, 0, 1) ? 10000 : 123.4,
      .scaling = test_random_range (state, ENG_ROTARY_PLAIN, ENG_ROTARY_BY_LENGTH),
      .factor = test_random_range (state, 2, 16) * 0.5,
      .low_frequency_factor = 1,
      .high_frequency_factor = test_random_range (state, 2, 4),
      .original_positions = test_random_range (state, 4, 40),
    };

  /* Primes, because then no border between two buckets is a whole number, on which it would depend
   * on the rounding of a logarithm to which side it falls. */
  if (test_random_range (state, 0, 3) == 0)
    spec->relative_bias = (EngRelativeBias) {
      .n_buckets = 2 * test_random_range (state, 2, 9),
      .max_distance = primes[test_random_range (state, 0, G_N_ELEMENTS (primes) - 1)],
    };
}

void
test_random_spec (EngSpec *spec,
                  guint32 *state)
{
  *spec = (EngSpec) {
    .hidden_size = test_random_range (state, 9, 130),
    .n_types = test_random_range (state, 0, 2),
    .embedding_scale = test_random_range (state, 0, 1) * test_random_range (state, 1, 6) * 0.5,
    .norm_kind = test_random_range (state, 0, 3) == 0 ? ENG_NORM_RMS : ENG_NORM_LAYER,
    .attention_norm = test_random_range (state, ENG_NORM_POST, ENG_NORM_MIXED),
    .feed_forward_norm = test_random_range (state, ENG_NORM_POST, ENG_NORM_MIXED),
    .norm_eps = test_random_range (state, 0, 1) ? 1e-12f : 1e-5f,
    .embedding_norm = test_random_range (state, 0, 2) > 0,
    .final_norm = test_random_range (state, 0, 1),
    .activation = test_random_range (state, ENG_ACTIVATION_GELU, ENG_ACTIVATION_LINEAR),
    .gated = test_random_range (state, 0, 2) == 0,
    .pad_id = test_random_range (state, -1, 4),
    .end_id = test_random_range (state, -1, 4),
  };
  draw_stacks (spec, state);
  draw_positions (spec, state);
  for (int task = 0; task < ENG_N_TASKS; task++)
    spec->heads[task] = (EngHeadSpec) {
      .present = test_random_range (state, 0, 2) > 0,
      .input = test_random_range (state, ENG_HEAD_POOLED, ENG_HEAD_END),
      .has_transform = test_random_range (state, 0, 1),
      .has_norm = test_random_range (state, 0, 1),
      .activation = test_random_range (state, ENG_ACTIVATION_GELU, ENG_ACTIVATION_LINEAR),
      .scale = test_random_range (state, 0, 2) * 0.4,
      .n_classes = test_random_range (state, 1, 70),
    };
}

EngModel *
test_random_model_new (const EngSpec  *spec,
                       guint32         seed,
                       EngWeights    **weights)
{
  RandomWeights *self = g_new0 (RandomWeights, 1);
  guint32 state = seed;
  double source = 1;

  self->memory = g_ptr_array_new_with_free_func (g_free);
  for (int kind = 0; kind < ENG_N_STACKS; kind++)
    if (spec->stacks[kind].n_layers > 0)
      fill_stack (self, &state, spec, &spec->stacks[kind], &source, &self->weights.stacks[kind]);
  self->weights.pooler = fill_linear (self, &state, spec->hidden_size, spec->hidden_size, 1);
  for (int task = 0; task < ENG_N_TASKS; task++)
    if (spec->heads[task].present)
      fill_head (self, &state, spec, task);

  if (weights != NULL)
    *weights = &self->weights;
  return eng_model_new_from_weights (spec, &self->weights, random_weights_free, self);
}

void
test_bert_base_spec (EngSpec *spec)
{
  *spec = (EngSpec) {
    .stacks[ENG_KIND_ENCODER] = {
      .n_layers = 12,
      .n_heads = 12,
      .n_kv_heads = 12,
      .head_size = 64,
      .intermediate_size = 3072,
      .vocab_size = 1000,
      .scale = 1 / 8.0,
    },
    .hidden_size = 768,
    .positions = ENG_POSITIONS_TABLE,
    .n_positions = 512,
    .n_types = 2,
    .norm_eps = 1e-12f,
    .embedding_norm = TRUE,
    .activation = ENG_ACTIVATION_GELU,
  };
}

EngTokens *
test_random_stack_tokens_new (const EngSpec *spec,
                              EngKind        kind,
                              int            n,
                              guint32        seed)
{
  EngTokens *tokens = eng_tokens_new (n);
  guint32 state = seed;

  for (int i = 0; i < n; i++) {
    tokens->texts[i] = g_strdup_printf ("t%d", i);
    tokens->pieces[i] = g_strdup (tokens->texts[i]);
    tokens->ids[i] = test_random_range (&state, 0, spec->stacks[kind].vocab_size - 1);
    if (spec->n_types > 0)
      tokens->type_ids[i] = test_random_range (&state, 0, spec->n_types - 1);
  }
  return tokens;
}

EngTokens *
test_random_tokens_new (const EngSpec *spec,
                        int            n,
                        guint32        seed)
{
  return test_random_stack_tokens_new (spec, eng_spec_get_first_kind (spec), n, seed);
}

void
test_set_padding (const EngSpec *spec,
                  EngTokens     *tokens,
                  int            token)
{
  tokens->padding[token] = 1;
  if (spec->pad_id >= 0)
    tokens->ids[token] = spec->pad_id;
}

EngTrace *
test_run_stacks (EngModel      *model,
                 EngTokens     *tokens,
                 EngTokens     *decoder_tokens,
                 const EngEdit *edits,
                 int            n_edits)
{
  g_autoptr (EngSession) session = eng_session_new (model);
  g_autoptr (GError) error = NULL;
  EngRunRequest request = {
    .tokens = tokens, .decoder_tokens = decoder_tokens, .edits = edits, .n_edits = n_edits,
    .tasks = (1u << ENG_N_TASKS) - 1, .all_positions = TRUE,
  };
  EngTrace *trace = eng_session_run (session, &request, &error);

  g_assert_no_error (error);
  return trace;
}

EngTrace *
test_run (EngModel      *model,
          EngTokens     *tokens,
          const EngEdit *edits,
          int            n_edits)
{
  return test_run_stacks (model, tokens, NULL, edits, n_edits);
}
