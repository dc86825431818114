/* SPDX-License-Identifier: MIT */
#include "ui/lists/result-list.h"

#include "tests/support/wait.h"
#include "tests/support/window/widget-driver.h"

#define WIDTH 300
#define HEIGHT 300
#define N_RESULTS 60 /* more than are listed at once */
#define CHOSEN 40

typedef struct {
  GtkWindow    *window;
  UiResultList *list;
  GtkWidget    *view;
} Fixture;

/* With bars but for layer 1. */
static GArray *
results_new (int layer,
             int n)
{
  GArray *results = ui_result_list_new_array ();

  for (int i = 0; i < n; i++) {
    const UiResult result = {
      .name = g_strdup_printf ("%d.%d", layer, i),
      .number = layer == 1 ? NULL : g_strdup ("0.50"),
      .sentence = g_strdup_printf ("Head %d of layer %d", i, layer),
      .part = 0.5,
      .head = i % 4,
    };

    g_array_append_val (results, result);
  }
  return results;
}

static void
set_up (Fixture       *self,
        gconstpointer  unused)
{
  self->list = UI_RESULT_LIST (ui_result_list_new ("Heads"));
  self->window = driver_show (GTK_WIDGET (self->list), WIDTH, HEIGHT);
  self->view = driver_find (GTK_WIDGET (self->list), GTK_TYPE_LIST_VIEW, 0);
  ui_result_list_take (self->list, results_new (0, N_RESULTS));
  driver_settle (GTK_WIDGET (self->list));
}

static void
tear_down (Fixture       *self,
           gconstpointer  unused)
{
  g_object_ref (self->list);
  gtk_window_destroy (self->window);
  g_assert_finalize_object (self->list);
}

static GtkSelectionModel *
get_selection (Fixture *self)
{
  return gtk_list_view_get_model (GTK_LIST_VIEW (self->view));
}

/* All are listed, though not all at once. */
static void
test_rows (Fixture       *self,
           gconstpointer  unused)
{
  g_assert_cmpint (g_list_model_get_n_items (G_LIST_MODEL (get_selection (self))), ==, N_RESULTS);
}

static void
opened_cb (guint *opened,
           guint  index)
{
  *opened = index;
}

/* Other results on the same rows, whose widgets stay: what is too much goes bit by bit, says nothing
 * and cannot be opened. */
static void
test_other_results (Fixture       *self,
                    gconstpointer  unused)
{
  GListModel *rows = G_LIST_MODEL (get_selection (self));
  GtkWidget *first = gtk_widget_get_first_child (self->view);
  guint opened = GTK_INVALID_LIST_POSITION;

  g_signal_connect_swapped (self->list, "opened", G_CALLBACK (opened_cb), &opened);
  ui_result_list_select (self->list, CHOSEN);
  ui_result_list_take (self->list, results_new (1, 5));
  g_assert_true (gtk_single_selection_get_selected (GTK_SINGLE_SELECTION (rows))
                 == GTK_INVALID_LIST_POSITION);
  g_assert_cmpuint (g_list_model_get_n_items (rows), >, 5);
  g_signal_emit_by_name (self->view, "activate", 5);
  g_assert_cmpuint (opened, ==, GTK_INVALID_LIST_POSITION);
  g_signal_emit_by_name (self->view, "activate", 4);
  g_assert_cmpuint (opened, ==, 4);

  wait_until (g_list_model_get_n_items (rows) == 5);
  g_assert_true (gtk_widget_get_first_child (self->view) == first);
  wait_until (driver_find_label (first, "1.0") != NULL);
  ui_result_list_take (self->list, results_new (2, N_RESULTS));
  wait_until (g_list_model_get_n_items (rows) == N_RESULTS);
}

static void
count_cb (guint *n_changes)
{
  ++*n_changes;
}

/* Other colours, and nothing else: the rows, the chosen one and the place stay. */
static void
test_theme (Fixture       *self,
            gconstpointer  unused)
{
  GtkAdjustment *adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->view));
  g_autoptr (GdkTexture) light = NULL;
  g_autoptr (GdkTexture) dark = NULL;
  g_autoptr (GBytes) light_bytes = NULL;
  g_autoptr (GBytes) dark_bytes = NULL;
  guint n_changes = 0;
  double place;

  ui_result_list_select (self->list, CHOSEN);
  driver_settle (GTK_WIDGET (self->list));
  place = gtk_adjustment_get_value (adjustment);
  g_assert_cmpfloat (place, >, 0);
  light = driver_take_picture (GTK_WIDGET (self->list));
  g_signal_connect_swapped (get_selection (self), "items-changed", G_CALLBACK (count_cb),
                            &n_changes);

  ui_result_list_set_theme (self->list, UI_THEME_DARK);
  driver_settle (GTK_WIDGET (self->list));
  g_assert_cmpint (n_changes, ==, 0);
  g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), ==, place);
  g_assert_true (gtk_selection_model_is_selected (get_selection (self), CHOSEN));

  dark = driver_take_picture (GTK_WIDGET (self->list));
  light_bytes = gdk_texture_save_to_png_bytes (light);
  dark_bytes = gdk_texture_save_to_png_bytes (dark);
  g_assert_false (g_bytes_equal (light_bytes, dark_bytes));
}

#define ADD(path, test) \
  g_test_add ("/result-list/" path, Fixture, NULL, set_up, test, tear_down)

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  ADD ("rows", test_rows);
  ADD ("other-results", test_other_results);
  ADD ("theme", test_theme);
  return g_test_run ();
}
