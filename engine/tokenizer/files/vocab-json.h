/* SPDX-License-Identifier: MIT */
/* vocab.json and merges.txt, the older files of BPE: pieces with their ids, and two pieces a line in
 * the order in which they merge. The other components follow from the family, as transformers'
 * tokenizers of GPT, GPT-2, GPT-NeoX, CTRL, RoBERTa, BART and Qwen2 make them. */
#pragma once

#include "engine/tokenizer/files/settings.h"
#include "engine/tokenizer/pipeline/pipeline.h"

G_BEGIN_DECLS

/* Reads the merges.txt beside path too. The family is tokenizer_class of the settings, else
 * model_type; another one is refused by name. */
EngPipeline *eng_vocab_json_read  (const char                  *path,
                                   const EngTokenizerSettings  *settings,
                                   GError                     **error);
/* The same from bytes in memory, each text with a NUL behind it. */
EngPipeline *eng_vocab_json_parse (const char                  *vocabulary,
                                   gsize                        vocabulary_length,
                                   const char                  *merges,
                                   gsize                        merges_length,
                                   const EngTokenizerSettings  *settings,
                                   GError                     **error);

G_END_DECLS
