/* SPDX-License-Identifier: MIT */
/* Checkpoint folders for tests: the recorded specimens of tests/fixtures/models, the bundled model,
 * and copies of specimens that a test may spoil. */
#pragma once

#include <glib.h>
#include <glib/gstdio.h>

static inline char *
checkpoint_get_specimen (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "fixtures", "models", name, NULL);
}

static inline char *
checkpoint_get_bundled (void)
{
  return g_test_build_filename (G_TEST_DIST, "..", "resources", "models", "headlight-mini", NULL);
}

static inline char *
checkpoint_read_file (const char *folder,
                      const char *name,
                      gsize      *size)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;
  char *bytes;

  g_file_get_contents (path, &bytes, size, &error);
  g_assert_no_error (error);

  return bytes;
}

static inline void
checkpoint_write_file (const char *folder,
                       const char *name,
                       const char *bytes,
                       gssize      size)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, bytes, size, &error);
  g_assert_no_error (error);
}

static inline void
checkpoint_remove_file (const char *folder,
                        const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_cmpint (g_remove (path), ==, 0);
}

/* A new folder with the specimen's config, vocabulary and weights. */
static inline char *
checkpoint_copy_specimen (const char *name)
{
  static const char *const files[] = { "config.json", "vocab.txt", "model.safetensors" };
  g_autofree char *source = checkpoint_get_specimen (name);
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp ("headlight-model-XXXXXX", &error);

  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    gsize size;
    g_autofree char *bytes = checkpoint_read_file (source, files[i], &size);

    checkpoint_write_file (folder, files[i], bytes, (gssize) size);
  }

  return folder;
}

/* Puts keys in front of those of config.json: "\"num_labels\": 4". */
static inline void
checkpoint_add_to_config (const char *folder,
                          const char *keys)
{
  g_autofree char *text = checkpoint_read_file (folder, "config.json", NULL);
  g_autofree char *changed = g_strdup_printf ("{%s, %s", keys, text + 1);

  g_assert_cmpint (text[0], ==, '{');
  checkpoint_write_file (folder, "config.json", changed, -1);
}

static inline void
checkpoint_remove_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);

  for (const char *name = g_dir_read_name (dir); name; name = g_dir_read_name (dir))
    checkpoint_remove_file (folder, name);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}
