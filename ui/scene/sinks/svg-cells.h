/* SPDX-License-Identifier: MIT */
/* Cells in an SVG: a path for each colour, in units of cells, a tenth of what rectangles take. */
#pragma once

#include "ui/scene/sinks/cells.h"

G_BEGIN_DECLS

/* runs: of ui_cells_find_runs() of a picture with so many pixels. */
void ui_svg_append_cells (GString      *svg,
                          const UiRect *rect,
                          int           width,
                          int           height,
                          const GArray *runs);

G_END_DECLS
