/* SPDX-License-Identifier: MIT */
#include "ui/scene/sinks/link-groups.h"

#include <math.h>

#include "ui/scene/sinks/link-curve.h"

#define WIDTH_STEPS 20 /* of a scene unit */
/* A link is tried at so many chains, so that thousands that all cross take no time. */
#define MOST_OPEN_CHAINS 64

typedef struct {
  GArray          *run; /* UiLink: those of one head that follow each other, not yet passed on */
  UiLinkGroupFunc  func;
  gpointer         data;
} Gathering;

static int
compare_looks (gconstpointer a,
               gconstpointer b)
{
  const UiLink *left = a;
  const UiLink *right = b;

  if (left->color.a != right->color.a)
    return left->color.a - right->color.a;
  if (left->width != right->width)
    return left->width > right->width ? 1 : -1;
  return (left->dash > right->dash) - (left->dash < right->dash);
}

static void
pass_run_on (Gathering *self)
{
  const UiLink *links = (const UiLink *) self->run->data;
  int n = (int) self->run->len;

  g_array_sort (self->run, compare_looks);
  for (int first = 0, end; first < n; first = end) {
    for (end = first + 1; end < n && compare_looks (&links[first], &links[end]) == 0; end++)
      ;
    self->func (links + first, end - first, self->data);
  }
  g_array_set_size (self->run, 0);
}

/* Of one head and one colour. */
static gboolean
is_alike (const UiLink *a,
          const UiLink *b)
{
  return a->head == b->head && a->color.r == b->color.r && a->color.g == b->color.g
         && a->color.b == b->color.b;
}

static void
add_to_run (const UiLink *link,
            gpointer      data)
{
  Gathering *self = data;
  UiLink rounded = *link;

  rounded.width = round (link->width * WIDTH_STEPS) / WIDTH_STEPS;
  if (self->run->len > 0 && !is_alike (&g_array_index (self->run, UiLink, 0), link))
    pass_run_on (self);
  g_array_append_val (self->run, rounded);
}

void
ui_link_groups_foreach (const UiLinkField *field,
                        UiLinkGroupFunc    func,
                        gpointer           data)
{
  Gathering self = { g_array_new (FALSE, FALSE, sizeof (UiLink)), func, data };

  field->foreach (field, &field->bounds, add_to_run, &self);
  pass_run_on (&self);
  g_array_unref (self.run);
}

static int
compare_starts (gconstpointer a,
                gconstpointer b)
{
  const UiLink *left = a;
  const UiLink *right = b;

  return (left->y0 > right->y0) - (left->y0 < right->y0);
}

/* Half of the height that a stroke has where it is steepest. */
static double
get_reach (const UiLink *link,
           double        slope)
{
  const double steepest = slope * (link->y1 - link->y0) / (link->x1 - link->x0);

  return link->width / 2 * sqrt (1 + steepest * steepest);
}

/* Between its ends the distance of two links lies between those at the ends. */
static gboolean
is_below (const UiLink *lower,
          const UiLink *upper,
          double        slope)
{
  double apart = 2 * MAX (get_reach (lower, slope), get_reach (upper, slope));

  return lower->y0 - upper->y0 >= apart && lower->y1 - upper->y1 >= apart;
}

/* A chain that the link may go on, else a new one. */
static GArray *
find_chain (GPtrArray    *chains,
            const UiLink *link,
            double        slope)
{
  int first = MAX ((int) chains->len - MOST_OPEN_CHAINS, 0);

  for (int i = (int) chains->len - 1; i >= first; i--) {
    GArray *chain = g_ptr_array_index (chains, i);

    if (is_below (link, &g_array_index (chain, UiLink, chain->len - 1), slope))
      return chain;
  }
  g_ptr_array_add (chains, g_array_new (FALSE, FALSE, sizeof (UiLink)));
  return g_ptr_array_index (chains, chains->len - 1);
}

void
ui_link_chains_foreach (const UiLink      *links,
                        int                n,
                        UiLinkGroupFunc    func,
                        gpointer           data)
{
  g_autoptr (GPtrArray) chains = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  g_autoptr (GArray) sorted = g_array_sized_new (FALSE, FALSE, sizeof (UiLink), n);
  double slope;

  ui_link_curve_at (0.5, NULL, &slope);
  g_array_append_vals (sorted, links, n);
  g_array_sort (sorted, compare_starts);
  for (int i = 0; i < n; i++) {
    const UiLink *link = &g_array_index (sorted, UiLink, i);
    GArray *chain = find_chain (chains, link, slope);

    g_array_append_val (chain, *link);
  }
  for (guint i = 0; i < chains->len; i++) {
    const GArray *chain = g_ptr_array_index (chains, i);

    func ((const UiLink *) chain->data, (int) chain->len, data);
  }
}
