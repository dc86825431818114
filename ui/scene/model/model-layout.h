/* SPDX-License-Identifier: MIT */
/* Where the maps of the model view stand: a grid of layers × heads, a flow of cells in an order of
 * their own, or groups of them, each below a heading (model-groups.c). In scene units; all of it is
 * known before any map is painted. */
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
  int      layer;
  int      head;    /* -1 = no head: what opens the rest of its group, or closes it */
  int      group;   /* cells of a group follow each other; a pattern, or 0 */
  int      n_more;  /* heads of the group that have no place, where this opens it; 0 = closes it */
  gboolean is_kept; /* has a place before others of its group have one */
  double   x;       /* of the map's upper left corner */
  double   y;
  int      row;     /* cells that stand beside each other; -1 = has no place, its group is closed */
} UiModelCell;

typedef enum {
  UI_MODEL_HEADING_LAYER, /* names a row of the grid */
  UI_MODEL_HEADING_LOCAL, /* below it, of a local layer */
  UI_MODEL_HEADING_GAP,   /* says what is missing between rows */
  UI_MODEL_HEADING_GLYPH, /* of a pattern, in place of a text */
  UI_MODEL_HEADING_TITLE,
  UI_MODEL_HEADING_CLAUSE,
  UI_MODEL_HEADING_COUNT
} UiModelHeadingType;

typedef struct {
  UiModelHeadingType type;
  double             x;
  double             y;     /* middle of its line */
  char              *text;
  int                what;  /* layer, or pattern of the group */
} UiModelHeading;

typedef struct {
  UiModelCell  *cells;     /* [n_cells] from left to right and from top to bottom */
  int           n_cells;
  GArray       *headings;  /* of UiModelHeading */
  gboolean      is_grid;
  gboolean      is_grouped;
  double        left;      /* of the first column of cells */
  double        cell;      /* edge of a map */
  double        pitch;     /* from one column to the next */
  double        row_gap;   /* below a map and its label, before the least one of labels */
  double        label;     /* height of the line below a map */
  UiModelLabel  has_label;
  double        scale;     /* of texts */
  double        width;
  double        height;
  double        header;    /* height of the line of head numbers */
} UiModelLayout;

/* present: [n_layers] 1 = the layer has cells. What lacks gets a line that says which layers of a
 * trace are not in it, or, where is_growing, the room of its cells. windows: [n_layers] tokens that
 * a local layer reads at most, said where rows have room for it; 0 = the layer is not local. */
void     ui_model_layout_init_grid (UiModelLayout            *self,
                                    const UiSceneOptions     *options,
                                    const UiModelLabelWidths *labels,
                                    const guint8             *present,
                                    const int                *windows,
                                    int                       n_layers,
                                    int                       n_heads,
                                    gboolean                  is_growing);
/* The cells, [n_cells] of which layer and head are set, are taken. n_columns: of the grid that would
 * show the same; in a figure fewer, where its cells had no room for their names. */
void     ui_model_layout_init_flow (UiModelLayout        *self,
                                    const UiSceneOptions *options,
                                    const UiModelLabelWidths *labels,
                                    UiModelCell          *cells,
                                    int                   n_cells,
                                    int                   n_columns);
/* The same with groups set, which are patterns. A window shows of each what fits into a line, or
 * into more where the height has room for them, and a cell that opens the rest, unless the options
 * have it open; a file shows all. */
void     ui_model_layout_init_groups (UiModelLayout            *self,
                                      const UiSceneOptions     *options,
                                      const UiModelLabelWidths *labels,
                                      UiModelCell              *cells,
                                      int                       n_cells,
                                      int                       n_columns);
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
/* The cell that a key leads to; the same one at an end. */
int      ui_model_layout_move      (const UiModelLayout  *self,
                                    UiMove                move,
                                    int                   cell);
UiRect   ui_model_layout_get_map   (const UiModelLayout  *self,
                                    int                   cell);
/* What opens or closes a group; -1 = there is no such cell. */
int      ui_model_layout_find_opener (const UiModelLayout *self,
                                      int                  group);

/* How a heading that is a text is set. */
UiTextStyle ui_model_get_heading_style (UiModelHeadingType type,
                                        double             scale);

/* For model-groups.c. */
#define UI_MODEL_HEADING_SIZE 13.0 /* of a heading's text, at 100 % text */
#define UI_MODEL_LABEL_GAP 5.0     /* between the labels of neighbours, of name and number */

double   ui_model_layout_get_margin  (const UiSceneOptions     *options);
/* Edge of a cell, as that of a grid of so many columns and rows. */
double   ui_model_layout_fit_cell    (const UiSceneOptions     *options,
                                      double                    room,
                                      int                       n_columns,
                                      int                       n_rows);
/* Takes over no cells yet. gap: between columns, at least. */
void     ui_model_layout_init        (UiModelLayout            *self,
                                      const UiSceneOptions     *options,
                                      const UiModelLabelWidths *labels,
                                      double                    left,
                                      double                    cell,
                                      double                    gap);
/* Takes the text over. */
void     ui_model_layout_add_heading (UiModelLayout            *self,
                                      UiModelHeadingType        type,
                                      double                    x,
                                      double                    y,
                                      char                     *text,
                                      int                       what);

G_END_DECLS
