/* SPDX-License-Identifier: MIT */
/* Which heads link words of a spelling, in whatever text holds them.
 *
 * Words are those of a view that puts pieces together (word-pieces.h). Template tokens and padding
 * are none. w(x, y) is the weight of word x on word y there: the mean over the tokens i of x of
 * Σ_j a_ij over the tokens j of y. Where words spelt X read words spelt Y, the score of a head is
 *
 *   max w(x, y)   over all x spelt X and y spelt Y where x sees y and is another word than y
 *
 * Spellings are compared as wholes, in canonical form and with their case folded; that of the
 * unknown token is what was typed for it. Any thread. */
#pragma once

#include "engine/trace/link-search.h"

G_BEGIN_DECLS

/* (transfer full) A spelling as it is compared. */
char   *ui_word_fold                 (const char      *text);

/* (transfer full) The spelling of the one word that tokens hold, folded; refused where they hold
 * none or several. typed: what they were made of, for the sentence. */
char   *ui_word_spelling_from_tokens (const EngTokens *tokens,
                                      const char      *typed,
                                      GError         **error);

/* (transfer full) First tokens (int) of the words of that spelling, ascending. spelling NULL = any
 * word with a letter or a digit. */
GArray *ui_words_find                (const EngTokens *tokens,
                                      const char      *spelling);

/* (transfer full) One EngFoundLink for each head of each layer that is there: its score, and the
 * words that reach it by their first tokens. from, to: of ui_words_find(), in the tokens that read
 * and in those that are read. A layer where no word sees another has none. Refused when the cancel
 * flag (nullable) is raised, which is polled by layer. */
GArray *ui_word_links_find           (EngTrace        *trace,
                                      EngKind          kind,
                                      const GArray    *from,
                                      const GArray    *to,
                                      const gint      *cancel,
                                      GError         **error);

G_END_DECLS
