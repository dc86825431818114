/* SPDX-License-Identifier: MIT */
/* Bytes that tokens stand for, made into text. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* U+FDD0, which Unicode keeps for the use inside of programs: in decoded text it stands for a zero
 * byte, which no C string can hold. */
#define ENG_ZERO_BYTE "\xef\xb7\x90"

/* As decoding wants it: what is no UTF-8 becomes U+FFFD, one for each longest beginning of a
 * character; a zero byte ENG_ZERO_BYTE. */
char *eng_bytes_to_text  (const char *bytes,
                          gsize       length);
/* As a token is drawn: a byte that is no UTF-8 shows as <0xF0>. */
char *eng_bytes_to_drawn (const char *bytes,
                          gsize       length);

G_END_DECLS
