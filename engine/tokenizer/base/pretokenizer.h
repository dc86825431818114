/* SPDX-License-Identifier: MIT */
/* A pre-tokenizer: one step that cuts normalised text into words; the model then cuts each word
 * into tokens. A tokenizer has a list of them, each cutting the words of the one before. Immutable
 * after it was made; used by several threads. A kind of pre-tokenizer embeds this struct first. */
#pragma once

#include "engine/tokenizer/base/normalized.h"

G_BEGIN_DECLS

typedef struct _EngPretokenizer EngPretokenizer;

struct _EngPretokenizer {
  const char *description; /* what it means to a reader; a constant, may be NULL */
  const char *language;    /* code of the one whose words it cuts as they should be, others nearly
                            * so; a constant, NULL = any */
  /* words: array of EngWord, replaced by the words cut from them. A step may rewrite text too. FALSE
   * where a text asks too much of it. */
  gboolean (*cut)  (const EngPretokenizer  *self,
                    EngNormalized          *text,
                    GArray                 *words,
                    GError                **error);
  void     (*free) (EngPretokenizer        *self);
};

static inline void
eng_pretokenizer_free (EngPretokenizer *self)
{
  self->free (self);
}

G_END_DECLS
