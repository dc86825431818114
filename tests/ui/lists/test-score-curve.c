/* SPDX-License-Identifier: MIT */
/* The curves of heads: which is named, what the keys lead to, what a choice tells. */
#include "ui/lists/score-curve.h"

#include <math.h>

#include "tests/support/window/widget-driver.h"

/* Two layers of two heads at three steps. */
static const double steps[] = { 0, 100, 1200 };
static const float scores[] = {
  0.10f, 0.20f, 0.30f, 0.05f,
  0.15f, 0.10f, 0.40f, 0.60f,
  0.20f, 0.05f, 0.90f, 0.70f,
};
static const UiScoreLines lines = { "the word before", 3, steps, 4, 2, scores };

static void
assert_words (GtkWidget  *curve,
              const char *expected)
{
  g_autofree char *words = ui_score_curve_dup_words (UI_SCORE_CURVE (curve));

  g_assert_cmpstr (words, ==, expected);
}

static GtkWidget *
show (GtkWindow **window)
{
  GtkWidget *curve = g_object_new (UI_TYPE_SCORE_CURVE, NULL);

  ui_score_curve_set (UI_SCORE_CURVE (curve), &lines);
  *window = driver_show (curve, 300, 80);

  return curve;
}

static void
press (GtkWidget  *curve,
       const char *key)
{
  g_assert_true (driver_press_key (curve, key));
}

/* The strongest at the end, until the keys are elsewhere. */
static void
test_words (void)
{
  GtkWindow *window;
  GtkWidget *curve = show (&window);

  assert_words (curve, "head 1.0: 0.90 at step 1,200");
  press (curve, "Left");
  assert_words (curve, "head 1.0: 0.40 at step 100");
  press (curve, "Up");
  assert_words (curve, "head 1.1: 0.60 at step 100");
  press (curve, "Up");
  assert_words (curve, "head 1.1: 0.60 at step 100");
  press (curve, "Down");
  press (curve, "Down");
  assert_words (curve, "head 0.0: 0.15 at step 100");
  press (curve, "Down");
  assert_words (curve, "head 0.1: 0.10 at step 100");
  press (curve, "Left");
  press (curve, "Left");
  assert_words (curve, "head 0.1: 0.20 at step 0");
  gtk_window_destroy (window);
}

static void
chosen_cb (UiScoreCurve *curve,
           double        step,
           double       *chosen)
{
  *chosen = step;
}

static void
test_choice (void)
{
  GtkWindow *window;
  GtkWidget *curve = show (&window);
  double chosen = -1;

  g_signal_connect (curve, "step-chosen", G_CALLBACK (chosen_cb), &chosen);
  press (curve, "Left");
  press (curve, "Return");
  g_assert_cmpfloat (chosen, ==, 100);
  gtk_window_destroy (window);
}

/* What is pointed at stays as steps come; other lines begin anew. */
static void
test_more (void)
{
  const UiScoreLines fewer = { "the word before", 2, steps, 4, 2, scores };
  const float right[] = { 0.1f, NAN, 0.97f };
  const UiScoreLines one = { "answers that are right", 3, steps, 1, 0, right };
  GtkWindow *window;
  GtkWidget *curve = show (&window);

  ui_score_curve_set (UI_SCORE_CURVE (curve), &fewer);
  press (curve, "Left");
  assert_words (curve, "head 1.1: 0.05 at step 0");
  ui_score_curve_set (UI_SCORE_CURVE (curve), &lines);
  assert_words (curve, "head 1.1: 0.05 at step 0");
  ui_score_curve_set (UI_SCORE_CURVE (curve), &one);
  assert_words (curve, "answers that are right: 0.97 at step 1,200");
  gtk_window_destroy (window);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    return 77;
  g_test_add_func ("/score-curve/words", test_words);
  g_test_add_func ("/score-curve/choice", test_choice);
  g_test_add_func ("/score-curve/more", test_more);
  return g_test_run ();
}
