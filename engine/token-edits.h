/* SPDX-License-Identifier: MIT */
/* Edits that change the tokens themselves, between the tokenizer and the run (engine/edit.h). They
 * are applied in the order of the list, each on the tokens as the former ones left them; every
 * other edit of the list names the tokens that the run sees.
 *
 * What moves keeps its text, span, segment and word; a mask keeps those of the token that it
 * stands for, and is special. Type ids, sentences and the place of the template stay as they are. */
#pragma once

#include "engine/edit.h"
#include "engine/inputs.h"

G_BEGIN_DECLS

/* Puts new tokens into inputs, which hold those of a run: of a model of two stacks the decoder's
 * begin with the start token, and an edit that says no kind is about A's. Refuses, with inputs as
 * they were: a token that there is none of, a mask where the tokenizer has none, a swap of words
 * of two sentences, of a word with itself or with what nobody typed, the deletion of the last
 * typed token of a sentence or of the start token. Padding is not deleted, masked or swapped. */
gboolean eng_token_edits_apply (const EngModel *model,
                                const EngEdit  *edits,
                                int             n_edits,
                                EngInputs      *inputs,
                                GError        **error);

G_END_DECLS
