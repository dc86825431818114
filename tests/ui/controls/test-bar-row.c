/* SPDX-License-Identifier: MIT */
/* A row of two tokens: however long they are, the arrow and the letters of their sentences stay. */
#include "ui/controls/bar-row.h"

#include <stdlib.h>

#include "tests/support/window/widget-driver.h"

#define LONG_QUERY "counterrevolutionary"
#define LONG_KEY "internationalization"
#define LEAST 60      /* of 255 */
#define SHAFT 5       /* pixels of the arrow in one line */
#define ARROW_ROOM 22 /* behind the first letter */

static const UiColor first = { 200, 0, 0, 255 }, second = { 0, 0, 200, 255 };

typedef struct {
  guint32 *pixels;
  int      width;
  int      height;
} Picture;

static Picture
take (const char *query,
      const char *key)
{
  GtkWidget *row = ui_bar_row_new_wide ();
  GtkWindow *window;
  g_autoptr (GdkTexture) texture = NULL;
  Picture picture;

  ui_bar_row_set_mark (UI_BAR_ROW (row), 'A', first);
  ui_bar_row_set_key (UI_BAR_ROW (row), key, key, 'B', second);
  ui_bar_row_set (UI_BAR_ROW (row), query, "0.50", "words");
  window = driver_show (row, 288, 40);
  driver_settle (row);
  texture = driver_take_picture (row);
  picture.width = gdk_texture_get_width (texture);
  picture.height = gdk_texture_get_height (texture);
  picture.pixels = g_new (guint32, (gsize) picture.width * picture.height);
  gdk_texture_download (texture, (guchar *) picture.pixels, (gsize) picture.width * 4);
  gtk_window_destroy (window);
  return picture;
}

/* Red or blue, as strong as the smooth edge of a small letter is at least. */
static gboolean
is_of (guint32 pixel,
       UiColor color)
{
  const guint32 red = pixel >> 16 & 0xff, blue = pixel & 0xff;

  return color.r > 0 ? red > LEAST && blue < red / 4 : blue > LEAST && red < blue / 4;
}

/* The last column with such a pixel; -1 = none. */
static int
find_last (const Picture *picture,
           UiColor        color)
{
  int last = -1;

  for (int i = 0; i < picture->width * picture->height; i++)
    if (is_of (picture->pixels[i], color))
      last = MAX (last, i % picture->width);
  return last;
}

static gboolean
has_shaft (const Picture *picture,
           int            from,
           int            end)
{
  for (int y = 0; y < picture->height; y++)
    for (int x = from, n = 0; x < end; x++) {
      n = picture->pixels[y * picture->width + x] >> 24 > 100 ? n + 1 : 0;
      if (n >= SHAFT)
        return TRUE;
    }
  return FALSE;
}

/* Where the letters end. */
static void
assert_whole (const char *query,
              const char *key,
              int        *query_end,
              int        *key_end)
{
  Picture picture = take (query, key);

  *query_end = find_last (&picture, first);
  *key_end = find_last (&picture, second);
  g_assert_cmpint (*query_end, >, 0);
  g_assert_cmpint (*key_end, >, *query_end + ARROW_ROOM);
  /* Bar and number stand behind it. */
  g_assert_cmpint (*key_end, <, picture.width * 2 / 3);
  g_assert_true (has_shaft (&picture, *query_end + 1, *query_end + 1 + ARROW_ROOM));
  g_free (picture.pixels);
}

static void
test_link (void)
{
  int query_end, key_end, long_query_end, long_key_end, of_short, end;

  assert_whole ("cat", "rug", &query_end, &key_end);
  assert_whole (LONG_QUERY, LONG_KEY, &long_query_end, &long_key_end);
  g_assert_cmpint (long_query_end, >, query_end);
  g_assert_cmpint (long_key_end, >, key_end);
  /* A short one leaves its room to the other. */
  assert_whole ("a", LONG_KEY, &of_short, &end);
  g_assert_cmpint (of_short, <, query_end);
  g_assert_cmpint (abs (end - long_key_end), <, 12);
  assert_whole (LONG_QUERY, "a", &of_short, &end);
  g_assert_cmpint (of_short, >, long_query_end);
}

/* Tokens of one text, whose index tells one from others: it is said to its end. */
static void
test_index (void)
{
  GtkWidget *row = ui_bar_row_new_wide ();
  g_autofree char *name = NULL;
  const char *arrow;
  gboolean is_cut;

  g_object_ref_sink (row);
  ui_bar_row_set_key (UI_BAR_ROW (row), LONG_KEY " 1288", LONG_KEY " 1288", 0, second);
  ui_bar_row_set (UI_BAR_ROW (row), LONG_QUERY " 1289", "0.50", "words");
  name = ui_bar_row_dup_name (UI_BAR_ROW (row), &is_cut);
  arrow = strstr (name, " 1289 → ");
  g_assert_true (is_cut);
  g_assert_nonnull (arrow);
  g_assert_true (g_str_has_suffix (name, " 1288"));
  g_object_unref (row);
}

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  g_test_add_func ("/ui/bar-row/link", test_link);
  g_test_add_func ("/ui/bar-row/index", test_index);
  return g_test_run ();
}
