/* SPDX-License-Identifier: MIT */
/* A text's lines, one after the other. */
#pragma once

#include <glib.h>
#include <string.h>

/* (transfer full) The next line; *rest (in, out) is what follows it; NULL behind the last one. A long
 * text that is split at once costs minutes under a sanitizer, which measures it anew for each line. */
static inline char *
next_line (const char **rest)
{
  const gsize length = strcspn (*rest, "\n");
  char *line;

  if (**rest == '\0')
    return NULL;
  line = g_strndup (*rest, length);
  *rest += length + ((*rest)[length] != '\0');
  return line;
}
