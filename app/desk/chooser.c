/* SPDX-License-Identifier: MIT */
/* Files and folders that a person chooses. */
#include "app/desk/desk.h"

#include <string.h>

#include "engine/base/file-writer.h"

#define LINGER_MS 5000

typedef struct {
  GtkFileChooserNative *chooser;
  GObject              *owner;
  AppChosen             chosen;
  gpointer              data;
  GDestroyNotify        free_data;
} Choice;

/* The dialog goes at once from sight and later from memory: in GTK 4.18 the bar of its folders is
 * written to by what it was still reading (gtkpathbar.c, gtk_path_bar_set_file_finish). */
static void
choice_free (Choice *choice)
{
  if (choice->free_data != NULL)
    choice->free_data (choice->data);
  gtk_native_dialog_destroy (GTK_NATIVE_DIALOG (choice->chooser));
  g_timeout_add_once (LINGER_MS, g_object_unref, choice->chooser);
  g_free (choice);
}

static void
owner_gone_cb (gpointer  data,
               GObject  *owner)
{
  choice_free (data);
}

static void
response_cb (Choice *choice,
             int     response)
{
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (choice->chooser));
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;

  g_object_weak_unref (choice->owner, owner_gone_cb, choice);
  if (response == GTK_RESPONSE_ACCEPT && path != NULL) {
    choice->free_data = NULL;
    choice->chosen (choice->owner, path, choice->data);
  }
  choice_free (choice);
}

static void
add_filter (GtkFileChooser *chooser,
            const char     *name,
            const char     *endings)
{
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();
  g_auto (GStrv) parts = g_strsplit (endings, " ", -1);

  gtk_file_filter_set_name (filter, name);
  for (int i = 0; parts[i] != NULL; i++)
    gtk_file_filter_add_suffix (filter, parts[i]);
  gtk_file_chooser_add_filter (chooser, filter);
}

static GtkFileChooserNative *
chooser_new (const AppFileQuestion *question,
             GtkWindow             *parent)
{
  GtkFileChooserNative *chooser =
    gtk_file_chooser_native_new (question->title, parent, question->action, NULL, NULL);

  if (question->name != NULL)
    gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), question->name);
  for (guint i = 0; i < G_N_ELEMENTS (question->filters) && question->filters[i].name != NULL; i++)
    add_filter (GTK_FILE_CHOOSER (chooser), question->filters[i].name,
                question->filters[i].endings);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);

  return chooser;
}

void
app_desk_choose_file (AppDesk               *self,
                      const AppFileQuestion *question,
                      gpointer               owner,
                      AppChosen              chosen,
                      gpointer               data,
                      GDestroyNotify         free_data)
{
  GtkWindow *parent = question->parent != NULL ? question->parent : app_desk_get_window (self);
  Choice *choice = g_new (Choice, 1);

  *choice = (Choice) { chooser_new (question, parent), owner, chosen, data, free_data };
  g_object_weak_ref (owner, owner_gone_cb, choice);
  g_signal_connect_swapped (choice->chooser, "response", G_CALLBACK (response_cb), choice);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (choice->chooser));
}

static void
csv_chosen_cb (gpointer    owner,
               const char *path,
               gpointer    data)
{
  g_autofree char *csv = data;
  g_autofree char *sentence = g_strdup_printf ("Saved %s", path);
  g_autoptr (GError) error = NULL;

  if (eng_file_write (path, csv, strlen (csv), &error))
    app_desk_tell (owner, sentence);
  else
    app_desk_toast (owner, error->message);
}

void
app_desk_save_csv (AppDesk    *self,
                   GtkWindow  *parent,
                   char       *csv,
                   const char *name)
{
  AppFileQuestion question = { "Save as CSV", GTK_FILE_CHOOSER_ACTION_SAVE, name,
                               .parent = parent };

  app_desk_choose_file (self, &question, self, csv_chosen_cb, csv, g_free);
}
