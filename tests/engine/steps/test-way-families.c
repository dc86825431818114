/* SPDX-License-Identifier: MIT */
/* The way through a random checkpoint of every family (tests/fixtures/families and seq2seq): every
 * number of every stage against a naive way in double precision. */
#include "engine/steps/make.h"

#include <locale.h>
#include <math.h>

#include "tests/support/oracle/way-reference.h"
#include "tests/support/random-model.h"
#include "tests/support/seq2seq.h"
#include "tests/support/specimen.h"

#define N_TOKENS 9
#define N_DECODER_TOKENS 7

static double worst = 0;

/* Every layer and every kind of attention, a head and a token of each. */
static void
check_kind (EngModel  *model,
            EngTrace  *trace,
            EngKind    kind,
            EngTokens *tokens,
            EngTokens *decoder_tokens)
{
  int n_layers = eng_trace_get_n_layers (trace, kind);
  int n_heads = eng_trace_get_n_heads (trace, kind);

  for (int layer = 0; layer < n_layers; layer++) {
    g_autoptr (GError) error = NULL;
    EngWayRequest request = {
      .kind = kind, .layer = layer, .head = (layer + 1) % n_heads,
      .query = (3 * layer + 2) % eng_trace_get_n_queries (trace, kind), .task = ENG_WAY_ANY_TASK,
    };
    g_autoptr (EngWay) way = eng_way_new (model, trace, &request, &error);

    g_assert_no_error (error);
    worst = fmax (worst, way_reference_compare (way, eng_model_get_spec (model),
                                                eng_model_get_weights (model), tokens,
                                                decoder_tokens, NULL, 0, NULL, trace));
  }
}

static void
check_model (EngModel *model)
{
  const EngSpec *spec = eng_model_get_spec (model);
  gboolean crosses = eng_spec_has_cross (spec)
                     && eng_spec_get_first_kind (spec) == ENG_KIND_ENCODER;
  g_autoptr (EngTokens) tokens = test_random_tokens_new (spec, N_TOKENS, 31);
  g_autoptr (EngTokens) decoder_tokens =
    crosses ? test_random_stack_tokens_new (spec, ENG_KIND_DECODER, N_DECODER_TOKENS, 32) : NULL;
  g_autoptr (EngTrace) trace = test_run_stacks (model, tokens, decoder_tokens, NULL, 0);

  for (int kind = 0; kind < ENG_N_KINDS; kind++)
    if (eng_trace_has_kind (trace, (EngKind) kind))
      check_kind (model, trace, (EngKind) kind, tokens, decoder_tokens);
}

static void
test_family (gconstpointer data)
{
  const char *specimen = data;
  g_autoptr (EngConfig) config = specimen_read_config (specimen);
  g_autoptr (EngTensorSet) tensors = specimen_open_weights (specimen);
  g_autoptr (EngModel) model = specimen_make_model (config, tensors);

  check_model (model);
}

static void
test_seq2seq (gconstpointer data)
{
  g_autoptr (EngModel) model = seq2seq_open (data);

  check_model (model);
}

static void
add_specimens (const char    *room,
               GTestDataFunc  func)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", room, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) folder = g_dir_open (path, 0, &error);
  const char *name;

  g_assert_no_error (error);
  while ((name = g_dir_read_name (folder)) != NULL) {
    g_autofree char *inner = g_build_filename (path, name, NULL);
    g_autofree char *test = g_strdup_printf ("/way/%s/%s", room, name);

    if (g_file_test (inner, G_FILE_TEST_IS_DIR))
      g_test_add_data_func_full (test, g_strdup (name), func, g_free);
  }
}

int
main (int    argc,
      char **argv)
{
  int status;

  g_assert_nonnull (setlocale (LC_ALL, ""));
  g_test_init (&argc, &argv, NULL);
  add_specimens ("families", test_family);
  add_specimens ("seq2seq", test_seq2seq);
  status = g_test_run ();
  g_print ("# largest difference: %.3f tolerances\n", worst);

  return status;
}
