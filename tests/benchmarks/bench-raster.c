/* SPDX-License-Identifier: MIT */
/* Time of the links of a head view of twelve heads in a view 1000 units high, beside the same links
 * stroked by cairo, and of a whole frame with its tokens. Least and median of some repetitions, in
 * milliseconds of the clock. What counts is the ratio; single figures depend on what else the
 * machine does. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/scene-trace.h"
#include "ui/scene/base/scene-raster.h"
#include "ui/scene/head/head-scene.h"
#include "ui/scene/sinks/cairo-sink.h"
#include "ui/scene/sinks/raster.h"
#include "ui/scene/sinks/raster-links.h"
#include "ui/scene/views/factory.h"

#define VIEW_HEIGHT 1000
#define N_HEADS 12

typedef struct {
  const UiScene *scene;
  UiHeadField    field;
  UiRect         view;   /* of the field, in the middle of the drawing */
  double         scale;
  guint8        *pixels;
  UiPixelRect    clip;
} Bench;

static void
count (const UiLink *link,
       gpointer      data)
{
  (*(int *) data)++;
}

static void
stroke (const UiLink *link,
        gpointer      data)
{
  ui_cairo_sink_curve (data, link);
}

static void
paint_links (Bench *self)
{
  ui_raster_links_paint (&self->field.field, self->pixels, self->clip.width * 4,
                         self->view.x, self->view.y, self->scale, &self->clip);
}

static void
stroke_links (Bench *self)
{
  cairo_surface_t *surface =
    cairo_image_surface_create_for_data (self->pixels, CAIRO_FORMAT_ARGB32, self->clip.width,
                                         self->clip.height, self->clip.width * 4);
  UiCairoSink sink = { .cr = cairo_create (surface) };

  cairo_scale (sink.cr, self->scale, self->scale);
  cairo_translate (sink.cr, -self->view.x, -self->view.y);
  self->field.field.foreach (&self->field.field, &self->view, stroke, &sink);
  cairo_destroy (sink.cr);
  cairo_surface_destroy (surface);
}

static void
paint_frame (Bench *self)
{
  UiRect area = { 0, self->view.y, 0, self->view.height };

  ui_scene_get_size (self->scene, &area.width, NULL);
  cairo_surface_destroy (ui_scene_render (self->scene, &area, self->scale));
}

static int
compare_times (gconstpointer a,
               gconstpointer b)
{
  double first = *(const double *) a, second = *(const double *) b;

  return (first > second) - (first < second);
}

static double
run (Bench      *self,
     const char *name,
     void      (*func) (Bench *self),
     int         n)
{
  g_autofree double *times = g_new (double, n);

  for (int i = 0; i < n; i++) {
    gint64 start = g_get_monotonic_time ();

    func (self);
    times[i] = (g_get_monotonic_time () - start) / 1000.0;
  }
  qsort (times, n, sizeof *times, compare_times);
  g_print ("  %-14s min %8.2f  median %8.2f ms\n", name, times[0], times[n / 2]);
  return times[0];
}

static void
bench (int    n_tokens,
       double scale)
{
  UiSceneOptions options = { .width = 992, .view_height = VIEW_HEIGHT, .text_scale = 1 };
  g_autoptr (EngTrace) trace = scene_trace_new_long (n_tokens, N_HEADS);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiScene) scene = ui_scene_new (trace, document, &options, NULL);
  Bench self = { .scene = scene, .scale = scale };
  double height, ours, cairo;
  int n_links = 0;

  ui_scene_get_size (scene, NULL, &height);
  ui_head_field_init_for (&self.field, (const UiHeadScene *) scene, NULL);
  self.view = self.field.field.bounds;
  self.view.y = MAX ((height - VIEW_HEIGHT) / 2, 0);
  self.view.height = MIN (height, VIEW_HEIGHT);
  self.clip.width = (int) ceil (self.view.width * scale);
  self.clip.height = (int) ceil (self.view.height * scale);
  self.pixels = g_malloc0 ((gsize) self.clip.width * self.clip.height * 4);
  self.field.field.foreach (&self.field.field, &self.view, count, &n_links);

  g_print ("%d tokens, %d heads, %d links in view, scale %.0f\n",
           n_tokens, N_HEADS, n_links, scale);
  run (&self, "frame", paint_frame, 15);
  ours = run (&self, "links", paint_links, 15);
  cairo = run (&self, "cairo strokes", stroke_links, 1);
  g_print ("  %-14s %.1f\n", "cairo / links", cairo / ours);
  ui_head_field_clear (&self.field);
  g_free (self.pixels);
}

int
main (void)
{
  bench (20, 1);
  bench (128, 1);
  bench (128, 2);
  return 0;
}
