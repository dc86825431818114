/* SPDX-License-Identifier: MIT */
#include "ui/boxes/sight-box.h"

#include "tests/support/window/widget-driver.h"

#define N_CHILDREN 10
#define HEIGHT     100

typedef struct {
  GtkWindow *window;
  GtkWidget *scroller; /* three children high; NULL = none */
  int        n_drawn[N_CHILDREN];
} Fixture;

static void
draw_cb (GtkDrawingArea *area,
         cairo_t        *cr,
         int             width,
         int             height,
         gpointer        n_drawn)
{
  ++*(int *) n_drawn;
}

static void
set_up (Fixture       *self,
        gconstpointer  is_scrolled)
{
  GtkWidget *box = g_object_new (UI_TYPE_SIGHT_BOX, "orientation", GTK_ORIENTATION_VERTICAL, NULL);

  for (int i = 0; i < N_CHILDREN; i++) {
    GtkWidget *child = gtk_drawing_area_new ();

    gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (child), HEIGHT);
    gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (child), draw_cb, &self->n_drawn[i], NULL);
    gtk_box_append (GTK_BOX (box), child);
  }
  if (GPOINTER_TO_INT (is_scrolled)) {
    self->scroller = gtk_scrolled_window_new ();
    gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), box);
  }
  self->window = driver_show (self->scroller != NULL ? self->scroller : box, 200, 3 * HEIGHT);
}

static void
tear_down (Fixture       *self,
           gconstpointer  unused)
{
  gtk_window_destroy (self->window);
}

/* Drawn once, so that a frame without a change draws nothing again. */
static void
assert_drawn (Fixture *self,
              int      first,
              int      end)
{
  for (int i = 0; i < N_CHILDREN; i++)
    g_assert_cmpint (self->n_drawn[i], ==, i >= first && i < end);
}

static void
test_scrolling (Fixture       *self,
                gconstpointer  unused)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (
    GTK_SCROLLED_WINDOW (self->scroller));

  assert_drawn (self, 0, 3);
  gtk_adjustment_set_value (adjustment, 2.5 * HEIGHT);
  driver_settle (GTK_WIDGET (self->window));
  assert_drawn (self, 0, 6);
  gtk_adjustment_set_value (adjustment, N_CHILDREN * HEIGHT);
  driver_settle (GTK_WIDGET (self->window));
  g_assert_cmpint (self->n_drawn[6], ==, 0);
  g_assert_cmpint (self->n_drawn[7], ==, 1);
  g_assert_cmpint (self->n_drawn[9], ==, 1);
}

static void
test_growing (Fixture       *self,
              gconstpointer  unused)
{
  gtk_window_set_default_size (self->window, 200, 5 * HEIGHT);
  driver_settle (GTK_WIDGET (self->window));
  g_assert_cmpint (self->n_drawn[4], ==, 1);
  g_assert_cmpint (self->n_drawn[5], ==, 0);
}

static void
test_no_scroller (Fixture       *self,
                  gconstpointer  unused)
{
  assert_drawn (self, 0, N_CHILDREN);
}

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  g_test_add ("/sight-box/scrolling", Fixture, GINT_TO_POINTER (TRUE), set_up, test_scrolling,
              tear_down);
  g_test_add ("/sight-box/growing", Fixture, GINT_TO_POINTER (TRUE), set_up, test_growing,
              tear_down);
  g_test_add ("/sight-box/no-scroller", Fixture, GINT_TO_POINTER (FALSE), set_up, test_no_scroller,
              tear_down);
  return g_test_run ();
}
