/* SPDX-License-Identifier: MIT */
#include "app/shell/speaker.h"

#include "app/desk/part.h"
#include "app/desk/shortcuts.h"

struct _AppSpeaker {
  GtkWindow *window; /* weak; NULL once it was closed */
  GtkLabel  *place;
  GtkLabel  *clock;
  GtkLabel  *now;
  GtkLabel  *next;
  GtkLabel  *notes;
  gint64     begun;  /* monotonic µs */
  guint      source;
};

/* "12:34", "1:02:03" */
static gboolean
tick_cb (gpointer data)
{
  AppSpeaker *self = data;
  const int seconds = (int) ((g_get_monotonic_time () - self->begun) / G_USEC_PER_SEC);
  g_autofree char *text =
    seconds < 3600 ? g_strdup_printf ("%d:%02d", seconds / 60, seconds % 60)
                   : g_strdup_printf ("%d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60);

  if (self->window == NULL) {
    self->source = 0;
    return G_SOURCE_REMOVE;
  }
  gtk_label_set_label (self->clock, text);

  return G_SOURCE_CONTINUE;
}

/* Accelerators of the application are those of its own windows. */
static void
add_shortcuts (GtkWindow      *own,
               GtkApplication *application)
{
  static const struct { guint key; const char *action; } keys[] = {
    { GDK_KEY_w, "window.close" }, { GDK_KEY_q, "app.quit" },
  };
  GtkEventController *controller = gtk_shortcut_controller_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (controller),
      gtk_shortcut_new (gtk_keyval_trigger_new (keys[i].key, GDK_CONTROL_MASK),
                        gtk_named_action_new (keys[i].action)));
  gtk_widget_insert_action_group (GTK_WIDGET (own), "app", G_ACTION_GROUP (application));
  gtk_widget_add_controller (GTK_WIDGET (own), controller);
}

AppSpeaker *
app_speaker_new (GtkWindow *window,
                 GtkWidget *seen)
{
  AppSpeaker *self = g_new0 (AppSpeaker, 1);
  g_autoptr (GtkBuilder) builder = app_part_read_ui ("speaker");
  g_autoptr (GdkPaintable) mirror = gtk_widget_paintable_new (seen);
  GtkWindow *own = GTK_WINDOW (gtk_builder_get_object (builder, "speaker"));

  g_set_weak_pointer (&self->window, own);
  self->place = GTK_LABEL (gtk_builder_get_object (builder, "speaker_place"));
  self->clock = GTK_LABEL (gtk_builder_get_object (builder, "speaker_clock"));
  self->now = GTK_LABEL (gtk_builder_get_object (builder, "speaker_now"));
  self->next = GTK_LABEL (gtk_builder_get_object (builder, "speaker_next"));
  self->notes = GTK_LABEL (gtk_builder_get_object (builder, "speaker_notes"));
  gtk_picture_set_paintable (GTK_PICTURE (gtk_builder_get_object (builder, "speaker_mirror")),
                             mirror);
  gtk_widget_insert_action_group (GTK_WIDGET (own), "win", G_ACTION_GROUP (window));
  add_shortcuts (own, gtk_window_get_application (window));
  app_shortcuts_explain (GTK_WIDGET (own));
  self->begun = g_get_monotonic_time ();
  self->source = g_timeout_add_seconds (1, tick_cb, self);
  tick_cb (self);
  gtk_window_present (own);

  return self;
}

void
app_speaker_free (AppSpeaker *self)
{
  if (self == NULL)
    return;
  g_clear_handle_id (&self->source, g_source_remove);
  if (self->window != NULL) {
    /* GTK may hold a window on whose key it ends, and with it what that knows. */
    gtk_widget_insert_action_group (GTK_WIDGET (self->window), "app", NULL);
    gtk_widget_insert_action_group (GTK_WIDGET (self->window), "win", NULL);
    gtk_window_destroy (self->window);
  }
  g_clear_weak_pointer (&self->window);
  g_free (self);
}

static void
show (GtkLabel   *label,
      const char *markup,
      const char *instead)
{
  gtk_label_set_markup (label, markup != NULL && *markup != '\0' ? markup : instead);
}

void
app_speaker_set (AppSpeaker *self,
                 const char *place,
                 const char *now,
                 const char *next,
                 const char *notes)
{
  if (self == NULL || self->window == NULL)
    return;
  gtk_label_set_label (self->place, place != NULL ? place : "No lesson is open");
  show (self->now, now, "");
  show (self->next, next, "The end");
  show (self->notes, notes, "");
}

GtkWindow *
app_speaker_get_window (AppSpeaker *self)
{
  return self != NULL ? self->window : NULL;
}
