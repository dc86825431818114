/* SPDX-License-Identifier: MIT */
/* Where things stand in the expanded neuron view. From left to right:
 *
 *   tokens that read | query bands | guides | key bands | products | scores | softmax | links |
 *   tokens that are read
 *
 * The rows are those of the head view. A band holds one cell for each dimension of the head.
 * Every column has a least width, which the drawing never goes below, and a most, up to which it
 * grows with the window; what is left over stays empty on both sides. Units: scene units. */
#pragma once

#include "ui/scene/head-layout.h"

G_BEGIN_DECLS

typedef enum { UI_BAND_QUERIES, UI_BAND_KEYS, UI_BAND_PRODUCTS } UiBand;
#define UI_N_BANDS 3

typedef struct {
  double x;
  double width;
} UiSpan;

typedef struct {
  const UiHeadLayout *rows;            /* the two columns of tokens; borrowed */
  int                 n_dimensions;
  UiSpan              bands[UI_N_BANDS];
  double              band_height;
  UiSpan              guides;          /* from a query band to the key bands */
  UiSpan              score_bars;      /* the zero line is in the middle */
  UiSpan              score_numbers;   /* set flush right */
  UiSpan              softmax_bars;    /* from the left; the whole width is a weight of 1 */
  UiSpan              softmax_numbers; /* set flush left */
  UiSpan              links;           /* from the weights to the tokens that are read */
} UiNeuronLayout;

/* The options with which the rows are to be laid out before: the headings take a second line. */
UiSceneOptions ui_neuron_layout_get_row_options (const UiSceneOptions *options);
/* Moves the columns of rows to their places; rows stays borrowed as long as the layout is used. */
void     ui_neuron_layout_init           (UiNeuronLayout       *self,
                                          UiHeadLayout         *rows,
                                          const EngTokens      *queries,
                                          const EngTokens      *keys,
                                          int                   n_dimensions,
                                          const UiSceneOptions *options);

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
/* The position of the cell at x. FALSE beside the band. */
gboolean ui_neuron_layout_find_position  (const UiNeuronLayout *self,
                                          UiBand                band,
                                          double                x,
                                          int                  *position);

G_END_DECLS
