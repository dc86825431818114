/* SPDX-License-Identifier: MIT */
/* What is seen of the map of heads: all cells as one picture, marks and numbers over it. */
#include "ui/map/head-map-private.h"

#include "ui/map/map-paint.h"
#include "ui/scene/base/pattern-glyph.h"
#include "ui/view/color.h"
#include "ui/view/drawn-text.h"
#include "ui/view/focus-ring.h"

#define RADIUS 3
#define FRAME 2
#define RING (FRAME + UI_FOCUS_RING) /* around a frame */
#define DOT 6
#define LEAST_DOT_CELL 9
#define OTHER_STRENGTH 0.28
#define LEAST_STRENGTH 0.25 /* of a glyph: a weak pattern is still seen */
#define LABEL_END 8 /* from the numbers of the layers to the cells */
#define HEAD_LABEL_END 6

static guint8
get_marks (UiHeadMap *self,
           int        layer,
           int        head)
{
  return self->marks[layer * self->n_heads + head];
}

void
ui_head_map_forget_pixels (UiHeadMap *self)
{
  g_clear_object (&self->texture);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static UiTileInk
get_ink (UiHeadMap *self,
         int        layer,
         int        head)
{
  const guint8 marks = get_marks (self, layer, head);
  UiTileInk ink = { .plate = ui_tile_get_plate (self->theme), .strength = 1 };

  ink.ink = marks & UI_HEAD_DRAWN ? ui_palette_head (self->theme, head)
                                  : ui_palette_get (self->theme)->text;
  if (marks & UI_HEAD_OTHER)
    ink.strength = OTHER_STRENGTH;
  return ink;
}

static void
paint_cell (UiHeadMap *self,
            int        layer,
            int        head,
            int        size,
            guint32   *pixels,
            gsize      stride)
{
  const guint8 *alphas = ui_head_tiles_get (self->tiles, layer, head);
  UiTile tile = {
    alphas, ui_head_tiles_get_width (self->tiles), ui_head_tiles_get_height (self->tiles)
  };
  UiTileInk ink = get_ink (self, layer, head);
  g_autofree guint8 *glyph = NULL;

  if (self->layout.cell < UI_MAP_LEAST_THUMBNAIL) {
    const EngHeadFacts *facts = ui_head_tiles_get_facts (self->tiles, layer, head);

    glyph = g_malloc ((gsize) size * size);
    ui_pattern_glyph_paint (facts->label, size, glyph);
    tile = (UiTile) { glyph, size, size };
    ink.strength *= CLAMP (facts->scores[facts->label], LEAST_STRENGTH, 1);
  }
  ui_tile_paint (&tile, &ink, size, pixels, stride);
}

/* All cells in one picture: nothing between them. */
static GdkTexture *
new_texture (UiHeadMap *self)
{
  const int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  const int width = self->layout.width * scale, height = self->layout.height * scale;
  const int first = self->layout.first_layer;
  guint32 *pixels = g_new0 (guint32, (gsize) width * height);
  g_autoptr (GBytes) bytes = NULL;

  for (int layer = first; layer < first + self->layout.n_layers; layer++)
    for (int head = 0; head < self->n_heads; head++) {
      UiMapPlace place = ui_map_layout_get_place (&self->layout, layer, head);

      if (ui_head_tiles_get (self->tiles, layer, head) != NULL)
        paint_cell (self, layer, head, place.size * scale,
                    pixels + (gsize) place.y * scale * width + place.x * scale, width);
    }
  bytes = g_bytes_new_take (pixels, (gsize) width * height * sizeof *pixels);
  return gdk_memory_texture_new (width, height, GDK_MEMORY_DEFAULT, bytes,
                                 (gsize) width * sizeof *pixels);
}

static void
append_frame (GtkSnapshot      *snapshot,
              const UiMapPlace *place,
              double            outset,
              double            width,
              GdkRGBA           color)
{
  const double size = place->size + 2 * outset;
  GskRoundedRect frame;

  gsk_rounded_rect_init_from_rect (
    &frame, &GRAPHENE_RECT_INIT (place->x - outset, place->y - outset, size, size), RADIUS);
  gtk_snapshot_append_border (snapshot, &frame, (const float[4]) { width, width, width, width },
                              (const GdkRGBA[4]) { color, color, color, color });
}

/* At the upper right corner, with a rim of the ground. */
static void
append_dot (UiHeadMap        *self,
            GtkSnapshot      *snapshot,
            const UiMapPlace *place)
{
  const UiPalette *palette = ui_palette_get (self->theme);

  for (int rim = 1; rim >= 0; rim--) {
    const GdkRGBA color = ui_color_to_rgba (rim ? palette->ground : palette->accent);
    const double size = DOT + 2 * rim;
    GskRoundedRect circle;

    gsk_rounded_rect_init_from_rect (
      &circle, &GRAPHENE_RECT_INIT (place->x + place->size - DOT - rim, place->y - rim, size, size),
      size / 2);
    gtk_snapshot_push_rounded_clip (snapshot, &circle);
    gtk_snapshot_append_color (snapshot, &color, &circle.bounds);
    gtk_snapshot_pop (snapshot);
  }
}

/* Through the cell from corner to corner, cased so that it is seen on any pattern. */
static void
append_stroke (UiHeadMap        *self,
               GtkSnapshot      *snapshot,
               const UiMapPlace *place)
{
  const UiPalette *palette = ui_palette_get (self->theme);
  const UiColor colors[] = { palette->ground, palette->warning };
  const double widths[] = { place->size >= 20 ? 4.5 : 3, place->size >= 20 ? 2 : 1.5 };
  cairo_t *cr = gtk_snapshot_append_cairo (
    snapshot, &GRAPHENE_RECT_INIT (place->x, place->y, place->size, place->size));

  for (gsize i = 0; i < G_N_ELEMENTS (colors); i++) {
    const GdkRGBA color = ui_color_to_rgba (colors[i]);

    gdk_cairo_set_source_rgba (cr, &color);
    cairo_set_line_width (cr, widths[i]);
    cairo_move_to (cr, place->x + 1, place->y + place->size - 1);
    cairo_line_to (cr, place->x + place->size - 1, place->y + 1);
    cairo_stroke (cr);
  }
  cairo_destroy (cr);
}

static void
append_marks (UiHeadMap   *self,
              GtkSnapshot *snapshot,
              int          layer,
              int          head)
{
  const guint8 marks = get_marks (self, layer, head);
  UiMapPlace place = ui_map_layout_get_place (&self->layout, layer, head);
  const UiPalette *palette = ui_palette_get (self->theme);

  if (ui_head_tiles_get (self->tiles, layer, head) == NULL)
    append_frame (snapshot, &place, 0, 1, ui_color_to_rgba (palette->rule));
  if (marks & UI_HEAD_EDITED)
    append_stroke (self, snapshot, &place);
  if ((marks & UI_HEAD_BEST) && place.size >= LEAST_DOT_CELL)
    append_dot (self, snapshot, &place);
  if (marks & UI_HEAD_DRAWN)
    append_frame (snapshot, &place, FRAME, FRAME,
                  ui_color_to_rgba (ui_palette_head (self->theme, head)));
}

/* Ends before the cells, in the middle of so much height. */
static void
append_number (UiHeadMap   *self,
               GtkSnapshot *snapshot,
               int          number,
               int          top,
               int          height,
               gboolean     is_bold,
               UiColor      color)
{
  const GdkRGBA rgba = ui_color_to_rgba (color);
  const int end = self->layout.labels - (self->layout.is_strip ? HEAD_LABEL_END : LABEL_END);
  g_autofree char *text = g_strdup_printf ("%d", number);
  g_autoptr (PangoLayout) label = ui_drawn_text_new_layout (GTK_WIDGET (self), text, is_bold);
  int width;

  pango_layout_get_pixel_size (label, &width, NULL);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (0, top));
  ui_drawn_text_append (snapshot, label, end - width, height, rgba);
  gtk_snapshot_restore (snapshot);
}

/* As many numbers as have room, of layers with the same distance. */
static void
append_labels (UiHeadMap   *self,
               GtkSnapshot *snapshot)
{
  const int pitch = ui_map_layout_get_top (&self->layout, 1);
  g_autoptr (PangoLayout) digit = gtk_widget_create_pango_layout (GTK_WIDGET (self), "0");
  int height, step = 1;

  pango_layout_get_pixel_size (digit, NULL, &height);
  while (step * pitch < height)
    step *= 2;
  for (int layer = 0; layer < self->n_layers; layer += step)
    append_number (self, snapshot, layer, ui_map_layout_get_top (&self->layout, layer),
                   self->layout.n_lines * (self->layout.cell + self->layout.gap), FALSE,
                   ui_palette_get (self->theme)->dim);
}

/* Of the heads of a strip. */
static void
append_heads (UiHeadMap   *self,
              GtkSnapshot *snapshot)
{
  for (int head = 0; head < self->n_heads; head++) {
    const UiMapPlace place = ui_map_layout_get_place (&self->layout, self->layer, head);
    const gboolean is_drawn = (get_marks (self, self->layer, head) & UI_HEAD_DRAWN) != 0;

    append_number (self, snapshot, head, place.y, place.size, is_drawn,
                   is_drawn ? ui_palette_head (self->theme, head)
                            : ui_palette_get (self->theme)->dim);
  }
}

void
ui_head_map_snapshot (GtkWidget   *widget,
                      GtkSnapshot *snapshot)
{
  UiHeadMap *self = UI_HEAD_MAP (widget);
  const UiMapLayout *layout = &self->layout;

  if (self->tiles == NULL || layout->cell == 0)
    return;
  if (layout->is_strip)
    append_heads (self, snapshot);
  else
    append_labels (self, snapshot);
  if (self->texture == NULL)
    self->texture = new_texture (self);
  gtk_snapshot_append_texture (snapshot, self->texture,
                               &GRAPHENE_RECT_INIT (0, 0, layout->width, layout->height));
  for (int i = 0; i < layout->n_layers; i++)
    for (int head = 0; head < self->n_heads; head++)
      append_marks (self, snapshot, layout->first_layer + i, head);
  if (gtk_widget_has_visible_focus (widget)) {
    UiMapPlace place = ui_map_layout_get_place (layout, self->cursor_layer, self->cursor_head);

    const double size = place.size + 2 * RING;

    ui_focus_ring_append (snapshot, self->theme,
                          &GRAPHENE_RECT_INIT (place.x - RING, place.y - RING, size, size), RADIUS);
  }
}
