/* SPDX-License-Identifier: MIT */
#include "app/training/training-job.h"

#include "app/run/job.h"
#include "app/training/kept.h"
#include "engine/kernels/pool.h"

/* What the thread shares with the main thread. */
typedef struct {
  char              *folder;
  AppRecipe         *recipe; /* NULL = the folder goes on */
  AppToy             toy;
  GMutex             lock;   /* over what follows */
  gboolean           begun;  /* curve and last are of this process */
  gboolean           anew;   /* curve is all of it */
  AppHeldOut         held_out;
  gint64             n_joined;
  GArray            *curve;  /* that was not taken yet */
  AppTrainingReport  last;
  GArray            *kept;   /* that was not taken yet; NULL = as before */
} Work;

struct _AppTrainingJob {
  char               *folder;
  AppTrainingJobFunc  func;
  gpointer            data;
  AppJob             *job;     /* NULL = none runs */
  Work               *work;    /* of the job, which owns it */
  AppTrainingNews     news;
  GArray             *curve;   /* that news shows */
  GArray             *kept;    /* that news shows */
  char               *problem; /* that news shows */
};

static void
work_free (gpointer data)
{
  Work *self = data;

  g_clear_pointer (&self->recipe, app_recipe_free);
  g_array_unref (self->curve);
  g_clear_pointer (&self->kept, g_array_unref);
  g_mutex_clear (&self->lock);
  g_free (self->folder);
  g_free (self);
}

/* What is held out, and what a training that goes on has learnt before. */
static void
tell_begun (Work              *self,
            const AppTraining *training)
{
  const GArray *before = app_training_get_curve (training);

  g_mutex_lock (&self->lock);
  self->anew = TRUE;
  self->held_out = app_training_get_held_out (training);
  self->n_joined = app_training_get_size (training).n_joined;
  g_array_append_vals (self->curve, before->data, before->len);
  g_mutex_unlock (&self->lock);
}

typedef struct {
  AppJob *job;
  Work   *work;
} Hearer;

static void
hear (const AppTrainingReport *report,
      gpointer                 data)
{
  const Hearer *self = data;

  g_mutex_lock (&self->work->lock);
  self->work->begun = TRUE;
  self->work->last = *report;
  if (report->in_curve)
    g_array_append_val (self->work->curve, report->point);
  if (report->kept) {
    g_clear_pointer (&self->work->kept, g_array_unref);
    self->work->kept = g_array_copy ((GArray *) report->kept);
  }
  g_mutex_unlock (&self->work->lock);
  app_job_report (&(AppProgress) { 0 }, self->job);
}

static gpointer
run (AppJob    *job,
     gpointer   data,
     GError   **error)
{
  Work *self = data;
  Hearer hearer = { job, self };
  g_autoptr (AppRecipe) no_changes = app_recipe_new ();
  g_autoptr (AppTraining) training = NULL;

  eng_pool_enter_background ();
  if (self->toy < APP_N_TOYS && !app_toy_write (self->toy, self->recipe, error))
    return NULL;
  training = self->recipe ? app_training_new (g_steal_pointer (&self->recipe), self->folder, error)
                          : app_training_resume (self->folder, no_changes, error);
  if (!training)
    return NULL;
  if (g_atomic_int_get (app_job_get_cancel (job)) != 0) {
    app_training_give_up (g_steal_pointer (&training));
    g_set_error_literal (error, ENG_ERROR, ENG_ERROR_CANCELLED, "cancelled");
    return NULL;
  }
  tell_begun (self, training);
  app_training_save_often (training);
  app_training_keep_states (training);
  if (app_training_run (training, app_job_get_cancel (job), hear, &hearer, error))
    return self;
  app_training_give_up (g_steal_pointer (&training));

  return NULL;
}

/* What the thread told since the last time. */
static void
take (AppTrainingJob *self)
{
  Work *work = self->work;

  g_mutex_lock (&work->lock);
  if (work->anew) {
    g_array_set_size (self->curve, 0);
    self->news.held_out = work->held_out;
    self->news.n_joined = work->n_joined;
  }
  work->anew = FALSE;
  g_array_append_vals (self->curve, work->curve->data, work->curve->len);
  g_array_set_size (work->curve, 0);
  if (work->begun)
    self->news.last = work->last;
  if (work->kept) {
    g_array_unref (self->kept);
    self->news.kept = self->kept = g_steal_pointer (&work->kept);
  }
  g_mutex_unlock (&work->lock);
}

static void
tell (AppTrainingJob   *self,
      AppTrainingState  state)
{
  self->news.state = state;
  self->func (&self->news, self->data);
}

static void
progress_cb (const AppProgress *progress,
             gpointer           owner)
{
  AppTrainingJob *self = owner;

  take (self);
  tell (self, self->news.state == APP_TRAINING_OPENING ? APP_TRAINING_RUNNING : self->news.state);
}

/* What the thread saved last is not in its last report. */
static void
done_cb (AppJob       *job,
         gpointer      result,
         const GError *error,
         gpointer      owner)
{
  AppTrainingJob *self = owner;
  gboolean is_paused = g_error_matches (error, ENG_ERROR, ENG_ERROR_CANCELLED);

  take (self);
  if (!error || is_paused)
    self->news.last.saved_step = self->news.last.point.step;
  else
    self->news.problem = self->problem = g_strdup (error->message);
  g_clear_pointer (&self->job, app_job_stop);
  self->work = NULL;
  tell (self, !error ? APP_TRAINING_DONE : is_paused ? APP_TRAINING_PAUSED : APP_TRAINING_FAILED);
}

static void
start (AppTrainingJob *self,
       AppRecipe      *recipe,
       AppToy          toy)
{
  static const AppJobClass klass = {
    .run = run,
    .progress = progress_cb,
    .done = done_cb,
    .free_data = work_free,
  };

  g_clear_pointer (&self->problem, g_free);
  self->news.problem = NULL;
  self->news.state = APP_TRAINING_OPENING;
  self->work = g_new0 (Work, 1);
  self->work->folder = g_strdup (self->folder);
  self->work->recipe = recipe;
  self->work->toy = toy;
  self->work->curve = g_array_new (FALSE, FALSE, sizeof (AppTrainingPoint));
  g_mutex_init (&self->work->lock);
  self->job = app_job_start (&klass, self->work, self);
}

/* Waits for nothing yet. Takes the curve over, and the steps that are kept. */
static AppTrainingJob *
new_idle (const char          *folder,
          GArray              *curve,
          GArray              *kept,
          AppTrainingJobFunc   func,
          gpointer             data)
{
  AppTrainingJob *self = g_new0 (AppTrainingJob, 1);

  self->folder = g_strdup (folder);
  self->curve = curve;
  self->kept = kept;
  self->func = func;
  self->data = data;
  self->news = (AppTrainingNews) {
    .state = APP_TRAINING_PAUSED, .folder = self->folder, .curve = curve, .kept = kept
  };

  return self;
}

AppTrainingJob *
app_training_job_new (AppRecipe          *recipe,
                      AppToy              toy,
                      const char         *folder,
                      AppTrainingJobFunc  func,
                      gpointer            data)
{
  GArray *curve = g_array_new (FALSE, FALSE, sizeof (AppTrainingPoint));
  GArray *kept = g_array_new (FALSE, FALSE, sizeof (gint64));
  AppTrainingJob *self = new_idle (folder, curve, kept, func, data);

  start (self, recipe, toy);

  return self;
}

/* A program that was ended may have kept states behind what it saved: who goes on makes them again. */
static void
leave_out_unsaved (AppTrainingJob *self)
{
  while (self->kept->len > 0
         && g_array_index (self->kept, gint64, self->kept->len - 1) > self->news.last.saved_step)
    g_array_set_size (self->kept, self->kept->len - 1);
}

AppTrainingJob *
app_training_job_new_paused (const char         *folder,
                             AppTrainingRecord  *record,
                             AppTrainingJobFunc  func,
                             gpointer            data)
{
  GArray *curve = g_array_ref (record->curve);
  AppTrainingJob *self = new_idle (folder, curve, app_kept_list (folder), func, data);

  self->news.last.end = record->recipe->steps;
  self->news.last.seconds = record->seconds;
  if (record->curve->len > 0)
    self->news.last.point = g_array_index (record->curve, AppTrainingPoint,
                                           record->curve->len - 1);
  if (record->sums.step > self->news.last.point.step)
    self->news.last.point.step = record->sums.step;
  self->news.last.saved_step = self->news.last.point.step;
  leave_out_unsaved (self);
  if (app_training_record_is_over (record))
    self->news.state = APP_TRAINING_DONE;
  app_training_record_free (record);

  return self;
}

void
app_training_job_free (AppTrainingJob *self)
{
  g_clear_pointer (&self->job, app_job_stop);
  g_array_unref (self->curve);
  g_array_unref (self->kept);
  g_free (self->folder);
  g_free (self->problem);
  g_free (self);
}

void
app_training_job_abandon (AppTrainingJob *self)
{
  g_clear_pointer (&self->job, app_job_leave);
  app_training_job_free (self);
}

void
app_training_job_pause (AppTrainingJob *self)
{
  if (!self->job)
    return;
  app_job_cancel (self->job);
  tell (self, APP_TRAINING_STOPPING);
}

void
app_training_job_go_on (AppTrainingJob *self)
{
  if (self->job)
    return;
  start (self, NULL, APP_N_TOYS);
  tell (self, APP_TRAINING_OPENING);
}

gboolean
app_training_job_is_busy (const AppTrainingJob *self)
{
  return self->job != NULL;
}

const AppTrainingNews *
app_training_job_get_news (const AppTrainingJob *self)
{
  return &self->news;
}
