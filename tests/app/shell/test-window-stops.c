/* SPDX-License-Identifier: MIT */
/* Tab through the real window: each group of controls is one stop, and where the focus is is seen. */
#include "tests/support/window/widget-driver.h"
#include "tests/app/shell/window-case.h"

#define MOST_STOPS 60

static GtkWidget *
get_focus (Fixture *fixture)
{
  return gtk_window_get_focus (GTK_WINDOW (fixture->window));
}

static gboolean
has_focus_in (Fixture   *fixture,
              GtkWidget *widget)
{
  GtkWidget *focus = get_focus (fixture);

  return focus != NULL && (focus == widget || gtk_widget_is_ancestor (focus, widget));
}

static gboolean
move (Fixture          *fixture,
      GtkDirectionType  direction)
{
  return gtk_widget_child_focus (GTK_WIDGET (fixture->window), direction);
}

/* A token is pinned, so that the inspector has rows. */
static void
pin (Fixture *fixture)
{
  UiDocument *document = ui_document_copy (app_window_get_document (fixture->window));

  ui_pins_click (&document->pins, FALSE, 2, FALSE);
  window_change (fixture->window, document);
  wait_until (is_idle (fixture->window));
}

static GPtrArray *
walk (Fixture          *fixture,
      GtkDirectionType  direction)
{
  GPtrArray *stops = g_ptr_array_new ();

  gtk_widget_grab_focus (window_find (fixture->window, "entry_a"));
  do {
    g_ptr_array_add (stops, get_focus (fixture));
    move (fixture, direction);
  } while (get_focus (fixture) != stops->pdata[0] && stops->len < MOST_STOPS);
  return stops;
}

/* One Tab comes to each group and the next one leaves it, from either side. */
static void
test_groups (Fixture *fixture)
{
  static const char *const groups[] = {
    "header_start", "view_switch", "header_end", "map_search", "map", "map_list", "entry_a",
    "entry_b", "examples_button", "toolbar", "scene_view", "status_line",
  };
  const GtkDirectionType directions[] = { GTK_DIR_TAB_FORWARD, GTK_DIR_TAB_BACKWARD };

  pin (fixture);
  for (gsize i = 0; i < G_N_ELEMENTS (directions); i++) {
    g_autoptr (GPtrArray) stops = walk (fixture, directions[i]);

    for (gsize j = 0; j < G_N_ELEMENTS (groups); j++) {
      GtkWidget *group = window_find (fixture->window, groups[j]);
      int n = 0;

      for (guint k = 0; k < stops->len; k++)
        n += stops->pdata[k] == group || gtk_widget_is_ancestor (stops->pdata[k], group);
      if (n != 1)
        g_error ("%s is %d stops", groups[j], n);
    }
    /* Besides: swapping, three lists of the inspector. */
    g_assert_cmpint (stops->len, <=, (int) G_N_ELEMENTS (groups) + 4);
  }
}

/* Arrows come to every control of a group, and stay in it. */
static void
assert_arrows (Fixture          *fixture,
               const char       *group,
               GtkDirectionType  direction,
               guint             n_expected)
{
  GtkWidget *widget = window_find (fixture->window, group);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  g_assert_true (gtk_widget_child_focus (widget, GTK_DIR_TAB_FORWARD));
  for (int i = 0; i < MOST_STOPS; i++) {
    g_hash_table_add (seen, get_focus (fixture));
    move (fixture, direction);
    if (!has_focus_in (fixture, widget))
      g_error ("arrows leave %s", group);
  }
  g_assert_cmpuint (g_hash_table_size (seen), ==, n_expected);
}

static void
test_arrows (Fixture *fixture)
{
  assert_arrows (fixture, "view_switch", GTK_DIR_RIGHT, 5);
  /* Map and model; there is nothing to undo. */
  assert_arrows (fixture, "header_start", GTK_DIR_RIGHT, 2);
  assert_arrows (fixture, "header_end", GTK_DIR_RIGHT, 3);
  /* Four menus, three of zoom, and the rest. */
  assert_arrows (fixture, "toolbar", GTK_DIR_RIGHT, 8);
}

/* Pixels of the window. */
static GBytes *
take_pixels (Fixture *fixture)
{
  g_autoptr (GdkTexture) picture = NULL;
  gsize stride, size;
  guchar *pixels;

  driver_settle (GTK_WIDGET (fixture->window));
  picture = driver_take_picture (GTK_WIDGET (fixture->window));
  stride = (gsize) gdk_texture_get_width (picture) * 4;
  size = stride * gdk_texture_get_height (picture);
  pixels = g_malloc (size);
  gdk_texture_download (picture, pixels, stride);
  return g_bytes_new_take (pixels, size);
}

/* With the ring of the focus and without it the window looks otherwise. */
static void
assert_all_visible (Fixture *fixture)
{
  g_autoptr (GPtrArray) stops = walk (fixture, GTK_DIR_TAB_FORWARD);

  for (guint i = 0; i < stops->len; i++) {
    GtkWidget *stop = stops->pdata[i];
    g_autoptr (GBytes) with = NULL;
    g_autoptr (GBytes) without = NULL;

    gtk_widget_grab_focus (stop);
    gtk_window_set_focus_visible (GTK_WINDOW (fixture->window), TRUE);
    gtk_widget_queue_draw (stop);
    with = take_pixels (fixture);
    gtk_window_set_focus_visible (GTK_WINDOW (fixture->window), FALSE);
    gtk_widget_queue_draw (stop);
    without = take_pixels (fixture);
    /* Around an entry there is a frame without a ring, too. */
    if (g_bytes_equal (with, without) && !GTK_IS_TEXT (stop) && !GTK_IS_TEXT_VIEW (stop))
      g_error ("no focus is seen on stop %u, a %s", i, G_OBJECT_TYPE_NAME (stop));
  }
}

static void
test_visible (Fixture *fixture)
{
  assert_all_visible (fixture);
  pin (fixture);
  activate (fixture, "win.view::matrix");
  wait_until (is_idle (fixture->window));
  assert_all_visible (fixture);
}

#define ADD(name, function) \
  g_test_add_data_func ("/ui/window-stops/" name, (gconstpointer) function, run_test)

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  ADD ("groups", test_groups);
  ADD ("arrows", test_arrows);
  ADD ("visible", test_visible);
  return g_test_run ();
}
