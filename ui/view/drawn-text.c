/* SPDX-License-Identifier: MIT */
#include "ui/view/drawn-text.h"

#include <math.h>

#define NORMAL_DPI (96.0 * PANGO_SCALE)

double
ui_drawn_text_get_scale (GtkWidget *widget)
{
  int dpi = -1;

  g_object_get (gtk_widget_get_settings (widget), "gtk-xft-dpi", &dpi, NULL);
  return dpi > 0 ? dpi / NORMAL_DPI : 1;
}

PangoLayout *
ui_drawn_text_new_layout (GtkWidget  *widget,
                          const char *text,
                          gboolean    is_bold)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (widget, text);
  PangoAttrList *attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
  if (is_bold)
    pango_attr_list_insert (attributes, pango_attr_weight_new (PANGO_WEIGHT_BOLD));
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);
  return layout;
}

void
ui_drawn_text_append (GtkSnapshot *snapshot,
                      PangoLayout *layout,
                      double       x,
                      double       height,
                      GdkRGBA      color)
{
  int text_height;

  pango_layout_get_pixel_size (layout, NULL, &text_height);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (x, floor ((height - text_height) / 2)));
  gtk_snapshot_append_layout (snapshot, layout, &color);
  gtk_snapshot_restore (snapshot);
}
