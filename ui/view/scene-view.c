/* SPDX-License-Identifier: MIT */
#include "ui/view/scene-view-private.h"

#include <math.h>

#include "ui/scene/views/comparison.h"
#include "ui/scene/views/panels.h"
#include "ui/view/drawn-text.h"

#define FALLBACK_WIDTH 640
#define FALLBACK_HEIGHT 480
#define SCROLL_STEP 30
#define ROUNDING 0.01 /* px of a size: so much is nothing to scroll to */

enum {
  PROP_0,
  PROP_SCENE,
  PROP_ZOOM,
  N_OWN_PROPS,
  PROP_HADJUSTMENT = N_OWN_PROPS,
  PROP_VADJUSTMENT,
  PROP_HSCROLL_POLICY,
  PROP_VSCROLL_POLICY
};

static GParamSpec *properties[N_OWN_PROPS];

G_DEFINE_FINAL_TYPE_WITH_CODE (UiSceneView, ui_scene_view, GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_SCROLLABLE, NULL))

static double
get_scroll (UiSceneView    *self,
            GtkOrientation  orientation)
{
  const int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));

  if (self->adjustments[orientation] == NULL)
    return 0;

  /* Tiles lie on whole device pixels, or scrolling would blur them. */
  return round (gtk_adjustment_get_value (self->adjustments[orientation]) * scale) / scale;
}

double
ui_scene_view_get_header (UiSceneView *self)
{
  return ui_tile_cache_get_header (self->tiles);
}

double
ui_scene_view_get_left_band (UiSceneView *self)
{
  const double band = self->scene != NULL ? ui_scene_get_left_band (self->scene) : 0;
  const UiRect area = ui_scene_view_get_area (self);

  return area.x > 0 && 2 * band < area.width ? band : 0;
}

/* A drawing that is narrower than the widget stands in its middle. */
static double
get_margin (UiSceneView *self)
{
  const int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  double width = G_MAXDOUBLE;

  if (self->scene != NULL)
    ui_scene_get_size (self->scene, &width, NULL);
  return floor (MAX (gtk_widget_get_width (GTK_WIDGET (self)) - width, 0) / 2 * scale) / scale;
}

UiRect
ui_scene_view_get_area (UiSceneView *self)
{
  return (UiRect) {
    get_scroll (self, GTK_ORIENTATION_HORIZONTAL) - get_margin (self),
    get_scroll (self, GTK_ORIENTATION_VERTICAL),
    gtk_widget_get_width (GTK_WIDGET (self)),
    gtk_widget_get_height (GTK_WIDGET (self)),
  };
}

static UiSceneOptions
get_options (UiSceneView *self)
{
  const int width = gtk_widget_get_width (GTK_WIDGET (self));
  const int height = gtk_widget_get_height (GTK_WIDGET (self));

  return (UiSceneOptions) {
    .theme = self->theme,
    .width = width > 0 ? width : FALLBACK_WIDTH,
    .view_height = height > 0 ? height : FALLBACK_HEIGHT,
    .text_scale = ui_drawn_text_get_scale (GTK_WIDGET (self))
                  * ui_scene_view_get_magnification (self) * self->growth,
    .most_text = self->most_text * self->zoom,
    .zoom = self->zoom,
    .open_groups = self->open_groups,
    .screen = self->has_screens ? self->screen : 0,
    .holds_back = self->holds_back,
  };
}

static gboolean
is_same_place (const UiSceneOptions *a,
               const UiSceneOptions *b)
{
  return a->theme == b->theme && a->width == b->width && a->view_height == b->view_height &&
         a->text_scale == b->text_scale && a->zoom == b->zoom && a->screen == b->screen
         && a->most_text == b->most_text && a->open_groups == b->open_groups
         && a->holds_back == b->holds_back;
}

static void configure_adjustments (UiSceneView *self);

static gboolean
configure_cb (GtkWidget     *widget,
              GdkFrameClock *clock,
              gpointer       unused)
{
  UiSceneView *self = UI_SCENE_VIEW (widget);

  self->configure_tick = 0;
  configure_adjustments (self);
  return G_SOURCE_REMOVE;
}

/* A scrollbar that comes or goes asks for a layout, and GTK 4.8 forgets some of that while it lays
 * the window out: it then warns and draws nothing. So that waits for the next frame. */
static gboolean
must_wait (UiSceneView  *self,
           const double *uppers,
           const int    *sizes)
{
  for (int i = 0; i < 2 && self->is_allocating; i++) {
    GtkAdjustment *adjustment = self->adjustments[i];

    if (adjustment != NULL
        && (gtk_adjustment_get_upper (adjustment) > gtk_adjustment_get_page_size (adjustment))
           != (uppers[i] > sizes[i]))
      return TRUE;
  }
  return FALSE;
}

static void
configure_adjustments (UiSceneView *self)
{
  const int sizes[] = {
    gtk_widget_get_width (GTK_WIDGET (self)),
    gtk_widget_get_height (GTK_WIDGET (self)),
  };
  double uppers[2] = { 0, 0 };

  if (self->scene != NULL)
    ui_scene_get_size (self->scene, &uppers[0], &uppers[1]);
  for (int i = 0; i < 2; i++)
    uppers[i] = MAX (ceil (uppers[i] - ROUNDING), sizes[i]);
  if (must_wait (self, uppers, sizes)) {
    if (self->configure_tick == 0)
      self->configure_tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), configure_cb, NULL,
                                                           NULL);
    return;
  }

  for (int i = 0; i < 2; i++) {
    GtkAdjustment *adjustment = self->adjustments[i];

    if (adjustment != NULL)
      gtk_adjustment_configure (adjustment,
                                CLAMP (gtk_adjustment_get_value (adjustment), 0,
                                       uppers[i] - sizes[i]),
                                0,
                                uppers[i],
                                SCROLL_STEP,
                                0.9 * sizes[i],
                                sizes[i]);
  }
}

/* Puts a scene in place of the one that is drawn; takes it over. Cursor and hover stay where
 * they still exist; what another scene brings under a pointer at rest is not pointed at. */
static void
replace_scene (UiSceneView *self,
               UiScene     *scene)
{
  UiRect rect;

  g_clear_pointer (&self->scene, ui_scene_unref);
  self->scene = scene;
  self->built_width = gtk_widget_get_width (GTK_WIDGET (self));
  self->built_height = gtk_widget_get_height (GTK_WIDGET (self));
  ui_tile_cache_set_scene (self->tiles, scene, gtk_widget_get_scale_factor (GTK_WIDGET (self)),
                           self->zoom);
  self->quality = UI_TILES_MISSING;
  if (scene == NULL || !ui_scene_get_rect (scene, &self->cursor, &rect))
    self->cursor = (UiItem) { .type = UI_ITEM_NONE };
  if (scene == NULL || !ui_scene_get_rect (scene, &self->aim, &rect))
    self->aim = (UiItem) { .type = UI_ITEM_NONE };
  if (scene == NULL || !ui_scene_get_rect (scene, &self->rest, &rect))
    self->rest = (UiItem) { .type = UI_ITEM_NONE };

  ui_scene_view_forget_shown (self);
  configure_adjustments (self);
  ui_scene_view_keep_pointer (self);
  ui_scene_view_emit_rebuilt (self);
}

void
ui_scene_view_resize (UiSceneView *self)
{
  const UiSceneOptions options = get_options (self);

  replace_scene (self, ui_scene_new_resized (self->scene, self->document, &options));
}

void
ui_scene_view_rebuild (UiSceneView *self)
{
  if (self->scene == NULL)
    return;
  ui_scene_view_resize (self);
  ui_scene_view_grow (self);
}

static void
update_summary (UiSceneView *self)
{
  g_autofree char *summary = NULL;

  summary = self->scene != NULL ? ui_scene_summarise (self->scene) : g_strdup ("No drawing yet");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, summary,
                                  -1);
}

static void
set_adjustment (UiSceneView    *self,
                GtkOrientation  orientation,
                GtkAdjustment  *adjustment)
{
  if (self->adjustments[orientation] != NULL)
    g_signal_handlers_disconnect_by_func (self->adjustments[orientation], ui_scene_view_scrolled,
                                          self);

  g_set_object (&self->adjustments[orientation], adjustment);
  if (adjustment != NULL)
    g_signal_connect_swapped (adjustment, "value-changed", G_CALLBACK (ui_scene_view_scrolled),
                              self);
  configure_adjustments (self);
}

static void
ui_scene_view_size_allocate (GtkWidget *widget,
                             int        width,
                             int        height,
                             int        baseline)
{
  UiSceneView *self = UI_SCENE_VIEW (widget);

  self->is_allocating = TRUE;
  if (width != self->built_width || height != self->built_height)
    ui_scene_view_rebuild (self);
  configure_adjustments (self);
  self->is_allocating = FALSE;
  ui_scene_view_emit_moved (self);
}

static void
ui_scene_view_measure (GtkWidget      *widget,
                       GtkOrientation  orientation,
                       int             for_size,
                       int            *minimum,
                       int            *natural,
                       int            *minimum_baseline,
                       int            *natural_baseline)
{
  *minimum = 0;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? FALLBACK_WIDTH : FALLBACK_HEIGHT;
}

static void
ui_scene_view_root (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (ui_scene_view_parent_class)->root (widget);
  g_signal_connect_object (gtk_widget_get_settings (widget), "notify::gtk-xft-dpi",
                           G_CALLBACK (ui_scene_view_rebuild), widget, G_CONNECT_SWAPPED);
}

static void
ui_scene_view_unroot (GtkWidget *widget)
{
  g_signal_handlers_disconnect_by_func (gtk_widget_get_settings (widget), ui_scene_view_rebuild,
                                        widget);
  GTK_WIDGET_CLASS (ui_scene_view_parent_class)->unroot (widget);
}

static void
ui_scene_view_get_property (GObject    *object,
                            guint       id,
                            GValue     *value,
                            GParamSpec *pspec)
{
  UiSceneView *self = UI_SCENE_VIEW (object);

  switch (id) {
  case PROP_SCENE:
    g_value_set_pointer (value, self->scene);
    break;
  case PROP_ZOOM:
    g_value_set_double (value, self->zoom);
    break;
  case PROP_HADJUSTMENT:
  case PROP_VADJUSTMENT:
    g_value_set_object (value, self->adjustments[id - PROP_HADJUSTMENT]);
    break;
  case PROP_HSCROLL_POLICY:
  case PROP_VSCROLL_POLICY:
    g_value_set_enum (value, (int) self->scroll_policies[id - PROP_HSCROLL_POLICY]);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
ui_scene_view_set_property (GObject      *object,
                            guint         id,
                            const GValue *value,
                            GParamSpec   *pspec)
{
  UiSceneView *self = UI_SCENE_VIEW (object);

  switch (id) {
  case PROP_ZOOM:
    ui_scene_view_set_zoom (self, g_value_get_double (value));
    break;
  case PROP_HADJUSTMENT:
  case PROP_VADJUSTMENT:
    set_adjustment (self, id - PROP_HADJUSTMENT, g_value_get_object (value));
    break;
  case PROP_HSCROLL_POLICY:
  case PROP_VSCROLL_POLICY:
    self->scroll_policies[id - PROP_HSCROLL_POLICY] = (guint) g_value_get_enum (value);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
ui_scene_view_dispose (GObject *object)
{
  UiSceneView *self = UI_SCENE_VIEW (object);

  set_adjustment (self, GTK_ORIENTATION_HORIZONTAL, NULL);
  set_adjustment (self, GTK_ORIENTATION_VERTICAL, NULL);
  g_clear_handle_id (&self->scroll_rest, g_source_remove);
  g_clear_handle_id (&self->leaving, g_source_remove);
  ui_scene_view_drop_overlays (self);
  ui_scene_view_end_motion (self);
  g_clear_pointer (&self->tiles, ui_tile_cache_free);
  g_clear_pointer (&self->scene, ui_scene_unref);
  g_clear_pointer (&self->document, ui_document_free);
  g_clear_pointer (&self->trace, eng_trace_unref);
  G_OBJECT_CLASS (ui_scene_view_parent_class)->dispose (object);
}

static void
install_properties (GObjectClass *object_class)
{
  properties[PROP_SCENE] =
    g_param_spec_pointer ("scene", NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_ZOOM] =
    g_param_spec_double ("zoom", NULL, NULL, UI_LEAST_ZOOM, UI_MOST_ZOOM, 1,
                         G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_OWN_PROPS, properties);

  g_object_class_override_property (object_class, PROP_HADJUSTMENT, "hadjustment");
  g_object_class_override_property (object_class, PROP_VADJUSTMENT, "vadjustment");
  g_object_class_override_property (object_class, PROP_HSCROLL_POLICY, "hscroll-policy");
  g_object_class_override_property (object_class, PROP_VSCROLL_POLICY, "vscroll-policy");
}

/* Who comes by Tab sees where the keys are. */
static gboolean
ui_scene_view_focus (GtkWidget        *widget,
                     GtkDirectionType  direction)
{
  if (!GTK_WIDGET_CLASS (ui_scene_view_parent_class)->focus (widget, direction))
    return FALSE;
  if (direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD)
    ui_scene_view_begin_cursor (UI_SCENE_VIEW (widget));
  return TRUE;
}

static void
ui_scene_view_class_init (UiSceneViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = ui_scene_view_get_property;
  object_class->set_property = ui_scene_view_set_property;
  object_class->dispose = ui_scene_view_dispose;
  widget_class->focus = ui_scene_view_focus;
  widget_class->measure = ui_scene_view_measure;
  widget_class->size_allocate = ui_scene_view_size_allocate;
  widget_class->snapshot = ui_scene_view_snapshot;
  widget_class->root = ui_scene_view_root;
  widget_class->unroot = ui_scene_view_unroot;

  install_properties (object_class);
  ui_scene_view_class_init_input (klass);

  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_widget_class_set_css_name (widget_class, "sceneview");
}

static void
ui_scene_view_init (UiSceneView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  self->tiles = ui_tile_cache_new (widget);
  self->zoom = 1;
  self->growth = 1;
  self->screen = 1;
  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  ui_scene_view_init_input (self);
  ui_scene_view_init_zoom (self);
  g_signal_connect (self, "notify::scale-factor", G_CALLBACK (ui_scene_view_rebuild), NULL);
  update_summary (self);
}

GtkWidget *
ui_scene_view_new (void)
{
  return g_object_new (UI_TYPE_SCENE_VIEW, NULL);
}

gboolean
ui_scene_view_show (UiSceneView       *self,
                    EngTrace          *trace,
                    EngTrace          *second,
                    const UiDocument  *document,
                    GError           **error)
{
  g_autoptr (UiScene) scene = NULL;
  UiSceneOptions options;

  g_return_val_if_fail (UI_IS_SCENE_VIEW (self), FALSE);

  options = get_options (self);
  scene = ui_comparison_new (trace, second, document, &options, error);
  if (scene == NULL)
    return FALSE;

  ui_scene_view_show_scene (self, scene, trace, document, &options);
  return TRUE;
}

void
ui_scene_view_get_options (UiSceneView    *self,
                           UiSceneOptions *options)
{
  g_return_if_fail (UI_IS_SCENE_VIEW (self));

  *options = get_options (self);
}

void
ui_scene_view_show_scene (UiSceneView          *self,
                          UiScene              *scene,
                          EngTrace             *trace,
                          const UiDocument     *document,
                          const UiSceneOptions *options)
{
  UiSceneOptions now;
  gboolean is_other, is_divided;

  g_return_if_fail (UI_IS_SCENE_VIEW (self));

  ui_scene_view_enter (self, scene);
  now = get_options (self);
  ui_scene_view_begin_motion (self, scene);
  is_other = self->document != NULL && self->document->view != document->view;
  is_divided = self->scene != NULL && ui_scene_is_panels (self->scene) != ui_scene_is_panels (scene);
  if (is_other)
    ui_scene_view_keep_place (self, self->document->view);
  eng_trace_ref (trace);
  g_clear_pointer (&self->trace, eng_trace_unref);
  self->trace = trace;
  g_clear_pointer (&self->document, ui_document_free);
  self->document = ui_document_copy (document);

  replace_scene (self,
                 is_same_place (options, &now) ? ui_scene_ref (scene)
                                               : ui_scene_new_resized (scene, document, &now));
  ui_scene_view_grow (self);
  if (is_divided)
    ui_scene_view_begin_anew (self);
  else if (is_other)
    ui_scene_view_return_to_place (self, document->view);
  update_summary (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SCENE]);
}

void
ui_scene_view_clear (UiSceneView *self)
{
  g_return_if_fail (UI_IS_SCENE_VIEW (self));

  g_clear_pointer (&self->trace, eng_trace_unref);
  g_clear_pointer (&self->document, ui_document_free);
  replace_scene (self, NULL);
  update_summary (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SCENE]);
}

void
ui_scene_view_set_theme (UiSceneView *self,
                         UiTheme      theme)
{
  g_return_if_fail (UI_IS_SCENE_VIEW (self));

  if (theme == self->theme)
    return;

  self->theme = theme;
  /* No light picture is shown in the dark, not even for a moment. */
  ui_tile_cache_set_scene (self->tiles, NULL, 1, 1);
  ui_scene_view_rebuild (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ui_scene_view_set_presented (UiSceneView *self,
                             gboolean     is_presented)
{
  g_return_if_fail (UI_IS_SCENE_VIEW (self));

  if (is_presented == self->is_presented)
    return;

  self->is_presented = is_presented;
  self->growth = 1;
  ui_scene_view_rebuild (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

UiTheme
ui_scene_view_get_theme (UiSceneView *self)
{
  g_return_val_if_fail (UI_IS_SCENE_VIEW (self), UI_THEME_LIGHT);

  return self->theme;
}

UiScene *
ui_scene_view_get_scene (UiSceneView *self)
{
  g_return_val_if_fail (UI_IS_SCENE_VIEW (self), NULL);

  return self->scene;
}

void
ui_scene_view_hold_back (UiSceneView *self,
                         gboolean     holds_back)
{
  g_return_if_fail (UI_IS_SCENE_VIEW (self));

  if (holds_back == self->holds_back)
    return;
  self->holds_back = holds_back;
  if (self->scene == NULL)
    return;
  ui_scene_view_resize (self);
  update_summary (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SCENE]);
}

gboolean
ui_scene_view_holds_back (UiSceneView *self)
{
  g_return_val_if_fail (UI_IS_SCENE_VIEW (self), FALSE);

  return self->holds_back;
}

gboolean
ui_scene_view_is_complete (UiSceneView *self)
{
  g_return_val_if_fail (UI_IS_SCENE_VIEW (self), FALSE);

  return self->scene == NULL || (self->quality == UI_TILES_FULL && !self->awaits_overlay
                                 && self->motion.before == NULL);
}
