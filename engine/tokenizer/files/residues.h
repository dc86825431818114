/* SPDX-License-Identifier: MIT */
/* The vocab.txt of models that read proteins (transformers' EsmTokenizer): every entry, a letter of
 * the sequence most of them, is cut out of the text wherever it stands, the longest first; what is
 * left is cut at white space, and each such word is one unknown token. */
#pragma once

#include "engine/tokenizer/files/settings.h"
#include "engine/tokenizer/pipeline/pipeline.h"

G_BEGIN_DECLS

/* Whether the settings say that the folder's vocab.txt is such a one. */
gboolean     eng_residues_are_meant (const EngTokenizerSettings  *settings);
EngPipeline *eng_residues_read      (const char                  *path,
                                     const EngTokenizerSettings  *settings,
                                     GError                     **error);

G_END_DECLS
