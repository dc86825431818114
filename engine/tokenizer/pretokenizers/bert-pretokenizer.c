/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/pretokenizers/bert-pretokenizer.h"

#include "engine/tokenizer/base/unicode.h"

static void
append_word (GArray *words,
             int     first,
             int     end)
{
  EngWord word = { first, end };

  if (first < end)
    g_array_append_val (words, word);
}

static void
cut_word (const EngNormalized *text,
          EngWord              word,
          GArray              *words)
{
  int first = word.first;

  for (int i = word.first; i < word.end; i++) {
    gunichar c = text->chars[i].c;
    gboolean is_punctuation = eng_unicode_is_punctuation (c);

    if (!is_punctuation && !eng_unicode_is_whitespace (c))
      continue;
    append_word (words, first, i);
    if (is_punctuation)
      append_word (words, i, i + 1);
    first = i + 1;
  }
  append_word (words, first, word.end);
}

static gboolean
bert_pretokenizer_cut (const EngPretokenizer  *self,
                       EngNormalized          *text,
                       GArray                 *words,
                       GError                **error)
{
  guint n_before = words->len;

  for (guint i = 0; i < n_before; i++)
    cut_word (text, g_array_index (words, EngWord, i), words);
  if (n_before)
    g_array_remove_range (words, 0, n_before);

  return TRUE;
}

static void
bert_pretokenizer_free (EngPretokenizer *self)
{
  g_free (self);
}

EngPretokenizer *
eng_bert_pretokenizer_new (void)
{
  EngPretokenizer *self = g_new0 (EngPretokenizer, 1);

  self->cut = bert_pretokenizer_cut;
  self->free = bert_pretokenizer_free;

  return self;
}

EngPretokenizer *
eng_bert_pretokenizer_new_from_json (const cJSON  *json,
                                     const char   *what,
                                     GError      **error)
{
  return eng_bert_pretokenizer_new ();
}
