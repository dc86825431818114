/* SPDX-License-Identifier: MIT */
#include "app/picture/picture-private.h"

#include "ui/document/fit.h"
#include "ui/scene/model/model-facts.h"

/* A pass that is done sooner replaces the grid at once, a longer one fills it in such steps. */
#define GROWTH_MS 120

G_DEFINE_FINAL_TYPE (AppPicture, app_picture, G_TYPE_OBJECT)

enum { CHANGED, PROGRESS, N_SIGNALS };

static guint signals[N_SIGNALS];

void
app_picture_tell (AppPicture *self)
{
  if (self->view != NULL)
    g_signal_emit (self, signals[CHANGED], 0);
}

static void
progress_cb (const char *title,
             double      fraction,
             gpointer    owner)
{
  g_signal_emit (owner, signals[PROGRESS], 0, title, fraction);
}

/* Shown by the next update, unless something else is wanted by now. */
static void
done_cb (gpointer owner)
{
  AppPicture *self = owner;

  app_picture_tell (self);
  if (self->drawing != NULL && !app_drawing_is_running (self->drawing))
    g_clear_pointer (&self->drawing, app_drawing_free);
}

static const AppDrawingClass drawing_class = { .progress = progress_cb, .done = done_cb };

static void
set_wanted (AppPicture       *self,
            const UiDocument *wanted)
{
  UiDocument *copy = wanted != NULL ? ui_document_copy (wanted) : NULL;

  g_clear_pointer (&self->wanted, ui_document_free);
  self->wanted = copy;
}

/* What is shown is wanted. */
static void
leave_drawing (AppPicture *self)
{
  if (self->drawing != NULL && app_drawing_is_running (self->drawing))
    app_drawing_leave (self->drawing);
  else
    g_clear_pointer (&self->drawing, app_drawing_free);
  set_wanted (self, NULL);
}

/* From the first layer of a trace on it is counted how long the grid has stood as it is. */
static void
follow_growth (AppPicture *self,
               EngTrace   *trace)
{
  if (self->growing_trace == trace)
    return;
  self->growing_trace = trace;
  self->grown_at = g_get_monotonic_time ();
}

/* Whether a grid that is still filled is worth drawing now. */
static gboolean
is_growth_due (const AppPicture *self)
{
  return self->shown == NULL || !ui_view_get (self->shown->view)->has_all_heads
         || g_get_monotonic_time () - self->grown_at >= GROWTH_MS * 1000;
}

/* Whether something of what is compared was put aside. */
static gboolean
lacks_comparison (const UiDocument *document,
                  const UiDocument *fitted)
{
  return fitted->compare != document->compare || fitted->panels.n != document->panels.n
         || fitted->compare_layer_set != document->compare_layer_set
         || (fitted->compare_layer_set && fitted->compare_layer != document->compare_layer);
}

/* Whether layers that are still being computed belong to what is to be drawn. */
static gboolean
needs_more_layers (const AppPicture *self,
                   const UiDocument *fitted)
{
  const UiDocument *document = app_study_get_document (self->study);

  if (ui_view_get (fitted->view)->has_steps)
    return TRUE;
  if (ui_view_get (fitted->view)->has_all_heads)
    return !is_growth_due (self);
  return fitted->layer != document->layer || fitted->measure != document->measure
         || fitted->layers != UI_AGGREGATE_EACH || lacks_comparison (document, fitted);
}

/* What names what heads read is left out while a person is asked for that. */
static gboolean
is_order_held_back (AppPicture *self,
                    EngTrace   *trace,
                    UiOrder     order)
{
  return app_picture_is_asked (self)
         && (self->asked == NULL || ui_fit_get_order (self->asked, trace) != order);
}

/* The order of a person, else the window's; it stands in what is written of the picture, too. What
 * was measured of the heads may not be there yet: until then they stand in the order of layers. */
static void
fit_order (AppPicture *self,
           EngTrace   *trace,
           UiDocument *fitted)
{
  const UiOrder order = ui_fit_get_order (fitted, trace);

  fitted->order_set |= order != UI_ORDER_LAYER;
  fitted->order = order;
  if (is_order_held_back (self, trace, order)
      || (app_picture_sorts_heads (fitted, trace)
          && (self->sorted_trace != trace || self->sorted_kind != fitted->kind)))
    fitted->order = UI_ORDER_LAYER;
}

/* Until layers of another model can be drawn, window and controls are those of the picture that is
 * on show. */
static gboolean
gate (EngTrace *trace,
      gpointer  data)
{
  AppPicture *self = data;
  g_autoptr (UiDocument) fitted = NULL;
  g_autofree char *misfit = NULL;

  follow_growth (self, trace);
  if (self->shown == NULL)
    return TRUE;
  fitted = ui_fit_document (app_study_get_document (self->study), trace, NULL, &misfit);
  return fitted->layer >= 0 && !needs_more_layers (self, fitted);
}

/* While a pass runs, each layer is an answer; most of them change nothing that is drawn. */
static gboolean
is_drawn (AppPicture       *self,
          EngTrace         *trace,
          EngTrace         *second,
          const UiDocument *fitted)
{
  UiScene *scene = ui_scene_view_get_scene (self->view);

  return scene != NULL && ui_scene_get_trace (scene) == trace && second == self->second
         && ui_document_equal (fitted, self->shown)
         && !(ui_view_get (fitted->view)->has_all_heads && ui_model_has_grown (scene));
}

static void
keep_shown (AppPicture       *self,
            EngTrace         *second,
            const UiDocument *fitted)
{
  UiDocument *shown = ui_document_copy (fitted);

  if (second != NULL)
    eng_trace_ref (second);
  g_clear_pointer (&self->second, eng_trace_unref);
  self->second = second;
  g_clear_pointer (&self->shown, ui_document_free);
  self->shown = shown;
}

/* Takes built over; NULL with *error set: why there is none. */
static gboolean
show (AppPicture           *self,
      AppBuilt             *built,
      EngTrace             *second,
      const UiDocument     *fitted,
      const UiSceneOptions *options)
{
  if (built == NULL)
    return FALSE;

  ui_scene_view_show_scene (self->view, built->scene, app_study_get_trace (self->study), fitted,
                            options);
  g_free (self->undrawn);
  self->undrawn = built->refusal != NULL ? g_strdup (built->refusal->message) : NULL;
  keep_shown (self, second, fitted);
  app_picture_show_clicked (self);
  app_built_free (built);
  return TRUE;
}

/* What a scene for the view is built with now. */
static void
get_options (AppPicture     *self,
             UiSceneOptions *options)
{
  ui_scene_view_get_options (self->view, options);
  options->before = ui_scene_view_get_scene (self->view);
}

static gboolean
draw_here (AppPicture       *self,
           EngTrace         *trace,
           EngTrace         *second,
           const UiDocument *fitted)
{
  UiSceneOptions options;
  AppBuilt *built;

  get_options (self, &options);
  built = app_built_new (trace, second, fitted, &options, &self->error);
  return show (self, built, second, fitted, &options);
}

static gboolean
take_drawing (AppPicture       *self,
              EngTrace         *second,
              const UiDocument *fitted)
{
  AppDrawing *drawing = g_steal_pointer (&self->drawing);
  AppBuilt *built = app_drawing_take (drawing, &self->error);
  gboolean is_shown = show (self, built, second, fitted, app_drawing_get_options (drawing));

  app_drawing_free (drawing);
  return is_shown;
}

static gboolean
is_drawing_of (AppPicture       *self,
               EngTrace         *trace,
               EngTrace         *second,
               const UiDocument *fitted)
{
  return self->drawing != NULL && app_drawing_is_of (self->drawing, trace, second, fitted);
}

/* Whether it would be shown at once, because it was drawn beside the window. */
static gboolean
has_drawing (AppPicture       *self,
             EngTrace         *trace,
             EngTrace         *second,
             const UiDocument *fitted)
{
  return is_drawing_of (self, trace, second, fitted) && !app_drawing_is_running (self->drawing);
}

/* FALSE while the picture before it stays. */
static gboolean
draw (AppPicture       *self,
      EngTrace         *trace,
      EngTrace         *second,
      const UiDocument *fitted)
{
  UiSceneOptions options;

  g_clear_error (&self->error);
  if (is_drawn (self, trace, second, fitted)) {
    leave_drawing (self);
    return TRUE;
  }
  if (has_drawing (self, trace, second, fitted)) {
    set_wanted (self, NULL);
    return take_drawing (self, second, fitted);
  }
  if (is_drawing_of (self, trace, second, fitted))
    return FALSE;

  leave_drawing (self);
  if (!app_drawing_is_heavy (trace, second, fitted, ui_scene_view_get_scene (self->view)))
    return draw_here (self, trace, second, fitted);
  /* What is not wanted any more ends first: there is never more than one thread. */
  get_options (self, &options);
  if (self->drawing == NULL)
    self->drawing = app_drawing_start (trace, second, fitted, &options, &drawing_class, self);
  set_wanted (self, fitted);
  return FALSE;
}

void
app_picture_update (AppPicture *self)
{
  const UiDocument *document = app_study_get_document (self->study);
  EngTrace *trace = app_study_get_trace (self->study);
  EngTrace *second;
  g_autoptr (UiDocument) fitted = NULL;

  if (trace == NULL || self->view == NULL)
    return;

  second = ui_document_has_second_side (document) ? app_study_get_second (self->study) : NULL;
  g_clear_pointer (&self->misfit, g_free);
  fitted = ui_fit_document (document, trace, second, &self->misfit);
  fit_order (self, trace, fitted);
  if (self->misfit != NULL || !ui_document_has_second_side (fitted))
    second = NULL;

  self->is_current = FALSE;
  follow_growth (self, trace);
  /* A layer that is still being computed: the next answer brings it. */
  if (!has_drawing (self, trace, second, fitted)
      && (fitted->layer < 0
          || (!app_study_is_complete (self->study) && needs_more_layers (self, fitted))))
    return;
  if (!draw (self, trace, second, fitted))
    return;

  self->is_current = TRUE;
  self->grown_at = g_get_monotonic_time ();
  g_clear_pointer (&self->drawn, ui_document_free);
  self->drawn = ui_document_copy (document);
  app_picture_measure_changes (self);
}

gboolean
app_picture_cancel (AppPicture *self)
{
  if (self->wanted == NULL || self->drawn == NULL)
    return FALSE;

  leave_drawing (self);
  app_study_change (self->study, ui_document_copy (self->drawn));
  return TRUE;
}

UiSceneView *
app_picture_get_view (AppPicture *self)
{
  return self->view;
}

UiScene *
app_picture_get_scene (AppPicture *self)
{
  return self->view != NULL ? ui_scene_view_get_scene (self->view) : NULL;
}

const UiDocument *
app_picture_get_shown (AppPicture *self)
{
  return self->shown;
}

const UiDocument *
app_picture_get_wanted (AppPicture *self)
{
  return self->wanted;
}

const UiDocument *
app_picture_get_newest (AppPicture *self)
{
  return self->wanted != NULL ? self->wanted : self->shown;
}

gboolean
app_picture_is_current (AppPicture *self)
{
  return self->is_current;
}

gboolean
app_picture_is_settled (AppPicture *self)
{
  return app_study_is_settled (self->study) && self->wanted == NULL;
}

EngTrace *
app_picture_get_second (AppPicture *self)
{
  return self->second;
}

const char *
app_picture_get_misfit (AppPicture *self)
{
  return self->misfit != NULL ? self->misfit : self->undrawn;
}

gboolean
app_picture_has_sides (AppPicture *self)
{
  return self->second != NULL && self->undrawn == NULL;
}

const GError *
app_picture_get_error (AppPicture *self)
{
  return self->error;
}

gboolean
app_picture_sorts_heads (const UiDocument *document,
                         EngTrace         *trace)
{
  return ui_view_get (document->view)->has_all_heads
         && ui_fit_get_order (document, trace) != UI_ORDER_LAYER
         && document->measure != ENG_MEASURE_ROLLOUT;
}

void
app_picture_allow_order (AppPicture *self,
                         EngTrace   *trace,
                         EngKind     kind)
{
  eng_trace_ref (trace);
  g_clear_pointer (&self->sorted_trace, eng_trace_unref);
  self->sorted_trace = trace;
  self->sorted_kind = kind;
}

/* A trace keeps its model in memory. */
static void
study_changed_cb (AppPicture     *self,
                  AppStudyChange  what)
{
  if ((what & APP_STUDY_TRACE) != 0 && self->sorted_trace != app_study_get_trace (self->study))
    g_clear_pointer (&self->sorted_trace, eng_trace_unref);
}

void
app_picture_close (AppPicture *self)
{
  if (self->view == NULL)
    return;

  app_study_set_gate (self->study, NULL, NULL);
  app_picture_end_pick (self, self->pick.klass);
  app_picture_end_zoom (self);
  app_picture_end_changes (self);
  self->view = NULL;
  g_clear_pointer (&self->drawing, app_drawing_free);
  g_clear_pointer (&self->wanted, ui_document_free);
  g_clear_pointer (&self->drawn, ui_document_free);
  g_clear_pointer (&self->shown, ui_document_free);
  g_clear_pointer (&self->second, eng_trace_unref);
  g_clear_pointer (&self->sorted_trace, eng_trace_unref);
  g_clear_pointer (&self->misfit, g_free);
  g_clear_pointer (&self->undrawn, g_free);
  g_clear_pointer (&self->words, g_free);
  g_clear_pointer (&self->asked, ui_document_free);
  g_clear_error (&self->error);
}

static void
app_picture_dispose (GObject *object)
{
  AppPicture *self = APP_PICTURE (object);

  app_picture_close (self);
  g_clear_object (&self->study);

  G_OBJECT_CLASS (app_picture_parent_class)->dispose (object);
}

static void
app_picture_class_init (AppPictureClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = app_picture_dispose;

  signals[CHANGED] = g_signal_new ("changed", APP_TYPE_PICTURE, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);
  signals[PROGRESS] = g_signal_new ("progress", APP_TYPE_PICTURE, G_SIGNAL_RUN_LAST, 0, NULL,
                                    NULL, NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_DOUBLE);
}

static void
app_picture_init (AppPicture *self)
{
}

AppPicture *
app_picture_new (AppStudy    *study,
                 UiSceneView *view)
{
  AppPicture *self = g_object_new (APP_TYPE_PICTURE, NULL);

  self->study = g_object_ref (study);
  self->view = view;
  app_study_set_gate (study, gate, self);
  g_signal_connect_object (study, "changed", G_CALLBACK (study_changed_cb), self,
                           G_CONNECT_SWAPPED);

  return self;
}
