/* SPDX-License-Identifier: MIT */
/* The tokenizer of a GGUF file, from what the file says of it: the kind, the pieces with their
 * scores and types, the merges, the special tokens by id. What it leaves open (normalizer,
 * pre-tokenizer, decoder) is as in transformers, which reads such files alike; BERT's, which it
 * does not read, is as in the hub's own files. */
#pragma once

#include "engine/checkpoint/gguf.h"
#include "engine/tokenizer/pipeline/pipeline.h"

G_BEGIN_DECLS

EngPipeline *eng_gguf_tokenizer_read   (const char     *path,
                                        GError        **error);
/* Of a file that is open, for fuzzing. */
EngPipeline *eng_gguf_tokenizer_make   (const EngGguf  *file,
                                        GError        **error);
/* Whether the file has pieces; FALSE for one that cannot be opened. */
gboolean     eng_gguf_tokenizer_exists (const char     *path);

G_END_DECLS
