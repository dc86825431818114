/* SPDX-License-Identifier: MIT */
/* A decoder: one step on the way from tokens back to text. A tokenizer has a list of them; what the
 * last one leaves is joined. The steps also know how the pieces of the vocabulary are spelt, and so
 * how a single token is drawn. Immutable after it was made; used by several threads. A kind of
 * decoder embeds this struct first. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _EngDecoder EngDecoder;

struct _EngDecoder {
  /* tokens: of char *, UTF-8, owned by the array. Rewrites them; there may be fewer behind it. */
  void (*decode) (const EngDecoder *self,
                  GPtrArray        *tokens);
  /* One piece of the vocabulary, alone, as it is drawn: no word marks but leading spaces, bytes as
   * text or as <0xF0>. Takes text and returns what stands for it. NULL: it is drawn as it is. */
  char *(*draw)  (const EngDecoder *self,
                  char             *text);
  void (*free)   (EngDecoder       *self);
};

static inline void
eng_decoder_free (EngDecoder *self)
{
  self->free (self);
}

G_END_DECLS
