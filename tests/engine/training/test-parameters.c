/* SPDX-License-Identifier: MIT */
/* Weights that can be written: names and shapes as in the specimens of transformers, bits that
 * depend on the seed alone, and a model of them that computes what the checkpoint's does. */
#include "engine/training/parameters.h"

#include <math.h>
#include <string.h>

#include "engine/checkpoint/safetensors.h"
#include "engine/trace/trace-private.h"
#include "engine/kernels/random.h"
#include "tests/support/checkpoint-folder.h"
#include "tests/support/random-model.h"

#define TINY_BERT                                                                                 \
  "{\"model_type\": \"bert\", \"architectures\": [\"BertForMaskedLM\"], \"hidden_size\": 24,"     \
  " \"num_hidden_layers\": 2, \"num_attention_heads\": 3, \"intermediate_size\": 40,"             \
  " \"max_position_embeddings\": 16, \"vocab_size\": 61, \"initializer_range\": 0.05}"
#define TINY_GPT2                                                                                 \
  "{\"model_type\": \"gpt2\", \"architectures\": [\"GPT2LMHeadModel\"], \"n_embd\": 24,"          \
  " \"n_layer\": 2, \"n_head\": 3, \"n_positions\": 16, \"vocab_size\": 61}"
#define TINY_T5                                                                                   \
  "{\"model_type\": \"t5\", \"architectures\": [\"T5ForConditionalGeneration\"],"                 \
  " \"decoder_start_token_id\": 0}"

static EngParameters *
make (const char *config,
      guint64     seed)
{
  g_autoptr (GError) error = NULL;
  EngParameters *self = eng_parameters_new (config, -1, "config.json", seed, &error);

  g_assert_no_error (error);

  return self;
}

static double
measure_deviation (const EngParameter *tensor)
{
  double sum = 0;

  for (gsize i = 0; i < tensor->n_elements; i++)
    sum += (double) tensor->values[i] * (double) tensor->values[i];

  return sqrt (sum / (double) tensor->n_elements);
}

static void
test_names (void)
{
  g_autoptr (EngParameters) bert = make (TINY_BERT, 1);
  g_autoptr (EngParameters) gpt2 = make (TINY_GPT2, 1);

  g_assert_nonnull (eng_parameters_find (bert, "bert.embeddings.word_embeddings.weight"));
  g_assert_nonnull (eng_parameters_find (bert, "bert.encoder.layer.1.attention.self.query.bias"));
  g_assert_nonnull (eng_parameters_find (bert, "cls.predictions.transform.dense.weight"));
  g_assert_nonnull (eng_parameters_find (bert, "cls.predictions.bias"));
  g_assert_null (eng_parameters_find (bert, "cls.predictions.decoder.weight"));
  g_assert_null (eng_parameters_find (bert, "bert.pooler.dense.weight"));
  g_assert_nonnull (eng_parameters_find (gpt2, "transformer.h.0.attn.c_attn.weight"));
  g_assert_nonnull (eng_parameters_find (gpt2, "transformer.ln_f.bias"));
  g_assert_null (eng_parameters_find (gpt2, "lm_head.weight"));
}

/* The tied output is not counted again: embeddings, layers of 4 D² + 2 D F, norms, biases, head. */
static void
test_counts_tied_once (void)
{
  g_autoptr (EngParameters) bert = make (TINY_BERT, 1);
  gint64 d = 24, f = 40, layer = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d;
  const EngWeights *weights = eng_parameters_get_weights (bert);

  g_assert_cmpint (eng_parameters_count (bert), ==,
                   (61 + 16 + 2) * d + 2 * d + 2 * layer + d * d + d + 2 * d + 61);
  g_assert_true (weights->heads[ENG_TASK_FILL_MASK].output.weight ==
                 weights->stacks[ENG_KIND_ENCODER].word);
}

static void
test_decay (void)
{
  g_autoptr (EngParameters) bert = make (TINY_BERT, 1);

  for (int i = 0; i < eng_parameters_get_n_tensors (bert); i++) {
    const EngParameter *tensor = eng_parameters_get_tensor (bert, i);
    gboolean left_alone = g_str_has_suffix (tensor->name, "bias") ||
                          strstr (tensor->name, "LayerNorm") != NULL;

    g_assert_cmpint (tensor->decays, ==, !left_alone);
  }
}

static void
test_first_weights (void)
{
  g_autoptr (EngParameters) bert = make (TINY_BERT, 1);
  g_autoptr (EngParameters) gpt2 = make (TINY_GPT2, 1);
  const EngParameter *words = eng_parameters_find (bert, "bert.embeddings.word_embeddings.weight");
  const EngParameter *norm = eng_parameters_find (bert, "bert.embeddings.LayerNorm.weight");
  const EngParameter *bias = eng_parameters_find (bert, "cls.predictions.bias");
  const EngParameter *up = eng_parameters_find (gpt2, "transformer.h.1.mlp.c_fc.weight");
  const EngParameter *down = eng_parameters_find (gpt2, "transformer.h.1.mlp.c_proj.weight");

  g_assert_cmpfloat_with_epsilon (measure_deviation (words), 0.05, 0.003);
  g_assert_cmpfloat_with_epsilon (measure_deviation (up), 0.02, 0.002);
  g_assert_cmpfloat_with_epsilon (measure_deviation (down), 0.01, 0.001);
  for (gsize i = 0; i < norm->n_elements; i++)
    g_assert_true (norm->values[i] == 1);
  for (gsize i = 0; i < bias->n_elements; i++)
    g_assert_true (bias->values[i] == 0);
}

/* Drawn on the pool and one after the other: the same bits. Another seed: others. */
static void
test_seed (void)
{
  const gsize n = 100000;
  g_autofree float *all = g_new (float, n);
  g_autofree float *few = g_new (float, n);
  g_autoptr (EngParameters) first = make (TINY_BERT, 7);
  g_autoptr (EngParameters) again = make (TINY_BERT, 7);
  g_autoptr (EngParameters) other = make (TINY_BERT, 8);
  const EngGradients *blocks[] = {
    eng_parameters_get_gradients (first), eng_parameters_get_gradients (again),
    eng_parameters_get_gradients (other),
  };

  eng_random_normals (eng_random_key (3, 4), 1, n, all);
  for (gsize i = 100; i <= n; i = i * 10)
    eng_random_normals (eng_random_key (3, 4), 1, i, few);
  g_assert_cmpmem (all, n * sizeof (float), few, n * sizeof (float));
  g_assert_cmpmem (blocks[0]->values, blocks[0]->n * sizeof (float), blocks[1]->values,
                   blocks[1]->n * sizeof (float));
  g_assert_cmpint (memcmp (blocks[0]->values, blocks[2]->values, blocks[0]->n * sizeof (float)), !=,
                   0);
}

/* SplitMix64's published first numbers of the state 0. */
static void
test_generator (void)
{
  g_assert_true (eng_random_bits (0, 0) == G_GUINT64_CONSTANT (0xe220a8397b1dcdaf));
  g_assert_true (eng_random_bits (0, 1) == G_GUINT64_CONSTANT (0x6e789e6aa1b965f4));
  g_assert_true (eng_random_bits (0, 2) == G_GUINT64_CONSTANT (0x06c45d188009454f));
}

static void
free_nothing (gpointer data)
{
}

/* Every head that both have gives the same logits, to the bit where the file is float32. */
static void
compare_with_model (const char *specimen)
{
  g_autofree char *folder = checkpoint_get_specimen (specimen);
  g_autoptr (GError) error = NULL;
  g_autoptr (EngModel) model = eng_model_open (folder, NULL, &error);
  g_autoptr (EngParameters) parameters = eng_parameters_open (folder, 1, &error);

  g_assert_no_error (error);

  const EngSpec *spec = eng_parameters_get_spec (parameters);
  g_autoptr (EngModel) copy =
    eng_model_new_from_weights (spec, eng_parameters_get_weights (parameters), free_nothing, NULL);
  g_autoptr (EngTokens) tokens = NULL;
  g_autoptr (EngTrace) expected = NULL;
  g_autoptr (EngTrace) found = NULL;
  int n_heads = 0;

  tokens = test_random_tokens_new (spec, 9, 5);
  expected = test_run (model, tokens, NULL, 0);
  found = test_run (copy, tokens, NULL, 0);
  for (EngTask task = 0; task < ENG_N_TASKS; task++) {
    const EngLogitsTrace *logits = &found->logits[task];

    if (!spec->heads[task].present)
      continue;
    n_heads++;
    g_assert_cmpint (logits->n_positions, ==, expected->logits[task].n_positions);
    g_assert_cmpmem (logits->data,
                     sizeof (float) * (gsize) (logits->n_positions * logits->n_classes),
                     expected->logits[task].data,
                     sizeof (float) * (gsize) (logits->n_positions * logits->n_classes));
  }
  g_assert_cmpint (n_heads, >, 0);
}

static void
test_copies (void)
{
  static const char *const specimens[] = {
    "pretraining", "causal", "classifier-bf16", "entities-bf16", "masked-f16", "answers-f16",
  };

  for (guint i = 0; i < G_N_ELEMENTS (specimens); i++)
    compare_with_model (specimens[i]);
}

static void
test_refuses (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (eng_parameters_new (TINY_T5, -1, "config.json", 1, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED);
  g_test_message ("%s", error->message);
}

/* A weight's gradient stands where the weight does; what is no weight has none. */
static void
test_gradients (void)
{
  g_autoptr (EngParameters) bert = make (TINY_BERT, 1);
  const EngGradients *gradients = eng_parameters_get_gradients (bert);
  const EngParameter *words = eng_parameters_find (bert, "bert.embeddings.word_embeddings.weight");
  float elsewhere = 0;

  g_assert_true (eng_gradients_find (gradients, words->values + 3) == words->gradients + 3);
  g_assert_null (eng_gradients_find (gradients, NULL));
  g_assert_null (eng_gradients_find (gradients, &elsewhere));
  words->gradients[3] = 1;
  eng_parameters_clear_gradients (bert);
  g_assert_true (words->gradients[3] == 0);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/training/parameters/names", test_names);
  g_test_add_func ("/engine/training/parameters/tied", test_counts_tied_once);
  g_test_add_func ("/engine/training/parameters/decay", test_decay);
  g_test_add_func ("/engine/training/parameters/first-weights", test_first_weights);
  g_test_add_func ("/engine/training/parameters/seed", test_seed);
  g_test_add_func ("/engine/training/parameters/generator", test_generator);
  g_test_add_func ("/engine/training/parameters/copies", test_copies);
  g_test_add_func ("/engine/training/parameters/refuses", test_refuses);
  g_test_add_func ("/engine/training/parameters/gradients", test_gradients);

  return g_test_run ();
}
