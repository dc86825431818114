/* SPDX-License-Identifier: MIT */
#include "app/study/history.h"

#include <locale.h>
#include <string.h>

#include "tests/support/random-document.h"

#define SECOND G_USEC_PER_SEC

typedef struct {
  AppHistory *history;
  UiDocument *document;
  gint64      time;
} Fixture;

static void
set_up (Fixture       *self,
        gconstpointer  data)
{
  self->document = ui_document_new ();
  g_free (self->document->text_a);
  self->document->text_a = g_strdup ("");
  self->history = app_history_new (self->document);
}

static void
tear_down (Fixture       *self,
           gconstpointer  data)
{
  app_history_free (self->history);
  ui_document_free (self->document);
}

/* Chooses a value some seconds after what came before. */
static void
choose (Fixture    *self,
        const char *name,
        const char *value,
        double      seconds)
{
  g_assert_true (ui_document_set (self->document, ui_fields_find (name), value, NULL));
  self->time += (gint64) (seconds * SECOND);
  app_history_record (self->history, self->document, self->time);
}

static void
type (Fixture    *self,
      const char *text,
      double      seconds)
{
  g_free (self->document->text_a);
  self->document->text_a = g_strdup (text);
  self->time += (gint64) (seconds * SECOND);
  app_history_record (self->history, self->document, self->time);
}

/* Letter by letter, a tenth of a second each. */
static void
type_letters (Fixture    *self,
              const char *text)
{
  for (gsize n = 1; n <= strlen (text); n++) {
    g_autofree char *start = g_strndup (text, n);

    type (self, start, 0.1);
  }
}

static void
assert_label (char       *label,
              const char *expected)
{
  g_assert_cmpstr (label, ==, expected);
  g_free (label);
}

static void
test_undo_and_redo (Fixture       *self,
                    gconstpointer  data)
{
  g_assert_null (app_history_undo (self->history));
  g_assert_null (app_history_redo (self->history));
  assert_label (app_history_describe_undo (self->history, NULL, NULL), NULL);

  choose (self, "layer", "3", 2);
  choose (self, "layer", "3", 2);
  choose (self, "layer", "5", 0.01);
  choose (self, "words", "true", 2);
  g_assert_cmpint (app_history_get_n_steps (self->history), ==, 3);
  assert_label (app_history_describe_undo (self->history, NULL, NULL), "Words on");
  g_assert_false (app_history_undo (self->history)->words);
  assert_label (app_history_describe_undo (self->history, NULL, NULL), "Layer 5");
  assert_label (app_history_describe_redo (self->history, NULL, NULL), "Words on");
  g_assert_cmpint (app_history_undo (self->history)->layer, ==, 3);
  g_assert_cmpint (app_history_redo (self->history)->layer, ==, 5);

  /* Another choice takes away what could have been redone. */
  choose (self, "theme", "dark", 2);
  g_assert_null (app_history_redo (self->history));
  g_assert_cmpint (app_history_get_n_steps (self->history), ==, 3);
  g_assert_cmpint (app_history_undo (self->history)->theme, ==, UI_THEME_LIGHT);
}

static void
test_words (Fixture       *self,
            gconstpointer  data)
{
  type_letters (self, "the cat sat");
  g_assert_cmpint (app_history_get_n_steps (self->history), ==, 3);
  g_assert_cmpstr (app_history_undo (self->history)->text_a, ==, "the cat ");
  g_assert_cmpstr (app_history_undo (self->history)->text_a, ==, "the ");
  g_assert_cmpstr (app_history_undo (self->history)->text_a, ==, "");
  g_assert_null (app_history_undo (self->history));
}

static void
test_pauses (Fixture       *self,
             gconstpointer  data)
{
  type (self, "a", 5);
  type (self, "ab", 0.9);
  type (self, "abc", 0.9);
  type (self, "abcd", 1.1);
  g_assert_cmpint (app_history_get_n_steps (self->history), ==, 2);
  choose (self, "layer", "1", 0.1);
  type (self, "abcde", 0.1);
  g_assert_cmpint (app_history_get_n_steps (self->history), ==, 4);

  /* After an undo nothing goes on. */
  app_history_undo (self->history);
  type (self, "abcdef", 0.1);
  g_assert_cmpint (app_history_get_n_steps (self->history), ==, 4);
  g_assert_cmpstr (app_history_undo (self->history)->text_a, ==, "abcd");
}

/* A letter that is taken back at once is no step. */
static void
test_nothing (Fixture       *self,
              gconstpointer  data)
{
  type (self, "a", 5);
  type (self, "", 0.1);
  g_assert_cmpint (app_history_get_n_steps (self->history), ==, 0);
  g_assert_null (app_history_undo (self->history));

  /* What is typed then does not go on the step before it. */
  choose (self, "layer", "1", 2);
  type (self, "a", 5);
  type (self, "", 0.1);
  type (self, "b", 0.1);
  g_assert_cmpint (app_history_get_n_steps (self->history), ==, 2);
  g_assert_cmpstr (app_history_undo (self->history)->text_a, ==, "");
}

/* What brings or swaps both sentences at once was not typed. */
static void
test_whole_texts (Fixture       *self,
                  gconstpointer  data)
{
  for (int i = 0; i < 3; i++) {
    g_free (self->document->text_b);
    self->document->text_b = g_strdup_printf ("b%d", i);
    type (self, i % 2 == 0 ? "x" : "y", 0.1);
  }
  type (self, "xa", 0.1);
  type (self, "xab", 0.1);
  g_assert_cmpint (app_history_get_n_steps (self->history), ==, 4);
}

static void
test_sliders (Fixture       *self,
              gconstpointer  data)
{
  for (int i = 1; i <= 50; i++) {
    g_autofree char *value = g_strdup_printf ("0.%02d", i);

    choose (self, "threshold", value, 0.02);
  }
  g_assert_cmpint (app_history_get_n_steps (self->history), ==, 1);
  choose (self, "threshold", "0.7", 1.5);
  choose (self, "gain", "3", 0.1);
  g_assert_cmpint (app_history_get_n_steps (self->history), ==, 3);
  assert_label (app_history_describe_undo (self->history, NULL, NULL), "Gain 3");
}

/* Edits as their chips say them. */
static void
test_edits (Fixture       *self,
            gconstpointer  data)
{
  static const struct {
    const char *name;
    const char *edits;
    const char *label;
  } steps[] = {
    { "edit", "zero 3.11", "Zero head 3.11" },
    { "edit", "zero 3.11; cut 3.11 7 2; skip-feed-forward 3",
      "Cut token 7 → token 2 in 3.11 and 1 more" },
    { "edit", "off zero 3.11; cut 3.11 7 2; skip-feed-forward 3", "Zero head 3.11 turned off" },
    { "edit", "zero 3.11; cut 3.11 7 2; skip-feed-forward 3", "Zero head 3.11 turned on" },
    { "edit", "cut 3.11 7 2; zero 3.11; skip-feed-forward 3", "Other edits" },
    { "edit", "cut 3.11 7 2; skip-feed-forward 3", "Zero head 3.11 taken out" },
    { "compare-edit", "cut 3.11 7 2; skip-feed-forward 3; mask 4", "Mask token 4 in Other" },
    { "edit", "", "No edits" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (steps); i++) {
    g_assert_true (ui_document_set (self->document, ui_fields_find (steps[i].name), "", NULL));
    choose (self, steps[i].name, steps[i].edits, 2);
    assert_label (app_history_describe_undo (self->history, NULL, NULL), steps[i].label);
  }
}

static void
test_amend (Fixture       *self,
            gconstpointer  data)
{
  choose (self, "layer", "1", 2);
  choose (self, "model", "broken", 2);
  g_assert_true (ui_document_set (self->document, ui_fields_find ("model"), "", NULL));
  app_history_amend (self->history, self->document);
  g_assert_cmpint (app_history_get_n_steps (self->history), ==, 1);
  assert_label (app_history_describe_undo (self->history, NULL, NULL), "Layer 1");
}

/* Long texts push the oldest out, but never more than to the last two hundred. */
static void
test_bounds (Fixture       *self,
             gconstpointer  data)
{
  for (int i = 0; i < 3000; i++)
    choose (self, "layer", i % 2 == 0 ? "1" : "0", 2);
  g_assert_cmpint (app_history_get_n_steps (self->history), ==, 2000);

  for (int i = 0; i < 600; i++) {
    g_autofree char *text = g_strnfill (60000, (char) ('a' + i % 26));

    type (self, text, 2);
  }
  g_assert_cmpint (app_history_get_n_steps (self->history), >=, 200);
  g_assert_cmpint (app_history_get_n_steps (self->history), <, 300);
  for (int i = 0; i < 200; i++)
    g_assert_nonnull (app_history_undo (self->history));
}

static void
test_prepend (Fixture       *self,
              gconstpointer  data)
{
  g_autoptr (GPtrArray) past = g_ptr_array_new_with_free_func ((GDestroyNotify) ui_document_free);
  g_autoptr (GPtrArray) listed = NULL;

  for (int layer = 7; layer > 4; layer--) {
    UiDocument *document = ui_document_copy (self->document);

    document->layer = layer;
    g_ptr_array_add (past, document);
  }
  app_history_prepend (self->history, past);
  choose (self, "layer", "9", 2);
  listed = app_history_list_past (self->history, 2);
  g_assert_cmpuint (listed->len, ==, 2);
  g_assert_cmpint (((const UiDocument *) listed->pdata[1])->layer, ==, 7);
  g_assert_cmpint (app_history_undo (self->history)->layer, ==, 0);
  for (int layer = 7; layer > 4; layer--)
    g_assert_cmpint (app_history_undo (self->history)->layer, ==, layer);
  g_assert_null (app_history_undo (self->history));
}

/* Whatever was done, undoing it all and redoing it all leads back, value by value. */
static void
test_there_and_back (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  g_autoptr (GPtrArray) documents =
    g_ptr_array_new_with_free_func ((GDestroyNotify) ui_document_free);
  g_autoptr (AppHistory) history = NULL;

  for (int i = 0; i < 100; i++) {
    g_ptr_array_add (documents, random_document (random));
    if (i == 0)
      history = app_history_new (documents->pdata[0]);
    else
      app_history_record (history, documents->pdata[i], i * 2 * SECOND);
  }
  for (int i = 98; i >= 0; i--)
    g_assert_true (ui_document_equal (app_history_undo (history), documents->pdata[i]));
  for (int i = 1; i < 100; i++)
    g_assert_true (ui_document_equal (app_history_redo (history), documents->pdata[i]));
  g_assert_null (app_history_redo (history));
}

static void
test_places (Fixture       *self,
             gconstpointer  data)
{
  g_autoptr (UiDocument) place = ui_document_copy (self->document);
  g_autoptr (UiDocument) moved = NULL;

  choose (self, "heads", "3", 2);
  choose (self, "pin", "2", 2);
  g_assert_true (app_place_equal (place, self->document));
  choose (self, "view", "neuron", 2);
  choose (self, "words", "true", 2);
  type (self, "kept", 2);
  g_assert_false (app_place_equal (place, self->document));

  moved = app_place_apply (place, self->document);
  g_assert_cmpint (moved->view, ==, UI_VIEW_HEAD);
  g_assert_true (moved->heads.all);
  g_assert_true (ui_pins_is_empty (&moved->pins));
  g_assert_true (moved->words);
  g_assert_cmpstr (moved->text_a, ==, "kept");
}

#define ADD(name, function) \
  g_test_add ("/app/history/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  ADD ("undo-and-redo", test_undo_and_redo);
  ADD ("words", test_words);
  ADD ("pauses", test_pauses);
  ADD ("nothing", test_nothing);
  ADD ("whole-texts", test_whole_texts);
  ADD ("sliders", test_sliders);
  ADD ("edits", test_edits);
  ADD ("amend", test_amend);
  ADD ("bounds", test_bounds);
  ADD ("prepend", test_prepend);
  g_test_add_func ("/app/history/there-and-back", test_there_and_back);
  ADD ("places", test_places);
  return g_test_run ();
}
