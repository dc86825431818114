/* SPDX-License-Identifier: MIT */
#include "app/shell/presenter.h"

#define HOW_TO_LEAVE "F11 or Escape leaves the full screen; its upper edge shows the bars"
#define EDGE 4 /* pixels at the top that bring the bars back */

struct _AppPresenter {
  AdwApplicationWindow *window;
  AppDesk              *desk;
  GtkWidget            *bars[3]; /* header, sentences, toolbar */
  GtkWidget            *foot;    /* with the views, where the header has no room */
  UiColumns            *columns;
  GtkEventController   *motion;
  gboolean              is_on;
  gboolean              has_bars; /* the pointer is at them */
  AdwToast             *hint;     /* how to leave, while it is there; a weak pointer */
};

static void
show_bars (AppPresenter *self)
{
  const gboolean is_shown = !self->is_on || self->has_bars;

  for (gsize i = 0; i < G_N_ELEMENTS (self->bars); i++)
    gtk_widget_set_visible (self->bars[i], is_shown);
  gtk_widget_set_visible (self->foot, is_shown);
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
  ui_columns_set_bare (self->columns, is_on);
  ui_scene_view_set_presented (app_picture_get_view (app_desk_get_picture (self->desk)), is_on);
  if (is_on)
    gtk_widget_add_css_class (GTK_WIDGET (self->window), "presenting");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->window), "presenting");
  show_bars (self);
  if (is_on)
    g_set_weak_pointer (&self->hint, app_desk_toast (self->desk, HOW_TO_LEAVE));
  else
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

/* Where the picture begins; below it nobody wants the bars. */
static double
get_end_of_bars (AppPresenter *self)
{
  double end = EDGE;

  for (gsize i = 0; i < G_N_ELEMENTS (self->bars); i++) {
    graphene_rect_t bounds;

    if (gtk_widget_get_mapped (self->bars[i])
        && gtk_widget_compute_bounds (self->bars[i], GTK_WIDGET (self->window), &bounds))
      end = MAX (end, bounds.origin.y + bounds.size.height);
  }
  return end;
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

AppPresenter *
app_presenter_new (AdwApplicationWindow *window,
                   AppDesk              *desk,
                   GtkWidget            *header,
                   GtkWidget            *sentences,
                   GtkWidget            *toolbar,
                   GtkWidget            *foot,
                   UiColumns            *columns)
{
  static const GActionEntry entries[] = {
    { "fullscreen", NULL, NULL, "false", change_fullscreen },
  };
  AppPresenter *self = g_new0 (AppPresenter, 1);

  self->window = window;
  self->desk = desk;
  self->bars[0] = header;
  self->bars[1] = sentences;
  self->bars[2] = toolbar;
  self->foot = foot;
  self->columns = columns;
  g_action_map_add_action_entries (G_ACTION_MAP (window), entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_swapped (window, "notify::fullscreened", G_CALLBACK (fullscreened_cb), self);
  self->motion = gtk_event_controller_motion_new ();
  gtk_event_controller_set_propagation_phase (self->motion, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (self->motion, "motion", G_CALLBACK (motion_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (window), self->motion);
  return self;
}

void
app_presenter_free (AppPresenter *self)
{
  g_clear_weak_pointer (&self->hint);
  g_signal_handlers_disconnect_by_data (self->window, self);
  gtk_widget_remove_controller (GTK_WIDGET (self->window), self->motion);
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
