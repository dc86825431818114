/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/pretokenizers/split.h"

#include "engine/tokenizer/base/unicode.h"
#include "engine/tokenizer/base/regex.h"

typedef struct {
  EngPretokenizer  parent;
  EngMatchWord     match;   /* NULL: the regex or the literal is looked for */
  EngRegex    *regex;   /* NULL = none */
  EngNormalized    literal;
  EngSplitBehavior behavior;
  gboolean         invert;  /* what does not match counts as the match */
} Split;

/* Characters [word.first, word.end) that match, or that lie between two matches. */
typedef struct {
  EngWord  word;
  gboolean is_match;
} Part;

static int
match_here (const Split             *self,
            const EngNormalizedChar *chars,
            int                      n)
{
  if (self->match)
    return self->match (chars, n);
  if (self->literal.n > n)
    return 0;
  for (int i = 0; i < self->literal.n; i++)
    if (chars[i].c != self->literal.chars[i].c)
      return 0;

  return self->literal.n;
}

/* A match may be empty: it parts what lies on both of its sides. */
static void
append_match (const Split *self,
              GArray      *parts,
              int          first,
              int          end)
{
  Part part = { { first, end }, !self->invert };

  g_array_append_val (parts, part);
}

static void
append_rest (const Split *self,
             GArray      *parts,
             int          first,
             int          end)
{
  Part part = { { first, end }, self->invert };

  if (first < end)
    g_array_append_val (parts, part);
}

static gboolean
find_parts_of_regex (const Split          *self,
                     const EngNormalized  *text,
                     EngWord               word,
                     GArray               *parts,
                     GError              **error)
{
  g_autoptr (GArray) matches = g_array_new (FALSE, FALSE, sizeof (EngWord));
  int first = word.first;

  if (!eng_regex_find (self->regex, &text->chars[word.first], word.end - word.first, matches,
                            error))
    return FALSE;
  for (guint i = 0; i < matches->len; i++) {
    EngWord match = g_array_index (matches, EngWord, i);

    append_rest (self, parts, first, word.first + match.first);
    append_match (self, parts, word.first + match.first, word.first + match.end);
    first = word.first + match.end;
  }
  append_rest (self, parts, first, word.end);

  return TRUE;
}

static void
find_parts (const Split         *self,
            const EngNormalized *text,
            EngWord              word,
            GArray              *parts)
{
  int first = word.first;

  for (int at = word.first; at < word.end;) {
    int length = match_here (self, &text->chars[at], word.end - at);

    if (length == 0) {
      at++;
      continue;
    }
    append_rest (self, parts, first, at);
    append_match (self, parts, at, at + length);
    first = at += length;
  }
  append_rest (self, parts, first, word.end);
}

/* Whether part i goes on with the word that the part before it belongs to. */
static gboolean
goes_on (const Split  *self,
         const GArray *parts,
         guint         i)
{
  const Part *part = &g_array_index (parts, Part, i);
  gboolean beside_match = part[-1].is_match;

  switch (self->behavior) {
  case ENG_SPLIT_MERGED_WITH_PREVIOUS:
    return part->is_match && !beside_match;
  case ENG_SPLIT_MERGED_WITH_NEXT:
    /* Of matches in a row the last one goes with the word behind them, the others stand alone. */
    return beside_match && !part->is_match;
  case ENG_SPLIT_CONTIGUOUS:
    return part->is_match == beside_match;
  case ENG_SPLIT_REMOVED:
  case ENG_SPLIT_ISOLATED:
  default:
    return FALSE;
  }
}

/* The words from number n_before on become all that there are, without the empty ones. */
static void
keep_words (GArray *words,
            guint   n_before)
{
  guint n = 0;

  for (guint i = n_before; i < words->len; i++) {
    EngWord word = g_array_index (words, EngWord, i);

    if (word.first < word.end)
      g_array_index (words, EngWord, n++) = word;
  }
  g_array_set_size (words, n);
}

static gboolean
split_cut (const EngPretokenizer  *pretokenizer,
           EngNormalized          *text,
           GArray                 *words,
           GError                **error)
{
  const Split *self = (const Split *) pretokenizer;
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (Part));
  guint n_before = words->len;

  for (guint w = 0; w < n_before; w++) {
    g_array_set_size (parts, 0);
    if (!self->regex)
      find_parts (self, text, g_array_index (words, EngWord, w), parts);
    else if (!find_parts_of_regex (self, text, g_array_index (words, EngWord, w), parts, error))
      return FALSE;
    for (guint i = 0; i < parts->len; i++) {
      const Part *part = &g_array_index (parts, Part, i);

      if (part->is_match && self->behavior == ENG_SPLIT_REMOVED)
        continue;
      if (i > 0 && goes_on (self, parts, i))
        g_array_index (words, EngWord, words->len - 1).end = part->word.end;
      else
        g_array_append_val (words, part->word);
    }
  }
  keep_words (words, n_before);

  return TRUE;
}

static void
split_free (EngPretokenizer *pretokenizer)
{
  Split *self = (Split *) pretokenizer;

  eng_normalized_clear (&self->literal);
  g_clear_pointer (&self->regex, eng_regex_free);
  g_free (self);
}

static int
match_digit (const EngNormalizedChar *chars,
             int                      n)
{
  return eng_unicode_is_digit (chars[0].c);
}

static int
match_punctuation (const EngNormalizedChar *chars,
                   int                      n)
{
  return eng_unicode_is_punctuation (chars[0].c);
}

static gboolean
read_behavior (const cJSON       *json,
               const char        *what,
               EngSplitBehavior  *behavior,
               GError           **error)
{
  static const char *const names[] = {
    "Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous",
  };
  const char *name = NULL;

  if (!eng_json_get_string (json, "behavior", what, &name, error))
    return FALSE;
  if (!name)
    return TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (name, names[i])) {
      *behavior = (EngSplitBehavior) i;
      return TRUE;
    }
  g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
               "%s: the behavior of a pre_tokenizer is \"%s\", expected Removed, Isolated, "
               "MergedWithPrevious, MergedWithNext or Contiguous", what, name);

  return FALSE;
}

/* {"Regex": "..."} or {"String": "..."} */
static gboolean
read_pattern (Split        *self,
              const cJSON  *json,
              const char   *what,
              GError      **error)
{
  const cJSON *pattern = eng_json_find (json, "pattern");
  const char *regex = NULL;
  const char *string = NULL;

  if (!eng_json_get_string (pattern, "Regex", what, &regex, error) ||
      !eng_json_get_string (pattern, "String", what, &string, error))
    return FALSE;
  if (!regex && !string) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
                 "%s: the pre_tokenizer Split has no pattern, expected a Regex or a String", what);
    return FALSE;
  }
  if (string)
    eng_normalized_append_text (&self->literal, string);
  else
    self->match = eng_find_word_pattern (regex);
  if (regex && !self->match)
    self->regex = eng_regex_new (regex, what, error);

  return !regex || self->match || self->regex;
}

EngPretokenizer *
eng_split_new (EngMatchWord     match,
               EngSplitBehavior behavior,
               gboolean         invert)
{
  Split *self = g_new0 (Split, 1);

  self->parent.cut = split_cut;
  self->parent.free = split_free;
  self->match = match;
  self->behavior = behavior;
  self->invert = invert;

  return &self->parent;
}

EngPretokenizer *
eng_split_new_from_json (const cJSON  *json,
                         const char   *what,
                         GError      **error)
{
  EngPretokenizer *pretokenizer = eng_split_new (NULL, ENG_SPLIT_ISOLATED, FALSE);
  Split *self = (Split *) pretokenizer;

  if (!read_behavior (json, what, &self->behavior, error) ||
      !eng_json_get_boolean (json, "invert", what, &self->invert, error) ||
      !read_pattern (self, json, what, error)) {
    eng_pretokenizer_free (pretokenizer);
    return NULL;
  }

  return pretokenizer;
}

EngPretokenizer *
eng_digits_new_from_json (const cJSON  *json,
                          const char   *what,
                          GError      **error)
{
  gboolean individual = FALSE;

  if (!eng_json_get_boolean (json, "individual_digits", what, &individual, error))
    return NULL;

  return eng_split_new (match_digit, individual ? ENG_SPLIT_ISOLATED : ENG_SPLIT_CONTIGUOUS, FALSE);
}

EngPretokenizer *
eng_punctuation_new_from_json (const cJSON  *json,
                               const char   *what,
                               GError      **error)
{
  EngSplitBehavior behavior = ENG_SPLIT_ISOLATED;

  if (!read_behavior (json, what, &behavior, error))
    return NULL;

  return eng_split_new (match_punctuation, behavior, FALSE);
}

EngPretokenizer *
eng_whitespace_new_from_json (const cJSON  *json,
                              const char   *what,
                              GError      **error)
{
  return eng_split_new (eng_match_whitespace_word, ENG_SPLIT_REMOVED, TRUE);
}
