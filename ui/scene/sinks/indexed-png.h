/* SPDX-License-Identifier: MIT */
/* Small PNG files for pictures of few colours, such as the map of a head: a byte a pixel, where
 * cairo writes four. Nothing is lost. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* pixels: ARGB32, height rows that are stride bytes apart. NULL when there are more than 256
 * colours, or one that is not opaque. (transfer full) */
GByteArray *ui_indexed_png_new (const guint8 *pixels,
                                int           width,
                                int           height,
                                int           stride);

G_END_DECLS
