/* SPDX-License-Identifier: MIT */
#include "ui/scene/raster-links.h"

#include <math.h>
#include <string.h>

#include "ui/scene/link-curve.h"
#include "ui/scene/raster-kernels.h"

#define COLUMNS_AT_ONCE 16   /* written back together, so that a row of them is one line of the cache */
#define MAX_THREADS 8
#define WORTH_A_THREAD 400000 /* links × columns of pixels, about a millisecond */

/* Consecutive links of one colour between the same two sides. */
typedef struct {
  int     first;
  int     n;
  UiColor color;
  int     curve; /* index into curves */
} Layer;

/* The shape of the curves between two sides, per column of pixels of the clip. */
typedef struct {
  double x0;
  double x1;
  float *along;   /* [clip.width] */
  float *slope;   /* [clip.width] per pixel, for a link that climbs one pixel */
  float *covered; /* [clip.width] part of the column that lies between the sides */
} Curve;

typedef struct {
  UiLinkStrokes strokes;
  int           n_strokes;
  int           n_allocated;
  GArray       *layers; /* of Layer */
  GArray       *curves; /* of Curve */
  double        origin_x;
  double        origin_y;
  double        scale;
  UiPixelRect   clip;
  guint8       *pixels;
  int           stride;
} Raster;

static gboolean
same_rgb (UiColor a,
          UiColor b)
{
  return a.r == b.r && a.g == b.g && a.b == b.b;
}

static int
find_curve (Raster       *self,
            const UiLink *link)
{
  Curve curve = { .x0 = (link->x0 - self->origin_x) * self->scale, .x1 = (link->x1 - self->origin_x) * self->scale };
  int n = self->clip.width;

  for (guint i = 0; i < self->curves->len; i++) {
    const Curve *known = &g_array_index (self->curves, Curve, i);

    if (known->x0 == curve.x0 && known->x1 == curve.x1)
      return (int) i;
  }
  curve.along = g_new (float, n);
  curve.slope = g_new (float, n);
  curve.covered = g_new (float, n);
  for (int i = 0; i < n; i++) {
    double left = self->clip.x + i;
    double along, slope;

    ui_link_curve_at ((left + 0.5 - curve.x0) / (curve.x1 - curve.x0), &along, &slope);
    curve.along[i] = (float) along;
    curve.slope[i] = (float) (slope / (curve.x1 - curve.x0));
    curve.covered[i] = (float) CLAMP (MIN (left + 1, curve.x1) - MAX (left, curve.x0), 0.0, 1.0);
  }
  g_array_append_val (self->curves, curve);
  return (int) self->curves->len - 1;
}

static void
grow (Raster *self)
{
  UiLinkStrokes *strokes = &self->strokes;

  self->n_allocated = MAX (2 * self->n_allocated, 1024);
  strokes->y = g_renew (float, strokes->y, self->n_allocated);
  strokes->climb = g_renew (float, strokes->climb, self->n_allocated);
  strokes->width = g_renew (float, strokes->width, self->n_allocated);
  strokes->alpha = g_renew (float, strokes->alpha, self->n_allocated);
}

static void
add_link (const UiLink *link,
          gpointer      data)
{
  Raster *self = data;
  Layer *layer = self->layers->len > 0 ? &g_array_index (self->layers, Layer, self->layers->len - 1) : NULL;
  int curve = find_curve (self, link);
  int i = self->n_strokes++;

  if (i == self->n_allocated)
    grow (self);
  self->strokes.y[i] = (float) ((link->y0 - self->origin_y) * self->scale - self->clip.y);
  self->strokes.climb[i] = (float) ((link->y1 - link->y0) * self->scale);
  self->strokes.width[i] = (float) (link->width * self->scale);
  self->strokes.alpha[i] = link->color.a / 255.0f;

  if (layer == NULL || !same_rgb (layer->color, link->color) || layer->curve != curve) {
    Layer next = { .first = i, .color = link->color, .curve = curve };

    g_array_append_val (self->layers, next);
    layer = &g_array_index (self->layers, Layer, self->layers->len - 1);
  }
  layer->n++;
}

static int
greatest_common_divisor (int a,
                         int b)
{
  return b == 0 ? a : greatest_common_divisor (b, a % b);
}

/* Neighbours in a field lie close together, and a stroke that touches the pixels of the one before has to
 * wait for them to be written. Far apart ones do not, and within a layer the order changes nothing. */
static void
scatter (float *values,
         int    n,
         float *scratch)
{
  int step = MAX ((int) (n * 0.6180339887), 1);
  int from = 0;

  while (greatest_common_divisor (n, step) != 1)
    step++;
  memcpy (scratch, values, n * sizeof *values);
  for (int i = 0; i < n; i++) {
    values[i] = scratch[from];
    from = (int) (((gint64) from + step) % n);
  }
}

static void
scatter_layers (Raster *self)
{
  g_autofree float *scratch = g_new (float, MAX (self->n_strokes, 1));

  for (guint i = 0; i < self->layers->len; i++) {
    const Layer *layer = &g_array_index (self->layers, Layer, i);

    scatter (self->strokes.y + layer->first, layer->n, scratch);
    scatter (self->strokes.climb + layer->first, layer->n, scratch);
    scatter (self->strokes.width + layer->first, layer->n, scratch);
    scatter (self->strokes.alpha + layer->first, layer->n, scratch);
  }
}

/* Over what the picture has there. */
static void
blend_column (const Raster *self,
              int           x,
              const float  *sums)
{
  int height = self->clip.height;
  int stride = height + UI_COLUMN_PADDING;
  guint8 *pixel = self->pixels + (gsize) self->clip.y * self->stride + (gsize) x * sizeof (guint32);

  for (int y = 0; y < height; y++, pixel += self->stride) {
    float alpha = sums[3 * stride + y];
    float through = 1 - alpha;
    guint32 under, over;

    if (alpha <= 0)
      continue;
    memcpy (&under, pixel, sizeof under);
    over = (guint32) (alpha * 255 + (under >> 24) * through + 0.5f) << 24 |
           (guint32) (sums[y] * 255 + (under >> 16 & 0xff) * through + 0.5f) << 16 |
           (guint32) (sums[stride + y] * 255 + (under >> 8 & 0xff) * through + 0.5f) << 8 |
           (guint32) (sums[2 * stride + y] * 255 + (under & 0xff) * through + 0.5f);
    memcpy (pixel, &over, sizeof over);
  }
}

static void
paint_column (const Raster          *self,
              const UiRasterKernels *kernels,
              int                    i,
              float                 *column,
              float                 *sums)
{
  int height = self->clip.height;
  gboolean any = FALSE;

  for (guint l = 0; l < self->layers->len; l++) {
    const Layer *layer = &g_array_index (self->layers, Layer, l);
    const Curve *curve = &g_array_index (self->curves, Curve, layer->curve);
    const float rgb[3] = { layer->color.r / 255.0f, layer->color.g / 255.0f, layer->color.b / 255.0f };

    if (curve->covered[i] <= 0)
      continue;
    if (!any)
      memset (sums, 0, 4 * (gsize) (height + UI_COLUMN_PADDING) * sizeof *sums);
    any = TRUE;
    kernels->stroke (column, height, &self->strokes, layer->first, layer->n,
                     curve->along[i], curve->slope[i], curve->covered[i]);
    kernels->composite (column, height, rgb, sums);
  }
  if (any)
    blend_column (self, self->clip.x + i, sums);
}

typedef struct {
  const Raster *raster;
  gint          next; /* block of columns; atomic */
} Job;

static gpointer
paint_blocks (gpointer data)
{
  Job *job = data;
  const Raster *self = job->raster;
  const UiRasterKernels *kernels = ui_raster_kernels_get ();
  int padded = self->clip.height + UI_COLUMN_PADDING;
  g_autofree float *column = g_new (float, padded);
  g_autofree float *sums = g_new (float, 4 * (gsize) padded);
  int first;

  for (int y = 0; y < padded; y++)
    column[y] = 1;
  while ((first = g_atomic_int_add (&job->next, 1) * COLUMNS_AT_ONCE) < self->clip.width) {
    int end = MIN (first + COLUMNS_AT_ONCE, self->clip.width);

    for (int i = first; i < end; i++)
      paint_column (self, kernels, i, column, sums);
  }
  return NULL;
}

static void
paint_in_threads (Raster *self)
{
  Job job = { .raster = self };
  gint64 work = (gint64) self->n_strokes * self->clip.width;
  int n_threads = (int) CLAMP (work / WORTH_A_THREAD, 1, MIN ((int) g_get_num_processors (), MAX_THREADS));
  GThread *threads[MAX_THREADS];
  int n_started = 0;

  while (n_started < n_threads - 1) {
    threads[n_started] = g_thread_try_new ("links", paint_blocks, &job, NULL);
    if (threads[n_started] == NULL)
      break;
    n_started++;
  }
  paint_blocks (&job);
  for (int i = 0; i < n_started; i++)
    g_thread_join (threads[i]);
}

static void
curve_clear (gpointer data)
{
  Curve *curve = data;

  g_free (curve->along);
  g_free (curve->slope);
  g_free (curve->covered);
}

/* Kernels read whole vectors: what stands behind the last link must exist and must be numbers. */
static void
pad_strokes (Raster *self)
{
  while (self->n_allocated < self->n_strokes + UI_COLUMN_PADDING)
    grow (self);
  for (int i = self->n_strokes; i < self->n_strokes + UI_COLUMN_PADDING; i++)
    self->strokes.y[i] = self->strokes.climb[i] = self->strokes.width[i] = self->strokes.alpha[i] = 0;
}

void
ui_raster_links_paint (const UiLinkField *field,
                       guint8            *pixels,
                       int                stride,
                       double             origin_x,
                       double             origin_y,
                       double             scale,
                       const UiPixelRect *clip)
{
  g_autoptr (GArray) layers = g_array_new (FALSE, FALSE, sizeof (Layer));
  g_autoptr (GArray) curves = g_array_new (FALSE, FALSE, sizeof (Curve));
  Raster self = {
    .layers = layers,
    .curves = curves,
    .origin_x = origin_x,
    .origin_y = origin_y,
    .scale = scale,
    .clip = *clip,
    .pixels = pixels,
    .stride = stride,
  };
  UiRect area = {
    origin_x + clip->x / scale, origin_y + clip->y / scale, clip->width / scale, clip->height / scale
  };

  g_array_set_clear_func (curves, curve_clear);
  field->foreach (field, &area, add_link, &self);
  if (self.n_strokes > 0) {
    pad_strokes (&self);
    scatter_layers (&self);
    paint_in_threads (&self);
  }
  g_free (self.strokes.y);
  g_free (self.strokes.climb);
  g_free (self.strokes.width);
  g_free (self.strokes.alpha);
}
