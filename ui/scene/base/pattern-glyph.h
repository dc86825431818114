/* SPDX-License-Identifier: MIT */
/* A pattern as the head would look that followed it alone: diagonals, columns, blocks. For lists,
 * and for maps whose cells are too small for a thumbnail. Pure; any thread. */
#pragma once

#include "engine/trace/patterns.h"

G_BEGIN_DECLS

/* Opacities, [size, size]. */
void ui_pattern_glyph_paint (EngPattern  pattern,
                             int         size,
                             guint8     *alphas);

G_END_DECLS
