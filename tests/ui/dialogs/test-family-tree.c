/* SPDX-License-Identifier: MIT */
/* Where the parts of the tree stand for any width, and what its leaves do. */
#include "ui/dialogs/family-tree.h"

#include "tests/support/wait.h"
#include "tests/support/window/widget-driver.h"
#include "ui/dialogs/family-tree-layout.h"

#define WIDTH 1100
#define HEIGHT 600

static const UiTreeSizes sizes = {
  .root_width = 140, .root_height = 26, .heading_width = 90, .heading_height = { 34, 40, 34 },
  .leaf_width = 150, .leaf_height = 30, .n_leaves = { 12, 17, 6 },
};

static gboolean
overlap (const UiTreePlace *a,
         const UiTreePlace *b)
{
  return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height
         && b->y < a->y + a->height;
}

/* The root, the names, all leaves. */
static GArray *
place_all (const UiTreeShape *shape,
           int                width)
{
  GArray *places = g_array_new (FALSE, FALSE, sizeof (UiTreePlace));
  UiTreePlace place = ui_tree_place_root (&sizes, shape, width);

  g_array_append_val (places, place);
  for (int branch = 0; branch < ENG_N_BRANCHES; branch++) {
    place = ui_tree_place_heading (&sizes, shape, width, (EngBranch) branch);
    g_array_append_val (places, place);
    for (int i = 0; i < sizes.n_leaves[branch]; i++) {
      place = ui_tree_place_leaf (&sizes, shape, width, (EngBranch) branch, i);
      g_array_append_val (places, place);
    }
  }
  return places;
}

static void
check_width (int width)
{
  const UiTreeShape shape = ui_tree_find_shape (&sizes, width);
  const int height = ui_tree_get_height (&sizes, &shape);
  g_autoptr (GArray) places = place_all (&shape, width);

  for (guint i = 0; i < places->len; i++) {
    const UiTreePlace *place = &g_array_index (places, UiTreePlace, i);

    g_assert_cmpint (place->x, >=, 0);
    g_assert_cmpint (place->x + place->width, <=, width);
    g_assert_cmpint (place->y + place->height, <=, height);
    for (guint j = 0; j < i; j++)
      g_assert_false (overlap (place, &g_array_index (places, UiTreePlace, j)));
  }
  /* No leaf covers its stem. */
  for (int branch = 0; branch < ENG_N_BRANCHES; branch++) {
    const double stem = ui_tree_get_stem (&sizes, &shape, width, (EngBranch) branch);

    for (int i = 0; i < sizes.n_leaves[branch]; i++) {
      const UiTreePlace leaf = ui_tree_place_leaf (&sizes, &shape, width, (EngBranch) branch, i);

      g_assert_true (leaf.x > stem || leaf.x + leaf.width < stem);
    }
  }
}

static void
test_places (void)
{
  for (int width = ui_tree_get_least_width (&sizes); width <= 1600; width++)
    check_width (width);
}

/* As wide as there is room for, and lower the wider. */
static void
test_shapes (void)
{
  const int full = ui_tree_get_full_width (&sizes);
  const UiTreeShape wide = ui_tree_find_shape (&sizes, full);
  const UiTreeShape less = ui_tree_find_shape (&sizes, full - 1);
  const UiTreeShape narrow = ui_tree_find_shape (&sizes, 400);
  const UiTreeShape least = ui_tree_find_shape (&sizes, ui_tree_get_least_width (&sizes));

  g_assert_true (!wide.is_stacked && wide.n_columns == 2);
  g_assert_true (!less.is_stacked && less.n_columns == 1);
  g_assert_true (narrow.is_stacked && narrow.n_columns == 2);
  g_assert_true (least.is_stacked && least.n_columns == 1);
  g_assert_cmpint (ui_tree_get_height (&sizes, &wide), <, ui_tree_get_height (&sizes, &less));
  g_assert_cmpint (ui_tree_get_height (&sizes, &less), <, ui_tree_get_height (&sizes, &narrow));
  g_assert_cmpint (ui_tree_get_height (&sizes, &narrow), <, ui_tree_get_height (&sizes, &least));
}

/* The widget. */

static int
find_family (const char *model_type)
{
  for (int i = 0; i < eng_family_get_n_families (); i++)
    if (g_str_equal (eng_family_get_nth (i)->model_type, model_type))
      return i;
  g_assert_not_reached ();
}

static void
activated_cb (UiFamilyTree *tree,
              int           family,
              GtkWidget    *leaf,
              int          *activated)
{
  g_assert_true (leaf == ui_family_tree_get_leaf (tree, family));
  *activated = family;
}

static graphene_rect_t
get_bounds (UiFamilyTree *tree,
            int           family)
{
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (ui_family_tree_get_leaf (tree, family),
                                            GTK_WIDGET (tree), &bounds));
  return bounds;
}

/* Each is in sight under its name and says which it is when it is pressed. */
static void
test_leaves (void)
{
  UiFamilyTree *tree = UI_FAMILY_TREE (ui_family_tree_new ());
  GtkWindow *window = driver_show (GTK_WIDGET (tree), WIDTH, HEIGHT);
  int activated = -1;

  g_signal_connect (tree, "leaf-activated", G_CALLBACK (activated_cb), &activated);
  for (int i = 0; i < eng_family_get_n_families (); i++) {
    GtkWidget *leaf = ui_family_tree_get_leaf (tree, i);

    g_assert_true (driver_shows_text (leaf, eng_family_get_nth (i)->title));
    g_signal_emit_by_name (leaf, "clicked");
    g_assert_cmpint (activated, ==, i);
  }
  /* The branches stand from left to right, older families above younger ones. */
  g_assert_true (get_bounds (tree, find_family ("bert")).origin.x
                 < get_bounds (tree, find_family ("llama")).origin.x);
  g_assert_true (get_bounds (tree, find_family ("llama")).origin.x
                 < get_bounds (tree, find_family ("t5")).origin.x);
  g_assert_true (get_bounds (tree, find_family ("bert")).origin.y
                 < get_bounds (tree, find_family ("modernbert")).origin.y);
  gtk_window_destroy (window);
}

static void
test_states (void)
{
  UiFamilyTree *tree = UI_FAMILY_TREE (ui_family_tree_new ());
  GtkWindow *window = driver_show (GTK_WIDGET (tree), WIDTH, HEIGHT);
  GtkWidget *bert = ui_family_tree_get_leaf (tree, find_family ("bert"));
  GtkWidget *gpt2 = ui_family_tree_get_leaf (tree, find_family ("gpt2"));

  g_assert_false (gtk_widget_has_css_class (bert, "here"));
  ui_family_tree_set_here (tree, find_family ("bert"), 2);
  ui_family_tree_set_open (tree, find_family ("bert"));
  g_assert_true (gtk_widget_has_css_class (bert, "here"));
  g_assert_true (gtk_widget_has_css_class (bert, "open"));
  g_assert_cmpstr (gtk_widget_get_tooltip_text (bert), ==,
                   "BERT, 2018: of the open model; 2 models on this computer");
  ui_family_tree_set_open (tree, find_family ("gpt2"));
  g_assert_false (gtk_widget_has_css_class (bert, "open"));
  g_assert_true (gtk_widget_has_css_class (gpt2, "open"));
  g_assert_cmpstr (gtk_widget_get_tooltip_text (gpt2), ==,
                   "GPT-2, 2019: of the open model; none on this computer");
  driver_settle (GTK_WIDGET (tree));
  gtk_window_destroy (window);
}

/* Tab comes to the open model's leaf, arrows go on from there. */
static void
test_keys (void)
{
  UiFamilyTree *tree = UI_FAMILY_TREE (ui_family_tree_new ());
  GtkWindow *window = driver_show (GTK_WIDGET (tree), WIDTH, HEIGHT);
  graphene_rect_t before, after;
  GtkWidget *below;

  gtk_window_set_focus (window, NULL);
  ui_family_tree_set_open (tree, find_family ("gpt2"));
  g_assert_true (gtk_widget_child_focus (GTK_WIDGET (tree), GTK_DIR_TAB_FORWARD));
  g_assert_true (gtk_window_get_focus (window)
                 == ui_family_tree_get_leaf (tree, find_family ("gpt2")));
  g_assert_true (gtk_widget_child_focus (GTK_WIDGET (tree), GTK_DIR_DOWN));
  /* To the one right below it. */
  below = gtk_window_get_focus (window);
  g_assert_true (gtk_widget_compute_bounds (below, GTK_WIDGET (tree), &after));
  before = get_bounds (tree, find_family ("gpt2"));
  g_assert_cmpfloat (after.origin.x, ==, before.origin.x);
  g_assert_cmpfloat (after.origin.y - before.origin.y, >=, before.size.height);
  g_assert_cmpfloat (after.origin.y - before.origin.y, <, 2 * before.size.height);
  g_assert_false (gtk_widget_child_focus (GTK_WIDGET (tree), GTK_DIR_TAB_FORWARD));
  gtk_window_destroy (window);
}

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  g_test_add_func ("/family-tree/places", test_places);
  g_test_add_func ("/family-tree/shapes", test_shapes);
  g_test_add_func ("/family-tree/leaves", test_leaves);
  g_test_add_func ("/family-tree/states", test_states);
  g_test_add_func ("/family-tree/keys", test_keys);
  return g_test_run ();
}
