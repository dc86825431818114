/* SPDX-License-Identifier: MIT */
#include "ui/view/hint.h"

#include <math.h>

#include "ui/view/color.h"

#define HINT_MAX_WIDTH 280
#define HINT_MIN_WIDTH 90 /* with its padding within the narrowest field between two columns, 110 */
#define HINT_PADDING_X 10
#define HINT_PADDING_Y 6
#define HINT_RADIUS 7
#define HINT_DISTANCE 8

/* After a target, or before it where there is no room. */
static double
place (double start,
       double length,
       double size,
       double first,
       double room)
{
  double position = start + length + HINT_DISTANCE;

  if (position + size > first + room)
    position = start - HINT_DISTANCE - size;
  if (position < first)
    position = first + room - size;

  return floor (CLAMP (position, first, MAX (first, first + room - size)));
}

static void
set_width (PangoLayout *layout,
           double       room)
{
  const int width = (int) CLAMP (room - 2 * HINT_PADDING_X, HINT_MIN_WIDTH, HINT_MAX_WIDTH);

  if (pango_layout_get_width (layout) != width * PANGO_SCALE)
    pango_layout_set_width (layout, width * PANGO_SCALE);
}

void
ui_hint_snapshot (GtkSnapshot     *snapshot,
                  PangoLayout     *layout,
                  const UiPalette *palette,
                  const UiRect    *target,
                  const UiRect    *room)
{
  const GdkRGBA ground = ui_color_to_rgba (palette->text);
  const GdkRGBA text = ui_color_to_rgba (ui_color_with_alpha (palette->ground, 1));
  int text_width, text_height;
  double width, x, y;
  GskRoundedRect outline;

  set_width (layout, room->width);
  pango_layout_get_pixel_size (layout, &text_width, &text_height);
  width = text_width + 2 * HINT_PADDING_X;
  x = floor (CLAMP (target->x + target->width + HINT_DISTANCE, room->x,
                    MAX (room->x, room->x + room->width - width)));
  y = place (target->y, target->height, text_height + 2 * HINT_PADDING_Y, room->y, room->height);
  gsk_rounded_rect_init_from_rect (&outline,
                                   &GRAPHENE_RECT_INIT (x,
                                                        y,
                                                        text_width + 2 * HINT_PADDING_X,
                                                        text_height + 2 * HINT_PADDING_Y),
                                   HINT_RADIUS);

  gtk_snapshot_push_rounded_clip (snapshot, &outline);
  gtk_snapshot_append_color (snapshot, &ground, &outline.bounds);
  gtk_snapshot_pop (snapshot);

  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (x + HINT_PADDING_X, y + HINT_PADDING_Y));
  gtk_snapshot_append_layout (snapshot, layout, &text);
  gtk_snapshot_restore (snapshot);
}

PangoLayout *
ui_hint_layout_new (GtkWidget  *widget,
                    const char *sentence)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (widget, sentence);

  pango_layout_set_width (layout, HINT_MAX_WIDTH * PANGO_SCALE);
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  return layout;
}
