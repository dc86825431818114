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

static void
fill_layer (RandomWeights   *self,
            guint32         *state,
            const EngSpec   *spec,
            double          *variance,
            EngLayerWeights *layer)
{
  int heads_size = spec->stacks[ENG_KIND_ENCODER].n_heads * spec->stacks[ENG_KIND_ENCODER].head_size;
  double input = pass_sub_layer (spec->attention_norm, variance);

  /* A query and a key with deviation g give scores with deviation g² · √d · scale. */
  double gain = sqrt (3 / (sqrt (spec->stacks[ENG_KIND_ENCODER].head_size) * spec->stacks[ENG_KIND_ENCODER].scale)) / input;

  layer->self.query = fill_linear (self, state, heads_size, spec->hidden_size, gain);
  layer->self.key = fill_linear (self, state, heads_size, spec->hidden_size, gain);
  layer->self.value = fill_linear (self, state, heads_size, spec->hidden_size, 1 / input);
  layer->self.output = fill_linear (self, state, spec->hidden_size, heads_size, 1);
  layer->self.norm = fill_norm (self, state, spec);
  input = pass_sub_layer (spec->feed_forward_norm, variance);
  layer->up = fill_linear (self, state, spec->stacks[ENG_KIND_ENCODER].intermediate_size, spec->hidden_size, 1.6 / input);
  layer->down = fill_linear (self, state, spec->hidden_size, spec->stacks[ENG_KIND_ENCODER].intermediate_size, 1);
  layer->feed_forward_norm = fill_norm (self, state, spec);
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

void
test_random_spec (EngSpec *spec,
                  guint32 *state)
{
  int head_size = test_random_range (state, 1, 40);

  *spec = (EngSpec) {
    .stacks[ENG_KIND_ENCODER] = {
      .n_layers = test_random_range (state, 1, 3),
      .n_heads = test_random_range (state, 1, 5),
      .head_size = head_size,
      .intermediate_size = test_random_range (state, 1, 200),
      .vocab_size = test_random_range (state, 5, 60),
      .scale = test_random_range (state, 0, 4) == 0 ? 1 : 1 / sqrt (head_size),
      .causal = test_random_range (state, 0, 2) == 0,
    },
    .hidden_size = test_random_range (state, 9, 130),
    .positions = ENG_POSITIONS_TABLE,
    .n_types = test_random_range (state, 0, 2),
    .norm_kind = test_random_range (state, 0, 3) == 0 ? ENG_NORM_RMS : ENG_NORM_LAYER,
    .attention_norm = test_random_range (state, ENG_NORM_POST, ENG_NORM_MIXED),
    .feed_forward_norm = test_random_range (state, ENG_NORM_POST, ENG_NORM_MIXED),
    .norm_eps = test_random_range (state, 0, 1) ? 1e-12f : 1e-5f,
    .embedding_norm = test_random_range (state, 0, 2) > 0,
    .final_norm = test_random_range (state, 0, 1),
    .activation = test_random_range (state, ENG_ACTIVATION_GELU, ENG_ACTIVATION_LINEAR),
    .position_offset = test_random_range (state, 0, 2),
  };
  spec->stacks[ENG_KIND_ENCODER].n_kv_heads = spec->stacks[ENG_KIND_ENCODER].n_heads;
  spec->n_positions = 70 + spec->position_offset;
  for (int task = 0; task < ENG_N_TASKS; task++)
    spec->heads[task] = (EngHeadSpec) {
      .present = test_random_range (state, 0, 2) > 0,
      .input = test_random_range (state, ENG_HEAD_POOLED, ENG_HEAD_TOKENS),
      .has_transform = test_random_range (state, 0, 1),
      .has_norm = test_random_range (state, 0, 1),
      .activation = test_random_range (state, ENG_ACTIVATION_GELU, ENG_ACTIVATION_LINEAR),
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
  int size = spec->hidden_size;
  double variance = spec->embedding_norm ? 1 : 1.3;

  self->memory = g_ptr_array_new_with_free_func (g_free);
  self->weights.stacks[ENG_KIND_ENCODER].word = fill (self, &state, (gsize) spec->stacks[ENG_KIND_ENCODER].vocab_size * size, 0, 1);
  self->weights.stacks[ENG_KIND_ENCODER].position = fill (self, &state, (gsize) spec->n_positions * size, 0, 0.5);
  if (spec->n_types > 0)
    self->weights.stacks[ENG_KIND_ENCODER].type = fill (self, &state, (gsize) spec->n_types * size, 0, 0.3);
  self->weights.stacks[ENG_KIND_ENCODER].embedding_norm = fill_norm (self, &state, spec);
  self->weights.stacks[ENG_KIND_ENCODER].layers = g_new0 (EngLayerWeights, spec->stacks[ENG_KIND_ENCODER].n_layers);
  g_ptr_array_add (self->memory, self->weights.stacks[ENG_KIND_ENCODER].layers);
  for (int layer = 0; layer < spec->stacks[ENG_KIND_ENCODER].n_layers; layer++)
    fill_layer (self, &state, spec, &variance, &self->weights.stacks[ENG_KIND_ENCODER].layers[layer]);
  self->weights.stacks[ENG_KIND_ENCODER].final_norm = fill_norm (self, &state, spec);
  self->weights.pooler = fill_linear (self, &state, size, size, 1);
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
test_random_tokens_new (const EngSpec *spec,
                        int            n,
                        guint32        seed)
{
  EngTokens *tokens = eng_tokens_new (n);
  guint32 state = seed;

  for (int i = 0; i < n; i++) {
    tokens->texts[i] = g_strdup_printf ("t%d", i);
    tokens->ids[i] = test_random_range (&state, 0, spec->stacks[ENG_KIND_ENCODER].vocab_size - 1);
    if (spec->n_types > 0)
      tokens->type_ids[i] = test_random_range (&state, 0, spec->n_types - 1);
  }
  return tokens;
}

EngTrace *
test_run (EngModel      *model,
          EngTokens     *tokens,
          const EngEdit *edits,
          int            n_edits)
{
  g_autoptr (EngSession) session = eng_session_new (model);
  g_autoptr (GError) error = NULL;
  EngRunRequest request = {
    .tokens = tokens, .edits = edits, .n_edits = n_edits,
    .tasks = (1u << ENG_N_TASKS) - 1, .all_positions = TRUE,
  };
  EngTrace *trace = eng_session_run (session, &request, &error);

  g_assert_no_error (error);
  return trace;
}
