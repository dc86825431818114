/* SPDX-License-Identifier: MIT */
/* What Moses takes for letters and numbers: lists of an older Unicode, without the characters of
 * Chinese, Japanese and Korean. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean eng_moses_is_letter (gunichar c); /* the marks of letters, too */
gboolean eng_moses_is_digit  (gunichar c);
gboolean eng_moses_is_number (gunichar c); /* digits, fractions, numbers in circles */
gboolean eng_moses_is_lower  (gunichar c);

G_END_DECLS
