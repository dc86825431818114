/* SPDX-License-Identifier: MIT */
/* Names of languages: models spell one and the same language as "de", "deu", "de_DE" or
 * "German". */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Whether both name one language: codes of ISO 639-1 and 639-3, English names, each also with a
 * region or script behind it ("pt_BR"), in any case. What the table does not know is compared
 * letter by letter. */
gboolean    eng_language_matches (const char *a,
                                  const char *b);
/* Whether it is in the table at all: groups such as "ROMANCE" are not. */
gboolean    eng_language_is_known (const char *name);
/* In English, without region and script; NULL where the table does not know it. */
const char *eng_language_get_name (const char *code);

G_END_DECLS
