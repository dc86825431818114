/* SPDX-License-Identifier: MIT */
/* A line of a list of heads: a tile, words, a dot and a number at the end. Drawn by one widget of a
 * fixed request, so that new numbers cost a redraw and never a layout of the window. */
#pragma once

#include <gtk/gtk.h>

#include "ui/map/map-paint.h"

G_BEGIN_DECLS

#define UI_TYPE_MAP_ROW (ui_map_row_get_type ())
G_DECLARE_FINAL_TYPE (UiMapRow, ui_map_row, UI, MAP_ROW, GtkWidget)

GtkWidget *ui_map_row_new      (void);
/* tile is copied. One without opacities, as of a layer that is not computed yet, is not drawn. */
void       ui_map_row_set_tile (UiMapRow        *self,
                                const UiTile    *tile,
                                const UiTileInk *ink);
/* number: "1.6" or "25 heads", bold where has_dot, which is blue as those of the map. */
void       ui_map_row_set      (UiMapRow        *self,
                                const char      *title,
                                const char      *number,
                                gboolean         has_dot,
                                UiColor          dot);

G_END_DECLS
