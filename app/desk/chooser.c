/* SPDX-License-Identifier: MIT */
/* Tables in files that a person chooses. */
#include "app/desk/desk.h"

#include <string.h>

#include "engine/base/file-writer.h"

typedef struct {
  AppDesk *desk;
  char    *csv;
} Table;

static void
csv_cb (GtkFileChooserNative *chooser,
        int                   response,
        Table                *table)
{
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;
  g_autofree char *sentence = NULL;
  g_autoptr (GError) error = NULL;

  if (response == GTK_RESPONSE_ACCEPT && path != NULL) {
    if (eng_file_write (path, table->csv, strlen (table->csv), &error))
      sentence = g_strdup_printf ("Saved %s", path);
    app_desk_toast (table->desk, error != NULL ? error->message : sentence);
  }
  g_object_unref (table->desk);
  g_free (table->csv);
  g_free (table);
  g_object_unref (chooser);
}

void
app_desk_save_csv (AppDesk    *self,
                   GtkWindow  *parent,
                   char       *csv,
                   const char *name)
{
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (
    "Save as CSV", parent != NULL ? parent : app_desk_get_window (self),
    GTK_FILE_CHOOSER_ACTION_SAVE, NULL, NULL);
  Table *table = g_new (Table, 1);

  *table = (Table) { g_object_ref (self), csv };
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), name);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect (chooser, "response", G_CALLBACK (csv_cb), table);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}
