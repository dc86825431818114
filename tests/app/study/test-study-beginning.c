/* SPDX-License-Identifier: MIT */
/* The head that a study begins with where nobody chose one. */
#include "tests/app/study/study-case.h"

#define BIRD "The bird sang on the roof"
#define DOG  "The dog slept on the grass"

static void
begin_anew (Fixture    *fixture,
            const char *folder,
            const char *text_a,
            const char *text_b)
{
  g_autoptr (UiDocument) plain = ui_document_new ();
  g_autoptr (UiDocument) document = dup_with_texts (plain, text_a, text_b);

  end (fixture);
  document->model = g_strdup (folder);
  document->random_weights_set = folder != NULL;
  fixture->study = app_study_begin (document, TRUE);
  g_signal_connect_swapped (fixture->study, "changed", G_CALLBACK (changed_cb), fixture);
}

static void
assert_head (Fixture *fixture,
             int      layer,
             int      head)
{
  g_assert_cmpint (get_document (fixture)->layer, ==, layer);
  g_assert_false (get_document (fixture)->heads.all);
  g_assert_cmpint (ui_head_set_count (&get_document (fixture)->heads, UI_MAX_HEADS), ==, 1);
  g_assert_true (ui_head_set_has (&get_document (fixture)->heads, head));
}

/* The head of the bundled model that its first start shows, found from one pass, and no step. */
static void
test_pair (Fixture       *fixture,
           gconstpointer  data)
{
  begin_anew (fixture, NULL, BIRD, DOG);
  settle (fixture);
  assert_head (fixture, 3, 11);
  g_assert_cmpstr (get_document (fixture)->text_b, ==, DOG);
  g_assert_false (app_study_can_undo (fixture->study));
  g_assert_false (app_study_can_go_back (fixture->study));
  g_assert_true (app_study_is_complete (fixture->study));
  g_assert_cmpuint (app_study_get_n_steps (fixture->study), ==, 0);
}

/* It is chosen once: texts that are typed then leave it. */
static void
test_once (Fixture       *fixture,
           gconstpointer  data)
{
  begin_anew (fixture, NULL, BIRD, DOG);
  settle (fixture);
  type (fixture, "a cat sat on a mat and slept", "");
  settle (fixture);
  assert_head (fixture, 3, 11);
}

/* A person who is quicker than the pass. */
static void
test_choice_first (Fixture       *fixture,
                   gconstpointer  data)
{
  begin_anew (fixture, NULL, BIRD, DOG);
  change (fixture, "layer", "2");
  settle (fixture);
  g_assert_cmpint (get_document (fixture)->layer, ==, 2);
  g_assert_true (get_document (fixture)->heads.all);
}

/* A model that goes on with a text has no second one; what a person typed is never taken away. */
static void
test_one_text (Fixture       *fixture,
               gconstpointer  data)
{
  g_autofree char *folder = untrained_new (UNTRAINED_GPT2);

  begin_anew (fixture, folder, "5 7 11 13 17", "9 8");
  settle (fixture);
  g_assert_cmpstr (get_document (fixture)->text_b, ==, "");
  g_assert_cmpstr (app_study_get_answered (fixture->study)->text_b, ==, "");
  g_assert_null (app_study_get_refusal (fixture->study));
  g_assert_cmpint (ui_head_set_count (&get_document (fixture)->heads, UI_MAX_HEADS), ==, 1);

  begin_anew (fixture, folder, "5 7 11 13 17", "9 8");
  type (fixture, "5 7 11", "9 8");
  settle (fixture);
  g_assert_cmpstr (get_document (fixture)->text_b, ==, "9 8");
  temporary_free (g_steal_pointer (&folder));
}

/* Another model begins with a head of its own, and the step back has the head before. */
static void
test_other_model (Fixture       *fixture,
                  gconstpointer  data)
{
  g_autofree char *other = g_test_build_filename (G_TEST_DIST, "fixtures", "models", "masked-f16",
                                                  NULL);

  settle (fixture);
  type (fixture, "time flies", "");
  change (fixture, "layer", "1");
  settle (fixture);
  app_study_open_model (fixture->study, other);
  settle (fixture);
  g_assert_null (app_study_get_refusal (fixture->study));
  g_assert_false (get_document (fixture)->heads.all);
  g_assert_cmpint (ui_head_set_count (&get_document (fixture)->heads, UI_MAX_HEADS), ==, 1);
  g_assert_cmpint (app_study_get_n_steps (fixture->study), ==, 3);
  app_study_undo (fixture->study);
  g_assert_cmpint (get_document (fixture)->layer, ==, 1);
  g_assert_true (get_document (fixture)->heads.all);
  settle (fixture);
  g_assert_true (get_document (fixture)->heads.all);
}

/* What is refused leaves the heads that are on show. */
static void
test_refused (Fixture       *fixture,
              gconstpointer  data)
{
  settle (fixture);
  app_study_open_model (fixture->study, "/no/such/model");
  wait_until (app_study_get_refusal (fixture->study) != NULL);
  settle (fixture);
  type (fixture, "a cat", "");
  settle (fixture);
  g_assert_true (get_document (fixture)->heads.all);
}

static void
add_tests (void)
{
  ADD ("pair", test_pair);
  ADD ("once", test_once);
  ADD ("choice-first", test_choice_first);
  ADD ("one-text", test_one_text);
  ADD ("other-model", test_other_model);
  ADD ("refused", test_refused);
}

int
main (int    argc,
      char **argv)
{
  return run_tests (argc, argv, add_tests);
}
