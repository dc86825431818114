/* SPDX-License-Identifier: MIT */
/* What else a study asks for than its document's pass: a second side, the run without edits, what a
 * model writes. */
#include <string.h>

#include "app/study/study-private.h"
#include "tests/app/study/study-case.h"

/* More than a model writes while a test makes its mind up. */
#define N_ENDLESS 5000

/* The second side. */

static UiDocument *
dup_beside (Fixture    *fixture,
            const char *text)
{
  UiDocument *document = dup_with (fixture, "compare", "sides");

  document->compare_text_a_set = TRUE;
  document->compare_text_a = g_strdup (text);
  document->compare_text_b = g_strdup ("");
  return document;
}

static void
test_second (Fixture       *fixture,
             gconstpointer  data)
{
  AppStudy *study = fixture->study;

  settle (fixture);
  forget (fixture);
  app_study_change (study, dup_beside (fixture, "a dog"));
  assert_told (fixture, APP_STUDY_DOCUMENT | APP_STUDY_SECOND);
  g_assert_true (app_study_awaits_second (study));
  g_assert_false (app_study_is_waiting (study));
  g_assert_false (app_study_is_settled (study));
  g_assert_null (app_study_get_second (study));

  forget (fixture);
  settle (fixture);
  assert_told (fixture, APP_STUDY_SECOND);
  g_assert_cmpstr (eng_trace_get_text_a (app_study_get_second (study)), ==, "a dog");
  g_assert_true (eng_trace_is_complete (app_study_get_second (study)));
  g_assert_nonnull (app_study_get_second_model (study));
  g_assert_null (app_study_get_second_refusal (study));

  /* Another choice asks for nothing. */
  forget (fixture);
  change (fixture, "layer", "2");
  assert_told (fixture, APP_STUDY_DOCUMENT);

  forget (fixture);
  change (fixture, "compare", "off");
  assert_told (fixture, APP_STUDY_DOCUMENT | APP_STUDY_SECOND);
  g_assert_null (app_study_get_second (study));
  forget (fixture);
  change (fixture, "layer", "3");
  assert_told (fixture, APP_STUDY_DOCUMENT);
}

/* One pass serves both sides. */
static void
test_second_is_first (Fixture       *fixture,
                      gconstpointer  data)
{
  AppStudy *study = fixture->study;

  settle (fixture);
  forget (fixture);
  change (fixture, "compare", "sides");
  assert_told (fixture, APP_STUDY_DOCUMENT | APP_STUDY_SECOND);
  g_assert_true (app_study_get_second (study) == app_study_get_trace (study));
  g_assert_true (app_study_is_settled (study));

  app_study_change (study, dup_beside (fixture, "a dog"));
  settle (fixture);
  g_assert_true (app_study_get_second (study) != app_study_get_trace (study));
  forget (fixture);
  app_study_undo (study);
  assert_told (fixture, APP_STUDY_DOCUMENT | APP_STUDY_SECOND);
  g_assert_true (app_study_get_second (study) == app_study_get_trace (study));

  forget (fixture);
  change (fixture, "compare", "off");
  assert_told (fixture, APP_STUDY_DOCUMENT | APP_STUDY_SECOND);
  g_assert_null (app_study_get_second (study));
}

static void
test_second_refused (Fixture       *fixture,
                     gconstpointer  data)
{
  UiDocument *document;
  AppStudy *study = fixture->study;

  settle (fixture);
  document = dup_with (fixture, "compare", "difference");
  document->compare_model = g_strdup ("/no/such/model");
  app_study_change (study, document);
  forget (fixture);
  settle (fixture);
  assert_told (fixture, APP_STUDY_SECOND);
  g_assert_nonnull (strstr (app_study_get_second_refusal (study), "/no/such/model"));
  g_assert_null (app_study_get_second (study));
  g_assert_null (app_study_get_second_model (study));
  /* It is no reason to refuse the document. */
  g_assert_null (app_study_get_refusal (study));

  app_study_change (study, dup_beside (fixture, "a dog"));
  change (fixture, "compare-model", "headlight-mini");
  settle (fixture);
  g_assert_null (app_study_get_second_refusal (study));
  g_assert_nonnull (app_study_get_second (study));
}

/* The run without edits. */

static void
test_before (Fixture       *fixture,
             gconstpointer  data)
{
  AppStudy *study = fixture->study;
  g_autoptr (EngTrace) plain = NULL;

  settle (fixture);
  plain = eng_trace_ref (app_study_get_trace (study));
  g_assert_false (app_study_is_edited (study));
  g_assert_null (app_study_get_before (study));

  /* The text was on show before it was edited. */
  change (fixture, "edit", "zero 2.9");
  settle (fixture);
  g_assert_true (app_study_is_edited (study));
  g_assert_true (app_study_get_before (study) == plain);

  forget (fixture);
  type (fixture, "a cat", "");
  wait_until ((fixture->news & APP_STUDY_BEFORE) != 0);
  g_assert_nonnull (app_study_get_before (study));
  g_assert_cmpstr (eng_trace_get_text_a (app_study_get_before (study)), ==, "a cat");
  g_assert_true (app_study_get_before (study) != app_study_get_trace (study));

  app_study_shrink (study);
  g_assert_nonnull (app_study_get_before (study));
  change (fixture, "edit", "none");
  settle (fixture);
  g_assert_false (app_study_is_edited (study));
  g_assert_null (app_study_get_before (study));
}

/* A text that is left and come back to while its run without edits is made. */
static void
test_before_again (Fixture       *fixture,
                   gconstpointer  data)
{
  g_autofree char *first = make_long_text (90);
  g_autofree char *second = make_long_text (80);

  settle (fixture);
  change (fixture, "edit", "zero 2.9");
  for (int i = 0; i < 4; i++) {
    g_autofree char *text_a = g_strdup_printf ("%s %d", first, i);
    g_autofree char *text_b = g_strdup_printf ("%s %d", second, i);

    /* Both are in the worker's cache, the runs without edits are not kept. */
    type (fixture, text_a, "");
    settle (fixture);
    type (fixture, text_b, "");
    settle (fixture);
    type (fixture, text_a, "");
    settle (fixture);
    wait_until (app_study_get_before (fixture->study) != NULL);
  }
}

/* What a model writes. */

static UiDocument *
make_writing (const char *folder,
              const char *text_a,
              const char *text_b,
              int         max_new_tokens)
{
  g_autoptr (UiDocument) plain = ui_document_new ();
  UiDocument *document = dup_with_texts (plain, text_a, text_b);

  document->model = g_strdup (folder);
  document->random_weights_set = TRUE;
  document->random_weights = 5;
  document->max_new_tokens_set = TRUE;
  document->max_new_tokens = max_new_tokens;
  return document;
}

/* Another study, of a model that writes. Free the folder. */
static char *
begin_writing (Fixture    *fixture,
               const char *config,
               const char *text_a,
               const char *text_b,
               int         max_new_tokens)
{
  char *folder = untrained_new (config);
  g_autoptr (UiDocument) document = make_writing (folder, text_a, text_b, max_new_tokens);

  end (fixture);
  begin (fixture, document);
  settle (fixture);
  forget (fixture);
  return folder;
}

static const AppWritten *
get_written (Fixture *fixture)
{
  return app_study_get_written (fixture->study);
}

static void
test_write (Fixture       *fixture,
            gconstpointer  data)
{
  g_autofree char *folder = begin_writing (fixture, UNTRAINED_GPT2, "3 14 15", "", 6);
  AppStudy *study = fixture->study;
  g_autoptr (UiDocument) shown = NULL;
  g_autofree char *whole = NULL;

  g_assert_true (app_study_can_write (study));
  g_assert_false (app_study_has_written (study));
  app_study_write (study, APP_WRITE_TOKEN);
  assert_told (fixture, APP_STUDY_WAITING | APP_STUDY_WRITTEN);
  settle (fixture);
  assert_has (fixture, APP_STUDY_WRITTEN | APP_STUDY_TRACE | APP_STUDY_DOCUMENT);
  g_assert_cmpint (get_written (fixture)->n_tokens, ==, 1);
  g_assert_cmpint (get_document (fixture)->written, ==, 1);
  g_assert_true (app_study_has_written (study));

  /* To its end, which is a step. */
  app_study_write (study, APP_WRITE_ALL);
  g_assert_true (get_written (fixture)->is_running);
  settle (fixture);
  g_assert_true (get_written (fixture)->is_done);
  g_assert_cmpint (get_written (fixture)->n_tokens, ==, 6);
  g_assert_cmpint (get_document (fixture)->written, ==, UI_WRITTEN_ALL);
  g_assert_cmpint (app_study_get_n_steps (study), ==, 2);
  whole = g_strdup (get_written (fixture)->text);

  shown = ui_document_copy (get_document (fixture));
  app_study_put_written (study, shown);
  g_assert_cmpint (shown->written, ==, 0);
  g_assert_true (g_str_has_prefix (shown->text_a, "3 14 15 "));
  g_assert_true (g_str_has_suffix (shown->text_a, whole));

  app_study_undo (study);
  settle (fixture);
  g_assert_cmpint (get_written (fixture)->n_tokens, ==, 1);
  app_study_redo (study);
  settle (fixture);
  g_assert_cmpstr (get_written (fixture)->text, ==, whole);
  temporary_free (g_steal_pointer (&folder));
}

static void
test_write_anew (Fixture       *fixture,
                 gconstpointer  data)
{
  g_autofree char *folder = begin_writing (fixture, UNTRAINED_GPT2, "3 14 15", "", 6);

  app_study_write (fixture->study, APP_WRITE_ALL);
  settle (fixture);
  forget (fixture);
  app_study_write_anew (fixture->study);
  assert_told (fixture, APP_STUDY_DOCUMENT | APP_STUDY_WAITING | APP_STUDY_WRITTEN);
  settle (fixture);
  g_assert_cmpint (get_written (fixture)->n_tokens, ==, 0);
  g_assert_cmpint (get_document (fixture)->written, ==, 0);
  g_assert_false (app_study_has_written (fixture->study));

  app_study_undo (fixture->study);
  settle (fixture);
  g_assert_cmpint (get_written (fixture)->n_tokens, ==, 6);
  type (fixture, "5 7", "");
  settle (fixture);
  g_assert_cmpint (get_written (fixture)->n_tokens, ==, 0);
  g_assert_cmpint (get_document (fixture)->written, ==, 0);
  temporary_free (g_steal_pointer (&folder));
}

/* Other settings write the text again, which is no step of its own. */
static void
test_write_settings (Fixture       *fixture,
                     gconstpointer  data)
{
  g_autofree char *folder = begin_writing (fixture, UNTRAINED_GPT2, "3 14 15", "", 6);

  app_study_write (fixture->study, APP_WRITE_ALL);
  settle (fixture);
  change (fixture, "max-new-tokens", "4");
  settle (fixture);
  g_assert_cmpint (get_written (fixture)->n_tokens, ==, 4);
  g_assert_cmpint (app_study_get_n_steps (fixture->study), ==, 2);
  temporary_free (g_steal_pointer (&folder));
}

/* A pause is a step; so nothing is lost by it. */
static void
test_write_pause (Fixture       *fixture,
                  gconstpointer  data)
{
  g_autofree char *folder = begin_writing (fixture, UNTRAINED_SLOW_T5, "5 7 11", "9", N_ENDLESS);

  app_study_write (fixture->study, APP_WRITE_ALL);
  wait_until (get_written (fixture)->is_running && get_written (fixture)->n_tokens > 0);
  app_study_write (fixture->study, APP_WRITE_NO_MORE);
  settle (fixture);
  g_assert_false (get_written (fixture)->is_done);
  g_assert_cmpint (get_document (fixture)->written, ==, get_written (fixture)->n_tokens);
  g_assert_cmpint (app_study_get_n_steps (fixture->study), ==, 1);
  temporary_free (g_steal_pointer (&folder));
}

/* A text that is being written, and then refused: nobody waits for more of it. */
static void
test_write_refused (Fixture       *fixture,
                    gconstpointer  data)
{
  g_autofree char *folder = begin_writing (fixture, UNTRAINED_GPT2, "3 14 15", "", 6);

  app_study_change (fixture->study, dup_with_texts (get_document (fixture), "", ""));
  settle (fixture);
  g_assert_nonnull (app_study_get_refusal (fixture->study));
  app_study_write (fixture->study, APP_WRITE_ALL);
  g_assert_true (get_written (fixture)->is_running);
  forget (fixture);
  settle (fixture);
  assert_told (fixture, APP_STUDY_WAITING | APP_STUDY_WRITTEN | APP_STUDY_REFUSED);
  temporary_free (g_steal_pointer (&folder));
}

/* What asks for a text just typed leaves nothing to be asked for after a pause. */
static void
test_write_typing (Fixture       *fixture,
                   gconstpointer  data)
{
  g_autofree char *folder = begin_writing (fixture, UNTRAINED_GPT2, "3 14 15", "", 6);

  fixture->study->milliseconds = 1000;
  type (fixture, "5 7", "");
  g_assert_cmpuint (fixture->study->submit_source, !=, 0);
  app_study_write (fixture->study, APP_WRITE_TOKEN);
  g_assert_cmpuint (fixture->study->submit_source, ==, 0);
  settle (fixture);
  g_assert_cmpstr (app_study_get_answered (fixture->study)->text_a, ==, "5 7");
  g_assert_cmpint (get_written (fixture)->n_tokens, ==, 1);
  temporary_free (g_steal_pointer (&folder));
}

/* An empty B is written as soon as A is there, and that is no step. */
static void
test_write_b (Fixture       *fixture,
              gconstpointer  data)
{
  g_autofree char *folder = begin_writing (fixture, UNTRAINED_T5, "5 7 11", "", 6);
  g_autoptr (UiDocument) shown = ui_document_copy (get_document (fixture));

  g_assert_true (get_written (fixture)->is_done);
  g_assert_cmpint (app_study_get_n_steps (fixture->study), ==, 0);
  app_study_put_written (fixture->study, shown);
  g_assert_true (ui_document_equal (shown, get_document (fixture)));
  temporary_free (g_steal_pointer (&folder));
}

/* Layers of another model that nobody can see yet. */

typedef struct {
  Fixture  *fixture;
  EngModel *model; /* that is on show */
  guint     n_asked;
} Gate;

static gboolean
gate_cb (EngTrace *trace,
         gpointer  data)
{
  Gate *gate = data;

  gate->n_asked++;
  g_assert_true (app_study_get_trace (gate->fixture->study) != trace);
  g_assert_true (app_study_get_model (gate->fixture->study) == gate->model);
  return FALSE;
}

/* No trace of another model but whole ones. */
static void
gate_changed_cb (Gate  *gate,
                 guint  what)
{
  AppStudy *study = gate->fixture->study;

  if ((what & APP_STUDY_TRACE) != 0 && app_study_get_model (study) != gate->model)
    g_assert_true (app_study_is_complete (study));
}

static void
test_gate (Fixture       *fixture,
           gconstpointer  data)
{
  g_autofree char *text = make_long_text (180);
  g_autofree char *folder = begin_writing (fixture, UNTRAINED_GPT2, "3 14 15", "", 6);
  g_autoptr (UiDocument) small = ui_document_copy (get_document (fixture));
  Gate gate = { fixture };

  g_signal_connect_swapped (fixture->study, "changed", G_CALLBACK (gate_changed_cb), &gate);
  app_study_set_gate (fixture->study, gate_cb, &gate);
  for (int i = 0; i < N_TRIES && gate.n_asked == 0; i++) {
    g_autofree char *other = g_strdup_printf ("%s%d", text, i);
    UiDocument *large = dup_with_texts (small, other, "");

    gate.model = app_study_get_model (fixture->study);
    g_clear_pointer (&large->model, g_free);
    large->random_weights_set = FALSE;
    app_study_change (fixture->study, large);
    settle (fixture);
    g_assert_null (app_study_get_refusal (fixture->study));
    g_assert_true (app_study_get_model (fixture->study) != gate.model);
    gate.model = app_study_get_model (fixture->study);
    app_study_change (fixture->study, ui_document_copy (small));
    settle (fixture);
  }
  g_assert_cmpuint (gate.n_asked, >, 0);
  temporary_free (g_steal_pointer (&folder));
}

/* The end, in the midst of something. */

static void
assert_silent (Fixture *fixture)
{
  app_study_close (fixture->study);
  forget (fixture);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpuint (fixture->n_told, ==, 0);
  g_assert_null (get_document (fixture));
  g_assert_null (app_study_get_trace (fixture->study));
  g_assert_null (app_study_get_before (fixture->study));
  g_assert_true (app_study_is_settled (fixture->study));
  g_assert_false (app_study_is_complete (fixture->study));
  g_assert_false (app_study_has_texts (fixture->study));
  g_assert_false (app_study_has_written (fixture->study));
  g_assert_cmpstr (app_study_get_written (fixture->study)->text, ==, "");
}

static void
test_close (Fixture       *fixture,
            gconstpointer  data)
{
  for (int i = 0; i < 10; i++) {
    g_autoptr (UiDocument) document = ui_document_new ();

    g_usleep ((gulong) i * 3000);
    assert_silent (fixture);
    end (fixture);
    begin (fixture, document);
  }
}

static void
test_close_typing (Fixture       *fixture,
                   gconstpointer  data)
{
  g_autofree char *text = make_long_text (180);

  settle (fixture);
  type (fixture, text, "");
  settle (fixture);
  /* It is slow: this one waits for a pause. */
  type (fixture, "a cat", "");
  assert_silent (fixture);
}

static void
test_close_second (Fixture       *fixture,
                   gconstpointer  data)
{
  g_autofree char *text = make_long_text (180);

  settle (fixture);
  app_study_change (fixture->study, dup_beside (fixture, text));
  g_assert_true (app_study_awaits_second (fixture->study));
  assert_silent (fixture);
  g_assert_null (app_study_get_second (fixture->study));
}

static void
test_close_before (Fixture       *fixture,
                   gconstpointer  data)
{
  settle (fixture);
  change (fixture, "edit", "zero 2.9");
  settle (fixture);
  type (fixture, "a cat", "");
  wait_until (app_study_is_settled (fixture->study));
  assert_silent (fixture);
}

static void
test_close_writing (Fixture       *fixture,
                    gconstpointer  data)
{
  g_autofree char *folder = begin_writing (fixture, UNTRAINED_SLOW_T5, "5 7 11", "9", N_ENDLESS);

  app_study_write (fixture->study, APP_WRITE_ALL);
  wait_until (get_written (fixture)->is_running && get_written (fixture)->n_tokens > 0);
  assert_silent (fixture);
  temporary_free (g_steal_pointer (&folder));
}

static void
add_tests (void)
{
  ADD ("second", test_second);
  ADD ("second-is-first", test_second_is_first);
  ADD ("second-refused", test_second_refused);
  ADD ("before", test_before);
  ADD ("before-again", test_before_again);
  ADD ("write", test_write);
  ADD ("write-anew", test_write_anew);
  ADD ("write-settings", test_write_settings);
  ADD ("write-pause", test_write_pause);
  ADD ("write-refused", test_write_refused);
  ADD ("write-typing", test_write_typing);
  ADD ("write-b", test_write_b);
  ADD ("gate", test_gate);
  ADD ("close", test_close);
  ADD ("close-typing", test_close_typing);
  ADD ("close-second", test_close_second);
  ADD ("close-before", test_close_before);
  ADD ("close-writing", test_close_writing);
}

int
main (int    argc,
      char **argv)
{
  return run_tests (argc, argv, add_tests);
}
