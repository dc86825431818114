/* SPDX-License-Identifier: MIT */
#include "app/shell/focus.h"

struct _AppFocus {
  GtkWindow *window;
  GtkWidget *picture;
  GtkWidget *beside;

  GtkEventController *keys;
  GtkEventController *clicks;
  gboolean   has_keys;   /* a key was pressed last, no button */

  GtkWidget *last;       /* outside all popovers; NULL = none, or it is gone */
  gboolean   is_by_keys; /* that is how it was reached */
  GtkWidget *popover;    /* that has the focus, or had it last; NULL = gone */
  guint      source;
};

static GtkWidget *
find_popover (GtkWidget *focus)
{
  return focus != NULL ? gtk_widget_get_ancestor (focus, GTK_TYPE_POPOVER) : NULL;
}

static gboolean
is_entry (GtkWidget *widget)
{
  return GTK_IS_EDITABLE (widget) || GTK_IS_TEXT_VIEW (widget);
}

static gboolean
can_focus (GtkWidget *widget)
{
  return widget != NULL && gtk_widget_get_mapped (widget) && gtk_widget_is_sensitive (widget);
}

static void
remember (AppFocus  *self,
          GtkWidget *focus)
{
  g_set_weak_pointer (&self->last, focus);
  self->is_by_keys = self->has_keys;
}

/* Of the popover that closed. */
static gboolean
is_in_opener (AppFocus  *self,
              GtkWidget *focus)
{
  GtkWidget *opener = self->popover != NULL ? gtk_widget_get_parent (self->popover) : NULL;

  return opener != NULL && !GTK_IS_WINDOW (opener)
         && (focus == opener || gtk_widget_is_ancestor (focus, opener));
}

/* Whether somebody has found a place for the focus, as what was chosen in a menu may have. */
static gboolean
is_settled (AppFocus  *self,
            GtkWidget *focus)
{
  if (!can_focus (focus))
    return FALSE;

  return find_popover (focus) != NULL
         || (focus != self->last && !is_in_opener (self, focus));
}

static gboolean
keeps_last (AppFocus *self)
{
  return can_focus (self->last) && (is_entry (self->last) || self->is_by_keys);
}

/* What is selected in an entry stays so. */
static void
grab (GtkWidget *widget)
{
  if (GTK_IS_TEXT (widget))
    gtk_text_grab_focus_without_selecting (GTK_TEXT (widget));
  else
    gtk_widget_grab_focus (widget);
}

static void
find_place (AppFocus *self)
{
  GtkWidget *outer = self->popover != NULL
                     ? find_popover (gtk_widget_get_parent (self->popover)) : NULL;

  if (outer != NULL && gtk_widget_get_mapped (outer))
    gtk_widget_child_focus (outer, GTK_DIR_TAB_FORWARD);
  else if (keeps_last (self))
    grab (self->last);
  else if (can_focus (self->picture))
    gtk_widget_grab_focus (self->picture);
  else
    gtk_widget_child_focus (self->beside, GTK_DIR_TAB_FORWARD);
}

static gboolean
settle_cb (gpointer data)
{
  AppFocus *self = data;
  GtkWidget *focus = gtk_window_get_focus (self->window);

  self->source = 0;
  if (!is_settled (self, focus))
    find_place (self);
  else if (find_popover (focus) == NULL)
    remember (self, focus);

  return G_SOURCE_REMOVE;
}

/* Before the next event, after whoever has a better place for the focus. */
static void
settle (AppFocus *self)
{
  if (self->source == 0)
    self->source = g_idle_add_full (G_PRIORITY_HIGH, settle_cb, self, NULL);
}

static void
watch_popover (AppFocus  *self,
               GtkWidget *popover)
{
  if (self->popover == popover)
    return;

  if (self->popover != NULL)
    g_signal_handlers_disconnect_by_func (self->popover, settle, self);
  g_set_weak_pointer (&self->popover, popover);
  g_signal_connect_swapped (popover, "unmap", G_CALLBACK (settle), self);
}

static void
moved_cb (AppFocus *self)
{
  GtkWidget *focus = gtk_window_get_focus (self->window);
  GtkWidget *popover = find_popover (focus);

  if (focus == NULL)
    settle (self);
  else if (popover != NULL)
    watch_popover (self, popover);
  else if (self->source == 0)
    remember (self, focus);
}

static gboolean
key_cb (AppFocus *self)
{
  self->has_keys = TRUE;
  return GDK_EVENT_PROPAGATE;
}

/* What takes no focus by a click, as a view's tab, is done with then: keys are for the picture. */
static gboolean
leaves_focus (GtkWidget *clicked)
{
  return clicked != NULL && !gtk_widget_get_focus_on_click (clicked);
}

static void
pressed_cb (AppFocus *self,
            int       n_presses,
            double    x,
            double    y)
{
  GdkEvent *event = gtk_event_controller_get_current_event (self->clicks);
  GtkWidget *clicked;

  self->has_keys = FALSE;
  if (event == NULL
      || gdk_event_get_surface (event) != gtk_native_get_surface (GTK_NATIVE (self->window)))
    return;
  clicked = gtk_widget_pick (GTK_WIDGET (self->window), x, y, GTK_PICK_DEFAULT);
  while (clicked != NULL && !leaves_focus (clicked))
    clicked = gtk_widget_get_parent (clicked);
  if (clicked != NULL && can_focus (self->picture))
    gtk_widget_grab_focus (self->picture);
}

static void
listen (AppFocus           *self,
        GtkEventController *controller,
        const char         *signal,
        GCallback           callback)
{
  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (controller, signal, callback, self);
  gtk_widget_add_controller (GTK_WIDGET (self->window), controller);
}

AppFocus *
app_focus_new (GtkWindow *window,
               GtkWidget *picture,
               GtkWidget *beside)
{
  AppFocus *self = g_new0 (AppFocus, 1);

  self->window = window;
  self->picture = picture;
  self->beside = beside;
  self->keys = gtk_event_controller_key_new ();
  self->clicks = GTK_EVENT_CONTROLLER (gtk_gesture_click_new ());
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (self->clicks), 0);
  listen (self, self->keys, "key-pressed", G_CALLBACK (key_cb));
  listen (self, self->clicks, "pressed", G_CALLBACK (pressed_cb));
  g_signal_connect_swapped (window, "notify::focus-widget", G_CALLBACK (moved_cb), self);

  return self;
}

void
app_focus_free (AppFocus *self)
{
  g_signal_handlers_disconnect_by_data (self->window, self);
  gtk_widget_remove_controller (GTK_WIDGET (self->window), self->keys);
  gtk_widget_remove_controller (GTK_WIDGET (self->window), self->clicks);
  if (self->popover != NULL)
    g_signal_handlers_disconnect_by_data (self->popover, self);
  g_clear_weak_pointer (&self->popover);
  g_clear_weak_pointer (&self->last);
  g_clear_handle_id (&self->source, g_source_remove);
  g_free (self);
}
