/* SPDX-License-Identifier: MIT */
/* The cases of byte-pair encoding, which all tokenizers share, and what each makes of them;
 * tests/record/record_bpe.py says how both are stored. */
#pragma once

#include "tests/support/token-cases.h"

static inline guint32
bpe_cases_hash_word (guint32 hash,
                     guint32 word)
{
  return (hash ^ word) * 16777619u;
}

static inline guint32
bpe_cases_hash (const EngTokens *tokens,
                gboolean         spans,
                const char      *decoded)
{
  guint32 hash = bpe_cases_hash_word (2166136261u, (guint32) tokens->n);

  for (int i = 0; i < tokens->n; i++)
    hash = bpe_cases_hash_word (hash, (guint32) tokens->ids[i]);
  for (int i = 0; i < tokens->n; i++)
    hash = bpe_cases_hash_word (hash, (guint32) tokens->type_ids[i]);
  for (int i = 0; spans && i < tokens->n; i++) {
    hash = bpe_cases_hash_word (hash, (guint32) tokens->spans[i].start);
    hash = bpe_cases_hash_word (hash, (guint32) tokens->spans[i].end);
  }
  for (const char *at = decoded; *at; at++)
    hash = bpe_cases_hash_word (hash, (guint8) *at);

  return hash;
}

/* The next case as tokenizer cuts it. */
static inline guint32
bpe_cases_run (const EngTokenizer  *tokenizer,
               TokenReader         *reader,
               gboolean             skip,
               char               **printed)
{
  guint flags = token_reader_get_number (reader);
  EngTokenizeOptions options = {
    .no_special_tokens = (flags & TOKEN_CASE_NO_SPECIAL) != 0,
    .truncate = (flags & TOKEN_CASE_TRUNCATE) != 0,
    .max_length = flags & TOKEN_CASE_TRUNCATE ? (int) token_reader_get_number (reader) : 0,
  };
  g_autofree char *text_a = token_reader_dup_text (reader);
  g_autofree char *text_b = flags & TOKEN_CASE_PAIR ? token_reader_dup_text (reader) : NULL;
  g_autoptr (EngTokens) tokens = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *decoded = NULL;
  g_autofree char *list = NULL;

  if (skip)
    return 0;
  tokens = eng_tokenizer_encode (tokenizer, text_a, text_b, &options, &error);
  g_assert_no_error (error);
  token_cases_assert_sound (tokenizer, tokens, (const char *[2]) { text_a, text_b });
  decoded = eng_tokenizer_decode (tokenizer, tokens->ids, tokens->n,
                                  (flags & TOKEN_CASE_SKIP_SPECIAL) != 0);
  list = token_cases_print (tokens);
  *printed = g_strdup_printf ("\"%.200s\" | \"%.200s\" (%u)\n  %.1000s\n  \"%.300s\"", text_a,
                              text_b ? text_b : "", flags, list, decoded);

  return bpe_cases_hash (tokens, !(flags & TOKEN_CASE_NO_SPANS), decoded);
}

/* file: of the cases. hashes: of every share-th one; returns what follows them. Shows the first cases
 * that differ. */
static inline const guint8 *
bpe_cases_check_file (const EngTokenizer *tokenizer,
                      const char         *name,
                      const char         *file,
                      const guint8       *hashes,
                      guint               share)
{
  g_autoptr (GBytes) bytes = gzip_read_fixture (file);
  TokenReader reader = token_reader_new (bytes);
  guint n_failed = 0;
  guint n = 0;

  for (guint i = 0; reader.at < reader.end; i++) {
    g_autofree char *printed = NULL;
    guint32 hash = bpe_cases_run (tokenizer, &reader, i % share != 0, &printed);
    guint32 expected;

    if (i % share != 0)
      continue;
    memcpy (&expected, hashes + 4 * n++, sizeof expected);
    if (hash == GUINT32_FROM_LE (expected))
      continue;
    if (n_failed++ < 5)
      g_test_message ("%s", printed);
  }
  g_test_message ("%s: %u cases, %u differ", name, n, n_failed);
  if (n_failed)
    g_test_fail ();

  return hashes + 4 * n;
}

static inline const guint8 *
bpe_cases_check (const EngTokenizer *tokenizer,
                 const char         *name,
                 const guint8       *hashes,
                 guint               share)
{
  return bpe_cases_check_file (tokenizer, name, "bpe/cases.gz", hashes, share);
}
