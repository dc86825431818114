/* SPDX-License-Identifier: MIT */
#include "app/shell/presenter.h"

#define HOW_TO_LEAVE "F11 or Escape leaves the full screen; its upper edge shows the bars"
#define EDGE 4 /* pixels at the top that bring the bars back */

/* A widget that goes, and where it stands in the window. */
typedef struct {
  GtkWidget *widget;
  GtkWidget *parent;
  GtkWidget *before; /* NULL = it is the first */
} Bar;

struct _AppPresenter {
  AdwApplicationWindow *window;
  AppDesk              *desk;
  Bar                   bars[APP_PRESENTER_BARS];
  GtkWidget            *over;    /* where the bars are meanwhile: over the picture, which stays */
  UiColumns            *columns;
  GtkEventController   *motion;
  GtkEventController   *keys;
  gboolean              is_on;
  gboolean              has_bars; /* pointer or keys are at them */
  gboolean              is_quiet;
  AdwToast             *hint;     /* how to leave, while it is there; a weak pointer */
};

static Bar
find_bar (GtkWidget *widget)
{
  return (Bar) { widget, gtk_widget_get_parent (widget), gtk_widget_get_prev_sibling (widget) };
}

static void
move_bar (const Bar *bar,
          GtkWidget *parent,
          GtkWidget *before)
{
  g_autoptr (GtkWidget) widget = g_object_ref (bar->widget);

  gtk_widget_unparent (widget);
  gtk_widget_insert_after (widget, parent, before);
}

static void
move_bars (AppPresenter *self)
{
  for (gsize i = 0; i < G_N_ELEMENTS (self->bars); i++) {
    const Bar *bar = &self->bars[i];

    if (self->is_on)
      move_bar (bar, self->over, gtk_widget_get_last_child (self->over));
    else
      move_bar (bar, bar->parent, bar->before);
  }
}

static void
show_bars (AppPresenter *self)
{
  gtk_widget_set_visible (self->over, self->is_on && self->has_bars);
}

/* Who has left knows how. */
static void
hide_hint (AppPresenter *self)
{
  g_autoptr (AdwToast) hint = self->hint != NULL ? g_object_ref (self->hint) : NULL;

  g_clear_weak_pointer (&self->hint);
  if (hint != NULL)
    app_desk_dismiss_toast (self->desk, hint);
}

static void
set_on (AppPresenter *self,
        gboolean      is_on)
{
  if (is_on == self->is_on)
    return;

  self->is_on = is_on;
  self->has_bars = FALSE;
  move_bars (self);
  ui_columns_set_bare (self->columns, is_on);
  ui_scene_view_set_presented (app_picture_get_view (app_desk_get_picture (self->desk)), is_on);
  if (is_on)
    gtk_widget_add_css_class (GTK_WIDGET (self->window), "presenting");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->window), "presenting");
  show_bars (self);
  app_desk_set_presented (self->desk, is_on);
  if (is_on && !self->is_quiet)
    g_set_weak_pointer (&self->hint, app_desk_toast (self->desk, HOW_TO_LEAVE));
  else
    hide_hint (self);
}

void
app_presenter_set_quiet (AppPresenter *self,
                         gboolean      is_quiet)
{
  self->is_quiet = is_quiet;
  if (is_quiet)
    hide_hint (self);
}

static GSimpleAction *
get_action (AppPresenter *self)
{
  return G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self->window), "fullscreen"));
}

static void
change_fullscreen (GSimpleAction *action,
                   GVariant      *value,
                   gpointer       data)
{
  AppPresenter *self = data;
  const gboolean is_on = g_variant_get_boolean (value);

  g_simple_action_set_state (action, value);
  set_on (self, is_on);
  if (is_on)
    gtk_window_fullscreen (GTK_WINDOW (self->window));
  else
    gtk_window_unfullscreen (GTK_WINDOW (self->window));
}

/* The desktop has a say, too. */
static void
fullscreened_cb (AppPresenter *self)
{
  const gboolean is_on = gtk_window_is_fullscreen (GTK_WINDOW (self->window));

  g_simple_action_set_state (get_action (self), g_variant_new_boolean (is_on));
  set_on (self, is_on);
}

/* Below it nobody wants the bars. */
static double
get_end_of_bars (AppPresenter *self)
{
  graphene_rect_t bounds;

  return gtk_widget_get_mapped (self->over)
         && gtk_widget_compute_bounds (self->over, GTK_WIDGET (self->window), &bounds)
         ? MAX (bounds.origin.y + bounds.size.height, EDGE) : EDGE;
}

static void
motion_cb (AppPresenter *self,
           double        x,
           double        y)
{
  const gboolean has_bars = y <= (self->has_bars ? get_end_of_bars (self) : EDGE);

  if (!self->is_on || has_bars == self->has_bars)
    return;
  self->has_bars = has_bars;
  show_bars (self);
}

/* The menu that the key opens stands in the bars. */
static gboolean
key_cb (AppPresenter    *self,
        guint            key,
        guint            code,
        GdkModifierType  modifiers)
{
  if (self->is_on && key == GDK_KEY_F10
      && (modifiers & gtk_accelerator_get_default_mod_mask ()) == 0) {
    self->has_bars = TRUE;
    show_bars (self);
  }
  return GDK_EVENT_PROPAGATE;
}

/* The bars are there while the keys are at them or at a menu of theirs, whose own key opens it, and go
 * as when the pointer leaves them. */
static void
focus_cb (AppPresenter *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self->window));
  const gboolean has_bars = focus != NULL && gtk_widget_is_ancestor (focus, self->over);

  if (!self->is_on || focus == NULL || has_bars == self->has_bars)
    return;
  self->has_bars = has_bars;
  show_bars (self);
}

AppPresenter *
app_presenter_new (AdwApplicationWindow *window,
                   AppDesk              *desk,
                   GtkWidget *const      bars[APP_PRESENTER_BARS],
                   UiColumns            *columns)
{
  static const GActionEntry entries[] = {
    { "fullscreen", NULL, NULL, "false", change_fullscreen },
  };
  AppPresenter *self = g_new0 (AppPresenter, 1);

  self->window = window;
  self->desk = desk;
  for (gsize i = 0; i < G_N_ELEMENTS (self->bars); i++)
    self->bars[i] = find_bar (bars[i]);
  self->over = g_object_new (GTK_TYPE_BOX,
                             "orientation", GTK_ORIENTATION_VERTICAL,
                             "valign", GTK_ALIGN_START,
                             "visible", FALSE,
                             "css-classes", (const char *[]) { "background", "bars", NULL },
                             NULL);
  gtk_overlay_add_overlay (GTK_OVERLAY (adw_application_window_get_content (window)), self->over);
  self->columns = columns;
  g_action_map_add_action_entries (G_ACTION_MAP (window), entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_swapped (window, "notify::fullscreened", G_CALLBACK (fullscreened_cb), self);
  self->motion = gtk_event_controller_motion_new ();
  gtk_event_controller_set_propagation_phase (self->motion, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (self->motion, "motion", G_CALLBACK (motion_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (window), self->motion);
  self->keys = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (self->keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (self->keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (window), self->keys);
  g_signal_connect_swapped (window, "notify::focus-widget", G_CALLBACK (focus_cb), self);
  return self;
}

void
app_presenter_free (AppPresenter *self)
{
  /* Whoever is taken down later finds the bars where they belong. */
  if (self->is_on) {
    self->is_on = FALSE;
    move_bars (self);
  }
  g_clear_weak_pointer (&self->hint);
  g_signal_handlers_disconnect_by_data (self->window, self);
  gtk_widget_remove_controller (GTK_WIDGET (self->window), self->motion);
  gtk_widget_remove_controller (GTK_WIDGET (self->window), self->keys);
  g_action_map_remove_action (G_ACTION_MAP (self->window), "fullscreen");
  g_free (self);
}

gboolean
app_presenter_leave (AppPresenter *self)
{
  if (!self->is_on)
    return FALSE;

  g_action_change_state (G_ACTION (get_action (self)), g_variant_new_boolean (FALSE));
  return TRUE;
}
