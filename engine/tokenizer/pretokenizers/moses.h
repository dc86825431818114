/* SPDX-License-Identifier: MIT */
/* Moses: cuts words as the scripts of the statistical translator of that name do for English, in
 * the version of sacremoses, which transformers runs before XLM's BPE: punctuation is rewritten and
 * cut off, but for the full stops of abbreviations. The words of other languages it cuts nearly
 * so. */
#pragma once

#include "engine/tokenizer/base/pretokenizer.h"

G_BEGIN_DECLS

/* lowers: the words are then in lower case and without accents. */
EngPretokenizer *eng_moses_new (gboolean lowers);

G_END_DECLS
