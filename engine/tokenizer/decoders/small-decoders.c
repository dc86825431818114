/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/decoders/small-decoders.h"

#include "engine/tokenizer/base/byte-text.h"

#include <string.h>

#define REPLACEMENT_CHARACTER "\xef\xbf\xbd"

typedef struct {
  EngDecoder parent;
  gunichar   content;
  int        start;
  int        stop;
} StripDecoder;

/* The byte that a piece such as <0xE2> stands for, or -1. */
static int
read_byte (const char *token)
{
  if (strlen (token) != strlen ("<0xE2>") || !g_str_has_prefix (token, "<0x") || token[5] != '>' ||
      !g_ascii_isxdigit (token[3]) || !g_ascii_isxdigit (token[4]))
    return -1;

  return g_ascii_xdigit_value (token[3]) << 4 | g_ascii_xdigit_value (token[4]);
}

/* A run of bytes is text, or each of them is unreadable. */
static void
flush_bytes (GString   *bytes,
             GPtrArray *tokens)
{
  g_autofree char *text = eng_bytes_to_text (bytes->str, bytes->len);
  gboolean is_text = TRUE;

  for (const char *at = bytes->str; at < bytes->str + bytes->len; at += strlen (at) + 1)
    is_text = is_text && g_utf8_validate (at, -1, NULL);
  if (is_text && bytes->len > 0)
    g_ptr_array_add (tokens, g_steal_pointer (&text));
  else
    for (gsize i = 0; i < bytes->len; i++)
      g_ptr_array_add (tokens, g_strdup (REPLACEMENT_CHARACTER));
  g_string_truncate (bytes, 0);
}

/* Puts the strings of decoded in the place of tokens. */
static void
take_tokens (GPtrArray *tokens,
             GPtrArray *decoded)
{
  g_ptr_array_set_size (tokens, 0);
  g_ptr_array_extend_and_steal (tokens, decoded);
}

static void
byte_fallback_decode (const EngDecoder *decoder,
                      GPtrArray        *tokens)
{
  GPtrArray *decoded = g_ptr_array_new ();
  g_autoptr (GString) bytes = g_string_new (NULL);

  for (guint i = 0; i < tokens->len; i++) {
    const char *token = g_ptr_array_index (tokens, i);
    int byte = read_byte (token);

    if (byte >= 0) {
      g_string_append_c (bytes, (char) byte);
      continue;
    }
    flush_bytes (bytes, decoded);
    g_ptr_array_add (decoded, g_strdup (token));
  }
  flush_bytes (bytes, decoded);
  take_tokens (tokens, decoded);
}

/* One byte is a character by itself only in ASCII. */
static char *
byte_fallback_draw (const EngDecoder *decoder,
                    char             *text)
{
  int byte = read_byte (text);

  if (byte > 0 && byte < 0x80) {
    text[0] = (char) byte;
    text[1] = '\0';
  }

  return text;
}

static void
fuse_decode (const EngDecoder *decoder,
             GPtrArray        *tokens)
{
  GString *joined = g_string_new (NULL);

  for (guint i = 0; i < tokens->len; i++)
    g_string_append (joined, g_ptr_array_index (tokens, i));
  g_ptr_array_set_size (tokens, 0);
  g_ptr_array_add (tokens, g_string_free (joined, FALSE));
}

static char *
strip_token (const StripDecoder *self,
             const char         *token)
{
  const char *first = token;
  const char *end = token + strlen (token);

  for (int i = 0; i < self->start && *first && g_utf8_get_char (first) == self->content; i++)
    first = g_utf8_next_char (first);
  for (int i = 0; i < self->stop && end > first; i++) {
    const char *last = g_utf8_prev_char (end);

    if (g_utf8_get_char (last) != self->content)
      break;
    end = last;
  }

  return g_strndup (first, (gsize) (end - first));
}

static void
strip_decode (const EngDecoder *decoder,
              GPtrArray        *tokens)
{
  for (guint i = 0; i < tokens->len; i++) {
    g_autofree char *token = g_ptr_array_index (tokens, i);

    g_ptr_array_index (tokens, i) = strip_token ((const StripDecoder *) decoder, token);
  }
}

static void
decoder_free (EngDecoder *self)
{
  g_free (self);
}

EngDecoder *
eng_byte_fallback_new_from_json (const cJSON  *json,
                                 const char   *what,
                                 GError      **error)
{
  EngDecoder *self = g_new0 (EngDecoder, 1);

  self->decode = byte_fallback_decode;
  self->draw = byte_fallback_draw;
  self->free = decoder_free;

  return self;
}

EngDecoder *
eng_fuse_new_from_json (const cJSON  *json,
                        const char   *what,
                        GError      **error)
{
  EngDecoder *self = g_new0 (EngDecoder, 1);

  self->decode = fuse_decode;
  self->free = decoder_free;

  return self;
}

EngDecoder *
eng_strip_decoder_new_from_json (const cJSON  *json,
                                 const char   *what,
                                 GError      **error)
{
  const char *content = " ";
  gint64 start = 0;
  gint64 stop = 0;
  StripDecoder *self;

  if (!eng_json_get_string (json, "content", what, &content, error) ||
      !eng_json_get_int (json, "start", 0, G_MAXINT, what, &start, error) ||
      !eng_json_get_int (json, "stop", 0, G_MAXINT, what, &stop, error))
    return NULL;
  if (g_utf8_strlen (content, -1) != 1) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
                 "%s: the content of Strip is \"%s\", expected one character", what, content);
    return NULL;
  }

  self = g_new0 (StripDecoder, 1);
  self->parent.decode = strip_decode;
  self->parent.free = decoder_free;
  self->content = g_utf8_get_char (content);
  self->start = (int) start;
  self->stop = (int) stop;

  return &self->parent;
}
