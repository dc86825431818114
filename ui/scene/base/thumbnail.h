/* SPDX-License-Identifier: MIT */
/* Small maps of heads. What many tokens share a pixel of is their strongest weight, so that a lone
 * peak stays visible however long the text is. */
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

G_END_DECLS
