/* SPDX-License-Identifier: MIT */
/* The links between two columns of tokens, computed while they are drawn: no list of them is kept.
 * The head view draws all heads with it, the collapsed neuron view one. A field lives on the stack
 * while a scene paints or answers a hit; weights and the frame's arrays are borrowed. */
#pragma once

#include "ui/scene/numbers/weights.h"
#include "ui/scene/sinks/sink.h"

G_BEGIN_DECLS

/* A dash of an edited head's links with its gap, at 100 % text; and the part of the full scale under
 * which links have none: weaker ones are no lines to the eye, and many. */
#define UI_HEAD_DASH 12.0
#define UI_HEAD_LEAST_DASHED 0.05

/* Where the columns stand. */
typedef struct {
  double        x0;      /* links leave the queries here */
  double        x1;      /* and meet the keys here */
  const double *query_y; /* [n_queries] */
  const double *key_y;   /* [n_keys] */
  double        fan;     /* heads of one token are spread over at most this height */
  double        scale;   /* of the links' width; 1 at 100 % text */
} UiFieldFrame;

typedef struct {
  UiLinkField      field;   /* first, so that the field can be given to a sink */
  const UiWeights *weights;
  UiFieldFrame     frame;
  UiTheme          theme;
  const guint8    *edited;  /* [heads] 1 = its links are dashed; borrowed, NULL = none is */
  const guint8    *grey;    /* [heads shown, rows, columns] 1 = a grey link; borrowed, NULL = none */
  UiColor          grey_color;
  double           grey_opacity; /* part of what its weight gives it */
  double           floor;   /* weaker links are left out; in units of the measure */
  int             *queries; /* [n_queries] rows that the filter and the pins leave, ascending */
  int              n_queries;
  int             *keys;    /* [n_keys] */
  int              n_keys;
} UiHeadField;

void     ui_head_field_init     (UiHeadField        *self,
                                 const UiWeights    *weights,
                                 const UiFieldFrame *frame,
                                 UiTheme             theme,
                                 const UiPins       *pins); /* nullable */
/* Heads whose links are dashed where they can be told apart; borrowed, nullable. */
void     ui_head_field_set_edited (UiHeadField      *self,
                                   const guint8     *edited);
/* Links that are drawn in grey, under those that keep the colour of their head, as
 * ui_changes_mark_small() marks them; borrowed, nullable. */
void     ui_head_field_set_grey (UiHeadField        *self,
                                 const guint8       *grey);
void     ui_head_field_clear    (UiHeadField        *self);

/* Of a link with that value. */
double   ui_head_field_get_width  (const UiHeadField *self,
                                   double             value);
/* How far below its tokens the i-th head shown has its links. */
double   ui_head_field_get_offset (const UiHeadField *self,
                                   int                i);

/* The link of the i-th head shown. FALSE when the field does not draw it: under the threshold, or
 * too faint. */
gboolean ui_head_field_get_link (const UiHeadField  *self,
                                 int                 i,
                                 int                 query,
                                 int                 key,
                                 UiLink             *link);
/* The strongest link within some units of the point. head is the head's own number. */
gboolean ui_head_field_hit      (const UiHeadField  *self,
                                 double              x,
                                 double              y,
                                 int                *head,
                                 int                *query,
                                 int                *key);

G_END_DECLS
