/* SPDX-License-Identifier: MIT */
/* A test of the scene view in a window of its own. */
#pragma once

#include "tests/support/made-trace.h"
#include "tests/support/window/widget-driver.h"
#include "ui/scene/base/scene-raster.h"
#include "ui/view/scene-view.h"

#define WIDTH 760
#define HEIGHT 420

typedef struct {
  GtkWindow   *window;
  GtkWidget   *scroller;
  UiSceneView *view;
  EngTrace    *trace;
  UiDocument  *document;
  UiItem       item;      /* of the last signal */
  gboolean     extend;
  int          n_clicked;
  int          n_hovered;
  int          n_moved;
  int          n_unpinned;
} Fixture;

static inline void
clicked_cb (Fixture *self,
            UiItem  *item,
            gboolean extend)
{
  self->item = *item;
  self->extend = extend;
  self->n_clicked++;
}

static inline void
hovered_cb (Fixture *self,
            UiItem  *item)
{
  self->item = *item;
  self->n_hovered++;
}

static inline void
moved_cb (Fixture *self,
          UiItem  *item)
{
  self->item = *item;
  self->n_moved++;
}

static inline void
unpinned_cb (Fixture *self)
{
  self->n_unpinned++;
}

/* Drawn in full. */
static inline void
settle (Fixture *self)
{
  driver_settle (GTK_WIDGET (self->view));
  while (!ui_scene_view_is_complete (self->view))
    g_main_context_iteration (NULL, TRUE);
  driver_settle (GTK_WIDGET (self->view));
}

static inline void
show (Fixture *self)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (ui_scene_view_show (self->view, self->trace, NULL, self->document, &error));
  g_assert_no_error (error);
  settle (self);
}

static inline void
set_up_tokens (Fixture *self,
               int      n_a,
               int      n_b)
{
  self->view = UI_SCENE_VIEW (ui_scene_view_new ());
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), GTK_WIDGET (self->view));
  self->trace = made_trace_new (n_a, n_b, 4, 2);
  self->document = ui_document_new ();
  g_signal_connect_swapped (self->view, "clicked", G_CALLBACK (clicked_cb), self);
  g_signal_connect_swapped (self->view, "hovered", G_CALLBACK (hovered_cb), self);
  g_signal_connect_swapped (self->view, "cursor-moved", G_CALLBACK (moved_cb), self);
  g_signal_connect_swapped (self->view, "unpinned", G_CALLBACK (unpinned_cb), self);
  self->window = driver_show (self->scroller, WIDTH, HEIGHT);
  show (self);
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
  settle (self);
}

static inline void
set_up (Fixture       *self,
        gconstpointer  unused)
{
  set_up_tokens (self, 5, 4);
}

static inline void
tear_down (Fixture       *self,
           gconstpointer  unused)
{
  g_object_ref (self->view);
  gtk_window_destroy (self->window);
  g_assert_finalize_object (self->view);
  ui_document_free (self->document);
  eng_trace_unref (self->trace);
}

static inline GtkAdjustment *
get_adjustment (Fixture *self)
{
  return gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller));
}

/* Middle of an item in the view's coordinates. */
static inline void
find_middle (Fixture      *self,
             const UiItem *item,
             double       *x,
             double       *y)
{
  UiRect rect;

  g_assert_true (ui_scene_get_rect (ui_scene_view_get_scene (self->view), item, &rect));
  *x = rect.x + rect.width / 2;
  *y = rect.y + rect.height / 2 - gtk_adjustment_get_value (get_adjustment (self));
}

static inline void
assert_item (const UiItem *item,
             UiItemType    type,
             int           token)
{
  g_assert_cmpint (item->type, ==, type);
  g_assert_cmpint (type == UI_ITEM_KEY ? item->key : item->query, ==, token);
}

/* The window's picture is the painter's, pixel by pixel. Since cairo 1.17.4 letters may lie between
 * two columns, and of a text that the edge of a tile cuts cairo leaves out the faint last one. */
static inline void
assert_picture (Fixture      *self,
                const UiRect *area,
                double        top)
{
  g_autoptr (GdkTexture) texture = driver_take_picture (GTK_WIDGET (self->view));
  cairo_surface_t *expected = ui_scene_render (ui_scene_view_get_scene (self->view), area, 1);
  const int stride = gdk_texture_get_width (texture) * 4;
  g_autofree guint8 *pixels = g_malloc ((gsize) stride * gdk_texture_get_height (texture));
  const int most = cairo_version () < CAIRO_VERSION_ENCODE (1, 17, 4) ? 1 : 8;
  int n_different = 0;

  gdk_texture_download (texture, pixels, stride);
  cairo_surface_flush (expected);
  for (int y = 0; y < (int) area->height; y++) {
    const guint8 *row = pixels + (gsize) (y + (int) top) * stride;
    const guint8 *wanted = cairo_image_surface_get_data (expected) +
                           (gsize) y * cairo_image_surface_get_stride (expected);

    for (int x = 0; x < (int) area->width; x++)
      for (int channel = 0; channel < 3; channel++)
        n_different += ABS (row[4 * x + channel] - wanted[4 * x + channel]) > most;
  }
  cairo_surface_destroy (expected);
  g_test_message ("%d of %d channels differ by more than %d", n_different,
                  (int) (area->width * area->height) * 3, most);
  g_assert_cmpint (n_different, ==, 0);
}
