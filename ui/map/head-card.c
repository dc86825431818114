/* SPDX-License-Identifier: MIT */
#include "ui/map/head-card.h"

#include "ui/controls/words.h"
#include "ui/map/map-paint.h"
#include "ui/view/color.h"
#include "ui/view/drawn-text.h"

#define TILE 48
#define GAP 10
#define N_LINES 3 /* number; what it reads, in two lines, or in one above what was done to it */

/* Drawn by one widget of a fixed request, as map-row.h. */
struct _UiHeadCard {
  GtkWidget   parent_instance;

  GdkTexture *texture; /* NULL = no tile yet */
  char       *title;
  char       *score;
  char       *pattern;
  char       *edit;    /* NULL = nothing was done to it */
  UiTheme     theme;
  char       *sentence;
};

G_DEFINE_FINAL_TYPE (UiHeadCard, ui_head_card, GTK_TYPE_WIDGET)

static void
forget (UiHeadCard *self)
{
  g_clear_object (&self->texture);
  g_clear_pointer (&self->title, g_free);
  g_clear_pointer (&self->score, g_free);
  g_clear_pointer (&self->pattern, g_free);
  g_clear_pointer (&self->edit, g_free);
  g_clear_pointer (&self->sentence, g_free);
}

static int
get_line_height (GtkWidget *widget)
{
  g_autoptr (PangoLayout) layout = ui_drawn_text_new_layout (widget, "0", TRUE);
  int height;

  pango_layout_get_pixel_size (layout, NULL, &height);
  return height;
}

static void
set_tile (UiHeadCard      *self,
          const UiTile    *tile,
          const UiTileInk *ink)
{
  const int size = TILE * gtk_widget_get_scale_factor (GTK_WIDGET (self));
  guint32 *pixels;
  g_autoptr (GBytes) bytes = NULL;

  if (tile->alphas == NULL)
    return;
  pixels = g_new (guint32, (gsize) size * size);
  ui_tile_paint (tile, ink, size, pixels, size);
  bytes = g_bytes_new_take (pixels, (gsize) size * size * sizeof *pixels);
  self->texture = gdk_memory_texture_new (size, size, GDK_MEMORY_DEFAULT, bytes,
                                          (gsize) size * sizeof *pixels);
}

/* A text that begins at a line and has so many of them. */
static void
append_text (UiHeadCard  *self,
             GtkSnapshot *snapshot,
             const char  *text,
             int          line,
             int          n_lines,
             GdkRGBA      color)
{
  GtkWidget *widget = GTK_WIDGET (self);
  g_autoptr (PangoLayout) layout = ui_drawn_text_new_layout (widget, text, FALSE);
  const int width = MAX (gtk_widget_get_width (widget) - TILE - GAP, 0);
  int height;

  pango_layout_set_width (layout, width * PANGO_SCALE);
  pango_layout_set_height (layout, -n_lines);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  pango_layout_get_pixel_size (layout, NULL, &height);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot,
                          &GRAPHENE_POINT_INIT (TILE + GAP, line * get_line_height (widget)));
  ui_drawn_text_append (snapshot, layout, 0, height, color);
  gtk_snapshot_restore (snapshot);
}

static void
append_head (UiHeadCard  *self,
             GtkSnapshot *snapshot,
             GdkRGBA      color)
{
  GtkWidget *widget = GTK_WIDGET (self);
  const int height = get_line_height (widget);
  g_autoptr (PangoLayout) title = ui_drawn_text_new_layout (widget, self->title, TRUE);
  g_autoptr (PangoLayout) score = ui_drawn_text_new_layout (widget, self->score, FALSE);
  int width;

  pango_layout_get_pixel_size (score, &width, NULL);
  ui_drawn_text_append (snapshot, title, TILE + GAP, height, color);
  ui_drawn_text_append (snapshot, score, gtk_widget_get_width (widget) - width, height, color);
}

static void
ui_head_card_snapshot (GtkWidget   *widget,
                       GtkSnapshot *snapshot)
{
  UiHeadCard *self = UI_HEAD_CARD (widget);
  const UiPalette *palette = ui_palette_get (self->theme);
  GdkRGBA color;

  if (self->title == NULL)
    return;
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &color);
  if (self->texture != NULL)
    gtk_snapshot_append_texture (snapshot, self->texture, &GRAPHENE_RECT_INIT (0, 0, TILE, TILE));
  append_head (self, snapshot, color);
  append_text (self, snapshot, self->pattern, 1, self->edit != NULL ? 1 : N_LINES - 1,
               ui_color_to_rgba (palette->dim));
  if (self->edit != NULL)
    append_text (self, snapshot, self->edit, N_LINES - 1, 1, ui_color_to_rgba (palette->warning));
}

static void
ui_head_card_measure (GtkWidget      *widget,
                      GtkOrientation  orientation,
                      int             for_size,
                      int            *minimum,
                      int            *natural,
                      int            *minimum_baseline,
                      int            *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL
                        ? TILE + GAP : MAX (TILE, N_LINES * get_line_height (widget));
}

static void
ui_head_card_finalize (GObject *object)
{
  forget (UI_HEAD_CARD (object));
  G_OBJECT_CLASS (ui_head_card_parent_class)->finalize (object);
}

static void
ui_head_card_class_init (UiHeadCardClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = ui_head_card_finalize;
  widget_class->measure = ui_head_card_measure;
  widget_class->snapshot = ui_head_card_snapshot;
  gtk_widget_class_set_css_name (widget_class, "headcard");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LABEL);
}

static void
ui_head_card_init (UiHeadCard *self)
{
}

GtkWidget *
ui_head_card_new (void)
{
  return g_object_new (UI_TYPE_HEAD_CARD, NULL);
}

void
ui_head_card_set (UiHeadCard        *self,
                  const UiHeadTiles *tiles,
                  int                layer,
                  int                head,
                  gboolean           is_drawn,
                  gboolean           holds_back,
                  const char        *edit)
{
  const EngHeadFacts *facts = holds_back ? NULL : ui_head_tiles_get_facts (tiles, layer, head);
  const UiTile tile = { ui_head_tiles_get (tiles, layer, head), ui_head_tiles_get_width (tiles),
                        ui_head_tiles_get_height (tiles) };
  const UiTileInk ink = {
    is_drawn ? ui_palette_head (self->theme, head) : ui_palette_get (self->theme)->text,
    ui_tile_get_plate (self->theme), 1
  };

  g_return_if_fail (UI_IS_HEAD_CARD (self));

  forget (self);
  set_tile (self, &tile, &ink);
  self->title = g_strdup_printf ("%d.%d", layer, head);
  self->score = facts != NULL ? ui_words_number ("%.2f", facts->scores[facts->label])
                              : g_strdup ("");
  self->pattern = g_strdup (facts != NULL ? eng_pattern_get_title (facts->label) : "");
  self->edit = g_strdup (edit);
  self->sentence = g_strdup_printf ("Head %d of layer %d%s%s%s%s%s%s", head, layer,
                                    facts != NULL ? ", " : "", self->pattern,
                                    facts != NULL ? ", " : "", self->score,
                                    edit != NULL ? ", " : "", edit != NULL ? edit : "");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  self->sentence, -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ui_head_card_set_theme (UiHeadCard *self,
                        UiTheme     theme)
{
  g_return_if_fail (UI_IS_HEAD_CARD (self));

  self->theme = theme;
}

const char *
ui_head_card_get_sentence (UiHeadCard *self)
{
  g_return_val_if_fail (UI_IS_HEAD_CARD (self), NULL);

  return self->sentence != NULL ? self->sentence : "";
}
