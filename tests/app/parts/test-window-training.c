/* SPDX-License-Identifier: MIT */
/* The real window trains a model: a toy and a file of one's own, to the end, paused, stopped, left,
 * refused. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include "app/training/lock.h"
#include "app/training/record.h"
#include "tests/app/parts/training-case.h"
#include "tests/app/training/texts.h"
#include "tests/support/checkpoint-folder.h"
#include "ui/lists/loss-curve.h"

/* The weights that are shown are others some seconds later, with the same sentence, head and pins;
 * no step comes of it. */
static void
test_newest (AppWindow *window)
{
  const UiDocument *document;
  g_autoptr (UiDocument) before = NULL;
  g_autoptr (EngModel) model = NULL;
  int n_steps;

  begin_toy (window, "newest");
  wait_until (window_is_complete (window) && window_is_idle (window));
  before = ui_document_copy (app_window_get_document (window));
  before->layer = 1;
  window_change (window, ui_document_copy (before));
  n_steps = app_history_get_n_steps (window_get_history (window));
  model = eng_model_ref (window_get_model (window));
  wait_until (window_get_model (window) != model && window_is_complete (window));
  document = app_window_get_document (window);
  g_assert_true (ui_document_equal (document, before));
  g_assert_cmpint (app_history_get_n_steps (window_get_history (window)), ==, n_steps);
  g_assert_true (gtk_widget_get_mapped (window_find (window, "training_curve")));
}

/* Paused its numbers rest, then they go on. */
static void
test_pause (AppWindow *window)
{
  g_autofree char *folder = dup_folder ("paused");
  g_autofree char *state = NULL;
  g_autoptr (AppTrainingRecord) record = NULL;

  begin_toy (window, "paused");
  activate (window, "win.pause-training");
  wait_until (says (window, "Paused at step "));
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (window)), ==, "Headlight");
  record = app_training_record_open (folder, NULL);
  g_assert_nonnull (record);
  state = g_strdup (window_get_label (window, "training_state"));
  activate (window, "win.pause-training");
  wait_until (is_in_training (window));
  activate (window, "win.pause-training");
  wait_until (says (window, "Paused at step ") && !says (window, state));
}

/* What the bar says below the loss. */
static gboolean
says_speed (AppWindow  *window,
            const char *part)
{
  return strstr (window_get_label (window, "training_speed"), part) != NULL;
}

static void
stop_and_keep (AppWindow *window)
{
  GtkWidget *dialog;

  activate (window, "win.stop-training");
  wait_until ((dialog = find_window (ADW_TYPE_MESSAGE_DIALOG)) != NULL);
  adw_message_dialog_response (ADW_MESSAGE_DIALOG (dialog), "keep");
  gtk_window_destroy (GTK_WINDOW (dialog));
  wait_until (says (window, "Paused at step "));
}

/* In words, as on the command line; brackets are none, and the time that is left is said alone. */
static void
test_speed (AppWindow *window)
{
  begin_toy (window, "words");
  wait_until (says_speed (window, " words a second · ") && says_speed (window, " left"));
  stop_and_keep (window);
  activate (window, "win.train-model");
  wait_until (find_dialog () != NULL);
  choose (APP_TOY_BRACKETS);
  press (find_dialog (), "_Train");
  wait_until (find_dialog () == NULL);
  wait_until (is_in_training (window) && says_speed (window, " left"));
  g_assert_false (says_speed (window, "words"));
}

static gboolean
has_bar (AppWindow *window)
{
  return gtk_widget_get_visible (window_find (window, "training_bar"));
}

/* Kept it stays open, and as at the end of a training its bar does: the curves, and the states to move
 * through. Then it closes without a question. */
static void
test_stop (AppWindow *window)
{
  GtkWidget *close = window_find (window, "stop_training_button");

  begin_toy (window, "kept");
  wait_until (get_last_place (window) > 1);
  stop_and_keep (window);
  wait_until (window_is_idle (window) && window_is_complete (window));
  g_assert_true (shows_model (window, "kept") && has_bar (window));
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (window)), ==, "Headlight");
  g_assert_cmpint (get_place (window), ==, get_last_place (window));
  gtk_range_set_value (get_timeline (window), 0);
  wait_until (shows_model (window, "kept at step 0") && window_is_idle (window));
  g_assert_true (has_bar (window) && gtk_widget_get_mapped (window_find (window, "training_curve")));

  /* Who goes on is asked again. */
  activate (window, "win.pause-training");
  wait_until (is_in_training (window));
  stop_and_keep (window);
  g_assert_cmpstr (gtk_button_get_icon_name (GTK_BUTTON (close)), ==, "window-close-symbolic");
  activate (window, "win.stop-training");
  wait_until (!has_bar (window));
  g_assert_null (find_window (ADW_TYPE_MESSAGE_DIALOG));
}

/* It is saved where the window goes without a word, too. */
static void
test_left (AppWindow *window)
{
  begin_toy (window, "left");
}

static void
close_body (GApplication *application,
            gpointer      unused)
{
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (application));

  wait_until (is_idle (APP_WINDOW (window)));
  begin_toy (APP_WINDOW (window), "closed");
  gtk_window_close (window);
  g_assert_true (says (APP_WINDOW (window), "Saving at step "));
}

/* Closed while it trains, the window goes by itself once that is saved. */
static void
test_close (gconstpointer unused)
{
  g_autoptr (UiDocument) document = ui_document_new ();
  AppApplication *application = app_application_new (document);

  g_signal_connect_after (application, "activate", G_CALLBACK (close_body), NULL);
  g_assert_cmpint (g_application_run (G_APPLICATION (application), 0, NULL), ==, 0);
  g_assert_finalize_object (application);
}

static void
open_again (AppWindow  *window,
            const char *name)
{
  g_autofree char *folder = dup_folder (name);

  window_open_model (window, folder);
  wait_until (says (window, "Paused at step "));
  g_assert_true (gtk_widget_get_visible (window_find (window, "training_bar")));
  activate (window, "win.pause-training");
  wait_until (is_in_training (window));
}

/* Who opens the model again can go on. */
static void
test_open_again (AppWindow *window)
{
  open_again (window, "closed");
}

static void
test_open_left (AppWindow *window)
{
  open_again (window, "left");
}

/* A window begins with the last model, which may be one whose training has a bar. */
static void
begin_with_mini (AppWindow *window)
{
  window_open_model (window, "headlight-mini");
  wait_until (shows_model (window, "headlight-mini") && is_idle (window));
}

/* What another program trains is none of this window's: it is neither paused nor to be gone on with. */
static void
test_open_held (AppWindow *window)
{
  g_autofree char *folder = dup_folder ("closed");
  AppTrainingLock *lock;

  begin_with_mini (window);
  lock = app_training_lock_take (folder, NULL);
  g_assert_nonnull (lock);
  g_assert_true (app_training_lock_is_held (folder));
  window_open_model (window, folder);
  wait_until (shows_model (window, "closed") && window_is_idle (window));
  let_pass (500);
  g_assert_false (gtk_widget_get_visible (window_find (window, "training_bar")));
  app_training_lock_release (lock);
  g_assert_false (app_training_lock_is_held (folder));
  begin_with_mini (window);
  window_open_model (window, folder);
  wait_until (gtk_widget_get_visible (window_find (window, "training_bar")));
}

/* Another model's bar is none. */
static void
test_other_model (AppWindow *window)
{
  g_autofree char *folder = dup_folder ("closed");

  window_open_model (window, folder);
  wait_until (gtk_widget_get_visible (window_find (window, "training_bar")));
  window_open_model (window, "headlight-mini");
  wait_until (!gtk_widget_get_visible (window_find (window, "training_bar")));
}

/* Where it can be saved no more it ends in a sentence, and its last state stays on show. */
static void
test_no_room (AppWindow *window)
{
  g_autofree char *folder = dup_folder ("no-room");
  g_autofree char *record = g_build_filename (folder, "training.json", NULL);

  begin_toy (window, "no-room");
  wait_until (window_is_idle (window));
  g_assert_cmpint (g_unlink (record), ==, 0);
  g_assert_cmpint (g_mkdir (record, 0700), ==, 0);
  wait_until (says (window, "Stopped at step "));
  g_assert_nonnull (strstr (window_get_label (window, "notice"), "The training stopped at step "));
  g_assert_true (window_reveals (window, "notice_revealer"));
  g_assert_true (shows_model (window, "no-room"));
}

/* The same of a state that is to be kept. */
static void
test_no_room_to_keep (AppWindow *window)
{
  g_autofree char *folder = dup_folder ("no-room-to-keep");
  g_autofree char *half = g_build_filename (folder, "steps", "new", NULL);
  g_autofree char *inside = g_build_filename (half, "model.safetensors", "in-the-way", NULL);

  begin_toy (window, "no-room-to-keep");
  wait_until (window_is_idle (window));
  activate (window, "win.pause-training");
  wait_until (says (window, "Paused at step "));
  g_assert_cmpint (g_mkdir_with_parents (inside, 0700), ==, 0);
  activate (window, "win.pause-training");
  wait_until (says (window, "Stopped at step "));
  g_assert_nonnull (strstr (window_get_label (window, "notice"), "The training stopped at step "));
  g_assert_nonnull (strstr (window_get_label (window, "notice"), "steps/new"));
  g_assert_true (shows_model (window, "no-room-to-keep"));
}

static void
refuse (const char *file,
        const char *sentence)
{
  ui_train_dialog_set_file (UI_TRAIN_DIALOG (find_dialog ()), file);
  press (find_dialog (), "_Train");
  wait_until (driver_find_label (find_dialog (), sentence) != NULL);
}

/* A sentence in the dialog, which can be answered. */
static void
test_refused (AppWindow *window)
{
  g_autofree char *file = g_build_filename (g_get_user_data_dir (), "texts.txt", NULL);
  g_autofree char *missing = g_build_filename (g_get_user_data_dir (), "missing.txt", NULL);

  activate (window, "win.train-model");
  wait_until (find_dialog () != NULL);
  choose (APP_N_TOYS);
  refuse (missing, g_strerror (ENOENT));
  g_assert_true (g_file_set_contents (file, "a text\nno\xfftext\n", -1, NULL));
  refuse (file, "texts.txt:2: the line is not UTF-8");
  g_assert_false (gtk_widget_get_visible (window_find (window, "training_bar")));
  texts_write (file);
  press (find_dialog (), "_Train");
  wait_until (find_dialog () == NULL);
  wait_until (is_in_training (window));
}

/* The largest file that this process may write, from now on. */
static void
limit_files (rlim_t size)
{
  struct rlimit limit;

  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  limit.rlim_cur = size;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
}

/* Where there is no room from the beginning on the dialog says so, nothing is left of it, and the same
 * choice is taken once there is. */
static void
test_no_room_at_first (AppWindow *window)
{
  g_autofree char *folder = dup_folder ("no-room-at-first");

  activate (window, "win.train-model");
  wait_until (find_dialog () != NULL);
  choose (0);
  gtk_editable_set_text (GTK_EDITABLE (driver_find (find_dialog (), ADW_TYPE_ENTRY_ROW, 0)),
                         "no-room-at-first");
  limit_files (4096);
  press (find_dialog (), "_Train");
  wait_until (driver_find_label (find_dialog (), "cannot be written") != NULL);
  limit_files (RLIM_INFINITY);
  g_assert_false (g_file_test (folder, G_FILE_TEST_EXISTS));
  press (find_dialog (), "_Train");
  wait_until (find_dialog () == NULL);
  wait_until (is_in_training (window));
}

/* Closed while it reads: nothing begins, and nothing is left of it. */
static void
test_cancelled (AppWindow *window)
{
  g_autofree char *folder = dup_folder ("cancelled");

  activate (window, "win.train-model");
  wait_until (find_dialog () != NULL);
  choose (0);
  gtk_editable_set_text (GTK_EDITABLE (driver_find (find_dialog (), ADW_TYPE_ENTRY_ROW, 0)),
                         "cancelled");
  press (find_dialog (), "_Train");
  gtk_window_close (GTK_WINDOW (find_dialog ()));
  wait_until (find_dialog () == NULL);
  g_assert_false (gtk_widget_get_visible (window_find (window, "training_bar")));
  begin_toy (window, "another");
  wait_until (!g_file_test (folder, G_FILE_TEST_EXISTS));
}

/* Discarded its folder goes, and what was shown before it comes back: model, sentences, view. */
static void
test_discard (AppWindow *window)
{
  g_autofree char *folder = dup_folder ("discarded");
  g_autoptr (UiDocument) document = NULL;

  begin_with_mini (window);
  document = ui_document_copy (app_window_get_document (window));
  ui_replace_text (&document->text_a, "My own words");
  ui_replace_text (&document->text_b, "and some more");
  document->view = UI_VIEW_MATRIX;
  document->layer = 1;
  window_change (window, ui_document_copy (document));
  begin_toy (window, "discarded");
  g_assert_cmpstr (app_window_get_document (window)->text_a, !=, document->text_a);
  activate (window, "win.stop-training");
  wait_until (find_window (ADW_TYPE_MESSAGE_DIALOG) != NULL);
  adw_message_dialog_response (ADW_MESSAGE_DIALOG (find_window (ADW_TYPE_MESSAGE_DIALOG)),
                               "discard");
  wait_until (shows_model (window, "headlight-mini"));
  wait_until (!g_file_test (folder, G_FILE_TEST_EXISTS));
  g_assert_false (gtk_widget_get_visible (window_find (window, "training_bar")));
  g_assert_true (ui_document_equal (app_window_get_document (window), document));
}

/* What was made of the model before is none of the new one's: it begins with no edits and beside
 * nothing, in one step, and what stood there comes back as a whole. */
static void
test_begins_plain (AppWindow *window)
{
  const UiDocument *document;
  g_autoptr (UiDocument) before = NULL;
  int n_steps;

  begin_with_mini (window);
  before = ui_document_copy (app_window_get_document (window));
  g_assert_true (ui_document_set (before, ui_fields_find ("edit"), "zero 0.1", NULL));
  before->compare = UI_COMPARE_SIDES;
  ui_replace_text (&before->compare_model, "headlight-causal");
  window_change (window, ui_document_copy (before));
  wait_until (window_is_idle (window) && window_get_second_trace (window) != NULL);
  n_steps = app_history_get_n_steps (window_get_history (window));
  begin_toy (window, "plain");
  document = app_window_get_document (window);
  g_assert_cmpint (app_history_get_n_steps (window_get_history (window)), ==, n_steps + 1);
  g_assert_null (document->edits[0]);
  g_assert_cmpint (document->compare, ==, UI_COMPARE_OFF);
  g_assert_null (document->compare_model);
  activate (window, "win.stop-training");
  wait_until (find_window (ADW_TYPE_MESSAGE_DIALOG) != NULL);
  adw_message_dialog_response (ADW_MESSAGE_DIALOG (find_window (ADW_TYPE_MESSAGE_DIALOG)),
                               "discard");
  wait_until (shows_model (window, "headlight-mini"));
  g_assert_true (ui_document_equal (app_window_get_document (window), before));
}

/* What a model without positions learns is drawn over what one with them learnt. */
static void
test_switches (AppWindow *window)
{
  g_autofree char *folder = dup_folder ("repeat-no-positions");
  g_autofree char *config = g_build_filename (folder, "config.json", NULL);
  g_autofree char *text = NULL;
  GtkWidget *without;

  begin_toy (window, "with");
  wait_until (get_last_place (window) > 1);
  stop_and_keep (window);
  activate (window, "win.train-model");
  wait_until (find_dialog () != NULL);
  choose (0);
  without = driver_find (find_dialog (), GTK_TYPE_SWITCH, 0);
  gtk_switch_set_active (GTK_SWITCH (without), TRUE);
  press (find_dialog (), "_Train");
  wait_until (find_dialog () == NULL);
  wait_until (is_in_training (window) && shows_model (window, "repeat-no-positions"));
  g_assert_true (g_file_get_contents (config, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "\"no_rope_layers\":\t[0, 0]"));
  g_assert_cmpstr (ui_loss_curve_get_former (
                     UI_LOSS_CURVE (window_find (window, "training_curve"))), ==, "with");
}

/* A file of one's own: the open model goes on and keeps its sentences. */
static void
test_own (AppWindow *window)
{
  g_autofree char *specimen = checkpoint_get_specimen ("pretraining");
  g_autofree char *file = g_build_filename (g_get_user_data_dir (), "own.txt", NULL);
  g_autofree char *text = NULL;

  texts_write (file);
  window_open_model (window, specimen);
  wait_until (shows_model (window, "pretraining") && window_is_idle (window));
  text = g_strdup (app_window_get_document (window)->text_b);
  activate (window, "win.train-model");
  wait_until (find_dialog () != NULL);
  choose (APP_N_TOYS);
  ui_train_dialog_set_file (UI_TRAIN_DIALOG (find_dialog ()), file);
  press (find_dialog (), "_Train");
  wait_until (is_in_training (window) && shows_model (window, "my-model-2"));
  g_assert_cmpstr (app_window_get_document (window)->text_b, ==, text);
}

/* Of the task, in the dialog. */
#define TASK_ROW 1

/* A training from a file of these bytes, that of the last choice. */
static void
begin_with (AppWindow    *window,
            AppTrainTask  task,
            const char   *name,
            const char   *text)
{
  g_autofree char *file = g_build_filename (g_get_user_data_dir (), "few.txt", NULL);

  g_assert_true (g_file_set_contents (file, text, -1, NULL));
  activate (window, "win.train-model");
  wait_until (find_dialog () != NULL);
  choose (APP_N_TOYS);
  adw_combo_row_set_selected (ADW_COMBO_ROW (driver_find (find_dialog (), ADW_TYPE_COMBO_ROW,
                                                          TASK_ROW)), (guint) task);
  gtk_editable_set_text (GTK_EDITABLE (driver_find (find_dialog (), ADW_TYPE_ENTRY_ROW, 0)), name);
  ui_train_dialog_set_file (UI_TRAIN_DIALOG (find_dialog ()), file);
  press (find_dialog (), "_Train");
  wait_until (find_dialog () == NULL);
  wait_until (is_in_training (window) && shows_model (window, name));
}

/* Pairs that share their second text. */
static char *
make_joined (void)
{
  GString *lines = g_string_new (NULL);

  for (int i = 0; i < 60; i++)
    g_string_append_printf (lines, "the cat %d\tthe dog\t%s\n", i, i % 2 == 0 ? "x" : "y");

  return g_string_free (lines, FALSE);
}

/* Below the loss, where what is held out is otherwise than it was to be: nothing is, or pairs are by
 * their first texts alone, of which the whole stands where it is pointed at. */
static void
test_held_out (AppWindow *window)
{
  g_autofree char *specimen = checkpoint_get_specimen ("pretraining");
  g_autofree char *joined = make_joined ();
  GtkWidget *label = window_find (window, "training_held_out");

  window_open_model (window, specimen);
  wait_until (shows_model (window, "pretraining") && window_is_idle (window));
  begin_with (window, APP_TRAIN_PAIRS, "joined", joined);
  g_assert_true (gtk_widget_get_mapped (label));
  g_assert_cmpstr (window_get_label (window, "training_held_out"), ==,
                   "Held out by first texts alone");
  g_assert_true (g_str_has_prefix (gtk_widget_get_tooltip_text (label),
                                   "60 pairs, more than half of them, hang together"));
  stop_and_keep (window);
  begin_with (window, APP_TRAIN_MASKED, "none", "the cat sat\nthe dog sat\n");
  g_assert_true (gtk_widget_get_mapped (label));
  g_assert_cmpstr (window_get_label (window, "training_held_out"), ==,
                   "Nothing is held out: too few texts");
  g_assert_null (gtk_widget_get_tooltip_text (label));
  stop_and_keep (window);
  begin_toy (window, "as-asked");
  g_assert_false (gtk_widget_get_visible (label));
}

/* What was ended before it had saved anything leaves its name to others. */
static void
test_unsaved (AppWindow *window)
{
  g_autofree char *folder = dup_folder ("unsaved");
  g_autofree char *record = g_build_filename (folder, "training.json", NULL);
  g_autofree char *lock = g_build_filename (folder, "training.lock", NULL);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (lock, "1\n", -1, NULL));
  begin_toy (window, "unsaved");
  g_assert_true (g_file_test (record, G_FILE_TEST_EXISTS));
}

#define ADD(name, func) g_test_add_data_func ("/window-training/" name, func, run_test)

int
main (int    argc,
      char **argv)
{
  if (!begin_tests (&argc, &argv))
    return 77;
  signal (SIGXFSZ, SIG_IGN);

  ADD ("newest", test_newest);
  ADD ("pause", test_pause);
  ADD ("speed", test_speed);
  ADD ("stop", test_stop);
  ADD ("left", test_left);
  ADD ("open-left", test_open_left);
  g_test_add_data_func ("/window-training/close", NULL, test_close);
  ADD ("open-again", test_open_again);
  ADD ("open-held", test_open_held);
  ADD ("other-model", test_other_model);
  ADD ("no-room", test_no_room);
  ADD ("no-room-to-keep", test_no_room_to_keep);
  ADD ("refused", test_refused);
  ADD ("unsaved", test_unsaved);
  ADD ("held-out", test_held_out);
  ADD ("no-room-at-first", test_no_room_at_first);
  ADD ("cancelled", test_cancelled);
  ADD ("discard", test_discard);
  ADD ("begins-plain", test_begins_plain);
  ADD ("switches", test_switches);
  ADD ("own", test_own);

  return end_tests ();
}
