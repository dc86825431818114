/* SPDX-License-Identifier: MIT */
/* A picture in memory as a render node that is drawn fast, whichever way the window draws. GTK
 * 4.8's cairo renderer sends every texture through floats each time it is drawn (57 % of the
 * time of a scrolling window), so there the node blits the surface; the others keep a texture on
 * the graphics card. */
#pragma once

#include <gtk/gtk.h>

#include "ui/scene/sinks/sink.h"

G_BEGIN_DECLS

/* Shows an image surface over bounds. The surface is taken over and must not be written to any
 * more. widget: where it will be drawn; it must be realized. (transfer full) */
GskRenderNode *ui_surface_node_new (cairo_surface_t *surface,
                                    const UiRect    *bounds,
                                    GtkWidget       *widget);
/* The same as a texture, in any window. The surface is taken over. (transfer full) */
GdkTexture    *ui_surface_texture_new (cairo_surface_t *surface);

G_END_DECLS
