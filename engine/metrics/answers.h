/* SPDX-License-Identifier: MIT */
/* How well an answer says what was expected, as SQuAD counts it (Rajpurkar et al. 2016): without
 * case, signs and articles. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean eng_answer_matches (const char *answered,
                             const char *expected);
/* Of the words of both: 2 · common / (answered + expected); 1 where both have none. */
double   eng_answer_get_f1  (const char *answered,
                             const char *expected);

G_END_DECLS
