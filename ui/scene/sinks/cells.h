/* SPDX-License-Identifier: MIT */
/* Pictures whose pixels are cells (UiSinkClass.image), as files draw them, so that they are sharp
 * in every viewer: these smooth a picture of few pixels, whatever it says. Of few cells each is a
 * rectangle; of more the picture is one of so many pixels that smoothing is not seen. */
#pragma once

#include "ui/scene/sinks/sink.h"

G_BEGIN_DECLS

#define UI_MOST_VECTOR_CELLS (32 * 32)

/* Cells of one colour beside each other. */
typedef struct {
  int     x;
  int     y;
  int     length;
  guint32 argb;
} UiCellRun;

/* Row after row, from left to right, of UiCellRun. NULL for a picture of more than those cells, and
 * for one that is seen through. */
GArray *ui_cells_find_runs   (const guint8 *argb,
                              int           width,
                              int           height,
                              int           stride);
/* How many times as many pixels along an edge a picture needs there. */
int     ui_cells_find_factor (const UiRect *rect,
                              int           width,
                              int           height);
/* Each pixel factor × factor times; rows without gaps. (transfer full) */
guint8 *ui_cells_enlarge     (const guint8 *argb,
                              int           width,
                              int           height,
                              int           stride,
                              int           factor);

G_END_DECLS
