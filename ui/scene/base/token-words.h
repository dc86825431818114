/* SPDX-License-Identifier: MIT */
/* Texts and tokens as sentences name them. */
#pragma once

#include "engine/trace/trace.h"

G_BEGIN_DECLS

/* In quotation marks, for every sentence that names one; what runs from right to left is isolated
 * (ui/document/bidi.h). (transfer full) */
char *ui_describe_quoted (const char      *text);
/* “cat”, or “[UNK] Łódź” (transfer full) */
char *ui_describe_name   (const EngTokens *tokens,
                          int              token);
/* “cat” (2) (transfer full) */
char *ui_describe_token  (const EngTokens *tokens,
                          int              token);
/* “cat”, or “cat” (2) where another token of the text is the same. (transfer full) */
char *ui_describe_distinct (const EngTokens *tokens,
                            int              token);
/* “Ġcat”: how the vocabulary spells a token that is drawn as something else; NULL for others.
 * (transfer full) */
char *ui_describe_piece  (const EngTokens *tokens,
                          int              token);
/* A token with its place: "cat ₂", the number set so that it is not read with a token that is a
 * number itself, "24 ₅". name: as it is shown. (transfer full) */
char *ui_tokens_write_place (const char    *name,
                             int            number);
/* As it is drawn: what would break a line is spelt out, and behind the unknown token stands what
 * was typed, "[UNK] Łódź". (transfer full) */
char *ui_tokens_dup_shown (const EngTokens *tokens,
                           int              token);
/* All of them so. (transfer full) */
char **ui_tokens_make_shown (const EngTokens *tokens);
/* Whether any of them is unknown and stands for something that was typed. */
gboolean ui_tokens_have_typed (const EngTokens *tokens);
/* What was typed for the unknown token, "Łódź"; NULL for a token that is known. (transfer full) */
char *ui_tokens_dup_typed (const EngTokens *tokens,
                           int              token);
/* What is left of what is drawn where there is no room: "? Łódź", still marked as unknown; NULL for
 * a token that is known. (transfer full) */
char *ui_tokens_dup_brief (const EngTokens *tokens,
                           int              token);
/* Of all of them; (transfer full) (element-type utf8), with NULL elements */
GPtrArray *ui_tokens_make_brief (const EngTokens *tokens);
/* All of them as the vocabulary has them, without what was typed: for tables, whose cells are the
 * token and nothing else. (transfer full) */
char **ui_tokens_make_visible (const EngTokens *tokens);

G_END_DECLS
