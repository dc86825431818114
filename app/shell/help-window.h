/* SPDX-License-Identifier: MIT */
/* The page that F1 shows: resources/help.txt, whose lines are paragraphs, "# " begins a heading,
 * and {win.undo} stands for the keys of an action as the table of shortcuts has them. The entry leaves
 * the paragraphs that have all its words, below their headings. Main thread. */
#pragma once

#include "app/shell/search-window.h"

G_BEGIN_DECLS

#define APP_TYPE_HELP_WINDOW (app_help_window_get_type ())
G_DECLARE_FINAL_TYPE (AppHelpWindow, app_help_window, APP, HELP_WINDOW, AppSearchWindow)

/* Show it with gtk_window_present(). */
GtkWidget *app_help_window_new (GtkWindow *parent);

G_END_DECLS
