/* SPDX-License-Identifier: MIT */
#include "app/emoji-chooser.h"

#include <gtk/gtk.h>

/* GTK's own name for the chooser of an entry's text. */
#define DATA_KEY "gtk-emoji-chooser"

static gboolean
drop_cb (gpointer data)
{
  GtkWidget *chooser = data;
  GtkWidget *text = gtk_widget_get_parent (chooser);

  if (text == NULL || gtk_widget_get_visible (chooser))
    return G_SOURCE_REMOVE;

  g_object_set_data (G_OBJECT (text), DATA_KEY, NULL);
  gtk_widget_unparent (chooser);
  return G_SOURCE_REMOVE;
}

/* What it chose is handed on while it closes. */
static void
closed_cb (GtkWidget *chooser)
{
  g_idle_add_full (G_PRIORITY_LOW, drop_cb, g_object_ref (chooser), g_object_unref);
}

static gboolean
watch_cb (gpointer data)
{
  GtkWidget *chooser = g_object_get_data (data, DATA_KEY);

  if (chooser != NULL
      && g_signal_handler_find (chooser, G_SIGNAL_MATCH_FUNC, 0, 0, NULL, closed_cb, NULL) == 0)
    g_signal_connect (chooser, "closed", G_CALLBACK (closed_cb), NULL);
  return G_SOURCE_REMOVE;
}

/* The chooser is made by the signal's own handler, which comes behind this. */
static gboolean
opens_cb (GSignalInvocationHint *hint,
          guint                  n_values,
          const GValue          *values,
          gpointer               unused)
{
  g_idle_add_full (G_PRIORITY_HIGH, watch_cb, g_value_dup_object (values), g_object_unref);
  return TRUE;
}

void
app_emoji_chooser_init (void)
{
  static gulong hook;
  g_autoptr (GTypeClass) klass = g_type_class_ref (GTK_TYPE_TEXT);

  if (hook == 0)
    hook = g_signal_add_emission_hook (g_signal_lookup ("insert-emoji", GTK_TYPE_TEXT), 0, opens_cb,
                                       NULL, NULL);
}
