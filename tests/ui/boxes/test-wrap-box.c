/* SPDX-License-Identifier: MIT */
#include "ui/boxes/wrap-box.h"

#include "tests/support/window/widget-driver.h"

#define HEIGHT 20

typedef struct {
  GtkWindow *window;
  GtkWidget *box;
  GtkWidget *children[3];
} Fixture;

/* Three children of 100, 150 and 200 px, at the start of a window of that width. */
static void
set_up (Fixture       *self,
        gconstpointer  width)
{
  static const int widths[] = { 100, 150, 200 };
  GtkWidget *column = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->box = g_object_new (UI_TYPE_WRAP_BOX, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (widths); i++) {
    self->children[i] = gtk_drawing_area_new ();
    gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (self->children[i]), widths[i]);
    gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (self->children[i]), HEIGHT);
    gtk_widget_set_parent (self->children[i], self->box);
  }
  gtk_box_append (GTK_BOX (column), self->box);
  self->window = driver_show (column, GPOINTER_TO_INT (width), 200);
}

static void
tear_down (Fixture       *self,
           gconstpointer  unused)
{
  g_object_ref (self->box);
  gtk_window_destroy (self->window);
  g_assert_finalize_object (self->box);
}

static graphene_rect_t
get_place (Fixture *self,
           int      child)
{
  graphene_rect_t place;

  g_assert_true (gtk_widget_compute_bounds (self->children[child], self->box, &place));
  return place;
}

/* All of it is in sight: nothing reaches out of the box. */
static void
assert_inside (Fixture *self)
{
  for (int i = 0; i < 3; i++) {
    graphene_rect_t place = get_place (self, i);

    if (!gtk_widget_get_visible (self->children[i]))
      continue;
    g_assert_cmpfloat (place.origin.x, >=, 0);
    g_assert_cmpfloat (place.origin.x + place.size.width, <=, gtk_widget_get_width (self->box));
    g_assert_cmpfloat (place.origin.y + place.size.height, <=, gtk_widget_get_height (self->box));
  }
}

static void
test_wide (Fixture       *self,
           gconstpointer  unused)
{
  assert_inside (self);
  g_assert_cmpint (gtk_widget_get_height (self->box), ==, HEIGHT);
  g_assert_cmpfloat (get_place (self, 1).origin.x, >=, 100);
  g_assert_cmpfloat (get_place (self, 2).origin.x, >=, 250);
}

/* One that can be smaller than it would be stays in its line before it begins another. */
static void
test_shrinks (Fixture       *self,
              gconstpointer  unused)
{
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL, "label", "Examples of what can be typed",
                                   "ellipsize", PANGO_ELLIPSIZE_END, NULL);
  graphene_rect_t place;

  gtk_widget_set_visible (self->children[2], FALSE);
  gtk_widget_set_parent (label, self->box);
  driver_settle (self->box);
  g_assert_true (gtk_widget_compute_bounds (label, self->box, &place));
  g_assert_cmpfloat (place.origin.y + place.size.height, <=, gtk_widget_get_height (self->box));
  g_assert_cmpfloat (place.origin.y, <, HEIGHT);
  g_assert_cmpfloat (place.origin.x, >=, 250);
}

/* Of two that can be smaller the last gives way, and the first keeps its width while that suffices. */
static void
test_shrinks_from_end (Fixture       *self,
                       gconstpointer  unused)
{
  GtkWidget *labels[2];
  int natural[2];

  for (gsize i = 0; i < G_N_ELEMENTS (labels); i++) {
    labels[i] = g_object_new (GTK_TYPE_LABEL, "label", i == 0 ? "Other" : "Examples of texts",
                              "ellipsize", PANGO_ELLIPSIZE_END, NULL);
    gtk_widget_measure (labels[i], GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural[i], NULL, NULL);
  }
  gtk_widget_set_visible (self->children[2], FALSE);
  gtk_widget_insert_before (labels[0], self->box, self->children[0]);
  gtk_widget_set_parent (labels[1], self->box);
  driver_settle (self->box);
  g_assert_cmpint (gtk_widget_get_height (self->box), <, 2 * HEIGHT);
  g_assert_cmpint (gtk_widget_get_width (labels[0]), ==, natural[0]);
  g_assert_cmpint (gtk_widget_get_width (labels[1]), <, natural[1]);
}

static void
test_narrow (Fixture       *self,
             gconstpointer  unused)
{
  assert_inside (self);
  g_assert_cmpfloat (get_place (self, 1).origin.y, ==, 0);
  g_assert_cmpfloat (get_place (self, 2).origin.x, ==, 0);
  g_assert_cmpfloat (get_place (self, 2).origin.y, >=, HEIGHT);

  /* What is hidden takes no place. */
  gtk_widget_set_visible (self->children[1], FALSE);
  driver_settle (self->box);
  g_assert_cmpfloat (get_place (self, 2).origin.y, >=, HEIGHT);
  gtk_widget_set_visible (self->children[0], FALSE);
  driver_settle (self->box);
  g_assert_cmpfloat (get_place (self, 2).origin.y, ==, 0);
  g_assert_cmpint (gtk_widget_get_height (self->box), ==, HEIGHT);
}

static void
test_mirrored (Fixture       *self,
               gconstpointer  unused)
{
  gtk_widget_set_direction (self->box, GTK_TEXT_DIR_RTL);
  driver_settle (self->box);
  assert_inside (self);
  g_assert_cmpfloat (get_place (self, 0).origin.x, >, get_place (self, 1).origin.x);
  g_assert_cmpfloat (get_place (self, 2).origin.y, >=, HEIGHT);
}

/* Of what is left free of a line those that expand have the same part each. */
static void
test_expand (Fixture       *self,
             gconstpointer  unused)
{
  const int free = gtk_widget_get_width (self->box) - 450
                   - (int) (get_place (self, 2).origin.x - 250);

  g_assert_cmpint (free, >, 100);
  gtk_widget_set_hexpand (self->children[0], TRUE);
  gtk_widget_set_hexpand (self->children[2], TRUE);
  driver_settle (self->box);
  assert_inside (self);
  g_assert_cmpfloat (get_place (self, 0).size.width, ==, 100 + free / 2);
  g_assert_cmpfloat (get_place (self, 1).size.width, ==, 150);
  g_assert_cmpfloat (get_place (self, 2).size.width, ==, 200 + free / 2);
}

#define ADD(name, width, func)                                                             \
  g_test_add ("/wrap-box/" name, Fixture, GINT_TO_POINTER (width), set_up, func, tear_down)

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  ADD ("wide", 500, test_wide);
  ADD ("expand", 700, test_expand);
  ADD ("narrow", 300, test_narrow);
  ADD ("mirrored", 300, test_mirrored);
  ADD ("shrinks", 340, test_shrinks);
  ADD ("shrinks-from-end", 360, test_shrinks_from_end);

  return g_test_run ();
}
