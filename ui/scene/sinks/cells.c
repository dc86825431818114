/* SPDX-License-Identifier: MIT */
#include "ui/scene/sinks/cells.h"

#include <math.h>

/* Smoothing reaches half a pixel to each side: where a cell has several of them, it is a thin edge;
 * where it is smaller than a unit of text, nobody sees it. */
#define PIXELS_PER_UNIT 2.0
#define LEAST_FACTOR 2.0
#define MOST_PIXELS (1 << 22)

GArray *
ui_cells_find_runs (const guint8 *argb,
                    int           width,
                    int           height,
                    int           stride)
{
  GArray *runs;

  if (width * height > UI_MOST_VECTOR_CELLS)
    return NULL;
  runs = g_array_new (FALSE, FALSE, sizeof (UiCellRun));
  for (int y = 0; y < height; y++) {
    const guint32 *row = (const guint32 *) (argb + (gsize) y * stride);

    for (int x = 0; x < width; x++) {
      UiCellRun *last = runs->len > 0 ? &g_array_index (runs, UiCellRun, runs->len - 1) : NULL;

      if (row[x] >> 24 != 0xff) {
        g_array_unref (runs);
        return NULL;
      }
      if (x > 0 && last->argb == row[x])
        last->length++;
      else
        g_array_append_val (runs, ((UiCellRun) { x, y, 1, row[x] }));
    }
  }
  return runs;
}

int
ui_cells_find_factor (const UiRect *rect,
                      int           width,
                      int           height)
{
  double wanted = MAX (rect->width / width, rect->height / height) * PIXELS_PER_UNIT;
  double most = sqrt ((double) MOST_PIXELS / ((double) width * height));

  return MAX (1, (int) MIN (MAX (ceil (wanted), LEAST_FACTOR), floor (most)));
}

guint8 *
ui_cells_enlarge (const guint8 *argb,
                  int           width,
                  int           height,
                  int           stride,
                  int           factor)
{
  gsize wide = (gsize) width * factor;
  guint32 *pixels = g_new (guint32, wide * height * factor);

  for (gsize y = 0; y < (gsize) height * factor; y++) {
    const guint32 *row = (const guint32 *) (argb + y / factor * stride);

    for (gsize x = 0; x < wide; x++)
      pixels[y * wide + x] = row[x / factor];
  }
  return (guint8 *) pixels;
}
