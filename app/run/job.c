/* SPDX-License-Identifier: MIT */
#include "app/run/job.h"

#define PROGRESS_INTERVAL_US 50000

struct _AppJob {
  const AppJobClass *klass;
  gpointer           data;
  gpointer           owner;
  AppJobWatch        watch;  /* NULL = nobody else */
  gpointer           watcher;
  GMainContext      *context;
  GThread           *thread;
  gint               cancel; /* atomic */

  GMutex             lock;   /* over the rest */
  GSource           *news;   /* set while something waits to be said */
  gint64             last_news;
  double             fraction;
  char              *note;
  gboolean           is_done;
  gpointer           result;
  GError            *error;
};

/* In the main context. The owner may stop the job in either callback, so nothing of it is touched
 * behind them. */
static gboolean
tell (gpointer data)
{
  AppJob *self = data;
  const AppJobClass *klass = self->klass;
  gpointer owner = self->owner;
  g_autofree char *note = NULL;
  g_autoptr (GError) error = NULL;
  gpointer result;
  gboolean is_done;
  double fraction;

  g_mutex_lock (&self->lock);
  g_clear_pointer (&self->news, g_source_unref);
  fraction = self->fraction;
  note = g_steal_pointer (&self->note);
  is_done = self->is_done;
  result = g_steal_pointer (&self->result);
  error = g_steal_pointer (&self->error);
  g_mutex_unlock (&self->lock);

  if (!is_done && self->watch != NULL)
    self->watch (self, fraction, note, self->watcher);
  if (is_done)
    klass->done (self, result, error, owner);
  else if (klass->progress != NULL)
    klass->progress (self, fraction, note, owner);

  return G_SOURCE_REMOVE;
}

/* With the lock held. */
static void
announce (AppJob *self,
          int     priority)
{
  if (self->news == NULL) {
    self->news = g_idle_source_new ();
    g_source_set_callback (self->news, tell, self, NULL);
    g_source_attach (self->news, self->context);
  }
  g_source_set_priority (self->news, priority);
}

static gpointer
job_thread (gpointer data)
{
  AppJob *self = data;
  GError *error = NULL;
  gpointer result = self->klass->run (self, self->data, &error);

  g_mutex_lock (&self->lock);
  self->is_done = TRUE;
  self->result = result;
  self->error = error;
  announce (self, G_PRIORITY_DEFAULT);
  g_mutex_unlock (&self->lock);

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
  self->context = g_main_context_ref_thread_default ();
  g_mutex_init (&self->lock);
  self->thread = g_thread_new ("job", job_thread, self);

  return self;
}

void
app_job_watch (AppJob      *self,
               AppJobWatch  watch,
               gpointer     data)
{
  self->watch = watch;
  self->watcher = data;
}

void
app_job_cancel (AppJob *self)
{
  g_atomic_int_set (&self->cancel, TRUE);
}

void
app_job_stop (AppJob *self)
{
  if (self == NULL)
    return;

  app_job_cancel (self);
  g_thread_join (self->thread);
  if (self->news != NULL) {
    g_source_destroy (self->news);
    g_source_unref (self->news);
  }
  if (self->result != NULL && self->klass->free_result != NULL)
    self->klass->free_result (self->result);
  if (self->klass->free_data != NULL)
    self->klass->free_data (self->data);
  g_clear_error (&self->error);
  g_free (self->note);
  g_main_context_unref (self->context);
  g_mutex_clear (&self->lock);
  g_free (self);
}

gint *
app_job_get_cancel (AppJob *self)
{
  return &self->cancel;
}

void
app_job_report (AppJob     *self,
                double      fraction,
                const char *note)
{
  gint64 now = g_get_monotonic_time ();

  g_mutex_lock (&self->lock);
  self->fraction = fraction;
  if (note != NULL) {
    g_free (self->note);
    self->note = g_strdup (note);
  }
  if (now - self->last_news >= PROGRESS_INTERVAL_US) {
    self->last_news = now;
    announce (self, G_PRIORITY_DEFAULT_IDLE);
  }
  g_mutex_unlock (&self->lock);
}
