/* SPDX-License-Identifier: MIT */
/* Reads a compressed fixture. */
#pragma once

#include <gio/gio.h>

/* Missing or broken is the end of the test. */
static inline GBytes *
gzip_read (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GZlibDecompressor) inflate = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  g_autoptr (GOutputStream) memory = g_memory_output_stream_new_resizable ();
  g_autoptr (GInputStream) compressed = NULL;
  g_autoptr (GInputStream) plain = NULL;
  g_autoptr (GError) error = NULL;

  compressed = G_INPUT_STREAM (g_file_read (file, NULL, &error));
  g_assert_no_error (error);
  plain = g_converter_input_stream_new (compressed, G_CONVERTER (inflate));
  g_output_stream_splice (memory, plain,
                          G_OUTPUT_STREAM_SPLICE_CLOSE_SOURCE | G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET,
                          NULL, &error);
  g_assert_no_error (error);

  return g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (memory));
}

/* Path from tests/fixtures on. */
static inline GBytes *
gzip_read_fixture (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", name, NULL);

  return gzip_read (path);
}
