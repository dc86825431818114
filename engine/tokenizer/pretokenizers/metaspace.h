/* SPDX-License-Identifier: MIT */
/* Metaspace, SentencePiece's way with spaces: a space becomes a visible mark (U+2581), so that
 * pieces can carry it; a mark may be put before the first word. As a pre-tokenizer and as the
 * decoder that leads back. */
#pragma once

#include "engine/base/json.h"
#include "engine/tokenizer/base/decoder.h"
#include "engine/tokenizer/base/pretokenizer.h"

G_BEGIN_DECLS

EngPretokenizer *eng_metaspace_new_from_json         (const cJSON  *json,
                                                      const char   *what,
                                                      GError      **error);
EngDecoder      *eng_metaspace_decoder_new_from_json (const cJSON  *json,
                                                      const char   *what,
                                                      GError      **error);

G_END_DECLS
