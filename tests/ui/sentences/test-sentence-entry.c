/* SPDX-License-Identifier: MIT */
#include "ui/sentences/sentence-entry.h"

#include "tests/support/window/widget-driver.h"

#define TEXT "The dog slept on the grass"
#define NARROWEST 100
#define WIDEST 220

/* The text is never higher than what it got, at whatever width a line just ends. */
static void
test_height (void)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *entry = g_object_new (UI_TYPE_SENTENCE_ENTRY, "valign", GTK_ALIGN_START, NULL);
  GtkWidget *rest = g_object_new (GTK_TYPE_BOX, "hexpand", TRUE, NULL);
  GtkWindow *window;
  GtkTextView *view;
  int highest = 0;

  gtk_box_append (GTK_BOX (row), entry);
  gtk_box_append (GTK_BOX (row), rest);
  gtk_editable_set_text (GTK_EDITABLE (entry), TEXT);
  window = driver_show (row, 400, 300);
  view = GTK_TEXT_VIEW (driver_find (entry, GTK_TYPE_TEXT_VIEW, 0));
  for (int width = NARROWEST; width <= WIDEST; width++) {
    GtkTextIter end;
    GdkRectangle last;

    gtk_widget_set_size_request (entry, width, -1);
    driver_settle (entry);
    gtk_text_buffer_get_end_iter (gtk_text_view_get_buffer (view), &end);
    gtk_text_view_get_iter_location (view, &end, &last);
    g_assert_cmpint (last.y + last.height, <=, gtk_widget_get_height (GTK_WIDGET (view)));
    if (width == NARROWEST)
      highest = gtk_widget_get_height (entry);
  }
  g_assert_cmpint (gtk_widget_get_height (entry), <, highest);
  gtk_window_destroy (window);
}

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  g_test_add_func ("/ui/sentence-entry/height", test_height);
  return g_test_run ();
}
