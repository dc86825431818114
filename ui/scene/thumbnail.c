/* SPDX-License-Identifier: MIT */
#include "ui/scene/mask.h"
#include "ui/scene/scene.h"

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

/* The strongest weight counts, so that a lone peak stays visible however long the text is. */
static float
pool (const EngAttention *attention,
      int                 head,
      int                 row,
      int                 column,
      int                 size)
{
  int first_query, end_query, first_key, end_key;
  float strongest = 0;

  get_cells (row, size, attention->n_queries, &first_query, &end_query);
  get_cells (column, size, attention->n_keys, &first_key, &end_key);
  for (int query = first_query; query < end_query; query++) {
    const float *weights = attention->weights +
                           ((gsize) head * attention->n_queries + query) * attention->n_keys;

    for (int key = first_key; key < end_key; key++)
      strongest = MAX (strongest, weights[key]);
  }
  return strongest;
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

guint8 *
ui_thumbnail_new (const EngAttention *attention,
                  int                 head,
                  UiTheme             theme,
                  int                 size)
{
  const UiPalette *palette = ui_palette_get (theme);
  UiColor color = ui_palette_head (theme, head);
  guint32 *pixels = g_new (guint32, (gsize) size * size);

  for (int row = 0; row < size; row++) {
    for (int column = 0; column < size; column++) {
      float weight = pool (attention, head, row, column, size);
      double alpha = ui_palette_link_alpha (weight) / 255.0;
      UiColor mixed = ui_color_mix (palette->ground, color, alpha);

      /* Along the same diagonal as ui_hatch_segments(). */
      if ((row + column) % MAX (size / N_STROKES, 2) == 0
          && is_masked (attention, row, column, size))
        mixed = ui_color_mix (palette->ground, palette->hatch, palette->hatch.a / 255.0);

      pixels[(gsize) row * size + column] = 0xff000000u | (guint32) mixed.r << 16 |
                                            (guint32) mixed.g << 8 | mixed.b;
    }
  }
  return (guint8 *) pixels;
}
