/* SPDX-License-Identifier: MIT */
/* Long work at the foot of the window. */
#include "app/desk/desk-private.h"

#include "ui/controls/quiet.h"

static void
cancel_job (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       data)
{
  AppDesk *self = data;

  if (self->job != NULL)
    app_job_cancel (self->job);
  else
    app_picture_cancel (self->picture);
}

static void
show_title (AppDesk    *self,
            const char *note)
{
  g_autofree char *text = note != NULL ? g_strdup_printf ("%s: %s", self->job_title, note) : NULL;

  gtk_label_set_label (self->widgets.job_label, text != NULL ? text : self->job_title);
}

static void
progress_cb (const AppProgress *progress,
             gpointer           data)
{
  AppDesk *self = data;

  gtk_progress_bar_set_fraction (self->widgets.job_bar, progress->fraction);
  if (progress->note != NULL)
    show_title (self, progress->note);
}

void
app_desk_start_job (AppDesk           *self,
                    const char        *title,
                    const AppJobClass *klass,
                    gpointer           data,
                    gpointer           owner)
{
  app_desk_end_job (self);
  self->job_title = g_strdup (title);
  show_title (self, NULL);
  gtk_progress_bar_set_fraction (self->widgets.job_bar, 0);
  ui_quiet_reveal (self->widgets.job_revealer, TRUE);
  self->job = app_job_start (klass, data, owner);
  app_job_watch (self->job, progress_cb, self);
}

void
app_desk_end_job (AppDesk *self)
{
  if (self->widgets.window != NULL)
    ui_quiet_reveal (self->widgets.job_revealer, FALSE);
  g_clear_pointer (&self->job, app_job_stop);
  g_clear_pointer (&self->job_title, g_free);
}

gboolean
app_desk_has_job (AppDesk *self)
{
  return self->job != NULL;
}

/* What is drawn shows in the same place, where no job runs. */
static void
drawing_progress_cb (AppDesk    *self,
                     const char *title,
                     double      fraction)
{
  if (self->job != NULL || self->widgets.window == NULL)
    return;

  if (title != NULL) {
    gtk_label_set_label (self->widgets.job_label, title);
    gtk_progress_bar_set_fraction (self->widgets.job_bar, fraction);
  }
  ui_quiet_reveal (self->widgets.job_revealer, title != NULL);
}

void
app_desk_init_job_bar (AppDesk *self)
{
  static const GActionEntry entries[] = { { "cancel-job", cancel_job } };

  app_desk_add_actions (self, entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_object (self->picture, "progress", G_CALLBACK (drawing_progress_cb), self,
                           G_CONNECT_SWAPPED);
}
