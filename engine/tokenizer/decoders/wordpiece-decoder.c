/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/decoders/wordpiece-decoder.h"

#include <string.h>

typedef struct {
  EngDecoder parent;
  char      *prefix;
  gboolean   clean_up;
} WordpieceDecoder;

static char *
decode_token (const WordpieceDecoder *self,
              const char             *token,
              gboolean                is_first)
{
  GString *text = g_string_new (NULL);
  gboolean goes_on = !is_first && g_str_has_prefix (token, self->prefix);

  if (!is_first && !goes_on)
    g_string_append_c (text, ' ');
  g_string_append (text, goes_on ? token + strlen (self->prefix) : token);
  if (self->clean_up) {
    eng_clean_up_spaces (text);
    /* The library does this one too, though only a token with spaces inside can hold it. */
    g_string_replace (text, " do not", " don't", 0);
  }

  return g_string_free (text, FALSE);
}

static void
wordpiece_decoder_decode (const EngDecoder *decoder,
                          GPtrArray        *tokens)
{
  const WordpieceDecoder *self = (const WordpieceDecoder *) decoder;

  for (guint i = 0; i < tokens->len; i++) {
    g_autofree char *token = g_ptr_array_index (tokens, i);

    g_ptr_array_index (tokens, i) = decode_token (self, token, i == 0);
  }
}

static void
wordpiece_decoder_free (EngDecoder *decoder)
{
  WordpieceDecoder *self = (WordpieceDecoder *) decoder;

  g_free (self->prefix);
  g_free (self);
}

EngDecoder *
eng_wordpiece_decoder_new (const char *prefix,
                           gboolean    clean_up)
{
  WordpieceDecoder *self = g_new0 (WordpieceDecoder, 1);

  self->parent.decode = wordpiece_decoder_decode;
  self->parent.free = wordpiece_decoder_free;
  self->prefix = g_strdup (prefix);
  self->clean_up = clean_up;

  return &self->parent;
}

EngDecoder *
eng_wordpiece_decoder_new_from_json (const cJSON  *json,
                                     const char   *what,
                                     GError      **error)
{
  const char *prefix = "##";
  gboolean clean_up = TRUE;

  if (!eng_json_get_string (json, "prefix", what, &prefix, error) ||
      !eng_json_get_boolean (json, "cleanup", what, &clean_up, error))
    return NULL;

  return eng_wordpiece_decoder_new (prefix, clean_up);
}

void
eng_clean_up_spaces (GString *text)
{
  static const struct {
    const char *apart;
    const char *together;
  } replacements[] = {
    { " .", "." }, { " ?", "?" }, { " !", "!" }, { " ,", "," }, { " ' ", "'" }, { " n't", "n't" },
    { " 'm", "'m" }, { " 's", "'s" }, { " 've", "'ve" }, { " 're", "'re" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (replacements); i++)
    g_string_replace (text, replacements[i].apart, replacements[i].together, 0);
}
