/* SPDX-License-Identifier: MIT */
#include "ui/scene/sinks/shorten.h"

#include <string.h>

#define ELLIPSIS "…"

static int
get_width (PangoLayout *layout)
{
  int width;

  pango_layout_get_size (layout, &width, NULL);
  return width;
}

/* Where a cursor may stand in the first length bytes: offsets of bytes. */
static GArray *
find_stops (PangoLayout *layout,
            gsize        length)
{
  const char *text = pango_layout_get_text (layout);
  GArray *stops = g_array_new (FALSE, FALSE, sizeof (gsize));
  int n;
  const PangoLogAttr *attributes = pango_layout_get_log_attrs_readonly (layout, &n);
  const char *p = text;

  for (int i = 0; i < n && (gsize) (p - text) <= length; i++) {
    const gsize at = (gsize) (p - text);

    if (attributes[i].is_cursor_position || at == length)
      g_array_append_val (stops, at);
    p += *p != '\0' ? g_utf8_next_char (p) - p : 1;
  }
  return stops;
}

/* An ellipsis in the place of the bytes from head to tail. */
static void
cut (PangoLayout   *layout,
     const char    *text,
     PangoAttrList *attributes,
     gsize          head,
     gsize          tail)
{
  g_autofree char *shorter = g_strdup_printf ("%.*s" ELLIPSIS "%s", (int) head, text, text + tail);
  PangoAttrList *moved = pango_attr_list_copy (attributes);

  if (moved != NULL)
    pango_attr_list_update (moved, (int) head, (int) (tail - head), (int) strlen (ELLIPSIS));
  pango_layout_set_text (layout, shorter, -1);
  pango_layout_set_attributes (layout, moved);
  g_clear_pointer (&moved, pango_attr_list_unref);
}

gboolean
ui_layout_shorten (PangoLayout *layout,
                   int          width,
                   gsize        n_kept)
{
  g_autofree char *text = NULL;
  g_autoptr (GArray) stops = NULL;
  g_autoptr (PangoAttrList) attributes = NULL;
  int most, best = 0;

  if (get_width (layout) <= width)
    return FALSE;

  text = g_strdup (pango_layout_get_text (layout));
  stops = find_stops (layout, strlen (text) - n_kept);
  attributes = pango_attr_list_copy (pango_layout_get_attributes (layout));
  most = (int) stops->len - 1;
#define STOP(i) g_array_index (stops, gsize, i)
  for (int low = 1, high = most - 1; low <= high;) {
    const int kept = (low + high) / 2;

    cut (layout, text, attributes, STOP ((kept + 1) / 2), STOP (most - kept / 2));
    if (get_width (layout) > width) {
      high = kept - 1;
    } else {
      best = kept;
      low = kept + 1;
    }
  }
  cut (layout, text, attributes, STOP ((best + 1) / 2), STOP (most - best / 2));
#undef STOP
  return TRUE;
}
