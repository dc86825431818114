/* SPDX-License-Identifier: MIT */
/* Colours of the drawings: one colour per head in every view, sign by hue, sentences A and B.
 * The sixteen colours of heads were found by maximising the smallest OKLab distance under normal and
 * colour-blind vision; head h takes colour h mod 16. The print palette is readable in grey. */
#pragma once

#include "ui/scene/document.h"

G_BEGIN_DECLS

typedef struct { guint8 r, g, b, a; } UiColor; /* a in 1/255, not premultiplied */

typedef struct {
  UiColor ground;        /* of the drawing */
  UiColor text;
  UiColor dim;           /* specials, captions, numbers beside bars */
  UiColor faint;         /* rows that a pin or a hover puts aside */
  UiColor plate;         /* ground of a token column, 3-4 % foreground */
  UiColor rule;          /* thin lines */
  UiColor accent;        /* frame and plate of a pinned token */
  UiColor accent_text;
  UiColor sentence[2];   /* A, B */
  UiColor positive;
  UiColor negative;
  UiColor warning;       /* the check line that differs */
  UiColor hatch;         /* strokes over masked cells */
} UiPalette;

const UiPalette *ui_palette_get        (UiTheme theme);
UiColor          ui_palette_head       (UiTheme theme,
                                        int     head);
UiColor          ui_color_with_alpha   (UiColor color,
                                        double  alpha); /* 0..1, rounded to k/255 */

/* Opacity of a link of weight w when n heads are shown: a stated gain, never a division by the number of heads.
 * With 12 heads a weight of 0.5 keeps 2 : 1 contrast with the ground. ui_palette_gain() is what the legend says. */
guint8           ui_palette_link_alpha (double  weight,
                                        int     n_heads);
double           ui_palette_gain       (int     n_heads);

G_END_DECLS
