/* SPDX-License-Identifier: MIT */
#include "ui/scene-view.h"

#include <math.h>
#include <string.h>

#include "tests/support/made-trace.h"
#include "tests/support/widget-driver.h"
#include "ui/picture.h"
#include "ui/scene/raster.h"

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

static void
clicked_cb (Fixture *self,
            UiItem  *item,
            gboolean extend)
{
  self->item = *item;
  self->extend = extend;
  self->n_clicked++;
}

static void
hovered_cb (Fixture *self,
            UiItem  *item)
{
  self->item = *item;
  self->n_hovered++;
}

static void
moved_cb (Fixture *self,
          UiItem  *item)
{
  self->item = *item;
  self->n_moved++;
}

static void
unpinned_cb (Fixture *self)
{
  self->n_unpinned++;
}

/* Drawn in full. */
static void
settle (Fixture *self)
{
  driver_settle (GTK_WIDGET (self->view));
  while (!ui_scene_view_is_complete (self->view))
    g_main_context_iteration (NULL, TRUE);
  driver_settle (GTK_WIDGET (self->view));
}

static void
show (Fixture *self)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (ui_scene_view_show (self->view, self->trace, NULL, self->document, &error));
  g_assert_no_error (error);
  settle (self);
}

static void
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

static void
set_up (Fixture       *self,
        gconstpointer  unused)
{
  set_up_tokens (self, 5, 4);
}

static void
set_up_long (Fixture       *self,
             gconstpointer  unused)
{
  set_up_tokens (self, 60, 68);
}

static void
tear_down (Fixture       *self,
           gconstpointer  unused)
{
  g_object_ref (self->view);
  gtk_window_destroy (self->window);
  g_assert_finalize_object (self->view);
  ui_document_free (self->document);
  eng_trace_unref (self->trace);
}

static GtkAdjustment *
get_adjustment (Fixture *self)
{
  return gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller));
}

/* Middle of an item in the view's coordinates. */
static void
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

static void
assert_item (const UiItem *item,
             UiItemType    type,
             int           token)
{
  g_assert_cmpint (item->type, ==, type);
  g_assert_cmpint (type == UI_ITEM_KEY ? item->key : item->query, ==, token);
}

static void
count_cb (int *n)
{
  ++*n;
}

static void
test_show (Fixture       *self,
           gconstpointer  unused)
{
  UiScene *scene = ui_scene_view_get_scene (self->view);
  g_autofree char *summary = ui_scene_summarise (scene);
  g_autoptr (GError) error = NULL;
  int n_notified = 0;

  gtk_test_accessible_assert_role (self->view, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_test_accessible_assert_property (self->view, GTK_ACCESSIBLE_PROPERTY_LABEL, summary);

  g_signal_connect_swapped (self->view, "notify::scene", G_CALLBACK (count_cb), &n_notified);
  self->document->layer = 1;
  show (self);
  g_assert_cmpint (n_notified, ==, 1);
  g_assert_cmpint (ui_scene_get_document (ui_scene_view_get_scene (self->view))->layer, ==, 1);

  /* What cannot be shown leaves what is. */
  self->document->layer = 7;
  g_assert_false (ui_scene_view_show (self->view, self->trace, NULL, self->document, &error));
  g_assert_error (error, UI_ERROR, UI_ERROR_RANGE);
  g_assert_cmpint (ui_scene_get_document (ui_scene_view_get_scene (self->view))->layer, ==, 1);
  g_assert_cmpint (n_notified, ==, 1);

  ui_scene_view_clear (self->view);
  g_assert_null (ui_scene_view_get_scene (self->view));
  g_assert_cmpint (n_notified, ==, 2);
  settle (self);
}

/* The window's picture is the painter's, pixel by pixel. */
static void
assert_picture (Fixture      *self,
                const UiRect *area,
                double        top)
{
  g_autoptr (GdkTexture) texture = driver_take_picture (GTK_WIDGET (self->view));
  cairo_surface_t *expected = ui_raster_render (ui_scene_view_get_scene (self->view), area, 1);
  const int stride = gdk_texture_get_width (texture) * 4;
  g_autofree guint8 *pixels = g_malloc ((gsize) stride * gdk_texture_get_height (texture));
  int n_different = 0;

  gdk_texture_download (texture, pixels, stride);
  cairo_surface_flush (expected);
  for (int y = 0; y < (int) area->height; y++) {
    const guint8 *row = pixels + (gsize) (y + (int) top) * stride;
    const guint8 *wanted = cairo_image_surface_get_data (expected) +
                           (gsize) y * cairo_image_surface_get_stride (expected);

    for (int x = 0; x < (int) area->width; x++)
      for (int channel = 0; channel < 3; channel++)
        n_different += ABS (row[4 * x + channel] - wanted[4 * x + channel]) > 1;
  }
  cairo_surface_destroy (expected);
  g_test_message ("%d of %d channels differ by more than 1", n_different,
                  (int) (area->width * area->height) * 3);
  g_assert_cmpint (n_different, ==, 0);
}

/* At rest and scrolled; without the focus frame. */
static void
assert_pictures (Fixture *self)
{
  const double header = ceil (ui_scene_get_header (ui_scene_view_get_scene (self->view)));

  gtk_window_set_focus (self->window, NULL);
  ui_scene_view_scroll_to (self->view, 0, 0);
  settle (self);
  assert_picture (self, &(UiRect) { 0, 0, WIDTH, HEIGHT }, 0);

  ui_scene_view_scroll_to (self->view, 0, 777);
  settle (self);
  assert_picture (self, &(UiRect) { 0, 777 + header, WIDTH, HEIGHT - header }, header);
  assert_picture (self, &(UiRect) { 0, 0, WIDTH, header }, 0);
}

static void
test_picture (Fixture       *self,
              gconstpointer  unused)
{
  assert_pictures (self);
  ui_scene_view_set_theme (self->view, UI_THEME_DARK);
  assert_pictures (self);
}

/* Where the header ends between two pixels. */
static void
test_text_scale (Fixture       *self,
                 gconstpointer  unused)
{
  GtkSettings *settings = gtk_widget_get_settings (GTK_WIDGET (self->view));
  int dpi;

  g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  for (int percent = 110; percent <= 200; percent += 45) {
    g_object_set (settings, "gtk-xft-dpi", 96 * 1024 * percent / 100, NULL);
    settle (self);
    assert_pictures (self);
  }
  g_object_set (settings, "gtk-xft-dpi", dpi, NULL);
  settle (self);
  assert_pictures (self);
}

static void
test_keyboard (Fixture       *self,
               gconstpointer  unused)
{
  GtkWidget *view = GTK_WIDGET (self->view);
  g_autofree char *sentence = NULL;

  g_assert_true (driver_press_key (view, "Down"));
  assert_item (&self->item, UI_ITEM_QUERY, 0);
  g_assert_true (driver_press_key (view, "Down"));
  assert_item (&self->item, UI_ITEM_QUERY, 1);
  g_assert_true (driver_press_key (view, "Right"));
  assert_item (&self->item, UI_ITEM_KEY, 1);
  g_assert_true (driver_press_key (view, "End"));
  assert_item (&self->item, UI_ITEM_KEY, 8);
  g_assert_cmpint (self->n_moved, ==, 4);
  g_assert_false (driver_press_key (view, "Down"));
  g_assert_cmpint (self->n_moved, ==, 4);

  sentence = ui_scene_describe (ui_scene_view_get_scene (self->view), &self->item);
  gtk_test_accessible_assert_property (self->view, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, sentence);
  assert_item (ui_scene_view_get_item (self->view), UI_ITEM_KEY, 8);

  g_assert_true (driver_press_key (view, "Return"));
  assert_item (&self->item, UI_ITEM_KEY, 8);
  g_assert_false (self->extend);
  g_assert_true (driver_press_key (view, "<Shift>space"));
  g_assert_true (self->extend);
  g_assert_cmpint (self->n_clicked, ==, 2);
}

static void
test_escape (Fixture       *self,
             gconstpointer  unused)
{
  g_assert_false (driver_press_key (GTK_WIDGET (self->view), "Escape"));
  g_assert_cmpint (self->n_unpinned, ==, 0);

  ui_pins_click (&self->document->pins, FALSE, 2, FALSE);
  show (self);
  g_assert_true (driver_press_key (GTK_WIDGET (self->view), "Escape"));
  g_assert_cmpint (self->n_unpinned, ==, 1);
}

static void
test_pointer (Fixture       *self,
              gconstpointer  unused)
{
  const UiItem token = { .type = UI_ITEM_QUERY, .query = 3 };
  const UiItem next = { .type = UI_ITEM_QUERY, .query = 5 };
  g_autofree char *sentence = ui_scene_describe (ui_scene_view_get_scene (self->view), &token);
  double x, y;

  find_middle (self, &token, &x, &y);
  driver_point_at (GTK_WIDGET (self->view), x, y);
  assert_item (&self->item, UI_ITEM_QUERY, 3);
  g_assert_cmpint (self->n_hovered, ==, 1);
  assert_item (ui_scene_view_get_item (self->view), UI_ITEM_QUERY, 3);
  gtk_test_accessible_assert_property (self->view, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, sentence);

  /* Moving within an item says nothing new. */
  driver_point_at (GTK_WIDGET (self->view), x + 1, y);
  g_assert_cmpint (self->n_hovered, ==, 1);
  settle (self);

  driver_click_at (GTK_WIDGET (self->view), 1, x, y);
  g_assert_cmpint (self->n_clicked, ==, 1);
  assert_item (&self->item, UI_ITEM_QUERY, 3);

  /* The keyboard leads until the pointer moves: not when a menu above it closes, nor when the
   * drawing moves under it. */
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
  ui_scene_view_set_cursor (self->view, &next);
  driver_point_away (GTK_WIDGET (self->view));
  driver_point_at (GTK_WIDGET (self->view), x + 1, y);
  assert_item (ui_scene_view_get_item (self->view), UI_ITEM_QUERY, 5);
  gtk_widget_set_margin_top (GTK_WIDGET (self->view), 20);
  settle (self);
  driver_point_at (GTK_WIDGET (self->view), x + 1, y - 20);
  assert_item (ui_scene_view_get_item (self->view), UI_ITEM_QUERY, 5);
  gtk_widget_set_margin_top (GTK_WIDGET (self->view), 0);
  settle (self);
  ui_scene_view_set_cursor (self->view, &token);
  driver_point_at (GTK_WIDGET (self->view), x, y);
  self->n_hovered = 1;

  driver_point_away (GTK_WIDGET (self->view));
  g_assert_cmpint (self->item.type, ==, UI_ITEM_NONE);
  g_assert_cmpint (self->n_hovered, ==, 2);
  gtk_test_accessible_assert_property (self->view, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "");

  /* The keyboard goes on from the token that was clicked. */
  g_assert_true (driver_press_key (GTK_WIDGET (self->view), "Down"));
  assert_item (&self->item, UI_ITEM_QUERY, 4);
}

/* A hover is painted on top: what lies below it is not drawn anew, and comes back. */
static void
test_hover_leaves_no_trace (Fixture       *self,
                            gconstpointer  unused)
{
  const UiItem token = { .type = UI_ITEM_KEY, .key = 1 };
  g_autoptr (GdkTexture) before = NULL;
  g_autoptr (GdkTexture) hovered = NULL;
  g_autoptr (GBytes) before_bytes = NULL;
  g_autoptr (GBytes) hovered_bytes = NULL;
  double x, y;

  gtk_window_set_focus (self->window, NULL);
  settle (self);
  before = driver_take_picture (GTK_WIDGET (self->view));
  before_bytes = gdk_texture_save_to_png_bytes (before);

  find_middle (self, &token, &x, &y);
  driver_point_at (GTK_WIDGET (self->view), x, y);
  settle (self);
  hovered = driver_take_picture (GTK_WIDGET (self->view));
  hovered_bytes = gdk_texture_save_to_png_bytes (hovered);
  g_assert_false (g_bytes_equal (before_bytes, hovered_bytes));

  driver_point_away (GTK_WIDGET (self->view));
  settle (self);
  assert_picture (self, &(UiRect) { 0, 0, WIDTH, HEIGHT }, 0);
}

static gboolean
rest_cb (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

/* Longer than the view waits for the end of a scroll. */
static void
wait_for_rest (void)
{
  gboolean is_over = FALSE;

  g_timeout_add (200, rest_cb, &is_over);
  while (!is_over)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_scrolling (Fixture       *self,
                gconstpointer  unused)
{
  const UiItem last = { .type = UI_ITEM_QUERY, .query = 127 };
  GtkAdjustment *adjustment = get_adjustment (self);
  double scene_height, x, y;
  int n_hovered;

  ui_scene_get_size (ui_scene_view_get_scene (self->view), NULL, &scene_height);
  g_assert_cmpfloat (gtk_adjustment_get_upper (adjustment), ==, ceil (scene_height));
  g_assert_cmpfloat (gtk_adjustment_get_page_size (adjustment), ==, HEIGHT);

  ui_scene_view_set_cursor (self->view, &last);
  find_middle (self, &last, &x, &y);
  g_assert_cmpfloat (y, <, HEIGHT);
  g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), >, 1000);

  /* What the pointer rests on changes with the scroll; it is said once the drawing is at rest. */
  wait_for_rest ();
  driver_point_at (GTK_WIDGET (self->view), x, y);
  assert_item (&self->item, UI_ITEM_QUERY, 127);
  n_hovered = self->n_hovered;
  for (int i = 20; i >= 0; i--)
    gtk_adjustment_set_value (adjustment, 50 * i);
  g_assert_cmpint (self->n_hovered, ==, n_hovered);
  wait_for_rest ();
  g_assert_cmpint (self->n_hovered, ==, n_hovered + 1);
  g_assert_cmpint (self->item.query, <, 40);

  /* An item below the header is not hidden by it. */
  ui_scene_view_set_cursor (self->view, &last);
  ui_scene_view_set_cursor (self->view, &(UiItem) { .type = UI_ITEM_QUERY, .query = 50 });
  find_middle (self, &(UiItem) { .type = UI_ITEM_QUERY, .query = 50 }, &x, &y);
  g_assert_cmpfloat (y, >, ui_scene_get_header (ui_scene_view_get_scene (self->view)));
}

static void
test_resize (Fixture       *self,
             gconstpointer  unused)
{
  UiScene *before = ui_scene_view_get_scene (self->view);
  double width;

  gtk_window_set_default_size (self->window, WIDTH + 300, HEIGHT);
  for (int i = 0; i < 100 && gtk_widget_get_width (GTK_WIDGET (self->view)) == WIDTH; i++)
    settle (self);

  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (self->view)), ==, WIDTH + 300);
  g_assert_true (ui_scene_view_get_scene (self->view) != before);
  ui_scene_get_size (ui_scene_view_get_scene (self->view), &width, NULL);
  g_assert_cmpfloat (width, >=, WIDTH + 300);
}

static void
test_zoom (Fixture       *self,
           gconstpointer  unused)
{
  const UiItem token = { .type = UI_ITEM_QUERY, .query = 64 };
  UiRect before, after, area;
  int n_notified = 0;
  double x, y;

  g_assert_true (ui_scene_get_rect (ui_scene_view_get_scene (self->view), &token, &before));
  ui_scene_view_scroll_to (self->view, 0, before.y + before.height / 2 - HEIGHT / 2.0);
  g_signal_connect_swapped (self->view, "notify::zoom", G_CALLBACK (count_cb), &n_notified);
  ui_scene_view_set_zoom (self->view, 2);
  g_assert_cmpint (n_notified, ==, 1);
  g_assert_cmpfloat (ui_scene_view_get_zoom (self->view), ==, 2);

  /* All is twice as large, and what was in the middle is still there. */
  g_assert_true (ui_scene_get_rect (ui_scene_view_get_scene (self->view), &token, &after));
  g_assert_cmpfloat_with_epsilon (after.height, 2 * before.height, 0.01);
  g_assert_cmpfloat_with_epsilon (after.y, 2 * before.y, 0.01);
  area = ui_scene_view_get_area (self->view);
  g_assert_cmpfloat_with_epsilon (after.y + after.height / 2 - area.y, HEIGHT / 2.0, 1.01);
  assert_pictures (self);

  ui_scene_view_set_zoom (self->view, 0.0);
  g_assert_cmpfloat (ui_scene_view_get_zoom (self->view), ==, UI_LEAST_ZOOM);
  settle (self);
  find_middle (self, &token, &x, &y);
  area = ui_scene_view_get_area (self->view);
  g_assert_cmpfloat (area.x, <, 0);
  driver_point_at (GTK_WIDGET (self->view), x - area.x, y);
  wait_for_rest ();
  assert_item (ui_scene_view_get_item (self->view), UI_ITEM_QUERY, 64);

  ui_scene_view_set_zoom (self->view, 99);
  g_assert_cmpfloat (ui_scene_view_get_zoom (self->view), ==, UI_MOST_ZOOM);
}

/* The second trace comes before the zoom has come to rest. */
static void
test_zoom_to_fit (Fixture       *self,
                  gconstpointer  unused)
{
  static const int n_tokens[] = { 40, 128 };

  for (gsize i = 0; i < G_N_ELEMENTS (n_tokens); i++) {
    double width, height;

    eng_trace_unref (self->trace);
    self->trace = made_trace_new (n_tokens[i], 0, 4, 2);
    show (self);
    ui_scene_view_set_zoom (self->view, 3);
    ui_scene_view_zoom_to_fit (self->view);
    ui_scene_get_size (ui_scene_view_get_scene (self->view), &width, &height);
    g_assert_cmpfloat (width, <=, WIDTH + 0.01);
    g_assert_cmpfloat (height, <=, HEIGHT + 0.01);
    g_assert_true (width > WIDTH - 1 || height > HEIGHT - 1);
  }
}

/* Until the pictures of another size are there, the ones before are shown at that size. */
static void
test_never_blank (Fixture       *self,
                  gconstpointer  unused)
{
  const UiColor ground = ui_palette_get (UI_THEME_LIGHT)->ground;
  const guint8 channels[] = { ground.b, ground.g, ground.r };

  for (double zoom = 1.5; zoom < 4; zoom += 0.5) {
    g_autoptr (GdkTexture) texture = NULL;
    g_autofree guint8 *pixels = g_malloc (4 * WIDTH * HEIGHT);
    int n_painted = 0;

    ui_scene_view_set_zoom (self->view, zoom);
    driver_settle (GTK_WIDGET (self->view));
    texture = driver_take_picture (GTK_WIDGET (self->view));
    gdk_texture_download (texture, pixels, 4 * WIDTH);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
      n_painted += memcmp (pixels + 4 * i, channels, sizeof channels) != 0;
    g_assert_cmpint (n_painted, >, WIDTH * HEIGHT / 20);
  }
}

/* A frame that is late already begins no tile. */
static void
test_deadline (Fixture       *self,
               gconstpointer  unused)
{
  const UiRect area = { 0, 0, WIDTH, HEIGHT };
  UiScene *scene = ui_scene_view_get_scene (self->view);
  g_autoptr (UiPicture) picture = ui_picture_new (scene, UI_PICTURE_FULL, NULL, &area, 1);

  g_assert_false (ui_picture_finish (picture, g_get_monotonic_time ()));
  g_assert_false (ui_picture_is_done (picture));
  g_assert_true (ui_picture_finish (picture, G_MAXINT64));
}

static GtkEventController *
find_keys (Fixture *self)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (GTK_WIDGET (self->view));

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

    if (GTK_IS_EVENT_CONTROLLER_KEY (controller))
      return controller;
  }
  g_assert_not_reached ();
}

/* Held it drags, so that it clicks when it is let go. */
static void
test_space (Fixture       *self,
            gconstpointer  unused)
{
  gboolean handled = FALSE;

  g_assert_true (driver_press_key (GTK_WIDGET (self->view), "Down"));
  for (int i = 0; i < 3; i++) {
    g_signal_emit_by_name (find_keys (self), "key-pressed", GDK_KEY_space, 65, 0, &handled);
    g_assert_true (handled);
  }
  g_assert_cmpint (self->n_clicked, ==, 0);
  g_signal_emit_by_name (find_keys (self), "key-released", GDK_KEY_space, 65, 0);
  g_assert_cmpint (self->n_clicked, ==, 1);
  assert_item (&self->item, UI_ITEM_QUERY, 0);

  /* Let go elsewhere. */
  g_signal_emit_by_name (find_keys (self), "key-pressed", GDK_KEY_space, 65, 0, &handled);
  gtk_window_set_focus (self->window, NULL);
  g_signal_emit_by_name (find_keys (self), "key-released", GDK_KEY_space, 65, 0);
  g_assert_cmpint (self->n_clicked, ==, 1);
}

static void
test_focus_lost (Fixture       *self,
                 gconstpointer  unused)
{
  g_assert_true (driver_press_key (GTK_WIDGET (self->view), "Home"));
  assert_item (ui_scene_view_get_item (self->view), UI_ITEM_QUERY, 0);
  gtk_window_set_focus (self->window, NULL);
  g_assert_cmpint (ui_scene_view_get_item (self->view)->type, ==, UI_ITEM_NONE);
}

/* A shorter text: the cursor's token is gone. */
static void
test_cursor_of_gone_token (Fixture       *self,
                           gconstpointer  unused)
{
  g_assert_true (driver_press_key (GTK_WIDGET (self->view), "Home"));
  g_assert_true (driver_press_key (GTK_WIDGET (self->view), "End"));
  assert_item (ui_scene_view_get_item (self->view), UI_ITEM_QUERY, 8);
  eng_trace_unref (self->trace);
  self->trace = made_trace_new (3, 0, 4, 2);
  show (self);
  g_assert_cmpint (ui_scene_view_get_item (self->view)->type, ==, UI_ITEM_NONE);
  g_assert_true (driver_press_key (GTK_WIDGET (self->view), "Down"));
  assert_item (&self->item, UI_ITEM_QUERY, 0);
}

#define ADD(path, set_up, test) \
  g_test_add ("/scene-view/" path, Fixture, NULL, set_up, test, tear_down)

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  ADD ("show", set_up, test_show);
  ADD ("picture", set_up_long, test_picture);
  ADD ("text-scale", set_up_long, test_text_scale);
  ADD ("keyboard", set_up, test_keyboard);
  ADD ("escape", set_up, test_escape);
  ADD ("pointer", set_up, test_pointer);
  ADD ("hover-leaves-no-trace", set_up, test_hover_leaves_no_trace);
  ADD ("scrolling", set_up_long, test_scrolling);
  ADD ("resize", set_up, test_resize);
  ADD ("zoom", set_up_long, test_zoom);
  ADD ("zoom-to-fit", set_up_long, test_zoom_to_fit);
  ADD ("deadline", set_up_long, test_deadline);
  ADD ("never-blank", set_up_long, test_never_blank);
  ADD ("space", set_up, test_space);
  ADD ("focus-lost", set_up, test_focus_lost);
  ADD ("cursor-of-gone-token", set_up, test_cursor_of_gone_token);
  return g_test_run ();
}
