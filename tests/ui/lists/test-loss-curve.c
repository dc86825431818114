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

  return g_test_run ();
}
