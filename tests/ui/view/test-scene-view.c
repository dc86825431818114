/* SPDX-License-Identifier: MIT */
/* What the view shows: its picture, in any size and place. */
#include <math.h>
#include <string.h>

#include "tests/support/fields.h"
#include "tests/ui/view/scene-view-case.h"
#include "ui/view/picture.h"
#include "ui/view/surface-node.h"

static void
set_up_long (Fixture       *self,
             gconstpointer  unused)
{
  set_up_tokens (self, 60, 68);
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

/* Each view begins where it was left, another one at its top. */
static void
test_places (Fixture       *self,
             gconstpointer  unused)
{
  static const struct { UiViewKind view; double expected, left; } steps[] = {
    { UI_VIEW_MATRIX, 0, 120 }, { UI_VIEW_NEURON, 0, 60 }, { UI_VIEW_HEAD, 500, 40 },
    { UI_VIEW_MATRIX, 120, 0 }, { UI_VIEW_HEAD, 40, 0 },
  };

  ui_scene_view_scroll_to (self->view, 0, 500);
  for (gsize i = 0; i < G_N_ELEMENTS (steps); i++) {
    self->document->view = steps[i].view;
    show (self);
    g_assert_cmpfloat (ui_scene_view_get_area (self->view).y, ==, steps[i].expected);
    ui_scene_view_scroll_to (self->view, 0, steps[i].left);
    settle (self);
  }
}

/* Where panels come or go the drawing begins at its top, or where its pinned row is in sight. */
static void
test_panels_begin (Fixture       *self,
                   gconstpointer  unused)
{
  UiItem row = { .type = UI_ITEM_QUERY, .query = 60 };
  UiRect rect, area;

  fields_set (self->document, "panels", "0.1,1.2");
  for (int i = 0; i < 4; i++) {
    ui_scene_view_scroll_to (self->view, 0, 500);
    self->document->compare = i % 2 == 0 ? UI_COMPARE_HEADS : UI_COMPARE_OFF;
    show (self);
    g_assert_cmpfloat (ui_scene_view_get_area (self->view).y, ==, 0);
  }
  fields_set (self->document, "pin", "60");
  self->document->compare = UI_COMPARE_HEADS;
  show (self);
  area = ui_scene_view_get_area (self->view);
  g_assert_true (ui_scene_get_rect (ui_scene_view_get_scene (self->view), &row, &rect));
  g_assert_cmpfloat (rect.y, >=, area.y);
  g_assert_cmpfloat (rect.y + rect.height, <=, area.y + area.height);
  g_assert_cmpfloat (area.y, >, 0);

  /* Another pin in the same panels leaves them where a person has scrolled to. */
  ui_scene_view_scroll_to (self->view, 0, 300);
  fields_set (self->document, "pin", "");
  show (self);
  g_assert_cmpfloat (ui_scene_view_get_area (self->view).y, ==, 300);
}

/* What is scrolled to does not touch the edge, where its plate would be cut. */
static void
test_show_item (Fixture       *self,
                gconstpointer  unused)
{
  static const int queries[] = { 90, 20, 70 };

  for (gsize i = 0; i < G_N_ELEMENTS (queries); i++) {
    const UiItem row = { .type = UI_ITEM_QUERY, .query = queries[i] };
    UiRect rect, area;

    ui_scene_view_show_item (self->view, &row);
    area = ui_scene_view_get_area (self->view);
    g_assert_true (ui_scene_get_rect (ui_scene_view_get_scene (self->view), &row, &rect));
    g_assert_cmpfloat (rect.y, >=,
                       area.y + ui_scene_get_header (ui_scene_view_get_scene (self->view)) + 5);
    g_assert_cmpfloat (rect.y + rect.height + 5, <=, area.y + area.height);
  }
}

/* Presses of "+" leave the words that read in sight, whole. */
static void
test_zoom_keeps_words (Fixture       *self,
                       gconstpointer  unused)
{
  for (int i = 0; i < 4; i++) {
    const UiRect area = ui_scene_view_get_area (self->view);
    const UiItem row = { .type = UI_ITEM_QUERY, .query = 64 };
    UiRect rect;

    g_assert_true (ui_scene_get_rect (ui_scene_view_get_scene (self->view), &row, &rect));
    g_assert_cmpfloat (rect.x, >=, area.x);
    g_assert_cmpfloat (rect.x + rect.width, <=, area.x + area.width);
    ui_scene_view_zoom_in (self->view);
    settle (self);
  }
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

static void
count_done_cb (gpointer data)
{
  ++*(int *) data;
}

/* No thread draws any more once they have ended; the next picture begins anew. */
static void
test_end (Fixture       *self,
          gconstpointer  unused)
{
  const UiRect area = { 0, 0, WIDTH, HEIGHT };
  UiScene *scene = ui_scene_view_get_scene (self->view);
  int n_done = 0;

  for (int round = 0; round < 2; round++) {
    UiPicture *pictures[4];

    for (gsize i = 0; i < G_N_ELEMENTS (pictures); i++) {
      pictures[i] = ui_picture_new (scene, UI_PICTURE_FULL, NULL, &area, 1);
      ui_picture_request (pictures[i], UI_PICTURE_LATER, count_done_cb, &n_done);
    }
    ui_pictures_end ();
    for (gsize i = 0; i < G_N_ELEMENTS (pictures); i++)
      g_assert_true (ui_picture_is_done (pictures[i]));
    settle (self);
    g_assert_cmpint (n_done, ==, (round + 1) * (int) G_N_ELEMENTS (pictures));
    for (gsize i = 0; i < G_N_ELEMENTS (pictures); i++)
      ui_picture_drop (pictures[i]);
  }
}

static double
get_token_height (Fixture *self)
{
  const UiItem token = { .type = UI_ITEM_KEY, .key = 1 };
  UiRect rect;

  settle (self);
  g_assert_true (ui_scene_get_rect (ui_scene_view_get_scene (self->view), &token, &rect));
  return rect.height;
}

/* By the room, and never smaller than for the person at the computer. */
static void
test_presented (Fixture       *self,
                gconstpointer  unused)
{
  double height = get_token_height (self);

  ui_scene_view_set_presented (self->view, TRUE);
  g_assert_cmpfloat (get_token_height (self), ==, height);

  /* As wide as the screen of the tests. */
  gtk_window_set_default_size (self->window, 1280, 780);
  ui_scene_view_set_presented (self->view, FALSE);
  height = get_token_height (self);
  ui_scene_view_set_presented (self->view, TRUE);
  g_assert_cmpfloat (get_token_height (self), >, height * 1.05);
  ui_scene_view_set_presented (self->view, FALSE);
  g_assert_cmpfloat (get_token_height (self), ==, height);
}

/* Large text is not enlarged once more for people: in a grid of a large screen maps have that room. */
static void
test_presented_grid (Fixture       *self,
                     gconstpointer  unused)
{
  GtkSettings *settings = gtk_settings_get_default ();
  g_autoptr (EngTrace) trace = made_trace_new (6, 0, 12, 6);
  g_autoptr (UiDocument) document = ui_document_new ();
  const UiItem item = { .type = UI_ITEM_HEAD, .layer = 5, .head = 5 };
  UiRect map;
  int dpi;

  g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  g_object_set (settings, "gtk-xft-dpi", 2 * 96 * 1024, NULL);
  gtk_widget_set_size_request (self->scroller, 1900, 960);
  document->view = UI_VIEW_MODEL;
  ui_scene_view_set_presented (self->view, TRUE);
  g_assert_true (ui_scene_view_show (self->view, trace, NULL, document, NULL));
  settle (self);
  g_assert_cmpfloat (ui_scene_view_get_area (self->view).width, ==, 1900);
  g_assert_cmpfloat_with_epsilon (ui_scene_get_text_size (ui_scene_view_get_scene (self->view)),
                                  2 * UI_TOKEN_SIZE, 0.01);
  g_assert_true (ui_scene_get_rect (ui_scene_view_get_scene (self->view), &item, &map));
  g_assert_cmpfloat (map.width, >, 88);
  g_object_set (settings, "gtk-xft-dpi", dpi, NULL);
}

/* What a short text leaves free it takes, up to text three times as large. */
static void
test_presented_short (Fixture       *self,
                      gconstpointer  unused)
{
  static const UiViewKind views[] = { UI_VIEW_HEAD, UI_VIEW_MATRIX };
  g_autoptr (EngTrace) trace = made_trace_new (6, 0, 4, 1);
  g_autoptr (UiDocument) document = ui_document_new ();

  gtk_window_set_default_size (self->window, 1280, 780);
  for (gsize i = 0; i < G_N_ELEMENTS (views); i++) {
    double width, height, text, before;

    document->view = views[i];
    g_assert_true (ui_scene_view_show (self->view, trace, NULL, document, NULL));
    settle (self);
    before = ui_scene_get_text_size (ui_scene_view_get_scene (self->view));
    ui_scene_view_set_presented (self->view, TRUE);
    settle (self);
    ui_scene_get_size (ui_scene_view_get_scene (self->view), &width, &height);
    text = ui_scene_get_text_size (ui_scene_view_get_scene (self->view));
    g_assert_cmpfloat (width, <=, gtk_widget_get_width (GTK_WIDGET (self->view)) + 1);
    g_assert_cmpfloat (height, <=, gtk_widget_get_height (GTK_WIDGET (self->view)) + 1);
    g_assert_cmpfloat (text, >, 1.4 * before);
    g_assert_cmpfloat (text, <=, 3 * before + 0.01);
    ui_scene_view_set_presented (self->view, FALSE);
    settle (self);
    g_assert_cmpfloat (ui_scene_get_text_size (ui_scene_view_get_scene (self->view)), ==, before);
  }
}

#define ADD(path, set_up, test) \
  g_test_add ("/scene-view/" path, Fixture, NULL, set_up, test, tear_down)

/* Pieces that lie side by side join at any size: nothing shows between them. */
static void
test_seams (Fixture       *self,
            gconstpointer  unused)
{
  GskRenderer *renderer = gtk_native_get_renderer (GTK_NATIVE (self->window));
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  g_autoptr (GdkTexture) texture = NULL;
  GskRenderNode *whole;
  guint32 pixels[10 * 40];

  gtk_snapshot_scale (snapshot, 0.61f, 0.61f);
  for (int i = 0; i < 5; i++) {
    cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 30, 17);
    cairo_t *cr = cairo_create (surface);
    const UiRect bounds = { 0, 17 * i, 30, 17 };
    GskRenderNode *node;

    cairo_set_source_rgb (cr, 1, 1, 1);
    cairo_paint (cr);
    cairo_destroy (cr);
    node = ui_surface_node_new (surface, &bounds, GTK_WIDGET (self->view));
    gtk_snapshot_append_node (snapshot, node);
    gsk_render_node_unref (node);
  }
  whole = gtk_snapshot_free_to_node (g_steal_pointer (&snapshot));
  texture = gsk_renderer_render_texture (renderer, whole, &GRAPHENE_RECT_INIT (2, 2, 10, 40));
  gsk_render_node_unref (whole);
  gdk_texture_download (texture, (guchar *) pixels, sizeof pixels / 40);
  for (gsize i = 0; i < G_N_ELEMENTS (pixels); i++)
    g_assert_cmphex (pixels[i], ==, 0xffffffff);
}

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  ADD ("show", set_up, test_show);
  ADD ("picture", set_up_long, test_picture);
  ADD ("text-scale", set_up_long, test_text_scale);
  ADD ("scrolling", set_up_long, test_scrolling);
  ADD ("resize", set_up, test_resize);
  ADD ("places", set_up_long, test_places);
  ADD ("panels-begin", set_up_long, test_panels_begin);
  ADD ("zoom", set_up_long, test_zoom);
  ADD ("show-item", set_up_long, test_show_item);
  ADD ("zoom-keeps-words", set_up_long, test_zoom_keeps_words);
  ADD ("zoom-to-fit", set_up_long, test_zoom_to_fit);
  ADD ("deadline", set_up_long, test_deadline);
  ADD ("end", set_up_long, test_end);
  ADD ("presented", set_up, test_presented);
  ADD ("presented-grid", set_up, test_presented_grid);
  ADD ("presented-short", set_up, test_presented_short);
  ADD ("never-blank", set_up_long, test_never_blank);
  ADD ("seams", set_up, test_seams);
  return g_test_run ();
}
