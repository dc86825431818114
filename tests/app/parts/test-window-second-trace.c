/* SPDX-License-Identifier: MIT */
/* A side of a comparison that comes from a trace file. */
#include "tests/app/parts/compare-case.h"

#include <glib/gstdio.h>

#include "engine/trace/trace-file.h"

static void
assert_entry (AppWindow  *window,
              int         i,
              const char *text,
              gboolean    can_type)
{
  GtkWidget *entry = get_text_entry (window, i);

  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, text);
  g_assert_cmpint (gtk_widget_get_sensitive (entry), ==, can_type);
  if (can_type)
    g_assert_null (gtk_widget_get_tooltip_text (entry));
  else
    g_assert_cmpstr (gtk_widget_get_tooltip_text (entry), ==,
                     "A trace has one text: open a model to compare another");
}

/* A file with the texts of the pair; its numbers are the model's own. */
static char *
write_trace (AppWindow *window)
{
  char *path = g_build_filename (g_get_tmp_dir (), "headlight-compare-XXXXXX", NULL);
  const int file = g_mkstemp (path);

  g_assert_cmpint (file, >=, 0);
  g_close (file, NULL);
  g_assert_true (eng_trace_file_write (app_window_get_trace (window), path, NULL));
  return path;
}

/* A trace has one text, on whichever side it stands; a model can read another. */
static void
test_trace (AppWindow *window)
{
  g_autofree char *path = write_trace (window);
  g_autofree char *text_a = g_strdup (app_window_get_document (window)->text_a);
  g_autofree char *text_b = g_strdup (app_window_get_document (window)->text_b);

  activate (window, "win.compare::sides");
  type (window, 0, "A dog sat");
  wait_until (shows_second_text (window, "A dog sat"));
  gtk_widget_grab_focus (get_text_entry (window, 0));
  change (window, "compare-trace", path);
  wait_until (shows_second_text (window, text_a) && is_idle (window));
  assert_entry (window, 0, text_a, FALSE);
  assert_entry (window, 1, text_b, FALSE);
  g_assert_false (has_focus_within (get_text_entry (window, 0)));
  g_assert_false (gtk_widget_get_sensitive (window_find (window, "compare_text_choice")));
  g_assert_true (gtk_widget_get_sensitive (window_find (window, "entry_a")));

  /* The example that was typed before is not what the file on the first side reads. */
  change (window, "compare-trace", "");
  change (window, "compare-text-a", "");
  gtk_editable_set_text (GTK_EDITABLE (window_find (window, "entry_a")), "Another example");
  wait_until (is_idle (window));
  window_open_trace (window, path);
  wait_until (is_idle (window) && !gtk_widget_get_sensitive (window_find (window, "entry_a")));
  g_assert_nonnull (gtk_widget_get_tooltip_text (window_find (window, "entry_a")));
  assert_entry (window, 0, text_a, FALSE);
  assert_status (window, "beside itself");
  activate (window, "win.compare-model::headlight-mini");
  wait_until (shows_second_text (window, text_a) && is_idle (window));
  assert_entry (window, 0, "", TRUE);
  g_assert_true (gtk_widget_get_sensitive (window_find (window, "compare_text_choice")));
  type (window, 1, "A dog");
  g_assert_cmpstr (app_window_get_document (window)->compare_text_a, ==, text_a);
  wait_until (g_strcmp0 (eng_trace_get_text_b (window_get_second_trace (window)), "A dog") == 0);
  g_remove (path);
}

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  g_test_add_data_func ("/ui/window-second-trace/text", (gconstpointer) test_trace, run_test);
  return g_test_run ();
}
