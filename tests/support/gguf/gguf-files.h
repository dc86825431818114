/* SPDX-License-Identifier: MIT */
/* The GGUF files of tests/fixtures/gguf, unpacked into a folder of their own; HEADLIGHT_GGUF names
 * a folder with those of another seed. */
#pragma once

#include "tests/support/gzip.h"
#include "tests/support/temporary.h"

static inline GBytes *
gguf_read (const char *name,
           const char *ending)
{
  g_autofree char *file = g_strconcat (name, ending, NULL);
  const char *others = g_getenv ("HEADLIGHT_GGUF");
  g_autofree char *path = others
                          ? g_build_filename (others, file, NULL)
                          : g_test_build_filename (G_TEST_DIST, "fixtures", "gguf", file, NULL);
  GBytes *bytes;
  char *data;
  gsize size;

  if (g_str_has_suffix (file, ".gz"))
    return gzip_read (path);
  g_assert_true (g_file_get_contents (path, &data, &size, NULL));
  bytes = g_bytes_new_take (data, size);

  return bytes;
}

static inline void
gguf_write (const char *path,
            GBytes     *bytes)
{
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes),
                       &error);
  g_assert_no_error (error);
}

/* Path of the file in folder. */
static inline char *
gguf_unpack (const char *name,
             const char *folder)
{
  g_autofree char *file = g_strconcat (name, ".gguf", NULL);
  g_autoptr (GBytes) bytes = gguf_read (name, ".gguf.gz");
  char *path = g_build_filename (folder, file, NULL);

  gguf_write (path, bytes);

  return path;
}
