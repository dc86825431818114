/* SPDX-License-Identifier: MIT */
/* Texts to learn from: few words, in lines that differ. */
#pragma once

#include <glib.h>

static inline void
texts_write (const char *path)
{
  static const char *const words[] = { "the", "cat", "sat", "on", "a", "mat", "dog", "it" };
  GString *lines = g_string_new (NULL);

  for (int i = 0; i < 200; i++)
    g_string_append_printf (lines, "%s %s %s %s\n", words[i % 8], words[i / 8 % 8],
                            words[(i + i / 64) % 8], words[i * 3 % 8]);
  g_assert_true (g_file_set_contents (path, lines->str, -1, NULL));
  g_string_free (lines, TRUE);
}
