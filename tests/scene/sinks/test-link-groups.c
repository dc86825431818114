/* SPDX-License-Identifier: MIT */
#include "ui/scene/sinks/link-groups.h"

#include <math.h>

#include "ui/scene/sinks/link-curve.h"

#define N_PLACES 65 /* along a curve */

static void
add_link (const UiLink *link,
          gpointer      data)
{
  g_array_append_val (data, *link);
}

/* Two runs of head 3 with one of head 5 between them; some widths of the first differ by less than
 * can be seen. */
static void
foreach_of_runs (const UiLinkField *field,
                 const UiRect      *clip,
                 UiLinkFunc         func,
                 gpointer           data)
{
  for (int i = 0; i < 90; i++) {
    UiLink link = {
      0, i, 100, 7 * i % 90, 1.5 + (i % 2) * 0.3 + (i % 3) * 0.001,
      { 10, 20, 30, (guint8) (50 + i % 4) }, i / 30 == 1 ? 5 : 3,
    };

    func (&link, data);
  }
}

typedef struct {
  GArray *links; /* UiLink, in the order they came in */
  int     n_groups;
} Groups;

static void
add_group (const UiLink *links,
           int           n,
           gpointer      data)
{
  Groups *self = data;

  self->n_groups++;
  g_assert_cmpint (n, >, 0);
  for (int i = 0; i < n; i++) {
    g_assert_cmpint (links[i].head, ==, links[0].head);
    g_assert_cmpint (links[i].color.a, ==, links[0].color.a);
    g_assert_cmpfloat (links[i].width, ==, links[0].width);
    g_array_append_val (self->links, links[i]);
  }
}

/* By y0, which tells the links of these tests apart. */
static int
compare_starts (gconstpointer a,
                gconstpointer b)
{
  double left = ((const UiLink *) a)->y0;
  double right = ((const UiLink *) b)->y0;

  return (left > right) - (left < right);
}

static void
assert_same_links (GArray *found,
                   GArray *expected)
{
  g_array_sort (found, compare_starts);
  g_array_sort (expected, compare_starts);
  g_assert_cmpint (found->len, ==, expected->len);
  for (guint i = 0; i < found->len; i++) {
    const UiLink *link = &g_array_index (found, UiLink, i);
    const UiLink *same = &g_array_index (expected, UiLink, i);

    g_assert_cmpfloat (link->y0, ==, same->y0);
    g_assert_cmpfloat (link->y1, ==, same->y1);
    g_assert_cmpint (link->color.a, ==, same->color.a);
    g_assert_cmpfloat_with_epsilon (link->width, same->width, 0.0251);
  }
}

static void
test_groups (void)
{
  UiLinkField field = { foreach_of_runs, { 0, 0, 100, 90 } };
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (UiLink));
  Groups groups = { g_array_new (FALSE, FALSE, sizeof (UiLink)), 0 };

  foreach_of_runs (&field, &field.bounds, add_link, all);
  ui_link_groups_foreach (&field, add_group, &groups);
  /* In each of three runs the opacity tells the width: of four, two are odd. */
  g_assert_cmpint (groups.n_groups, ==, 3 * 4);
  /* The runs stay in their order. */
  for (guint i = 0; i < all->len; i++)
    g_assert_cmpint (g_array_index (groups.links, UiLink, i).head, ==, i / 30 == 1 ? 5 : 3);
  assert_same_links (groups.links, all);
  g_array_unref (groups.links);
}

/* Across the steeper of two strokes, at N_PLACES of the way: not nearer than their width. */
static void
assert_apart (const UiLink *upper,
              const UiLink *lower)
{
  for (int i = 0; i < N_PLACES; i++) {
    double along, slope, steepest;
    double gap;

    ui_link_curve_at (i / (N_PLACES - 1.0), &along, &slope);
    gap = lower->y0 + (lower->y1 - lower->y0) * along
          - upper->y0 - (upper->y1 - upper->y0) * along;
    steepest = MAX (fabs (lower->y1 - lower->y0), fabs (upper->y1 - upper->y0))
               / (upper->x1 - upper->x0) * slope;
    g_assert_cmpfloat (gap, >=, upper->width * sqrt (1 + steepest * steepest) - 1e-9);
  }
}

static void
add_chain (const UiLink *links,
           int           n,
           gpointer      data)
{
  Groups *self = data;

  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      assert_apart (&links[i], &links[j]);
  self->n_groups++;
  g_array_append_vals (self->links, links, n);
}

/* Parts n links that run from i · step to heights that follow the seed. Returns how many chains. */
static int
part (int     n,
      double  step,
      guint32 seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  g_autoptr (GArray) links = g_array_new (FALSE, FALSE, sizeof (UiLink));
  Groups chains = { g_array_new (FALSE, FALSE, sizeof (UiLink)), 0 };

  for (int i = 0; i < n; i++) {
    double end = seed == 0 ? i * step : g_rand_double_range (random, 0, n * step);
    UiLink link = { 20, i * step, 140, end, 1.25, { 1, 2, 3, 99 }, 0 };

    g_array_append_val (links, link);
  }
  ui_link_chains_foreach ((const UiLink *) links->data, n, add_chain, &chains);
  assert_same_links (chains.links, links);
  g_array_unref (chains.links);
  return chains.n_groups;
}

static void
test_chains (void)
{
  /* Level ones that are just apart are one path; those that touch are two. */
  g_assert_cmpint (part (200, 1.25, 0), ==, 1);
  g_assert_cmpint (part (200, 1.2, 0), ==, 2);
  /* Of n in random order about 2 √n chains are needed when a gap costs nothing. */
  for (guint32 seed = 1; seed <= 20; seed++)
    g_assert_cmpint (part (200, 20, seed), <, 120);
  g_assert_cmpint (part (1, 1, 1), ==, 1);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/link-groups/groups", test_groups);
  g_test_add_func ("/scene/link-groups/chains", test_chains);
  return g_test_run ();
}
