/* SPDX-License-Identifier: MIT */
#include "ui/view/surface-node.h"

#define EDGE 2 /* that the node leaves around it */

GdkTexture *
ui_surface_texture_new (cairo_surface_t *surface)
{
  const gsize stride = (gsize) cairo_image_surface_get_stride (surface);
  const int width = cairo_image_surface_get_width (surface);
  const int height = cairo_image_surface_get_height (surface);
  g_autoptr (GBytes) bytes =
    g_bytes_new_with_free_func (cairo_image_surface_get_data (surface), stride * height,
                                (GDestroyNotify) cairo_surface_destroy, surface);

  return gdk_memory_texture_new (width, height, GDK_MEMORY_DEFAULT, bytes, stride);
}

/* Where it is drawn at another size, as before who speaks, its edges lie within pixels: they are
 * those of whole ones, or what is below would show between it and its neighbours. */
static GskRenderNode *
blit_node_new (cairo_surface_t       *surface,
               const graphene_rect_t *bounds)
{
  const graphene_rect_t around = GRAPHENE_RECT_INIT (bounds->origin.x - EDGE, bounds->origin.y - EDGE,
                                                     bounds->size.width + 2 * EDGE,
                                                     bounds->size.height + 2 * EDGE);
  GskRenderNode *node = gsk_cairo_node_new (&around);
  cairo_t *cr = gsk_cairo_node_get_draw_context (node);

  cairo_surface_set_device_scale (surface,
                                  cairo_image_surface_get_width (surface) / bounds->size.width,
                                  cairo_image_surface_get_height (surface) / bounds->size.height);
  cairo_set_source_surface (cr, surface, bounds->origin.x, bounds->origin.y);
  /* One that is drawn at another size is a preview: smooth enough, and fast. */
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_BILINEAR);
  cairo_pattern_set_extend (cairo_get_source (cr), CAIRO_EXTEND_PAD);
  cairo_set_antialias (cr, CAIRO_ANTIALIAS_NONE);
  cairo_rectangle (cr, bounds->origin.x, bounds->origin.y, bounds->size.width, bounds->size.height);
  cairo_fill (cr);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return node;
}

GskRenderNode *
ui_surface_node_new (cairo_surface_t *surface,
                     const UiRect    *bounds,
                     GtkWidget       *widget)
{
  const graphene_rect_t rect = GRAPHENE_RECT_INIT (bounds->x, bounds->y, bounds->width,
                                                   bounds->height);
  g_autoptr (GdkTexture) texture = NULL;

  cairo_surface_flush (surface);
  if (GSK_IS_CAIRO_RENDERER (gtk_native_get_renderer (gtk_widget_get_native (widget))))
    return blit_node_new (surface, &rect);

  texture = ui_surface_texture_new (surface);
  return gsk_texture_node_new (texture, &rect);
}
