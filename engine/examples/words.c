/* SPDX-License-Identifier: MIT */
#include "engine/examples/words.h"

int
eng_words_count (const char *text,
                 int         n)
{
  gboolean counted = FALSE; /* the word at hand */
  int n_words = 0;

  for (const char *p = text; p < text + n; p = g_utf8_next_char (p)) {
    gunichar character = g_utf8_get_char (p);

    if (g_unichar_isspace (character)) {
      counted = FALSE;
    } else if (g_unichar_isalnum (character)) {
      gboolean stands_alone = g_unichar_iswide (character);

      n_words += stands_alone || !counted;
      counted = !stands_alone;
    }
  }

  return n_words;
}
