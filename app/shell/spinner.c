/* SPDX-License-Identifier: MIT */
#include "app/shell/spinner.h"

#define DELAY_MS 200
#define SOURCE   "headlight-spinner-source"

static void
remove_source (gpointer source)
{
  g_source_remove (GPOINTER_TO_UINT (source));
}

static gboolean
start_cb (gpointer spinner)
{
  g_object_steal_data (spinner, SOURCE);
  gtk_spinner_start (spinner);
  return G_SOURCE_REMOVE;
}

void
app_spinner_set_busy (GtkSpinner *spinner,
                      gboolean    is_busy)
{
  GObject *object = G_OBJECT (spinner);

  if (!is_busy) {
    g_object_set_data (object, SOURCE, NULL);
    gtk_spinner_stop (spinner);
  } else if (g_object_get_data (object, SOURCE) == NULL && !gtk_spinner_get_spinning (spinner)) {
    g_object_set_data_full (object, SOURCE,
                            GUINT_TO_POINTER (g_timeout_add (DELAY_MS, start_cb, spinner)),
                            remove_source);
  }
}
