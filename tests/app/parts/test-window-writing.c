/* SPDX-License-Identifier: MIT */
/* The real window with models that write. */
#include <string.h>

#include "tests/support/window/widget-driver.h"
#include "tests/app/parts/writing-case.h"

/* More than the slow model writes while the window makes its mind up. */
#define N_ENDLESS 5000

static gboolean
is_enabled (Fixture    *fixture,
            const char *name)
{
  return g_action_group_get_action_enabled (G_ACTION_GROUP (fixture->window), name);
}

static const char *
get_written (Fixture *fixture)
{
  return window_get_label (fixture->window, "written_label");
}

/* Tokens of the decoder in the picture. */
static int
count_drawn (Fixture *fixture)
{
  UiScene *scene = ui_scene_view_get_scene (window_view (fixture->window));

  return eng_trace_get_n_queries (ui_scene_get_trace (scene), ENG_KIND_DECODER);
}

static int
count_words (const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);

  return (int) g_strv_length (words);
}

static void
test_write (Fixture *fixture)
{
  g_autofree char *written = NULL;
  g_autofree char *expected = NULL;
  g_autoptr (UiDocument) shown = NULL;

  wait_until (is_idle (fixture->window));
  g_assert_true (gtk_widget_get_visible (window_find (fixture->window, "writing_bar")));
  g_assert_false (is_enabled (fixture, "take-text"));
  g_assert_false (is_enabled (fixture, "write-anew"));
  g_assert_cmpint (count_drawn (fixture), ==, 3);
  g_assert_nonnull (driver_find_label (window_find (fixture->window, "inspector"), "Next token"));
  g_assert_nonnull (driver_find_label (window_find (fixture->window, "inspector"),
                                       "after token 2"));

  activate (fixture, "win.write-token");
  wait_until (is_idle (fixture->window) && window_get_written (fixture->window)->n_tokens == 1);
  g_assert_cmpint (count_drawn (fixture), ==, 4);
  g_assert_nonnull (driver_find_label (window_find (fixture->window, "inspector"),
                                       "after token 3"));

  activate (fixture, "win.write");
  wait_until (is_idle (fixture->window) && window_get_written (fixture->window)->is_done);
  g_assert_cmpint (count_words (get_written (fixture)), ==, 6);
  g_assert_cmpint (count_drawn (fixture), ==, 9);
  g_assert_false (is_enabled (fixture, "write"));
  g_assert_false (is_enabled (fixture, "write-token"));

  /* What is taken over becomes typed text; the model could go on from there. */
  written = g_strdup (get_written (fixture));
  expected = g_strconcat ("3 14 15 ", written, NULL);
  shown = ui_document_copy (app_window_get_shown (fixture->window));
  g_assert_cmpstr (shown->text_a, ==, "3 14 15");
  window_put_written (fixture->window, shown);
  g_assert_cmpstr (shown->text_a, ==, expected);
  activate (fixture, "win.take-text");
  wait_until (is_idle (fixture->window));
  g_assert_cmpstr (window_get_text (fixture->window, "entry_a"), ==, expected);
  g_assert_cmpint (count_drawn (fixture), ==, 9);
  g_assert_true (is_enabled (fixture, "write"));
  g_assert_false (is_enabled (fixture, "take-text"));

  /* One step back is what was typed, and written. */
  activate (fixture, "win.undo");
  wait_until (is_idle (fixture->window) && g_str_equal (get_written (fixture), written));
  g_assert_cmpstr (window_get_text (fixture->window, "entry_a"), ==, "3 14 15");
}

static void
test_anew (Fixture *fixture)
{
  wait_until (is_idle (fixture->window));
  activate (fixture, "win.write");
  wait_until (window_get_written (fixture->window)->is_done);
  activate (fixture, "win.write-anew");
  wait_until (window_get_written (fixture->window)->n_tokens == 0);
  g_assert_cmpint (count_drawn (fixture), ==, 3);
  g_assert_true (is_enabled (fixture, "write"));
  g_assert_false (is_enabled (fixture, "write-anew"));

  /* The bundled model writes nothing. */
  window_open_model (fixture->window, "headlight-mini");
  type (fixture, "a cat", "");
  wait_until (is_idle (fixture->window)
              && g_str_equal (eng_model_get_info (window_get_model (fixture->window))->name,
                              "headlight-mini"));
  g_assert_false (gtk_widget_get_visible (window_find (fixture->window, "writing_bar")));
  g_assert_false (is_enabled (fixture, "write"));
  g_assert_false (is_enabled (fixture, "write-token"));
}

static gboolean
has_text (Fixture    *fixture,
          const char *text)
{
  return is_idle (fixture->window) && g_str_equal (get_written (fixture), text);
}

/* A part of a text and its rest are steps, so is its end; the same text comes back. */
static void
test_steps (Fixture *fixture)
{
  AppWindow *window = fixture->window;
  g_autofree char *part = NULL;
  g_autofree char *whole = NULL;
  g_autofree char *session = NULL;
  g_autoptr (UiSession) reread = NULL;
  UiDocument *layer;

  wait_until (is_idle (window));
  activate (fixture, "win.write-token");
  wait_until (is_idle (window) && window_get_written (window)->n_tokens == 1);
  part = g_strdup (get_written (fixture));
  g_assert_cmpint (app_window_get_document (window)->written, ==, 1);
  activate (fixture, "win.write-token");
  wait_until (is_idle (window) && window_get_written (window)->n_tokens == 2);
  activate (fixture, "win.undo");
  wait_until (has_text (fixture, part));
  layer = ui_document_copy (app_window_get_document (window));
  layer->layer = 1;
  window_change (window, layer);
  activate (fixture, "win.write");
  wait_until (is_idle (window) && window_get_written (window)->is_done);
  whole = g_strdup (get_written (fixture));
  g_assert_cmpint (app_window_get_document (window)->written, ==, UI_WRITTEN_ALL);

  activate (fixture, "win.undo");
  wait_until (has_text (fixture, part));
  g_assert_cmpint (count_drawn (fixture), ==, 4);
  activate (fixture, "win.undo");
  g_assert_cmpint (app_window_get_document (window)->layer, ==, 0);
  wait_until (has_text (fixture, part));
  activate (fixture, "win.undo");
  wait_until (is_idle (window) && window_get_written (window)->n_tokens == 0);
  g_assert_cmpint (count_drawn (fixture), ==, 3);
  g_assert_false (is_enabled (fixture, "undo"));
  for (int i = 0; i < 3; i++)
    activate (fixture, "win.redo");
  wait_until (has_text (fixture, whole));
  g_assert_true (window_get_written (window)->is_done);
  g_assert_false (is_enabled (fixture, "redo"));

  activate (fixture, "win.write-anew");
  wait_until (is_idle (window) && window_get_written (window)->n_tokens == 0);
  g_assert_cmpint (app_window_get_document (window)->written, ==, 0);
  activate (fixture, "win.undo");
  wait_until (has_text (fixture, whole));

  /* A session has it, too; another text has not. */
  session = ui_session_to_text (app_window_get_document (window), NULL, NULL, NULL, FALSE);
  type (fixture, "5 7", "");
  wait_until (is_idle (window) && window_get_written (window)->n_tokens == 0);
  g_assert_cmpint (app_window_get_document (window)->written, ==, 0);
  reread = ui_session_from_text (session, strlen (session), NULL, "session", NULL);
  g_assert_nonnull (reread);
  app_window_show_session (window, reread, "session.headlight", APP_FILE_SESSION);
  wait_until (has_text (fixture, whole));
}

/* A session that the program is opened with. */
static void
test_begins_written (Fixture *fixture)
{
  wait_until (is_idle (fixture->window) && window_get_written (fixture->window)->n_tokens == 3);
  g_assert_cmpint (count_drawn (fixture), ==, 6);
  g_assert_false (is_enabled (fixture, "undo"));
}

/* An empty B is written as soon as A is there; one that was typed is shown. */
static void
test_two_stacks (Fixture *fixture)
{
  g_autofree char *written = NULL;

  wait_until (is_idle (fixture->window) && window_get_written (fixture->window)->is_done);
  g_assert_cmpint (count_words (get_written (fixture)), ==, 6);
  g_assert_cmpint (count_drawn (fixture), ==, 7);
  written = g_strdup (get_written (fixture));

  type (fixture, "5 7 11", "9 8");
  wait_until (is_idle (fixture->window) && window_get_written (fixture->window)->n_tokens == 0);
  g_assert_cmpint (count_drawn (fixture), ==, 3);
  g_assert_cmpstr (window_get_label (fixture->window, "take_text_button"), ==, "Add to B");

  type (fixture, "5 7 11", "");
  wait_until (is_idle (fixture->window) && window_get_written (fixture->window)->is_done);
  g_assert_cmpstr (get_written (fixture), ==, written);
  g_assert_cmpstr (window_get_label (fixture->window, "take_text_button"), ==, "Use as B");
  activate (fixture, "win.take-text");
  wait_until (is_idle (fixture->window));
  g_assert_cmpstr (window_get_text (fixture->window, "entry_b"), ==, written);
  g_assert_cmpint (count_drawn (fixture), ==, 7);
}

/* A text that would go on for long: the window stays alive, a pause ends it, and so does a key. */
static void
test_pause (Fixture *fixture)
{
  GtkButton *button = GTK_BUTTON (window_find (fixture->window, "write_button"));

  wait_until (is_idle (fixture->window));
  type (fixture, "5 7 11", "");
  wait_until (window_get_written (fixture->window)->is_running
              && window_get_written (fixture->window)->n_tokens > 0);
  g_assert_cmpstr (gtk_button_get_icon_name (button), ==, "media-playback-pause-symbolic");
  g_assert_false (is_enabled (fixture, "write-token"));
  activate (fixture, "win.write");
  wait_until (is_idle (fixture->window));
  g_assert_cmpstr (gtk_button_get_icon_name (button), ==, "media-playback-start-symbolic");
  g_assert_false (window_get_written (fixture->window)->is_done);
  g_assert_cmpint (window_get_written (fixture->window)->n_tokens, <, N_ENDLESS);

  activate (fixture, "win.write");
  wait_until (window_get_written (fixture->window)->is_running);
  type (fixture, "5 7", "1 2 3");
  wait_until (is_idle (fixture->window) && count_drawn (fixture) == 4);
  g_assert_cmpint (window_get_written (fixture->window)->n_tokens, ==, 0);
}

/* Closed in the middle of a text: the worker is waited for. */
static void
test_close (Fixture *fixture)
{
  wait_until (is_idle (fixture->window));
  type (fixture, "5 7 11", "");
  wait_until (window_get_written (fixture->window)->is_running
              && window_get_written (fixture->window)->n_tokens > 0);
}

/* Other settings write the text again. */
static void
test_settings (Fixture *fixture)
{
  GtkWidget *settings = window_find (fixture->window, "writing_settings");
  GtkWidget *length = driver_find (settings, GTK_TYPE_SPIN_BUTTON, 0);

  wait_until (is_idle (fixture->window));
  activate (fixture, "win.write");
  wait_until (window_get_written (fixture->window)->is_done);
  g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (length)), ==, 6);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (length), 4);
  wait_until (is_idle (fixture->window) && window_get_written (fixture->window)->n_tokens == 4);
  g_assert_cmpint (app_window_get_document (fixture->window)->max_new_tokens, ==, 4);
  g_assert_cmpint (count_drawn (fixture), ==, 7);
}

int
main (int    argc,
      char **argv)
{
  static const struct { const char *name; Test test; } tests[] = {
    { "write", { test_write, UNTRAINED_GPT2, NULL, "3 14 15", "", 6 } },
    { "steps", { test_steps, UNTRAINED_GPT2, NULL, "3 14 15", "", 6 } },
    { "begins-written", { test_begins_written, UNTRAINED_GPT2, NULL, "3 14 15", "", 6,
                          .written = 3 } },
    { "anew", { test_anew, UNTRAINED_GPT2, NULL, "3 14 15", "", 6 } },
    { "two-stacks", { test_two_stacks, UNTRAINED_T5, NULL, "5 7 11", "", 6 } },
    { "pause", { test_pause, UNTRAINED_SLOW_T5, NULL, "5 7 11", "9", N_ENDLESS } },
    { "close", { test_close, UNTRAINED_SLOW_T5, NULL, "5 7 11", "9", N_ENDLESS } },
    { "settings", { test_settings, UNTRAINED_GPT2, NULL, "3 14 15", "", 6 } },
  };

  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    return 77;

  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++) {
    g_autofree char *path = g_strconcat ("/window-writing/", tests[i].name, NULL);

    g_test_add_data_func (path, &tests[i].test, run_test);
  }

  return g_test_run ();
}
