/* SPDX-License-Identifier: MIT */
#include "ui/scene/sinks/svg-cells.h"

typedef struct {
  guint32  argb;
  int      n_cells;
  GString *path;
} Shade;

static void
clear_shade (gpointer data)
{
  g_string_free (((Shade *) data)->path, TRUE);
}

/* In the order in which they come, so that the same picture gives the same text. */
static GArray *
collect_shades (const GArray *runs)
{
  GArray *shades = g_array_new (FALSE, FALSE, sizeof (Shade));
  g_autoptr (GHashTable) places = g_hash_table_new (NULL, NULL);

  g_array_set_clear_func (shades, clear_shade);
  for (guint i = 0; i < runs->len; i++) {
    const UiCellRun *run = &g_array_index (runs, UiCellRun, i);
    gpointer place = g_hash_table_lookup (places, GUINT_TO_POINTER (run->argb));
    Shade *shade;

    if (place == NULL) {
      Shade first = { .argb = run->argb, .path = g_string_new (NULL) };

      g_array_append_val (shades, first);
      place = GUINT_TO_POINTER (shades->len);
      g_hash_table_insert (places, GUINT_TO_POINTER (run->argb), place);
    }
    shade = &g_array_index (shades, Shade, GPOINTER_TO_UINT (place) - 1);
    shade->n_cells += run->length;
    g_string_append_printf (shade->path, "M%d %dh%dv1h-%dz", run->x, run->y, run->length,
                            run->length);
  }
  return shades;
}

/* "12.5", whatever the locale. */
static void
append_number (GString *svg,
               double   value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (svg, g_ascii_formatd (buffer, sizeof buffer, "%.6g", value));
}

static void
append_shade (GString    *svg,
              guint32     argb,
              const char *path)
{
  g_string_append_printf (svg, "<path fill=\"#%06x\" d=\"%s\"/>\n", argb & 0xffffff, path);
}

void
ui_svg_append_cells (GString      *svg,
                     const UiRect *rect,
                     int           width,
                     int           height,
                     const GArray *runs)
{
  g_autoptr (GArray) shades = collect_shades (runs);
  g_autofree char *all = g_strdup_printf ("M0 0h%dv%dh-%dz", width, height, width);
  guint ground = 0;

  for (guint i = 1; i < shades->len; i++)
    if (g_array_index (shades, Shade, i).n_cells > g_array_index (shades, Shade, ground).n_cells)
      ground = i;
  g_string_append (svg, "<g transform=\"translate(");
  append_number (svg, rect->x);
  g_string_append_c (svg, ' ');
  append_number (svg, rect->y);
  g_string_append (svg, ")scale(");
  append_number (svg, rect->width / width);
  g_string_append_c (svg, ' ');
  append_number (svg, rect->height / height);
  /* Without crisp edges the ground would shine through between cells. */
  g_string_append (svg, ")\" shape-rendering=\"crispEdges\">\n");
  append_shade (svg, g_array_index (shades, Shade, ground).argb, all);
  for (guint i = 0; i < shades->len; i++)
    if (i != ground)
      append_shade (svg, g_array_index (shades, Shade, i).argb,
                    g_array_index (shades, Shade, i).path->str);
  g_string_append (svg, "</g>\n");
}
