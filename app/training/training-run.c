/* SPDX-License-Identifier: MIT */
#include "app/training/card.h"
#include "app/training/training-private.h"

#include <math.h>

/* A save begins so long after the one before: with the save itself and a step in between, less than
 * a minute is lost. */
#define SAVE_SECONDS 45
/* Where somebody looks on: so long at least, and so many times what a save takes. */
#define OFTEN_SECONDS 2
#define OFTEN_SHARE 20
/* How many steps fit into the minutes the first of a process show: so many, over so much of the
 * time that is left or so many seconds. A part of the time is for asking and saving. */
#define PACE_STEPS 20
#define PACE_TIME 0.05
#define PACE_SECONDS 10
#define PACE_SHARE 0.95
/* Of a step in the running means of time, tokens and words. */
#define NEW_SHARE 0.05

/* Points of the curve: by the number of the step, so that the same recipe has the same. */
static gboolean
is_point (gint64 step)
{
  if (step > 1000)
    return step % 100 == 0;

  return step <= 10 || step % 10 == 0;
}

/* Those where what was held out is asked. */
static gboolean
is_asked (gint64 step)
{
  return step % (step > 1000 ? 500 : 100) == 0;
}

static double
get_seconds (const AppTraining *self)
{
  return self->before + (double) (g_get_monotonic_time () - self->begun) / G_USEC_PER_SEC;
}

static gboolean
is_over (const AppTraining *self)
{
  const AppRecipe *recipe = self->record->recipe;

  return (recipe->steps > 0 && self->step >= recipe->steps) ||
         (recipe->minutes > 0 && get_seconds (self) >= recipe->minutes * 60);
}

static double
estimate_left (const AppTraining *self)
{
  const AppRecipe *recipe = self->record->recipe;
  double left = recipe->minutes > 0 ? MAX (recipe->minutes * 60 - get_seconds (self), 0) : -1;
  double by_steps = (double) (recipe->steps - self->step) * self->step_seconds;

  if (recipe->steps == 0 || self->n_here == 0)
    return left;

  return left < 0 ? by_steps : MIN (left, by_steps);
}

static void
tell (AppTraining            *self,
      const AppTrainingPoint *point,
      gboolean                in_curve,
      AppTrainingFunc         report,
      gpointer                data)
{
  AppTrainingReport said = {
    .point = *point,
    .in_curve = in_curve,
    .pass = self->pass,
    .words_per_second = self->n_here > 0 ? self->step_words / self->step_seconds : 0,
    .tokens_per_second = self->n_here > 0 ? self->step_tokens / self->step_seconds : 0,
    .seconds = get_seconds (self),
    .seconds_left = estimate_left (self),
    .saved_step = self->saved_step,
    .end = self->record->recipe->steps,
    .kept = self->kept_changed ? self->kept : NULL,
  };

  self->kept_changed = FALSE;
  if (report)
    report (&said, data);
}

static AppTrainingPoint
make_point (const AppTraining *self)
{
  const AppTrainingSums *sums = &self->record->sums;

  return (AppTrainingPoint) {
    .step = self->step,
    .loss = sums->n_labels > 0 ? sums->loss / (double) sums->n_labels : NAN,
    .held_out = NAN,
    .rate = sums->rate,
    .norm = sums->norm,
  };
}

static gboolean
has_point (const AppTraining *self)
{
  const GArray *curve = self->record->curve;

  return curve->len > 0 &&
         g_array_index (curve, AppTrainingPoint, curve->len - 1).step == self->step;
}

/* Adds the point of the step that was reached to the curve. */
static gboolean
add_point (AppTraining      *self,
           const gint       *cancel,
           AppTrainingFunc   report,
           gpointer          data,
           GError          **error)
{
  AppTrainingPoint point = make_point (self);

  if ((is_asked (self->step) || is_over (self)) &&
      !eng_trainer_evaluate (self->trainer, cancel, &point.held_out, error))
    return FALSE;
  g_array_append_val (self->record->curve, point);
  self->record->sums = (AppTrainingSums) { .step = self->step };
  tell (self, &point, TRUE, report, data);

  return TRUE;
}

/* What the folder has, before what went wrong. */
static void
say_stopped (const AppTraining  *self,
             GError            **error)
{
  if (self->saved_step >= 0)
    g_prefix_error (error, "the training stopped at step %" G_GINT64_FORMAT ", the folder has "
                    "step %" G_GINT64_FORMAT ": ", self->step, self->saved_step);
}

static gboolean
save (AppTraining  *self,
      GError      **error)
{
  gint64 begun = g_get_monotonic_time ();

  /* The record first: what is behind the step of the state is left out when it is opened. */
  self->record->seconds = get_seconds (self);
  if (!app_training_record_save (self->record, self->folder, error) ||
      !eng_trainer_save (self->trainer, self->folder, error) ||
      !app_training_write_card (self, error)) {
    say_stopped (self, error);
    return FALSE;
  }
  app_training_record_catch_up (self->record);
  self->saved_step = self->step;
  self->saved_at = g_get_monotonic_time ();
  self->save_seconds = (double) (self->saved_at - begun) / G_USEC_PER_SEC;

  return TRUE;
}

/* Where minutes alone were asked for. */
static void
find_end (AppTraining *self)
{
  AppRecipe *recipe = self->record->recipe;
  double seconds = get_seconds (self), left = recipe->minutes * 60 - self->before;
  EngSchedule schedule;

  if (recipe->steps > 0 || self->n_here < PACE_STEPS ||
      seconds - self->before < MIN (left * PACE_TIME, PACE_SECONDS))
    return;
  left = (recipe->minutes * 60 - seconds) * PACE_SHARE / self->step_seconds;
  app_recipe_set_steps (recipe, self->step + MAX ((gint64) left, 1));
  schedule = app_recipe_get_schedule (recipe);
  eng_trainer_set_schedule (self->trainer, &schedule);
}

/* The mean of the first steps, then a running one. */
static void
mix (double *mean,
     double  value,
     gint64  n)
{
  *mean += (value - *mean) * MAX (NEW_SHARE, 1.0 / (double) n);
}

static void
count_step (AppTraining              *self,
            const EngTrainerProgress *progress,
            double                    seconds)
{
  AppTrainingSums *sums = &self->record->sums;

  self->step = progress->step;
  self->pass = progress->pass;
  self->n_here++;
  mix (&self->step_seconds, seconds, self->n_here);
  mix (&self->step_tokens, (double) progress->n_tokens, self->n_here);
  mix (&self->step_words, (double) progress->n_words, self->n_here);
  sums->step = progress->step;
  sums->loss += progress->loss * progress->n_labels;
  sums->n_labels += progress->n_labels;
  sums->rate = progress->rate;
  sums->norm = progress->norm;
  find_end (self);
}

static gboolean
take_step (AppTraining      *self,
           const gint       *cancel,
           AppTrainingFunc   report,
           gpointer          data,
           GError          **error)
{
  gint64 begun = g_get_monotonic_time ();
  EngTrainerProgress progress;

  if (!eng_trainer_step (self->trainer, cancel, &progress, error))
    return FALSE;
  count_step (self, &progress, (double) (g_get_monotonic_time () - begun) / G_USEC_PER_SEC);
  if (!is_point (self->step)) {
    AppTrainingPoint point = make_point (self);

    tell (self, &point, FALSE, report, data);
  }

  return TRUE;
}

static gboolean
is_save_due (const AppTraining *self)
{
  double pause = SAVE_SECONDS;

  if (self->saves_often)
    pause = CLAMP (self->save_seconds * OFTEN_SHARE, OFTEN_SECONDS, SAVE_SECONDS);

  return (double) (g_get_monotonic_time () - self->saved_at) >= pause * G_USEC_PER_SEC;
}

static gboolean
take_steps (AppTraining      *self,
            const gint       *cancel,
            AppTrainingFunc   report,
            gpointer          data,
            GError          **error)
{
  for (;;) {
    gboolean over = is_over (self);

    /* One that went on may have stopped before it had its point. */
    if ((over || is_point (self->step)) && !has_point (self) &&
        !add_point (self, cancel, report, data, error))
      return FALSE;
    if (over)
      return TRUE;
    if (!app_training_keep_due (self, error)) {
      say_stopped (self, error);
      return FALSE;
    }
    if (is_save_due (self) && !save (self, error))
      return FALSE;
    if (!take_step (self, cancel, report, data, error))
      return FALSE;
  }
}

gboolean
app_training_run (AppTraining      *self,
                  const gint       *cancel,
                  AppTrainingFunc   report,
                  gpointer          data,
                  GError          **error)
{
  g_autoptr (GError) stopped = NULL;

  self->begun = g_get_monotonic_time ();
  self->saved_at = self->begun;
  /* A disk without room is found before there is anything to lose. */
  if (self->saved_step < 0 && !save (self, error))
    return FALSE;
  if (take_steps (self, cancel, report, data, &stopped))
    return save (self, error);
  if (g_error_matches (stopped, ENG_ERROR, ENG_ERROR_CANCELLED) && !save (self, error))
    return FALSE;
  g_propagate_error (error, g_steal_pointer (&stopped));

  return FALSE;
}
