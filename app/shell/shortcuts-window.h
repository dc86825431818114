/* SPDX-License-Identifier: MIT */
/* The list that Ctrl+? shows: every line of the table of shortcuts (app/desk/shortcuts.h) below the
 * heading of its group, and an entry that finds lines by word, heading or key. It is one list and
 * no pages, as GtkShortcutsWindow deals long groups out to pages higher than a small screen. Main
 * thread. */
#pragma once

#include "app/shell/search-window.h"

G_BEGIN_DECLS

#define APP_TYPE_SHORTCUTS_WINDOW (app_shortcuts_window_get_type ())
G_DECLARE_FINAL_TYPE (AppShortcutsWindow, app_shortcuts_window, APP, SHORTCUTS_WINDOW,
                      AppSearchWindow)

/* Show it with gtk_window_present(). The lines that have no room at first come a few at a time. */
GtkWidget *app_shortcuts_window_new (GtkWindow *parent);

G_END_DECLS
