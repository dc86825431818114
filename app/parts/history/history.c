/* SPDX-License-Identifier: MIT */
/* Undo and redo of everything, back and forward between the places that were looked at. */
#include "app/parts/history/history.h"

#include "app/desk/shortcuts.h"

#define BACK_BUTTON    8
#define FORWARD_BUTTON 9

struct _AppHistoryPart {
  AppPart parent_instance;

  AppDesk    *desk;
  AppStudy   *study;
  AppPicture *picture;

  GtkWidget *undo_button;
  GtkWidget *redo_button;
};

G_DEFINE_FINAL_TYPE (AppHistoryPart, app_history_part, APP_TYPE_PART)

/* What was pointed at is of the state before. */
static void
let_go (AppHistoryPart *self)
{
  ui_scene_view_let_go_of_pointer (app_picture_get_view (self->picture));
}

static void
change_undo (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       data)
{
  AppHistoryPart *self = data;

  let_go (self);
  app_study_undo (self->study);
}

static void
change_redo (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       data)
{
  AppHistoryPart *self = data;

  let_go (self);
  app_study_redo (self->study);
}

static void
go_back (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       data)
{
  AppHistoryPart *self = data;

  let_go (self);
  app_study_go_back (self->study);
}

static void
go_forward (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       data)
{
  AppHistoryPart *self = data;

  let_go (self);
  app_study_go_forward (self->study);
}

static void
button_pressed_cb (GtkGesture     *gesture,
                   int             n_press,
                   double          x,
                   double          y,
                   AppHistoryPart *self)
{
  guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));

  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  app_desk_activate (self->desk, button == BACK_BUTTON ? "back" : "forward", NULL);
}

static void
add_mouse_button (AppHistoryPart *self,
                  guint           button)
{
  GtkGesture *gesture = gtk_gesture_click_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (gesture), button);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (gesture), GTK_PHASE_CAPTURE);
  g_signal_connect (gesture, "pressed", G_CALLBACK (button_pressed_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (app_desk_get_window (self->desk)),
                             GTK_EVENT_CONTROLLER (gesture));
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

static void
add_actions (AppHistoryPart *self)
{
  static const GActionEntry entries[] = {
    { "undo", change_undo },
    { "redo", change_redo },
    { "back", go_back },
    { "forward", go_forward },
  };

  app_desk_add_actions (self->desk, entries, G_N_ELEMENTS (entries), self);
  add_mouse_button (self, BACK_BUTTON);
  add_mouse_button (self, FORWARD_BUTTON);
}

static void
sync_steps (AppPart *part)
{
  AppHistoryPart *self = APP_HISTORY_PART (part);

  app_desk_set_enabled (self->desk, "undo", app_study_can_undo (self->study));
  app_desk_set_enabled (self->desk, "redo", app_study_can_redo (self->study));
  app_desk_set_enabled (self->desk, "back", app_study_can_go_back (self->study));
  app_desk_set_enabled (self->desk, "forward", app_study_can_go_forward (self->study));
  sync_button (self->undo_button, "Undo", "win.undo", app_study_describe_undo (self->study));
  sync_button (self->redo_button, "Redo", "win.redo", app_study_describe_redo (self->study));
}

static void
begin (AppPart *part)
{
  AppHistoryPart *self = APP_HISTORY_PART (part);

  self->desk = app_part_get_desk (part);
  self->study = app_part_get_study (part);
  self->picture = app_part_get_picture (part);
  app_part_load_ui (self, "history");
  app_part_place (self, "undo_box", "header_history");
  self->undo_button = app_part_get_object (self, "undo_button");
  self->redo_button = app_part_get_object (self, "redo_button");
  add_actions (self);
}

static void
app_history_part_class_init (AppHistoryPartClass *klass)
{
  APP_PART_CLASS (klass)->begin = begin;
  APP_PART_CLASS (klass)->sync = sync_steps;
}

static void
app_history_part_init (AppHistoryPart *self)
{
}
