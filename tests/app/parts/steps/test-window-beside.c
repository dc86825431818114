/* SPDX-License-Identifier: MIT */
/* What stands in the inspector beside the steps of a token, in the real window. Its numbers are
 * those that transformers gave (tests/fixtures/lessons/beside.json), rounded. */
#include "tests/app/shell/window-case.h"
#include "tests/support/window/widget-driver.h"
#include "ui/beside/context-list.h"
#include "ui/beside/layer-answers.h"
#include "ui/beside/layer-curve.h"
#include "ui/controls/bar-row.h"

#define BIRD "The bird sang on the roof"
#define DOG "The dog slept on the grass"

static void
open_steps (Fixture *fixture)
{
  GtkWidget *box = window_find (fixture->window, "beside");

  activate (fixture, "win.view::steps");
  wait_until (gtk_widget_get_visible (box));
}

static void
pin (Fixture *fixture,
     int      token)
{
  UiDocument *document = ui_document_copy (get_drawn_document (fixture));

  ui_pins_clear (&document->pins);
  ui_pins_click (&document->pins, FALSE, token, FALSE);
  window_change (fixture->window, document);
}

static void
follow (Fixture    *fixture,
        const char *text_a,
        const char *text_b,
        int         token,
        const char *word)
{
  g_autofree char *quoted = g_strdup_printf ("“%s”", word);

  type (fixture, text_a, text_b);
  pin (fixture, token);
  wait_until (strstr (window_get_label (fixture->window, "beside_word"), quoted) != NULL);
}

/* The number of the row of a sentence; NULL = there is no such row. */
static const char *
find_number (Fixture    *fixture,
             const char *sentence)
{
  GtkWidget *list = window_find (fixture->window, "beside_contexts");
  GtkWidget *label = driver_find_label (list, sentence);
  GtkWidget *number = label != NULL
                      ? gtk_widget_get_next_sibling (gtk_widget_get_parent (label)) : NULL;

  return number != NULL ? gtk_label_get_text (GTK_LABEL (number)) : NULL;
}

static char *
dup_words (Fixture    *fixture,
           const char *id)
{
  return ui_layer_curve_dup_words (UI_LAYER_CURVE (window_find (fixture->window, id)));
}

static void
test_sections (Fixture *fixture)
{
  GtkWidget *box = window_find (fixture->window, "beside");
  GtkWidget *answers = window_find (fixture->window, "beside_answers");

  g_assert_false (gtk_widget_get_visible (box));
  open_steps (fixture);
  follow (fixture, BIRD, DOG, 9, "dog");
  wait_until (find_number (fixture, "The dog barked all night.") != NULL);
  g_assert_cmpstr (find_number (fixture, "The dog barked all night."), ==, "0.90");
  g_assert_cmpstr (find_number (fixture, "I am as tired as a dog."), ==, "0.72");
  g_assert_nonnull (driver_find_label (box, "token 14, not 9: begins at 0.73"));
  /* What is found by another job may still be the former token's. */
  wait_until (gtk_widget_get_mapped (answers)
              && strstr (window_get_label (fixture->window, "beside_answer"),
                         "“dog” leads from the start") != NULL);
  assert_contains (window_get_label (fixture->window, "beside_norms"), "Post norm");
  assert_contains (window_get_label (fixture->window, "beside_other_title"),
                   "headlight-causal, pre norm");
  g_assert_false (gtk_widget_get_visible (window_find (fixture->window, "beside_what_if")));

  activate (fixture, "win.view::head");
  wait_until (!gtk_widget_get_visible (box));
}

/* Of a word that is in none of them it is said how many were looked in: lessons have it. */
static void
test_none (Fixture *fixture)
{
  open_steps (fixture);
  follow (fixture, "They were late because of the snow.", "", 4, "because");
  wait_until (strstr (window_get_label (fixture->window, "beside_word"),
                      "sentences that are looked in has “because”.") != NULL);
  assert_contains (window_get_label (fixture->window, "beside_word"), "None of the 1");
}

static gboolean
says (Fixture    *fixture,
      const char *text)
{
  return strstr (window_get_label (fixture->window, "beside_word"), text) != NULL;
}

/* In a model that reads to the left alone all that begins with a word has the same vector: that is
 * said where nothing else has it, and where something has. */
static void
test_alike (Fixture *fixture)
{
  UiDocument *document = ui_document_copy (app_window_get_document (fixture->window));

  ui_replace_text (&document->model, "headlight-causal");
  window_change (fixture->window, document);
  wait_until (is_idle (fixture->window));
  open_steps (fixture);
  follow (fixture, "The cat sat on the mat", "", 1, "The");
  wait_until (says (fixture, "All sentences with “The” that are looked in begin alike up to it"));
  pin (fixture, 2);
  wait_until (find_number (fixture, "My cat is older than my dog.") != NULL);
  g_assert_null (find_number (fixture, "The cat drank the milk."));
  g_assert_true (says (fixture, "Sentences that begin alike up to it are left out"));
}

/* Where a sentence that ships is typed, no other may have its word. */
static void
test_itself (Fixture *fixture)
{
  open_steps (fixture);
  follow (fixture, "He wore a black suit.", "", 2, "wore");
  wait_until (says (fixture, "None of the other sentences that are looked in has “wore”."));
}

/* Claim 26 of what is true of the bundled model: "bank" falls from 1 to 0.17. */
static void
test_bank (Fixture *fixture)
{
  GtkWidget *curve;
  g_autofree char *first = NULL;
  g_autofree char *last = NULL;

  open_steps (fixture);
  follow (fixture, "he works at the bank", "", 5, "bank");
  wait_until (find_number (fixture, "we sat on the bank of the river") != NULL);
  g_assert_cmpstr (find_number (fixture, "we sat on the bank of the river"), ==, "0.17");

  /* The curve says the same, point by point. */
  curve = window_find (fixture->window, "beside_cosines");
  driver_point_at (curve, 40, 3);
  first = dup_words (fixture, "beside_cosines");
  g_assert_cmpstr (first, ==, "1.00 before the layers: we sat on the bank of the river");
  g_assert_cmpint (ui_layer_curve_get_aim (UI_LAYER_CURVE (curve)), ==, 0);
  driver_point_at (curve, gtk_widget_get_width (curve) - 2, 3);
  last = dup_words (fixture, "beside_cosines");
  assert_contains (last, "behind layer 5");
  driver_point_away (curve);
  g_assert_cmpint (ui_layer_curve_get_aim (UI_LAYER_CURVE (curve)), ==, -1);
}

/* Claim 27: the answer that wins where the model ends, layer by layer. */
static void
test_answers (Fixture *fixture)
{
  static const char *const words[] = {
    "start → tom", "layer 0 → money", "layer 1 → coffee", "layer 2 → coffee", "layer 3 → coffee",
    "layer 4 → coffee", "layer 5 → coffee",
  };
  GtkWidget *answers = window_find (fixture->window, "beside_answers");

  open_steps (fixture);
  follow (fixture, "I drank a cup of [MASK].", "", 6, "[MASK]");
  wait_until (strstr (window_get_label (fixture->window, "beside_answer"), "“coffee” leads from "
                      "behind layer 1 on") != NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (words); i++) {
    GtkWidget *row = driver_find (answers, UI_TYPE_BAR_ROW, (int) i);
    gboolean is_cut;
    g_autofree char *name = ui_bar_row_dup_name (UI_BAR_ROW (row), &is_cut);

    g_assert_cmpstr (name, ==, words[i]);
    g_assert_false (is_cut);
  }
}

/* A sentence of one's own is compared, and taken away again; one without the word is said to be so
 * and stays to be changed. */
static void
test_own (Fixture *fixture)
{
  GtkWidget *list = window_find (fixture->window, "beside_contexts");
  GtkWidget *entry = driver_find (list, GTK_TYPE_ENTRY, 0);
  GtkWidget *first;

  open_steps (fixture);
  follow (fixture, BIRD, DOG, 9, "dog");
  wait_until (find_number (fixture, "The dog barked all night.") != NULL);
  gtk_editable_set_text (GTK_EDITABLE (entry), "Nobody was there");
  g_signal_emit_by_name (entry, "activate");
  wait_until (driver_find_label (list, "“dog” is not in it") != NULL);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "Nobody was there");
  g_assert_null (find_number (fixture, "Nobody was there"));

  gtk_editable_set_text (GTK_EDITABLE (entry), "She has a hot dog");
  g_assert_null (driver_find_label (list, "“dog” is not in it"));
  g_signal_emit_by_name (entry, "activate");
  wait_until (find_number (fixture, "She has a hot dog") != NULL);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "");

  first = driver_find (list, GTK_TYPE_BUTTON, 0);
  g_assert_true (gtk_widget_get_visible (first));
  g_signal_emit_by_name (first, "clicked");
  wait_until (find_number (fixture, "She has a hot dog") == NULL);
  wait_until (find_number (fixture, "The dog barked all night.") != NULL);
}

/* What stands in every sentence is no word; what is tried stands in none of the numbers. */
static void
test_limits (Fixture *fixture)
{
  GtkWidget *box = window_find (fixture->window, "beside");
  UiDocument *document;

  open_steps (fixture);
  pin (fixture, 0);
  wait_until (strstr (window_get_label (fixture->window, "beside_word"), "choose a word") != NULL);
  g_assert_false (gtk_widget_get_visible (window_find (fixture->window, "beside_contexts")));
  g_assert_false (gtk_widget_get_visible (window_find (fixture->window, "beside_cosines")));
  g_assert_false (gtk_widget_get_visible (window_find (fixture->window, "beside_other")));

  document = ui_document_copy (get_drawn_document (fixture));
  document->if_temperature = 2;
  window_change (fixture->window, document);
  wait_until (gtk_widget_get_visible (window_find (fixture->window, "beside_what_if")));

  g_assert_true (gtk_widget_get_visible (box));
}

/* The window goes while it is still being found. */
static void
test_close (Fixture *fixture)
{
  type (fixture, BIRD, DOG);
  activate (fixture, "win.view::steps");
  wait_until (get_drawn_document (fixture)->view == UI_VIEW_STEPS);
}

static AppWindow *held;

static void
hold (Fixture *fixture)
{
  test_close (fixture);
  held = g_object_ref (fixture->window);
}

/* What is found once the program has closed the study, while something still holds the window. */
static void
test_late (gconstpointer unused)
{
  run_test (hold);
  let_pass (1500);
  g_object_unref (held);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    return 77;

  g_test_add_data_func ("/window-beside/sections", test_sections, run_test);
  g_test_add_data_func ("/window-beside/none", test_none, run_test);
  g_test_add_data_func ("/window-beside/alike", test_alike, run_test);
  g_test_add_data_func ("/window-beside/itself", test_itself, run_test);
  g_test_add_data_func ("/window-beside/bank", test_bank, run_test);
  g_test_add_data_func ("/window-beside/answers", test_answers, run_test);
  g_test_add_data_func ("/window-beside/own", test_own, run_test);
  g_test_add_data_func ("/window-beside/limits", test_limits, run_test);
  g_test_add_data_func ("/window-beside/close", test_close, run_test);
  g_test_add_data_func ("/window-beside/late", NULL, test_late);
  return g_test_run ();
}
