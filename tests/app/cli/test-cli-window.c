/* SPDX-License-Identifier: MIT */
/* The window, asked for where there is no display. */
#include "tests/support/command-line.h"
#include "tests/support/temporary.h"

/* What to do instead, in one line: no toolkit speaks. */
static void
test_no_display (void)
{
  static const char *const texts[] = { NULL, "time flies" };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_auto (Run) run = { 0 };

    run_headlight (&run, texts[i], NULL);
    assert_refused (&run, 1, "headlight render");
  }
}

/* What a double click gives: the file alone. A sentence about one is a sentence. */
static void
test_files (void)
{
  char *folder = temporary_new ();
  g_autofree char *path = g_build_filename (folder, "my lesson.md", NULL);
  g_autofree char *fault = g_strconcat ("headlight-window: ", path, ":1:1: a lesson begins with", NULL);
  g_autoptr (GError) error = NULL;
  g_auto (Run) broken = { 0 };
  g_auto (Run) two = { 0 };
  const char *const texts[][3] = { { "--", path, NULL }, { path, "B", NULL }, { "Read lesson.md", NULL } };

  g_file_set_contents (path, "Words.\n", -1, &error);
  g_assert_no_error (error);
  run_headlight (&broken, path, NULL);
  g_assert_cmpint (broken.status, ==, 1);
  g_assert_true (g_str_has_prefix (broken.err, fault));
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_auto (Run) run = { 0 };

    run_headlight (&run, texts[i][0], texts[i][1], NULL);
    assert_refused (&run, 1, "headlight render");
  }
  run_headlight (&two, path, path, NULL);
  assert_refused (&two, 2, "one file too many: a window opens one at a time");
  temporary_free (folder);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/cli-window/no-display", test_no_display);
  g_test_add_func ("/app/cli-window/files", test_files);
  return g_test_run ();
}
