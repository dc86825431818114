/* SPDX-License-Identifier: MIT */
/* Where the maps of the model view stand: a grid of layers × heads, or a flow of cells in an order
 * of their own, with headings between groups. In scene units; all of it is known before any map is
 * painted. */
#pragma once

#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

/* What a cell has room for below its map, from least to most. */
typedef enum {
  UI_MODEL_LABEL_NONE,
  UI_MODEL_LABEL_BARE,   /* the number without its sign */
  UI_MODEL_LABEL_NUMBER,
  UI_MODEL_LABEL_CODE,   /* a short name */
  UI_MODEL_LABEL_NAME,
  UI_MODEL_LABEL_BOTH    /* name and number */
} UiModelLabel;

/* The widest ones, so that none is cut and none reaches into its neighbour; 0 = there is none. */
typedef struct {
  double   name;
  double   code;
  double   number;
  double   bare;
  gboolean numbers_speak; /* a number says something without the name before it */
} UiModelLabelWidths;

typedef struct {
  int    layer;
  int    head;
  int    group;  /* cells of a group follow each other; used in flows */
  double x;      /* of the map's upper left corner */
  double y;
  int    row;    /* cells that stand beside each other */
} UiModelCell;

/* A text that names a row of the grid or a group of the flow. */
typedef struct {
  double  x;
  double  y;     /* middle of its line */
  UiAlign align;
  char   *text;
  int     layer; /* that it names; -1 = none */
} UiModelHeading;

typedef struct {
  UiModelCell  *cells;     /* [n_cells] from left to right and from top to bottom */
  int           n_cells;
  GArray       *headings;  /* of UiModelHeading */
  gboolean      is_grid;
  double        left;      /* of the first column of cells */
  double        cell;      /* edge of a map */
  double        pitch;     /* from one column to the next */
  double        label;     /* height of the line below a map */
  UiModelLabel  has_label;
  double        scale;     /* of texts */
  double        width;
  double        height;
  double        header;    /* height of the line of head numbers */
} UiModelLayout;

/* present: [n_layers] 1 = the layer has cells. What lacks gets a line that says which layers of a
 * trace are not in it, or, where is_growing, the room of its cells. */
void     ui_model_layout_init_grid (UiModelLayout            *self,
                                    const UiSceneOptions     *options,
                                    const UiModelLabelWidths *labels,
                                    const guint8             *present,
                                    int                       n_layers,
                                    int                       n_heads,
                                    gboolean                  is_growing);
/* The cells, [n_cells] of which layer, head and group are set, are taken. n_columns: of the grid
 * that would show the same; in a figure fewer, where its cells had no room for their names.
 * group_names: by group, NULL = no headings. */
void     ui_model_layout_init_flow (UiModelLayout        *self,
                                    const UiSceneOptions *options,
                                    const UiModelLabelWidths *labels,
                                    UiModelCell          *cells,
                                    int                   n_cells,
                                    int                   n_columns,
                                    const char *const    *group_names);
void     ui_model_layout_clear     (UiModelLayout        *self);

/* Whether cells say names, and numbers. */
gboolean ui_model_layout_has_names   (const UiModelLayout *self);
gboolean ui_model_layout_has_numbers (const UiModelLayout *self);
/* -1 = no such cell. */
int      ui_model_layout_find      (const UiModelLayout  *self,
                                    int                   layer,
                                    int                   head);
/* From the top of one row of maps to the top of the next. */
double   ui_model_layout_get_row_height (const UiModelLayout *self);
/* The cell whose map or label is at a point; -1 = none. */
int      ui_model_layout_hit       (const UiModelLayout  *self,
                                    double                x,
                                    double                y);
/* The cell that an arrow leads to; the same one at an end. */
int      ui_model_layout_move      (const UiModelLayout  *self,
                                    UiMove                move,
                                    int                   cell);
UiRect   ui_model_layout_get_map   (const UiModelLayout  *self,
                                    int                   cell);

G_END_DECLS
