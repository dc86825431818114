/* SPDX-License-Identifier: MIT */
/* A folder of its own for each test, gone with everything in it when the test ends. */
#pragma once

#include <glib.h>
#include <glib/gstdio.h>

static inline char *
temporary_new (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp ("headlight-test-XXXXXX", &error);

  g_assert_no_error (error);
  return folder;
}

/* Number of files, hidden ones too. */
static inline int
temporary_count (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  int n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static inline void
temporary_free (char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);

    if (g_file_test (path, G_FILE_TEST_IS_DIR) && !g_file_test (path, G_FILE_TEST_IS_SYMLINK)) {
      g_chmod (path, 0700);
      temporary_free (g_steal_pointer (&path));
    } else {
      g_unlink (path);
    }
  }
  g_rmdir (folder);
  g_free (folder);
}
