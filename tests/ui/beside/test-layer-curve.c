/* SPDX-License-Identifier: MIT */
/* Lines from layer to layer: what pointer and keys say of them, where they are drawn. */
#include "ui/beside/layer-curve.h"

#include "tests/support/window/widget-driver.h"

#define WIDTH 300
#define HEIGHT 120

static const UiLayerPoint points[] = {
  { UI_POINT_THROUGH, -1, 1, 0, "a start" },
  { UI_POINT_THROUGH, 0, 0.9, 0, "a layer 0" },
  { UI_POINT_THROUGH, 1, 0.8, 0, "a layer 1" },
  { UI_POINT_THROUGH, -1, 0.5, 0, "b start" },
  { UI_POINT_THROUGH, 0, 0.4, 0, "b layer 0" },
  { UI_POINT_THROUGH, 1, 0.3, 0, "b layer 1" },
};
static const UiLayerLines two = { "Two lines", "start to layer 1", 2, 3, points, 0, 1 };

static int n_aimed = 0;

static void
aimed_cb (GtkWidget *curve)
{
  n_aimed++;
}

static void
assert_words (GtkWidget  *curve,
              const char *expected)
{
  g_autofree char *words = ui_layer_curve_dup_words (UI_LAYER_CURVE (curve));

  g_assert_cmpstr (words, ==, expected);
}

static GtkWidget *
show (GtkWindow          **window,
      const UiLayerLines  *lines)
{
  GtkWidget *curve = g_object_new (UI_TYPE_LAYER_CURVE, NULL);

  ui_layer_curve_set (UI_LAYER_CURVE (curve), lines, UI_THEME_LIGHT);
  *window = driver_show (curve, WIDTH, HEIGHT);

  return curve;
}

/* Keys go along a line and to the next one; from nowhere they begin at one of its ends. */
static void
test_keys (void)
{
  GtkWindow *window;
  GtkWidget *curve = show (&window, &two);

  g_signal_connect (curve, "aimed", G_CALLBACK (aimed_cb), NULL);
  assert_words (curve, "start to layer 1");
  g_assert_cmpint (ui_layer_curve_get_aim (UI_LAYER_CURVE (curve)), ==, -1);
  driver_press_key (curve, "Left");
  assert_words (curve, "a layer 1");
  driver_press_key (curve, "Right");
  assert_words (curve, "a layer 1");
  g_assert_cmpint (n_aimed, ==, 1);
  driver_press_key (curve, "Down");
  driver_press_key (curve, "Down");
  assert_words (curve, "b layer 1");
  g_assert_cmpint (n_aimed, ==, 2);
  driver_press_key (curve, "Left");
  assert_words (curve, "b layer 0");
  driver_press_key (curve, "Up");
  assert_words (curve, "a layer 0");
  gtk_window_destroy (window);
}

/* The line that is nearest; away, none. Other lines than before forget where the pointer was. */
static void
test_pointer (void)
{
  GtkWindow *window;
  GtkWidget *curve = show (&window, &two);
  UiLayerLines one = two;

  driver_point_at (curve, WIDTH - 6, 5);
  assert_words (curve, "a layer 1");
  driver_point_at (curve, WIDTH - 6, HEIGHT - 25);
  assert_words (curve, "b layer 1");
  driver_point_away (curve);
  assert_words (curve, "start to layer 1");
  driver_point_at (curve, WIDTH - 6, 5);
  one.n_lines = 1;
  ui_layer_curve_set (UI_LAYER_CURVE (curve), &one, UI_THEME_LIGHT);
  assert_words (curve, "start to layer 1");
  /* One line leaves Up and Down to what it stands in. */
  g_assert_false (driver_press_key (curve, "Down"));
  gtk_window_destroy (window);
}

/* How many pixels of a band have much of the accent, which is blue on a grey ground. */
static int
count_accent (GtkWidget *curve,
              int        top,
              int        bottom)
{
  g_autoptr (GdkTexture) picture = driver_take_picture (curve);
  const int width = gdk_texture_get_width (picture), height = gdk_texture_get_height (picture);
  g_autofree guint32 *pixels = g_new (guint32, width * height);
  int n = 0;

  gdk_texture_download (picture, (guchar *) pixels, (gsize) width * 4);
  for (int y = top; y < MIN (bottom, height); y++)
    for (int x = 0; x < width; x++)
      n += (pixels[y * width + x] & 0xff) > (pixels[y * width + x] >> 16 & 0xff) + 60;

  return n;
}

/* A norm that the line goes through brings it down; one beside it leaves it where it is. */
static void
test_norms (void)
{
  UiLayerPoint norm[] = {
    { UI_POINT_THROUGH, 0, 10, 0, "sum" },
    { UI_POINT_JUMP, 0, 1, 10, "norm" },
    { UI_POINT_THROUGH, 0, 1, 0, "sum" },
    { UI_POINT_THROUGH, 0, 1, 0, "sum" },
  };
  UiLayerLines lines = { "A norm", "", 1, 4, norm, 0, 10 };
  GtkWindow *window;
  GtkWidget *curve = show (&window, &lines);
  const int middle = HEIGHT / 2;
  int above, below;

  above = count_accent (curve, 0, middle - 20);
  below = count_accent (curve, middle, HEIGHT);
  g_assert_cmpint (above, >, 0);
  g_assert_cmpint (below, >, above);

  norm[1].kind = UI_POINT_ASIDE;
  norm[2].value = norm[3].value = 10;
  ui_layer_curve_set (UI_LAYER_CURVE (curve), &lines, UI_THEME_LIGHT);
  driver_settle (curve);
  g_assert_cmpint (count_accent (curve, 0, middle - 20), >, above);
  g_assert_cmpint (count_accent (curve, middle, HEIGHT), <, below);
  gtk_window_destroy (window);
}

/* A norm of what is added is no place that the line goes through, wherever it stands. */
static void
test_branch (void)
{
  const UiLayerPoint branch[] = {
    { UI_POINT_THROUGH, 0, 10, 0, "reads" },
    { UI_POINT_APART, 0, 5, 0, "adds" },
    { UI_POINT_BRANCH, 0, 1, 5, "norm" },
    { UI_POINT_THROUGH, 0, 10, 0, "sum" },
  };
  const UiLayerLines lines = { "A branch", "", 1, 4, branch, 0, 10 };
  const int top = 10, middle = HEIGHT / 2;
  GtkWindow *window;
  GtkWidget *curve = show (&window, &lines);

  /* The line stays above, the number's dot is below, and between them is the tie alone. */
  g_assert_cmpint (count_accent (curve, 0, top), >, WIDTH / 2);
  g_assert_cmpint (count_accent (curve, top + 5, middle + 10), ==, 0);
  g_assert_cmpint (count_accent (curve, middle + 10, HEIGHT), >, 0);
  gtk_window_destroy (window);
}

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  g_test_add_func ("/layer-curve/keys", test_keys);
  g_test_add_func ("/layer-curve/pointer", test_pointer);
  g_test_add_func ("/layer-curve/norms", test_norms);
  g_test_add_func ("/layer-curve/branch", test_branch);

  return g_test_run ();
}
