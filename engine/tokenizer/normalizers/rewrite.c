/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/normalizers/rewrite.h"

void
eng_normalized_rewrite (EngNormalized *text,
                        const GArray  *changes)
{
  g_auto (EngNormalized) result = { 0 };
  int next = 0; /* the first old character that nothing stands for yet */

  for (guint i = 0; i < changes->len; i++) {
    EngChange change = g_array_index (changes, EngChange, i);
    gboolean added = change.change > 0;
    int at = added ? next - 1 : next;
    /* In front of everything, or behind it, there is nothing to point to. */
    EngSpan origin = at >= 0 && at < text->n ? text->chars[at].origin : (EngSpan) { 0, 0 };

    eng_normalized_append (&result, change.c, origin);
    if (!added)
      next += 1 - change.change;
  }
  eng_normalized_take (text, &result);
}
