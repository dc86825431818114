/* SPDX-License-Identifier: MIT */
#include "ui/lists/change-row.h"

#include <string.h>

#include "tests/support/window/widget-driver.h"

static GtkWindow *
show (const char *name,
      int         width,
      GtkWidget **row)
{
  const UiChangeRowTexts texts = {
    name, "0.50", "0.25", "−0.25", "", FALSE, name, -0.25, 1, { 0 }
  };
  GtkWindow *window;

  *row = ui_change_row_new ();
  ui_change_row_set (UI_CHANGE_ROW (*row), &texts);
  window = driver_show (*row, width, 40);
  driver_settle (*row);
  return window;
}

/* A name that has no room keeps its ends and its number; with room it is whole. */
static void
test_long_name (void)
{
  static const char *const name = "institutionalization 128";
  GtkWidget *row;
  GtkWindow *window = show (name, 260, &row);
  const char *drawn = ui_change_row_get_name (UI_CHANGE_ROW (row));

  g_assert_true (g_str_has_prefix (drawn, "in"));
  g_assert_nonnull (strstr (drawn, "…"));
  g_assert_true (g_str_has_suffix (drawn, " 128"));
  gtk_window_destroy (window);

  window = show (name, 900, &row);
  g_assert_cmpstr (ui_change_row_get_name (UI_CHANGE_ROW (row)), ==, name);
  gtk_window_destroy (window);
}

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  g_test_add_func ("/change-row/long-name", test_long_name);
  return g_test_run ();
}
