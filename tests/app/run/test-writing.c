/* SPDX-License-Identifier: MIT */
/* The worker with models that write: a decoder alone and one of two stacks, both untrained, so that
 * texts are token ids. What is written is compared with a generation that no worker is part of. */
#include "app/run/worker.h"

#include <string.h>

#include "app/run/pass.h"
#include "engine/base/error.h"
#include "tests/support/untrained.h"

#define DEADLINE_SECONDS 60
#define N_NEW 8
/* More than the slow model writes before the first answer of a text was delivered. */
#define N_ENDLESS 5000

typedef struct {
  AppWorker  *worker;
  char       *gpt2; /* folders */
  char       *t5;
  char       *slow;

  /* The last answer. */
  guint       serial;
  gboolean    is_final;  /* nothing more follows to its request */
  EngTrace   *trace;
  GError     *error;
  gboolean    can_write;
  AppWritten  written;   /* its text is ours */
  int         first_candidate; /* id of the likeliest next token; -1 = none */

  guint       n_running; /* answers of texts that grow */
  int         most_tokens;
  /* What to ask for when a text grows; NULL = nothing. */
  const UiDocument *interruption;
  AppWriting  interruption_writing;
  guint       interruption_serial;
  int         interrupted_at; /* tokens that were there then */
} Fixture;

static void
clear_answer (Fixture *fixture)
{
  g_clear_pointer (&fixture->trace, eng_trace_unref);
  g_clear_pointer (&fixture->written.text, g_free);
  g_clear_error (&fixture->error);
}

static int
find_first_candidate (const AppPredictions *predictions)
{
  const GArray *candidates = predictions->of[ENG_TASK_LANGUAGE_MODEL];

  return candidates != NULL ? g_array_index (candidates, EngPrediction, 0).id : -1;
}

static void
answer_cb (const AppAnswer *answer,
           gpointer         data)
{
  Fixture *fixture = data;
  gboolean is_running = answer->written.is_running;

  g_assert_cmpuint (answer->serial, >=, fixture->serial);
  g_assert_true ((answer->trace != NULL) != (answer->error != NULL));
  clear_answer (fixture);
  fixture->serial = answer->serial;
  fixture->is_final = answer->error != NULL || (answer->complete && !is_running);
  fixture->trace = answer->trace != NULL ? eng_trace_ref (answer->trace) : NULL;
  fixture->error = answer->error != NULL ? g_error_copy (answer->error) : NULL;
  fixture->can_write = answer->can_write;
  fixture->written = answer->written;
  fixture->written.text = g_strdup (fixture->written.text);
  fixture->first_candidate = find_first_candidate (&answer->predictions);
  fixture->n_running += is_running && fixture->written.n_tokens > 0;
  fixture->most_tokens = MAX (fixture->most_tokens, fixture->written.n_tokens);

  if (is_running && fixture->written.n_tokens > 0 && fixture->interruption != NULL) {
    fixture->interrupted_at = fixture->written.n_tokens;
    fixture->interruption_serial = app_worker_write (fixture->worker, fixture->interruption,
                                                     fixture->interruption_writing);
    fixture->interruption = NULL;
  }
}

static void
set_up (Fixture       *fixture,
        gconstpointer  data)
{
  fixture->gpt2 = untrained_new (UNTRAINED_GPT2);
  fixture->t5 = untrained_new (UNTRAINED_T5);
  fixture->slow = untrained_new (UNTRAINED_SLOW_T5);
  fixture->worker = app_worker_new (answer_cb, fixture);
}

static void
tear_down (Fixture       *fixture,
           gconstpointer  data)
{
  g_clear_pointer (&fixture->worker, app_worker_free);
  clear_answer (fixture);
  temporary_free (fixture->gpt2);
  temporary_free (fixture->t5);
  temporary_free (fixture->slow);
}

static gboolean
deadline_cb (gpointer data)
{
  g_error ("no answer within %d s", DEADLINE_SECONDS);
  return G_SOURCE_REMOVE;
}

static void
wait_for (Fixture *fixture,
          guint    serial)
{
  guint deadline = g_timeout_add_seconds (DEADLINE_SECONDS, deadline_cb, NULL);

  while (fixture->serial < serial || !fixture->is_final)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (deadline);
  g_assert_cmpuint (fixture->serial, ==, serial);
}

static UiDocument *
make_document (const char *folder,
               const char *text_a,
               const char *text_b,
               int         max_new_tokens)
{
  UiDocument *document = ui_document_new ();

  g_free (document->text_a);
  g_free (document->text_b);
  document->model = g_strdup (folder);
  document->random_weights_set = TRUE;
  document->random_weights = 5;
  document->text_a = g_strdup (text_a);
  document->text_b = g_strdup (text_b);
  document->max_new_tokens_set = TRUE;
  document->max_new_tokens = max_new_tokens;

  return document;
}

static void
ask (Fixture          *fixture,
     const UiDocument *document,
     AppWriting        writing)
{
  wait_for (fixture, app_worker_write (fixture->worker, document, writing));
}

static int
count_queries (Fixture *fixture)
{
  return eng_trace_get_n_queries (fixture->trace, ENG_KIND_DECODER);
}

/* What the model writes when nobody looks. */
static char *
write_alone (const UiDocument *document)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EngModel) model = app_pass_open_model (document, &error);
  g_autoptr (EngGeneration) settings = NULL;
  g_autoptr (GArray) edits = app_pass_parse_edits (document, &error);
  g_autoptr (GArray) ids = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  g_auto (EngInputs) inputs = { 0 };
  guint64 seed;

  g_assert_no_error (error);
  g_assert_true (app_pass_settle (model, document, &settings, &seed, &error));
  g_assert_true (app_pass_encode (model, document, &inputs, &error));
  ids = app_pass_write (model, &inputs, edits, settings, seed, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < ids->len; i++)
    g_string_append_printf (text, " %d", g_array_index (ids, gint32, i));

  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
assert_same_attention (EngTrace *a,
                       EngTrace *b,
                       EngKind   kind)
{
  for (int layer = 0; layer < eng_trace_get_n_layers (b, kind); layer++) {
    g_autoptr (EngAttention) in_a = eng_trace_dup_attention (a, kind, layer);
    g_autoptr (EngAttention) in_b = eng_trace_dup_attention (b, kind, layer);
    gsize n = (gsize) in_b->n_heads * in_b->n_queries * in_b->n_keys;

    g_assert_cmpint (in_a->n_queries, ==, in_b->n_queries);
    g_assert_cmpint (in_a->n_keys, ==, in_b->n_keys);
    for (gsize i = 0; i < n; i++)
      g_assert_cmpfloat_with_epsilon (in_a->weights[i], in_b->weights[i], 1e-6);
  }
}

/* A decoder alone writes when it is asked to. */
static void
test_one_stack (Fixture       *fixture,
                gconstpointer  unused)
{
  g_autoptr (UiDocument) document = make_document (fixture->gpt2, "3 14 15 9", "", N_NEW);
  g_autofree char *expected = write_alone (document);

  wait_for (fixture, app_worker_submit (fixture->worker, document));
  g_assert_no_error (fixture->error);
  g_assert_true (fixture->can_write);
  g_assert_cmpint (fixture->written.n_tokens, ==, 0);
  g_assert_cmpint (count_queries (fixture), ==, 4);

  ask (fixture, document, APP_WRITE_ALL);
  g_assert_no_error (fixture->error);
  g_assert_cmpstr (fixture->written.text, ==, expected);
  g_assert_true (fixture->written.is_done);
  g_assert_cmpint (fixture->written.n_before, ==, 4);
  g_assert_cmpint (count_queries (fixture), ==, 4 + N_NEW);

  ask (fixture, document, APP_WRITE_NOTHING);
  g_assert_cmpint (fixture->written.n_tokens, ==, 0);
  g_assert_cmpstr (fixture->written.text, ==, "");
  g_assert_cmpint (count_queries (fixture), ==, 4);
}

/* The likeliest candidate is what comes next, and the picture has one token more. */
static void
test_steps (Fixture       *fixture,
            gconstpointer  unused)
{
  g_autoptr (UiDocument) document = make_document (fixture->gpt2, "3 14 15 9", "", N_NEW);
  g_autoptr (GString) expected = g_string_new (NULL);

  wait_for (fixture, app_worker_submit (fixture->worker, document));
  for (int n = 1; n <= N_NEW; n++) {
    g_assert_cmpint (fixture->first_candidate, >=, 0);
    g_string_append_printf (expected, " %d", fixture->first_candidate);
    ask (fixture, document, APP_WRITE_TOKEN);
    g_assert_no_error (fixture->error);
    g_assert_cmpstr (fixture->written.text, ==, expected->str);
    g_assert_cmpint (fixture->written.n_tokens, ==, n);
    g_assert_cmpint (fixture->written.is_done, ==, n == N_NEW);
    g_assert_cmpint (count_queries (fixture), ==, 4 + n);
  }

  /* There is nothing left to write. */
  ask (fixture, document, APP_WRITE_TOKEN);
  g_assert_cmpint (fixture->written.n_tokens, ==, N_NEW);
}

/* The picture of a text that grows is that of a pass of the text. */
static void
test_growing_picture (Fixture       *fixture,
                      gconstpointer  unused)
{
  g_autoptr (UiDocument) document = make_document (fixture->gpt2, "3 14 15 9", "", N_NEW);
  g_autoptr (EngTrace) grown = NULL;
  g_autoptr (UiDocument) typed = NULL;
  g_autofree char *text = NULL;

  for (int i = 0; i < 3; i++)
    ask (fixture, document, APP_WRITE_TOKEN);
  grown = eng_trace_ref (fixture->trace);
  text = g_strconcat (document->text_a, fixture->written.text, NULL);
  typed = make_document (fixture->gpt2, text, "", N_NEW);
  wait_for (fixture, app_worker_submit (fixture->worker, typed));
  g_assert_cmpint (count_queries (fixture), ==, 7);
  assert_same_attention (grown, fixture->trace, ENG_KIND_DECODER);
}

/* Two stacks write an empty B at once, and a B that was typed is shown as it is. */
static void
test_two_stacks (Fixture       *fixture,
                 gconstpointer  unused)
{
  g_autoptr (UiDocument) document = make_document (fixture->t5, "5 7 11", "", N_NEW);
  g_autoptr (UiDocument) typed = make_document (fixture->t5, "5 7 11", "2 3", N_NEW);
  g_autoptr (GError) error = NULL;
  g_autoptr (EngModel) model = app_pass_open_model (document, &error);
  g_autoptr (EngTrace) expected = NULL;
  g_autofree char *expected_text = write_alone (document);
  g_auto (EngInputs) inputs = { 0 };

  wait_for (fixture, app_worker_submit (fixture->worker, document));
  g_assert_no_error (fixture->error);
  g_assert_true (fixture->written.is_done);
  g_assert_cmpstr (fixture->written.text, ==, expected_text);
  g_assert_cmpint (fixture->first_candidate, >=, 0);

  /* The command line's picture. */
  g_assert_true (app_pass_complete (model, document, &inputs, &error));
  expected = app_pass_run (model, document, &inputs, 0, FALSE, &error);
  g_assert_no_error (error);
  g_assert_cmpint (count_queries (fixture), ==, inputs.decoder_tokens->n);
  for (int kind = 0; kind < ENG_N_KINDS; kind++)
    assert_same_attention (fixture->trace, expected, (EngKind) kind);

  wait_for (fixture, app_worker_submit (fixture->worker, typed));
  g_assert_no_error (fixture->error);
  g_assert_true (fixture->can_write);
  g_assert_cmpint (fixture->written.n_tokens, ==, 0);
  g_assert_cmpint (count_queries (fixture), ==, 3);
}

static void
test_search (Fixture       *fixture,
             gconstpointer  unused)
{
  g_autoptr (UiDocument) document = make_document (fixture->t5, "5 7 11", "", N_NEW);
  g_autofree char *expected = NULL;

  document->beams_set = TRUE;
  document->beams = 3;
  expected = write_alone (document);
  wait_for (fixture, app_worker_submit (fixture->worker, document));
  g_assert_no_error (fixture->error);
  g_assert_true (fixture->written.is_done);
  g_assert_cmpstr (fixture->written.text, ==, expected);
  g_assert_cmpint (count_queries (fixture), ==, 1 + N_NEW);

  ask (fixture, document, APP_WRITE_NOTHING);
  ask (fixture, document, APP_WRITE_TOKEN);
  g_assert_cmpint (fixture->written.n_tokens, ==, 1);
  g_assert_cmpint (count_queries (fixture), ==, 2);
}

static void
test_draws (Fixture       *fixture,
            gconstpointer  unused)
{
  g_autofree char *first = NULL;

  for (int seed = 0; seed < 2; seed++) {
    g_autoptr (UiDocument) document = make_document (fixture->gpt2, "3 14", "", 2 * N_NEW);
    g_autofree char *expected = NULL;

    document->seed_set = TRUE;
    document->seed = seed;
    expected = write_alone (document);
    ask (fixture, document, APP_WRITE_ALL);
    g_assert_cmpstr (fixture->written.text, ==, expected);
    g_assert_cmpstr (fixture->written.text, !=, first);
    g_free (first);
    first = g_strdup (expected);
  }
}

/* A pause ends a text that would go on for long; another token follows what is there. */
static void
test_pause (Fixture       *fixture,
            gconstpointer  unused)
{
  g_autoptr (UiDocument) document = make_document (fixture->slow, "5 7 11", "", N_ENDLESS);
  int n;

  fixture->interruption = document;
  fixture->interruption_writing = APP_WRITE_NO_MORE;
  app_worker_submit (fixture->worker, document);
  while (fixture->interruption != NULL)
    g_main_context_iteration (NULL, TRUE);
  wait_for (fixture, fixture->interruption_serial);
  g_assert_no_error (fixture->error);
  n = fixture->written.n_tokens;
  g_test_message ("paused after %d tokens", n);
  g_assert_cmpint (n, >=, fixture->interrupted_at);
  g_assert_cmpint (n, <, N_ENDLESS);
  g_assert_false (fixture->written.is_done);
  g_assert_cmpint (count_queries (fixture), ==, 1 + n);

  ask (fixture, document, APP_WRITE_TOKEN);
  g_assert_cmpint (fixture->written.n_tokens, ==, n + 1);
}

/* Another text ends what is written: its answers are the last ones. */
static void
test_latest_wins (Fixture       *fixture,
                  gconstpointer  unused)
{
  g_autoptr (UiDocument) document = make_document (fixture->slow, "5 7 11", "", N_ENDLESS);
  g_autoptr (UiDocument) other = make_document (fixture->gpt2, "1 2", "", N_NEW);

  fixture->interruption = other;
  fixture->interruption_writing = APP_WRITE_WHAT_LACKS;
  app_worker_submit (fixture->worker, document);
  while (fixture->interruption != NULL)
    g_main_context_iteration (NULL, TRUE);
  wait_for (fixture, fixture->interruption_serial);
  g_assert_no_error (fixture->error);
  g_assert_cmpint (fixture->written.n_tokens, ==, 0);
  g_assert_cmpint (count_queries (fixture), ==, 2);
  g_test_message ("left after %d tokens", fixture->most_tokens);
  g_assert_cmpint (fixture->most_tokens, <, N_ENDLESS);
}

static void
check_edited (Fixture    *fixture,
              UiDocument *document,
              const char *edits)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EngModel) model = app_pass_open_model (document, &error);
  g_autoptr (EngTrace) expected = NULL;
  g_autofree char *text = NULL;
  g_auto (EngInputs) inputs = { 0 };

  g_strfreev (document->edits);
  document->edits = g_strsplit (edits, ";", -1);
  text = write_alone (document);
  wait_for (fixture, app_worker_submit (fixture->worker, document));
  g_assert_no_error (fixture->error);
  g_assert_true (fixture->written.is_done);
  g_assert_cmpstr (fixture->written.text, ==, text);

  g_assert_true (app_pass_complete (model, document, &inputs, &error));
  expected = app_pass_run (model, document, &inputs, 0, FALSE, &error);
  g_assert_no_error (error);
  for (int kind = 0; kind < ENG_N_KINDS; kind++)
    assert_same_attention (fixture->trace, expected, (EngKind) kind);
  g_assert_cmpint (g_strv_length ((char **) eng_trace_get_edits (fixture->trace)), ==,
                   g_strv_length (document->edits) - 1);
}

/* A text is written with the edits of its document, those of rows that are yet to come among them,
 * but for one that is turned off. */
static void
test_edited (Fixture       *fixture,
             gconstpointer  unused)
{
  static const char edits[] = "uniform cross 0.*;off skip-attention 0;cut decoder 0.0 3 2;"
                              "knock-out decoder 2;swap 0 1;zero 0.1";
  g_autoptr (UiDocument) greedy = make_document (fixture->t5, "5 7 11", "", N_NEW);
  g_autoptr (UiDocument) search = make_document (fixture->t5, "5 7 11", "", N_NEW);
  g_autoptr (EngAttention) attention = NULL;

  check_edited (fixture, greedy, edits);
  attention = eng_trace_dup_attention (fixture->trace, ENG_KIND_DECODER, 0);
  g_assert_cmpfloat (attention->weights[3 * attention->n_keys + 2], ==, 0);
  g_clear_pointer (&attention, eng_attention_unref);
  attention = eng_trace_dup_attention (fixture->trace, ENG_KIND_CROSS, 0);
  g_assert_cmpfloat (attention->weights[0], ==, 1.0f / 3);

  search->beams_set = TRUE;
  search->beams = 3;
  check_edited (fixture, search, edits);
}

static void
test_refusals (Fixture       *fixture,
               gconstpointer  unused)
{
  g_autoptr (UiDocument) both = make_document (fixture->gpt2, "5 7 11", "", N_NEW);
  g_autoptr (UiDocument) fine = make_document (fixture->gpt2, "5 7 11", "", N_NEW);

  both->beams_set = both->seed_set = TRUE;
  both->beams = 3;
  ask (fixture, both, APP_WRITE_ALL);
  g_assert_error (fixture->error, ENG_ERROR, ENG_ERROR_UNSUPPORTED);
  ask (fixture, fine, APP_WRITE_ALL);
  g_assert_no_error (fixture->error);
  g_assert_true (fixture->written.is_done);
}

/* Other weights are another model. */
static void
test_random_weights (Fixture       *fixture,
                     gconstpointer  unused)
{
  g_autoptr (UiDocument) document = make_document (fixture->gpt2, "3 14 15", "", N_NEW);
  g_autoptr (EngAttention) first = NULL;
  g_autoptr (EngAttention) second = NULL;

  wait_for (fixture, app_worker_submit (fixture->worker, document));
  first = eng_trace_dup_attention (fixture->trace, ENG_KIND_DECODER, 0);
  document->random_weights = 6;
  wait_for (fixture, app_worker_submit (fixture->worker, document));
  second = eng_trace_dup_attention (fixture->trace, ENG_KIND_DECODER, 0);
  g_assert_cmpint (memcmp (first->weights, second->weights, 3 * 3 * 3 * sizeof (float)), !=, 0);

  document->random_weights_set = FALSE;
  wait_for (fixture, app_worker_submit (fixture->worker, document));
  g_assert_error (fixture->error, ENG_ERROR, ENG_ERROR_MISSING);
}

static void
test_free_while_writing (Fixture       *fixture,
                         gconstpointer  unused)
{
  for (int i = 0; i < 5; i++) {
    g_autoptr (UiDocument) document = make_document (fixture->slow, "5 7 11", "", N_ENDLESS + i);

    if (fixture->worker == NULL)
      fixture->worker = app_worker_new (answer_cb, fixture);
    fixture->serial = 0;
    fixture->n_running = 0;
    app_worker_submit (fixture->worker, document);
    while (fixture->n_running == 0)
      g_main_context_iteration (NULL, TRUE);
    g_clear_pointer (&fixture->worker, app_worker_free);

    fixture->n_running = 0;
    while (g_main_context_iteration (NULL, FALSE))
      ;
    g_assert_cmpuint (fixture->n_running, ==, 0);
  }
}

#define ADD(path, func) g_test_add ("/app/writing/" path, Fixture, NULL, set_up, func, tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("one-stack", test_one_stack);
  ADD ("steps", test_steps);
  ADD ("growing-picture", test_growing_picture);
  ADD ("two-stacks", test_two_stacks);
  ADD ("search", test_search);
  ADD ("draws", test_draws);
  ADD ("pause", test_pause);
  ADD ("latest-wins", test_latest_wins);
  ADD ("edited", test_edited);
  ADD ("refusals", test_refusals);
  ADD ("random-weights", test_random_weights);
  ADD ("free-while-writing", test_free_while_writing);

  return g_test_run ();
}
