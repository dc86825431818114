/* SPDX-License-Identifier: MIT */
/* Texts behind the bytes of a tokenizer's file, for the targets that fuzz tokenizers. */
#pragma once

#include <string.h>

#include "engine/tokenizer/tokenizer.h"

/* One seed a text: file, NUL, A, NUL, B. */
static inline void
fuzz_add_texts (GPtrArray  *seeds,
                const char *file)
{
  static const char *const texts[][2] = {
    { "aabc [MASK] a\xc3\xa9.b", "" },
    { "A\u0301\u0323 \u65e5\ud55c\u200b\U0001f600", "aa aaaaaa\t[mask]aa" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (GString) seed = g_string_new (file);

    g_string_append_len (seed, texts[i][0], (gssize) strlen (texts[i][0]) + 1);
    g_string_insert_c (seed, (gssize) strlen (file), '\0');
    g_string_append (seed, texts[i][1]);
    g_ptr_array_add (seeds, g_bytes_new (seed->str, seed->len));
  }
}

/* Number of bytes of the file. */
static inline gsize
fuzz_find_texts (const guint8 *data,
                 gsize         size)
{
  const guint8 *end = size ? memchr (data, 0, size) : NULL;

  return end ? (gsize) (end - data) : size;
}

/* data: NUL, A, NUL, B. Checks what holds of any tokens. */
static inline void
fuzz_encode (const EngTokenizer *tokenizer,
             const guint8       *data,
             gsize               size)
{
  g_autofree char *texts = g_malloc0 (size + 2);
  const char *text_a = texts;
  const char *text_b;
  EngTokenizeOptions options = {
    .no_special_tokens = size % 3 == 0,
    .truncate = size % 2,
    .max_length = (int) (size % 16),
  };
  g_autoptr (EngTokens) tokens = NULL;

  if (size)
    memcpy (texts, data, size);
  text_a += size > 0;
  text_b = text_a + strlen (text_a) + (text_a + strlen (text_a) < texts + size);
  tokens = eng_tokenizer_encode (tokenizer, text_a, text_b, &options, NULL);
  for (int i = 0; tokens && i < tokens->n; i++) {
    const char *text = tokens->segments[i] ? text_b : text_a;

    g_assert_nonnull (tokens->pieces[i]);
    g_assert_true (g_utf8_validate (tokens->texts[i], -1, NULL));
    g_assert_cmpint (tokens->ids[i], <, eng_tokenizer_get_n_entries (tokenizer));
    if (!tokens->special[i]) {
      g_assert_cmpint (tokens->spans[i].start, >=, 0);
      g_assert_cmpint (tokens->spans[i].start, <=, tokens->spans[i].end);
      g_assert_cmpint (tokens->spans[i].end, <=, (int) strlen (text));
    }
  }
  if (tokens) {
    g_autofree char *decoded = eng_tokenizer_decode (tokenizer, tokens->ids, tokens->n, size % 5);

    g_assert_true (g_utf8_validate (decoded, -1, NULL));
  }
  if (tokens) {
    g_autofree char *decoded = eng_tokenizer_decode (tokenizer, tokens->ids, tokens->n, size % 2);

    g_assert_true (g_utf8_validate (decoded, -1, NULL));
  }
  if (tokens && options.truncate && options.max_length)
    g_assert_cmpint (tokens->n, <=, options.max_length);
}
