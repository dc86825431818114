/* SPDX-License-Identifier: MIT */
#include "ui/map/changed-head-list.h"

#include "ui/controls/words.h"
#include "ui/map/map-paint.h"

#define TILE 44
#define GAP 4

struct _UiChangedHeadList {
  UiRowList    parent_instance;

  GtkWidget   *rows[UI_N_CHANGED_TILES];
  GtkWidget   *pictures[UI_N_CHANGED_TILES];
  GtkWidget   *names[UI_N_CHANGED_TILES];
  GtkWidget   *numbers[UI_N_CHANGED_TILES];
  UiHeadChange heads[UI_N_CHANGED_TILES];
};

G_DEFINE_FINAL_TYPE (UiChangedHeadList, ui_changed_head_list, UI_TYPE_ROW_LIST)

static void
ui_changed_head_list_class_init (UiChangedHeadListClass *klass)
{
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "changedheads");
}

static GtkWidget *
new_heading (void)
{
  GtkWidget *heading = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, GAP);
  GtkWidget *title = gtk_label_new ("Most changed heads");
  GtkWidget *measure = gtk_label_new ("weight moved");

  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_widget_set_hexpand (title, TRUE);
  gtk_widget_add_css_class (title, "heading");
  gtk_widget_add_css_class (measure, "dim-label");
  gtk_widget_add_css_class (measure, "caption");
  gtk_widget_set_tooltip_text (measure, "Half the sum of the absolute differences of a row of "
                                        "weights,\nthe mean over all rows: 0 = none of the "
                                        "attention went elsewhere, 1 = all");
  gtk_box_append (GTK_BOX (heading), title);
  gtk_box_append (GTK_BOX (heading), measure);
  return heading;
}

static void
add_row (UiChangedHeadList *self,
         int                i,
         GtkWidget         *parent)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_VERTICAL, 1);

  self->pictures[i] = gtk_picture_new ();
  gtk_widget_set_size_request (self->pictures[i], TILE, TILE);
  gtk_widget_set_halign (self->pictures[i], GTK_ALIGN_CENTER);
  self->names[i] = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->names[i], "caption-heading");
  self->numbers[i] = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->numbers[i], "caption");
  gtk_widget_add_css_class (self->numbers[i], "dim-label");
  gtk_widget_add_css_class (self->numbers[i], "numeric");
  gtk_box_append (GTK_BOX (row), self->pictures[i]);
  gtk_box_append (GTK_BOX (row), self->names[i]);
  gtk_box_append (GTK_BOX (row), self->numbers[i]);
  gtk_box_append (GTK_BOX (parent), row);
  ui_row_list_add (UI_ROW_LIST (self), row);
  self->rows[i] = row;
}

static void
ui_changed_head_list_init (UiChangedHeadList *self)
{
  GtkWidget *rows = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, GAP);

  gtk_box_set_homogeneous (GTK_BOX (rows), TRUE);
  gtk_widget_set_margin_top (rows, GAP);
  gtk_widget_set_parent (new_heading (), GTK_WIDGET (self));
  gtk_widget_set_parent (rows, GTK_WIDGET (self));
  for (int i = 0; i < UI_N_CHANGED_TILES; i++)
    add_row (self, i, rows);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "Most changed heads", -1);
}

GtkWidget *
ui_changed_head_list_new (void)
{
  return g_object_new (UI_TYPE_CHANGED_HEAD_LIST, NULL);
}

static void
show_tile (UiChangedHeadList    *self,
           const UiChangedHeads *heads,
           int                   i,
           UiTheme               theme)
{
  const int size = TILE * gtk_widget_get_scale_factor (GTK_WIDGET (self));
  const UiTile tile = {
    heads->tiles + (gsize) i * heads->width * heads->height, heads->width, heads->height
  };
  const UiTileInk ink = { ui_palette_get (theme)->text, ui_tile_get_plate (theme), 1 };
  guint32 *pixels = g_new (guint32, (gsize) size * size);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GdkTexture) texture = NULL;

  ui_tile_paint (&tile, &ink, size, pixels, size);
  bytes = g_bytes_new_take (pixels, (gsize) size * size * sizeof *pixels);
  texture = gdk_memory_texture_new (size, size, GDK_MEMORY_DEFAULT, bytes,
                                    (gsize) size * sizeof *pixels);
  gtk_picture_set_paintable (GTK_PICTURE (self->pictures[i]), GDK_PAINTABLE (texture));
}

static void
show_head (UiChangedHeadList  *self,
           const UiHeadChange *head,
           int                 i)
{
  g_autofree char *name = g_strdup_printf ("%d.%d", head->layer, head->head);
  g_autofree char *number = ui_words_number ("%.2f", head->moved);
  g_autofree char *sentence = g_strdup_printf ("Head %d of layer %d, weight moved %s", head->head,
                                               head->layer, number);

  gtk_label_set_text (GTK_LABEL (self->names[i]), name);
  gtk_label_set_text (GTK_LABEL (self->numbers[i]), number);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->rows[i]),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, sentence, -1);
}

void
ui_changed_head_list_set (UiChangedHeadList    *self,
                          const UiChangedHeads *heads,
                          UiTheme               theme)
{
  g_return_if_fail (UI_IS_CHANGED_HEAD_LIST (self));

  ui_row_list_use (UI_ROW_LIST (self), heads->n_tiles, theme);
  for (int i = 0; i < heads->n_tiles; i++) {
    self->heads[i] = g_array_index (heads->heads, UiHeadChange, i);
    show_tile (self, heads, i, theme);
    show_head (self, &self->heads[i], i);
  }
}

gboolean
ui_changed_head_list_get_row (UiChangedHeadList *self,
                              int                row,
                              UiHeadChange      *head)
{
  g_return_val_if_fail (UI_IS_CHANGED_HEAD_LIST (self), FALSE);

  if (row < 0 || row >= ui_row_list_get_n (UI_ROW_LIST (self)))
    return FALSE;

  *head = self->heads[row];
  return TRUE;
}
