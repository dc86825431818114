/* SPDX-License-Identifier: MIT */
#include "ui/scene/base/thumbnail.h"

#include <math.h>
#include <string.h>

#include "ui/scene/base/head-color.h"
#include "ui/scene/base/scene.h"
#include "ui/scene/numbers/mask.h"

#define N_STROKES 11 /* of hatching along an edge */

/* The cells that pixel i of size shows of n: one cell spread over pixels, or several pooled into
 * one. */
static void
get_cells (int  i,
           int  size,
           int  n,
           int *first,
           int *end)
{
  *first = (int) ((gint64) i * n / size);
  *end = n <= size ? *first + 1 : (int) (((gint64) (i + 1) * n + size - 1) / size);
}

/* Whether all that a pixel shows is masked. */
static gboolean
is_masked (const EngAttention *attention,
           int                 row,
           int                 column,
           int                 size)
{
  int first_query, end_query, first_key, end_key;

  if (attention->mask == NULL)
    return FALSE;
  get_cells (row, size, attention->n_queries, &first_query, &end_query);
  get_cells (column, size, attention->n_keys, &first_key, &end_key);
  for (int query = first_query; query < end_query; query++) {
    for (int key = first_key; key < end_key; key++)
      if (!ui_mask_hides (attention, query, key))
        return FALSE;
  }
  return TRUE;
}

/* The least float that is not below the threshold. */
static float
round_up (double threshold)
{
  float least = (float) threshold;

  return least < threshold ? nextafterf (least, INFINITY) : least;
}

/* The strongest value counts, so that a lone peak stays visible however long the text is. */
static float
pool_columns (const float *strongest,
              int          n_keys,
              int          column,
              int          width)
{
  float value = 0;
  int first, end;

  get_cells (column, width, n_keys, &first, &end);
  for (int key = first; key < end; key++)
    value = MAX (value, strongest[key]);
  return value;
}

/* Numbers as the trace has them: without a call for each, so that a processor takes several at
 * once. */
static void
pool_plain_row (const float *row,
                int          n_keys,
                float        least,
                float       *strongest)
{
  for (int key = 0; key < n_keys; key++) {
    float drawn = row[key] >= least ? row[key] : 0;

    strongest[key] = MAX (strongest[key], drawn);
  }
}

static void
pool_scaled_row (const UiWeights *weights,
                 int              head,
                 int              query,
                 float           *strongest)
{
  for (int key = 0; key < weights->attention->n_keys; key++) {
    double value = ui_weights_get (weights, head, query, key);

    if (value > strongest[key] && ui_weights_draws (weights, head, query, value))
      strongest[key] = (float) value;
  }
}

/* The strongest value that is drawn of some rows, for every key. */
static void
pool_rows (const UiWeights *weights,
           int              head,
           int              first,
           int              end,
           float           *strongest)
{
  const EngAttention *attention = weights->attention;
  float least = round_up (weights->threshold);

  memset (strongest, 0, sizeof *strongest * attention->n_keys);
  for (int query = first; query < end; query++) {
    gsize row = (gsize) head * attention->n_queries + query;
    float floor = weights->row_floor != NULL ? weights->row_floor[row] : 0;

    if (!weights->query_passes[query])
      continue;
    if (weights->row_scale != NULL)
      pool_scaled_row (weights, head, query, strongest);
    else
      pool_plain_row (attention->weights + row * attention->n_keys, attention->n_keys,
                      MAX (least, floor), strongest);
  }
  for (int key = 0; key < attention->n_keys; key++)
    if (!weights->key_passes[key])
      strongest[key] = 0;
}

static guint32
pack (UiColor color)
{
  return 0xff000000u | (guint32) color.r << 16 | (guint32) color.g << 8 | color.b;
}

/* The pixel of every opacity. */
static void
mix_shades (UiColor  under,
            UiColor  over,
            guint32 *shades)
{
  for (int alpha = 0; alpha < 256; alpha++)
    shades[alpha] = pack (ui_color_mix (under, over, alpha / 255.0));
}

/* Along the same diagonal as ui_hatch_segments(). */
static gboolean
is_stroke (int row,
           int column,
           int size)
{
  return (row + column) % MAX (size / N_STROKES, 2) == 0;
}

static void
init (UiThumbnail     *self,
      const UiWeights *weights,
      int              head,
      UiTheme          theme,
      gboolean         is_hatched)
{
  const EngAttention *attention = weights->attention;
  const UiPalette *palette = ui_palette_get (theme);
  UiColor plate = ui_color_mix (palette->ground, palette->plate, palette->plate.a / 255.0);
  guint32 stroke = pack (ui_color_mix (plate, palette->hatch, palette->hatch.a / 255.0));
  guint32 *pixels = g_new (guint32, (gsize) self->width * self->height);
  g_autofree float *strongest = g_new (float, MAX (attention->n_keys, 1));
  guint32 shades[256];

  mix_shades (plate, ui_head_color_get (weights, theme, head), shades);
  for (int row = 0; row < self->height; row++) {
    int first, end;

    get_cells (row, self->height, attention->n_queries, &first, &end);
    pool_rows (weights, head, first, end, strongest);
    for (int column = 0; column < self->width; column++) {
      float value = pool_columns (strongest, attention->n_keys, column, self->width);

      pixels[(gsize) row * self->width + column] =
        is_hatched && is_stroke (row, column, self->width)
        && is_masked (attention, row, column, self->width)
        ? stroke : shades[ui_weights_get_alpha (weights, value)];
    }
  }
  self->pixels = (guint8 *) pixels;
}

void
ui_thumbnail_init (UiThumbnail     *self,
                   const UiWeights *weights,
                   int              head,
                   UiTheme          theme,
                   int              size)
{
  const EngAttention *attention = weights->attention;
  gboolean is_hatched = attention->mask != NULL;

  *self = (UiThumbnail) {
    .width = is_hatched ? size : MIN (attention->n_keys, size),
    .height = is_hatched ? size : MIN (attention->n_queries, size),
  };
  init (self, weights, head, theme, is_hatched);
}

void
ui_thumbnail_init_cells (UiThumbnail     *self,
                         const UiWeights *weights,
                         int              head,
                         UiTheme          theme)
{
  const EngAttention *attention = weights->attention;

  *self = (UiThumbnail) { .width = attention->n_keys, .height = attention->n_queries };
  init (self, weights, head, theme, FALSE);
  if (attention->mask == NULL)
    return;
  self->masked = g_new (guint8, MAX ((gsize) self->width * self->height, 1));
  for (int query = 0; query < self->height; query++)
    for (int key = 0; key < self->width; key++)
      self->masked[query * self->width + key] = ui_mask_hides (attention, query, key);
}

void
ui_thumbnail_clear (UiThumbnail *self)
{
  g_clear_pointer (&self->pixels, g_free);
  g_clear_pointer (&self->masked, g_free);
}

void
ui_thumbnail_enlarge (UiThumbnail *self,
                      int          size)
{
  const guint32 *from = (const guint32 *) self->pixels;
  guint32 *to = g_new (guint32, (gsize) size * size);

  for (int row = 0; row < size; row++)
    for (int column = 0; column < size; column++)
      to[(gsize) row * size + column] =
        from[(gsize) (row * self->height / size) * self->width + column * self->width / size];
  g_free (self->pixels);
  g_free (self->masked);
  *self = (UiThumbnail) { .pixels = (guint8 *) to, .width = size, .height = size };
}

void
ui_thumbnail_pool (const EngAttention *attention,
                   int                 head,
                   int                 width,
                   int                 height,
                   guint8             *alphas)
{
  const float *weights =
    attention->weights + (gsize) head * attention->n_queries * attention->n_keys;
  g_autofree float *strongest = g_new (float, MAX (attention->n_keys, 1));

  for (int row = 0; row < height; row++) {
    int first, end;

    get_cells (row, height, attention->n_queries, &first, &end);
    memset (strongest, 0, sizeof *strongest * attention->n_keys);
    for (int query = first; query < end; query++)
      pool_plain_row (weights + (gsize) query * attention->n_keys, attention->n_keys, 0, strongest);
    for (int column = 0; column < width; column++)
      alphas[(gsize) row * width + column] =
        ui_palette_link_alpha (pool_columns (strongest, attention->n_keys, column, width));
  }
}
