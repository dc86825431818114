/* SPDX-License-Identifier: MIT */
/* A test of edits in the real window. */
#pragma once

#include "tests/support/window/window-test.h"

#include "ui/controls/edit-chips.h"
#include "ui/lists/change-list.h"
#include "ui/scene/base/edit-words.h"

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
  const char *const *edits = (const char *const *) app_window_get_document (window)->edits;
  g_autofree char *text = g_strjoinv ("; ", app_window_get_document (window)->edits);
  int n_chips = 0;

  g_assert_cmpstr (text, ==, expected);
  for (int i = 0; edits[i] != NULL; i += ui_edit_count_together (edits + i))
    n_chips++;
  g_assert_cmpint (ui_edit_chips_get_n (get_chips (window)), ==, n_chips);
  g_assert_true (gtk_widget_get_visible (window_find (window, "edit_chips"))
                 == (*expected != '\0'));
}
