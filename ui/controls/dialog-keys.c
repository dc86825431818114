/* SPDX-License-Identifier: MIT */
#include "ui/controls/dialog-keys.h"

static gboolean
debugging_cb (GtkWindow *dialog,
              gboolean   toggles,
              gpointer   unused)
{
  /* What it returns stops nothing. */
  g_signal_stop_emission_by_name (dialog, "enable-debugging");
  return GDK_EVENT_STOP;
}

void
ui_dialog_share_keys (GtkWindow *dialog)
{
  GtkWindow *parent = gtk_window_get_transient_for (dialog);

  gtk_window_set_destroy_with_parent (dialog, TRUE);
  if (parent != NULL)
    gtk_window_set_application (dialog, gtk_window_get_application (parent));
  g_signal_connect (dialog, "enable-debugging", G_CALLBACK (debugging_cb), NULL);
}
