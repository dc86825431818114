/* SPDX-License-Identifier: MIT */
#include "ui/scene/sinks/raster-links.h"

#include <math.h>
#include <string.h>

#include "engine/kernels/cpus.h"
#include "ui/scene/sinks/link-curve.h"
#include "ui/scene/sinks/raster-kernels.h"

#define COLUMNS_AT_ONCE 64   /* of one thread */
#define HAZE_BREADTH 8       /* pixels; see raster-links.h */
#define HAZE_ALPHA 12        /* in 1/255: at most this opaque */
#define N_CLIMBS 1024
#define MAX_THREADS 8
#define WORTH_A_THREAD 400000 /* links × columns of pixels, about a millisecond */

/* Consecutive links of one colour between the same two sides; x in device pixels. */
typedef struct {
  int     first;
  int     n;
  UiColor color;
  guint8  alpha; /* the largest */
  double  x0;
  double  x1;
} Layer;

typedef struct {
  UiLinkStrokes strokes;
  int           n_strokes;
  int           n_allocated;
  GArray       *layers;  /* of Layer */
  int           n_haze;  /* the first layers, which are drawn coarser */
  double        origin_x;
  double        origin_y;
  double        scale;
  double        breadth; /* of a column, in heights of a pixel */
  gboolean      is_whole; /* dashed links, too, drawn through */
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

static void
resize_strokes (UiLinkStrokes *strokes,
                int            n)
{
  strokes->y = g_renew (float, strokes->y, n);
  strokes->climb = g_renew (float, strokes->climb, n);
  strokes->width = g_renew (float, strokes->width, n);
  strokes->alpha = g_renew (float, strokes->alpha, n);
}

static void
clear_strokes (UiLinkStrokes *strokes)
{
  g_free (strokes->y);
  g_free (strokes->climb);
  g_free (strokes->width);
  g_free (strokes->alpha);
}

static void
grow (Raster *self)
{
  self->n_allocated = MAX (2 * self->n_allocated, 1024);
  resize_strokes (&self->strokes, self->n_allocated);
}

static Layer *
get_layer (const Raster *self,
           guint         i)
{
  return &g_array_index (self->layers, Layer, i);
}

static void
add_link (const UiLink *link,
          gpointer      data)
{
  Raster *self = data;
  Layer *layer = self->layers->len > 0 ? get_layer (self, self->layers->len - 1) : NULL;
  double x0 = (link->x0 - self->origin_x) * self->scale;
  double x1 = (link->x1 - self->origin_x) * self->scale;
  int i;

  if (link->dash > 0 && !self->is_whole)
    return;
  i = self->n_strokes++;
  if (i == self->n_allocated)
    grow (self);
  self->strokes.y[i] = (float) ((link->y0 - self->origin_y) * self->scale - self->clip.y);
  self->strokes.climb[i] = (float) ((link->y1 - link->y0) * self->scale);
  self->strokes.width[i] = (float) (link->width * self->scale);
  self->strokes.alpha[i] = link->color.a / 255.0f;

  if (layer == NULL || !same_rgb (layer->color, link->color) ||
      layer->x0 != x0 || layer->x1 != x1) {
    Layer next = { .first = i, .color = link->color, .x0 = x0, .x1 = x1 };

    g_array_append_val (self->layers, next);
    layer = get_layer (self, self->layers->len - 1);
  }
  layer->n++;
  layer->alpha = MAX (layer->alpha, link->color.a);
}

/* Puts the links of a layer into the order of their climb, which changes nothing in the picture:
 * links of like steepness cover like numbers of pixels, so that the kernels' branches can be
 * foreseen, and parallel ones do not touch the pixels that the one before has just written. */
static void
sort_layer (UiLinkStrokes *strokes,
            const Layer   *layer,
            UiLinkStrokes *scratch)
{
  const float *climb = strokes->climb + layer->first;
  int starts[N_CLIMBS + 1] = { 0 };
  float least = G_MAXFLOAT, most = -G_MAXFLOAT;
  float factor;

  for (int i = 0; i < layer->n; i++) {
    least = MIN (least, climb[i]);
    most = MAX (most, climb[i]);
  }
  factor = most > least ? (N_CLIMBS - 1) / (most - least) : 0;
  for (int i = 0; i < layer->n; i++)
    starts[1 + (int) ((climb[i] - least) * factor)]++;
  for (int i = 0; i < N_CLIMBS; i++)
    starts[i + 1] += starts[i];
  for (int i = 0; i < layer->n; i++) {
    int from = layer->first + i;
    int to = starts[(int) ((climb[i] - least) * factor)]++;

    scratch->y[to] = strokes->y[from];
    scratch->climb[to] = strokes->climb[from];
    scratch->width[to] = strokes->width[from];
    scratch->alpha[to] = strokes->alpha[from];
  }
  memcpy (strokes->y + layer->first, scratch->y, layer->n * sizeof (float));
  memcpy (strokes->climb + layer->first, scratch->climb, layer->n * sizeof (float));
  memcpy (strokes->width + layer->first, scratch->width, layer->n * sizeof (float));
  memcpy (strokes->alpha + layer->first, scratch->alpha, layer->n * sizeof (float));
}

static void
sort_layers (Raster *self)
{
  UiLinkStrokes scratch = { 0 };

  resize_strokes (&scratch, self->n_strokes);
  for (guint i = 0; i < self->layers->len; i++)
    sort_layer (&self->strokes, get_layer (self, i), &scratch);
  clear_strokes (&scratch);
}

typedef struct {
  int    index; /* of the broad column, -1 = none yet */
  float *sums;
} Haze;

/* What one thread works in. */
typedef struct {
  const UiRasterKernels *kernels;
  float                 *column; /* [height + UI_COLUMN_PADDING] transmittances, 1 between layers */
  float                 *sums;   /* [n_sums] red, green, blue, alpha of a column */
  gsize                  n_sums;
  Haze                   haze[2];
} Scratch;

static void
scratch_init (Scratch *self,
              int      height)
{
  int padded = height + UI_COLUMN_PADDING;

  self->kernels = ui_raster_kernels_get ();
  self->n_sums = 4 * (gsize) padded;
  self->column = g_new (float, padded);
  self->sums = g_new (float, self->n_sums);
  for (int y = 0; y < padded; y++)
    self->column[y] = 1;
  for (int i = 0; i < 2; i++)
    self->haze[i] = (Haze) { -1, g_new (float, self->n_sums) };
}

static void
scratch_clear (Scratch *self)
{
  g_free (self->column);
  g_free (self->sums);
  g_free (self->haze[0].sums);
  g_free (self->haze[1].sums);
}

/* Part of a column that lies between the ends of a layer's links. */
static double
get_covered (const Layer *layer,
             double       x,
             double       breadth)
{
  double left = MAX (x - breadth / 2, layer->x0);
  double right = MIN (x + breadth / 2, layer->x1);

  return CLAMP ((right - left) / breadth, 0, 1);
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

/* Composites layers as they are at x into sums. breadth: of the column whose middle x is. */
static void
paint_layers (const Raster *self,
              Scratch      *scratch,
              int           first,
              int           end,
              double        x,
              double        breadth,
              float        *sums)
{
  const Layer *before = NULL;
  double along = 0, slope = 0, covered = 0;

  for (int i = first; i < end; i++) {
    const Layer *layer = get_layer (self, i);
    UiColor color = layer->color;
    const float rgb[3] = { color.r / 255.0f, color.g / 255.0f, color.b / 255.0f };
    UiRowRange touched;

    if (before == NULL || before->x0 != layer->x0 || before->x1 != layer->x1) {
      ui_link_curve_at ((x - layer->x0) / (layer->x1 - layer->x0), &along, &slope);
      slope /= layer->x1 - layer->x0;
      covered = get_covered (layer, x, breadth);
    }
    before = layer;
    if (covered <= 0)
      continue;
    scratch->kernels->stroke (scratch->column, self->clip.height, &self->strokes,
                              layer->first, layer->n,
                              (float) along, (float) slope, (float) breadth, &touched);
    scratch->kernels->composite (scratch->column, self->clip.height, &touched, rgb,
                                 (float) covered, sums);
  }
}

/* The haze in the middle of a broad column. Columns are counted from the links' left end, so that
 * every part of a picture has the same ones; going from left to right needs each of them once. */
static const float *
get_haze (const Raster *self,
          Scratch      *scratch,
          int           index)
{
  const Layer *layer = get_layer (self, 0);
  Haze *haze = &scratch->haze[index & 1];
  double x = MIN (layer->x0 + (index + 0.5) * HAZE_BREADTH, layer->x1 - 0.5 * HAZE_BREADTH);

  if (haze->index == index)
    return haze->sums;
  haze->index = index;
  memset (haze->sums, 0, scratch->n_sums * sizeof (float));
  paint_layers (self, scratch, 0, self->n_haze, x, HAZE_BREADTH, haze->sums);
  return haze->sums;
}

/* Between the middles of two broad columns the haze changes steadily. */
static void
paint_haze (const Raster *self,
            Scratch      *scratch,
            double        x)
{
  const Layer *layer = get_layer (self, 0);
  float covered = (float) get_covered (layer, x, 1);
  int last = (int) ceil ((layer->x1 - layer->x0) / HAZE_BREADTH) - 1;
  double place = CLAMP ((x - layer->x0) / HAZE_BREADTH - 0.5, 0, last);
  int index = MIN ((int) place, last - 1);
  float part = (float) (place - index);
  const float *left, *right;

  if (covered <= 0)
    return;
  left = get_haze (self, scratch, index);
  right = get_haze (self, scratch, index + 1);
  for (gsize i = 0; i < scratch->n_sums; i++)
    scratch->sums[i] = (left[i] + (right[i] - left[i]) * part) * covered;
}

static void
paint_column (const Raster *self,
              Scratch      *scratch,
              int           i)
{
  double x = (self->clip.x + i + 0.5) * self->breadth;

  memset (scratch->sums, 0, scratch->n_sums * sizeof (float));
  if (self->n_haze > 0)
    paint_haze (self, scratch, x);
  paint_layers (self, scratch, self->n_haze, (int) self->layers->len, x, self->breadth,
                scratch->sums);
  blend_column (self, self->clip.x + i, scratch->sums);
}

typedef struct {
  const Raster *raster;
  int           n_at_once; /* columns in a block */
  gint          next;      /* block of columns; atomic */
} Job;

static gpointer
paint_blocks (gpointer data)
{
  Job *job = data;
  const Raster *self = job->raster;
  Scratch scratch;
  int first;

  scratch_init (&scratch, self->clip.height);
  while ((first = g_atomic_int_add (&job->next, 1) * job->n_at_once) < self->clip.width) {
    int end = MIN (first + job->n_at_once, self->clip.width);

    for (int i = first; i < end; i++)
      paint_column (self, &scratch, i);
  }
  scratch_clear (&scratch);
  return NULL;
}

static void
paint_in_threads (Raster *self)
{
  Job job = { .raster = self, .n_at_once = COLUMNS_AT_ONCE };
  gint64 work = (gint64) self->n_strokes * self->clip.width;
  int most = MIN (eng_cpus_count (), MAX_THREADS);
  int n_threads = (int) CLAMP (work / WORTH_A_THREAD, 1, most);
  GThread *threads[MAX_THREADS];
  int n_started = 0;

  /* Broad columns are few, and each is much work. */
  if (self->breadth > 1)
    job.n_at_once = 1;
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

/* The layers that a dense field begins with, as long as no link in them can be made out. */
static int
count_haze_layers (const Raster *self)
{
  const Layer *first = get_layer (self, 0);
  guint n = 0;

  if (first->x1 - first->x0 < 4 * HAZE_BREADTH)
    return 0;
  while (n < self->layers->len) {
    const Layer *layer = get_layer (self, n);

    if (layer->alpha > HAZE_ALPHA || layer->x0 != first->x0 || layer->x1 != first->x1)
      break;
    n++;
  }
  return (int) n;
}

/* Kernels read whole vectors: what stands behind the last link must exist and must be numbers. */
static void
pad_strokes (Raster *self)
{
  while (self->n_allocated < self->n_strokes + UI_COLUMN_PADDING)
    grow (self);
  for (int i = self->n_strokes; i < self->n_strokes + UI_COLUMN_PADDING; i++) {
    self->strokes.y[i] = self->strokes.climb[i] = 0;
    self->strokes.width[i] = self->strokes.alpha[i] = 0;
  }
}

static void
paint (const UiLinkField *field,
       guint8            *pixels,
       int                stride,
       double             origin_x,
       double             origin_y,
       double             scale,
       double             breadth,
       gboolean           is_whole,
       const UiPixelRect *clip)
{
  g_autoptr (GArray) layers = g_array_new (FALSE, FALSE, sizeof (Layer));
  Raster self = {
    .layers = layers,
    .origin_x = origin_x,
    .origin_y = origin_y,
    .scale = scale,
    .breadth = breadth,
    .is_whole = is_whole,
    .clip = *clip,
    .pixels = pixels,
    .stride = stride,
  };
  UiRect area = {
    origin_x + clip->x * breadth / scale, origin_y + clip->y / scale,
    clip->width * breadth / scale, clip->height / scale
  };

  field->foreach (field, &area, add_link, &self);
  if (self.n_strokes > 0) {
    pad_strokes (&self);
    sort_layers (&self);
    self.n_haze = field->dense && breadth <= 1 ? count_haze_layers (&self) : 0;
    paint_in_threads (&self);
  }
  clear_strokes (&self.strokes);
}

void
ui_raster_links_paint_broad (const UiLinkField *field,
                             guint8            *pixels,
                             int                stride,
                             double             origin_x,
                             double             origin_y,
                             double             scale,
                             double             breadth,
                             const UiPixelRect *clip)
{
  paint (field, pixels, stride, origin_x, origin_y, scale, breadth, TRUE, clip);
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
  paint (field, pixels, stride, origin_x, origin_y, scale, 1, FALSE, clip);
}
