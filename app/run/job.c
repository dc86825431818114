/* SPDX-License-Identifier: MIT */
#include "app/run/job.h"

#include "app/run/latest.h"

#define PROGRESS_PAUSE_US 50000

struct _AppJob {
  const AppJobClass *klass;
  gpointer           data;
  gpointer           owner;
  AppProgressFunc    watch;   /* NULL = nobody else */
  gpointer           watcher;
  gboolean           is_left; /* there is no owner any more */
  AppLatest         *news;    /* of News */
  GThread           *thread;
  gint               cancel;  /* atomic */
  GCancellable      *cancellable; /* cancelled with it */
};

/* How far it is, or what it ended in. */
typedef struct {
  const AppJobClass *klass;
  AppProgress        progress; /* owns its note */
  gboolean           is_done;
  gpointer           result;
  GError            *error;
} News;

static void
news_free (gpointer data)
{
  News *news = data;

  if (news->result != NULL && news->klass->free_result != NULL)
    news->klass->free_result (news->result);
  g_clear_error (&news->error);
  g_free ((gpointer) news->progress.note);
  g_free (news);
}

/* In the main context. The owner may stop the job in either callback, so nothing of it is touched
 * behind them. */
static void
tell (gpointer item,
      gpointer data)
{
  AppJob *self = data;
  News *news = item;

  if (!self->is_left && news->is_done) {
    self->klass->done (self, g_steal_pointer (&news->result), news->error, self->owner);
  } else if (!self->is_left) {
    if (self->watch != NULL)
      self->watch (&news->progress, self->watcher);
    if (self->klass->progress != NULL)
      self->klass->progress (&news->progress, self->owner);
  } else if (news->is_done)
    app_job_stop (self);
}

static gpointer
job_thread (gpointer data)
{
  AppJob *self = data;
  News *news = g_new0 (News, 1);

  news->klass = self->klass;
  news->is_done = TRUE;
  news->result = self->klass->run (self, self->data, &news->error);
  app_latest_put (self->news, news, FALSE);

  return NULL;
}

AppJob *
app_job_start (const AppJobClass *klass,
               gpointer           data,
               gpointer           owner)
{
  AppJob *self = g_new0 (AppJob, 1);

  self->klass = klass;
  self->data = data;
  self->owner = owner;
  self->news = app_latest_new (tell, self, news_free, PROGRESS_PAUSE_US);
  self->cancellable = g_cancellable_new ();
  self->thread = g_thread_new ("job", job_thread, self);

  return self;
}

void
app_job_watch (AppJob          *self,
               AppProgressFunc  watch,
               gpointer         data)
{
  self->watch = watch;
  self->watcher = data;
}

void
app_job_cancel (AppJob *self)
{
  g_atomic_int_set (&self->cancel, TRUE);
  g_cancellable_cancel (self->cancellable);
}

void
app_job_stop (AppJob *self)
{
  if (self == NULL)
    return;

  app_job_cancel (self);
  g_thread_join (self->thread);
  app_latest_free (self->news);
  if (self->klass->free_data != NULL)
    self->klass->free_data (self->data);
  g_object_unref (self->cancellable);
  g_free (self);
}

void
app_job_leave (AppJob *self)
{
  self->is_left = TRUE;
  app_job_cancel (self);
}

gint *
app_job_get_cancel (AppJob *self)
{
  return &self->cancel;
}

GCancellable *
app_job_get_cancellable (AppJob *self)
{
  return self->cancellable;
}

void
app_job_report (const AppProgress *progress,
                gpointer           job)
{
  AppJob *self = job;
  News *news = g_new0 (News, 1);

  news->klass = self->klass;
  news->progress = *progress;
  news->progress.note = g_strdup (progress->note);
  app_latest_put (self->news, news, TRUE);
}

void
app_job_report_parts (int      done,
                      int      n,
                      gpointer job)
{
  app_job_report (&(AppProgress) { .fraction = done / (double) n }, job);
}
