/* SPDX-License-Identifier: MIT */
/* Edits that change the tokens themselves, between the tokenizer and the run (engine/edits/edit.h).
 * They are applied in the order of the list, each on the tokens as the former ones left them; every
 * other edit of the list names the tokens that the run sees.
 *
 * A mask has span, sentence and word of the token that it stands for. What moves keeps them within
 * its sentence; what moves into the other sentence of a pair is of that one, with its type, and
 * without a span, since nobody typed it there. Where a decoder reads A's tokens again, it reads the
 * edited ones. */
#pragma once

#include "engine/edits/edit.h"
#include "engine/transformer/inputs.h"

G_BEGIN_DECLS

/* Puts new tokens into inputs, which hold those of a run: of a model of two stacks the decoder's
 * begin with the start token, and an edit that says no kind is about A's. Refuses, with inputs as
 * they were: a token that there is none of, padding or a decoder's start token, a mask where the
 * tokenizer has none, a swap of a word with itself, the deletion of the last typed token of a
 * sentence, and a kind that the model has no tokens for. */
gboolean eng_token_edits_apply (const EngModel *model,
                                const EngEdit  *edits,
                                int             n_edits,
                                EngInputs      *inputs,
                                GError        **error);

G_END_DECLS
