/* SPDX-License-Identifier: MIT */
#include "engine/trace/patterns.h"

#include <string.h>

static const struct {
  const char *name;
  const char *brief;
  const char *title;
  const char *clause;
  const char *target;
} words[ENG_N_PATTERNS] = {
  [ENG_PATTERN_PREVIOUS] = { "previous", "prev.", "the word before",
                             "each word reads the one before", "the token before" },
  [ENG_PATTERN_NEXT] = { "next", "next", "the word after",
                         "each word reads the one after", "the token after" },
  [ENG_PATTERN_TWO_BACK] = { "two-back", "2 back", "the word two before",
                             "each word reads the one two before", "the token two before" },
  [ENG_PATTERN_TWO_ON] = { "two-on", "2 on", "the word two after",
                           "each word reads the one two after", "the token two after" },
  [ENG_PATTERN_SAME_TOKEN] = { "same-token", "itself", "itself",
                               "each word reads itself", "the token itself" },
  [ENG_PATTERN_SAME_WORD_OTHER] = { "same-word", "same", "the same word, A ↔ B",
                                    "each shared word reads the same word in the other sentence",
                                    "the same word" },
  [ENG_PATTERN_SAME_WORD_ANYWHERE] = { "same-word-anywhere", "alike", "the same word, anywhere",
                                       "each repeated word reads the same word wherever it stands",
                                       "a token of the same spelling" },
  [ENG_PATTERN_FIRST] = { "first", "first", "the first token",
                          "all read the first token", "the first token" },
  [ENG_PATTERN_SEPARATOR] = { "separator", "sep.", "separators",
                              "all read the separators", "a separator" },
  [ENG_PATTERN_PUNCTUATION] = { "punctuation", "punct.", "punctuation",
                                "all read punctuation", "punctuation" },
  [ENG_PATTERN_OWN_SENTENCE] = { "own-sentence", "own", "its own sentence",
                                 "each sentence reads itself", "a token of the own sentence" },
  [ENG_PATTERN_BLOCK_AB] = { "ab", "A→B", "A reads B", "A reads B", "a token of B" },
  [ENG_PATTERN_BLOCK_BA] = { "ba", "B→A", "B reads A", "B reads A", "a token of A" },
  [ENG_PATTERN_BROAD] = { "broad", "broad", "a bit of everything",
                          "each word reads a bit of everything", NULL },
  [ENG_PATTERN_BLOCK_AA] = { "aa", "A→A", "A reads A", "sentence A reads itself", "a token of A" },
  [ENG_PATTERN_BLOCK_BB] = { "bb", "B→B", "B reads B", "sentence B reads itself", "a token of B" },
};

/* A word of the other sentence that a head of the same word reads need not be the same: "partner". */
static const char *const deeds[ENG_N_PATTERNS] = {
  [ENG_PATTERN_PREVIOUS] = "lets each word read the one before",
  [ENG_PATTERN_NEXT] = "lets each word read the one after",
  [ENG_PATTERN_TWO_BACK] = "lets each word read the one two before",
  [ENG_PATTERN_TWO_ON] = "lets each word read the one two after",
  [ENG_PATTERN_SAME_TOKEN] = "lets each word read itself",
  [ENG_PATTERN_SAME_WORD_OTHER] = "lets each word read its partner in the other sentence",
  [ENG_PATTERN_SAME_WORD_ANYWHERE] = "lets each repeated word read the same word wherever it stands",
  [ENG_PATTERN_FIRST] = "lets all words read the first token",
  [ENG_PATTERN_SEPARATOR] = "lets all words read the separators",
  [ENG_PATTERN_PUNCTUATION] = "lets all words read punctuation",
  [ENG_PATTERN_OWN_SENTENCE] = "lets each sentence read itself",
  [ENG_PATTERN_BLOCK_AB] = "lets A read B",
  [ENG_PATTERN_BLOCK_BA] = "lets B read A",
  [ENG_PATTERN_BROAD] = "lets each word read a bit of everything",
  [ENG_PATTERN_BLOCK_AA] = "lets A read itself",
  [ENG_PATTERN_BLOCK_BB] = "lets B read itself",
};

const char *
eng_pattern_get_name (EngPattern pattern)
{
  return words[pattern].name;
}

gboolean
eng_pattern_from_name (const char *name,
                       EngPattern *pattern)
{
  for (int i = 0; i < ENG_N_PATTERNS; i++)
    if (g_strcmp0 (name, words[i].name) == 0) {
      *pattern = (EngPattern) i;
      return TRUE;
    }

  return FALSE;
}

const char *
eng_pattern_get_title (EngPattern pattern)
{
  return words[pattern].title;
}

const char *
eng_pattern_get_short (EngPattern pattern)
{
  return words[pattern].brief;
}

const char *
eng_pattern_get_clause (EngPattern pattern)
{
  return words[pattern].clause;
}

/* Parts of the rows that count. */
#define NEARLY_ALL 0.8
#define MOST       0.5
#define MANY       0.35

static const char *
name_amount (double part)
{
  return part > MOST ? "most" : part >= MANY ? "many" : "some";
}

/* Where all that read are named, in the bytes of the sentence from start to end; which says what kind of
 * words, "shared " or "". FALSE = they are no words. */
static gboolean
find_all (const char  *sentence,
          const char **start,
          const char **end,
          char       **which)
{
  static const char *const alls[] = { "all words read", "all read" };
  const char *word = strstr (sentence, "word read");

  *start = strstr (sentence, "each ");
  if (*start != NULL && word != NULL) {
    *which = g_strndup (*start + strlen ("each "), (gsize) (word - *start) - strlen ("each "));
    *end = word + strlen ("word read");
    *end += **end == 's' ? 1 : 0;
    return TRUE;
  }
  for (gsize i = 0; i < G_N_ELEMENTS (alls); i++) {
    *start = strstr (sentence, alls[i]);
    if (*start != NULL) {
      *which = g_strdup ("");
      *end = *start + strlen (alls[i]);
      return TRUE;
    }
  }
  return FALSE;
}

/* Puts an amount in the place of a singular: "lets each word read itself". */
static char *
limit (const char               *sentence,
       const EngPatternEvidence *evidence)
{
  static const struct { const char *singular, *plural; } pronouns[] = {
    { " itself", " themselves" }, { " its ", " their " },
  };
  const double part = evidence->n_rows > 0 ? (double) evidence->n_hits / evidence->n_rows : 1;
  g_autofree char *which = NULL;
  const char *start, *end;
  GString *text;

  if (part >= NEARLY_ALL || !find_all (sentence, &start, &end, &which))
    return g_strdup (sentence);
  text = g_string_new_len (sentence, start - sentence);
  g_string_append_printf (text, "%s %swords read%s", name_amount (part), which, end);
  for (gsize i = 0; i < G_N_ELEMENTS (pronouns); i++)
    g_string_replace (text, pronouns[i].singular, pronouns[i].plural, 0);
  return g_string_free (text, FALSE);
}

char *
eng_pattern_dup_clause (EngPattern                pattern,
                        const EngPatternEvidence *evidence)
{
  return limit (words[pattern].clause, evidence);
}

char *
eng_pattern_dup_deed (EngPattern                pattern,
                      const EngPatternEvidence *evidence)
{
  return limit (deeds[pattern], evidence);
}

const char *
eng_pattern_get_target (EngPattern pattern)
{
  return words[pattern].target;
}
