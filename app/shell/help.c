/* SPDX-License-Identifier: MIT */
#include "app/shell/help.h"

#include <adwaita.h>

#include "app/config.h"
#include "app/shell/help-window.h"
#include "app/shell/shortcuts-window.h"

static void
help_gone_cb (GObject *window)
{
  g_object_set_data (window, "headlight-help", NULL);
}

/* Read beside the window: one is enough. */
static void
show_help (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       data)
{
  GtkWidget *help = g_object_get_data (data, "headlight-help");

  if (help == NULL) {
    help = app_help_window_new (data);
    g_object_set_data (data, "headlight-help", help);
    g_signal_connect_object (help, "destroy", G_CALLBACK (help_gone_cb), data, G_CONNECT_SWAPPED);
  }
  gtk_window_present (GTK_WINDOW (help));
}

static void
show_shortcuts (GSimpleAction *action,
                GVariant      *parameter,
                gpointer       data)
{
  gtk_window_present (GTK_WINDOW (app_shortcuts_window_new (data)));
}

static void
about (GSimpleAction *action,
       GVariant      *parameter,
       gpointer       data)
{
  static const char comments[] =
    "What every attention head of a transformer looks at.\n\n"
    "The bundled model was trained on sentences of tatoeba.org (CC BY 2.0), through "
    "manythings.org.";
  GtkWidget *window = g_object_new (ADW_TYPE_ABOUT_WINDOW,
                                    "transient-for", data,
                                    "application-name", "Headlight",
                                    "application-icon", HEADLIGHT_APP_ID,
                                    "version", HEADLIGHT_VERSION,
                                    "license-type", GTK_LICENSE_MIT_X11,
                                    "comments", comments,
                                    NULL);

  gtk_window_present (GTK_WINDOW (window));
}

void
app_help_add_actions (GtkWindow *window)
{
  static const GActionEntry entries[] = {
    { "help", show_help },
    { "shortcuts", show_shortcuts },
    { "about", about },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (window), entries, G_N_ELEMENTS (entries), window);
}
