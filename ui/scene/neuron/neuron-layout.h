/* SPDX-License-Identifier: MIT */
/* Where things stand in the expanded neuron view. From left to right:
 *
 *   tokens that read | query bands | guides | key bands | products | scores | softmax | links |
 *   value bands | tokens that are read
 *
 * and below the value bands their weighted sum, the head's output for the query. A position bias
 * parts the score into product, bias, or the two terms that a bias is made of, and sum; a mask
 * stands before the softmax, a measure behind it. Only what the layer has gets a column.
 *
 * The rows are those of the head view. A band holds one cell for each dimension of the head. Every
 * column has a least width and a most, up to which it grows with the window; what is left over
 * stays empty on both sides. In a window that is narrower than all the least widths together some
 * columns fold: values to a narrow band, the bars of product and bias to their numbers. Where that is
 * not enough all bands and bars become tight, and the letters of the sentences go. What is wider
 * still scrolls. A file folds nothing. Units: scene units. */
#pragma once

#include "ui/scene/head/head-layout.h"

G_BEGIN_DECLS

typedef enum { UI_BAND_QUERIES, UI_BAND_KEYS, UI_BAND_PRODUCTS, UI_BAND_VALUES } UiBand;
#define UI_N_BANDS 4

/* Columns of one number for each key, with a bar. */
typedef enum {
  UI_GAUGE_PRODUCT, /* scale · q·k, where a bias is added to it */
  UI_GAUGE_BIAS,    /* what is added to it, or the first term of that */
  UI_GAUGE_SECOND_BIAS,
  UI_GAUGE_SCORE,
  UI_GAUGE_SOFTMAX,
  UI_GAUGE_MEASURE
} UiGauge;
#define UI_N_GAUGES 6

/* Which columns a head has. */
typedef struct {
  int      n_dimensions;       /* of queries and keys */
  int      n_value_dimensions; /* 0 = the trace holds no values */
  int      n_biases;           /* added to the scaled product: 0, 1 or 2 */
  gboolean has_mask;
  gboolean has_measure;
} UiNeuronColumns;

typedef struct {
  double x;
  double width; /* 0 = there is no such column */
} UiSpan;

typedef struct {
  const UiHeadLayout *rows;            /* the two columns of tokens; borrowed */
  UiNeuronColumns     columns;
  gboolean            is_tight;        /* headings have no room for the scales of their columns */
  UiSpan              bands[UI_N_BANDS];
  double              band_height;
  UiSpan              guides;          /* from a query band to the key bands */
  /* the zero line is in the middle up to the score, then at the left */
  UiSpan              bars[UI_N_GAUGES];
  UiSpan              numbers[UI_N_GAUGES]; /* flush right up to the score, then flush left */
  UiSpan              mask;
  UiSpan              links;           /* from the weights to the values, or to the tokens */
  UiRect              output;          /* band of the head's output; width 0 without values */
} UiNeuronLayout;

/* The options with which the rows are to be laid out before: the headings take a second line,
 * the output a row. */
UiSceneOptions ui_neuron_layout_get_row_options (const UiSceneOptions  *options,
                                                 const UiNeuronColumns *columns);
/* Moves the columns of rows to their places; rows stays borrowed as long as the layout is used. */
void     ui_neuron_layout_init           (UiNeuronLayout        *self,
                                          UiHeadLayout          *rows,
                                          const EngTokens       *queries,
                                          const EngTokens       *keys,
                                          const UiNeuronColumns *columns,
                                          const UiSceneOptions  *options);

int      ui_neuron_layout_get_n_cells    (const UiNeuronLayout *self,
                                          UiBand                band);
/* The side whose rows a band follows: products stand in the rows of their keys. */
UiSide   ui_neuron_layout_get_side       (UiBand                band);
UiRect   ui_neuron_layout_get_band       (const UiNeuronLayout *self,
                                          UiBand                band,
                                          int                   row);
/* The cell at a position counted from the left, over the whole height of its band. */
UiRect   ui_neuron_layout_get_cell       (const UiNeuronLayout *self,
                                          UiBand                band,
                                          int                   row,
                                          int                   position);
/* The cell of the head's output at a position counted from the left. */
UiRect   ui_neuron_layout_get_output     (const UiNeuronLayout *self,
                                          int                   position);
/* The position of the cell at x. FALSE beside the band. */
gboolean ui_neuron_layout_find_position  (const UiNeuronLayout *self,
                                          UiBand                band,
                                          double                x,
                                          int                  *position);

G_END_DECLS
