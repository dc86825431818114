/* SPDX-License-Identifier: MIT */
/* What the painting of the head view shares: head-column.c draws tokens, head-bars.c the weights
 * beside them, head-paint.c the links and all together. */
#pragma once

#include "ui/scene/head/head-scene.h"

G_BEGIN_DECLS

/* A token that reads or is read this part of the unit on average stays in full colour beside a
 * pinned one. */
#define UI_HEAD_STRONG 0.05

typedef struct {
  const UiHeadScene *self;
  const UiPalette   *palette;
  const UiPins      *pins;
  UiSink            *sink;
  const UiRect      *clip;
  gboolean           has_bars; /* beside the tokens of a side */
  double             floor; /* weaker links are not drawn; 0 = none is left out */
} UiHeadPainter;

/* head-column.c */
gboolean ui_head_painter_reaches (const UiHeadPainter *painter,
                                  double               y);
/* Where the tokens of a side are flush. */
double   ui_head_get_text_x      (const UiHeadLayout  *layout,
                                  UiSide               side);
/* What a mask hides from the pinned tokens of the other side; without these what it hides from all.
 * (transfer full) a mark for each token; NULL = nothing. */
guint8  *ui_head_mark_masked     (const UiHeadPainter *painter,
                                  UiSide               side);
void     ui_head_paint_token     (const UiHeadPainter *painter,
                                  UiSide               side,
                                  int                  token);
/* A column with its plates, bars and letters. */
void     ui_head_paint_tokens    (const UiHeadPainter *painter,
                                  UiSide               side);

/* head-bars.c: one bar by head beside each token. */
void     ui_head_paint_bars      (const UiHeadPainter *painter);

G_END_DECLS
