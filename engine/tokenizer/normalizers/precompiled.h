/* SPDX-License-Identifier: MIT */
/* The Precompiled normalizer: SentencePiece's replacements as the tokenizers library applies them,
 * by grapheme clusters. Short clusters are looked up whole, and then go away whole even where only
 * their first character is in the table; what is not found is looked up character by character. */
#pragma once

#include "engine/base/json.h"
#include "engine/tokenizer/base/charsmap.h"
#include "engine/tokenizer/base/normalizer.h"

G_BEGIN_DECLS

/* Takes charsmap. */
EngNormalizer *eng_precompiled_new           (EngCharsmap  *charsmap);
/* precompiled_charsmap is base64. */
EngNormalizer *eng_precompiled_new_from_json (const cJSON  *json,
                                              const char   *what,
                                              GError      **error);

G_END_DECLS
