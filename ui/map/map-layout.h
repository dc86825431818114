/* SPDX-License-Identifier: MIT */
/* Where the cells of a map of heads stand: layers × heads, layer 0 on top. A layer takes one line,
 * or two where its cells become larger so, and more only where the width forces it. In a strip one
 * layer stands alone, its heads below each other. In logical pixels; pure. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The room of the layers' numbers, before the cells, at 100 % text. */
#define UI_MAP_LABELS 34
/* A cell is no smaller: then the map is higher than its room. */
#define UI_MAP_LEAST_CELL 5
#define UI_MAP_LARGEST_CELL 40 /* at 100 % text */
/* Below it a cell shows the glyph of its pattern: a thumbnail could not be told from another. */
#define UI_MAP_LEAST_THUMBNAIL 14
/* The width of a strip at 100 % text. */
#define UI_MAP_STRIP 64

typedef struct {
  gboolean is_strip;
  int first_layer;
  int n_layers;
  int n_heads;
  int labels;    /* room of the numbers, before the cells */
  int n_columns; /* cells of a line */
  int n_lines;   /* of a layer */
  int cell;      /* edge */
  int gap;       /* between cells */
  int layer_gap; /* between the layers, besides */
  int width;     /* of the whole */
  int height;
} UiMapLayout;

typedef struct {
  int x;
  int y;
  int size;
} UiMapPlace;

typedef enum { UI_MAP_HIT_NONE, UI_MAP_HIT_HEAD, UI_MAP_HIT_LAYER } UiMapHitType;

typedef struct {
  UiMapHitType type;
  int          layer;
  int          head; /* of UI_MAP_HIT_HEAD */
} UiMapHit;

/* height -1 = as high as the width lets it be. text_scale: 1 = text as designed; the room of the
 * numbers and the largest cell grow with it. */
void       ui_map_layout_init      (UiMapLayout       *self,
                                    int                n_layers,
                                    int                n_heads,
                                    int                width,
                                    int                height,
                                    double             text_scale);
void       ui_map_layout_init_strip (UiMapLayout      *self,
                                    int                layer,
                                    int                n_heads,
                                    int                width);
UiMapPlace ui_map_layout_get_place (const UiMapLayout *self,
                                    int                layer,
                                    int                head);
/* The nearest cell; the number of a layer left of its cells. In a strip a number is its head's. */
UiMapHit   ui_map_layout_hit       (const UiMapLayout *self,
                                    double             x,
                                    double             y);
/* Upper edge of a layer, and of what follows the last. */
int        ui_map_layout_get_top   (const UiMapLayout *self,
                                    int                layer);

G_END_DECLS
