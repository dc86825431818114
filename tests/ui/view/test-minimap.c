/* SPDX-License-Identifier: MIT */
#include "ui/view/minimap.h"

#include "tests/support/made-trace.h"
#include "tests/support/wait.h"
#include "tests/support/window/widget-driver.h"

#define WIDTH 760
#define HEIGHT 420

typedef struct {
  GtkWindow   *window;
  UiSceneView *view;
  GtkWidget   *map;
  UiDocument  *document;
} Fixture;

static void
show (Fixture *self,
      int      n_tokens)
{
  EngTrace *trace = made_trace_new (n_tokens, 0, 4, 1);
  g_autoptr (GError) error = NULL;

  g_assert_true (ui_scene_view_show (self->view, trace, NULL, self->document, &error));
  g_assert_no_error (error);
  eng_trace_unref (trace);
  driver_settle (GTK_WIDGET (self->view));
}

static void
set_up (Fixture       *self,
        gconstpointer  unused)
{
  GtkWidget *overlay = gtk_overlay_new ();
  GtkWidget *scroller = gtk_scrolled_window_new ();

  self->view = UI_SCENE_VIEW (ui_scene_view_new ());
  self->map = ui_minimap_new (self->view);
  self->document = ui_document_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), GTK_WIDGET (self->view));
  gtk_overlay_set_child (GTK_OVERLAY (overlay), scroller);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), self->map);
  self->window = driver_show (overlay, WIDTH, HEIGHT);
}

static void
tear_down (Fixture       *self,
           gconstpointer  unused)
{
  g_object_ref (self->map);
  gtk_window_destroy (self->window);
  g_assert_finalize_object (self->map);
  ui_document_free (self->document);
}

/* It is there where it helps alone. */
static void
test_visible (Fixture       *self,
              gconstpointer  unused)
{
  g_assert_false (gtk_widget_get_visible (self->map));
  show (self, 9);
  g_assert_false (gtk_widget_get_visible (self->map));
  show (self, 128);
  g_assert_true (gtk_widget_get_visible (self->map));
  g_assert_cmpint (gtk_widget_get_width (self->map), <=, 160);
  g_assert_cmpint (gtk_widget_get_height (self->map), ==, 160);
  gtk_test_accessible_assert_role (self->map, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_test_accessible_assert_property (self->map, GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Overview of the drawing");

  ui_scene_view_zoom_to_fit (self->view);
  driver_settle (GTK_WIDGET (self->view));
  g_assert_false (gtk_widget_get_visible (self->map));
  ui_scene_view_set_zoom (self->view, 2);
  driver_settle (GTK_WIDGET (self->view));
  g_assert_true (gtk_widget_get_visible (self->map));
  show (self, 5);
  ui_scene_view_set_zoom (self->view, 1);
  driver_settle (GTK_WIDGET (self->view));
  g_assert_false (gtk_widget_get_visible (self->map));
  ui_scene_view_clear (self->view);
  driver_settle (GTK_WIDGET (self->view));
  g_assert_false (gtk_widget_get_visible (self->map));
}

/* Whether it lies on an item of the drawing that is not a link. */
static gboolean
covers (Fixture    *self,
        UiItemType  type,
        int         query,
        int         key)
{
  const UiItem item = { .type = type, .query = query, .key = key };
  const UiRect area = ui_scene_view_get_area (self->view);
  graphene_rect_t map, token;
  UiRect rect;

  g_assert_true (ui_scene_get_rect (ui_scene_view_get_scene (self->view), &item, &rect));
  g_assert_true (gtk_widget_compute_bounds (self->map, GTK_WIDGET (self->view), &map));
  token = GRAPHENE_RECT_INIT ((float) (rect.x - area.x), (float) (rect.y - area.y),
                              (float) rect.width, (float) rect.height);
  return graphene_rect_intersection (&map, &token, NULL);
}

/* Tokens, and the numbers of what is pinned, which stand beyond the tokens that are read. */
static void
test_place (Fixture       *self,
            gconstpointer  unused)
{
  graphene_rect_t map;
  UiRect key, cell;

  for (int direction = 0; direction < 2; direction++) {
    gtk_widget_set_default_direction (direction == 0 ? GTK_TEXT_DIR_LTR : GTK_TEXT_DIR_RTL);
    self->document->view = UI_VIEW_HEAD;
    ui_pins_clear (&self->document->pins);
    ui_pins_click (&self->document->pins, FALSE, 3, FALSE);
    show (self, 128);
    ui_scene_view_scroll_to (self->view, 0, 600);
    driver_settle (self->map);
    g_assert_true (gtk_widget_get_visible (self->map));
    for (int token = 0; token < 128; token++) {
      g_assert_false (covers (self, UI_ITEM_QUERY, token, 0));
      g_assert_false (covers (self, UI_ITEM_KEY, 0, token));
    }
    g_assert_true (ui_scene_get_rect (ui_scene_view_get_scene (self->view),
                                      &(UiItem) { .type = UI_ITEM_KEY }, &key));
    g_assert_true (gtk_widget_compute_bounds (self->map, GTK_WIDGET (self->view), &map));
    g_assert_cmpfloat (map.origin.x + map.size.width, <,
                       key.x - ui_scene_view_get_area (self->view).x);

    self->document->view = UI_VIEW_MATRIX;
    show (self, 128);
    ui_scene_view_set_zoom (self->view, 3);
    ui_scene_view_scroll_to (self->view, 9999, 9999);
    driver_settle (self->map);
    g_assert_true (gtk_widget_get_visible (self->map));
    /* Beside the last column stand numbers, and below the last line. */
    g_assert_true (ui_scene_get_rect (ui_scene_view_get_scene (self->view),
                                      &(UiItem) { .type = UI_ITEM_LINK, .query = 127, .key = 127 },
                                      &cell));
    g_assert_true (gtk_widget_compute_bounds (self->map, GTK_WIDGET (self->view), &map));
    g_assert_cmpfloat (map.origin.x + map.size.width, <=,
                       cell.x + cell.width - ui_scene_view_get_area (self->view).x);
    g_assert_cmpfloat (map.origin.y + map.size.height, <=,
                       cell.y + cell.height - ui_scene_view_get_area (self->view).y);
    /* Cells with numbers. */
    ui_scene_view_set_zoom (self->view, 8);
    driver_settle (self->map);
    g_assert_false (gtk_widget_get_visible (self->map));

    /* Numbers, and names below maps, are everywhere. */
    self->document->view = UI_VIEW_NEURON;
    show (self, 128);
    g_assert_false (gtk_widget_get_visible (self->map));
    ui_scene_view_set_zoom (self->view, 1);
  }
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
}

static void
press_at (Fixture *self,
          double   x,
          double   y)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (self->map);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

    if (GTK_IS_GESTURE_DRAG (controller))
      g_signal_emit_by_name (controller, "drag-begin", x, y);
  }
}

static void
test_press (Fixture       *self,
            gconstpointer  unused)
{
  const char *sentence = "In sight: 0 to 100 % of its width, 0 to 17 % of its height";
  UiRect area;
  double height;

  show (self, 128);
  ui_scene_get_size (ui_scene_view_get_scene (self->view), NULL, &height);

  /* What is pressed comes into the middle, as far as the drawing reaches. */
  press_at (self, 10, 80);
  area = ui_scene_view_get_area (self->view);
  g_assert_cmpfloat_with_epsilon (area.y + area.height / 2, height / 2, 1);
  press_at (self, 10, 160);
  area = ui_scene_view_get_area (self->view);
  g_assert_cmpfloat_with_epsilon (area.y + area.height, height, 1);
  press_at (self, 10, 0);
  g_assert_cmpfloat (ui_scene_view_get_area (self->view).y, ==, 0);
  driver_settle (self->map);
  gtk_test_accessible_assert_property (self->map, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, sentence);
}

/* The colour of a pixel in the middle of the map's strip where the links are, once it is there. */
static gboolean
shows_links (Fixture *self)
{
  g_autoptr (GdkTexture) texture = driver_take_picture (self->map);
  const int width = gdk_texture_get_width (texture);
  const int height = gdk_texture_get_height (texture);
  g_autofree guint32 *pixels = g_new (guint32, width * height);
  int n_different = 0;

  gdk_texture_download (texture, (guint8 *) pixels, (gsize) width * 4);
  /* Below the frame of what is in sight there are the ground and the picture alone. */
  for (int y = height / 2; y < height - 2; y++)
    for (int x = 2; x < width - 2; x++)
      n_different += pixels[y * width + x] != pixels[(height / 2) * width + 2];

  return n_different > width * height / 20;
}

static void
test_picture (Fixture       *self,
              gconstpointer  unused)
{
  /* Hidden, it draws nothing. */
  g_assert_false (shows_links (self));
  show (self, 128);
  for (int i = 0; i < 500 && !shows_links (self); i++) {
    g_usleep (10000);
    driver_settle (self->map);
  }
  g_assert_true (shows_links (self));
}

static gboolean
is_resting (Fixture *self)
{
  return gtk_widget_has_css_class (self->map, "resting");
}

/* It leaves the picture some time after the last movement, and what is below it to the pointer. */
static void
test_rest (Fixture       *self,
           gconstpointer  unused)
{
  show (self, 128);
  g_assert_false (is_resting (self));
  wait_until (is_resting (self));
  g_assert_true (gtk_widget_get_visible (self->map));
  g_assert_false (gtk_widget_get_can_target (self->map));

  show (self, 128);
  g_assert_true (is_resting (self));
  ui_scene_view_scroll_to (self->view, 0, 300);
  driver_settle (self->map);
  g_assert_false (is_resting (self));
  g_assert_true (gtk_widget_get_can_target (self->map));
}

/* The pointer comes onto the map, or leaves it. */
static void
cross (Fixture  *self,
       gboolean  enters)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (self->map);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

    if (!GTK_IS_EVENT_CONTROLLER_MOTION (controller))
      continue;
    if (enters)
      g_signal_emit_by_name (controller, "enter", 5.0, 5.0);
    else
      g_signal_emit_by_name (controller, "leave");
  }
}

/* Under the pointer it stays. */
static void
test_stay (Fixture       *self,
           gconstpointer  unused)
{
  show (self, 128);
  cross (self, TRUE);
  for (int i = 0; i < 200; i++) {
    g_usleep (10000);
    driver_settle (self->map);
  }
  g_assert_false (is_resting (self));
  cross (self, FALSE);
  wait_until (is_resting (self));
}

#define ADD(path, test) \
  g_test_add ("/minimap/" path, Fixture, NULL, set_up, test, tear_down)

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  ADD ("visible", test_visible);
  ADD ("place", test_place);
  ADD ("press", test_press);
  ADD ("picture", test_picture);
  ADD ("rest", test_rest);
  ADD ("stay", test_stay);
  return g_test_run ();
}
