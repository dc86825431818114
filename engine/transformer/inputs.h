/* SPDX-License-Identifier: MIT */
/* Texts to the tokens that a model's stacks read: prefix, template, cut or padding to a length, and
 * the decoder's side of a model of two stacks. */
#pragma once

#include "engine/transformer/model.h"

G_BEGIN_DECLS

typedef struct {
  EngTokens *tokens;         /* of the stack that reads A */
  EngTokens *decoder_tokens; /* input tokens of the decoder of two stacks: the start token, then B's
                              * without the end; NULL for a model of one stack */
  gboolean   repeated;       /* decoder_tokens are A's own */
} EngInputs;

typedef struct {
  gboolean    no_special_tokens;
  gboolean    truncate;  /* cut to the model's positions, longest sentence first */
  int         pad_to;    /* fill up what A's stack reads to so many tokens; 0 = as long as it is */
  const char *prefix;    /* stands before A and is no part of it (spans, special); NULL = nothing */
  /* The decoder reads A's own tokens, and B belongs beside A: how a classifier of two stacks
   * works. */
  gboolean    repeat;
  /* Codes of the languages of what is read and written, where the tokenizer marks them; NULL = as
   * the checkpoint says. Of A and B where the model has vectors for languages: NULL = none is added,
   * to B as to A. */
  const char *source_language;
  const char *target_language;
} EngTextOptions;

/* options NULL = all zero. Beyond the tokenizer's own refusals: a text that leaves no token, an
 * empty A beside a B; ENG_ERROR_LENGTH for more tokens than the model has positions, unless they
 * are truncated. In a model of two stacks A is the source and B the target; without a B the decoder
 * has its start token alone. A model without a tokenizer takes token ids separated by spaces. */
gboolean   eng_inputs_from_texts      (const EngModel       *model,
                                       const char           *text_a,
                                       const char           *text_b,
                                       const EngTextOptions *options,
                                       EngInputs            *inputs,
                                       GError              **error);
/* Whether the decoder starts with the language of what it writes. */
gboolean   eng_inputs_start_with_language (const EngModel    *model);
/* (transfer full) A beside parts of a B that is longer than a head reads at a time: an array of
 * EngInputs, in the order of B. Each has at most max_length tokens, those of the template among
 * them, and begins with the last stride tokens of B of the one before it. Of the options prefix, no
 * special tokens and repeat count. Refuses what eng_inputs_from_texts() refuses but for the length
 * of B, and an A beside which parts of B would not get further. */
GArray    *eng_inputs_new_windows     (const EngModel       *model,
                                       const char           *text_a,
                                       const char           *text_b,
                                       const EngTextOptions *options,
                                       int                   max_length,
                                       int                   stride,
                                       GError              **error);
void       eng_inputs_clear           (EngInputs            *self);

/* (transfer full) tokens without the padding behind them, and in the language that the model writes
 * in where it has vectors for languages and none was said. */
EngTokens *eng_inputs_begin_writing   (const EngModel       *model,
                                       EngTokens            *tokens);
/* (transfer full) tokens with the ones of ids behind, which nobody typed: no spans, the segment and
 * the language of the last token, or the segment of B in the decoder of two stacks. */
EngTokens *eng_inputs_append          (const EngModel       *model,
                                       const EngTokens      *tokens,
                                       const gint32         *ids,
                                       int                   n);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EngInputs, eng_inputs_clear)

G_END_DECLS
