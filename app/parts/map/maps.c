/* SPDX-License-Identifier: MIT */
/* The map of all heads, and the strip of one layer that stands in its place: they show the same
 * heads with the same marks, and what is chosen in one is chosen in the other. */
#include "app/parts/map/map-private.h"

#include "ui/dialogs/context-menu.h"

void
app_map_part_show_maps (AppMapPart *self)
{
  for (int i = 0; i < APP_N_MAPS; i++)
    ui_head_map_set_tiles (self->maps[i], self->tiles);
}

void
app_map_part_update_maps (AppMapPart *self)
{
  for (int i = 0; i < APP_N_MAPS; i++)
    ui_head_map_update (self->maps[i]);
}

void
app_map_part_set_theme_of_maps (AppMapPart *self,
                                UiTheme     theme)
{
  for (int i = 0; i < APP_N_MAPS; i++)
    ui_head_map_set_theme (self->maps[i], theme);
}

/* Arrows go on from the one head that is drawn, unless they are on their way. */
static void
follow_drawn (AppMapPart       *self,
              UiHeadMap        *map,
              const UiDocument *shown)
{
  const UiCell drawn = app_map_part_find_drawn (self, shown);

  if (drawn.layer >= 0 && !gtk_widget_has_focus (GTK_WIDGET (map)))
    ui_head_map_set_cursor (map, drawn.layer, drawn.head);
}

void
app_map_part_mark_maps (AppMapPart       *self,
                        const UiDocument *shown,
                        const guint8     *marks)
{
  const int layer = CLAMP (shown->layer, 0, ui_head_tiles_get_n_layers (self->tiles) - 1);
  g_autofree char *number = g_strdup_printf ("%d", layer);

  ui_head_map_set_layer (self->maps[APP_MAP_STRIP], layer);
  gtk_label_set_text (self->strip_layer, number);
  for (int i = 0; i < APP_N_MAPS; i++) {
    ui_head_map_set_marks (self->maps[i], marks);
    follow_drawn (self, self->maps[i], shown);
  }
}

void
app_map_part_describe_maps (AppMapPart *self,
                            const char *sentence)
{
  for (int i = 0; i < APP_N_MAPS; i++)
    ui_head_map_describe (self->maps[i], sentence);
}

void
app_map_part_set_cursor (AppMapPart *self,
                         int         layer,
                         int         head)
{
  for (int i = 0; i < APP_N_MAPS; i++)
    ui_head_map_set_cursor (self->maps[i], layer, head);
}

void
app_map_part_focus_maps (AppMapPart *self)
{
  for (int i = 0; i < APP_N_MAPS; i++)
    if (gtk_widget_get_mapped (GTK_WIDGET (self->maps[i]))) {
      gtk_widget_grab_focus (GTK_WIDGET (self->maps[i]));
      return;
    }
}

/* What a person does. */

static void
chosen_cb (AppMapPart *self,
           int         layer,
           int         head,
           gboolean    add)
{
  UiDocument *document = app_map_part_begin_choice (self);

  if (document == NULL)
    return;
  if (add)
    app_map_add_head (document, layer, head, ui_head_tiles_get_n_heads (self->tiles));
  else
    app_map_show_head (document, layer, head);
  app_study_change (self->study, document);
}

static void
layer_chosen_cb (AppMapPart *self,
                 int         layer)
{
  UiDocument *document = app_map_part_begin_choice (self);

  if (document == NULL)
    return;
  app_map_show_layer (document, layer);
  app_study_change (self->study, document);
}

static void
pointed_cb (AppMapPart *self,
            int         layer,
            int         head)
{
  self->pointed = (UiCell) { layer, head };
  app_map_part_show_card (self);
}

static GMenuModel *
new_menu (GtkWidget    *widget,
          double        x,
          double        y,
          GdkRectangle *at,
          gpointer      data)
{
  int layer, head;

  if (!ui_head_map_find (UI_HEAD_MAP (widget), x, y, &layer, &head, at))
    return NULL;

  return app_desk_new_head_menu (APP_MAP_PART (data)->desk, layer, head);
}

/* Letters that are typed in the map go to the search; the entry's own way to take them would take
 * Return, too. "/" is the key of the search itself. */
static gboolean
typed_cb (AppMapPart      *self,
          guint            key,
          guint            keycode,
          GdkModifierType  state)
{
  const gunichar letter = gdk_keyval_to_unicode (key);
  char text[7] = "";

  if (!g_unichar_isgraph (letter) || letter == '/'
      || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return GDK_EVENT_PROPAGATE;

  g_unichar_to_utf8 (letter, text);
  app_map_part_search (self, text);
  return GDK_EVENT_STOP;
}

static void
connect_map (AppMapPart *self,
             UiHeadMap  *map)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (typed_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (map), keys);
  g_signal_connect_object (map, "chosen", G_CALLBACK (chosen_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (map, "layer-chosen", G_CALLBACK (layer_chosen_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (map, "pointed", G_CALLBACK (pointed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (map, "stepped", G_CALLBACK (app_map_part_step_layer), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (map, "left", G_CALLBACK (app_map_part_leave), self,
                           G_CONNECT_SWAPPED);
  ui_context_menu_attach (GTK_WIDGET (map), new_menu, self);
}

void
app_map_part_begin_maps (AppMapPart *self)
{
  self->maps[APP_MAP_ALL] = app_part_get_object (self, "map");
  self->maps[APP_MAP_STRIP] = app_part_get_object (self, "strip");
  self->strip_layer = app_part_get_object (self, "strip_layer");
  ui_head_map_set_layer (self->maps[APP_MAP_STRIP], 0);
  for (int i = 0; i < APP_N_MAPS; i++)
    connect_map (self, self->maps[i]);
}
