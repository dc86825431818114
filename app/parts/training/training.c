/* SPDX-License-Identifier: MIT */
/* The bar of a training: how far it is, its curves, its buttons; and the newest weights on show. */
#include "app/parts/training/training-private.h"

#include "app/desk/message-dialog.h"
#include "app/desk/shortcuts.h"
#include "app/run/task.h"
#include "app/store/model-store.h"
#include "app/study/second-side.h"
#include "app/training/kept.h"
#include "app/training/lock.h"
#include "ui/controls/quiet.h"
#include "ui/document/amount.h"

/* Between two states of the bar that say the same but for numbers, µs. */
#define PERIOD_US (250 * 1000)
/* Until the study is asked once more that was busy. */
#define RETRY_MS 200

G_DEFINE_FINAL_TYPE (AppTrainingPart, app_training_part, APP_TYPE_PART)

static const AppTrainingNews *
get_news (AppTrainingPart *self)
{
  return app_training_job_get_news (self->job);
}

/* Nothing of it is asked any more: it came to its end, or was stopped and kept. */
static gboolean
is_settled (AppTrainingPart *self)
{
  const AppTrainingState state = get_news (self)->state;

  return state == APP_TRAINING_DONE || (self->is_kept && app_training_is_at_rest (state));
}

static void
sync_buttons (AppTrainingPart *self)
{
  const AppTrainingState state = self->job != NULL ? get_news (self)->state : APP_TRAINING_DONE;
  const gboolean is_done = state == APP_TRAINING_DONE;
  const gboolean closes = self->job == NULL || is_settled (self);

  app_desk_set_enabled (self->desk, "train-model", self->job == NULL || app_training_is_at_rest (state));
  app_desk_set_enabled (self->desk, "pause-training",
                        self->job != NULL && !is_done && state != APP_TRAINING_STOPPING);
  app_desk_set_enabled (self->desk, "stop-training",
                        self->job != NULL && state != APP_TRAINING_STOPPING);
  gtk_button_set_icon_name (self->pause_button, app_training_is_at_rest (state)
                                                  ? "media-playback-start-symbolic"
                                                  : "media-playback-pause-symbolic");
  gtk_widget_set_visible (GTK_WIDGET (self->pause_button), !is_done);
  gtk_button_set_icon_name (GTK_BUTTON (self->stop_button),
                            closes ? "window-close-symbolic" : "media-playback-stop-symbolic");
  app_shortcuts_explain_in_words (GTK_WIDGET (self->pause_button), "win.pause-training",
                                  app_training_is_at_rest (state) ? "Go on with the training"
                                                     : "Pause the training");
  app_shortcuts_explain_in_words (self->stop_button, "win.stop-training",
                                  closes ? "Close; the model stays" : NULL);
}

/* "in training, step 1,240" */
static void
sync_activity (AppTrainingPart *self)
{
  const AppTrainingNews *news = self->job != NULL ? get_news (self) : NULL;
  g_autofree char *step = news != NULL ? ui_amount_count (news->last.point.step) : NULL;
  g_autofree char *activity = NULL;

  if (news != NULL && news->state != APP_TRAINING_OPENING
      && !app_training_is_at_rest (news->state))
    activity = g_strdup_printf ("in training, step %s", step);
  app_desk_set_activity (self->desk, activity);
}

/* The whole of it, which the card has as well, where the line is pointed at. */
static void
sync_held_out (AppTrainingPart *self)
{
  const AppTrainingNews *news = get_news (self);
  const char *line = app_training_describe_held_out (news);
  g_autofree char *joined = news->held_out == APP_HELD_OUT_BY_FIRST
                              ? app_recipe_dup_joined (news->n_joined) : NULL;

  gtk_widget_set_visible (GTK_WIDGET (self->held_out_label), line != NULL);
  gtk_label_set_label (self->held_out_label, line != NULL ? line : "");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->held_out_label), joined);
}

static void
sync_bar (AppTrainingPart *self)
{
  g_autofree char *state = NULL, *loss = NULL, *speed = NULL;

  sync_buttons (self);
  sync_activity (self);
  app_training_part_sync_timeline (self);
  gtk_widget_set_visible (self->bar, self->job != NULL && self->dialog == NULL);
  if (self->job == NULL)
    return;
  state = app_training_describe_state (get_news (self));
  speed = app_training_describe_speed (get_news (self));
  app_training_part_sync_curves (self);
  loss = ui_loss_curve_dup_newest (self->curve);
  gtk_label_set_label (self->state_label, state);
  gtk_label_set_label (self->loss_label, loss);
  gtk_label_set_label (self->speed_label, speed);
  sync_held_out (self);
  self->shown_at = g_get_monotonic_time ();
}

/* The newest weights. */

/* One step: what was made of another model, or compared with it, is none of this one's. */
static void
show_model (AppTrainingPart *self)
{
  UiDocument *document = ui_document_copy (app_study_get_document (self->study));

  self->is_open = TRUE;
  self->shown_step = get_news (self)->last.saved_step;
  if (self->example != NULL)
    ui_replace_text (&document->text_a, self->example);
  if (self->is_single)
    ui_replace_text (&document->text_b, "");
  g_strfreev (document->edits);
  document->edits = g_new0 (char *, 1);
  app_second_side_end (document);
  app_study_open_model_with (self->study, get_news (self)->folder, document);
}

static void show_newest (AppTrainingPart *self);

static gboolean
retry_cb (gpointer data)
{
  AppTrainingPart *self = data;

  self->retry_source = 0;
  if (self->job != NULL)
    show_newest (self);

  return G_SOURCE_REMOVE;
}

static void
show_newest (AppTrainingPart *self)
{
  const AppTrainingNews *news = get_news (self);

  if (!self->is_open || news->last.saved_step <= self->shown_step)
    return;
  if (app_study_open_anew (self->study, news->folder))
    self->shown_step = news->last.saved_step;
  else if (self->retry_source == 0)
    self->retry_source = g_timeout_add (RETRY_MS, retry_cb, self);
}

/* What follows from news. */

void
app_training_part_leave (AppTrainingPart *self)
{
  g_clear_handle_id (&self->retry_source, g_source_remove);
  g_clear_handle_id (&self->play_source, g_source_remove);
  if (self->job != NULL)
    app_training_part_make_former (self);
  g_clear_pointer (&self->job, app_training_job_abandon);
  g_clear_pointer (&self->before, ui_document_free);
  self->is_open = self->is_kept = FALSE;
  self->afterwards = APP_AFTERWARDS_NOTHING;
  app_desk_set_notice (self->desk, self, NULL, APP_NOTICE_STAYS);
  sync_bar (self);
}

static void
trashed_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      data)
{
  g_autoptr (AppTrainingPart) self = data;
  g_autoptr (GError) error = NULL;

  if (!g_file_trash_finish (G_FILE (source), result, &error))
    app_desk_toast (self->desk, error->message);
}

/* Into the trash, where it can be brought back from; what was shown before it is shown again. */
static void
discard (AppTrainingPart *self)
{
  g_autoptr (GFile) folder = g_file_new_for_path (get_news (self)->folder);
  UiDocument *before = g_steal_pointer (&self->before);

  app_training_part_leave (self);
  if (before != NULL)
    app_study_change (self->study, before);
  else
    app_study_open_model (self->study, APP_BUNDLED_MODEL);
  g_file_trash_async (folder, G_PRIORITY_DEFAULT, NULL, trashed_cb, g_object_ref (self));
}

static void
finish (AppTrainingPart *self)
{
  const AppAfterwards afterwards = self->afterwards;

  self->afterwards = APP_AFTERWARDS_NOTHING;
  if (afterwards == APP_AFTERWARDS_KEEP) {
    self->is_kept = TRUE;
    sync_bar (self);
  } else if (afterwards == APP_AFTERWARDS_DISCARD)
    discard (self);
  else if (afterwards == APP_AFTERWARDS_CLOSE)
    gtk_window_close (app_desk_get_window (self->desk));
}

/* It did not begin: the dialog says why. */
static void
refuse (AppTrainingPart *self)
{
  g_autofree char *problem = g_strdup (get_news (self)->problem);

  app_training_part_leave (self);
  ui_train_dialog_refuse (self->dialog, problem);
}

/* It began: the dialog is not asked any more. */
static void
end_dialog (AppTrainingPart *self)
{
  UiTrainDialog *dialog = self->dialog;

  g_clear_weak_pointer (&self->dialog);
  gtk_window_destroy (GTK_WINDOW (dialog));
}

static void
news_cb (const AppTrainingNews *news,
         gpointer               data)
{
  AppTrainingPart *self = data;
  const gint64 now = g_get_monotonic_time ();

  if (news->state == APP_TRAINING_FAILED && self->dialog != NULL) {
    refuse (self);
    return;
  }
  if (self->dialog != NULL && news->state != APP_TRAINING_OPENING)
    end_dialog (self);
  if (!self->is_open && news->last.saved_step >= 0 && news->state != APP_TRAINING_OPENING)
    show_model (self);
  if (news->state != APP_TRAINING_RUNNING || now - self->shown_at >= PERIOD_US)
    sync_bar (self);
  app_desk_set_notice (self->desk, self, news->problem, APP_NOTICE_CLOSES);
  show_newest (self);
  app_training_part_ask_scores (self);
  if (app_training_is_at_rest (news->state))
    finish (self);
}

void
app_training_part_begin (AppTrainingPart *self,
                         AppRecipe       *recipe,
                         AppToy           toy,
                         const char      *folder)
{
  app_training_part_leave (self);
  self->before = ui_document_copy (app_study_get_document (self->study));
  self->toy = toy;
  self->is_chosen = FALSE;
  self->job = app_training_job_new (recipe, toy, folder, news_cb, self);
  sync_bar (self);
}

/* Actions. */

static void
train_model (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       data)
{
  app_training_part_ask (data);
}

static void
pause_training (GSimpleAction *action,
                GVariant      *parameter,
                gpointer       data)
{
  AppTrainingPart *self = data;

  self->is_kept = FALSE;
  if (app_training_job_is_busy (self->job))
    app_training_job_pause (self->job);
  else
    app_training_job_go_on (self->job);
}

static void
play_training (GSimpleAction *action,
               GVariant      *parameter,
               gpointer       data)
{
  AppTrainingPart *self = data;

  app_training_part_play (self, self->play_source == 0);
}

static void
compare_steps (GSimpleAction *action,
               GVariant      *parameter,
               gpointer       data)
{
  app_training_part_compare_steps (data);
}

static void
end_with (AppTrainingPart *self,
          AppAfterwards    afterwards)
{
  if (self->job == NULL)
    return;
  self->afterwards = afterwards;
  if (app_training_job_is_busy (self->job))
    app_training_job_pause (self->job);
  else
    finish (self);
}

static void
stop_response_cb (AppTrainingPart *self,
                  const char      *response)
{
  if (g_str_equal (response, "keep"))
    end_with (self, APP_AFTERWARDS_KEEP);
  else if (g_str_equal (response, "discard"))
    end_with (self, APP_AFTERWARDS_DISCARD);
}

static void
stop_training (GSimpleAction *action,
               GVariant      *parameter,
               gpointer       data)
{
  AppTrainingPart *self = data;
  g_autofree char *name = g_path_get_basename (get_news (self)->folder);
  GtkWidget *dialog;

  if (is_settled (self)) {
    app_training_part_leave (self);
    return;
  }
  dialog = app_message_dialog_new (app_desk_get_window (self->desk), "Keep the Model?");
  adw_message_dialog_format_body (ADW_MESSAGE_DIALOG (dialog),
                                  "“%s” stays in the model menu as it is now, and can be trained "
                                  "further. Discarded, it goes into the trash.", name);
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", "Cancel",
                                    "discard", "Discard", "keep", "Keep", NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "discard",
                                              ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "keep",
                                              ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "keep");
  g_signal_connect_object (dialog, "response", G_CALLBACK (stop_response_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* One that was left. */

static void
look_thread (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  /* What another program trains is not paused; that one has its bar. */
  AppTrainingRecord *record = app_training_record_is_in (data) && !app_training_lock_is_held (data)
                                ? app_training_record_open (data, NULL) : NULL;
  g_autoptr (GArray) kept = app_kept_list (data);

  /* One that is over has nothing to go on with, but states to look at. */
  if (record != NULL && app_training_record_is_over (record) && kept->len == 0)
    g_clear_pointer (&record, app_training_record_free);
  g_task_return_pointer (task, record, (GDestroyNotify) app_training_record_free);
}

static void
looked_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  AppTrainingPart *self = APP_TRAINING_PART (source);
  AppTrainingRecord *record = g_task_propagate_pointer (G_TASK (result), NULL);

  /* The window may have gone meanwhile. */
  if (record == NULL || self->job != NULL || app_desk_get_window (self->desk) == NULL
      || g_strcmp0 (self->looked_at, g_task_get_task_data (G_TASK (result))) != 0) {
    g_clear_pointer (&record, app_training_record_free);
    return;
  }
  self->toy = app_toy_find (record->recipe);
  self->is_chosen = FALSE;
  self->job = app_training_job_new_paused (self->looked_at, record, news_cb, self);
  self->is_open = TRUE;
  self->shown_step = get_news (self)->last.saved_step;
  sync_bar (self);
  app_training_part_ask_scores (self);
}

/* The model that opens may be one whose training was paused, in this window or another one. */
static void
look_for_paused (AppTrainingPart *self)
{
  EngModel *model = app_study_get_model (self->study);
  const char *shown = model != NULL ? eng_model_get_info (model)->folder : NULL;
  g_autofree char *training = shown != NULL ? app_kept_find_training (shown) : NULL;
  const char *folder = training != NULL ? training : shown;
  g_autoptr (GTask) task = NULL;

  if (g_strcmp0 (folder, self->looked_at) == 0)
    return;
  g_free (self->looked_at);
  self->looked_at = g_strdup (folder);
  /* Another model is looked at: a training that rests is none of its. */
  if (self->job != NULL && app_training_is_at_rest (get_news (self)->state)
      && !app_training_part_has_folder (self, folder))
    app_training_part_leave (self);
  if (folder == NULL || self->job != NULL)
    return;
  task = app_task_new (self, looked_cb, NULL);
  g_task_set_task_data (task, g_strdup (folder), g_free);
  g_task_run_in_thread (task, look_thread);
}

gboolean
app_training_part_keeps_open (AppTrainingPart *self)
{
  if (self->job == NULL || !app_training_job_is_busy (self->job))
    return FALSE;
  app_desk_toast (self->desk, "The training is saved; it goes on when its model is opened again");
  end_with (self, APP_AFTERWARDS_CLOSE);

  return TRUE;
}

static void
sync_part (AppPart *part)
{
  AppTrainingPart *self = APP_TRAINING_PART (part);

  if (self->job == NULL || self->dialog != NULL)
    return;
  app_training_part_sync_timeline (self);
  app_training_part_sync_curves (self);
}

static void
work (AppPart *part)
{
  look_for_paused (APP_TRAINING_PART (part));
  app_training_part_ask_scores (APP_TRAINING_PART (part));
}

static void
theme (AppPart *part)
{
  AppTrainingPart *self = APP_TRAINING_PART (part);

  const UiTheme theme = ui_scene_view_get_theme (app_picture_get_view (self->picture));

  ui_loss_curve_set_theme (self->curve, theme);
  ui_score_curve_set_theme (self->score_curve, theme);
}

static void
begin (AppPart *part)
{
  static const GActionEntry entries[] = {
    { "train-model", train_model },
    { "pause-training", pause_training },
    { "stop-training", stop_training },
    { "play-training", play_training },
    { "compare-steps", compare_steps },
  };
  AppTrainingPart *self = APP_TRAINING_PART (part);

  self->desk = app_part_get_desk (part);
  self->study = app_part_get_study (part);
  self->picture = app_part_get_picture (part);
  app_part_load_ui (self, "training");
  app_part_place (self, "training_bar", "training");
  self->bar = app_part_get_object (self, "training_bar");
  self->state_label = app_part_get_object (self, "training_state");
  self->loss_label = app_part_get_object (self, "training_loss");
  self->speed_label = app_part_get_object (self, "training_speed");
  self->held_out_label = app_part_get_object (self, "training_held_out");
  self->pause_button = app_part_get_object (self, "pause_training_button");
  self->stop_button = app_part_get_object (self, "stop_training_button");
  app_desk_add_actions (self->desk, entries, G_N_ELEMENTS (entries), self);
  app_training_part_begin_timeline (self);
  app_training_part_begin_curves (self);
  sync_bar (self);
}

/* Says on the terminal what a window that is not there any more cannot. */
static void
end (AppPart *part)
{
  AppTrainingPart *self = APP_TRAINING_PART (part);
  g_autofree char *folder = NULL;

  g_clear_handle_id (&self->retry_source, g_source_remove);
  g_clear_handle_id (&self->play_source, g_source_remove);
  app_training_part_end_curves (self);
  if (self->job == NULL)
    return;
  folder = g_shell_quote (get_news (self)->folder);
  if (get_news (self)->state != APP_TRAINING_DONE)
    g_printerr ("The training is saved; it goes on with: headlight train --resume -o %s\n", folder);
  g_clear_pointer (&self->job, app_training_job_free);
}

static void
app_training_part_finalize (GObject *object)
{
  AppTrainingPart *self = APP_TRAINING_PART (object);

  g_clear_weak_pointer (&self->dialog);
  g_free (self->from);
  g_clear_pointer (&self->before, ui_document_free);
  g_free (self->example);
  g_free (self->looked_at);
  G_OBJECT_CLASS (app_training_part_parent_class)->finalize (object);
}

static void
app_training_part_class_init (AppTrainingPartClass *klass)
{
  g_type_ensure (UI_TYPE_LOSS_CURVE);
  g_type_ensure (UI_TYPE_SCORE_CURVE);

  G_OBJECT_CLASS (klass)->finalize = app_training_part_finalize;
  APP_PART_CLASS (klass)->begin = begin;
  APP_PART_CLASS (klass)->sync = sync_part;
  APP_PART_CLASS (klass)->work = work;
  APP_PART_CLASS (klass)->theme = theme;
  APP_PART_CLASS (klass)->end = end;
}

static void
app_training_part_init (AppTrainingPart *self)
{
}
