/* SPDX-License-Identifier: MIT */
/* A row of a number tells what a person chose, in the words of its field, and nothing of what it is
 * told itself. */
#include "ui/controls/number-row.h"

#include "tests/support/window/widget-driver.h"

static const UiNumberSpec plain = { "if-temperature", "Temperature", "Surer below 1", 0.05, 20, 0.05, 2 };
static const UiNumberSpec optional = { "if-dimension", "Dimension off", "One is 0", 0, 9, 1, 0, TRUE, 3,
                                       "Nothing has dimensions" };

typedef struct {
  UiNumberRow   *row;
  GtkSpinButton *spin;
  GtkWidget     *check;     /* NULL = none */
  int            n_changes;
} Row;

static void
count_cb (Row *row)
{
  row->n_changes++;
}

static void
row_init (Row                *row,
          const UiNumberSpec *spec)
{
  g_autoptr (GtkSizeGroup) group = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
  GtkWidget *widget = g_object_ref_sink (ui_number_row_new (spec, group));

  *row = (Row) { .row = UI_NUMBER_ROW (widget) };
  row->spin = GTK_SPIN_BUTTON (driver_find (widget, GTK_TYPE_SPIN_BUTTON, 0));
  row->check = spec->has_check ? driver_find (widget, GTK_TYPE_CHECK_BUTTON, 0) : NULL;
  g_signal_connect_swapped (row->row, "changed", G_CALLBACK (count_cb), row);
}

static void
assert_text (const Row  *row,
             const char *expected)
{
  g_autofree char *text = ui_number_row_dup_text (row->row);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_plain (void)
{
  Row row;

  row_init (&row, &plain);
  ui_number_row_set (row.row, 1, FALSE, TRUE);
  g_assert_cmpint (row.n_changes, ==, 0);
  g_assert_true (gtk_widget_get_sensitive (GTK_WIDGET (row.spin)));
  gtk_spin_button_set_value (row.spin, 0.5);
  g_assert_cmpint (row.n_changes, ==, 1);
  g_assert_cmpstr (ui_number_row_get_field (row.row), ==, "if-temperature");
  assert_text (&row, "0.50");
  ui_number_row_set (row.row, 1, FALSE, FALSE);
  g_assert_false (gtk_widget_get_sensitive (GTK_WIDGET (row.spin)));
  ui_number_row_set (row.row, 2, TRUE, FALSE);
  g_assert_true (gtk_widget_get_sensitive (GTK_WIDGET (row.spin)));
  g_assert_cmpint (row.n_changes, ==, 1);
  g_object_unref (row.row);
}

/* What is unset shows the model's number, and is first set to one of its own. */
static void
test_optional (void)
{
  Row row;

  row_init (&row, &optional);
  ui_number_row_set (row.row, 7, FALSE, TRUE);
  g_assert_false (gtk_widget_get_sensitive (GTK_WIDGET (row.spin)));
  g_assert_cmpstr (gtk_widget_get_tooltip_text (GTK_WIDGET (row.spin)), ==,
                   "Choose “Dimension off” first");
  /* What would change nothing is not to be chosen first. */
  ui_number_row_set (row.row, 7, FALSE, FALSE);
  g_assert_cmpstr (gtk_widget_get_tooltip_text (GTK_WIDGET (row.spin)), ==,
                   "Nothing has dimensions");
  g_assert_cmpstr (gtk_widget_get_tooltip_text (row.check), ==, "Nothing has dimensions");
  ui_number_row_set (row.row, 7, FALSE, TRUE);
  g_assert_cmpstr (gtk_widget_get_tooltip_text (row.check), ==, "One is 0");
  assert_text (&row, "");
  gtk_check_button_set_active (GTK_CHECK_BUTTON (row.check), TRUE);
  g_assert_cmpint (row.n_changes, ==, 1);
  assert_text (&row, "3");
  ui_number_row_set (row.row, 3, TRUE, TRUE);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (row.check), FALSE);
  g_assert_cmpint (row.n_changes, ==, 2);
  assert_text (&row, "");
  ui_number_row_set (row.row, 9, TRUE, TRUE);
  ui_number_row_set_max (row.row, 4);
  g_assert_cmpint (row.n_changes, ==, 2);
  assert_text (&row, "4");
  g_object_unref (row.row);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    return 77;

  g_test_add_func ("/number-row/plain", test_plain);
  g_test_add_func ("/number-row/optional", test_optional);
  return g_test_run ();
}
