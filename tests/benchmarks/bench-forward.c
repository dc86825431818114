/* SPDX-License-Identifier: MIT */
/* Time of a captured pass (q, k, v, hidden states and the attention of every layer kept). Prints
 * one line a length: name, tokens, smallest and median milliseconds, milliseconds to the first
 * layer, GFLOP/s.
 *   bench-forward      BERT-base with random weights at 16, 32, 128 and 512 tokens, then the
 *                      bundled model and MiniLM (where it is) at 15 and 20
 *   bench-forward TOKENS[,TOKENS…] [REPETITIONS]     BERT-base alone
 *   bench-forward - [FOLDER]    reads a number of tokens a line and answers each with the
 *                      milliseconds of one pass, of BERT-base or of the folder's model: for
 *                      tests/benchmarks/bench_torch.py and bench_families.py */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/kernels/isa.h"
#include "engine/kernels/pool.h"
#include "engine/transformer/session.h"
#include "tests/support/random-model.h"

#define DEFAULT_REPETITIONS 9

typedef struct {
  gint64 start;
  gint64 first_layer;
} Clock;

static void
note_layer (EngTrace *trace,
            EngKind   kind,
            int       layer,
            gpointer  data)
{
  Clock *clock = data;

  if (layer == 0)
    clock->first_layer = g_get_monotonic_time ();
}

static int
compare_doubles (gconstpointer a,
                 gconstpointer b)
{
  double x = *(const double *) a;
  double y = *(const double *) b;

  return x < y ? -1 : x > y;
}

/* Multiplications and additions of the layers; embeddings and heads are small beside them. */
static double
count_gflop (const EngSpec *spec,
             int            n)
{
  const EngStackSpec *stack = &spec->stacks[ENG_KIND_ENCODER];
  double heads_size = eng_attention_spec_get_size (eng_stack_spec_get_heads (stack));
  double products = 4.0 * spec->hidden_size * heads_size +
                    2.0 * spec->hidden_size * stack->sorts[0].feed_forward.intermediate_size;

  return stack->n_layers * 2.0 * n * (products + 2.0 * n * heads_size) * 1e-9;
}

/* Milliseconds of one pass; decoder_tokens only of two stacks; *first_layer (nullable out) those until its attention may be read. */
static double
run_once (EngSession *session,
          EngTokens  *tokens,
          EngTokens  *decoder_tokens,
          double     *first_layer)
{
  Clock clock = { g_get_monotonic_time (), 0 };
  EngRunRequest request = {
    .tokens = tokens,
    .decoder_tokens = decoder_tokens,
    .keep_attention = TRUE,
    .layer_done = note_layer,
    .data = &clock,
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTrace) trace = eng_session_run (session, &request, &error);

  g_assert_no_error (error);
  if (first_layer != NULL)
    *first_layer = (clock.first_layer - clock.start) / 1000.0;
  return (g_get_monotonic_time () - clock.start) / 1000.0;
}

static void
measure (const char *name,
         EngModel   *model,
         int         n_tokens,
         int         n_repetitions)
{
  const EngSpec *spec = eng_model_get_spec (model);
  g_autoptr (EngTokens) tokens = test_random_tokens_new (spec, n_tokens, 1);
  g_autoptr (EngSession) session = eng_session_new (model);
  g_autofree double *times = g_new (double, n_repetitions);
  double first = G_MAXDOUBLE;
  char text[3][32];

  /* The first pass touches the weights and the arena. */
  run_once (session, tokens, NULL, NULL);
  for (int i = 0; i < n_repetitions; i++) {
    double first_layer;

    times[i] = run_once (session, tokens, NULL, &first_layer);
    first = MIN (first, first_layer);
  }

  qsort (times, n_repetitions, sizeof *times, compare_doubles);
  g_print ("%s %d tokens: min %s ms, median %s ms, first layer %s ms, %d GFLOP/s\n", name, n_tokens,
           g_ascii_formatd (text[0], sizeof text[0], "%.2f", times[0]),
           g_ascii_formatd (text[1], sizeof text[1], "%.2f", times[n_repetitions / 2]),
           g_ascii_formatd (text[2], sizeof text[2], "%.2f", first),
           (int) (count_gflop (spec, n_tokens) / times[0] * 1000));
}

static void
measure_folder (const char *name,
                const char *folder)
{
  g_autoptr (EngModel) model = eng_model_open (folder, name, NULL);

  if (model == NULL) {
    g_print ("%s: not there, skipped\n", name);
    return;
  }
  measure (name, model, 15, 200);
  measure (name, model, 20, 200);
}

static EngModel *
open_model (const char *folder)
{
  g_autoptr (GError) error = NULL;
  EngModel *model;
  EngSpec spec;

  if (folder == NULL) {
    test_bert_base_spec (&spec);
    return test_random_model_new (&spec, 1, NULL);
  }
  model = eng_model_open (folder, folder, &error);
  g_assert_no_error (error);

  return model;
}

static void
answer_lines (const char *folder)
{
  g_autoptr (EngModel) model = open_model (folder);
  g_autoptr (EngSession) session = eng_session_new (model);
  char line[32];

  while (fgets (line, sizeof line, stdin) != NULL) {
    g_autoptr (EngTokens) tokens = test_random_tokens_new (eng_model_get_spec (model),
                                                           atoi (line), 1);
    EngTokens *written = eng_model_has_two_stacks (model) ? tokens : NULL;
    char text[32];

    g_ascii_formatd (text, sizeof text, "%.3f", run_once (session, tokens, written, NULL));
    printf ("%s\n", text);
    fflush (stdout);
  }
}

static void
measure_bert_base (const char *lengths,
                   int         n_repetitions)
{
  g_auto (GStrv) list = g_strsplit (lengths, ",", -1);
  EngSpec spec;

  test_bert_base_spec (&spec);

  g_autoptr (EngModel) model = test_random_model_new (&spec, 1, NULL);

  for (int i = 0; list[i] != NULL; i++)
    measure ("bert-base", model, atoi (list[i]), n_repetitions);
}

int
main (int    argc,
      char **argv)
{
  const char *shared = g_getenv ("HEADLIGHT_SHARED");
  const char *sources = g_getenv ("G_TEST_SRCDIR");
  int n_repetitions = argc > 2 ? atoi (argv[2]) : DEFAULT_REPETITIONS;

  if (argc > 1 && strcmp (argv[1], "-") == 0) {
    answer_lines (argc > 2 ? argv[2] : NULL);
    eng_pool_shutdown ();
    return 0;
  }

  g_print ("%d threads, %s\n", eng_pool_get_n_workers (), eng_isa_get_name (eng_isa_get ()));
  measure_bert_base (argc > 1 ? argv[1] : "16,32,128,512", MAX (n_repetitions, 1));
  if (argc == 1) {
    g_autofree char *mini = g_build_filename (sources != NULL ? sources : "tests", "..",
                                              "resources", "models", "headlight-mini", NULL);
    g_autofree char *minilm = g_build_filename (shared != NULL ? shared : "../shared", "data",
                                                "checkpoints", "minilm-l6-v2", NULL);

    measure_folder ("headlight-mini", mini);
    measure_folder ("minilm-l6-v2", minilm);
  }
  eng_pool_shutdown ();
  return 0;
}
