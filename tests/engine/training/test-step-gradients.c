/* SPDX-License-Identifier: MIT */
/* The gradients of whole models against central differences: the engine's own sources, compiled in
 * double precision. */
#include "engine/kernels/random.h"
#include "engine/spec/positions.h"
#include "engine/training/step.h"
#include "tests/support/double/differences.h"

#define MAX_NUMBERS 20000
#define B 3
#define N 6
#define D 12
#define F 20
#define WORDS 17

typedef struct {
  float           values[MAX_NUMBERS];
  float           gradients[MAX_NUMBERS];
  gsize           n;
  EngGradients    block;
  EngSpec         spec;
  EngWeights      weights;
  EngLayerWeights layers[ENG_N_STACKS][2];
  EngStepSettings settings;
  EngBatch        batch;
  EngStep        *step;
} Model;

/* Weights around a number. */
static const float *
take (Model *self,
      gsize  n,
      double around,
      double reach)
{
  float *values = self->values + self->n;

  g_assert_cmpuint (self->n + n, <=, MAX_NUMBERS);
  for (gsize i = 0; i < n; i++)
    values[i] = around + reach * (2 * eng_random_uniform (eng_random_key (4, 4), self->n + i) - 1);
  self->n += n;

  return values;
}

static EngLinear
take_linear (Model   *self,
             int      out,
             int      in,
             gboolean has_bias)
{
  const float *weight = take (self, (gsize) (out * in), 0, 0.5);

  return (EngLinear) { weight, has_bias ? take (self, (gsize) out, 0, 0.5) : NULL, out, in };
}

static EngNorm
take_norm (Model   *self,
           gboolean has_bias)
{
  const float *weight = take (self, D, 1, 0.5);

  return (EngNorm) { weight, has_bias ? take (self, D, 0, 0.5) : NULL };
}

static EngAttentionWeights
take_attention (Model                  *self,
                const EngAttentionSpec *heads,
                gboolean                has_bias)
{
  int kv_size = eng_attention_spec_get_kv_size (heads);
  EngLinear query = take_linear (self, D, D, has_bias);
  EngLinear key = take_linear (self, kv_size, D, has_bias);
  EngLinear value = take_linear (self, kv_size, D, has_bias);
  EngLinear output = take_linear (self, D, D, has_bias);

  return (EngAttentionWeights) { query, key, value, output, .norm = take_norm (self, has_bias) };
}

/* words: those of the other stack, or NULL for some of its own. */
static void
fill_stack (Model       *self,
            EngKind      kind,
            const float *words,
            gboolean     has_bias)
{
  const EngStackSpec *stack = &self->spec.stacks[kind];
  EngStackWeights *weights = &self->weights.stacks[kind];

  weights->word = words != NULL ? words : take (self, WORDS * D, 0, 0.5);
  if (self->spec.embedding.positions == ENG_POSITIONS_TABLE)
    weights->position = take (self, N * D, 0, 0.5);
  if (self->spec.embedding.n_types > 0)
    weights->type = take (self, 2 * D, 0, 0.5);
  if (self->spec.embedding.has_norm)
    weights->embedding_norm = take_norm (self, has_bias);
  weights->layers = self->layers[kind];
  for (int i = 0; i < 2; i++) {
    EngLayerWeights *layer = &weights->layers[i];

    layer->self = take_attention (self, &stack->sorts[0].self, has_bias);
    if (eng_stack_spec_crosses (stack))
      layer->cross = take_attention (self, &stack->sorts[0].cross, has_bias);
    if (stack->sorts[0].feed_forward.gated)
      layer->gate = take_linear (self, F, D, has_bias);
    layer->up = take_linear (self, F, D, has_bias);
    layer->down = take_linear (self, D, F, has_bias);
    layer->feed_forward_norm = take_norm (self, has_bias);
  }
  if (stack->final_norm)
    weights->final_norm = take_norm (self, has_bias);
}

static void
fill_weights (Model   *self,
              EngKind  kind,
              gboolean has_bias,
              gboolean tied)
{
  EngTask task = self->settings.task;
  const EngHeadSpec *head = &self->spec.heads[task];
  const float *words = self->weights.stacks[ENG_KIND_ENCODER].word;

  fill_stack (self, kind, words, has_bias);
  words = self->weights.stacks[kind].word;
  if (head->input == ENG_HEAD_POOLED)
    self->weights.pooler = take_linear (self, D, D, TRUE);
  if (head->has_transform)
    self->weights.heads[task].transform = take_linear (self, D, D, TRUE);
  if (head->has_norm)
    self->weights.heads[task].norm = take_norm (self, TRUE);
  self->weights.heads[task].output = (EngLinear) {
    tied ? words : take (self, (gsize) head->n_classes * D, 0, 0.5),
    has_bias ? take (self, (gsize) head->n_classes, 0, 0.5) : NULL, head->n_classes, D
  };
}

static double
run (gpointer data)
{
  Model *self = data;
  double loss;

  /* Dropped are the same numbers each time. */
  g_assert_true (eng_step_run (self->step, &self->batch, 1, 77, NULL, &loss, NULL));

  return loss;
}

static void
check (Model      *self,
       const char *what)
{
  g_autoptr (GError) error = NULL;
  g_autofree float *gradients = NULL;

  self->block = (EngGradients) { self->values, self->gradients, self->n };
  self->step = eng_step_new (&self->spec, &self->weights, &self->block, &self->settings, &error);
  g_assert_no_error (error);
  run (self);
  gradients = g_memdup2 (self->gradients, self->n * sizeof (float));
  differences_check (what, self->values, gradients, self->n, 3, run, self);
  eng_step_free (self->step);
}

/* Two texts are shorter than the third; some tokens are asked nothing. */
static const gint32 ids[B * N] = { 3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 0, 0, 8, 9, 7, 9, 3, 0 };
static const gint32 type_ids[B * N] = { 0, 0, 0, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 1, 1, 1, 1, 0 };
static const guint8 visible[B * N] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 0 };
static const gint32 masked[B * N] = {
  ENG_NO_LABEL, 7, ENG_NO_LABEL, ENG_NO_LABEL, 16, ENG_NO_LABEL, 2, ENG_NO_LABEL, 4, ENG_NO_LABEL,
  ENG_NO_LABEL, ENG_NO_LABEL, ENG_NO_LABEL, 7, 7, ENG_NO_LABEL, ENG_NO_LABEL, ENG_NO_LABEL
};

static Model *
model_new (EngKind          kind,
           EngNormPlacement placement,
           EngNormKind      norm,
           EngActivation    activation,
           gboolean         gated,
           int              n_kv_heads)
{
  Model *self = g_new0 (Model, 1);
  EngStackSpec *stack = &self->spec.stacks[kind];

  self->spec.hidden_size = D;
  self->spec.norm = (EngNormSpec) { norm, 1e-3, FALSE };
  self->spec.pad_id = 0;
  stack->n_layers = 2;
  stack->vocab_size = WORDS;
  stack->sorts[0] = (EngLayerSpec) {
    .self = { .n_heads = 3, .n_kv_heads = n_kv_heads, .head_size = 4, .scale = 0.5,
              .causal = kind == ENG_KIND_DECODER },
    .feed_forward = { .intermediate_size = F, .activation = activation, .gated = gated },
    .norm = self->spec.norm,
    .attention_norm = placement,
    .feed_forward_norm = placement,
  };
  stack->final_norm = placement == ENG_NORM_PRE;
  self->settings.task = kind == ENG_KIND_ENCODER ? ENG_TASK_FILL_MASK : ENG_TASK_LANGUAGE_MODEL;
  self->spec.heads[self->settings.task] = (EngHeadSpec) {
    .present = TRUE, .input = ENG_HEAD_TOKENS, .activation = activation, .n_classes = WORDS,
  };
  self->batch = (EngBatch) { B, N, ids, NULL, visible, masked };

  return self;
}

static void
test_encoder (void)
{
  g_autofree Model *self = model_new (ENG_KIND_ENCODER, ENG_NORM_POST, ENG_NORM_LAYER,
                                      ENG_ACTIVATION_GELU, FALSE, 3);

  self->spec.embedding = (EngEmbeddingSpec) {
    .positions = ENG_POSITIONS_TABLE, .n_positions = N, .n_types = 2, .has_norm = TRUE,
  };
  self->spec.heads[ENG_TASK_FILL_MASK].has_transform = TRUE;
  self->spec.heads[ENG_TASK_FILL_MASK].has_norm = TRUE;
  self->batch.type_ids = type_ids;
  fill_weights (self, ENG_KIND_ENCODER, TRUE, TRUE);
  check (self, "encoder");
}

static void
test_dropped_encoder (void)
{
  g_autofree Model *self = model_new (ENG_KIND_ENCODER, ENG_NORM_POST, ENG_NORM_LAYER,
                                      ENG_ACTIVATION_SILU, FALSE, 3);

  self->spec.embedding = (EngEmbeddingSpec) {
    .positions = ENG_POSITIONS_TABLE, .n_positions = N, .has_norm = TRUE,
  };
  self->settings = (EngStepSettings) { ENG_TASK_FILL_MASK, 0.3, 0.2, 0.1, 0.1 };
  fill_weights (self, ENG_KIND_ENCODER, TRUE, TRUE);
  check (self, "encoder, dropped and smoothed");
}

static void
test_decoder (void)
{
  g_autofree Model *self = model_new (ENG_KIND_DECODER, ENG_NORM_PRE, ENG_NORM_LAYER,
                                      ENG_ACTIVATION_GELU_TANH, FALSE, 3);
  gint32 labels[B * N];

  self->spec.embedding = (EngEmbeddingSpec) { .positions = ENG_POSITIONS_TABLE, .n_positions = N };
  self->settings.hidden_dropout = 0.2;
  eng_batch_label_next_words (&self->batch, labels);
  self->batch.labels = labels;
  fill_weights (self, ENG_KIND_DECODER, TRUE, TRUE);
  check (self, "decoder");
}

static void
test_rotary_decoder (void)
{
  g_autofree Model *self = model_new (ENG_KIND_DECODER, ENG_NORM_PRE, ENG_NORM_RMS,
                                      ENG_ACTIVATION_SILU, TRUE, 1);
  gint32 labels[B * N];

  self->spec.stacks[ENG_KIND_DECODER].sorts[0].self.rotary = (EngRotary) { .size = 4, .base = 100 };
  self->batch.visible = NULL;
  eng_batch_label_next_words (&self->batch, labels);
  self->batch.labels = labels;
  fill_weights (self, ENG_KIND_DECODER, FALSE, FALSE);
  check (self, "rotary decoder");
}

/* A head that is asked one thing of a text: the classes of the texts stand at the tokens that it
 * reads. */
static void
check_texts (const char   *what,
             EngTask       task,
             EngHeadSpec   head,
             const gint32 *labels)
{
  g_autofree Model *self = model_new (ENG_KIND_ENCODER, ENG_NORM_POST, ENG_NORM_LAYER,
                                      ENG_ACTIVATION_GELU, FALSE, 3);

  self->spec.embedding = (EngEmbeddingSpec) {
    .positions = ENG_POSITIONS_TABLE, .n_positions = N, .n_types = 2, .has_norm = TRUE,
  };
  head.present = TRUE;
  self->spec.heads[task] = head;
  self->settings = (EngStepSettings) { task, 0.1, 0.2, 0.1, 0.1 };
  self->batch.type_ids = type_ids;
  self->batch.labels = labels;
  fill_weights (self, ENG_KIND_ENCODER, TRUE, FALSE);
  check (self, what);
}

#define NONE ENG_NO_LABEL
static const gint32 at_first[B * N] = {
  2, NONE, NONE, NONE, NONE, NONE, 0, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE,
  NONE,
};
static const gint32 at_last[B * N] = {
  NONE, NONE, NONE, NONE, NONE, 1, NONE, NONE, NONE, 3, NONE, NONE, NONE, NONE, NONE, NONE, 0, NONE,
};
static const gint32 at_tokens[B * N] = {
  NONE, 3, 1, NONE, 0, 2, 0, NONE, 1, NONE, NONE, NONE, 2, NONE, 3, NONE, NONE, NONE,
};
/* From the second token to the fourth, from the third to itself; the third text has none. */
static const gint32 answers[B * N] = {
  NONE, 3, NONE, NONE, NONE, NONE, NONE, NONE, 2, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE,
  NONE,
};

static void
test_classes (void)
{
  check_texts ("classes by the pooler", ENG_TASK_TEXT_CLASSIFICATION,
               (EngHeadSpec) { .input = ENG_HEAD_POOLED, .n_classes = 4 }, at_first);
  check_texts ("classes by the first token", ENG_TASK_TEXT_CLASSIFICATION,
               (EngHeadSpec) { .input = ENG_HEAD_FIRST, .has_transform = TRUE,
                               .activation = ENG_ACTIVATION_TANH, .n_classes = 4 }, at_first);
  check_texts ("classes by the last token", ENG_TASK_TEXT_CLASSIFICATION,
               (EngHeadSpec) { .input = ENG_HEAD_LAST, .n_classes = 4 }, at_last);
  check_texts ("pairs", ENG_TASK_NEXT_SENTENCE,
               (EngHeadSpec) { .input = ENG_HEAD_POOLED, .n_classes = 4 }, at_first);
}

static void
test_tags (void)
{
  check_texts ("tags", ENG_TASK_ENTITIES,
               (EngHeadSpec) { .input = ENG_HEAD_TOKENS, .n_classes = 4 }, at_tokens);
}

static void
test_answers (void)
{
  check_texts ("answers", ENG_TASK_QUESTION_ANSWERING,
               (EngHeadSpec) { .input = ENG_HEAD_TOKENS, .n_classes = 2 }, answers);
}

/* Sources are of other lengths than what is written. */
#define M 5
static const gint32 source_ids[B * M] = { 7, 3, 12, 0, 0, 16, 3, 3, 5, 1, 2, 0, 0, 0, 0 };
static const guint8 source_visible[B * M] = { 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0 };

/* An encoder that a decoder reads; both have the same words, which are the output's, too. */
static Model *
translator_new (EngNormPlacement placement,
                int              n_kv_heads)
{
  Model *self = model_new (ENG_KIND_DECODER, placement, ENG_NORM_LAYER, ENG_ACTIVATION_GELU, FALSE,
                           n_kv_heads);
  EngStackSpec *decoder = &self->spec.stacks[ENG_KIND_DECODER];
  EngStackSpec *encoder = &self->spec.stacks[ENG_KIND_ENCODER];

  *encoder = *decoder;
  encoder->sorts[0].self.causal = FALSE;
  eng_layer_spec_cross (&decoder->sorts[0]);
  self->batch.visible = NULL;
  self->batch.n_source = M;
  self->batch.source_ids = source_ids;
  self->batch.source_visible = source_visible;

  return self;
}

/* Norms behind the sub-layers, positions that are computed, and words times √D: Marian. */
static void
test_translator (void)
{
  static float positions[N * D];
  g_autofree Model *self = translator_new (ENG_NORM_POST, 3);

  self->spec.embedding = (EngEmbeddingSpec) {
    .positions = ENG_POSITIONS_NONE, .n_positions = N, .scale = 3.5,
  };
  eng_positions_fill_sinusoid (ENG_SINUSOID_OPEN, 0, N, D, positions);
  fill_stack (self, ENG_KIND_ENCODER, NULL, TRUE);
  fill_weights (self, ENG_KIND_DECODER, TRUE, TRUE);
  self->spec.embedding.positions = ENG_POSITIONS_TABLE;
  self->weights.stacks[ENG_KIND_ENCODER].position = positions;
  self->weights.stacks[ENG_KIND_DECODER].position = positions;
  check (self, "translator");
}

/* Norms before the sub-layers, learned positions, fewer key heads, dropped and smoothed. */
static void
test_dropped_translator (void)
{
  g_autofree Model *self = translator_new (ENG_NORM_PRE, 1);

  self->spec.embedding = (EngEmbeddingSpec) {
    .positions = ENG_POSITIONS_TABLE, .n_positions = N, .has_norm = TRUE,
  };
  self->settings = (EngStepSettings) { ENG_TASK_LANGUAGE_MODEL, 0.3, 0.2, 0.1, 0.1 };
  fill_stack (self, ENG_KIND_ENCODER, NULL, TRUE);
  fill_weights (self, ENG_KIND_DECODER, TRUE, TRUE);
  check (self, "translator, dropped and smoothed");
}

/* Two halves of a batch, with the divisor of the whole, give the gradients of the whole; a batch
 * that is asked nothing gives none. */
static void
test_accumulation (void)
{
  g_autofree Model *self = model_new (ENG_KIND_ENCODER, ENG_NORM_POST, ENG_NORM_LAYER,
                                      ENG_ACTIVATION_RELU, FALSE, 3);
  gint32 nothing[B * N];
  EngBatch none = self->batch;
  g_autofree float *whole = NULL;
  double loss, first, rest;

  self->spec.embedding = (EngEmbeddingSpec) { .has_norm = TRUE };
  fill_weights (self, ENG_KIND_ENCODER, TRUE, TRUE);
  self->block = (EngGradients) { self->values, self->gradients, self->n };
  self->step = eng_step_new (&self->spec, &self->weights, &self->block, &self->settings, NULL);
  g_assert_true (eng_step_run (self->step, &self->batch, 5, 1, NULL, &loss, NULL));
  whole = g_memdup2 (self->gradients, self->n * sizeof (float));
  memset (self->gradients, 0, sizeof self->gradients);

  self->batch.n_sequences = 1;
  g_assert_true (eng_step_run (self->step, &self->batch, 5, 1, NULL, &first, NULL));
  self->batch = (EngBatch) { B - 1, N, ids + N, NULL, visible + N, masked + N };
  g_assert_true (eng_step_run (self->step, &self->batch, 5, 1, NULL, &rest, NULL));
  for (int i = 0; i < B * N; i++)
    nothing[i] = ENG_NO_LABEL;
  none.labels = nothing;
  g_assert_cmpfloat_with_epsilon (first + rest, loss, 1e-12);
  g_assert_true (eng_step_run (self->step, &none, 5, 1, NULL, &loss, NULL));
  g_assert_true (loss == 0);
  for (gsize i = 0; i < self->n; i++)
    g_assert_cmpfloat_with_epsilon (self->gradients[i], whole[i], 1e-12);
  eng_step_free (self->step);
}

/* A label is the word behind, and what stands before padding or the end has none. */
static void
test_next_words (void)
{
  static const gint32 expected[B * N] = {
    1, 4, 1, 5, 9, ENG_NO_LABEL, 6, 5, 3, ENG_NO_LABEL, ENG_NO_LABEL, ENG_NO_LABEL, 9, 7, 9, 3,
    ENG_NO_LABEL, ENG_NO_LABEL,
  };
  EngBatch batch = { B, N, ids, NULL, visible, NULL };
  gint32 labels[B * N];

  eng_batch_label_next_words (&batch, labels);
  g_assert_cmpmem (labels, sizeof labels, expected, sizeof expected);
  batch.labels = labels;
  g_assert_cmpint (eng_batch_count_labels (&batch), ==, 12);
}

/* What is refused, in a sentence. */
static void
test_refuses (void)
{
  g_autofree Model *self = model_new (ENG_KIND_ENCODER, ENG_NORM_POST, ENG_NORM_LAYER,
                                      ENG_ACTIVATION_RELU, FALSE, 3);
  EngStepSettings other = { ENG_TASK_LANGUAGE_MODEL, 0, 0, 0, 0 };
  g_autoptr (GError) error = NULL;
  double loss;

  self->spec.embedding = (EngEmbeddingSpec) { .positions = ENG_POSITIONS_TABLE, .n_positions = 5 };
  g_assert_null (eng_step_new (&self->spec, &self->weights, &self->block, &other, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED);
  g_test_message ("%s", error->message);
  g_clear_error (&error);
  self->step = eng_step_new (&self->spec, &self->weights, &self->block, &self->settings, NULL);
  g_assert_false (eng_step_run (self->step, &self->batch, 1, 1, NULL, &loss, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_RANGE);
  g_test_message ("%s", error->message);
  g_clear_error (&error);

  self->batch = (EngBatch) {
    B, N, ids, NULL, visible, masked, .n_source = M, .source_ids = source_ids,
  };
  self->spec.embedding.n_positions = N;
  g_assert_false (eng_step_run (self->step, &self->batch, 1, 1, NULL, &loss, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED);
  g_test_message ("%s", error->message);
  eng_step_free (self->step);
}

/* Two stacks do not learn from one text. */
static void
test_refuses_texts (void)
{
  g_autofree Model *self = translator_new (ENG_NORM_POST, 3);
  g_autoptr (GError) error = NULL;
  double loss;

  self->step = eng_step_new (&self->spec, &self->weights, &self->block, &self->settings, NULL);
  self->batch.n_source = 0;
  g_assert_false (eng_step_run (self->step, &self->batch, 1, 1, NULL, &loss, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED);
  g_test_message ("%s", error->message);
  eng_step_free (self->step);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/training/step/encoder", test_encoder);
  g_test_add_func ("/engine/training/step/dropped-encoder", test_dropped_encoder);
  g_test_add_func ("/engine/training/step/decoder", test_decoder);
  g_test_add_func ("/engine/training/step/rotary-decoder", test_rotary_decoder);
  g_test_add_func ("/engine/training/step/classes", test_classes);
  g_test_add_func ("/engine/training/step/tags", test_tags);
  g_test_add_func ("/engine/training/step/answers", test_answers);
  g_test_add_func ("/engine/training/step/translator", test_translator);
  g_test_add_func ("/engine/training/step/dropped-translator", test_dropped_translator);
  g_test_add_func ("/engine/training/step/accumulation", test_accumulation);
  g_test_add_func ("/engine/training/step/next-words", test_next_words);
  g_test_add_func ("/engine/training/step/refuses", test_refuses);
  g_test_add_func ("/engine/training/step/refuses-texts", test_refuses_texts);

  return g_test_run ();
}
