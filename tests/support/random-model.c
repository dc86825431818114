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
           EngNormKind    kind,
           int            size)
{
  gboolean has_bias = kind == ENG_NORM_LAYER && test_random_range (state, 0, 5) > 0;

  return (EngNorm) {
    .weight = fill (self, state, size, 1, 0.2),
    .bias = has_bias ? fill (self, state, size, 0, 0.2) : NULL,
  };
}

/* The deviation of what a sub-layer reads, read being the variance of the stream that it reads, and in
 * *variance that of the residual stream before and after it. A stream that no norm resets grows, and scores with it: beyond some tens a float's own
 * rounding would exceed the tolerance of the tests. */
static double
pass_sub_layer (EngNormPlacement  placement,
                double            read,
                double           *variance)
{
  double input = placement == ENG_NORM_PRE || placement == ENG_NORM_BOTH ? 1 : read;

  *variance = placement == ENG_NORM_POST ? 1 : *variance + 1;
  return sqrt (input);
}

/* x: deviation of what queries are made of, read: of what keys and values are made of. */
static void
fill_attention (RandomWeights          *self,
                guint32                *state,
                int                     hidden_size,
                const EngLayerSpec     *layer_spec,
                const EngAttentionSpec *heads,
                int                     layer,
                double                  x,
                double                  read,
                EngAttentionWeights    *weights)
{
  int size = eng_attention_spec_get_size (heads);
  int kv_size = eng_attention_spec_get_kv_size (heads);
  gboolean apart = heads->qk_norm == ENG_QK_NORM_HEAD;
  double scale = eng_attention_spec_get_scale (heads, layer);
  /* A query and a key with deviation g give scores with deviation g² · √d · scale. */
  double gain = sqrt (3 / (sqrt (heads->head_size) * scale));

  weights->query = fill_linear (self, state, size, hidden_size, gain / x);
  weights->key = fill_linear (self, state, kv_size, hidden_size, gain / read);
  weights->value = fill_linear (self, state, kv_size, hidden_size, 1 / read);
  weights->output = fill_linear (self, state, hidden_size, size, 1);
  weights->position_query = fill_linear (self, state, size, hidden_size, gain / 2);
  weights->position_key = fill_linear (self, state, size, hidden_size, gain / 2);
  weights->norm = fill_norm (self, state, layer_spec->norm.kind, hidden_size);
  weights->output_norm = fill_norm (self, state, layer_spec->norm.kind, hidden_size);
  if (heads->qk_norm == ENG_QK_NORM_NONE)
    return;
  weights->query_norm = fill_norm (self, state, layer_spec->norm.kind,
                                   apart ? heads->head_size : size);
  weights->key_norm = fill_norm (self, state, layer_spec->norm.kind,
                                 apart ? heads->head_size : kv_size);
}

/* source: deviation of the encoder's last hidden states. */
static void
fill_layer (RandomWeights      *self,
            guint32            *state,
            int                 size,
            const EngLayerSpec *layer_spec,
            int                 index,
            double              source,
            double             *variance,
            EngLayerWeights    *layer)
{
  int n_inner = layer_spec->feed_forward.intermediate_size;
  gboolean gated = layer_spec->feed_forward.gated;
  double whole = *variance;
  double input = pass_sub_layer (layer_spec->attention_norm, whole, variance);

  fill_attention (self, state, size, layer_spec, &layer_spec->self, index, input, input,
                  &layer->self);
  if (layer_spec->cross.n_heads > 0)
    fill_attention (self, state, size, layer_spec, &layer_spec->cross, index,
                    pass_sub_layer (layer_spec->attention_norm,
                                    layer_spec->parallel ? whole : *variance, variance),
                    source, &layer->cross);
  input = pass_sub_layer (layer_spec->feed_forward_norm,
                          layer_spec->parallel ? whole : *variance, variance);
  if (gated)
    layer->gate = fill_linear (self, state, n_inner, size, 1.6 / input);
  layer->up = fill_linear (self, state, n_inner, size, gated ? 0.6 / input : 1.6 / input);
  layer->down = fill_linear (self, state, size, n_inner, 1);
  layer->feed_forward_norm = fill_norm (self, state, layer_spec->norm.kind, size);
  layer->feed_forward_output_norm = fill_norm (self, state, layer_spec->norm.kind, size);
}

/* What few stacks have: a table of distances, a convolution. */
static void
fill_rare_parts (RandomWeights      *self,
                 guint32            *state,
                 const EngSpec      *spec,
                 const EngStackSpec *stack,
                 EngStackWeights    *weights)
{
  const EngConvolution *convolution = &stack->convolution;
  gsize n_rows = 2 * (gsize) stack->relative_positions.span;

  if (n_rows > 0) {
    weights->relative_positions = fill (self, state, n_rows * spec->hidden_size, 0, 1);
    weights->relative_norm = fill_norm (self, state, spec->norm.kind, spec->hidden_size);
  }
  if (convolution->kernel_size > 0) {
    int n_read = spec->hidden_size / convolution->n_groups * convolution->kernel_size;

    weights->convolution = fill_linear (self, state, spec->hidden_size, n_read, 1);
    weights->convolution_norm = fill_norm (self, state, spec->norm.kind, spec->hidden_size);
  }
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
  gsize size = eng_spec_get_embedding_size (spec);
  const EngEmbeddingSpec *embedding = &spec->embedding;
  double scale = embedding->scale != 0 ? embedding->scale : 1;
  double variance = embedding->has_norm ? 1 : scale * scale + 0.3;

  weights->word = fill (self, state, stack->vocab_size * size, 0, 1);
  if (embedding->positions != ENG_POSITIONS_NONE)
    weights->position = fill (self, state, embedding->n_positions * size, 0, 0.5);
  if (embedding->n_types > 0)
    weights->type = fill (self, state, embedding->n_types * size, 0, 0.3);
  if (embedding->n_languages > 0)
    weights->language = fill (self, state, embedding->n_languages * size, 0, 0.3);
  if (stack->relative_bias.n_buckets > 0)
    weights->relative_bias = fill (self, state, (gsize) stack->relative_bias.n_buckets *
                                                eng_stack_spec_get_heads (stack)->n_heads, 0, 1);
  if (stack->sorts[0].self.rotary.size > 0 && test_random_range (state, 0, 2) == 0)
    weights->frequencies = fill (self, state, stack->sorts[0].self.rotary.size / 2, 0.3, 0.17);
  weights->embedding_norm = fill_norm (self, state, spec->norm.kind,
                                       embedding->projects_first ? spec->hidden_size : (int) size);
  if (embedding->size > 0) {
    weights->projection = fill_linear (self, state, spec->hidden_size, embedding->size,
                                       1 / sqrt (variance));
    variance = 1;
  }
  fill_rare_parts (self, state, spec, stack, weights);
  weights->layers = g_new0 (EngLayerWeights, stack->n_layers);
  g_ptr_array_add (self->memory, weights->layers);
  for (int layer = 0; layer < stack->n_layers; layer++) {
    fill_layer (self, state, spec->hidden_size, eng_stack_spec_get_layer (stack, layer), layer,
                *source, &variance, &weights->layers[layer]);
    if (layer == 0 && stack->convolution.kernel_size > 0)
      variance = 1;
  }
  weights->final_norm = fill_norm (self, state, spec->norm.kind, spec->hidden_size);
  *source = stack->final_norm ? 1 : sqrt (variance);
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
    int read = size;

    size = spec->heads[task].size > 0 ? spec->heads[task].size : size;
    head->transform = fill_linear (self, state, size, read, 1.6);
    if (spec->heads[task].has_residual) {
      head->reduce = fill_linear (self, state, read, size, 1);
      size = read;
    }
    head->norm = fill_norm (self, state, spec->norm.kind, size);
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

/* The stack's own part of its layers; layer has what all layers of the model have in common. */
static void
draw_stack (EngStackSpec       *stack,
            const EngLayerSpec *layer,
            EngKind             kind,
            guint32            *state)
{
  int head_size = test_random_range (state, 1, 40);
  int n_groups = test_random_range (state, 1, 3);
  int n_heads = n_groups * test_random_range (state, 1, n_groups > 1 ? 3 : 5);
  EngLayerSpec *own = &stack->sorts[0];

  stack->n_layers = test_random_range (state, 1, 3);
  *own = *layer;
  own->self.n_heads = n_heads;
  own->self.n_kv_heads = test_random_range (state, 0, 1) ? n_groups : n_heads;
  own->self.head_size = head_size;
  own->feed_forward.intermediate_size = test_random_range (state, 1, 200);
  stack->vocab_size = test_random_range (state, 5, 60);
  own->self.scale = test_random_range (state, 0, 4) == 0 ? 1 : 1 / sqrt (head_size);
  own->self.scale_by_layer = test_random_range (state, 0, 4) == 0;
  own->self.causal = kind == ENG_KIND_DECODER || test_random_range (state, 0, 5) == 0;
  stack->sorts[1] = *own;
  if (test_random_range (state, 0, 2) == 0) {
    stack->sorts[1].self.window = test_random_range (state, 1, 9);
    for (int i = 0; i < stack->n_layers; i++)
      stack->sort_of_layer[i] = test_random_range (state, 0, 1);
  }
}

/* An encoder, a decoder, or both, of which the second reads the first. */
static void
draw_stacks (EngSpec            *spec,
             const EngLayerSpec *layer,
             guint32            *state)
{
  EngStackSpec *decoder = &spec->stacks[ENG_KIND_DECODER];
  int which = test_random_range (state, 0, 2);

  if (which != 1)
    draw_stack (&spec->stacks[ENG_KIND_ENCODER], layer, ENG_KIND_ENCODER, state);
  if (which != 0)
    draw_stack (decoder, layer, ENG_KIND_DECODER, state);
  for (int sort = 0; sort < 2 && which == 2; sort++)
    eng_layer_spec_cross (&decoder->sorts[sort]);
}

static EngRotary
draw_rotary (int      head_size,
             guint32 *state)
{
  if (head_size < 4 || test_random_range (state, 0, 2) != 0)
    return (EngRotary) { 0 };

  return (EngRotary) {
    .size = 2 * test_random_range (state, 2, head_size / 2),
    .base = test_random_range (state, 0, 1) ? 10000 : 123.4,
    .scaling = test_random_range (state, ENG_ROTARY_PLAIN, ENG_ROTARY_BY_RAMP),
    .factor = test_random_range (state, 2, 16) * 0.5,
    .low_frequency_factor = 1,
    .high_frequency_factor = test_random_range (state, 2, 4),
    .ramp_begin = test_random_range (state, 0, 3) * 0.6,
    .ramp_end = test_random_range (state, 4, 9) * 0.7,
    .original_positions = test_random_range (state, 4, 40),
    .attention_factor = test_random_range (state, 0, 3) * 0.4,
  };
}

/* Primes, because then no border between two buckets is a whole number, on which it would depend on
 * the rounding of a logarithm to which side it falls. */
static EngRelativeBias
draw_bias (guint32 *state)
{
  static const int primes[] = { 11, 13, 17, 29, 53 };

  if (test_random_range (state, 0, 3) != 0)
    return (EngRelativeBias) { 0 };

  return (EngRelativeBias) {
    .n_buckets = 2 * test_random_range (state, 2, 9),
    .max_distance = primes[test_random_range (state, 0, G_N_ELEMENTS (primes) - 1)],
  };
}

static void
draw_positions (EngSpec *spec,
                guint32 *state)
{
  EngEmbeddingSpec *embedding = &spec->embedding;
  EngRelativeBias bias;
  EngRotary rotary;
  int largest = 40;

  embedding->positions = test_random_range (state, ENG_POSITIONS_NONE,
                                            ENG_POSITIONS_SKIP_PADDING);
  embedding->position_offset = test_random_range (state, 0, 2);
  if (embedding->positions == ENG_POSITIONS_SKIP_PADDING)
    embedding->position_offset++;
  embedding->n_positions = 70 + embedding->position_offset;

  for (int kind = 0; kind < ENG_N_STACKS; kind++)
    if (spec->stacks[kind].n_layers > 0)
      largest = MIN (largest, eng_stack_spec_get_heads (&spec->stacks[kind])->head_size);
  rotary = draw_rotary (largest, state);
  bias = draw_bias (state);
  test_set_rotary (spec, &rotary);
  for (int kind = 0; kind < ENG_N_STACKS; kind++) {
    spec->stacks[kind].relative_bias = bias;
    for (int c = 0; c < 20; c++) {
      spec->stacks[kind].rotary_factors.within[c] = (float) test_random_range (state, 2, 9) * 0.3f;
      spec->stacks[kind].rotary_factors.beyond[c] = (float) test_random_range (state, 2, 60) * 0.5f;
    }
  }
}

/* What few families have. Of heads of few features a norm would multiply the rounding. */
static void
draw_rare_parts (EngStackSpec *stack,
                 guint32      *state)
{
  EngQkNorm qk_norm = test_random_range (state, 0, 2) == 0
                      ? (EngQkNorm) test_random_range (state, ENG_QK_NORM_HEAD, ENG_QK_NORM_ALL)
                      : ENG_QK_NORM_NONE;
  double residual_scale = test_random_range (state, 0, 2) == 0
                          ? test_random_range (state, 1, 5) * 0.3 : 0;
  double soft_cap = test_random_range (state, 0, 2) == 0 ? test_random_range (state, 1, 50) : 0;

  for (int sort = 0; sort < 2; sort++) {
    EngAttentionSpec *heads = &stack->sorts[sort].self;

    if (heads->head_size >= 4)
      heads->qk_norm = qk_norm;
    heads->soft_cap = soft_cap;
    stack->sorts[sort].residual_scale = residual_scale;
  }
}

/* What is computed in another order. The state is a copy: what is drawn behind it stays as it was. */
static void
draw_orders (EngStackSpec *stack,
             guint32       state)
{
  gboolean parallel = test_random_range (&state, 0, 2) == 0;
  gboolean adjacent = test_random_range (&state, 0, 1);

  for (int sort = 0; sort < 2; sort++) {
    stack->sorts[sort].parallel = parallel;
    stack->sorts[sort].self.rotary.adjacent = adjacent;
  }
}

/* Of a model that reads whole texts: rows that depend on the rows behind them cannot be kept. */
static void
draw_mask_dropout (EngSpec *spec,
                   guint32 *state)
{
  EngEmbeddingSpec *embedding = &spec->embedding;

  if (spec->stacks[ENG_KIND_DECODER].n_layers > 0 || test_random_range (state, 0, 1))
    return;
  embedding->mask_dropout = test_random_range (state, 1, 4) * 0.1;
  embedding->mask_id = test_random_range (state, 5, 9);
  embedding->hides_padding = test_random_range (state, 0, 1);
}

void
test_set_rotary (EngSpec         *spec,
                 const EngRotary *rotary)
{
  for (int kind = 0; kind < ENG_N_STACKS; kind++)
    for (int sort = 0; sort < ENG_MAX_LAYER_SORTS; sort++)
      spec->stacks[kind].sorts[sort].self.rotary = *rotary;
}

void
test_random_spec (EngSpec *spec,
                  guint32 *state)
{
  EngLayerSpec layer = { 0 };
  gboolean final_norm;

  *spec = (EngSpec) {
    .hidden_size = test_random_range (state, 9, 130),
    .embedding = {
      .size = test_random_range (state, 0, 1) * test_random_range (state, 5, 150),
      .n_types = test_random_range (state, 0, 2),
      .scale = test_random_range (state, 0, 1) * test_random_range (state, 1, 6) * 0.5,
    },
  };
  spec->norm.kind = test_random_range (state, 0, 3) == 0 ? ENG_NORM_RMS : ENG_NORM_LAYER;
  layer.attention_norm = test_random_range (state, ENG_NORM_POST, ENG_NORM_BOTH);
  layer.feed_forward_norm = test_random_range (state, ENG_NORM_POST, ENG_NORM_BOTH);
  spec->norm.eps = test_random_range (state, 0, 1) ? 1e-12f : 1e-5f;
  layer.norm = spec->norm;
  spec->embedding.has_norm = test_random_range (state, 0, 2) > 0;
  final_norm = test_random_range (state, 0, 1);
  /* Not the square of ReLU: where no norm follows, float32 is soon left behind. */
  layer.feed_forward.activation = test_random_range (state, ENG_ACTIVATION_GELU,
                                                     ENG_ACTIVATION_LINEAR);
  layer.feed_forward.gated = test_random_range (state, 0, 2) == 0;
  spec->pad_id = test_random_range (state, -1, 4);
  spec->end_id = test_random_range (state, -1, 4);
  draw_stacks (spec, &layer, state);
  draw_positions (spec, state);
  draw_mask_dropout (spec, state);
  for (int kind = 0; kind < ENG_N_STACKS; kind++) {
    spec->stacks[kind].final_norm = final_norm;
    spec->stacks[kind].hides_padding = spec->embedding.hides_padding;
  }
  for (int task = 0; task < ENG_N_TASKS; task++)
    spec->heads[task] = (EngHeadSpec) {
      .present = test_random_range (state, 0, 2) > 0,
      .input = test_random_range (state, ENG_HEAD_POOLED, ENG_HEAD_MEAN),
      .has_transform = test_random_range (state, 0, 1),
      .size = test_random_range (state, 0, 1) * test_random_range (state, 3, 150),
      .has_norm = test_random_range (state, 0, 1),
      .activation = test_random_range (state, ENG_ACTIVATION_GELU, ENG_ACTIVATION_LINEAR),
      .scale = test_random_range (state, 0, 2) * 0.4,
      .soft_cap = test_random_range (state, 0, 2) * 8,
      .n_classes = test_random_range (state, 1, 70),
    };
  for (int task = 0; task < ENG_N_TASKS; task++)
    spec->heads[task].has_residual = spec->heads[task].has_transform &&
                                     spec->heads[task].has_norm &&
                                     test_random_range (state, 0, 3) == 0;
  for (int kind = 0; kind < ENG_N_STACKS; kind++) {
    draw_rare_parts (&spec->stacks[kind], state);
    draw_orders (&spec->stacks[kind], *state);
  }
  test_draw_whole_text_parts (spec, state);
  spec->embedding.projects_first = test_random_range (state, 0, 1);
  /* Where nothing is written, which would be in a language of its own. */
  if (spec->stacks[ENG_KIND_DECODER].n_layers == 0 && spec->hidden_size % 3 == 0)
    spec->embedding.n_languages = 3;
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
    .hidden_size = 768,
    .embedding = {
      .positions = ENG_POSITIONS_TABLE,
      .n_positions = 512,
      .n_types = 2,
      .has_norm = TRUE,
    },
    .stacks[ENG_KIND_ENCODER] = {
      .n_layers = 12,
      .vocab_size = 1000,
      .sorts[0] = {
        .self = { .n_heads = 12, .n_kv_heads = 12, .head_size = 64, .scale = 1 / 8.0 },
        .feed_forward = { .intermediate_size = 3072, .activation = ENG_ACTIVATION_GELU },
        .norm.eps = 1e-12f,
      },
    },
    .norm.eps = 1e-12f,
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

  if (spec->embedding.n_languages > 0)
    tokens->languages = g_new (gint32, n);
  for (int i = 0; i < n; i++) {
    tokens->texts[i] = g_strdup_printf ("t%d", i);
    tokens->pieces[i] = g_strdup (tokens->texts[i]);
    tokens->ids[i] = test_random_range (&state, 0, spec->stacks[kind].vocab_size - 1);
    if (spec->embedding.n_types > 0)
      tokens->type_ids[i] = test_random_range (&state, 0, spec->embedding.n_types - 1);
    if (tokens->languages)
      tokens->languages[i] = test_random_range (&state, 0, spec->embedding.n_languages - 1);
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
