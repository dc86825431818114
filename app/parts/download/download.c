/* SPDX-License-Identifier: MIT */
/* A model of the hub, asked for by name: the dialog asks, threads of their own do what it says, the
 * model is opened when it is there. */
#include "app/parts/download/download.h"

#include "app/store/hub.h"
#include "app/store/hub-environment.h"
#include "app/store/model-store.h"
#include "engine/base/error.h"
#include "ui/dialogs/download-dialog.h"

#define PROGRESS_MS 100

struct _AppDownloadPart {
  AppPart parent_instance;

  AppDesk    *desk;
  AppStudy   *study;
  AppPicture *picture;
};

G_DEFINE_FINAL_TYPE (AppDownloadPart, app_download_part, APP_TYPE_PART)

/* What the dialog and the thread that works for it share. One thread at a time. */
typedef struct {
  AppDownloadPart  *part;        /* weak */
  UiDownloadDialog *dialog;      /* weak */
  char             *model;
  char             *token;       /* NULL = that of the environment */
  GCancellable     *cancellable; /* of what runs; NULL = nothing */
  AppHubPlan       *plan;
  guint             tick;        /* source that shows the progress */

  GMutex            mutex;       /* over the progress below, which the thread writes */
  AppHubProgress    progress;
  char             *path;
} Download;

static void
download_clear (gpointer data)
{
  Download *self = data;

  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->plan, app_hub_plan_free);
  g_mutex_clear (&self->mutex);
  g_free (self->model);
  g_free (self->token);
  g_free (self->path);
}

static void
download_release (gpointer data)
{
  g_atomic_rc_box_release_full (data, download_clear);
}

static void
progress_cb (const AppHubProgress *progress,
             gpointer              data)
{
  Download *self = data;

  g_mutex_lock (&self->mutex);
  if (g_strcmp0 (self->path, progress->path) != 0) {
    g_free (self->path);
    self->path = g_strdup (progress->path);
  }
  self->progress = *progress;
  g_mutex_unlock (&self->mutex);
}

static gboolean
tick_cb (gpointer data)
{
  static const char *const phases[] = {
    [APP_HUB_FETCHING] = "%s", [APP_HUB_CHECKING] = "Checking %s",
    [APP_HUB_WAITING] = "Waiting for another program that downloads %s",
  };
  Download *self = data;
  g_autofree char *what = NULL;
  AppHubProgress progress;

  g_mutex_lock (&self->mutex);
  progress = self->progress;
  if (self->path != NULL)
    what = g_strdup_printf (phases[progress.phase], self->path);
  g_mutex_unlock (&self->mutex);
  if (what != NULL && self->dialog != NULL)
    ui_download_dialog_progress (self->dialog, what, progress.bytes, progress.total,
                                 progress.speed);

  return G_SOURCE_CONTINUE;
}

/* Runs func in a thread; the task holds the download as long as it lives. */
static void
start (Download            *self,
       GTaskThreadFunc      func,
       GAsyncReadyCallback  callback)
{
  g_autoptr (GTask) task = NULL;

  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  task = g_task_new (NULL, self->cancellable, callback, NULL);
  g_task_set_task_data (task, g_atomic_rc_box_acquire (self), download_release);
  /* The thread's own answer counts: it has closed its files by then. */
  g_task_set_check_cancellable (task, FALSE);
  g_task_run_in_thread (task, func);
}

static void
plan_thread (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  Download *self = data;
  GError *error = NULL;
  AppHubPlan *plan = app_hub_plan_new (self->model, self->token, cancellable, &error);

  if (plan != NULL)
    g_task_return_pointer (task, plan, (GDestroyNotify) app_hub_plan_free);
  else
    g_task_return_error (task, error);
}

static gboolean
is_cancelled (const GError *error)
{
  return g_error_matches (error, APP_HUB_ERROR, APP_HUB_ERROR_CANCELLED);
}

static void
show_offer (Download     *self,
            const GError *problem)
{
  ui_download_dialog_offer (self->dialog, app_hub_plan_get_n_files (self->plan),
                            app_hub_plan_get_total (self->plan),
                            app_hub_plan_get_present (self->plan),
                            problem != NULL ? problem->message : NULL);
}

static void
planned_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      data)
{
  Download *self = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  AppHubPlan *plan = g_task_propagate_pointer (G_TASK (result), &error);

  self->plan = plan;
  if (self->dialog == NULL)
    return;

  if (plan != NULL)
    show_offer (self, NULL);
  else
    ui_download_dialog_ask (self->dialog, NULL, is_cancelled (error) ? NULL : error->message,
                            g_error_matches (error, APP_HUB_ERROR, APP_HUB_ERROR_ACCESS));
}

static void
look_up_cb (UiDownloadDialog *dialog,
            const char       *name,
            const char       *token,
            Download         *self)
{
  g_clear_pointer (&self->plan, app_hub_plan_free);
  g_free (self->model);
  g_free (self->token);
  self->model = g_strdup (name);
  self->token = g_strdup (token);
  start (self, plan_thread, planned_cb);
}

static void
download_thread (GTask        *task,
                 gpointer      source,
                 gpointer      data,
                 GCancellable *cancellable)
{
  Download *self = data;
  GError *error = NULL;
  g_autofree char *folder = app_hub_plan_download (self->plan, progress_cb, self, cancellable,
                                                   &error);

  if (folder != NULL)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
downloaded_cb (GObject      *source,
               GAsyncResult *result,
               gpointer      data)
{
  Download *self = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  gboolean is_there = g_task_propagate_boolean (G_TASK (result), &error);

  g_clear_handle_id (&self->tick, g_source_remove);
  if (self->dialog == NULL)
    return;

  if (!is_there) {
    show_offer (self, is_cancelled (error) ? NULL : error);
    return;
  }
  if (self->part != NULL)
    app_study_open_model (self->part->study, self->model);
  gtk_window_destroy (GTK_WINDOW (self->dialog));
}

static void
download_cb (UiDownloadDialog *dialog,
             Download         *self)
{
  g_clear_pointer (&self->path, g_free);
  self->tick = g_timeout_add (PROGRESS_MS, tick_cb, self);
  start (self, download_thread, downloaded_cb);
}

static void
stop_cb (UiDownloadDialog *dialog,
         Download         *self)
{
  g_cancellable_cancel (self->cancellable);
}

/* The dialog was closed, perhaps with the window below: nobody waits for the model any more. A
 * thread may hold the download for another moment. */
static void
destroy_cb (UiDownloadDialog *dialog,
            Download         *self)
{
  g_clear_handle_id (&self->tick, g_source_remove);
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_weak_pointer (&self->part);
  g_clear_weak_pointer (&self->dialog);
}

/* Whether a name of the hub stands for no model here: nothing of it is there, or only what Python's
 * tools had needed of it, such as its tokenizer. */
static gboolean
is_absent (const char *model,
           const char *cache)
{
  g_autoptr (AppHubName) hub_name = app_hub_name_parse (model, NULL);
  g_autofree char *below_cache = g_strconcat (cache, G_DIR_SEPARATOR_S, NULL);
  g_autofree char *name = NULL;
  g_autofree char *folder = NULL;

  if (hub_name == NULL)
    return FALSE;

  folder = app_model_store_find (model, &name, NULL);
  return folder == NULL
         || (g_str_has_prefix (folder, below_cache) && !eng_model_has_weights (folder));
}

void
app_download_part_show (AppDownloadPart *self,
                        const char      *model)
{
  g_autofree char *host = app_hub_dup_host ();
  Download *download = g_atomic_rc_box_new0 (Download);
  GtkWidget *dialog = ui_download_dialog_new (app_desk_get_window (self->desk), host);

  g_mutex_init (&download->mutex);
  g_set_weak_pointer (&download->part, self);
  g_set_weak_pointer (&download->dialog, UI_DOWNLOAD_DIALOG (dialog));
  g_object_set_data_full (G_OBJECT (dialog), "download", download, download_release);
  g_signal_connect (dialog, "look-up", G_CALLBACK (look_up_cb), download);
  g_signal_connect (dialog, "download", G_CALLBACK (download_cb), download);
  g_signal_connect (dialog, "stop", G_CALLBACK (stop_cb), download);
  g_signal_connect (dialog, "destroy", G_CALLBACK (destroy_cb), download);
  if (model != NULL) {
    g_autofree char *problem = g_strdup_printf ("“%s” is not on this computer, or not all of it.",
                                                model);

    ui_download_dialog_ask (UI_DOWNLOAD_DIALOG (dialog), model, problem, FALSE);
  }
  gtk_window_present (GTK_WINDOW (dialog));
}

gboolean
app_download_part_offer (AppDownloadPart *self,
                         const char      *model,
                         const GError    *error)
{
  g_autoptr (AppHubEnvironment) environment = app_hub_environment_new ();

  if (model == NULL || !g_error_matches (error, ENG_ERROR, ENG_ERROR_MISSING)
      || environment->offline != NULL || !is_absent (model, environment->cache))
    return FALSE;

  app_download_part_show (self, model);
  return TRUE;
}

static void
download_model (GSimpleAction *action,
                GVariant      *parameter,
                gpointer       data)
{
  app_download_part_show (data, NULL);
}

static void
begin (AppPart *part)
{
  static const GActionEntry entries[] = { { "download-model", download_model } };
  AppDownloadPart *self = APP_DOWNLOAD_PART (part);

  self->desk = app_part_get_desk (part);
  self->study = app_part_get_study (part);
  self->picture = app_part_get_picture (part);
  app_desk_add_actions (self->desk, entries, G_N_ELEMENTS (entries), self);
}

static void
app_download_part_class_init (AppDownloadPartClass *klass)
{
  APP_PART_CLASS (klass)->begin = begin;
}

static void
app_download_part_init (AppDownloadPart *self)
{
}
