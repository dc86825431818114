/* SPDX-License-Identifier: MIT */
#include "app/window-private.h"

static void
cancel_job (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       data)
{
  AppWindow *self = data;

  if (self->job != NULL)
    app_job_cancel (self->job);
  else
    app_window_cancel_drawing (self);
}

static void
show_title (AppWindow  *self,
            const char *note)
{
  g_autofree char *text = note != NULL ? g_strdup_printf ("%s: %s", self->job_title, note) : NULL;

  gtk_label_set_label (self->job_label, text != NULL ? text : self->job_title);
}

void
app_window_add_job (AppWindow *self)
{
  static const GActionEntry entries[] = { { "cancel-job", cancel_job } };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

void
app_window_start_job (AppWindow         *self,
                      const char        *title,
                      const AppJobClass *klass,
                      gpointer           data)
{
  app_window_end_job (self);
  self->job_title = g_strdup (title);
  show_title (self, NULL);
  gtk_progress_bar_set_fraction (self->job_bar, 0);
  gtk_revealer_set_reveal_child (self->job_revealer, TRUE);
  self->job = app_job_start (klass, data, self);
}

void
app_window_job_progress (AppJob     *job,
                         double      fraction,
                         const char *note,
                         gpointer    window)
{
  AppWindow *self = window;

  gtk_progress_bar_set_fraction (self->job_bar, fraction);
  if (note != NULL)
    show_title (self, note);
}

void
app_window_end_job (AppWindow *self)
{
  gtk_revealer_set_reveal_child (self->job_revealer, FALSE);
  g_clear_pointer (&self->job, app_job_stop);
  g_clear_pointer (&self->job_title, g_free);
}

void
app_window_show_progress (AppWindow  *self,
                          const char *title,
                          double      fraction)
{
  if (self->job != NULL)
    return;

  gtk_label_set_label (self->job_label, title);
  gtk_progress_bar_set_fraction (self->job_bar, fraction);
  gtk_revealer_set_reveal_child (self->job_revealer, TRUE);
}

void
app_window_hide_progress (AppWindow *self)
{
  if (self->job == NULL)
    gtk_revealer_set_reveal_child (self->job_revealer, FALSE);
}
