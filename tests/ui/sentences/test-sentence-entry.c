/* SPDX-License-Identifier: MIT */
#include "ui/sentences/sentence-marks.h"

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

/* Whether a tooltip is shown at a letter, and what a mark says there. */
static const char *
find_at (GtkTextView  *view,
         const GArray *marks,
         int           letter,
         gboolean     *is_shown)
{
  g_autoptr (GtkTooltip) tooltip = g_object_new (GTK_TYPE_TOOLTIP, NULL);
  GtkTextIter place;
  GdkRectangle rect;
  int x, y;

  gtk_text_buffer_get_iter_at_offset (gtk_text_view_get_buffer (view), &place, letter);
  gtk_text_view_get_iter_location (view, &place, &rect);
  gtk_text_view_buffer_to_window_coords (view, GTK_TEXT_WINDOW_WIDGET, rect.x + rect.width / 2,
                                         rect.y + rect.height / 2, &x, &y);
  g_signal_emit_by_name (view, "query-tooltip", x, y, FALSE, tooltip, is_shown);
  return ui_sentence_marks_find (view, marks, x, y);
}

/* What was found is said where it stands, and nowhere else. */
static void
test_marks (void)
{
  static const UiSentenceMark found[] = { { 4, 7, "NOUN" }, { 8, 13, "VERB" }, { 14, 16, NULL } };
  static const char expected[] = "....NNN.VVVVV.............";
  GtkWidget *entry = g_object_new (UI_TYPE_SENTENCE_ENTRY, "valign", GTK_ALIGN_START, NULL);
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof *found);
  GtkWindow *window;
  GtkTextView *view;

  g_array_append_vals (marks, found, G_N_ELEMENTS (found));
  gtk_editable_set_text (GTK_EDITABLE (entry), TEXT);
  window = driver_show (entry, 400, 300);
  view = GTK_TEXT_VIEW (driver_find (entry, GTK_TYPE_TEXT_VIEW, 0));
  ui_sentence_entry_set_marks (UI_SENTENCE_ENTRY (entry), found, G_N_ELEMENTS (found));
  driver_settle (entry);
  for (int letter = 0; expected[letter] != '\0'; letter++) {
    gboolean is_shown;
    const char *label = find_at (view, marks, letter, &is_shown);

    g_assert_cmpint (label != NULL ? label[0] : '.', ==, expected[letter]);
    g_assert_cmpint (is_shown, ==, label != NULL);
  }
  gtk_window_destroy (window);
}

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  g_test_add_func ("/ui/sentence-entry/height", test_height);
  g_test_add_func ("/ui/sentence-entry/marks", test_marks);
  return g_test_run ();
}
