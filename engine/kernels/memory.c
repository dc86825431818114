/* SPDX-License-Identifier: MIT */
#include "engine/kernels/memory.h"

#include <string.h>

/* The number of a line "key:   12345 kB", in bytes; -1 where there is none. */
static gint64
find_number (const char *text,
             const char *key)
{
  const char *line = strstr (text, key);

  return line ? g_ascii_strtoll (line + strlen (key), NULL, 10) * 1024 : -1;
}

gint64
eng_memory_parse_available (const char *text)
{
  gint64 available = find_number (text, "MemAvailable:");
  gint64 swap = find_number (text, "SwapFree:");

  return available < 0 ? G_MAXINT64 : available + MAX (swap, 0);
}

gint64
eng_memory_get_available (void)
{
  g_autofree char *text = NULL;

  return g_file_get_contents ("/proc/meminfo", &text, NULL, NULL)
         ? eng_memory_parse_available (text) : G_MAXINT64;
}
