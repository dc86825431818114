/* SPDX-License-Identifier: MIT */
/* What the curves of a loss say in words, to the eye and to a screen reader. */
#include "ui/lists/loss-curve.h"

#include <locale.h>
#include <math.h>

#include "tests/support/window/widget-driver.h"

static const UiLossPoint points[] = {
  { 0, NAN, 5.5 }, { 10, 4.256, NAN }, { 20, 3.206, 3.4 }, { 30, 3.0, NAN },
};

static void
assert_newest (UiLossCurve *curve,
               const char  *expected)
{
  g_autofree char *words = ui_loss_curve_dup_newest (curve);

  g_assert_cmpstr (words, ==, expected);
}

static void
assert_description (UiLossCurve *curve,
                    const char  *expected)
{
  g_autofree char *wrong = gtk_test_accessible_check_property (
    GTK_ACCESSIBLE (curve), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, expected);

  g_assert_cmpstr (wrong, ==, NULL);
}

/* The last number of each line, though it is not of the last point; a point in every locale. */
static void
test_newest (void)
{
  g_autoptr (UiLossCurve) curve = g_object_ref_sink (g_object_new (UI_TYPE_LOSS_CURVE, NULL));

  assert_newest (curve, "");
  ui_loss_curve_set (curve, points, 1);
  assert_newest (curve, "held out 5.50");
  ui_loss_curve_set (curve, points, 2);
  assert_newest (curve, "loss 4.26 · held out 5.50");
  ui_loss_curve_set (curve, points, 4);
  assert_newest (curve, "loss 3.00 · held out 3.40");
  ui_loss_curve_set (curve, points + 1, 1);
  assert_newest (curve, "loss 4.26");
}

/* A screen reader hears what the eye reads beside the curves, and whose curve is in grey. */
static void
test_description (void)
{
  g_autoptr (UiLossCurve) curve = g_object_ref_sink (g_object_new (UI_TYPE_LOSS_CURVE, NULL));

  ui_loss_curve_set_former (curve, points, 4, "sorted");
  assert_description (curve, "in grey: sorted");
  ui_loss_curve_set (curve, points, 4);
  assert_description (curve, "loss 3.00 · held out 3.40; in grey: sorted");
  ui_loss_curve_set_former (curve, NULL, 0, NULL);
  assert_description (curve, "loss 3.00 · held out 3.40");
}

/* What is drawn, of one type, below the node. */
typedef void (*NodeFunc) (GskRenderNode *node,
                          gpointer       data);

static void
visit (GskRenderNode     *node,
       GskRenderNodeType  type,
       NodeFunc           func,
       gpointer           data)
{
  switch ((int) gsk_render_node_get_node_type (node)) {
  case GSK_CONTAINER_NODE:
    for (guint i = 0; i < gsk_container_node_get_n_children (node); i++)
      visit (gsk_container_node_get_child (node, i), type, func, data);
    break;
  case GSK_TRANSFORM_NODE:
    visit (gsk_transform_node_get_child (node), type, func, data);
    break;
  case GSK_CLIP_NODE:
    visit (gsk_clip_node_get_child (node), type, func, data);
    break;
  default:
    if (gsk_render_node_get_node_type (node) == type)
      func (node, data);
  }
}

static void
count_cb (GskRenderNode *node,
          gpointer       data)
{
  ++*(int *) data;
}

static void
right_cb (GskRenderNode *node,
          gpointer       data)
{
  float *right = data;
  graphene_rect_t bounds;

  gsk_render_node_get_bounds (node, &bounds);
  *right = MAX (*right, bounds.origin.x + bounds.size.width);
}

/* What the widget draws. (transfer full) */
static GskRenderNode *
draw (GtkWidget *curve,
      int        width)
{
  GtkWindow *window = driver_show (curve, width, 80);
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (curve);
  GtkSnapshot *snapshot = gtk_snapshot_new ();

  gdk_paintable_snapshot (paintable, snapshot, width, 80);
  gtk_window_destroy (window);

  return gtk_snapshot_free_to_node (snapshot);
}

/* What stands around the curves: both ends of both axes but one, and names. */
static int
count_words (int width)
{
  GtkWidget *curve = g_object_new (UI_TYPE_LOSS_CURVE, NULL);
  g_autoptr (GskRenderNode) node = NULL;
  int n = 0;

  ui_loss_curve_set (UI_LOSS_CURVE (curve), points, 4);
  ui_loss_curve_set_former (UI_LOSS_CURVE (curve), points, 4, "reverse-no-positions");
  node = draw (curve, width);
  visit (node, GSK_TEXT_NODE, count_cb, &n);

  return n;
}

/* Whose curve is in grey is named where it can be, if with dots at its end; never by some letters. */
static void
test_foot (void)
{
  const int axes = 3, names = 3;

  g_assert_cmpint (count_words (600), ==, axes + names);
  /* Dots are a text of their own. */
  g_assert_cmpint (count_words (240), ==, axes + names + 1);
  g_assert_cmpint (count_words (180), ==, axes + names - 1);
}

/* The mark of a step that has no point yet is within the axes, as everything is. */
static void
test_mark (void)
{
  GtkWidget *curve = g_object_new (UI_TYPE_LOSS_CURVE, NULL);
  g_autoptr (GskRenderNode) node = NULL;
  float right = 0;

  ui_loss_curve_set (UI_LOSS_CURVE (curve), points, 4);
  ui_loss_curve_set_shown (UI_LOSS_CURVE (curve), 45);
  node = draw (curve, 300);
  /* The rules of the axes and the mark. */
  visit (node, GSK_COLOR_NODE, right_cb, &right);
  g_assert_cmpfloat (right, >, 150);
  g_assert_cmpfloat (right, <=, 300);
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    return 77;

  g_test_add_func ("/loss-curve/newest", test_newest);
  g_test_add_func ("/loss-curve/description", test_description);
  g_test_add_func ("/loss-curve/foot", test_foot);
  g_test_add_func ("/loss-curve/mark", test_mark);

  return g_test_run ();
}
