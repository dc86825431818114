/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/decoders/continued-decoder.h"

#include "engine/tokenizer/base/unicode.h"

static void
continued_decoder_decode (const EngDecoder *decoder,
                          GPtrArray        *tokens)
{
  g_autoptr (GString) joined = g_string_new (NULL);

  for (guint i = 0; i < tokens->len; i++)
    g_string_append_printf (joined, "%s%s", i > 0 ? " " : "",
                            (const char *) g_ptr_array_index (tokens, i));
  g_string_replace (joined, "@@ ", "", 0);
  g_ptr_array_set_size (tokens, 0);
  g_ptr_array_add (tokens, eng_unicode_dup_stripped (joined->str));
}

static void
continued_decoder_free (EngDecoder *decoder)
{
  g_free (decoder);
}

EngDecoder *
eng_continued_decoder_new (void)
{
  EngDecoder *self = g_new0 (EngDecoder, 1);

  self->decode = continued_decoder_decode;
  self->free = continued_decoder_free;

  return self;
}
