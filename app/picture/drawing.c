/* SPDX-License-Identifier: MIT */
#include "app/picture/drawing.h"

#include "engine/base/error.h"
#include "ui/scene/steps/steps-way.h"
#include "ui/scene/views/comparison.h"

/* Numbers from which on a scene takes longer to build than a frame may wait. */
#define HEAVY (1 << 20)
/* Work that is done sooner shows no progress. */
#define PROGRESS_DELAY_US 500000

/* All but the end is set before the thread starts. */
struct _AppDrawing {
  const AppDrawingClass *klass;
  gpointer        owner;
  AppJob         *job;      /* NULL once it has ended */
  EngTrace       *trace;
  EngTrace       *second;   /* nullable */
  UiDocument     *document; /* fitted to the traces */
  UiSceneOptions  options;
  gint64          started;  /* µs */
  gboolean        is_unwanted;
  AppBuilt       *built;    /* at the end; NULL = it failed */
  GError         *error;
};

void
app_built_free (AppBuilt *self)
{
  g_clear_pointer (&self->scene, ui_scene_unref);
  g_clear_error (&self->refusal);
  g_free (self);
}

AppBuilt *
app_built_new (EngTrace              *trace,
               EngTrace              *second,
               const UiDocument      *fitted,
               const UiSceneOptions  *options,
               GError               **error)
{
  g_autoptr (GError) refusal = NULL;
  UiScene *scene = ui_comparison_new (trace, second, fitted, options, &refusal);
  AppBuilt *built;

  if (scene == NULL && second != NULL
      && !g_error_matches (refusal, ENG_ERROR, ENG_ERROR_CANCELLED))
    scene = ui_comparison_new (trace, NULL, fitted, options, error);
  else if (scene == NULL)
    g_propagate_error (error, g_steal_pointer (&refusal));
  if (scene == NULL)
    return NULL;

  built = g_new (AppBuilt, 1);
  *built = (AppBuilt) { scene, g_steal_pointer (&refusal) };
  return built;
}

gboolean
app_drawing_is_heavy (EngTrace         *trace,
                      EngTrace         *second,
                      const UiDocument *fitted,
                      const UiScene    *before)
{
  if (ui_view_get (fitted->view)->has_steps
      && (before == NULL || !ui_steps_way_is_of (before, trace, fitted)))
    return TRUE;
  return ui_comparison_count (trace, second, fitted) >= HEAVY;
}

static gpointer
run (AppJob    *job,
     gpointer   data,
     GError   **error)
{
  const AppDrawing *self = data;
  const UiWatch watch = { app_job_get_cancel (job), app_job_report_parts, job };
  UiSceneOptions options = self->options;

  options.watch = &watch;
  return app_built_new (self->trace, self->second, self->document, &options, error);
}

static void
progress_cb (const AppProgress *progress,
             gpointer           owner)
{
  AppDrawing *self = owner;

  if (!self->is_unwanted && g_get_monotonic_time () - self->started > PROGRESS_DELAY_US)
    self->klass->progress (ui_view_get (self->document->view)->has_steps ? "Working out the steps"
                           : self->document->measure == ENG_MEASURE_ROLLOUT
                           ? "Rolling the layers out" : "Putting the layers together",
                           progress->fraction, self->owner);
}

static void
done_cb (AppJob       *job,
         gpointer      result,
         const GError *error,
         gpointer      owner)
{
  AppDrawing *self = owner;

  g_clear_pointer (&self->job, app_job_stop);
  self->built = result;
  self->error = error != NULL ? g_error_copy (error) : NULL;
  self->klass->progress (NULL, 1, self->owner);
  self->klass->done (self->owner);
}

AppDrawing *
app_drawing_start (EngTrace              *trace,
                   EngTrace              *second,
                   const UiDocument      *fitted,
                   const UiSceneOptions  *options,
                   const AppDrawingClass *klass,
                   gpointer               owner)
{
  static const AppJobClass job_class = {
    .run = run,
    .progress = progress_cb,
    .done = done_cb,
    .free_result = (GDestroyNotify) app_built_free,
  };
  AppDrawing *self = g_new0 (AppDrawing, 1);

  self->klass = klass;
  self->owner = owner;
  self->trace = eng_trace_ref (trace);
  self->second = second != NULL ? eng_trace_ref (second) : NULL;
  self->document = ui_document_copy (fitted);
  self->started = g_get_monotonic_time ();
  self->options = *options;
  if (self->options.before != NULL)
    ui_scene_ref (self->options.before);
  self->job = app_job_start (&job_class, self, self);

  return self;
}

void
app_drawing_free (AppDrawing *self)
{
  g_clear_pointer (&self->job, app_job_stop);
  eng_trace_unref (self->trace);
  g_clear_pointer (&self->second, eng_trace_unref);
  ui_document_free (self->document);
  g_clear_pointer (&self->options.before, ui_scene_unref);
  g_clear_pointer (&self->built, app_built_free);
  g_clear_error (&self->error);
  g_free (self);
}

void
app_drawing_leave (AppDrawing *self)
{
  self->is_unwanted = TRUE;
  if (self->job != NULL)
    app_job_cancel (self->job);
  self->klass->progress (NULL, 1, self->owner);
}

gboolean
app_drawing_is_running (const AppDrawing *self)
{
  return self->job != NULL;
}

gboolean
app_drawing_is_of (const AppDrawing *self,
                   EngTrace         *trace,
                   EngTrace         *second,
                   const UiDocument *fitted)
{
  return !self->is_unwanted && self->trace == trace && self->second == second
         && ui_document_equal (self->document, fitted);
}

const UiSceneOptions *
app_drawing_get_options (const AppDrawing *self)
{
  return &self->options;
}

AppBuilt *
app_drawing_take (AppDrawing  *self,
                  GError     **error)
{
  if (self->built == NULL)
    g_propagate_error (error, g_steal_pointer (&self->error));

  return g_steal_pointer (&self->built);
}
