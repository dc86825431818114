/* SPDX-License-Identifier: MIT */
/* Files that are dropped onto the window. */
#include "app/parts/session/session-private.h"

#include "ui/controls/quiet.h"

static gboolean
dropped_cb (GtkDropTarget  *target,
            const GValue   *value,
            double          x,
            double          y,
            AppSessionPart *self)
{
  g_autoptr (GSList) files = gdk_file_list_get_files (g_value_get_boxed (value));
  g_autofree char *path = NULL;

  if (files == NULL)
    return FALSE;
  path = g_file_get_path (files->data);
  if (path == NULL) {
    app_desk_toast (self->desk, "What was dropped is not on this computer");
    return FALSE;
  }

  if (files->next != NULL) {
    g_autofree char *name = g_path_get_basename (path);
    g_autofree char *sentence = g_strdup_printf ("%u files were dropped; %s is opened",
                                                 g_slist_length (files), name);

    app_desk_tell (self->desk, sentence);
  }
  app_session_part_open (self, path);

  return TRUE;
}

static void
hover_cb (GtkDropTarget  *target,
          GParamSpec     *pspec,
          AppSessionPart *self)
{
  ui_quiet_reveal (self->drop_hint, gtk_drop_target_get_current_drop (target) != NULL);
}

/* Before the entries, which would take the file's address for text. */
void
app_session_part_add_drop (AppSessionPart *self)
{
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (target), GTK_PHASE_CAPTURE);
  g_signal_connect (target, "drop", G_CALLBACK (dropped_cb), self);
  g_signal_connect (target, "notify::current-drop", G_CALLBACK (hover_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (app_desk_get_window (self->desk)),
                             GTK_EVENT_CONTROLLER (target));
}
