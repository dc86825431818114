/* SPDX-License-Identifier: MIT */
/* Text on its way through the steps of a tokenizer: code points, each with the bytes of the typed
 * text that it came from. A step may replace, add and remove characters; what it adds points to the
 * bytes of the character that it stands for, so that every token can be traced back into what was
 * typed. A plain value for the stack: start from { 0 }, end with eng_normalized_clear(). */
#pragma once

#include "engine/tokenizer/base/tokens.h"

G_BEGIN_DECLS

typedef struct {
  gunichar c;
  EngSpan  origin; /* bytes of the typed text */
} EngNormalizedChar;

typedef struct {
  EngNormalizedChar *chars; /* [n] */
  int                n;
  int                n_allocated;
} EngNormalized;

/* Characters [first, end) of a text. */
typedef struct {
  int first;
  int end;
} EngWord;

void eng_normalized_clear        (EngNormalized           *self);
void eng_normalized_append       (EngNormalized           *self,
                                  gunichar                 c,
                                  EngSpan                  origin);
void eng_normalized_append_chars (EngNormalized           *self,
                                  const EngNormalizedChar *chars,
                                  int                      n);
/* text is valid UTF-8 of less than 2 GiB; the origins count from its first byte. */
void eng_normalized_append_text  (EngNormalized           *self,
                                  const char              *text);
/* Puts the characters of other into self and leaves other empty. */
void eng_normalized_take         (EngNormalized           *self,
                                  EngNormalized           *other);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EngNormalized, eng_normalized_clear)

G_END_DECLS
