/* SPDX-License-Identifier: MIT */
/* What is said of layers whatever a text is: which are local, and how often weights are read.
 * Against the config.json of recorded checkpoints, read by eye. */
#include "engine/transformer/model-layers.h"
#include "engine/transformer/session.h"
#include "tests/support/specimen.h"

#include <locale.h>

#define MAX_LAYERS 6

static const struct {
  const char *specimen;
  EngKind     kind;
  int         n_layers;
  int         windows[MAX_LAYERS];
  int         n_uses[MAX_LAYERS];
  const char *local;  /* NULL = nothing is said */
  const char *shared;
} cases[] = {
  { "albert-words", ENG_KIND_ENCODER, 3, { 0 }, { 3, 3, 3 }, NULL,
    "one layer, read 3 times" },
  /* Two groups of two; the first is passed through twice. */
  { "albert-groups", ENG_KIND_ENCODER, 6, { 0 }, { 2, 2, 2, 2, 1, 1 }, NULL,
    "2 layers, read 2 times; 2 layers, read once" },
  { "big-bird-words", ENG_KIND_ENCODER, 2, { 0 }, { 1, 1 },
    "all layers, of texts of more than 18 tokens: blocks of 2 tokens", NULL },
  { "big-bird-full", ENG_KIND_ENCODER, 2, { 0 }, { 1, 1 }, NULL, NULL },
  { "gemma2-words", ENG_KIND_DECODER, 3, { 3, 0, 3 }, { 1, 1, 1 }, "layers 0 and 2: 3 tokens",
    NULL },
  { "gemma3-both-ways", ENG_KIND_ENCODER, 3, { 7, 7, 0 }, { 1, 1, 1 },
    "layers 0 and 1: 7 tokens, 3 to each side", NULL },
  { "gpt-neo-types", ENG_KIND_DECODER, 4, { 2, 2, 0, 2 }, { 1, 1, 1, 1 },
    "layers 0, 1 and 3: 2 tokens", NULL },
  { "mistral-words", ENG_KIND_DECODER, 2, { 5, 5 }, { 1, 1 }, "all layers: 5 tokens", NULL },
  { "mistral-none", ENG_KIND_DECODER, 2, { 0 }, { 1, 1 }, NULL, NULL },
  { "modernbert-words", ENG_KIND_ENCODER, 3, { 0, 5, 0 }, { 1, 1, 1 },
    "layer 1: 5 tokens, 2 to each side", NULL },
  { "qwen3-window", ENG_KIND_DECODER, 3, { 0, 4, 4 }, { 1, 1, 1 }, "layers 1 and 2: 4 tokens",
    NULL },
};

static EngModel *
open_specimen (const char *specimen)
{
  g_autoptr (EngConfig) config = specimen_read_config (specimen);
  g_autoptr (EngTensorSet) tensors = specimen_open_weights (specimen);

  return specimen_make_model (config, tensors);
}

static void
test_said (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (EngModel) model = open_specimen (cases[i].specimen);
    g_autofree char *local = eng_model_describe_local_layers (model);
    g_autofree char *shared = eng_model_describe_shared_layers (model);

    g_test_message ("%s", cases[i].specimen);
    g_assert_cmpstr (local, ==, cases[i].local);
    g_assert_cmpstr (shared, ==, cases[i].shared);
  }
}

/* A text of one token, of which no mask hides anything. */
static void
test_in_traces (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (EngModel) model = open_specimen (cases[i].specimen);
    g_autoptr (EngSession) session = eng_session_new (model);
    g_autoptr (EngTokens) tokens = eng_tokens_new (1);
    EngRunRequest request = { .tokens = tokens };
    g_autoptr (EngTrace) trace = NULL;
    g_autoptr (GError) error = NULL;

    tokens->ids[0] = 3;
    tokens->texts[0] = g_strdup ("3");
    trace = eng_session_run (session, &request, &error);
    g_assert_no_error (error);
    g_test_message ("%s", cases[i].specimen);
    g_assert_cmpint (eng_trace_get_n_layers (trace, cases[i].kind), ==, cases[i].n_layers);
    for (int layer = 0; layer < cases[i].n_layers; layer++) {
      g_assert_cmpint (eng_trace_get_window (trace, cases[i].kind, layer), ==,
                       cases[i].windows[layer]);
      g_assert_cmpint (eng_trace_get_n_uses (trace, cases[i].kind, layer), ==,
                       cases[i].n_uses[layer]);
    }
  }
}

int
main (int    argc,
      char **argv)
{
  g_assert_nonnull (setlocale (LC_ALL, ""));
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model-layers/said", test_said);
  g_test_add_func ("/model-layers/in-traces", test_in_traces);

  return g_test_run ();
}
