/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>

/* How often part stands in text. */
static inline int
count (const char *text,
       const char *part)
{
  int n = 0;

  for (const char *at = text; (at = strstr (at, part)) != NULL; at += strlen (part))
    n++;
  return n;
}
