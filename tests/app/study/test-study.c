/* SPDX-License-Identifier: MIT */
/* A study's document and its pass, with the bundled model: every verb, and what "changed" says of
 * it. */
#include <string.h>

#include "tests/app/study/study-case.h"

static void
test_new (Fixture       *fixture,
          gconstpointer  data)
{
  g_assert_true (app_study_is_waiting (fixture->study));
  g_assert_null (app_study_get_trace (fixture->study));
  g_assert_cmpstr (app_study_get_written (fixture->study)->text, ==, "");
  g_assert_false (app_study_can_undo (fixture->study));
  g_assert_true (app_study_has_texts (fixture->study));

  settle (fixture);
  assert_has (fixture, APP_STUDY_TRACE | APP_STUDY_WAITING);
  g_assert_cmphex (fixture->news & (APP_STUDY_DOCUMENT | APP_STUDY_REFUSED | APP_STUDY_SECOND
                                    | APP_STUDY_FILE), ==, 0);
  g_assert_true (app_study_is_complete (fixture->study));
  g_assert_nonnull (app_study_get_model (fixture->study));
  g_assert_cmpfloat (app_study_get_milliseconds (fixture->study), >, 0);
  g_assert_cmpint (app_study_get_n_uncut (fixture->study), ==, 0);
  g_assert_nonnull (app_study_get_predictions (fixture->study)->of[ENG_TASK_NEXT_SENTENCE]);
  g_assert_true (ui_document_equal (app_study_get_answered (fixture->study),
                                    get_document (fixture)));
  g_assert_false (app_study_can_write (fixture->study));
  g_assert_null (app_study_get_refusal (fixture->study));
}

/* A slow pass is asked for once nobody types any more. */
static void
test_text (Fixture       *fixture,
           gconstpointer  data)
{
  settle (fixture);
  forget (fixture);
  type (fixture, "a cat", "");
  g_assert_cmpuint (fixture->n_told, ==, 1);
  g_assert_cmphex (fixture->news & ~APP_STUDY_WAITING, ==, APP_STUDY_DOCUMENT);
  g_assert_false (app_study_is_settled (fixture->study));
  g_assert_cmpint (app_study_get_n_steps (fixture->study), ==, 1);

  settle (fixture);
  assert_has (fixture, APP_STUDY_TRACE | APP_STUDY_WAITING);
  g_assert_cmpstr (eng_trace_get_text_a (app_study_get_trace (fixture->study)), ==, "a cat");
  g_assert_true (app_study_is_complete (fixture->study));
}

static void
test_no_pass (Fixture       *fixture,
              gconstpointer  data)
{
  EngTrace *trace;

  settle (fixture);
  trace = app_study_get_trace (fixture->study);
  forget (fixture);
  change (fixture, "layer", "3");
  assert_told (fixture, APP_STUDY_DOCUMENT);
  g_assert_false (app_study_is_waiting (fixture->study));
  g_assert_true (app_study_is_settled (fixture->study));
  g_assert_true (app_study_get_trace (fixture->study) == trace);
}

static void
test_steps (Fixture       *fixture,
            gconstpointer  data)
{
  g_autofree char *label = NULL;

  settle (fixture);
  change (fixture, "layer", "3");
  g_assert_true (app_study_can_undo (fixture->study));
  g_assert_true (app_study_can_go_back (fixture->study));
  label = app_study_describe_undo (fixture->study);
  g_assert_cmpstr (label, ==, "Layer 3");

  forget (fixture);
  app_study_undo (fixture->study);
  assert_told (fixture, APP_STUDY_DOCUMENT);
  g_assert_cmpint (get_document (fixture)->layer, ==, 0);
  g_assert_false (app_study_can_undo (fixture->study));
  g_assert_null (app_study_describe_undo (fixture->study));

  forget (fixture);
  app_study_undo (fixture->study);
  g_assert_cmpuint (fixture->n_told, ==, 0);

  app_study_redo (fixture->study);
  assert_told (fixture, APP_STUDY_DOCUMENT);
  g_assert_cmpint (get_document (fixture)->layer, ==, 3);
  g_assert_false (app_study_can_redo (fixture->study));
}

/* Looking elsewhere is a step; what else was chosen meanwhile stays. */
static void
test_places (Fixture       *fixture,
             gconstpointer  data)
{
  settle (fixture);
  change (fixture, "layer", "3");
  change (fixture, "theme", "dark");
  forget (fixture);
  app_study_go_back (fixture->study);
  assert_told (fixture, APP_STUDY_DOCUMENT);
  g_assert_cmpint (get_document (fixture)->layer, ==, 0);
  g_assert_cmpint (get_document (fixture)->theme, ==, UI_THEME_DARK);
  g_assert_false (app_study_can_go_back (fixture->study));
  forget (fixture);
  app_study_go_back (fixture->study);
  g_assert_cmpuint (fixture->n_told, ==, 0);

  app_study_go_forward (fixture->study);
  assert_told (fixture, APP_STUDY_DOCUMENT);
  g_assert_cmpint (get_document (fixture)->layer, ==, 3);
  g_assert_false (app_study_can_go_forward (fixture->study));
}

static void
test_amend (Fixture       *fixture,
            gconstpointer  data)
{
  settle (fixture);
  change (fixture, "layer", "3");
  forget (fixture);
  app_study_amend (fixture->study, dup_with (fixture, "layer", "2"));
  assert_told (fixture, APP_STUDY_DOCUMENT);
  g_assert_cmpint (app_study_get_n_steps (fixture->study), ==, 1);
  app_study_undo (fixture->study);
  g_assert_cmpint (get_document (fixture)->layer, ==, 0);
}

/* Each kind of attention keeps its place while another is looked at. */
static void
test_kinds (Fixture       *fixture,
            gconstpointer  data)
{
  g_autofree char *folder = untrained_new (UNTRAINED_T5);
  g_autoptr (UiDocument) document = dup_with_texts (get_document (fixture), "5 7 11", "9 8");
  UiDocument *changed;

  end (fixture);
  document->model = g_strdup (folder);
  document->random_weights_set = TRUE;
  document->kind_set = TRUE;
  document->kind = ENG_KIND_DECODER;
  document->layer = 2;
  begin (fixture, document);
  settle (fixture);
  changed = ui_document_copy (get_document (fixture));
  app_study_put_kind (fixture->study, changed, ENG_KIND_DECODER, ENG_KIND_ENCODER);
  g_assert_cmpint (changed->kind, ==, ENG_KIND_ENCODER);
  changed->layer = 1;
  app_study_change (fixture->study, changed);
  changed = ui_document_copy (get_document (fixture));
  app_study_put_kind (fixture->study, changed, ENG_KIND_ENCODER, ENG_KIND_DECODER);
  g_assert_cmpint (changed->layer, ==, 2);
  ui_document_free (changed);
  temporary_free (g_steal_pointer (&folder));
}

/* Taken back: the trace before stays, and the step is none. */
static void
test_refused_model (Fixture       *fixture,
                    gconstpointer  data)
{
  g_autoptr (EngTrace) trace = NULL;
  const AppRefusal *refusal;

  settle (fixture);
  trace = eng_trace_ref (app_study_get_trace (fixture->study));
  forget (fixture);
  app_study_open_model (fixture->study, "/no/such/model");
  assert_told (fixture, APP_STUDY_DOCUMENT | APP_STUDY_WAITING);
  wait_until (app_study_get_refusal (fixture->study) != NULL);
  refusal = app_study_get_refusal (fixture->study);
  assert_has (fixture, APP_STUDY_REFUSED | APP_STUDY_DOCUMENT);
  g_assert_true (refusal->is_taken_back);
  g_assert_false (refusal->is_too_long);
  g_assert_null (refusal->model);
  g_assert_cmpstr (refusal->document->model, ==, "/no/such/model");
  g_assert_nonnull (strstr (refusal->error->message, "/no/such/model"));
  g_assert_null (get_document (fixture)->model);
  g_assert_true (app_study_get_trace (fixture->study) == trace);
  g_assert_false (app_study_can_undo (fixture->study));

  forget (fixture);
  settle (fixture);
  assert_has (fixture, APP_STUDY_REFUSED);
  g_assert_null (app_study_get_refusal (fixture->study));
}

/* What was said of the model that stays is said of it still. */
static void
test_refused_keeps_words (Fixture       *fixture,
                          gconstpointer  data)
{
  g_autoptr (UiDocument) before = NULL;

  settle (fixture);
  change (fixture, "prefix", "once: ");
  settle (fixture);
  before = ui_document_copy (get_document (fixture));
  app_study_open_model (fixture->study, "/no/such/model");
  g_assert_null (get_document (fixture)->prefix);
  wait_until (app_study_get_refusal (fixture->study) != NULL);
  g_assert_true (ui_document_equal (get_document (fixture), before));
  g_assert_cmpint (app_study_get_n_steps (fixture->study), ==, 1);
}

static void
test_refused_trace (Fixture       *fixture,
                    gconstpointer  data)
{
  settle (fixture);
  app_study_open_trace (fixture->study, "/no/such/file.safetensors");
  g_assert_false (app_study_has_texts (fixture->study));
  wait_until (app_study_get_refusal (fixture->study) != NULL);
  g_assert_true (app_study_get_refusal (fixture->study)->is_taken_back);
  g_assert_true (app_study_has_texts (fixture->study));
  g_assert_null (get_document (fixture)->trace_file);
  g_assert_false (app_study_can_undo (fixture->study));
}

/* Nothing is on show yet: the bundled model is what there is to go back to. */
static void
test_refused_first (Fixture       *fixture,
                    gconstpointer  data)
{
  g_autoptr (UiDocument) document = dup_with (fixture, "model", "/no/such/model");

  end (fixture);
  begin (fixture, document);
  wait_until (app_study_get_refusal (fixture->study) != NULL);
  g_assert_true (app_study_get_refusal (fixture->study)->is_taken_back);
  settle (fixture);
  g_assert_null (get_document (fixture)->model);
  g_assert_nonnull (app_study_get_trace (fixture->study));
}

/* The document stays what the person wrote; what is on show, too. */
static void
assert_refuses_text (Fixture    *fixture,
                     const char *text,
                     gboolean    is_too_long)
{
  g_autoptr (EngTrace) trace = eng_trace_ref (app_study_get_trace (fixture->study));
  const AppRefusal *refusal;

  forget (fixture);
  type (fixture, text, "");
  settle (fixture);
  assert_has (fixture, APP_STUDY_REFUSED | APP_STUDY_WAITING);
  refusal = app_study_get_refusal (fixture->study);
  g_assert_nonnull (refusal);
  g_assert_false (refusal->is_taken_back);
  g_assert_cmpint (refusal->is_too_long, ==, is_too_long);
  g_assert_true (refusal->model == app_study_get_model (fixture->study));
  g_assert_cmpstr (get_document (fixture)->text_a, ==, text);
  g_assert_true (app_study_get_trace (fixture->study) == trace);

  forget (fixture);
  type (fixture, "a cat", "");
  settle (fixture);
  assert_has (fixture, APP_STUDY_REFUSED | APP_STUDY_TRACE);
  g_assert_null (app_study_get_refusal (fixture->study));
}

static void
test_refused_text (Fixture       *fixture,
                   gconstpointer  data)
{
  g_autofree char *text = make_long_text (300);

  settle (fixture);
  assert_refuses_text (fixture, text, TRUE);
  assert_refuses_text (fixture, "", FALSE);
}

static void
test_truncated (Fixture       *fixture,
                gconstpointer  data)
{
  g_autofree char *text = make_long_text (300);

  settle (fixture);
  type (fixture, text, "");
  change (fixture, "truncate", "true");
  settle (fixture);
  g_assert_null (app_study_get_refusal (fixture->study));
  g_assert_cmpint (app_study_get_n_uncut (fixture->study), ==, 302);
}

/* Other weights under the same name, as who trains it writes them: all as large as half again. */
static void
change_weights (const char *folder)
{
  gsize size;
  g_autofree char *bytes = checkpoint_read_file (folder, "model.safetensors", &size);
  guint64 header;

  memcpy (&header, bytes, sizeof header);
  for (gsize i = 8 + GUINT64_FROM_LE (header); i + sizeof (float) <= size; i += sizeof (float)) {
    float weight;

    memcpy (&weight, bytes + i, sizeof weight);
    weight *= 1.5f;
    memcpy (bytes + i, &weight, sizeof weight);
  }
  checkpoint_write_file (folder, "model.safetensors", bytes, (gssize) size);
}

static void
assert_same_weights (EngTrace *a,
                     EngTrace *b)
{
  g_autoptr (EngAttention) first = eng_trace_dup_attention (a, ENG_KIND_ENCODER, 1);
  g_autoptr (EngAttention) second = eng_trace_dup_attention (b, ENG_KIND_ENCODER, 1);
  const int n = eng_trace_get_n_queries (a, ENG_KIND_ENCODER);

  for (int i = 0; i < n * n; i++)
    g_assert_cmpfloat (first->weights[i], ==, second->weights[i]);
}

/* The study has what one that opens it now has, at the head and the pins that were chosen,
 * and no step more. */
static void
test_open_anew (Fixture       *fixture,
                gconstpointer  data)
{
  g_autofree char *folder = checkpoint_copy_specimen ("pretraining");
  g_autoptr (UiDocument) before = NULL;
  EngTrace *trace;
  Fixture other = { 0 };
  int n_steps;

  settle (fixture);
  app_study_open_model (fixture->study, folder);
  settle (fixture);
  type (fixture, "the cat sat", "");
  settle (fixture);
  change (fixture, "layer", "1");
  change (fixture, "pin", "1");
  before = ui_document_copy (get_document (fixture));
  n_steps = app_study_get_n_steps (fixture->study);
  trace = eng_trace_ref (app_study_get_trace (fixture->study));

  change_weights (folder);
  g_assert_true (app_study_open_anew (fixture->study, folder));
  g_assert_false (app_study_open_anew (fixture->study, folder));
  settle (fixture);
  g_assert_true (app_study_get_trace (fixture->study) != trace);
  eng_trace_unref (trace);
  g_assert_true (ui_document_equal (get_document (fixture), before));
  g_assert_cmpint (app_study_get_n_steps (fixture->study), ==, n_steps);
  begin (&other, before);
  settle (&other);
  assert_same_weights (app_study_get_trace (fixture->study), app_study_get_trace (other.study));
  end (&other);
  temporary_free (g_steal_pointer (&folder));
}

/* The other side of a comparison has them, too, of its own text. */
static void
test_open_anew_second (Fixture       *fixture,
                       gconstpointer  data)
{
  g_autofree char *folder = checkpoint_copy_specimen ("pretraining");
  UiDocument *document;
  EngTrace *trace;
  Fixture other = { 0 };

  settle (fixture);
  app_study_open_model (fixture->study, folder);
  settle (fixture);
  type (fixture, "the cat sat", "");
  settle (fixture);
  document = dup_with (fixture, "compare", "sides");
  document->compare_text_a_set = TRUE;
  ui_replace_text (&document->compare_text_a, "the dog ran");
  document->compare_text_b = g_strdup ("");
  app_study_change (fixture->study, document);
  settle (fixture);
  trace = eng_trace_ref (app_study_get_second (fixture->study));
  g_assert_true (trace != app_study_get_trace (fixture->study));

  change_weights (folder);
  g_assert_true (app_study_open_anew (fixture->study, folder));
  settle (fixture);
  g_assert_true (app_study_get_second (fixture->study) != trace);
  eng_trace_unref (trace);
  begin (&other, get_document (fixture));
  settle (&other);
  assert_same_weights (app_study_get_trace (fixture->study), app_study_get_trace (other.study));
  assert_same_weights (app_study_get_second (fixture->study), app_study_get_second (other.study));
  end (&other);
  temporary_free (g_steal_pointer (&folder));
}

/* Another model's weights are nothing to it. */
static void
test_open_anew_elsewhere (Fixture       *fixture,
                          gconstpointer  data)
{
  EngTrace *trace;

  settle (fixture);
  trace = app_study_get_trace (fixture->study);
  forget (fixture);
  g_assert_true (app_study_open_anew (fixture->study, "/no/such/folder"));
  g_assert_cmpuint (fixture->n_told, ==, 0);
  g_assert_true (app_study_is_settled (fixture->study));
  g_assert_true (app_study_get_trace (fixture->study) == trace);
}

static void
add_tests (void)
{
  ADD ("new", test_new);
  ADD ("text", test_text);
  ADD ("no-pass", test_no_pass);
  ADD ("steps", test_steps);
  ADD ("places", test_places);
  ADD ("amend", test_amend);
  ADD ("kinds", test_kinds);
  ADD ("refused-model", test_refused_model);
  ADD ("refused-keeps-words", test_refused_keeps_words);
  ADD ("refused-trace", test_refused_trace);
  ADD ("refused-first", test_refused_first);
  ADD ("refused-text", test_refused_text);
  ADD ("truncated", test_truncated);
  ADD ("open-anew", test_open_anew);
  ADD ("open-anew-second", test_open_anew_second);
  ADD ("open-anew-elsewhere", test_open_anew_elsewhere);
}

int
main (int    argc,
      char **argv)
{
  return run_tests (argc, argv, add_tests);
}
