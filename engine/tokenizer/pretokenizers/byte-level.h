/* SPDX-License-Identifier: MIT */
/* ByteLevel, GPT-2's way to have no unknown character: text is cut into words and every byte of it
 * then stands as a character of its own, printable ones as themselves, the others from U+0100 on
 * (a space is U+0120). As a pre-tokenizer and as the decoder that leads back. */
#pragma once

#include "engine/base/json.h"
#include "engine/tokenizer/base/decoder.h"
#include "engine/tokenizer/base/pretokenizer.h"

G_BEGIN_DECLS

/* What stands for a space. */
#define ENG_BYTE_LEVEL_SPACE 0x120

/* The byte that a character stands for; -1 for one that stands for none. */
int              eng_byte_level_get_byte             (gunichar      c);
/* The character that a byte stands as. */
gunichar         eng_byte_level_get_character        (guint8        byte);

/* add_prefix_space: a text that does not begin with a space gets one, which points to the first
 * character. cut: into words, by the regular expression of GPT-2; else the words of the steps
 * before stay whole. */
EngPretokenizer *eng_byte_level_new                  (gboolean      add_prefix_space,
                                                      gboolean      cut);
EngPretokenizer *eng_byte_level_new_from_json        (const cJSON  *json,
                                                      const char   *what,
                                                      GError      **error);
EngDecoder      *eng_byte_level_decoder_new          (void);
EngDecoder      *eng_byte_level_decoder_new_from_json (const cJSON  *json,
                                                       const char   *what,
                                                       GError      **error);

/* Leaves white space at the ends of a piece out of its span in text, as the post-processors do that
 * trim offsets. keep_prefix: the one space of a piece at the start of the text may have been added,
 * and stays. */
void             eng_byte_level_trim_span            (const char   *piece,
                                                      const char   *text,
                                                      gboolean      is_first,
                                                      gboolean      keep_prefix,
                                                      EngSpan      *span);

G_END_DECLS
