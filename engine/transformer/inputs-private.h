/* SPDX-License-Identifier: MIT */
/* How tokens of a run are put together; for engine/ alone. */
#pragma once

#include "engine/transformer/inputs.h"

G_BEGIN_DECLS

/* Tokens [first, first + n) of one list into another, from place at on. */
void       eng_inputs_copy_tokens (const EngTokens    *from,
                                   int                 first,
                                   int                 n,
                                   EngTokens          *to,
                                   int                 at);
/* The piece of an id as a token at a place; the number itself where there is no tokenizer. */
void       eng_inputs_set_token   (const EngTokenizer *tokenizer,
                                   EngTokens          *tokens,
                                   int                 at,
                                   int                 id);
/* (transfer full) What the decoder reads where it reads A's own tokens, see
 * EngTextOptions.repeat. */
EngTokens *eng_inputs_repeat      (const EngModel     *model,
                                   const EngTokens    *tokens);
/* Typed tokens of a sentence; what the template adds does not count. */
int        eng_inputs_count_typed (const EngTokens    *tokens,
                                   int                 segment);
/* How many tokens stand before the padding at the end. */
int        eng_inputs_count_read  (const EngTokens    *tokens);

G_END_DECLS
