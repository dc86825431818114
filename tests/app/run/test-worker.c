/* SPDX-License-Identifier: MIT */
/* The worker with the bundled model. What depends on who is faster is tried until it was seen, and
 * what must hold is checked at every try. */
#include "app/run/worker.h"

#include <string.h>

#include "engine/base/error.h"

#define DEADLINE_SECONDS 60
#define N_TRIES 60

typedef struct {
  AppWorker *worker;
  guint      n_answers;
  guint      n_partial;      /* of the last serial awaited */
  guint      last_serial;
  guint      complete_serial; /* of the last complete answer */
  EngTrace  *trace;
  GError    *error;
  gboolean   has_model;

  /* What to submit once a growing trace has this many layers; 0 = nothing. */
  int         interrupt_after;
  UiDocument *interruption;
  guint       interruption_serial;
  guint       n_complete_before; /* complete answers that are older than the interruption */
} Fixture;

/* About 190 pieces: a pass of some milliseconds for each layer. */
static UiDocument *
make_long_document (int number)
{
  UiDocument *document = ui_document_new ();
  g_autoptr (GString) text = g_string_new (NULL);

  for (int i = 0; i < 90; i++)
    g_string_append (text, i % 2 ? "the cat " : "on a mat ");
  g_string_append_printf (text, "%d", number);
  g_free (document->text_a);
  g_free (document->text_b);
  document->text_a = g_strdup (text->str);
  document->text_b = g_strdup ("");

  return document;
}

static UiDocument *
make_document (const char *text_a,
               const char *text_b)
{
  UiDocument *document = ui_document_new ();

  g_free (document->text_a);
  g_free (document->text_b);
  document->text_a = g_strdup (text_a);
  document->text_b = g_strdup (text_b);

  return document;
}

static void
answer_cb (const AppAnswer *answer,
           gpointer         data)
{
  Fixture *fixture = data;

  g_assert_cmpuint (answer->serial, >=, fixture->last_serial);
  g_assert_true ((answer->trace != NULL) != (answer->error != NULL));
  fixture->last_serial = answer->serial;
  fixture->n_answers++;
  fixture->n_partial += answer->trace != NULL && !answer->complete;
  if (answer->complete) {
    fixture->complete_serial = answer->serial;
    fixture->n_complete_before += answer->serial < fixture->interruption_serial;
    g_assert_true (eng_trace_is_complete (answer->trace));
  }

  g_clear_pointer (&fixture->trace, eng_trace_unref);
  g_clear_error (&fixture->error);
  fixture->trace = answer->trace != NULL ? eng_trace_ref (answer->trace) : NULL;
  fixture->error = answer->error != NULL ? g_error_copy (answer->error) : NULL;
  fixture->has_model = answer->model != NULL;

  if (fixture->interrupt_after > 0 && answer->trace != NULL && !answer->complete
      && eng_trace_has_layer (answer->trace, ENG_KIND_ENCODER, fixture->interrupt_after - 1)) {
    fixture->interrupt_after = 0;
    fixture->interruption_serial = app_worker_submit (fixture->worker, fixture->interruption);
  }
}

static void
set_up (Fixture       *fixture,
        gconstpointer  data)
{
  fixture->worker = app_worker_new (answer_cb, fixture);
}

static void
tear_down (Fixture       *fixture,
           gconstpointer  data)
{
  g_clear_pointer (&fixture->worker, app_worker_free);
  g_clear_pointer (&fixture->trace, eng_trace_unref);
  g_clear_pointer (&fixture->interruption, ui_document_free);
  g_clear_error (&fixture->error);
}

static gboolean
deadline_cb (gpointer data)
{
  g_error ("no answer within %d s", DEADLINE_SECONDS);
  return G_SOURCE_REMOVE;
}

/* Until the request was answered: completely, or with an error. */
static void
wait_for (Fixture *fixture,
          guint    serial)
{
  guint deadline = g_timeout_add_seconds (DEADLINE_SECONDS, deadline_cb, NULL);

  while (fixture->complete_serial < serial
         && !(fixture->last_serial == serial && fixture->error != NULL))
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (deadline);
}

static void
run (Fixture    *fixture,
     UiDocument *document)
{
  wait_for (fixture, app_worker_submit (fixture->worker, document));
  ui_document_free (document);
}

static void
test_answer (Fixture       *fixture,
             gconstpointer  data)
{
  EngMatrix logits;

  run (fixture, ui_document_new ());
  g_assert_no_error (fixture->error);
  g_assert_true (fixture->has_model);
  g_assert_cmpint (eng_trace_get_n_queries (fixture->trace, ENG_KIND_ENCODER), ==, 15);
  g_assert_cmpstr (eng_trace_get_text_b (fixture->trace), ==, "The cat lay on the rug");
  g_assert_true (eng_trace_get_logits (fixture->trace, ENG_TASK_NEXT_SENTENCE, &logits, NULL));
  g_assert_false (eng_trace_get_logits (fixture->trace, ENG_TASK_FILL_MASK, &logits, NULL));
}

static void
test_tasks (Fixture       *fixture,
            gconstpointer  data)
{
  EngMatrix logits;

  run (fixture, make_document ("The cat sat on the [MASK].", ""));
  g_assert_no_error (fixture->error);
  g_assert_true (eng_trace_get_logits (fixture->trace, ENG_TASK_FILL_MASK, &logits, NULL));
  g_assert_cmpint (logits.rows, ==, 1);
  g_assert_false (eng_trace_get_logits (fixture->trace, ENG_TASK_NEXT_SENTENCE, &logits, NULL));
}

static void
test_latest_wins (Fixture       *fixture,
                  gconstpointer  data)
{
  guint serial = 0;

  for (int i = 0; i < 200; i++) {
    g_autoptr (UiDocument) document = make_long_document (i);

    serial = app_worker_submit (fixture->worker, document);
  }
  wait_for (fixture, serial);
  g_assert_cmpuint (fixture->complete_serial, ==, serial);
  g_assert_true (g_str_has_suffix (eng_trace_get_text_a (fixture->trace), "199"));
  /* Nobody waits for 200 passes. */
  g_assert_cmpuint (fixture->n_answers, <, 100);
}

static void
test_layers (Fixture       *fixture,
             gconstpointer  data)
{
  for (int i = 0; i < N_TRIES && fixture->n_partial == 0; i++)
    run (fixture, make_long_document (i));
  g_test_message ("%u growing answers", fixture->n_partial);
  g_assert_cmpuint (fixture->n_partial, >, 0);
}

/* One pass, and a second request when the first has n_layers of its six layers. */
static void
interrupt (Fixture *fixture,
           int      number,
           int      n_layers)
{
  g_autoptr (UiDocument) document = make_long_document (2 * number);
  guint serial;

  g_clear_pointer (&fixture->interruption, ui_document_free);
  fixture->interruption = make_long_document (2 * number + 1);
  fixture->interruption_serial = 0;
  fixture->n_complete_before = 0;
  fixture->interrupt_after = n_layers;
  serial = app_worker_submit (fixture->worker, document);
  wait_for (fixture, serial);
  fixture->interrupt_after = 0;
  if (fixture->interruption_serial > 0)
    wait_for (fixture, fixture->interruption_serial);
}

static void
test_cancels_before_half (Fixture       *fixture,
                          gconstpointer  data)
{
  for (int i = 0; i < N_TRIES; i++) {
    interrupt (fixture, i, 1);
    if (fixture->interruption_serial > 0 && fixture->n_complete_before == 0) {
      g_test_message ("cancelled at try %d", i);
      return;
    }
  }
  g_test_fail_printf ("no pass was cancelled");
}

/* Layer 4 of 6 is there: from layer 3 on the pass is worth finishing. On a busy machine an answer
 * that is not delivered yet may give way to the next one, so a single try proves nothing. */
static void
test_finishes_beyond_half (Fixture       *fixture,
                           gconstpointer  data)
{
  for (int i = 0; i < N_TRIES; i++) {
    interrupt (fixture, i, 4);
    if (fixture->interruption_serial > 0 && fixture->n_complete_before == 1) {
      g_test_message ("finished and shown at try %d", i);
      return;
    }
  }
  g_test_fail_printf ("no pass beyond half was finished and shown");
}

static void
test_cache (Fixture       *fixture,
            gconstpointer  data)
{
  g_autoptr (EngTrace) first = NULL;

  run (fixture, ui_document_new ());
  first = eng_trace_ref (fixture->trace);
  run (fixture, make_document ("something else", ""));
  g_assert_true (fixture->trace != first);
  run (fixture, ui_document_new ());
  g_assert_true (fixture->trace == first);

  /* The same words, but other edits. */
  {
    UiDocument *document = ui_document_new ();

    g_strfreev (document->edits);
    document->edits = g_strsplit ("zero 2.9", "\n", -1);
    run (fixture, document);
    g_assert_no_error (fixture->error);
    g_assert_true (fixture->trace != first);
  }
}

/* The latest stays, all others are run again. */
static void
test_shrink (Fixture       *fixture,
             gconstpointer  data)
{
  g_autoptr (EngTrace) first = NULL;
  g_autoptr (EngTrace) latest = NULL;

  run (fixture, ui_document_new ());
  first = eng_trace_ref (fixture->trace);
  run (fixture, make_document ("something else", ""));
  latest = eng_trace_ref (fixture->trace);

  app_worker_shrink (fixture->worker);
  run (fixture, make_document ("something else", ""));
  g_assert_true (fixture->trace == latest);
  run (fixture, ui_document_new ());
  g_assert_no_error (fixture->error);
  g_assert_true (fixture->trace != first);
}

static void
assert_refused (Fixture    *fixture,
                UiDocument *document,
                gboolean    has_model,
                const char *words)
{
  run (fixture, document);
  g_assert_nonnull (fixture->error);
  g_test_message ("%s", fixture->error->message);
  g_assert_nonnull (strstr (fixture->error->message, words));
  g_assert_cmpint (fixture->has_model, ==, has_model);
}

static void
test_errors (Fixture       *fixture,
             gconstpointer  data)
{
  UiDocument *document = ui_document_new ();
  UiDocument *trace_document = ui_document_new ();
  UiDocument *edit_document = ui_document_new ();
  g_autoptr (GString) long_text = g_string_new (NULL);

  for (int i = 0; i < 300; i++)
    g_string_append (long_text, "cat ");
  document->model = g_strdup ("no-such-model");
  trace_document->trace_file = g_strdup ("/no/such/file.safetensors");
  g_strfreev (edit_document->edits);
  edit_document->edits = g_strsplit ("zero 6.0", "\n", -1);

  assert_refused (fixture, document, FALSE, "no-such-model");
  assert_refused (fixture, trace_document, FALSE, "/no/such/file.safetensors");
  assert_refused (fixture, make_document ("", "a cat"), TRUE, "A");
  assert_refused (fixture, make_document (long_text->str, ""), TRUE, "302");
  assert_refused (fixture, edit_document, TRUE, "6");

  run (fixture, ui_document_new ());
  g_assert_no_error (fixture->error);
}

static void
test_trace_file (Fixture       *fixture,
                 gconstpointer  data)
{
  g_autofree char *path = g_build_filename (g_getenv ("HEADLIGHT_SHARED"), "data", "traces",
                                            "bert-base-uncased.cat-mat.safetensors", NULL);
  UiDocument *document;

  if (!g_file_test (path, G_FILE_TEST_EXISTS)) {
    g_test_skip ("no shared data");
    return;
  }

  document = ui_document_new ();
  document->trace_file = g_steal_pointer (&path);
  run (fixture, document);
  g_assert_no_error (fixture->error);
  g_assert_false (fixture->has_model);
  g_assert_cmpint (eng_trace_get_n_layers (fixture->trace, ENG_KIND_ENCODER), ==, 12);
}

/* A window that closes in the middle of a pass waits for the thread and hears nothing more. */
static void
test_free_while_running (Fixture       *fixture,
                         gconstpointer  data)
{
  for (int i = 0; i < 10; i++) {
    g_autoptr (UiDocument) document = make_long_document (i);
    guint n_answers;

    if (fixture->worker == NULL)
      fixture->worker = app_worker_new (answer_cb, fixture);
    fixture->last_serial = 0;
    app_worker_submit (fixture->worker, document);
    g_usleep ((gulong) i * 3000);
    g_clear_pointer (&fixture->worker, app_worker_free);

    n_answers = fixture->n_answers;
    while (g_main_context_iteration (NULL, FALSE))
      ;
    g_assert_cmpuint (fixture->n_answers, ==, n_answers);
  }
}

/* At rest a worker answers nothing and keeps nothing; with the next request it works again. */
static void
test_rest (Fixture       *fixture,
           gconstpointer  data)
{
  g_autoptr (UiDocument) document = make_long_document (0);
  g_autoptr (EngTrace) first = NULL;

  run (fixture, make_document ("the cat", ""));
  first = eng_trace_ref (fixture->trace);

  fixture->interruption_serial = G_MAXUINT;
  app_worker_submit (fixture->worker, document);
  app_worker_rest (fixture->worker);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpuint (fixture->n_complete_before, ==, 0);

  run (fixture, make_document ("the cat", ""));
  g_assert_cmpuint (fixture->n_complete_before, ==, 1);

  /* What it keeps goes unless the next request is faster. */
  for (int i = 0; i < N_TRIES && fixture->trace == first; i++) {
    app_worker_rest (fixture->worker);
    g_usleep (5000);
    run (fixture, make_document ("the cat", ""));
  }
  g_assert_true (fixture->trace != first);
}

#define ADD(path, func) g_test_add ("/app/worker/" path, Fixture, NULL, set_up, func, tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("answer", test_answer);
  ADD ("tasks", test_tasks);
  ADD ("latest-wins", test_latest_wins);
  ADD ("layers", test_layers);
  ADD ("cancels-before-half", test_cancels_before_half);
  ADD ("finishes-beyond-half", test_finishes_beyond_half);
  ADD ("cache", test_cache);
  ADD ("shrink", test_shrink);
  ADD ("errors", test_errors);
  ADD ("trace-file", test_trace_file);
  ADD ("free-while-running", test_free_while_running);
  ADD ("rest", test_rest);

  return g_test_run ();
}
