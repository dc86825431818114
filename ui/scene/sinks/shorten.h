/* SPDX-License-Identifier: MIT */
/* Texts that have no room, cut in their middle. Pango's own ellipsis is of no use here: it is
 * stretched until the line is full, which looks like a blank inside of the word, and it cuts a
 * number behind a word as if that were a part of it. */
#pragma once

#include <pango/pango.h>

G_BEGIN_DECLS

/* Puts an ellipsis into the text of the layout, of one line and with no width of its own, so that it
 * is at most width units of Pango wide: never inside of what a cursor steps over at once, and not
 * among its last n_kept bytes, which stay even where they are wider. Attributes move with what they
 * are of. Whether the text had no room. */
gboolean ui_layout_shorten (PangoLayout *layout,
                            int          width,
                            gsize        n_kept);

G_END_DECLS
