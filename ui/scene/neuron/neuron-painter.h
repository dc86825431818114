/* SPDX-License-Identifier: MIT */
/* What the painting of the neuron view shares: neuron-bands.c draws vectors, neuron-comparison.c
 * how a query compares keys, neuron-output.c what it makes of their values, neuron-paint.c puts all
 * together. */
#pragma once

#include "ui/scene/neuron/neuron-scene.h"

G_BEGIN_DECLS

/* At 100 % text: title and scale of a column, and the middle of the scale's line. */
#define UI_NEURON_TITLE_SIZE 13.0
#define UI_NEURON_SCALE_SIZE 11.0
#define UI_NEURON_TITLE_Y 14.0
#define UI_NEURON_SCALE_Y 32.0

typedef struct {
  const UiNeuronScene  *self;
  const UiNeuronLayout *layout;
  const UiHeadLayout   *rows;
  const UiPalette      *palette;
  UiTheme               theme;
  UiSink               *sink;
  const UiRect         *clip;
  UiPins                pins;  /* what is compared: the scene's query or the one pointed at */
  int                   query; /* the same */
} UiNeuronPainter;

/* neuron-bands.c */
gboolean ui_neuron_paint_reaches      (const UiNeuronPainter *painter,
                                       UiSide                 side,
                                       int                    row);
/* The title of a column and, below, its scale; NULL where another column states it. */
void     ui_neuron_paint_heading      (const UiNeuronPainter *painter,
                                       double                 x,
                                       const char            *title,
                                       const char            *scale);
/* The vectors of all rows under their heading; full is the value of the full height or colour. */
void     ui_neuron_paint_band         (const UiNeuronPainter *painter,
                                       UiBand                 band,
                                       double                 full);
/* One vector alone, of as many numbers as cells. */
void     ui_neuron_paint_vector       (const UiNeuronPainter *painter,
                                       const UiRect          *rect,
                                       const double          *numbers,
                                       int                    n,
                                       double                 full);
/* "full height ±2.90", short "full ±2.90". (transfer full) */
char    *ui_neuron_paint_scale        (const UiNeuronPainter *painter,
                                       double                 full,
                                       gboolean               brief);

/* neuron-comparison.c: the query against every key: products, scores, weights and the way on. */
void     ui_neuron_paint_comparison   (const UiNeuronPainter *painter);
/* neuron-output.c: the sum of all values by the query's weights, below them. */
void     ui_neuron_paint_output       (const UiNeuronPainter *painter);
/* Links from x to x + width, a little less on both sides. Clear it with ui_head_field_clear(). */
void     ui_neuron_paint_init_field   (const UiNeuronPainter *painter,
                                       const UiSpan          *span,
                                       UiHeadField           *field);

G_END_DECLS
