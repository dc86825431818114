/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/decoders/bpe-decoder.h"

typedef struct {
  EngDecoder parent;
  char      *word_end;
} BpeDecoder;

/* Takes text. */
static char *
replace_word_end (const BpeDecoder *self,
                  char             *text,
                  const char       *replacement)
{
  g_autofree char *token = text;
  GString *result;

  if (!*self->word_end)
    return g_steal_pointer (&token);
  result = g_string_new (token);
  g_string_replace (result, self->word_end, replacement, 0);

  return g_string_free (result, FALSE);
}

static void
bpe_decoder_decode (const EngDecoder *decoder,
                    GPtrArray        *tokens)
{
  for (guint i = 0; i < tokens->len; i++)
    g_ptr_array_index (tokens, i) =
      replace_word_end ((const BpeDecoder *) decoder, g_ptr_array_index (tokens, i),
                        i + 1 < tokens->len ? " " : "");
}

/* What a single token is followed by is not its own matter. */
static char *
bpe_decoder_draw (const EngDecoder *decoder,
                  char             *text)
{
  return replace_word_end ((const BpeDecoder *) decoder, text, "");
}

static void
bpe_decoder_free (EngDecoder *decoder)
{
  BpeDecoder *self = (BpeDecoder *) decoder;

  g_free (self->word_end);
  g_free (self);
}

EngDecoder *
eng_bpe_decoder_new_from_json (const cJSON  *json,
                               const char   *what,
                               GError      **error)
{
  const char *word_end = "</w>";
  BpeDecoder *self;

  if (!eng_json_get_string (json, "suffix", what, &word_end, error))
    return NULL;
  self = g_new0 (BpeDecoder, 1);
  self->parent.decode = bpe_decoder_decode;
  self->parent.draw = bpe_decoder_draw;
  self->parent.free = bpe_decoder_free;
  self->word_end = g_strdup (word_end);

  return &self->parent;
}
