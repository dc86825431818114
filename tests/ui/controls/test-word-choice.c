/* SPDX-License-Identifier: MIT */
#include "ui/controls/word-choice.h"

#include "tests/support/made-trace.h"
#include "tests/support/wait.h"
#include "tests/support/window/widget-driver.h"

typedef struct {
  GtkWindow    *window;
  UiWordChoice *choice;
  GtkDropDown  *list;
  GListModel   *rows;
  int           n_changed;
} Fixture;

static void
changed_cb (Fixture *self)
{
  self->n_changed++;
}

/* Tokens of a made trace with as many. */
static void
show (Fixture *self,
      int      n)
{
  g_autoptr (EngTrace) trace = made_trace_new (n, 0, 1, 1);

  ui_word_choice_set_tokens (self->choice,
                             (EngTokens *) eng_trace_get_query_tokens (trace, ENG_KIND_ENCODER));
}

static void
set_up (Fixture       *self,
        gconstpointer  unused)
{
  self->choice = UI_WORD_CHOICE (ui_word_choice_new ("Word"));
  self->window = driver_show (GTK_WIDGET (self->choice), 300, 100);
  self->list = GTK_DROP_DOWN (driver_find (GTK_WIDGET (self->choice), GTK_TYPE_DROP_DOWN, 0));
  self->rows = gtk_drop_down_get_model (self->list);
  g_signal_connect_swapped (self->choice, "changed", G_CALLBACK (changed_cb), self);
  show (self, 100);
}

static void
tear_down (Fixture       *self,
           gconstpointer  unused)
{
  g_object_ref (self->choice);
  gtk_window_destroy (self->window);
  g_assert_finalize_object (self->choice);
}

/* A word may be chosen before its row is there. */
static void
test_early_word (Fixture       *self,
                 gconstpointer  unused)
{
  g_assert_cmpuint (g_list_model_get_n_items (self->rows), >, 0);
  g_assert_cmpuint (g_list_model_get_n_items (self->rows), <, 101);
  ui_word_choice_set_word (self->choice, 90);
  g_assert_cmpint (ui_word_choice_get_word (self->choice), ==, 90);
  g_assert_cmpuint (gtk_drop_down_get_selected (self->list), !=, 91);
  wait_until (gtk_drop_down_get_selected (self->list) == 91);
  wait_until (g_list_model_get_n_items (self->rows) == 101);
  g_assert_cmpint (ui_word_choice_get_word (self->choice), ==, 90);
  g_assert_cmpint (self->n_changed, ==, 0);
  g_assert_nonnull (driver_find_label (GTK_WIDGET (self->choice), " 90"));
}

static void
test_chosen (Fixture       *self,
             gconstpointer  unused)
{
  gtk_drop_down_set_selected (self->list, 3);
  g_assert_cmpint (self->n_changed, ==, 1);
  g_assert_cmpint (ui_word_choice_get_word (self->choice), ==, 2);
  gtk_drop_down_set_selected (self->list, 0);
  g_assert_cmpint (self->n_changed, ==, 2);
  g_assert_cmpint (ui_word_choice_get_word (self->choice), ==, -1);
}

/* Rows stay and say what the new text has; those that it has not go, and choose nothing. */
static void
test_other_text (Fixture       *self,
                 gconstpointer  unused)
{
  g_autoptr (GObject) first = g_list_model_get_item (self->rows, 1);
  g_autoptr (GObject) still = NULL;

  wait_until (g_list_model_get_n_items (self->rows) == 101);
  ui_word_choice_set_word (self->choice, 80);
  show (self, 10);
  g_assert_cmpint (ui_word_choice_get_word (self->choice), ==, -1);
  g_assert_cmpuint (g_list_model_get_n_items (self->rows), >, 11);
  gtk_drop_down_set_selected (self->list, 40);
  g_assert_cmpint (ui_word_choice_get_word (self->choice), ==, -1);
  wait_until (g_list_model_get_n_items (self->rows) == 11);
  g_assert_cmpint (ui_word_choice_get_word (self->choice), ==, -1);
  g_assert_nonnull (driver_find_label (GTK_WIDGET (self->choice), "Choose a word"));
  still = g_list_model_get_item (self->rows, 1);
  g_assert_true (still == first);
}

/* Unknown words are told apart, and found, by what was typed. */
static void
test_unknown (Fixture       *self,
              gconstpointer  unused)
{
  g_autoptr (EngTrace) trace = made_trace_new (9, 0, 1, 1);
  EngTokens *tokens = (EngTokens *) eng_trace_get_query_tokens (trace, ENG_KIND_ENCODER);

  tokens->typed[5] = g_strdup ("слово");
  ui_word_choice_set_tokens (self->choice, tokens);
  ui_word_choice_set_word (self->choice, 5);
  wait_until (gtk_drop_down_get_selected (self->list) == 6);
  g_assert_nonnull (driver_find_label (GTK_WIDGET (self->choice), "слово 5"));
}

#define ADD(path, test) \
  g_test_add ("/word-choice/" path, Fixture, NULL, set_up, test, tear_down)

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  ADD ("early-word", test_early_word);
  ADD ("chosen", test_chosen);
  ADD ("other-text", test_other_text);
  ADD ("unknown", test_unknown);
  return g_test_run ();
}
