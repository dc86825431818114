/* SPDX-License-Identifier: MIT */
/* A toolbar of any width: one line, and what gives way first. */
#include "ui/boxes/tool-row.h"

#include "tests/support/window/widget-driver.h"
#include "ui/controls/state-label.h"

typedef struct {
  UiToolRow    *row;
  UiStateLabel *label;
  GtkWidget    *optional;
} Fixture;

static const char ui[] =
  "<interface><object class='UiToolRow' id='row'>"
  "<child><object class='UiStateLabel' id='label'><property name='title'>Measure</property>"
  "</object></child>"
  "<child><object class='GtkBox'><property name='hexpand'>True</property></object></child>"
  "<child type='optional'><object class='GtkLabel' id='optional'>"
  "<property name='label'>Fit</property></object></child>"
  "<child><object class='GtkLabel'><property name='label'>end</property></object></child>"
  "</object></interface>";

/* What stands in the label, from the left. */
static gboolean
shows (Fixture *self,
       int      index)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->label));

  while (index-- > 0)
    child = gtk_widget_get_next_sibling (child);
  return gtk_widget_get_child_visible (child);
}

static int
get_width (GtkWidget *widget,
           gboolean   is_least)
{
  int minimum, natural;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &natural, NULL, NULL);
  return is_least ? minimum : natural;
}

static void
lay_out (Fixture *self,
         int      width)
{
  int height;

  gtk_widget_measure (GTK_WIDGET (self->row), GTK_ORIENTATION_VERTICAL, width, NULL, &height, NULL,
                      NULL);
  gtk_widget_allocate (GTK_WIDGET (self->row), width, height, -1, NULL);
}

/* The choice goes first, then what is optional, then the arrow; the name stays, and the end is at
 * the end. */
static void
test_order (Fixture       *self,
            gconstpointer  unused)
{
  const int all = get_width (GTK_WIDGET (self->row), FALSE);
  const int least = get_width (GTK_WIDGET (self->row), TRUE);
  gboolean had_state = TRUE, had_optional = TRUE, had_arrow = TRUE;

  g_assert_cmpint (least, <, all);
  for (int width = all + 100; width >= least; width--) {
    const gboolean has_state = shows (self, 1), has_arrow = shows (self, 2);
    const gboolean has_optional = gtk_widget_get_child_visible (self->optional);
    graphene_rect_t end;

    lay_out (self, width);
    g_assert_true (shows (self, 0));
    /* What went does not come back while it becomes narrower. */
    g_assert_true (had_optional || !has_optional);
    g_assert_true (had_arrow || !has_arrow);
    g_assert_true (has_arrow || !has_optional);
    g_assert_true (ui_tool_row_has_optional (self->row)
                   == gtk_widget_get_child_visible (self->optional));
    had_state = has_state, had_optional = has_optional, had_arrow = has_arrow;
    g_assert_true (gtk_widget_compute_bounds (
      gtk_widget_get_last_child (GTK_WIDGET (self->row)), GTK_WIDGET (self->row), &end));
    g_assert_cmpfloat_with_epsilon (end.origin.x + end.size.width, width, 1);
  }
  g_assert_false (had_state || had_optional || had_arrow);
}

/* All is said whatever has room, and nothing is. */
static void
test_text (Fixture       *self,
           gconstpointer  unused)
{
  const int wide = get_width (GTK_WIDGET (self->label), FALSE);

  g_assert_cmpstr (ui_state_label_get_text (self->label), ==, "Measure rollout");
  lay_out (self, get_width (GTK_WIDGET (self->row), TRUE));
  g_assert_cmpstr (ui_state_label_get_text (self->label), ==, "Measure rollout");
  ui_state_label_set_state (self->label, NULL);
  g_assert_cmpstr (ui_state_label_get_text (self->label), ==, "Measure");
  g_assert_cmpint (get_width (GTK_WIDGET (self->label), FALSE), <, wide);
}

/* Where room is kept for a digit, the first one moves nothing. */
static void
test_room (Fixture       *self,
           gconstpointer  unused)
{
  int wide;

  g_object_set (self->label, "room", 1, NULL);
  ui_state_label_set_state (self->label, NULL);
  wide = get_width (GTK_WIDGET (self->label), FALSE);
  ui_state_label_set_state (self->label, "5");
  g_assert_cmpint (get_width (GTK_WIDGET (self->label), FALSE), ==, wide);
}

/* A label has room for its state or keeps none free: the one behind it does not get half of it. */
static void
test_whole (Fixture       *self,
            gconstpointer  unused)
{
  GtkWidget *second = g_object_new (UI_TYPE_STATE_LABEL, "title", "Show", NULL);
  GtkWidget *label = GTK_WIDGET (self->label);
  int least;

  ui_state_label_set_state (UI_STATE_LABEL (second), "all of the links");
  gtk_widget_insert_after (second, GTK_WIDGET (self->row), label);
  least = get_width (GTK_WIDGET (self->row), TRUE);
  lay_out (self, least + get_width (label, FALSE) - get_width (label, TRUE) + 1);
  g_assert_cmpint (gtk_widget_get_width (label), ==, get_width (label, FALSE));
  g_assert_cmpint (gtk_widget_get_width (second), ==, get_width (second, TRUE) + 1);
}

static void
run (gconstpointer test)
{
  g_autoptr (GtkBuilder) builder = NULL;
  void (*body) (Fixture *, gconstpointer) = test;
  GtkWindow *window;
  Fixture self;

  g_type_ensure (UI_TYPE_TOOL_ROW);
  g_type_ensure (UI_TYPE_STATE_LABEL);
  builder = gtk_builder_new_from_string (ui, -1);
  self.row = UI_TOOL_ROW (gtk_builder_get_object (builder, "row"));
  self.label = UI_STATE_LABEL (gtk_builder_get_object (builder, "label"));
  self.optional = GTK_WIDGET (gtk_builder_get_object (builder, "optional"));
  ui_state_label_set_state (self.label, "rollout");
  window = driver_show (GTK_WIDGET (self.row), 500, 100);
  body (&self, NULL);
  gtk_window_destroy (window);
}

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  g_test_add_data_func ("/tool-row/order", (gconstpointer) test_order, run);
  g_test_add_data_func ("/tool-row/text", (gconstpointer) test_text, run);
  g_test_add_data_func ("/tool-row/room", (gconstpointer) test_room, run);
  g_test_add_data_func ("/tool-row/whole", (gconstpointer) test_whole, run);
  return g_test_run ();
}
