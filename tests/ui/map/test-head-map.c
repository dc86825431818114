/* SPDX-License-Identifier: MIT */
/* The map as a person uses it: pointer, keys, and what is seen. */
#include "ui/map/head-map.h"

#include "tests/support/made-trace.h"
#include "tests/support/window/widget-driver.h"
#include "ui/map/map-layout.h"
#include "ui/map/map-paint.h"
#include "ui/map/map-row.h"

enum { N_LAYERS = 4, N_HEADS = 6, WIDTH = 226, HEIGHT = 400 };

typedef struct {
  GtkWidget   *window;
  UiHeadMap   *map;
  UiHeadTiles *tiles;
  GString     *told; /* "3.1+ " = added, "layer 2 " */
} Fixture;

static void
chosen_cb (Fixture *self,
           int      layer,
           int      head,
           gboolean add)
{
  g_string_append_printf (self->told, "%d.%d%s ", layer, head, add ? "+" : "");
}

static void
layer_chosen_cb (Fixture *self,
                 int      layer)
{
  g_string_append_printf (self->told, "layer %d ", layer);
}

static void
stepped_cb (Fixture *self,
            int      layers)
{
  g_string_append_printf (self->told, "by %d ", layers);
}

static void
set_up (Fixture       *self,
        gconstpointer  unused)
{
  g_autoptr (EngTrace) trace = made_trace_new (8, 0, N_HEADS, N_LAYERS);
  GtkWidget *map = ui_head_map_new ();

  self->map = UI_HEAD_MAP (map);
  self->told = g_string_new (NULL);
  self->tiles = ui_head_tiles_new (trace, ENG_KIND_ENCODER);
  ui_head_tiles_make (self->tiles, NULL, NULL, NULL);
  ui_head_map_set_tiles (self->map, self->tiles);
  g_signal_connect_swapped (map, "chosen", G_CALLBACK (chosen_cb), self);
  g_signal_connect_swapped (map, "layer-chosen", G_CALLBACK (layer_chosen_cb), self);
  g_signal_connect_swapped (map, "stepped", G_CALLBACK (stepped_cb), self);
  self->window = GTK_WIDGET (driver_show (map, WIDTH, HEIGHT));
}

static void
tear_down (Fixture       *self,
           gconstpointer  unused)
{
  gtk_window_destroy (GTK_WINDOW (self->window));
  ui_head_tiles_unref (self->tiles);
  g_string_free (self->told, TRUE);
}

static UiMapLayout
get_layout (Fixture *self)
{
  UiMapLayout layout;

  ui_map_layout_init (&layout, N_LAYERS, N_HEADS, gtk_widget_get_width (GTK_WIDGET (self->map)),
                      gtk_widget_get_height (GTK_WIDGET (self->map)), 1);
  return layout;
}

static void
assert_told (Fixture    *self,
             const char *expected)
{
  g_assert_cmpstr (self->told->str, ==, expected);
  g_string_truncate (self->told, 0);
}

static void
test_click (Fixture       *self,
            gconstpointer  unused)
{
  const UiMapLayout layout = get_layout (self);
  const UiMapPlace place = ui_map_layout_get_place (&layout, 2, 5);

  driver_click_at (GTK_WIDGET (self->map), 1, place.x + 3, place.y + 3);
  assert_told (self, "2.5 ");
  driver_click_at (GTK_WIDGET (self->map), 1, 4, ui_map_layout_get_top (&layout, 1) + 2);
  assert_told (self, "layer 1 ");
}

static void
test_keys (Fixture       *self,
           gconstpointer  unused)
{
  GtkWidget *map = GTK_WIDGET (self->map);
  const int n_columns = get_layout (self).n_columns;

  gtk_widget_grab_focus (map);
  g_assert_true (driver_press_key (map, "Right"));
  g_assert_true (driver_press_key (map, "Return"));
  assert_told (self, "0.1 ");
  driver_press_key (map, "End");
  driver_press_key (map, "Page_Down");
  driver_press_key (map, "space");
  assert_told (self, "1.5+ ");
  driver_press_key (map, "Home");
  driver_press_key (map, "Left");
  driver_press_key (map, "<Control>a");
  assert_told (self, "layer 1 ");
  /* By lines, into the next layer. */
  for (int head = 0; head < N_HEADS; head += n_columns)
    driver_press_key (map, "Down");
  driver_press_key (map, "Return");
  assert_told (self, "2.0 ");
  for (int i = 0; i < 99; i++)
    driver_press_key (map, "Up");
  driver_press_key (map, "Return");
  assert_told (self, "0.0 ");
}

static guint32
get_pixel (Fixture *self,
           double   x,
           double   y)
{
  g_autoptr (GdkTexture) picture = driver_take_picture (GTK_WIDGET (self->map));
  const int width = gdk_texture_get_width (picture), height = gdk_texture_get_height (picture);
  g_autofree guint32 *pixels = g_new (guint32, (gsize) width * height);

  gdk_texture_download (picture, (guchar *) pixels, (gsize) width * 4);
  return pixels[(int) y * width + (int) x] & 0xffffff;
}

static guint32
pack (UiColor color)
{
  return (guint32) color.r << 16 | (guint32) color.g << 8 | color.b;
}

/* A cell is ink until its head is drawn, then it has the colour of the head and a frame. */
static void
test_marks (Fixture       *self,
            gconstpointer  unused)
{
  const UiMapLayout layout = get_layout (self);
  const UiMapPlace place = ui_map_layout_get_place (&layout, 1, 3);
  guint8 marks[N_LAYERS * N_HEADS] = { 0 };
  const double token = place.size / 8.0;
  /* Token 0 gives 0.6 to token 4: an opacity of 0.9. */
  const double x = place.x + 4.5 * token, y = place.y + 0.5 * token;
  const UiColor plate = ui_tile_get_plate (UI_THEME_LIGHT);
  const UiColor ink = ui_palette_get (UI_THEME_LIGHT)->text;
  const UiColor color = ui_palette_head (UI_THEME_LIGHT, 3);

  g_assert_cmphex (get_pixel (self, x, y), ==,
                   pack (ui_color_mix (plate, ink, ui_palette_link_alpha (0.6f) / 255.0)));
  marks[1 * N_HEADS + 3] = UI_HEAD_DRAWN;
  ui_head_map_set_marks (self->map, marks);
  driver_settle (GTK_WIDGET (self->map));
  g_assert_cmphex (get_pixel (self, x, y), ==,
                   pack (ui_color_mix (plate, color, ui_palette_link_alpha (0.6f) / 255.0)));
  g_assert_cmphex (get_pixel (self, place.x - 1, place.y + place.size / 2.0), ==, pack (color));
}

/* What is at a point, for a menu. */
static void
test_find (Fixture       *self,
           gconstpointer  unused)
{
  const UiMapLayout layout = get_layout (self);
  const UiMapPlace place = ui_map_layout_get_place (&layout, 3, 2);
  GdkRectangle at;
  int layer, head;

  g_assert_true (ui_head_map_find (self->map, place.x + 1, place.y + 1, &layer, &head, &at));
  g_assert_cmpint (layer, ==, 3);
  g_assert_cmpint (head, ==, 2);
  g_assert_cmpint (at.x, ==, place.x);
  g_assert_true (ui_head_map_find (self->map, 3, place.y + 1, &layer, &head, &at));
  g_assert_cmpint (head, ==, -1);
  ui_head_map_set_cursor (self->map, 2, 4);
  g_assert_true (ui_head_map_find (self->map, -1, -1, &layer, &head, &at));
  g_assert_cmpint (layer, ==, 2);
  g_assert_cmpint (head, ==, 4);
  ui_head_map_set_tiles (self->map, NULL);
  g_assert_false (ui_head_map_find (self->map, -1, -1, &layer, &head, &at));
}

/* One layer, its heads below each other: it is walked through to its ends, asks for other layers, and
 * knows those of them that it is told. */
static void
test_strip (Fixture       *self,
            gconstpointer  unused)
{
  GtkWidget *map = GTK_WIDGET (self->map);
  UiMapLayout layout;
  UiMapPlace place;

  ui_head_map_set_layer (self->map, 2);
  driver_settle (map);
  ui_map_layout_init_strip (&layout, 2, N_HEADS, UI_MAP_STRIP);
  place = ui_map_layout_get_place (&layout, 2, 4);
  driver_click_at (map, 1, place.x + 3, place.y + 3);
  assert_told (self, "2.4 ");
  driver_click_at (map, 1, 3, ui_map_layout_get_place (&layout, 2, 1).y + 3);
  assert_told (self, "2.1 ");

  gtk_widget_grab_focus (map);
  for (int i = 0; i < 2 * N_HEADS; i++)
    driver_press_key (map, "Down");
  driver_press_key (map, "Return");
  assert_told (self, "2.5 ");
  for (int i = 0; i < 2 * N_HEADS; i++)
    driver_press_key (map, "Up");
  driver_press_key (map, "space");
  assert_told (self, "2.0+ ");
  driver_press_key (map, "Page_Down");
  driver_press_key (map, "Page_Up");
  assert_told (self, "by 1 by -1 ");
  ui_head_map_set_layer (self->map, 3);
  driver_press_key (map, "End");
  driver_press_key (map, "Return");
  assert_told (self, "3.5 ");
  /* Of another layer the head alone counts. */
  ui_head_map_set_cursor (self->map, 0, 2);
  driver_press_key (map, "Return");
  assert_told (self, "3.2 ");
}

/* Where it is higher than its room the head under the ring is in sight. */
static void
test_scrolled_strip (Fixture       *self,
                     gconstpointer  unused)
{
  GtkWidget *map = ui_head_map_new ();
  GtkWidget *viewport = gtk_viewport_new (NULL, NULL);
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkWindow *window;
  UiMapLayout layout;
  GtkAdjustment *adjustment;

  ui_head_map_set_tiles (UI_HEAD_MAP (map), self->tiles);
  ui_head_map_set_layer (UI_HEAD_MAP (map), 1);
  ui_map_layout_init_strip (&layout, 1, N_HEADS, UI_MAP_STRIP);
  gtk_viewport_set_child (GTK_VIEWPORT (viewport), map);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), viewport);
  adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller));
  ui_head_map_set_cursor (UI_HEAD_MAP (map), 1, N_HEADS - 1);
  window = driver_show (scroller, 80, 120);
  driver_settle (scroller);
  g_assert_cmpfloat (gtk_adjustment_get_value (adjustment) + 120, >=,
                     ui_map_layout_get_place (&layout, 1, N_HEADS - 1).y + layout.cell);
  driver_press_key (map, "Home");
  g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), ==, 0);
  gtk_window_destroy (window);
}

static int
get_natural_height (Fixture *self,
                    int      width)
{
  int natural;

  gtk_widget_measure (GTK_WIDGET (self->map), GTK_ORIENTATION_VERTICAL, width, NULL, &natural, NULL,
                      NULL);
  return natural;
}

/* Larger text has a wider column: its cells are larger, too. */
static void
test_text (Fixture       *self,
           gconstpointer  unused)
{
  GtkSettings *settings = gtk_widget_get_settings (self->window);
  const int height = get_natural_height (self, WIDTH);
  int dpi;

  g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  g_object_set (settings, "gtk-xft-dpi", 96 * PANGO_SCALE * 3 / 2, NULL);
  driver_settle (GTK_WIDGET (self->map));
  g_assert_cmpint (get_natural_height (self, WIDTH * 3 / 2), >=, height * 14 / 10);
  g_object_set (settings, "gtk-xft-dpi", dpi, NULL);
  driver_settle (GTK_WIDGET (self->map));
  g_assert_cmpint (get_natural_height (self, WIDTH), ==, height);
}

#define ADD(name, function) \
  g_test_add ("/ui/head-map/" name, Fixture, NULL, set_up, function, tear_down)

/* The head of a layer that is not computed yet has a row, and no picture. */
static void
test_absent_tile (void)
{
  GtkWidget *row = g_object_ref_sink (ui_map_row_new ());
  const UiTile absent = { NULL, 15, 15 };
  const UiTileInk ink = {
    ui_palette_get (UI_THEME_LIGHT)->text, ui_tile_get_plate (UI_THEME_LIGHT), 1
  };

  ui_map_row_set_tile (UI_MAP_ROW (row), &absent, &ink);
  g_object_unref (row);
}

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  ADD ("click", test_click);
  ADD ("keys", test_keys);
  ADD ("marks", test_marks);
  ADD ("find", test_find);
  ADD ("strip", test_strip);
  ADD ("scrolled-strip", test_scrolled_strip);
  ADD ("text", test_text);
  g_test_add_func ("/head-map/absent-tile", test_absent_tile);
  return g_test_run ();
}
