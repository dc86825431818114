/* SPDX-License-Identifier: MIT */
/* A normalizer: one step that rewrites a piece of text before it is cut. A tokenizer has a list of
 * them. Immutable after it was made; used by several threads. A kind of normalizer embeds this
 * struct first. */
#pragma once

#include "engine/tokenizer/base/normalized.h"

G_BEGIN_DECLS

typedef struct _EngNormalizer EngNormalizer;

struct _EngNormalizer {
  const char *description; /* what it means to a reader: "lower case"; a constant, may be NULL */
  void     (*normalize)     (const EngNormalizer  *self,
                             EngNormalized        *text);
  /* Instead of normalize, of a step of which a text may ask too much; then FALSE. */
  gboolean (*try_normalize) (const EngNormalizer  *self,
                             EngNormalized        *text,
                             GError              **error);
  void     (*free)          (EngNormalizer        *self);
};

static inline void
eng_normalizer_free (EngNormalizer *self)
{
  self->free (self);
}

/* text through all steps of a list of EngNormalizer, in order. */
static inline gboolean
eng_normalizers_apply (const GPtrArray  *normalizers,
                       EngNormalized    *text,
                       GError          **error)
{
  for (guint i = 0; i < normalizers->len; i++) {
    const EngNormalizer *step = g_ptr_array_index (normalizers, i);

    if (step->normalize)
      step->normalize (step, text);
    else if (!step->try_normalize (step, text, error))
      return FALSE;
  }

  return TRUE;
}

G_END_DECLS
