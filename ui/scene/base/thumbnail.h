/* SPDX-License-Identifier: MIT */
/* Small maps of heads. Where tokens share a pixel it shows what the tokens of its rows read, on
 * average, of all tokens of its columns: what a token reads is the same in a map of every size, so
 * that a lone peak is no stronger beside what all tokens read than it is in the text. */
#pragma once

#include "ui/scene/numbers/weights.h"

G_BEGIN_DECLS

/* Premultiplied ARGB pixels, rows without gaps. */
typedef struct {
  guint8 *pixels;
  guint8 *masked; /* [height, width] 1 = to be hatched by who draws it; NULL = nothing */
  int     width;
  int     height;
} UiThumbnail;

/* One head of the weights in its colour on the plate, under filter, threshold, kept mass and gain.
 * A pixel a token where size pixels are enough for that, to be drawn larger without smoothing;
 * else, and where there are masked cells to be hatched, size × size. */
void ui_thumbnail_init  (UiThumbnail     *self,
                         const UiWeights *weights,
                         int              head,
                         UiTheme          theme,
                         int              size);
/* The same with a pixel a token, whatever their number, and nothing hatched yet. */
void ui_thumbnail_init_cells (UiThumbnail     *self,
                              const UiWeights *weights,
                              int              head,
                              UiTheme          theme);
void ui_thumbnail_clear (UiThumbnail     *self);
/* Repeats pixels to size × size, where images are smoothed by who draws them. */
void ui_thumbnail_enlarge (UiThumbnail   *self,
                           int            size);

/* The opacities, [height, width], of the weights of one head, without a filter; width and height
 * are at most the numbers of tokens. */
void ui_thumbnail_pool (const EngAttention *attention,
                        int                 head,
                        int                 width,
                        int                 height,
                        guint8             *alphas);
/* Such opacities at another size, [size, size]: they share pixels as weights do, or are repeated,
 * never smoothed. */
void ui_thumbnail_resample (const guint8 *alphas,
                            int           width,
                            int           height,
                            int           size,
                            guint8       *resampled);

G_END_DECLS
