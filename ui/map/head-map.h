/* SPDX-License-Identifier: MIT */
/* The map of heads: a cell for each head of each layer, in ink until the head is drawn; then it has
 * the colour of the head and a frame. It is chosen from, and walked through with arrows; it changes
 * nothing by itself. As a strip it has the heads of one layer below each other, with their numbers.
 * Main thread.
 *
 * Signals: "chosen" (int layer, int head, gboolean add), "layer-chosen" (int layer), "pointed" (int
 * layer, int head; -1 and -1 where nothing is), "left" (Escape). add: with Ctrl, Shift or Space. What is pointed at
 * is under the pointer, else under the cursor while the map has the focus. */
#pragma once

#include <gtk/gtk.h>

#include "ui/scene/base/head-tiles.h"
#include "ui/scene/sinks/palette.h"

G_BEGIN_DECLS

#define UI_TYPE_HEAD_MAP (ui_head_map_get_type ())
G_DECLARE_FINAL_TYPE (UiHeadMap, ui_head_map, UI, HEAD_MAP, GtkWidget)

typedef enum {
  UI_HEAD_DRAWN  = 1 << 0,
  UI_HEAD_EDITED = 1 << 1,
  UI_HEAD_BEST   = 1 << 2, /* of all that follow its pattern */
  UI_HEAD_OTHER  = 1 << 3  /* not among those that were found */
} UiHeadMarks;

GtkWidget *ui_head_map_new        (void);
/* tiles: nullable; held. Those that are made later are shown by ui_head_map_update(). */
void       ui_head_map_set_tiles  (UiHeadMap       *self,
                                   UiHeadTiles     *tiles);
void       ui_head_map_update     (UiHeadMap       *self);
/* Makes it a strip of that layer; -1 = the map of all. */
void       ui_head_map_set_layer  (UiHeadMap       *self,
                                   int              layer);
/* [n_layers, n_heads] of UiHeadMarks, copied; forgotten with tiles of another shape. */
void       ui_head_map_set_marks  (UiHeadMap       *self,
                                   const guint8    *marks);
void       ui_head_map_set_theme  (UiHeadMap       *self,
                                   UiTheme          theme);
/* Where arrows go on from, brought into sight; nothing is emitted. Of another layer than that of a
 * strip only the head counts. */
void       ui_head_map_set_cursor (UiHeadMap       *self,
                                   int              layer,
                                   int              head);
/* What is at a point, or with x < 0 under the cursor: head -1 = the layer. at: where it stands.
 * FALSE = nothing. */
gboolean   ui_head_map_find       (UiHeadMap       *self,
                                   double           x,
                                   double           y,
                                   int             *layer,
                                   int             *head,
                                   GdkRectangle    *at);
/* What a screen reader says of the cursor's head besides its number. */
void       ui_head_map_describe   (UiHeadMap       *self,
                                   const char      *sentence);

G_END_DECLS
