/* SPDX-License-Identifier: MIT */
/* Which states a training keeps: few, the first and the last among them, close to each other at the
 * beginning; and where they lie. */
#include "app/training/kept.h"

#include <glib/gstdio.h>

#include "tests/support/temporary.h"

static GArray *
run_to (gint64 end)
{
  GArray *kept = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (gint64 step = 0; step <= end; step++) {
    if (!app_kept_is_due (kept, step))
      continue;
    g_array_append_val (kept, step);
    if (kept->len > APP_KEPT_MOST)
      g_array_remove_index (kept, app_kept_find_spare (kept));
  }

  return kept;
}

static gint64
get (const GArray *kept,
     guint         place)
{
  return g_array_index (kept, gint64, place);
}

/* However long it takes; nowhere is a hole of more than a quarter of what was taken by then and of an
 * eighth of all. */
static void
test_spread (void)
{
  static const gint64 ends[] = { 300, 2000, 50000, 1000000 };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++) {
    g_autoptr (GArray) kept = run_to (ends[i]);

    g_assert_cmpuint (kept->len, <=, APP_KEPT_MOST);
    g_assert_cmpuint (kept->len, >=, 20);
    g_assert_cmpint (get (kept, 0), ==, 0);
    g_assert_cmpint (get (kept, kept->len - 1), >, ends[i] * 9 / 10);
    for (guint place = 1; place < kept->len; place++) {
      const gint64 gap = get (kept, place) - get (kept, place - 1);

      g_assert_cmpint (gap, >, 0);
      g_assert_cmpint (gap, <=, MAX (get (kept, place) / 4 + ends[i] / 16, 20));
    }
    g_assert_cmpint (get (kept, 1) - get (kept, 0), <=,
                     get (kept, kept->len - 1) - get (kept, kept->len - 4));
  }
}

/* Of large models few are kept, or none. */
static void
test_room (void)
{
  g_assert_cmpuint (app_kept_count_room (500 * 1000), ==, APP_KEPT_MOST);
  g_assert_cmpuint (app_kept_count_room (100 * 1000 * 1000), ==, 5);
  g_assert_cmpuint (app_kept_count_room (440 * 1000 * 1000), ==, 0);
}

static void
make (const char *folder,
      const char *name)
{
  g_autofree char *path = g_build_filename (folder, "steps", name, NULL);

  g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);
}

/* What is half written has no number. */
static void
test_folders (void)
{
  g_autofree char *folder = temporary_new ();
  g_autofree char *state = app_kept_dup_folder (folder, 30);
  g_autofree char *file = g_build_filename (state, "config.json", NULL);
  g_autofree char *training = app_kept_find_training (state);
  g_autofree char *none = app_kept_find_training (folder);
  g_autoptr (GArray) kept = NULL, left = NULL;

  make (folder, "200");
  make (folder, "30");
  make (folder, "0");
  make (folder, "new");
  g_assert_true (g_file_set_contents (file, "{}", -1, NULL));
  kept = app_kept_list (folder);
  g_assert_cmpuint (kept->len, ==, 3);
  g_assert_cmpint (get (kept, 0), ==, 0);
  g_assert_cmpint (get (kept, 1), ==, 30);
  g_assert_cmpint (get (kept, 2), ==, 200);
  g_assert_cmpstr (training, ==, folder);
  g_assert_null (none);

  app_kept_remove (folder, 30);
  left = app_kept_list (folder);
  g_assert_cmpuint (left->len, ==, 2);
  g_assert_false (g_file_test (state, G_FILE_TEST_EXISTS));
  temporary_free (g_steal_pointer (&folder));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kept/spread", test_spread);
  g_test_add_func ("/kept/room", test_room);
  g_test_add_func ("/kept/folders", test_folders);
  return g_test_run ();
}
