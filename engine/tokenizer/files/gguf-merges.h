/* SPDX-License-Identifier: MIT */
/* The merges of a GGUF file's pieces. For engine/tokenizer/files/gguf-tokenizer.c alone. */
#pragma once

#include "engine/checkpoint/gguf.h"
#include "engine/tokenizer/base/token-model.h"

G_BEGIN_DECLS

/* Those that the file lists; *is_there (out): whether it lists any. */
gboolean eng_gguf_add_listed_merges (const EngGguf       *file,
                                     EngTokenModel       *model,
                                     gboolean            *is_there,
                                     GError             **error);
/* Any two pieces that make up a third may be merged, those first that make up one of a high score;
 * of those of one score the longer left piece first, then the longer right one. scores: of each
 * piece of the model's vocabulary by its id; NULL = pieces of low ids have high ones. what names
 * the file in messages. */
gboolean eng_gguf_add_made_merges   (const EngGgufValue  *scores,
                                     EngTokenModel       *model,
                                     const char          *what,
                                     GError             **error);

G_END_DECLS
