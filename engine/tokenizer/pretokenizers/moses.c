/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/pretokenizers/moses.h"

#include "engine/tokenizer/base/unicode.h"
#include "engine/tokenizer/pretokenizers/moses-characters.h"
#include "engine/tokenizer/pretokenizers/moses-rules.h"

#include <string.h>

/* Stands for each full stop of several in a row. No text has it when it is put in. */
#define SEVERAL_STOPS 0xe000
#define CAPITAL_SIGMA 0x3a3
#define FINAL_SIGMA   0x3c2

typedef struct {
  EngPretokenizer parent;
  gboolean        lowers;
} Moses;

/* Words whose full stop ends no sentence; the second list: before a number. */
static const char *const abbreviations[] = {
  "A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M", "N", "O", "P", "Q", "R", "S",
  "T", "U", "V", "W", "X", "Y", "Z", "Adj", "Adm", "Adv", "Asst", "Bart", "Bldg", "Brig", "Bros",
  "Capt", "Cmdr", "Col", "Comdr", "Con", "Corp", "Cpl", "DR", "Dr", "Drs", "Ens", "Gen", "Gov",
  "Hon", "Hr", "Hosp", "Insp", "Lt", "MM", "MR", "MRS", "MS", "Maj", "Messrs", "Mlle", "Mme", "Mr",
  "Mrs", "Ms", "Msgr", "Op", "Ord", "Pfc", "Ph", "Prof", "Pvt", "Rep", "Reps", "Res", "Rev", "Rt",
  "Sen", "Sens", "Sfc", "Sgt", "Sr", "St", "Supt", "Surg", "v", "vs", "i.e", "rev", "e.g", "Rs",
  "Nos", "Nr", "Jan", "Feb", "Mar", "Apr", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec", NULL,
};
static const char *const before_numbers[] = { "No", "Art", "pp", NULL };

static gboolean
is_listed (const char *const       *list,
           const EngNormalizedChar *chars,
           int                      n)
{
  for (; *list; list++) {
    int i = 0;

    while (i < n && (*list)[i] && chars[i].c == (guchar) (*list)[i])
      i++;
    if (i == n && !(*list)[i])
      return TRUE;
  }

  return FALSE;
}

static void
strip (EngNormalized *text)
{
  g_auto (EngNormalized) rest = { 0 };
  int first = 0, end = text->n;

  while (first < end && eng_moses_is_blank (text->chars[first].c))
    first++;
  while (end > first && eng_moses_is_blank (text->chars[end - 1].c))
    end--;
  eng_normalized_append_chars (&rest, &text->chars[first], end - first);
  eng_normalized_take (text, &rest);
}

/* Line ends and tabs, too: words on both sides of one grow together. */
static void
remove_unprinted (EngNormalized *text)
{
  int n = 0;

  for (int i = 0; i < text->n; i++)
    if (*eng_unicode_get_category (text->chars[i].c) != 'C')
      text->chars[n++] = text->chars[i];
  text->n = n;
}

/* Two full stops and more are a word of their own. */
static void
hide_several_stops (EngNormalized *text)
{
  g_auto (EngNormalized) result = { 0 };

  for (int at = 0, end; at < text->n; at = end) {
    const EngNormalizedChar *first = &text->chars[at];

    for (end = at + 1; first->c == '.' && end < text->n && text->chars[end].c == '.'; end++)
      ;
    if (end - at < 2) {
      eng_normalized_append_chars (&result, first, 1);
      continue;
    }
    eng_normalized_append (&result, ' ', first->origin);
    for (int i = at; i < end; i++)
      eng_normalized_append (&result, SEVERAL_STOPS, text->chars[i].origin);
    if (end < text->n)
      eng_normalized_append (&result, ' ', first->origin);
  }
  eng_normalized_take (text, &result);
}

static void
show_several_stops (EngNormalized *text)
{
  for (int i = 0; i < text->n; i++)
    if (text->chars[i].c == SEVERAL_STOPS)
      text->chars[i].c = '.';
}

/* Appends the words between white space. */
static void
find_words (const EngNormalized *text,
            GArray              *words)
{
  EngWord word = { 0, 0 };

  for (; word.end <= text->n; word.end++) {
    if (word.end < text->n && !eng_moses_is_blank (text->chars[word.end].c))
      continue;
    if (word.first < word.end)
      g_array_append_val (words, word);
    word.first = word.end + 1;
  }
}

/* Whether a word of n characters and a full stop, before next (NULL = the last), stays whole. */
static gboolean
keeps_stop (const EngNormalizedChar *chars,
            int                      n,
            const EngNormalizedChar *next)
{
  gboolean has_stop = FALSE, has_letter = FALSE;

  for (int i = 0; i < n; i++) {
    has_stop |= chars[i].c == '.';
    has_letter |= eng_moses_is_letter (chars[i].c);
  }

  return (has_stop && has_letter) || is_listed (abbreviations, chars, n) ||
         (next && (eng_moses_is_lower (next->c) ||
                   (next->c >= '0' && next->c <= '9' && is_listed (before_numbers, chars, n))));
}

static void
cut_stops (EngNormalized *text)
{
  g_autoptr (GArray) words = g_array_new (FALSE, FALSE, sizeof (EngWord));
  g_auto (EngNormalized) result = { 0 };

  find_words (text, words);
  for (guint i = 0; i < words->len; i++) {
    EngWord word = g_array_index (words, EngWord, i);
    const EngNormalizedChar *chars = &text->chars[word.first];
    const EngNormalizedChar *next = NULL;
    int n = word.end - word.first - 1;

    if (i + 1 < words->len)
      next = &text->chars[g_array_index (words, EngWord, i + 1).first];
    if (i > 0)
      eng_normalized_append (&result, ' ', chars->origin);
    eng_normalized_append_chars (&result, chars, n);
    if (n > 0 && chars[n].c == '.' && !keeps_stop (chars, n, next))
      eng_normalized_append (&result, ' ', chars[n].origin);
    eng_normalized_append_chars (&result, &chars[n], 1);
  }
  eng_normalized_take (text, &result);
}

static gboolean
is_cased (gunichar c)
{
  return eng_moses_is_lower (c) || g_unichar_isupper (c) || g_unichar_istitle (c);
}

static gboolean
is_between_cased (gunichar c)
{
  switch (g_unichar_type (c)) {
  case G_UNICODE_NON_SPACING_MARK:
  case G_UNICODE_ENCLOSING_MARK:
  case G_UNICODE_FORMAT:
  case G_UNICODE_MODIFIER_LETTER:
  case G_UNICODE_MODIFIER_SYMBOL:
    return TRUE;
  default:
    return (c < 0x80 && c && strchr (".':", (int) c)) || c == 0xb7 || c == 0x2019;
  }
}

/* Whether a capital sigma ends a word. */
static gboolean
ends_word (const EngNormalized *text,
           int                  at)
{
  int before = at - 1, after = at + 1;

  while (before >= 0 && is_between_cased (text->chars[before].c))
    before--;
  while (after < text->n && is_between_cased (text->chars[after].c))
    after++;

  return before >= 0 && is_cased (text->chars[before].c) &&
         (after == text->n || !is_cased (text->chars[after].c));
}

/* To lower case, decomposed, without the marks. */
static void
lower (EngNormalized *text)
{
  g_auto (EngNormalized) result = { 0 };

  for (int i = 0; i < text->n; i++) {
    gunichar small[ENG_MAX_LOWER_CASE];
    int n = eng_unicode_lower (text->chars[i].c, small);

    if (text->chars[i].c == CAPITAL_SIGMA && ends_word (text, i))
      small[0] = FINAL_SIGMA;
    for (int k = 0; k < n; k++) {
      gunichar parts[ENG_MAX_DECOMPOSITION];
      int n_parts = eng_unicode_decompose (small[k], FALSE, parts);

      for (int part = 0; part < n_parts; part++)
        if (!g_str_equal (eng_unicode_get_category (parts[part]), "Mn"))
          eng_normalized_append (&result, parts[part], text->chars[i].origin);
    }
  }
  eng_normalized_take (text, &result);
}

static void
rewrite (const Moses   *self,
         EngNormalized *text)
{
  eng_moses_rules_apply (ENG_MOSES_PUNCTUATION, text);
  strip (text);
  remove_unprinted (text);

  eng_moses_rules_apply (ENG_MOSES_SPACES, text);
  strip (text);
  eng_moses_rules_apply (ENG_MOSES_SIGNS, text);
  hide_several_stops (text);
  eng_moses_rules_apply (ENG_MOSES_WORDS, text);
  cut_stops (text);
  eng_moses_rules_apply (ENG_MOSES_END, text);
  show_several_stops (text);
  if (self->lowers)
    lower (text);
}

static gboolean
moses_cut (const EngPretokenizer  *pre_tokenizer,
           EngNormalized          *text,
           GArray                 *words,
           GError                **error)
{
  /* The first step of all: there is one word, the whole text. */
  g_array_set_size (words, 0);
  rewrite ((const Moses *) pre_tokenizer, text);
  find_words (text, words);

  return TRUE;
}

static void
moses_free (EngPretokenizer *self)
{
  g_free (self);
}

EngPretokenizer *
eng_moses_new (gboolean lowers)
{
  Moses *self = g_new0 (Moses, 1);

  self->parent.description =
    lowers ? "lower case, accents removed, words cut as in English, in other languages approximate"
           : "words cut as in English, in other languages approximate";
  self->parent.language = "en";
  self->parent.cut = moses_cut;
  self->parent.free = moses_free;
  self->lowers = lowers;

  return &self->parent;
}
