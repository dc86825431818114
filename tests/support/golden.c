/* SPDX-License-Identifier: MIT */
#include "tests/support/golden.h"

void
golden_assert_equal (const char *name,
                     const char *text)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "goldens", name, NULL);
  g_autofree char *expected = NULL;
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_auto (GStrv) expected_lines = NULL;
  g_autoptr (GError) error = NULL;
  int i = 0;

  if (g_strcmp0 (g_getenv ("HEADLIGHT_REGENERATE"), "1") == 0) {
    g_file_set_contents (path, text, -1, &error);
    g_assert_no_error (error);
    return;
  }
  g_file_get_contents (path, &expected, NULL, &error);
  g_assert_no_error (error);
  expected_lines = g_strsplit (expected, "\n", -1);
  while (lines[i] != NULL && expected_lines[i] != NULL && g_str_equal (lines[i], expected_lines[i]))
    i++;
  if (lines[i] != NULL || expected_lines[i] != NULL)
    g_error ("%s:%d\n  expected: %s\n  found:    %s", path, i + 1,
             expected_lines[i] != NULL ? expected_lines[i] : "(end)",
             lines[i] != NULL ? lines[i] : "(end)");
}
