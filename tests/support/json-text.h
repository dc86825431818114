/* SPDX-License-Identifier: MIT */
/* JSON in C strings, written with ' for " so that it can be read. */
#pragma once

#include <glib.h>

static inline char *
json_text (const char *text)
{
  return g_strdelimit (g_strdup (text), "'", '"');
}
