/* SPDX-License-Identifier: MIT */
/* Tokens of a trace file from elsewhere that are pieces as the vocabulary spells them ("Ġcat",
 * "▁cat", "cat</w>", "Ã©"), made readable. Only where the tokens together show which kind of
 * vocabulary they are of: a lone "Ã©" in a French text stays what it is. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What is drawn for n pieces: word marks as one leading space, bytes as text or as <0xF0>. special:
 * [n], 1 = a template token, which stays. (transfer full) NULL-terminated; NULL where the pieces
 * show no sign of such a vocabulary. */
char **eng_raw_pieces_to_texts (char         *const *pieces,
                                const guint8        *special,
                                int                  n);

G_END_DECLS
