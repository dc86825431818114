/* SPDX-License-Identifier: MIT */
/* Laws of decoding token by token, for a model of every shape: the cache changes no number,
 * however sequences go on from one another. */
#include "tests/engine/writing/decoding-case.h"

#include "engine/families/lazy-weights.h"
#include "engine/transformer/model-private.h"

/* Every sequence, with and without a cache, and alone. */
static void
test_cache (gconstpointer data)
{
  g_autoptr (EngModel) model = open_model (data);
  gboolean edited = ((const Case *) data)->edited;
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (EngDecoding) cached = NULL;
  g_autoptr (EngDecoding) plain = NULL;
  int parents[N_SEQUENCES];
  gint32 ids[N_SEQUENCES];
  guint32 state = 77;
  float first;

  if (turns_with_length (model))
    return;
  make_inputs (model, &inputs);
  cached = decode (model, &inputs, edited, N_SEQUENCES, FALSE);
  plain = decode (model, &inputs, edited, N_SEQUENCES, TRUE);
  g_assert_cmpint (eng_decoding_get_n_classes (cached), ==, N_WORDS);
  first = eng_decoding_get_logits (cached, 0)[0];

  for (int i = 0; i < N_STEPS; i++) {
    draw_step (&state, N_SEQUENCES, parents, ids);
    step (cached, parents, ids);
    step (plain, parents, ids);
    for (int sequence = 0; sequence < N_SEQUENCES; sequence++)
      assert_same (eng_decoding_get_logits (cached, sequence),
                   eng_decoding_get_logits (plain, sequence), N_WORDS);
  }
  g_assert_cmpfloat (eng_decoding_get_logits (cached, 0)[0], !=, first);
}

/* A sequence among several is what it would be alone. */
static void
test_alone (gconstpointer data)
{
  g_autoptr (EngModel) model = open_model (data);
  gboolean edited = ((const Case *) data)->edited;
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (EngDecoding) several = NULL;
  gint32 texts[N_SEQUENCES][N_STEPS];
  int parents[N_SEQUENCES];
  gint32 ids[N_SEQUENCES];
  guint32 state = 78;

  make_inputs (model, &inputs);
  several = decode (model, &inputs, edited, N_SEQUENCES, FALSE);
  for (int i = 0; i < N_STEPS; i++) {
    gint32 before[N_SEQUENCES][N_STEPS];

    memcpy (before, texts, sizeof texts);
    draw_step (&state, N_SEQUENCES, parents, ids);
    step (several, parents, ids);
    for (int sequence = 0; sequence < N_SEQUENCES; sequence++) {
      memcpy (texts[sequence], before[parents[sequence]], sizeof texts[sequence]);
      texts[sequence][i] = ids[sequence];
    }
  }

  for (int sequence = 0; sequence < N_SEQUENCES; sequence++) {
    g_autoptr (EngDecoding) alone = decode (model, &inputs, edited, 1, FALSE);

    for (int i = 0; i < N_STEPS; i++)
      step (alone, (int[]) { 0 }, &texts[sequence][i]);
    assert_same (eng_decoding_get_logits (several, sequence), eng_decoding_get_logits (alone, 0),
                 N_WORDS);
  }
}

/* Up to the capacity and not beyond; a refused step leaves what there is. */
static void
test_capacity (void)
{
  g_autoptr (EngModel) model = open_model (&models[0]);
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (EngDecoding) decoding = NULL;
  g_autoptr (GError) error = NULL;
  gint32 id = 4;
  float before;

  make_inputs (model, &inputs);
  decoding = decode (model, &inputs, FALSE, 1, FALSE);
  g_assert_cmpint (eng_decoding_get_n_tokens (decoding), ==, 5);
  for (int i = 5; i < CAPACITY; i++)
    step (decoding, (int[]) { 0 }, &id);
  g_assert_cmpint (eng_decoding_get_n_tokens (decoding), ==, CAPACITY);
  before = eng_decoding_get_logits (decoding, 0)[0];

  g_assert_false (eng_decoding_step (decoding, (int[]) { 0 }, &id, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_LENGTH);
  g_assert_cmpint (eng_decoding_get_n_tokens (decoding), ==, CAPACITY);
  g_assert_cmpfloat (eng_decoding_get_logits (decoding, 0)[0], ==, before);
}

static void
assert_refused (EngModel                 *model,
                const EngInputs          *inputs,
                const EngDecodingOptions *options,
                int                       code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (eng_decoding_new (model, inputs, options, &error));
  g_assert_error (error, ENG_ERROR, code);
}

static void
test_refusals (void)
{
  static const char encoder[] =
    "{'model_type': 'bert', 'architectures': ['BertForMaskedLM'], 'vocab_size': 41,"
    " 'hidden_size': 12, 'num_hidden_layers': 1, 'num_attention_heads': 2,"
    " 'intermediate_size': 9, 'max_position_embeddings': 24}";
  g_autoptr (EngModel) model = open_model (&models[0]);
  g_autoptr (EngModel) mute = open_config (encoder);
  g_auto (EngInputs) inputs = { 0 };
  g_auto (EngInputs) empty = { eng_tokens_new (0), NULL };
  EngDecodingOptions options = { .n_sequences = 1, .capacity = CAPACITY };

  make_inputs (model, &inputs);
  assert_refused (mute, &inputs, &options, ENG_ERROR_UNSUPPORTED);
  assert_refused (model, &empty, &options, ENG_ERROR_TEXT);
  options.capacity = inputs.tokens->n - 1;
  assert_refused (model, &inputs, &options, ENG_ERROR_LENGTH);
  options.capacity = CAPACITY + 1;
  assert_refused (model, &inputs, &options, ENG_ERROR_LENGTH);
}

/* What is no number would be written on as if it were one. */
static void
test_refuses_no_numbers (void)
{
  g_autoptr (EngModel) model = open_model (&models[0]);
  const EngStackWeights *weights = &eng_model_get_weights (model)->stacks[ENG_KIND_DECODER];
  float *scale = (float *) weights->final_norm.weight;
  g_auto (EngInputs) inputs = { 0 };
  EngDecodingOptions options = { .n_sequences = 1, .capacity = CAPACITY };

  make_inputs (model, &inputs);
  eng_lazy_weights_need (weights->lazy, ENG_KIND_DECODER,
                         eng_model_get_spec (model)->stacks[ENG_KIND_DECODER].n_layers);
  scale[2] = NAN;
  assert_refused (model, &inputs, &options, ENG_ERROR_RANGE);
}

static void
test_cancel (gconstpointer data)
{
  g_autoptr (EngModel) model = open_model (data);
  g_auto (EngInputs) inputs = { 0 };

  make_inputs (model, &inputs);
  for (int no_cache = 0; no_cache < 2; no_cache++) {
    gint cancel = 0;
    EngDecodingOptions options = {
      .n_sequences = 2, .capacity = CAPACITY, .no_cache = no_cache, .cancel = &cancel,
    };
    g_autoptr (GError) error = NULL;
    g_autoptr (EngDecoding) decoding = eng_decoding_new (model, &inputs, &options, &error);
    gboolean stepped;

    g_assert_no_error (error);
    g_atomic_int_set (&cancel, 1);
    stepped = eng_decoding_step (decoding, (int[]) { 0, 1 }, (gint32[]) { 1, 2 }, &error);
    g_assert_false (stepped);
    g_assert_error (error, ENG_ERROR, ENG_ERROR_CANCELLED);
    assert_refused (model, &inputs, &options, ENG_ERROR_CANCELLED);
  }
}

/* Padding behind the text of a model of one stack is no part of what is written on. */
static void
test_padding_is_left (void)
{
  g_autoptr (EngModel) model = open_model (&models[0]);
  g_auto (EngInputs) inputs = { 0 };
  g_auto (EngInputs) padded = { 0 };
  g_autoptr (EngDecoding) plain = NULL;
  g_autoptr (EngDecoding) other = NULL;
  g_autoptr (GError) error = NULL;
  EngTextOptions options = { .pad_to = 9 };

  eng_inputs_from_texts (model, "7 3 22 9 17", NULL, NULL, &inputs, &error);
  g_assert_no_error (error);
  eng_inputs_from_texts (model, "7 3 22 9 17", NULL, &options, &padded, &error);
  g_assert_no_error (error);
  g_assert_cmpint (padded.tokens->n, ==, 9);

  plain = decode (model, &inputs, FALSE, 1, FALSE);
  other = decode (model, &padded, FALSE, 1, FALSE);
  g_assert_cmpint (eng_decoding_get_n_tokens (other), ==, 5);
  assert_same (eng_decoding_get_logits (plain, 0), eng_decoding_get_logits (other, 0), N_WORDS);
}

/* An edit may name a token that is yet to come, but none that never will. */
static void
test_refuses_edits (void)
{
  static const struct { const char *text, *message; } cases[] = {
    { "knock-out decoder 23", NULL },
    { "knock-out decoder 24",
      "edit \"knock-out decoder 24\": there is no token 24, only 0 to 23" },
    { "cut cross 0.0 23 6", NULL },
    { "cut cross 0.0 23 7", "edit \"cut cross 0.0 23 7\": there is no token 7, only 0 to 6" },
    { "head-mask decoder 0.0 causal", NULL },
    { "head-mask 0.0 none", NULL },
    { "head-mask cross 0.0 none", NULL },
    { "zero decoder 2.0", "edit \"zero decoder 2.0\": there is no layer 2, only 0 to 1" },
  };
  g_autoptr (EngModel) model = open_config (models[5].config);
  g_auto (EngInputs) inputs = { 0 };

  g_assert_cmpstr (models[5].name, ==, "post-norm");
  make_inputs (model, &inputs);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (EngDecoding) decoding = NULL;
    EngEdit edit;
    EngDecodingOptions options = {
      .n_sequences = 1, .capacity = CAPACITY, .edits = &edit, .n_edits = 1,
    };

    g_assert_true (eng_edit_parse (cases[i].text, &edit, NULL));
    decoding = eng_decoding_new (model, &inputs, &options, &error);
    g_assert_cmpint (decoding != NULL, ==, cases[i].message == NULL);
    if (!cases[i].message)
      continue;
    g_assert_error (error, ENG_ERROR, ENG_ERROR_RANGE);
    g_assert_cmpstr (error->message, ==, cases[i].message);
  }
}

/* Who read a text before it was whole cannot have read what came later. */
static void
test_refuses_masks (void)
{
  static const char *const texts[] = {
    "head-mask decoder 0.0 none", "head-mask decoder 1.* padding",
  };
  g_autoptr (EngModel) model = open_config (models[5].config);
  g_auto (EngInputs) inputs = { 0 };

  make_inputs (model, &inputs);
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (GError) error = NULL;
    g_autofree char *message =
      g_strdup_printf ("edit \"%s\": a text that is being written has no later tokens to read, "
                       "expected causal", texts[i]);
    EngEdit edit;
    EngDecodingOptions options = {
      .n_sequences = 1, .capacity = CAPACITY, .edits = &edit, .n_edits = 1,
    };

    g_assert_true (eng_edit_parse (texts[i], &edit, NULL));
    g_assert_null (eng_decoding_new (model, &inputs, &options, &error));
    g_assert_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED);
    g_assert_cmpstr (error->message, ==, message);
  }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  decoding_add_tests ("decoding", "cache", FALSE, test_cache);
  decoding_add_tests ("decoding", "edited-cache", TRUE, test_cache);
  decoding_add_tests ("decoding", "alone", FALSE, test_alone);
  decoding_add_tests ("decoding", "edited-alone", TRUE, test_alone);
  decoding_add_tests ("decoding", "cancel", FALSE, test_cancel);
  g_test_add_func ("/decoding/refuses-edits", test_refuses_edits);
  g_test_add_func ("/decoding/refuses-masks", test_refuses_masks);
  g_test_add_func ("/decoding/capacity", test_capacity);
  g_test_add_func ("/decoding/refusals", test_refusals);
  g_test_add_func ("/decoding/no-numbers", test_refuses_no_numbers);
  g_test_add_func ("/decoding/padding-is-left", test_padding_is_left);

  return g_test_run ();
}
