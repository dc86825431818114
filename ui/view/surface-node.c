/* SPDX-License-Identifier: MIT */
#include "ui/view/surface-node.h"

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

static GskRenderNode *
blit_node_new (cairo_surface_t       *surface,
               const graphene_rect_t *bounds)
{
  GskRenderNode *node = gsk_cairo_node_new (bounds);
  cairo_t *cr = gsk_cairo_node_get_draw_context (node);

  cairo_surface_set_device_scale (surface,
                                  cairo_image_surface_get_width (surface) / bounds->size.width,
                                  cairo_image_surface_get_height (surface) / bounds->size.height);
  cairo_set_source_surface (cr, surface, bounds->origin.x, bounds->origin.y);
  /* One that is drawn at another size is a preview: smooth enough, and fast. */
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_BILINEAR);
  cairo_paint (cr);
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
