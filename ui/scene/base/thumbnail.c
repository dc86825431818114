/* SPDX-License-Identifier: MIT */
#include "ui/scene/base/thumbnail.h"

#include <math.h>
#include <string.h>

#include "ui/scene/base/head-color.h"
#include "ui/scene/base/scene.h"
#include "ui/scene/numbers/mask.h"

#define N_STROKES 11 /* of hatching along an edge */

/* The cells that a pixel shows: one cell spread over pixels, or several, of which the first and the
 * last may lie in the pixels beside it, too. */
typedef struct {
  int   first;
  int   end;
  float first_part; /* that lies in this pixel */
  float last_part;
} Cells;

/* Those of pixel i of size. */
static Cells
get_cells (int i,
           int size,
           int n)
{
  const gint64 begin = (gint64) i * n, end = (gint64) (i + 1) * n;
  Cells cells = { .first = (int) (begin / size), .first_part = 1, .last_part = 1 };

  if (n <= size) {
    cells.end = cells.first + 1;
    return cells;
  }
  cells.end = (int) ((end + size - 1) / size);
  cells.first_part = 1 - (float) (begin % size) / size;
  if (end % size != 0)
    cells.last_part = (float) (end % size) / size;
  return cells;
}

static float
get_part (const Cells *cells,
          int          i)
{
  return i == cells->first ? cells->first_part : i == cells->end - 1 ? cells->last_part : 1;
}

/* Whether all that a pixel shows is masked. */
static gboolean
is_masked (const EngAttention *attention,
           int                 head,
           const Cells        *queries,
           const Cells        *keys)
{
  if (attention->mask == NULL)
    return FALSE;
  for (int query = queries->first; query < queries->end; query++) {
    for (int key = keys->first; key < keys->end; key++)
      if (!ui_mask_hides_in (attention, head, query, key))
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

static float
sum_columns (const float *row,
             const Cells *keys)
{
  float sum = row[keys->first] * keys->first_part;

  for (int key = keys->first + 1; key < keys->end - 1; key++)
    sum += row[key];
  return keys->end - 1 > keys->first ? sum + row[keys->end - 1] * keys->last_part : sum;
}

/* Numbers as the trace has them: without a call for each, so that a processor takes several at
 * once. */
static void
add_plain_row (const float *row,
               int          n_keys,
               float        least,
               float        part,
               float       *mean)
{
  for (int key = 0; key < n_keys; key++) {
    float drawn = row[key] >= least ? row[key] : 0;

    mean[key] += part * drawn;
  }
}

static void
add_scaled_row (const UiWeights *weights,
                int              head,
                int              query,
                float            part,
                float           *mean)
{
  for (int key = 0; key < weights->attention->n_keys; key++) {
    double value = ui_weights_get (weights, head, query, key);

    if (ui_weights_draws (weights, head, query, value))
      mean[key] += part * (float) value;
  }
}

/* What is drawn of the rows of a pixel, their mean for every key; a row that is not drawn is none of
 * them. */
static void
pool_rows (const UiWeights *weights,
           int              head,
           const Cells     *queries,
           float           *mean)
{
  const EngAttention *attention = weights->attention;
  float least = round_up (weights->threshold);
  float n = 0;

  for (int query = queries->first; query < queries->end; query++)
    if (weights->query_passes[query])
      n += get_part (queries, query);
  memset (mean, 0, sizeof *mean * attention->n_keys);
  for (int query = queries->first; query < queries->end; query++) {
    gsize row = (gsize) head * attention->n_queries + query;
    float floor = weights->row_floor != NULL ? weights->row_floor[row] : 0;
    float part;

    if (!weights->query_passes[query])
      continue;
    part = get_part (queries, query) / n;
    if (weights->row_scale != NULL)
      add_scaled_row (weights, head, query, part, mean);
    else
      add_plain_row (attention->weights + row * attention->n_keys, attention->n_keys,
                     MAX (least, floor), part, mean);
  }
  for (int key = 0; key < attention->n_keys; key++)
    if (!weights->key_passes[key])
      mean[key] = 0;
}

static Cells *
list_cells (int size,
            int n)
{
  Cells *cells = g_new (Cells, size);

  for (int i = 0; i < size; i++)
    cells[i] = get_cells (i, size, n);
  return cells;
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
  g_autofree float *mean = g_new (float, MAX (attention->n_keys, 1));
  g_autofree Cells *keys = list_cells (self->width, attention->n_keys);
  guint32 shades[256];

  mix_shades (plate, ui_head_color_get (weights, theme, head), shades);
  for (int row = 0; row < self->height; row++) {
    const Cells queries = get_cells (row, self->height, attention->n_queries);

    pool_rows (weights, head, &queries, mean);
    for (int column = 0; column < self->width; column++) {
      float value = sum_columns (mean, &keys[column]);

      pixels[(gsize) row * self->width + column] =
        is_hatched && is_stroke (row, column, self->width)
        && is_masked (attention, head, &queries, &keys[column])
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
      self->masked[query * self->width + key] = ui_mask_hides_in (attention, head, query, key);
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

/* One row of pixels of ui_thumbnail_resample(). */
static void
resample_row (const guint8 *alphas,
              int           width,
              const Cells  *queries,
              float         n_queries,
              const Cells  *keys,
              int           size,
              float        *mean,
              guint8       *row)
{
  memset (mean, 0, sizeof *mean * width);
  for (int query = queries->first; query < queries->end; query++) {
    const float part = get_part (queries, query) / n_queries;

    for (int key = 0; key < width; key++)
      mean[key] += part * alphas[query * width + key];
  }
  for (int column = 0; column < size; column++)
    row[column] = (guint8) (MIN (sum_columns (mean, &keys[column]), 255) + 0.5f);
}

void
ui_thumbnail_resample (const guint8 *alphas,
                       int           width,
                       int           height,
                       int           size,
                       guint8       *resampled)
{
  const float n_queries = MAX ((float) height / size, 1);
  g_autofree float *mean = g_new (float, width);
  g_autofree Cells *keys = list_cells (size, width);
  int last = -1;

  for (int row = 0; row < size; row++, resampled += size) {
    const Cells queries = get_cells (row, size, height);

    /* Of few tokens many rows of pixels are one row of cells. */
    if (height <= size && queries.first == last)
      memcpy (resampled, resampled - size, (gsize) size);
    else
      resample_row (alphas, width, &queries, n_queries, keys, size, mean, resampled);
    last = queries.first;
  }
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
  g_autofree float *mean = g_new (float, MAX (attention->n_keys, 1));
  g_autofree Cells *keys = list_cells (width, attention->n_keys);

  for (int row = 0; row < height; row++) {
    const Cells queries = get_cells (row, height, attention->n_queries);
    const float n = (float) attention->n_queries / height;

    memset (mean, 0, sizeof *mean * attention->n_keys);
    for (int query = queries.first; query < queries.end; query++)
      add_plain_row (weights + (gsize) query * attention->n_keys, attention->n_keys, 0,
                     get_part (&queries, query) / n, mean);
    for (int column = 0; column < width; column++)
      alphas[(gsize) row * width + column] =
        ui_palette_link_alpha (sum_columns (mean, &keys[column]));
  }
}
