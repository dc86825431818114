/* SPDX-License-Identifier: MIT */
#include "ui/view/drawn-text.h"

#include <math.h>
#include <string.h>

#define NORMAL_DPI (96.0 * PANGO_SCALE)
#define MARK_SCALE 0.7
#define MARK_RISE 4

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

static void
add_attribute (PangoAttrList  *attributes,
               PangoAttribute *attribute,
               gsize           start)
{
  attribute->start_index = (guint) start;
  attribute->end_index = (guint) start + 1;
  pango_attr_list_insert (attributes, attribute);
}

static void
append_mark (char           letter,
             UiColor        color,
             GString       *text,
             PangoAttrList *attributes)
{
  const gsize at = text->len;

  g_string_append_c (text, letter);
  add_attribute (attributes, pango_attr_foreground_new (color.r * 257, color.g * 257,
                                                        color.b * 257), at);
  add_attribute (attributes, pango_attr_weight_new (PANGO_WEIGHT_BOLD), at);
  add_attribute (attributes, pango_attr_scale_new (MARK_SCALE), at);
  add_attribute (attributes, pango_attr_rise_new (MARK_RISE * PANGO_SCALE), at);
}

gsize
ui_drawn_text_get_number_length (const char *name)
{
  gsize length = strlen (name), at = length;

  while (at > 0 && g_ascii_isdigit (name[at - 1]))
    at--;
  return at > 0 && at < length && name[at - 1] == ' ' ? length - at + 1 : 0;
}

PangoLayout *
ui_drawn_text_new_token (GtkWidget  *widget,
                         const char *name,
                         char        letter,
                         UiColor     color,
                         gsize      *n_kept)
{
  PangoLayout *layout = ui_drawn_text_new_layout (widget, "", FALSE);
  g_autoptr (GString) text = g_string_new (name);
  g_autoptr (PangoAttrList) attributes =
    pango_attr_list_copy (pango_layout_get_attributes (layout));

  if (letter != 0)
    append_mark (letter, color, text, attributes);
  *n_kept = text->len - strlen (name) + ui_drawn_text_get_number_length (name);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_set_text (layout, text->str, -1);
  pango_layout_set_attributes (layout, attributes);
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
