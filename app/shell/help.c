/* SPDX-License-Identifier: MIT */
#include "app/shell/help.h"

#include <adwaita.h>

#include "app/config.h"
#include "app/shell/shortcuts-window.h"

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
    { "shortcuts", show_shortcuts },
    { "about", about },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (window), entries, G_N_ELEMENTS (entries), window);
}
