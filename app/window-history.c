/* SPDX-License-Identifier: MIT */
/* Undo and redo of everything, back and forward between the places that were looked at. */
#include "app/window-private.h"

#include "app/shortcuts.h"

#define BACK_BUTTON    8
#define FORWARD_BUTTON 9

static void
set_enabled (AppWindow  *self,
             const char *name,
             gboolean    enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

/* Which place of the window the document is: one more, when view, kind or layer are others; else
 * the same with other heads and pins. */
static void
visit (AppWindow        *self,
       const UiDocument *document,
       gboolean          is_step)
{
  const UiDocument *here = app_history_get (self->places_visited);
  g_autoptr (UiDocument) place = app_place_apply (document, here);

  if (is_step && !app_place_equal (here, document))
    app_history_record (self->places_visited, place, g_get_monotonic_time ());
  else
    app_history_amend (self->places_visited, place);
}

static void
change_undo (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       data)
{
  AppWindow *self = data;
  const UiDocument *document = app_history_undo (self->history);

  if (document == NULL)
    return;
  visit (self, document, FALSE);
  app_window_set_document (self, ui_document_copy (document));
}

static void
change_redo (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       data)
{
  AppWindow *self = data;
  const UiDocument *document = app_history_redo (self->history);

  if (document == NULL)
    return;
  visit (self, document, TRUE);
  app_window_set_document (self, ui_document_copy (document));
}

/* Looking elsewhere is a step that can be undone, but no further place. */
static void
move_to (AppWindow        *self,
         const UiDocument *place)
{
  UiDocument *document;

  if (place == NULL)
    return;
  document = app_place_apply (place, self->document);
  app_history_record (self->history, document, g_get_monotonic_time ());
  app_window_set_document (self, document);
}

static void
go_back (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       data)
{
  AppWindow *self = data;

  move_to (self, app_history_undo (self->places_visited));
}

static void
go_forward (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       data)
{
  AppWindow *self = data;

  move_to (self, app_history_redo (self->places_visited));
}

static void
button_pressed_cb (GtkGesture *gesture,
                   int         n_press,
                   double      x,
                   double      y,
                   AppWindow  *self)
{
  guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));

  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_widget_activate_action (GTK_WIDGET (self),
                              button == BACK_BUTTON ? "win.back" : "win.forward", NULL);
}

static void
add_mouse_button (AppWindow *self,
                  guint      button)
{
  GtkGesture *gesture = gtk_gesture_click_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (gesture), button);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (gesture), GTK_PHASE_CAPTURE);
  g_signal_connect (gesture, "pressed", G_CALLBACK (button_pressed_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (gesture));
}

/* "Undo: Layer 3 (Ctrl+Z)" */
static void
sync_button (GtkWidget  *button,
             const char *verb,
             const char *action,
             char       *step)
{
  g_autofree char *label = step != NULL ? g_strdup_printf ("%s: %s", verb, step) : NULL;

  if (label != NULL)
    app_shortcuts_explain_in_words (button, action, label);
  else
    app_shortcuts_explain_as (button, action);
  g_free (step);
}

void
app_window_add_history (AppWindow *self)
{
  static const GActionEntry entries[] = {
    { "undo", change_undo },
    { "redo", change_redo },
    { "back", go_back },
    { "forward", go_forward },
  };

  self->history = app_history_new (self->document);
  self->places_visited = app_history_new (self->document);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  add_mouse_button (self, BACK_BUTTON);
  add_mouse_button (self, FORWARD_BUTTON);
}

void
app_window_record (AppWindow        *self,
                   const UiDocument *document)
{
  app_history_record (self->history, document, g_get_monotonic_time ());
  visit (self, document, TRUE);
}

void
app_window_amend (AppWindow        *self,
                  const UiDocument *document)
{
  app_history_amend (self->history, document);
  visit (self, document, FALSE);
}

void
app_window_sync_history (AppWindow *self)
{
  set_enabled (self, "undo", app_history_can_undo (self->history));
  set_enabled (self, "redo", app_history_can_redo (self->history));
  set_enabled (self, "back", app_history_can_undo (self->places_visited));
  set_enabled (self, "forward", app_history_can_redo (self->places_visited));
  sync_button (self->undo_button, "Undo", "win.undo", app_history_describe_undo (self->history));
  sync_button (self->redo_button, "Redo", "win.redo", app_history_describe_redo (self->history));
}
