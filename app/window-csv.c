/* SPDX-License-Identifier: MIT */
/* A table that was found, as a file of a person's choice. */
#include "app/window-private.h"

#include <string.h>

#include "engine/file-writer.h"

static void
csv_cb (AppWindow            *self,
        int                   response,
        GtkFileChooserNative *chooser)
{
  const char *csv = g_object_get_data (G_OBJECT (chooser), "csv");
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;
  g_autofree char *sentence = NULL;
  g_autoptr (GError) error = NULL;

  if (response == GTK_RESPONSE_ACCEPT && path != NULL) {
    if (eng_file_write (path, csv, strlen (csv), &error))
      sentence = g_strdup_printf ("Saved %s", path);
    app_window_toast (self, error != NULL ? error->message : sentence);
  }
  g_object_unref (chooser);
}

void
app_window_save_csv (AppWindow  *self,
                     GtkWindow  *parent,
                     char       *csv,
                     const char *name)
{
  GtkFileChooserNative *chooser =
    gtk_file_chooser_native_new ("Save as CSV", parent, GTK_FILE_CHOOSER_ACTION_SAVE, NULL, NULL);

  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), name);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_object_set_data_full (G_OBJECT (chooser), "csv", csv, g_free);
  g_signal_connect_object (chooser, "response", G_CALLBACK (csv_cb), self, G_CONNECT_SWAPPED);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}
