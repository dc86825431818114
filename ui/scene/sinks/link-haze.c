/* SPDX-License-Identifier: MIT */
#include "ui/scene/sinks/link-haze.h"

#include <math.h>

#include "ui/scene/sinks/raster-links.h"

#define N_ALPHAS 256
/* No link of the picture can be seen by itself, so that it needs few pixels. */
#define MOST_PIXELS 160000
#define LARGEST_SCALE 2.0
/* At most, of a column in heights of a pixel: from column to column every link goes on
 * steadily. */
#define BREADTH 3

/* The links of a field whose alpha lies in a range. */
typedef struct {
  UiLinkField        field;
  const UiLinkField *all;
  int                least;
  int                bound;
  UiLinkFunc         func;
  gpointer           data;
} Range;

static void
count_link (const UiLink *link,
            gpointer      data)
{
  int *counts = data;

  counts[link->color.a]++;
}

/* The smallest alpha from which on all links together are few enough. */
static int
find_least (const UiLinkField *field)
{
  int counts[N_ALPHAS] = { 0 };
  int least = N_ALPHAS;
  int n = 0;

  field->foreach (field, &field->bounds, count_link, counts);
  while (least > 0 && n + counts[least - 1] <= UI_MOST_CURVES)
    n += counts[--least];
  return least;
}

static void
pass_in_range (const UiLink *link,
               gpointer      data)
{
  Range *range = data;

  if (link->color.a >= range->least && link->color.a < range->bound)
    range->func (link, range->data);
}

static void
foreach_in_range (const UiLinkField *field,
                  const UiRect      *clip,
                  UiLinkFunc         func,
                  gpointer           data)
{
  Range range = *(const Range *) field;

  range.func = func;
  range.data = data;
  range.all->foreach (range.all, clip, pass_in_range, &range);
}

static void
foreach_curve (const UiLinkField *field,
               const UiRect      *clip,
               UiLinkFunc         func,
               gpointer           data)
{
  const UiLinkHaze *self = (const UiLinkHaze *) field;
  Range range = { .least = self->least, .bound = N_ALPHAS, .func = func, .data = data };

  self->all->foreach (self->all, clip, pass_in_range, &range);
}

static cairo_surface_t *
draw_picture (const UiLinkField *field,
              int                bound)
{
  const UiRect *bounds = &field->bounds;
  double scale = MIN (sqrt (MOST_PIXELS / (bounds->width * bounds->height)), LARGEST_SCALE);
  Range faint = { .field = { foreach_in_range, *bounds }, .all = field, .bound = bound };
  int width = (int) ceil (bounds->width * scale / BREADTH);
  int height = (int) ceil (bounds->height * scale);
  UiPixelRect all = { 0, 0, width, height };
  /* Columns end where the links do. */
  double breadth = bounds->width * scale / width;
  cairo_surface_t *picture = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);

  ui_raster_links_paint_broad (&faint.field, cairo_image_surface_get_data (picture),
                               cairo_image_surface_get_stride (picture), bounds->x, bounds->y,
                               scale, breadth, &all);
  cairo_surface_mark_dirty (picture);
  cairo_surface_set_device_scale (picture, scale / breadth, scale);
  return picture;
}

void
ui_link_haze_init (UiLinkHaze        *self,
                   const UiLinkField *field)
{
  *self = (UiLinkHaze) {
    .field = { foreach_curve, field->bounds },
    .all = field,
    .least = find_least (field),
  };
  if (self->least > 0)
    self->picture = draw_picture (field, self->least);
}

void
ui_link_haze_clear (UiLinkHaze *self)
{
  g_clear_pointer (&self->picture, cairo_surface_destroy);
}
