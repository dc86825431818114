/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/pretokenizers/whitespace-split.h"

#include "engine/tokenizer/base/unicode.h"

typedef struct {
  EngPretokenizer parent;
  gunichar        delimiter; /* 0 = any white space */
} Splitter;

static gboolean
is_delimiter (const Splitter *self,
              gunichar        c)
{
  return self->delimiter ? c == self->delimiter : eng_unicode_is_whitespace (c);
}

static void
cut_word (const Splitter      *self,
          const EngNormalized *text,
          EngWord              word,
          GArray              *words)
{
  EngWord part = { word.first, word.first };

  for (; part.end <= word.end; part.end++) {
    if (part.end < word.end && !is_delimiter (self, text->chars[part.end].c))
      continue;
    if (part.first < part.end)
      g_array_append_val (words, part);
    part.first = part.end + 1;
  }
}

static gboolean
splitter_cut (const EngPretokenizer  *pre_tokenizer,
              EngNormalized          *text,
              GArray                 *words,
              GError                **error)
{
  guint n_before = words->len;

  for (guint i = 0; i < n_before; i++)
    cut_word ((const Splitter *) pre_tokenizer, text, g_array_index (words, EngWord, i), words);
  if (n_before)
    g_array_remove_range (words, 0, n_before);

  return TRUE;
}

static void
splitter_free (EngPretokenizer *self)
{
  g_free (self);
}

static EngPretokenizer *
splitter_new (gunichar delimiter)
{
  Splitter *self = g_new0 (Splitter, 1);

  self->parent.cut = splitter_cut;
  self->parent.free = splitter_free;
  self->delimiter = delimiter;

  return &self->parent;
}

EngPretokenizer *
eng_whitespace_split_new (void)
{
  return splitter_new (0);
}

EngPretokenizer *
eng_whitespace_split_new_from_json (const cJSON  *json,
                                    const char   *what,
                                    GError      **error)
{
  return eng_whitespace_split_new ();
}

EngPretokenizer *
eng_char_delimiter_split_new_from_json (const cJSON  *json,
                                        const char   *what,
                                        GError      **error)
{
  const char *delimiter = "";

  if (!eng_json_get_string (json, "delimiter", what, &delimiter, error))
    return NULL;
  if (g_utf8_strlen (delimiter, -1) != 1) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
                 "%s: delimiter is \"%s\", expected one character", what, delimiter);
    return NULL;
  }

  return splitter_new (g_utf8_get_char (delimiter));
}
