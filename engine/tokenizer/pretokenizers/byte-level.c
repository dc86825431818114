/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/pretokenizers/byte-level.h"

#include "engine/tokenizer/base/byte-text.h"
#include "engine/tokenizer/base/unicode.h"
#include "engine/tokenizer/pretokenizers/word-patterns.h"

#include <string.h>

#define FIRST_STAND_IN 0x100
#define N_STAND_INS 68

typedef struct {
  EngPretokenizer parent;
  gboolean        add_prefix_space;
  gboolean        cut;
} ByteLevel;

/* Printable bytes of Latin-1 stand for themselves; the other 68, in order, become U+0100 and so
 * on. */
static gboolean
stands_for_itself (gunichar byte)
{
  return (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xff && byte != 0xad);
}

gunichar
eng_byte_level_get_character (guint8 byte)
{
  if (stands_for_itself (byte))
    return byte;
  if (byte <= 0x20)
    return FIRST_STAND_IN + byte;

  return byte == 0xad ? FIRST_STAND_IN + N_STAND_INS - 1 : FIRST_STAND_IN + 0x21 + byte - 0x7f;
}

static void
append_bytes (EngNormalized           *result,
              const EngNormalizedChar *chars,
              int                      n)
{
  for (int i = 0; i < n; i++) {
    char bytes[6];
    int n_bytes = g_unichar_to_utf8 (chars[i].c, bytes);

    for (int k = 0; k < n_bytes; k++)
      eng_normalized_append (result, eng_byte_level_get_character ((guint8) bytes[k]),
                             chars[i].origin);
  }
}

/* The words of chars, mapped, go to result and words. */
static void
cut_word (const ByteLevel         *self,
          const EngNormalizedChar *chars,
          int                      n,
          EngNormalized           *result,
          GArray                  *words)
{
  for (int at = 0, length; at < n; at += length) {
    EngWord word = { .first = result->n };

    length = self->cut ? eng_match_gpt2_word (&chars[at], n - at) : n;
    append_bytes (result, &chars[at], length);
    word.end = result->n;
    g_array_append_val (words, word);
  }
}

static gboolean
byte_level_cut (const EngPretokenizer  *pretokenizer,
                EngNormalized          *text,
                GArray                 *words,
                GError                **error)
{
  const ByteLevel *self = (const ByteLevel *) pretokenizer;
  g_auto (EngNormalized) result = { 0 };
  guint n_before = words->len;

  for (guint i = 0; i < n_before; i++) {
    EngWord word = g_array_index (words, EngWord, i);
    const EngNormalizedChar *chars = &text->chars[word.first];
    g_auto (EngNormalized) prefixed = { 0 };

    if (!self->add_prefix_space || chars[0].c == ' ') {
      cut_word (self, chars, word.end - word.first, &result, words);
      continue;
    }
    eng_normalized_append (&prefixed, ' ', chars[0].origin);
    eng_normalized_append_chars (&prefixed, chars, word.end - word.first);
    cut_word (self, prefixed.chars, prefixed.n, &result, words);
  }
  if (n_before)
    g_array_remove_range (words, 0, n_before);
  eng_normalized_take (text, &result);

  return TRUE;
}

/* In a piece of the vocabulary, or in an added token, which is spelt as it is typed. */
static gboolean
is_blank (gunichar c)
{
  return c == ENG_BYTE_LEVEL_SPACE || eng_unicode_is_whitespace (c);
}

static void
byte_level_free (EngPretokenizer *self)
{
  g_free (self);
}

/* The bytes that token spells; a token with any other character is itself. */
static void
append_spelt (GString    *bytes,
              const char *token)
{
  gsize length = bytes->len;

  for (const char *at = token; *at; at = g_utf8_next_char (at)) {
    int byte = eng_byte_level_get_byte (g_utf8_get_char (at));

    if (byte < 0) {
      g_string_truncate (bytes, length);
      g_string_append (bytes, token);
      return;
    }
    g_string_append_c (bytes, (char) byte);
  }
}

/* All tokens become one, since a character may be spelt by several. */
static void
byte_level_decode (const EngDecoder *self,
                   GPtrArray        *tokens)
{
  g_autoptr (GString) bytes = g_string_new (NULL);

  for (guint i = 0; i < tokens->len; i++)
    append_spelt (bytes, g_ptr_array_index (tokens, i));
  g_ptr_array_set_size (tokens, 0);
  g_ptr_array_add (tokens, eng_bytes_to_text (bytes->str, bytes->len));
}

static char *
byte_level_draw (const EngDecoder *self,
                 char             *text)
{
  g_autofree char *piece = text;
  g_autoptr (GString) bytes = g_string_new (NULL);

  append_spelt (bytes, piece);

  return eng_bytes_to_drawn (bytes->str, bytes->len);
}

static void
byte_level_decoder_free (EngDecoder *self)
{
  g_free (self);
}

EngPretokenizer *
eng_byte_level_new (gboolean add_prefix_space,
                    gboolean cut)
{
  ByteLevel *self = g_new0 (ByteLevel, 1);

  self->parent.cut = byte_level_cut;
  self->parent.free = byte_level_free;
  self->add_prefix_space = add_prefix_space;
  self->cut = cut;

  return &self->parent;
}

EngPretokenizer *
eng_byte_level_new_from_json (const cJSON  *json,
                              const char   *what,
                              GError      **error)
{
  gboolean add_prefix_space = TRUE;
  gboolean use_regex = TRUE;

  if (!eng_json_get_boolean (json, "add_prefix_space", what, &add_prefix_space, error) ||
      !eng_json_get_boolean (json, "use_regex", what, &use_regex, error))
    return NULL;

  return eng_byte_level_new (add_prefix_space, use_regex);
}

EngDecoder *
eng_byte_level_decoder_new (void)
{
  EngDecoder *self = g_new0 (EngDecoder, 1);

  self->decode = byte_level_decode;
  self->draw = byte_level_draw;
  self->free = byte_level_decoder_free;

  return self;
}

EngDecoder *
eng_byte_level_decoder_new_from_json (const cJSON  *json,
                                      const char   *what,
                                      GError      **error)
{
  return eng_byte_level_decoder_new ();
}

int
eng_byte_level_get_byte (gunichar c)
{
  gunichar stand_in = c - FIRST_STAND_IN;

  if (c < FIRST_STAND_IN)
    return stands_for_itself (c) ? (int) c : -1;
  if (stand_in <= 0x20)
    return (int) stand_in;
  if (stand_in < N_STAND_INS - 1)
    return (int) stand_in - 0x21 + 0x7f;

  return stand_in == N_STAND_INS - 1 ? 0xad : -1;
}

void
eng_byte_level_trim_span (const char *piece,
                          const char *text,
                          gboolean    is_first,
                          gboolean    keep_prefix,
                          EngSpan    *span)
{
  const char *piece_end = piece + strlen (piece);
  const char *start = text + span->start;
  const char *end = text + span->end;
  int n_leading = 0;
  int n_trailing = 0;

  while (*piece && is_blank (g_utf8_get_char (piece))) {
    piece = g_utf8_next_char (piece);
    n_leading++;
  }
  if (!*piece)
    n_trailing = n_leading;
  else
    for (const char *at = g_utf8_prev_char (piece_end);
         is_blank (g_utf8_get_char (at));
         at = g_utf8_prev_char (at))
      n_trailing++;

  if (keep_prefix && n_leading == 1 && (is_first || span->start == 0))
    n_leading = 0;
  for (; n_leading > 0 && start < end; n_leading--)
    start = g_utf8_next_char (start);
  /* The library leaves a span alone that has fewer characters before its end. */
  if (g_utf8_strlen (text, end - text) >= n_trailing)
    for (; n_trailing > 0 && end > start; n_trailing--)
      end = g_utf8_prev_char (end);
  *span = (EngSpan) { (int) (start - text), (int) (end - text) };
}
