/* SPDX-License-Identifier: MIT */
/* Colours of the drawings: one colour per head in every view, sign by hue, sentences A and B. The
 * sixteen colours of heads were found by maximising the smallest OKLab distance under normal and
 * colour-blind vision; head h takes colour h mod 16. The print palette keeps their hues and gives
 * each its own lightness, far from its neighbours', so that heads are told apart in a grey copy. */
#pragma once

#include "ui/document/document.h"

G_BEGIN_DECLS

#define UI_N_HEAD_COLORS 16

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
  UiColor side[2];       /* This, Other */
  UiColor positive;
  UiColor negative;
  UiColor good;          /* the check line that agrees */
  UiColor warning;       /* the one that differs */
  UiColor hatch;         /* strokes over masked cells */
} UiPalette;

const UiPalette *ui_palette_get        (UiTheme theme);
UiColor          ui_palette_head       (UiTheme theme,
                                        int     head);
UiColor          ui_color_with_alpha   (UiColor color,
                                        double  alpha); /* 0..1, rounded to k/255 */
/* The colour that `over` gives on an opaque `under`. */
UiColor          ui_color_mix          (UiColor under,
                                        UiColor over,
                                        double  alpha);

/* Opacity of a link of weight w, in 1/255: weight × UI_LINK_GAIN, at most 1. The gain is the same
 * however many heads are shown, so that a link keeps its look when others are switched off; the
 * legend states it. A weight of 0.5 has a contrast of 2 : 1 or more with the ground in every theme.
 */
#define UI_LINK_GAIN 1.5
guint8           ui_palette_link_alpha (double  weight);

G_END_DECLS
