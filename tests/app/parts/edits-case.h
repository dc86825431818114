/* SPDX-License-Identifier: MIT */
/* A test of edits in the real window. */
#pragma once

#include "tests/support/window/window-test.h"

#include "ui/controls/edit-chips.h"
#include "ui/lists/change-list.h"

static inline void
edit (AppWindow  *window,
      const char *text)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.edit", "s", text));
  wait_until (is_idle (window));
}

static inline GtkWidget *
find_changes (AppWindow *window)
{
  return driver_find (window_find (window, "inspector"), UI_TYPE_CHANGE_LIST, 0);
}

static inline UiEditChips *
get_chips (AppWindow *window)
{
  return UI_EDIT_CHIPS (window_find (window, "edit_chips"));
}

/* The list of all of them, as a person sees it. */
static inline void
open_chips (AppWindow *window)
{
  gtk_menu_button_popup (GTK_MENU_BUTTON (window_find (window, "more_edits")));
  driver_settle (GTK_WIDGET (window));
}

static inline void
assert_edits (AppWindow  *window,
              const char *expected)
{
  g_autofree char *edits = g_strjoinv ("; ", app_window_get_document (window)->edits);

  g_assert_cmpstr (edits, ==, expected);
  g_assert_cmpint (ui_edit_chips_get_n (get_chips (window)), ==,
                   (int) g_strv_length (app_window_get_document (window)->edits));
  g_assert_true (gtk_widget_get_visible (window_find (window, "edit_chips"))
                 == (*expected != '\0'));
}
