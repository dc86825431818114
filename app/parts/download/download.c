/* SPDX-License-Identifier: MIT */
/* A model of the hub, asked for by name: the dialog asks, threads of their own do what it says, the
 * model is opened when it is there. */
#include "app/parts/download/download.h"

#include "app/run/job.h"
#include "app/store/hub.h"
#include "app/store/hub-environment.h"
#include "app/store/model-store.h"
#include "engine/base/error.h"
#include "ui/dialogs/download-dialog.h"

struct _AppDownloadPart {
  AppPart parent_instance;

  AppDesk    *desk;
  AppStudy   *study;
  AppPicture *picture;
};

G_DEFINE_FINAL_TYPE (AppDownloadPart, app_download_part, APP_TYPE_PART)

/* What the dialog and the job that works for it share. One job at a time. */
typedef struct {
  AppDownloadPart  *part;   /* weak */
  UiDownloadDialog *dialog; /* borrowed: the job is left when it goes */
  char             *model;
  char             *token;  /* NULL = that of the environment */
  AppHubPlan       *plan;
  AppJob           *job;    /* NULL = none runs */
} Download;

static void
download_clear (gpointer data)
{
  Download *self = data;

  g_clear_pointer (&self->plan, app_hub_plan_free);
  g_free (self->model);
  g_free (self->token);
}

static void
download_release (gpointer data)
{
  g_rc_box_release_full (data, download_clear);
}

/* The job holds the download as long as its thread lives. */
static void
start (Download          *self,
       const AppJobClass *klass)
{
  self->job = app_job_start (klass, g_rc_box_acquire (self), self);
}

static gpointer
run_plan (AppJob    *job,
          gpointer   data,
          GError   **error)
{
  const Download *self = data;

  return app_hub_plan_new (self->model, self->token, app_job_get_cancellable (job), error);
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
planned_cb (AppJob       *job,
            gpointer      result,
            const GError *error,
            gpointer      owner)
{
  Download *self = owner;

  g_clear_pointer (&self->job, app_job_stop);
  self->plan = result;
  if (result != NULL)
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
  static const AppJobClass klass = {
    .run = run_plan,
    .done = planned_cb,
    .free_result = (GDestroyNotify) app_hub_plan_free,
    .free_data = download_release,
  };

  g_clear_pointer (&self->plan, app_hub_plan_free);
  g_free (self->model);
  g_free (self->token);
  self->model = g_strdup (name);
  self->token = g_strdup (token);
  start (self, &klass);
}

static gpointer
run_download (AppJob    *job,
              gpointer   data,
              GError   **error)
{
  const Download *self = data;

  return app_hub_plan_download (self->plan, app_job_report, job, app_job_get_cancellable (job),
                                error);
}

static void
progress_cb (const AppProgress *progress,
             gpointer           owner)
{
  static const char *const phases[] = {
    [APP_PHASE_WORKING] = "%s", [APP_PHASE_CHECKING] = "Checking %s",
    [APP_PHASE_WAITING] = "Waiting for another program that downloads %s",
  };
  const Download *self = owner;
  g_autofree char *note = g_strdup_printf (phases[progress->phase], progress->note);

  ui_download_dialog_progress (self->dialog, note, progress->bytes, progress->total,
                               progress->speed);
}

static void
downloaded_cb (AppJob       *job,
               gpointer      result,
               const GError *error,
               gpointer      owner)
{
  Download *self = owner;
  g_autofree char *folder = result;

  g_clear_pointer (&self->job, app_job_stop);
  if (folder == NULL) {
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
  static const AppJobClass klass = {
    .run = run_download,
    .progress = progress_cb,
    .done = downloaded_cb,
    .free_result = g_free,
    .free_data = download_release,
  };

  start (self, &klass);
}

static void
stop_cb (UiDownloadDialog *dialog,
         Download         *self)
{
  if (self->job != NULL)
    app_job_cancel (self->job);
}

/* The dialog was closed, perhaps with the window below: nobody waits for the model any more. */
static void
destroy_cb (UiDownloadDialog *dialog,
            Download         *self)
{
  g_clear_pointer (&self->job, app_job_leave);
  g_clear_weak_pointer (&self->part);
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
  Download *download = g_rc_box_new0 (Download);
  GtkWidget *dialog = ui_download_dialog_new (app_desk_get_window (self->desk), host);

  g_set_weak_pointer (&download->part, self);
  download->dialog = UI_DOWNLOAD_DIALOG (dialog);
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

/* One that somebody else has named. */
static void
download_named (GSimpleAction *action,
                GVariant      *parameter,
                gpointer       data)
{
  app_download_part_show (data, g_variant_get_string (parameter, NULL));
}

static void
begin (AppPart *part)
{
  static const GActionEntry entries[] = {
    { "download-model", download_model },
    { "download-named", download_named, "s" },
  };
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
