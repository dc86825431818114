/* SPDX-License-Identifier: MIT */
#include "ui/controls/steady-label.h"

#include "tests/support/window/widget-driver.h"

#define SHORT "one line"
#define LONG "a text that needs more than the one line that was there before it, and then some more"

static GtkWidget *
show (GtkWidget **label)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  *label = ui_steady_label_new ("dim-label");
  gtk_box_append (GTK_BOX (box), *label);
  ui_steady_label_set_text (UI_STEADY_LABEL (*label), SHORT);
  return GTK_WIDGET (driver_show (box, 200, 200));
}

/* Grows for more lines, and does not shrink again: what stands below it does not jump. */
static void
test_height (void)
{
  GtkWidget *label;
  GtkWidget *window = show (&label);
  const int one_line = gtk_widget_get_height (label);
  int lines;

  ui_steady_label_set_text (UI_STEADY_LABEL (label), LONG);
  driver_settle (label);
  lines = gtk_widget_get_height (label);
  g_assert_cmpint (lines, >=, 2 * one_line);
  ui_steady_label_set_text (UI_STEADY_LABEL (label), SHORT);
  driver_settle (label);
  g_assert_cmpint (gtk_widget_get_height (label), ==, lines);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* What was measured before it was hidden does not hold for another text. */
static void
test_hidden (void)
{
  GtkWidget *label;
  GtkWidget *window = show (&label);
  const int one_line = gtk_widget_get_height (label);

  gtk_widget_set_visible (label, FALSE);
  driver_settle (label);
  gtk_widget_set_visible (label, TRUE);
  ui_steady_label_set_text (UI_STEADY_LABEL (label), LONG);
  driver_settle (label);
  g_assert_cmpint (gtk_widget_get_height (label), >=, 2 * one_line);
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
count_cb (int *n)
{
  ++*n;
}

/* A text that fits where the last one was asks for no layout of the window. The display may ask for
 * one meanwhile, though not each time. */
static void
test_no_layout (void)
{
  static const char *const texts[] = { "two words", SHORT };
  GtkWidget *label;
  GtkWidget *window = show (&label);
  GdkFrameClock *clock = gtk_widget_get_frame_clock (window);
  int n_layouts = 1;

  driver_settle (label);
  g_signal_connect_swapped (clock, "layout", G_CALLBACK (count_cb), &n_layouts);
  for (int i = 0; i < 10 && n_layouts > 0; i++) {
    n_layouts = 0;
    ui_steady_label_set_text (UI_STEADY_LABEL (label), texts[i % 2]);
    driver_settle (label);
  }
  g_assert_cmpint (n_layouts, ==, 0);
  ui_steady_label_set_text (UI_STEADY_LABEL (label), LONG);
  driver_settle (label);
  g_assert_cmpint (n_layouts, >, 0);
  g_signal_handlers_disconnect_by_func (clock, count_cb, &n_layouts);
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_name (void)
{
  GtkWidget *label;
  GtkWidget *window = show (&label);

  gtk_test_accessible_assert_role (label, GTK_ACCESSIBLE_ROLE_LABEL);
  gtk_test_accessible_assert_property (label, GTK_ACCESSIBLE_PROPERTY_LABEL, SHORT);
  g_assert_cmpstr (ui_steady_label_get_text (UI_STEADY_LABEL (label)), ==, SHORT);
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  g_test_add_func ("/steady-label/height", test_height);
  g_test_add_func ("/steady-label/hidden", test_hidden);
  g_test_add_func ("/steady-label/no-layout", test_no_layout);
  g_test_add_func ("/steady-label/name", test_name);
  return g_test_run ();
}
