/* SPDX-License-Identifier: MIT */
/* What two sentences have in common: sequences of words or of characters, counted. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What Python's str.split() cuts at. */
gboolean eng_is_blank        (gunichar          character);
/* (element-type utf8) (transfer full) */
GPtrArray *eng_split_blanks  (const char       *text);
/* Of the sequences of n strings the number in a, in b, and in both. Strings have no line feeds. */
void     eng_ngrams_compare  (const GPtrArray  *a,
                              const GPtrArray  *b,
                              guint             n,
                              gint64           *n_a,
                              gint64           *n_b,
                              gint64           *n_common);

G_END_DECLS
