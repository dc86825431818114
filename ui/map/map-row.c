/* SPDX-License-Identifier: MIT */
#include "ui/map/map-row.h"

#include <math.h>
#include <string.h>

#include "ui/view/color.h"
#include "ui/view/drawn-text.h"

#define TILE 20
#define PADDING 4
#define GAP 9
#define DOT 6
#define DIM 0.6

struct _UiMapRow {
  GtkWidget   parent_instance;

  GdkTexture *texture;
  guint8     *alphas;       /* of the tile that the texture shows */
  UiTile      tile;
  UiTileInk   ink;
  char       *title;
  char       *number;
  gboolean    has_dot;
  UiColor     dot;
};

G_DEFINE_FINAL_TYPE (UiMapRow, ui_map_row, GTK_TYPE_WIDGET)

static void
append_dot (UiMapRow    *self,
            GtkSnapshot *snapshot,
            double       x,
            int          height)
{
  const GdkRGBA color = ui_color_to_rgba (self->dot);
  GskRoundedRect circle;

  gsk_rounded_rect_init_from_rect (&circle, &GRAPHENE_RECT_INIT (x, (height - DOT) / 2, DOT, DOT),
                                   DOT / 2.0);
  gtk_snapshot_push_rounded_clip (snapshot, &circle);
  gtk_snapshot_append_color (snapshot, &color, &circle.bounds);
  gtk_snapshot_pop (snapshot);
}

static void
ui_map_row_snapshot (GtkWidget   *widget,
                     GtkSnapshot *snapshot)
{
  UiMapRow *self = UI_MAP_ROW (widget);
  const int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  g_autoptr (PangoLayout) number = ui_drawn_text_new_layout (widget, self->number, self->has_dot);
  g_autoptr (PangoLayout) title = ui_drawn_text_new_layout (widget, self->title, FALSE);
  const double start = TILE + GAP;
  GdkRGBA color, dim;
  int number_width;
  double end;

  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &color);
  dim = color;
  dim.alpha *= DIM;
  if (self->texture != NULL)
    gtk_snapshot_append_texture (
      snapshot, self->texture, &GRAPHENE_RECT_INIT (0, floor ((height - TILE) / 2.0), TILE, TILE));
  pango_layout_get_pixel_size (number, &number_width, NULL);
  end = width - number_width;
  ui_drawn_text_append (snapshot, number, end, height, self->has_dot ? color : dim);
  end -= GAP;
  if (self->has_dot) {
    append_dot (self, snapshot, end - DOT, height);
    end -= DOT + GAP;
  }
  pango_layout_set_width (title, (int) (MAX (end - start, 0) * PANGO_SCALE));
  pango_layout_set_ellipsize (title, PANGO_ELLIPSIZE_END);
  ui_drawn_text_append (snapshot, title, start, height, color);
}

static void
ui_map_row_measure (GtkWidget      *widget,
                    GtkOrientation  orientation,
                    int             for_size,
                    int            *minimum,
                    int            *natural,
                    int            *minimum_baseline,
                    int            *natural_baseline)
{
  g_autoptr (PangoLayout) layout = ui_drawn_text_new_layout (widget, "0", FALSE);
  int height;

  pango_layout_get_pixel_size (layout, NULL, &height);
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 4 * TILE
                                                                  : MAX (height, TILE) + PADDING;
}

static void
ui_map_row_dispose (GObject *object)
{
  g_clear_object (&UI_MAP_ROW (object)->texture);
  G_OBJECT_CLASS (ui_map_row_parent_class)->dispose (object);
}

static void
ui_map_row_finalize (GObject *object)
{
  UiMapRow *self = UI_MAP_ROW (object);

  g_free (self->alphas);
  g_free (self->title);
  g_free (self->number);
  G_OBJECT_CLASS (ui_map_row_parent_class)->finalize (object);
}

static void
ui_map_row_class_init (UiMapRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ui_map_row_dispose;
  G_OBJECT_CLASS (klass)->finalize = ui_map_row_finalize;
  widget_class->measure = ui_map_row_measure;
  widget_class->snapshot = ui_map_row_snapshot;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LABEL);
}

static void
ui_map_row_init (UiMapRow *self)
{
  self->title = g_strdup ("");
  self->number = g_strdup ("");
}

GtkWidget *
ui_map_row_new (void)
{
  return g_object_new (UI_TYPE_MAP_ROW, NULL);
}

static gboolean
is_same_color (UiColor a,
               UiColor b)
{
  return a.r == b.r && a.g == b.g && a.b == b.b && a.a == b.a;
}

/* Lists are filled again with every change, mostly with what they show. */
static gboolean
shows_tile (const UiMapRow  *self,
            const UiTile    *tile,
            const UiTileInk *ink,
            int              size)
{
  return self->texture != NULL && gdk_texture_get_width (self->texture) == size
         && tile->width == self->tile.width && tile->height == self->tile.height
         && is_same_color (ink->ink, self->ink.ink) && is_same_color (ink->plate, self->ink.plate)
         && ink->strength == self->ink.strength
         && memcmp (tile->alphas, self->alphas, (gsize) tile->width * tile->height) == 0;
}

void
ui_map_row_set_tile (UiMapRow        *self,
                     const UiTile    *tile,
                     const UiTileInk *ink)
{
  const int size = TILE * gtk_widget_get_scale_factor (GTK_WIDGET (self));
  guint32 *pixels;
  g_autoptr (GBytes) bytes = NULL;

  g_return_if_fail (UI_IS_MAP_ROW (self));

  if (tile->alphas != NULL && shows_tile (self, tile, ink, size))
    return;
  g_clear_object (&self->texture);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  if (tile->alphas == NULL)
    return;
  g_free (self->alphas);
  self->alphas = g_memdup2 (tile->alphas, (gsize) tile->width * tile->height);
  self->tile = *tile;
  self->ink = *ink;
  pixels = g_new (guint32, (gsize) size * size);
  ui_tile_paint (tile, ink, size, pixels, size);
  bytes = g_bytes_new_take (pixels, (gsize) size * size * sizeof *pixels);
  self->texture = gdk_memory_texture_new (size, size, GDK_MEMORY_DEFAULT, bytes,
                                          (gsize) size * sizeof *pixels);
}

void
ui_map_row_set (UiMapRow   *self,
                const char *title,
                const char *number,
                gboolean    has_dot,
                UiColor     dot)
{
  g_autofree char *sentence = NULL;

  g_return_if_fail (UI_IS_MAP_ROW (self));

  self->has_dot = has_dot;
  self->dot = dot;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  if (g_str_equal (title, self->title) && g_str_equal (number, self->number))
    return;
  g_free (self->title);
  g_free (self->number);
  self->title = g_strdup (title);
  self->number = g_strdup (number);
  sentence = g_strdup_printf ("%s, %s", title, number);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, sentence,
                                  -1);
}
