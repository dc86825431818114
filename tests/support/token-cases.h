/* SPDX-License-Identifier: MIT */
/* Cases that the tokenizers library cut; tests/record/record_tokenizer.py says how they are
 * stored. */
#pragma once

#include <string.h>

#include "engine/tokenizer/files/tokenizer-json.h"
#include "engine/tokenizer/tokenizer-private.h"
#include "tests/support/gzip.h"

typedef struct {
  const guint8 *at;
  const guint8 *end;
} TokenReader;

enum {
  TOKEN_CASE_PAIR = 1,
  TOKEN_CASE_NO_SPECIAL = 2,
  TOKEN_CASE_TRUNCATE = 4,
  TOKEN_CASE_DECODE = 8,
  TOKEN_CASE_SKIP_SPECIAL = 16, /* in what was decoded */
  TOKEN_CASE_TARGET = 32,
  TOKEN_CASE_NO_SPANS = 64
};

static inline TokenReader
token_reader_new (GBytes *bytes)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);

  return (TokenReader) { data, data + size };
}

static inline guint
token_reader_get_number (TokenReader *reader)
{
  guint number = 0;

  for (int shift = 0;; shift += 7) {
    g_assert_true (reader->at < reader->end && shift < 32);
    number |= (guint) (*reader->at & 0x7f) << shift;
    if (*reader->at++ < 0x80)
      return number;
  }
}

static inline char *
token_reader_dup_text (TokenReader *reader)
{
  guint length = token_reader_get_number (reader);

  g_assert_cmpuint (length, <=, (guint) (reader->end - reader->at));
  reader->at += length;

  return g_strndup ((const char *) reader->at - length, length);
}

static inline EngTokens *
token_reader_get_tokens (TokenReader *reader)
{
  guint n = token_reader_get_number (reader);
  EngTokens *tokens = eng_tokens_new ((int) n);
  int end = 0;

  for (guint i = 0; i < n; i++)
    tokens->ids[i] = (gint32) token_reader_get_number (reader);
  for (guint i = 0; i < n; i++)
    tokens->type_ids[i] = (gint32) token_reader_get_number (reader);
  for (guint i = 0; i < n; i++) {
    guint gap = token_reader_get_number (reader);

    tokens->special[i] = gap == 0;
    if (gap-- == 0)
      continue;
    tokens->spans[i].start = end + (gap % 2 ? -(int) (gap / 2) - 1 : (int) (gap / 2));
    end = tokens->spans[i].end = tokens->spans[i].start + (int) token_reader_get_number (reader);
  }

  return tokens;
}

static inline char *
token_cases_print (const EngTokens *tokens)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < tokens->n; i++)
    g_string_append_printf (text, "%d/%d%s[%d,%d) ", tokens->ids[i], tokens->type_ids[i],
                            tokens->special[i] ? "*" : "",
                            tokens->spans[i].start, tokens->spans[i].end);

  return g_string_free (text, FALSE);
}

/* What holds for any tokens of any tokenizer, whatever was recorded. */
static inline void
token_cases_assert_sound (const EngTokenizer *tokenizer,
                          const EngTokens    *tokens,
                          const char         *texts[2])
{
  for (int i = 0; i < tokens->n; i++) {
    const char *text = texts[tokens->segments[i]];
    EngSpan span = tokens->spans[i];

    g_assert_cmpstr (tokens->pieces[i], ==, eng_tokenizer_get_piece (tokenizer, tokens->ids[i]));
    g_assert_nonnull (tokens->texts[i]);
    g_assert_cmpint (tokens->ids[i], <, eng_tokenizer_get_n_entries (tokenizer));
    g_assert_true ((span.start < 0) == tokens->special[i]);
    if (tokens->special[i])
      continue;
    /* A space that was added, or one that is left out, covers no bytes. */
    g_assert_true (text && span.start <= span.end && span.end <= (int) strlen (text));
    g_assert_true ((text[span.start] & 0xc0) != 0x80 && (text[span.end] & 0xc0) != 0x80);
  }
}

static inline void
token_cases_check_decoded (const EngTokenizer *tokenizer,
                           const EngTokens    *tokens,
                           gboolean            skip_special,
                           const char         *expected,
                           GString            *failures)
{
  g_autofree char *found = eng_tokenizer_decode (tokenizer, tokens->ids, tokens->n, skip_special);
  g_autofree char *ids = NULL;

  if (g_str_equal (found, expected))
    return;
  ids = token_cases_print (tokens);
  g_string_append_printf (failures, "%s\n  decoded to \"%s\"\n  found      \"%s\"\n",
                          ids, expected, found);
}

static inline void
token_cases_check_one (const EngTokenizer *tokenizer,
                       TokenReader             *reader,
                       GString            *failures)
{
  guint flags = token_reader_get_number (reader);
  EngTokenizeOptions options = {
    .no_special_tokens = (flags & TOKEN_CASE_NO_SPECIAL) != 0,
    .truncate = (flags & TOKEN_CASE_TRUNCATE) != 0,
    .max_length = flags & TOKEN_CASE_TRUNCATE ? (int) token_reader_get_number (reader) : 0,
    .as_target = (flags & TOKEN_CASE_TARGET) != 0,
  };
  g_autofree char *text_a = token_reader_dup_text (reader);
  g_autofree char *text_b = flags & TOKEN_CASE_PAIR ? token_reader_dup_text (reader) : NULL;
  g_autoptr (EngTokens) expected = token_reader_get_tokens (reader);
  g_autofree char *decoded = flags & TOKEN_CASE_DECODE ? token_reader_dup_text (reader) : NULL;
  g_autoptr (EngTokens) found = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *expected_text = NULL;
  g_autofree char *found_text = NULL;

  found = eng_tokenizer_encode (tokenizer, text_a, text_b, &options, &error);
  g_assert_no_error (error);
  found_text = token_cases_print (found);
  token_cases_assert_sound (options.as_target ? eng_tokenizer_get_target (tokenizer) : tokenizer,
                            found, (const char *[2]) { text_a, text_b });
  if (flags & TOKEN_CASE_NO_SPANS && found->n > 0 && found->n == expected->n)
    memcpy (expected->spans, found->spans, found->n * sizeof *found->spans);
  expected_text = token_cases_print (expected);
  if (!g_str_equal (found_text, expected_text))
    g_string_append_printf (failures, "\"%s\" | \"%s\"\n  expected %s\n  found    %s\n",
                            text_a, text_b ? text_b : "", expected_text, found_text);
  if (decoded)
    token_cases_check_decoded (tokenizer, expected, flags & TOKEN_CASE_SKIP_SPECIAL, decoded,
                               failures);
}

/* n_cases 0: all that there are. Reports the first failures and how many there were. */
static inline void
token_cases_check (const EngTokenizer *tokenizer,
                   TokenReader             *reader,
                   guint               n_cases)
{
  g_autoptr (GString) failures = g_string_new (NULL);
  guint n_failed = 0;
  guint n = 0;

  for (; n_cases ? n < n_cases : reader->at < reader->end; n++) {
    gsize before = failures->len;

    token_cases_check_one (tokenizer, reader, failures);
    n_failed += failures->len > before;
    if (n_failed > 5)
      g_string_truncate (failures, before);
  }
  g_test_message ("%u cases, %u differ", n, n_failed);
  if (n_failed)
    g_test_message ("%s", failures->str);
  g_assert_cmpuint (n_failed, ==, 0);
  g_assert_cmpuint (n, >, 0);
}

/* {name: tokenizer.json}, in the order of the cases in the file beside it. */
static inline cJSON *
token_cases_read_json (const char *fixture)
{
  g_autoptr (GBytes) bytes = gzip_read_fixture (fixture);
  g_autoptr (GError) error = NULL;
  gsize size;
  const char *text = g_bytes_get_data (bytes, &size);
  g_autofree char *terminated = g_strndup (text, size);
  cJSON *variants = eng_json_parse (terminated, size, 32, fixture, &error);

  g_assert_no_error (error);

  return variants;
}

static inline cJSON *
token_cases_read_variants (void)
{
  return token_cases_read_json ("tokenizer/variants.json.gz");
}

static inline EngTokenizer *
token_cases_new_tokenizer (const cJSON *json)
{
  g_autofree char *text = cJSON_PrintUnformatted (json);
  g_autoptr (GError) error = NULL;
  EngPipeline *pipeline = eng_tokenizer_json_parse (text, strlen (text), "tokenizer.json", &error);

  g_assert_no_error (error);

  return eng_tokenizer_new (pipeline, "tokenizer.json");
}
