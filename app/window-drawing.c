/* SPDX-License-Identifier: MIT */
/* Scenes of long texts, of rollouts and of many layers are built beside the window. Until one is
 * there the picture before it stays. Only the latest is wanted: a choice that comes meanwhile
 * cancels, and so does Escape, which takes the choice back. */
#include "app/window-private.h"

#include "engine/error.h"
#include "ui/scene/comparison.h"

/* Numbers from which on a scene takes longer to build than a frame may wait. */
#define HEAVY (1 << 20)
/* Work that is done sooner shows no progress. */
#define PROGRESS_DELAY_US 500000

typedef struct {
  UiScene *scene;
  GError  *refusal; /* why the second side is not in it; NULL = it is, or there is none */
} Built;

/* All but the end is set before the thread starts. */
struct _AppDrawing {
  AppJob         *job;      /* NULL once it has ended */
  EngTrace       *trace;
  EngTrace       *second;   /* nullable */
  UiDocument     *document; /* fitted to the traces */
  UiSceneOptions  options;
  gint64          started;  /* µs */
  gboolean        is_unwanted;
  Built          *built;    /* at the end; NULL = it failed */
  GError         *error;
};

static void
built_free (gpointer data)
{
  Built *self = data;

  g_clear_pointer (&self->scene, ui_scene_unref);
  g_clear_error (&self->refusal);
  g_free (self);
}

static void
drawing_free (AppDrawing *self)
{
  g_clear_pointer (&self->job, app_job_stop);
  eng_trace_unref (self->trace);
  g_clear_pointer (&self->second, eng_trace_unref);
  ui_document_free (self->document);
  g_clear_pointer (&self->built, built_free);
  g_clear_error (&self->error);
  g_free (self);
}

/* Any thread. What cannot stand beside the first side leaves that alone. */
static Built *
build (EngTrace              *trace,
       EngTrace              *second,
       const UiDocument      *document,
       const UiSceneOptions  *options,
       GError               **error)
{
  g_autoptr (GError) refusal = NULL;
  UiScene *scene = ui_comparison_new (trace, second, document, options, &refusal);
  Built *built;

  if (scene == NULL && second != NULL
      && !g_error_matches (refusal, ENG_ERROR, ENG_ERROR_CANCELLED))
    scene = ui_comparison_new (trace, NULL, document, options, error);
  else if (scene == NULL)
    g_propagate_error (error, g_steal_pointer (&refusal));
  if (scene == NULL)
    return NULL;

  built = g_new (Built, 1);
  *built = (Built) { scene, g_steal_pointer (&refusal) };
  return built;
}

static void
report (int      done,
        int      n,
        gpointer job)
{
  app_job_report (job, done / (double) n, NULL);
}

static gpointer
run (AppJob    *job,
     gpointer   data,
     GError   **error)
{
  const AppDrawing *self = data;
  const UiWatch watch = { app_job_get_cancel (job), report, job };
  UiSceneOptions options = self->options;

  options.watch = &watch;
  return build (self->trace, self->second, self->document, &options, error);
}

static void
drawing_progress (AppJob     *job,
                  double      fraction,
                  const char *note,
                  gpointer    window)
{
  AppWindow *self = window;
  const AppDrawing *drawing = self->drawing;

  if (!drawing->is_unwanted && g_get_monotonic_time () - drawing->started > PROGRESS_DELAY_US)
    app_window_show_progress (self, drawing->document->measure == ENG_MEASURE_ROLLOUT
                                      ? "Rolling the layers out" : "Putting the layers together",
                              fraction);
}

/* Shown by the refresh, unless something else is wanted by now. */
static void
drawing_done (AppJob       *job,
              gpointer      result,
              const GError *error,
              gpointer      window)
{
  AppWindow *self = window;
  AppDrawing *drawing = self->drawing;

  g_clear_pointer (&drawing->job, app_job_stop);
  drawing->built = result;
  drawing->error = error != NULL ? g_error_copy (error) : NULL;
  app_window_hide_progress (self);
  if (drawing->is_unwanted)
    g_clear_pointer (&self->drawing, drawing_free);
  app_window_refresh (self);
  if (self->drawing != NULL && self->drawing->job == NULL)
    g_clear_pointer (&self->drawing, drawing_free);
}

static void
start (AppWindow        *self,
       EngTrace         *second,
       const UiDocument *fitted)
{
  static const AppJobClass klass = {
    .run = run,
    .progress = drawing_progress,
    .done = drawing_done,
    .free_result = built_free,
  };
  AppDrawing *drawing = g_new0 (AppDrawing, 1);

  drawing->trace = eng_trace_ref (self->trace);
  drawing->second = second != NULL ? eng_trace_ref (second) : NULL;
  drawing->document = ui_document_copy (fitted);
  drawing->started = g_get_monotonic_time ();
  ui_scene_view_get_options (self->scene_view, &drawing->options);
  self->drawing = drawing;
  drawing->job = app_job_start (&klass, drawing, self);
}

/* Of what is shown now, built with the options. */
static void
show (AppWindow            *self,
      const Built          *built,
      const UiDocument     *fitted,
      const UiSceneOptions *options)
{
  ui_scene_view_show_scene (self->scene_view, built->scene, self->trace, fitted, options);
  app_window_refuse_second (self, built->refusal);
}

static gboolean
draw_here (AppWindow         *self,
           EngTrace          *second,
           const UiDocument  *fitted,
           GError           **error)
{
  UiSceneOptions options;
  Built *built;

  ui_scene_view_get_options (self->scene_view, &options);
  built = build (self->trace, second, fitted, &options, error);
  if (built == NULL)
    return FALSE;

  show (self, built, fitted, &options);
  built_free (built);
  return TRUE;
}

static gboolean
take (AppWindow  *self,
      GError    **error)
{
  AppDrawing *drawing = g_steal_pointer (&self->drawing);
  const gboolean is_built = drawing->built != NULL;

  if (is_built)
    show (self, drawing->built, drawing->document, &drawing->options);
  else
    g_propagate_error (error, g_steal_pointer (&drawing->error));
  drawing_free (drawing);
  return is_built;
}

static gboolean
is_of (const AppDrawing *self,
       const AppWindow  *window,
       EngTrace         *second,
       const UiDocument *fitted)
{
  return self != NULL && !self->is_unwanted && self->trace == window->trace
         && self->second == second && ui_document_equal (self->document, fitted);
}

static void
set_wanted (AppWindow        *self,
            const UiDocument *wanted)
{
  UiDocument *copy = wanted != NULL ? ui_document_copy (wanted) : NULL;

  g_clear_pointer (&self->wanted, ui_document_free);
  self->wanted = copy;
  app_window_sync_spinner (self);
}

gboolean
app_window_has_drawing (AppWindow        *self,
                        EngTrace         *second,
                        const UiDocument *fitted)
{
  return is_of (self->drawing, self, second, fitted) && self->drawing->job == NULL;
}

AppDrawn
app_window_draw (AppWindow         *self,
                 EngTrace          *second,
                 const UiDocument  *fitted,
                 GError           **error)
{
  if (is_of (self->drawing, self, second, fitted) && self->drawing->job != NULL)
    return APP_DRAWN_LATER;
  if (app_window_has_drawing (self, second, fitted)) {
    set_wanted (self, NULL);
    return take (self, error) ? APP_DRAWN : APP_NOT_DRAWN;
  }

  app_window_leave_drawing (self);
  if (ui_comparison_count (self->trace, second, fitted) < HEAVY)
    return draw_here (self, second, fitted, error) ? APP_DRAWN : APP_NOT_DRAWN;
  /* What is not wanted any more ends first: there is never more than one thread. */
  if (self->drawing == NULL)
    start (self, second, fitted);
  set_wanted (self, fitted);
  return APP_DRAWN_LATER;
}

void
app_window_leave_drawing (AppWindow *self)
{
  AppDrawing *drawing = self->drawing;

  if (drawing != NULL && drawing->job != NULL) {
    app_job_cancel (drawing->job);
    drawing->is_unwanted = TRUE;
    app_window_hide_progress (self);
  } else {
    g_clear_pointer (&self->drawing, drawing_free);
  }
  set_wanted (self, NULL);
}

gboolean
app_window_cancel_drawing (AppWindow *self)
{
  if (self->wanted == NULL || self->drawn == NULL)
    return FALSE;

  app_window_leave_drawing (self);
  app_window_change (self, ui_document_copy (self->drawn));
  return TRUE;
}

void
app_window_end_drawing (AppWindow *self)
{
  g_clear_pointer (&self->drawing, drawing_free);
  g_clear_pointer (&self->wanted, ui_document_free);
  g_clear_pointer (&self->drawn, ui_document_free);
}
