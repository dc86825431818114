/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/normalizers/small-normalizers.h"

typedef struct {
  EngNormalizer parent;
  EngNormalized prefix;
} Prepend;

static void
prepend_normalize (const EngNormalizer *normalizer,
                   EngNormalized       *text)
{
  const Prepend *self = (const Prepend *) normalizer;
  g_auto (EngNormalized) result = { 0 };

  if (text->n == 0)
    return;
  for (int i = 0; i < self->prefix.n; i++)
    eng_normalized_append (&result, self->prefix.chars[i].c, text->chars[0].origin);
  eng_normalized_append_chars (&result, text->chars, text->n);
  eng_normalized_take (text, &result);
}

static void
prepend_free (EngNormalizer *normalizer)
{
  Prepend *self = (Prepend *) normalizer;

  eng_normalized_clear (&self->prefix);
  g_free (self);
}

/* The two lists are SentencePiece's "nmt" rules as the tokenizers library has them. */

static gboolean
is_dropped (gunichar c)
{
  return (c >= 0x01 && c <= 0x08) || c == 0x0b || (c >= 0x0e && c <= 0x1f) || c == 0x7f ||
         c == 0x8f || c == 0x9f;
}

static gboolean
is_blank (gunichar c)
{
  switch (c) {
  case '\t': case '\n': case '\f': case '\r': case 0x1680: case 0x2028: case 0x2029: case 0x2581:
  case 0xfeff: case 0xfffd:
    return TRUE;
  default:
    return c >= 0x200b && c <= 0x200f;
  }
}

static void
nmt_normalize (const EngNormalizer *normalizer,
               EngNormalized       *text)
{
  int n = 0;

  for (int i = 0; i < text->n; i++) {
    EngNormalizedChar one = text->chars[i];

    if (is_dropped (one.c))
      continue;
    if (is_blank (one.c))
      one.c = ' ';
    text->chars[n++] = one;
  }
  text->n = n;
}

static void
nmt_free (EngNormalizer *self)
{
  g_free (self);
}

EngNormalizer *
eng_prepend_new_from_json (const cJSON  *json,
                           const char   *what,
                           GError      **error)
{
  const char *prefix = "";
  Prepend *self;

  if (!eng_json_get_string (json, "prepend", what, &prefix, error))
    return NULL;
  self = g_new0 (Prepend, 1);
  self->parent.normalize = prepend_normalize;
  self->parent.free = prepend_free;
  eng_normalized_append_text (&self->prefix, prefix);

  return &self->parent;
}

EngNormalizer *
eng_nmt_new_from_json (const cJSON  *json,
                       const char   *what,
                       GError      **error)
{
  EngNormalizer *self = g_new0 (EngNormalizer, 1);

  self->normalize = nmt_normalize;
  self->free = nmt_free;

  return self;
}
