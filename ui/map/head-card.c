/* SPDX-License-Identifier: MIT */
#include "ui/map/head-card.h"

#include "ui/controls/steady-label.h"
#include "ui/controls/words.h"
#include "ui/map/map-paint.h"

#define TILE 48
#define GAP 10

struct _UiHeadCard {
  GtkWidget   parent_instance;

  GtkWidget  *picture;
  GtkWidget  *title;
  GtkWidget  *score;
  GtkWidget  *pattern;
  GtkWidget  *edit;
  UiTheme     theme;
  char       *sentence;
};

G_DEFINE_FINAL_TYPE (UiHeadCard, ui_head_card, GTK_TYPE_WIDGET)

static void
show_tile (UiHeadCard      *self,
           const UiTile    *tile,
           const UiTileInk *ink)
{
  const int size = TILE * gtk_widget_get_scale_factor (GTK_WIDGET (self));
  guint32 *pixels;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GdkTexture) texture = NULL;

  if (tile->alphas == NULL) {
    gtk_image_clear (GTK_IMAGE (self->picture));
    return;
  }
  pixels = g_new (guint32, (gsize) size * size);
  ui_tile_paint (tile, ink, size, pixels, size);
  bytes = g_bytes_new_take (pixels, (gsize) size * size * sizeof *pixels);
  texture = gdk_memory_texture_new (size, size, GDK_MEMORY_DEFAULT, bytes,
                                    (gsize) size * sizeof *pixels);
  gtk_image_set_from_paintable (GTK_IMAGE (self->picture), GDK_PAINTABLE (texture));
}

static void
show_words (UiHeadCard         *self,
            const EngHeadFacts *facts,
            int                 layer,
            int                 head,
            const char         *edit)
{
  const char *pattern = facts != NULL ? eng_pattern_get_title (facts->label) : "";
  g_autofree char *title = g_strdup_printf ("%d.%d", layer, head);
  g_autofree char *score = facts != NULL ? ui_words_number ("%.2f", facts->scores[facts->label])
                                         : g_strdup ("");

  ui_steady_label_set_text (UI_STEADY_LABEL (self->title), title);
  ui_steady_label_set_text (UI_STEADY_LABEL (self->score), score);
  ui_steady_label_set_text (UI_STEADY_LABEL (self->pattern), pattern);
  ui_steady_label_set_text (UI_STEADY_LABEL (self->edit), edit != NULL ? edit : "");
  g_free (self->sentence);
  self->sentence = g_strdup_printf ("Head %d of layer %d%s%s%s%s%s%s", head, layer,
                                    *pattern != '\0' ? ", " : "", pattern,
                                    *score != '\0' ? ", " : "", score,
                                    edit != NULL ? ", " : "", edit != NULL ? edit : "");
}

static void
ui_head_card_dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (ui_head_card_parent_class)->dispose (object);
}

static void
ui_head_card_finalize (GObject *object)
{
  g_free (UI_HEAD_CARD (object)->sentence);
  G_OBJECT_CLASS (ui_head_card_parent_class)->finalize (object);
}

static void
ui_head_card_class_init (UiHeadCardClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ui_head_card_dispose;
  G_OBJECT_CLASS (klass)->finalize = ui_head_card_finalize;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "headcard");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
ui_head_card_init (UiHeadCard *self)
{
  GtkWidget *words = gtk_grid_new ();

  gtk_box_layout_set_spacing (
    GTK_BOX_LAYOUT (gtk_widget_get_layout_manager (GTK_WIDGET (self))), GAP);
  self->picture = gtk_image_new ();
  gtk_image_set_pixel_size (GTK_IMAGE (self->picture), TILE);
  gtk_widget_set_valign (self->picture, GTK_ALIGN_START);
  gtk_widget_set_parent (self->picture, GTK_WIDGET (self));
  self->title = ui_steady_label_new ("heading");
  self->score = ui_steady_label_new ("numeric");
  self->pattern = ui_steady_label_new ("dim-label");
  self->edit = ui_steady_label_new ("edited");
  gtk_widget_set_hexpand (self->title, TRUE);
  gtk_grid_attach (GTK_GRID (words), self->title, 0, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (words), self->score, 1, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (words), self->pattern, 0, 1, 2, 1);
  gtk_grid_attach (GTK_GRID (words), self->edit, 0, 2, 2, 1);
  gtk_widget_set_hexpand (words, TRUE);
  gtk_widget_set_parent (words, GTK_WIDGET (self));
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
                  const char        *edit)
{
  const UiTile tile = { ui_head_tiles_get (tiles, layer, head), ui_head_tiles_get_width (tiles),
                        ui_head_tiles_get_height (tiles) };
  const UiTileInk ink = {
    is_drawn ? ui_palette_head (self->theme, head) : ui_palette_get (self->theme)->text,
    ui_tile_get_plate (self->theme), 1
  };

  g_return_if_fail (UI_IS_HEAD_CARD (self));

  show_tile (self, &tile, &ink);
  show_words (self, ui_head_tiles_get_facts (tiles, layer, head), layer, head, edit);
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
