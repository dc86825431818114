/* SPDX-License-Identifier: MIT */
/* The map's state, for ui/map/ alone. */
#pragma once

#include "ui/map/head-map.h"
#include "ui/map/map-layout.h"

G_BEGIN_DECLS

struct _UiHeadMap {
  GtkWidget    parent_instance;

  UiHeadTiles *tiles;   /* NULL = none */
  int          n_layers;
  int          n_heads;
  guint8      *marks;   /* [n_layers, n_heads] */
  UiTheme      theme;
  int          layer;   /* of a strip; -1 = all */

  UiMapLayout  layout;  /* of the last allocation */
  GdkTexture  *texture; /* of all cells; NULL = to be made */
  guint        scroll_source;
  int          cursor_layer;
  int          cursor_head;
  int          pointed_layer; /* by the pointer; -1 = nothing */
  int          pointed_head;
};

/* head-map-paint.c: the snapshot of the class. */
void ui_head_map_snapshot      (GtkWidget   *widget,
                                GtkSnapshot *snapshot);
/* Cells are other ones, or look otherwise. */
void ui_head_map_forget_pixels (UiHeadMap   *self);

G_END_DECLS
