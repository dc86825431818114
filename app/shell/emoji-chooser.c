/* SPDX-License-Identifier: MIT */
#include "app/shell/emoji-chooser.h"

#include <gtk/gtk.h>

/* GTK's own name for the chooser of an entry's text. */
#define DATA_KEY "gtk-emoji-chooser"

/* All at once are 80 ms. */
#define SLICE_US 4000

/* Takes emoji out of the boxes until the time is over. TRUE when there are more. */
static gboolean
take_out (GtkWidget *widget,
          gint64     end)
{
  GtkWidget *child = gtk_widget_get_first_child (widget);

  while (child != NULL) {
    GtkWidget *next = gtk_widget_get_next_sibling (child);

    if (g_get_monotonic_time () >= end)
      return TRUE;
    if (GTK_IS_FLOW_BOX (widget))
      gtk_flow_box_remove (GTK_FLOW_BOX (widget), child);
    else if (take_out (child, end))
      return TRUE;
    child = next;
  }

  return FALSE;
}

static gboolean
empty_cb (gpointer chooser)
{
  return take_out (chooser, g_get_monotonic_time () + SLICE_US);
}

static gboolean
drop_cb (gpointer data)
{
  GtkWidget *chooser = data;
  GtkWidget *text = gtk_widget_get_parent (chooser);

  if (text == NULL || gtk_widget_get_visible (chooser))
    return G_SOURCE_REMOVE;

  g_object_set_data (G_OBJECT (text), DATA_KEY, NULL);
  gtk_widget_unparent (chooser);
  g_idle_add_full (G_PRIORITY_LOW, empty_cb, g_object_ref (chooser), g_object_unref);
  return G_SOURCE_REMOVE;
}

/* What it chose is handed on while it closes. */
static void
closed_cb (GtkWidget *chooser)
{
  g_idle_add_full (G_PRIORITY_LOW, drop_cb, g_object_ref (chooser), g_object_unref);
}

static gboolean
mapped_cb (GSignalInvocationHint *hint,
           guint                  n_values,
           const GValue          *values,
           gpointer               unused)
{
  GObject *widget = g_value_get_object (values);

  if (GTK_IS_EMOJI_CHOOSER (widget)
      && g_signal_handler_find (widget, G_SIGNAL_MATCH_FUNC, 0, 0, NULL, closed_cb, NULL) == 0)
    g_signal_connect (widget, "closed", G_CALLBACK (closed_cb), NULL);
  return TRUE;
}

/* A key and a menu open it without a signal of the text's. */
void
app_emoji_chooser_init (void)
{
  static gulong hook;
  g_autoptr (GTypeClass) klass = g_type_class_ref (GTK_TYPE_WIDGET);

  if (hook == 0)
    hook = g_signal_add_emission_hook (g_signal_lookup ("map", GTK_TYPE_WIDGET), 0, mapped_cb,
                                       NULL, NULL);
}
