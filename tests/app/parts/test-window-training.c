/* SPDX-License-Identifier: MIT */
/* The real window trains a model: a toy and a file of one's own, to the end, paused, stopped, left,
 * refused. */
#include <errno.h>
#include <string.h>

#include "app/store/paths.h"
#include "app/training/record.h"
#include "app/training/toys.h"
#include "tests/app/training/texts.h"
#include "tests/app/training/toy-lines.h"
#include "tests/support/checkpoint-folder.h"
#include "tests/support/temporary.h"
#include "tests/support/window/window-test.h"
#include "ui/dialogs/train-dialog.h"
#include "ui/lists/loss-curve.h"
#include "ui/lists/score-curve.h"

static char *data_home;

static GtkWidget *
find_window (GType type)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

    if (G_OBJECT_TYPE (window) == type)
      return window;
  }

  return NULL;
}

static GtkWidget *
find_dialog (void)
{
  return find_window (UI_TYPE_TRAIN_DIALOG);
}

static void
press (GtkWidget  *dialog,
       const char *label)
{
  GtkWidget *button;

  for (int i = 0; (button = driver_find (dialog, GTK_TYPE_BUTTON, i)) != NULL; i++)
    if (g_strcmp0 (gtk_button_get_label (GTK_BUTTON (button)), label) == 0) {
      g_assert_true (gtk_widget_get_sensitive (button));
      g_signal_emit_by_name (button, "clicked");
      return;
    }
  g_assert_not_reached ();
}

static void
choose (int preset)
{
  GtkWidget *row = driver_find (find_dialog (), ADW_TYPE_COMBO_ROW, 0);

  adw_combo_row_set_selected (ADW_COMBO_ROW (row), (guint) preset);
}

static char *
dup_folder (const char *name)
{
  g_autofree char *models = app_paths_get_data_models ();

  return g_build_filename (models, name, NULL);
}

static gboolean
says (AppWindow  *window,
      const char *part)
{
  return strstr (window_get_label (window, "training_state"), part) != NULL;
}

static gboolean
is_in_training (AppWindow *window)
{
  const char *title = gtk_window_get_title (GTK_WINDOW (window));

  return strstr (title, "in training, step ") != NULL && says (window, "In training, step ");
}

/* Its model is on show. */
static gboolean
shows_model (AppWindow  *window,
             const char *name)
{
  return window_get_model (window) != NULL
         && g_str_equal (eng_model_get_info (window_get_model (window))->name, name);
}

static void
begin_toy (AppWindow  *window,
           const char *name)
{
  activate (window, "win.train-model");
  wait_until (find_dialog () != NULL);
  choose (0);
  gtk_editable_set_text (GTK_EDITABLE (driver_find (find_dialog (), ADW_TYPE_ENTRY_ROW, 0)), name);
  press (find_dialog (), "_Train");
  wait_until (find_dialog () == NULL);
  wait_until (is_in_training (window) && shows_model (window, name));
}

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

/* Kept it stays open, and the bar goes. */
static void
test_stop (AppWindow *window)
{
  begin_toy (window, "kept");
  activate (window, "win.stop-training");
  wait_until (find_window (ADW_TYPE_MESSAGE_DIALOG) != NULL);
  adw_message_dialog_response (ADW_MESSAGE_DIALOG (find_window (ADW_TYPE_MESSAGE_DIALOG)), "keep");
  wait_until (!gtk_widget_get_visible (window_find (window, "training_bar")));
  g_assert_true (shows_model (window, "kept"));
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (window)), ==, "Headlight");
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
  g_autofree char *file = g_build_filename (data_home, "texts.txt", NULL);
  g_autofree char *missing = g_build_filename (data_home, "missing.txt", NULL);

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
  g_autofree char *before = g_strdup (eng_model_get_info (window_get_model (window))->name);
  g_autoptr (UiDocument) document = ui_document_copy (app_window_get_document (window));

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
  wait_until (shows_model (window, before));
  wait_until (!g_file_test (folder, G_FILE_TEST_EXISTS));
  g_assert_false (gtk_widget_get_visible (window_find (window, "training_bar")));
  g_assert_true (ui_document_equal (app_window_get_document (window), document));
}

static GtkRange *
get_timeline (AppWindow *window)
{
  return GTK_RANGE (window_find (window, "training_timeline"));
}

static int
get_n_places (AppWindow *window)
{
  return (int) gtk_adjustment_get_upper (gtk_range_get_adjustment (get_timeline (window)));
}

/* A paused training with some states. */
static void
pause_toy (AppWindow  *window,
           const char *name)
{
  begin_toy (window, name);
  wait_until (get_n_places (window) > 4);
  activate (window, "win.pause-training");
  wait_until (says (window, "Paused at step ") && window_is_idle (window));
}

/* The model that is shown is that of the place: with the sentence and the head as they were, and
 * weights that are another state's. */
static void
test_timeline (AppWindow *window)
{
  g_autofree char *folder = dup_folder ("timeline");
  g_autoptr (UiDocument) before = NULL, after = NULL;
  g_autoptr (EngAttention) last = NULL, first = NULL;
  EngTrace *trace;

  pause_toy (window, "timeline");
  before = ui_document_copy (app_window_get_document (window));
  g_assert_cmpstr (before->model, ==, folder);
  g_assert_cmpint ((int) gtk_range_get_value (get_timeline (window)), ==, get_n_places (window));
  last = eng_trace_dup_attention (app_window_get_trace (window), ENG_KIND_DECODER, 0);

  gtk_range_set_value (get_timeline (window), 0);
  wait_until (window_is_idle (window) && window_is_complete (window));
  g_assert_true (shows_model (window, "timeline at step 0"));
  g_assert_cmpstr (window_get_label (window, "training_step"), ==, "step 0");
  g_assert_true (gtk_widget_get_visible (window_find (window, "training_bar")));
  trace = app_window_get_trace (window);
  first = eng_trace_dup_attention (trace, ENG_KIND_DECODER, 0);
  g_assert_cmpint (first->n_keys, ==, last->n_keys);
  g_assert_cmpint (memcmp (first->weights, last->weights,
                           (gsize) (first->n_heads * first->n_keys * first->n_keys)
                             * sizeof (float)), !=, 0);
  after = ui_document_copy (app_window_get_document (window));
  ui_replace_text (&after->model, before->model);
  g_assert_true (ui_document_equal (after, before));

  /* An edit is of that state, and one step takes the place back. */
  activate (window, "win.undo");
  wait_until (window_is_idle (window) && shows_model (window, "timeline"));
  g_assert_cmpint ((int) gtk_range_get_value (get_timeline (window)), ==, get_n_places (window));
}

/* Two steps beside each other, by the comparison of models. */
static void
test_compare_steps (AppWindow *window)
{
  g_autofree char *folder = dup_folder ("sides");
  const UiDocument *document;

  pause_toy (window, "sides");
  activate (window, "win.compare-steps");
  wait_until (window_is_idle (window));
  document = app_window_get_document (window);
  g_assert_cmpint (document->compare, ==, UI_COMPARE_SIDES);
  g_assert_cmpstr (document->compare_model, ==, folder);
  g_assert_true (g_str_has_suffix (document->model, G_DIR_SEPARATOR_S "steps" G_DIR_SEPARATOR_S "0"));
}

/* Each head has a line, which is said in words; another sentence has other lines. */
static void
test_scores (AppWindow *window)
{
  UiScoreCurve *curve;
  g_autofree char *words = NULL, *one = NULL;

  pause_toy (window, "scores");
  curve = UI_SCORE_CURVE (window_find (window, "training_scores"));
  wait_until ((words = ui_score_curve_dup_words (curve), g_str_has_prefix (words, "head "))
              || (g_free (words), FALSE));
  g_assert_nonnull (strstr (words, " at step "));
  g_assert_nonnull (strstr (window_get_label (window, "training_state"), "Paused"));
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
  wait_until (get_n_places (window) > 2);
  activate (window, "win.stop-training");
  wait_until (find_window (ADW_TYPE_MESSAGE_DIALOG) != NULL);
  adw_message_dialog_response (ADW_MESSAGE_DIALOG (find_window (ADW_TYPE_MESSAGE_DIALOG)), "keep");
  wait_until (!gtk_widget_get_visible (window_find (window, "training_bar")));
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
  g_autofree char *file = g_build_filename (data_home, "own.txt", NULL);
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

#define ADD(name, func) g_test_add_data_func ("/window-training/" name, func, run_test)

int
main (int    argc,
      char **argv)
{
  int status;

  data_home = temporary_new ();
  g_setenv ("XDG_DATA_HOME", data_home, TRUE);
  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    return 77;

  toy_lines_write (APP_TOY_REPEAT);
  ADD ("newest", test_newest);
  ADD ("pause", test_pause);
  ADD ("stop", test_stop);
  ADD ("left", test_left);
  ADD ("open-left", test_open_left);
  g_test_add_data_func ("/window-training/close", NULL, test_close);
  ADD ("open-again", test_open_again);
  ADD ("other-model", test_other_model);
  ADD ("no-room", test_no_room);
  ADD ("refused", test_refused);
  ADD ("cancelled", test_cancelled);
  ADD ("discard", test_discard);
  ADD ("timeline", test_timeline);
  ADD ("compare-steps", test_compare_steps);
  ADD ("scores", test_scores);
  ADD ("switches", test_switches);
  ADD ("own", test_own);
  status = g_test_run ();
  temporary_free (data_home);

  return status;
}
