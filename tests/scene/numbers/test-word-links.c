/* SPDX-License-Identifier: MIT */
/* Words by their spelling and their links, counted by hand; numbers of a model's passes are in
 * tests/app/run/test-corpus-search.c. */
#include "ui/scene/numbers/word-links.h"

#include <locale.h>
#include <math.h>

#include "engine/base/error.h"
#include "tests/support/scene-trace.h"

#define N_HEADS 4
#define TOLERANCE 1e-6

/* Texts up to NULL; a template token is in brackets. */
static EngTokens *
make_tokens (const char *const *texts)
{
  EngTokens *tokens = eng_tokens_new ((int) g_strv_length ((char **) texts));

  for (int i = 0; i < tokens->n; i++) {
    tokens->texts[i] = g_strdup (texts[i]);
    tokens->special[i] = texts[i][0] == '[';
  }
  return tokens;
}

static void
assert_found (const EngTokens *tokens,
              const char      *spelling,
              const char      *expected)
{
  g_autoptr (GArray) found = ui_words_find (tokens, spelling);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < found->len; i++)
    g_string_append_printf (text, "%s%d", i > 0 ? " " : "", g_array_index (found, int, i));
  g_assert_cmpstr (text->str, ==, expected);
}

/* Pieces count as one word and not as parts of one; template tokens and signs are no words. */
static void
test_pieces (void)
{
  static const char *const texts[] = {
    "[CLS]", "Em", "##bed", "##ding", ",", "em", "bed", "3", "EM", "##BED", "[SEP]", NULL
  };
  g_autoptr (EngTokens) tokens = make_tokens (texts);

  assert_found (tokens, "embedding", "1");
  assert_found (tokens, "embed", "8");
  assert_found (tokens, "em", "5");
  assert_found (tokens, "bed", "6");
  assert_found (tokens, ",", "4");
  assert_found (tokens, "sep", "");
  assert_found (tokens, NULL, "1 5 6 7 8");
}

/* The unknown token is as many words as were typed for it. */
static void
test_unknown (void)
{
  static const char *const texts[] = { "[CLS]", "[UNK]", "cat", "[UNK]", "[SEP]", NULL };
  g_autoptr (EngTokens) tokens = make_tokens (texts);

  tokens->special[1] = tokens->special[3] = 0;
  tokens->typed[1] = g_strdup ("שלום");
  tokens->typed[3] = g_strdup ("Слово");
  assert_found (tokens, "שלום", "1");
  assert_found (tokens, "слово", "3");
  assert_found (tokens, "[unk]", "");
}

/* Spaces that mark where words begin are no part of them; case is folded in every script, and
 * letters are the same however their accents are written. */
static void
test_folding (void)
{
  static const char *const texts[] = {
    "Stra", "ße", " STRASSE", " ΣΊΣΥΦΟΣ", " cafe\xcc\x81", " CAFÉ", " cafe", NULL
  };
  static const char *const typed[] = { " straSSe", NULL };
  g_autoptr (EngTokens) tokens = make_tokens (texts);
  g_autoptr (EngTokens) alone = make_tokens (typed);
  g_autofree char *spelling = ui_word_spelling_from_tokens (alone, "straSSe", NULL);

  g_assert_cmpstr (spelling, ==, "strasse");
  assert_found (tokens, spelling, "0 2");
  assert_found (tokens, "σίσυφοσ", "3");
  assert_found (tokens, "café", "4 5");
  assert_found (tokens, "cafe", "6");
}

static void
test_padding (void)
{
  static const char *const texts[] = { "cat", "cat", NULL };
  g_autoptr (EngTokens) tokens = make_tokens (texts);

  tokens->padding[1] = 1;
  assert_found (tokens, "cat", "0");
  assert_found (tokens, NULL, "0");
}

static void
assert_refused (const char *const *texts,
                const char        *typed,
                const char        *reason)
{
  g_autoptr (EngTokens) tokens = make_tokens (texts);
  g_autoptr (GError) error = NULL;

  g_assert_null (ui_word_spelling_from_tokens (tokens, typed, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_TEXT);
  g_assert_cmpstr (error->message, ==, reason);
}

static void
test_one_word (void)
{
  static const char *const three[] = { "[CLS]", "don", "'", "t", "[SEP]", NULL };
  static const char *const none[] = { "[CLS]", "[SEP]", NULL };
  static const char *const blank[] = { "[CLS]", " ", "[SEP]", NULL };

  assert_refused (three, "don't",
                  "“don't” is 3 words to this model, “don” the first of them, expected one");
  assert_refused (none, "x", "“x” is no word to this model, expected one");
  assert_refused (blank, " ", "“ ” is no word to this model, expected one");
}

static GArray *
find (EngTrace   *trace,
      EngKind     kind,
      const char *from,
      const char *to)
{
  g_autoptr (GArray) queries = ui_words_find (eng_trace_get_query_tokens (trace, kind), from);
  g_autoptr (GArray) keys = ui_words_find (eng_trace_get_key_tokens (trace, kind), to);

  return ui_word_links_find (trace, kind, queries, keys, NULL, NULL);
}

static const EngFoundLink *
get (const GArray *links,
     int           head)
{
  const EngFoundLink *link = &g_array_index (links, EngFoundLink, (guint) head);

  g_assert_cmpint (links->len, ==, N_HEADS);
  g_assert_cmpint (link->head, ==, head);
  return link;
}

/* [CLS] un ##believ ##able cat un cat [SEP]: the stronger cat; means over the pieces that read,
 * sums over those that are read. */
static void
test_strongest (void)
{
  enum { UN = 1, ABLE = 3, CAT = 4, LAST_CAT = 6 };
  static const char *const words[] = { "un", "##believ", "##able", "cat", "un", "cat", NULL };
  g_autoptr (EngTrace) trace = scene_trace_new (words, NULL, N_HEADS);
  g_autoptr (GArray) there = find (trace, ENG_KIND_ENCODER, "unbelievable", "cat");
  g_autoptr (GArray) back = find (trace, ENG_KIND_ENCODER, "cat", "unbelievable");

  for (int head = 0; head < N_HEADS; head++) {
    double reads[2] = { 0 }, is_read[2] = { 0 };

    for (int i = UN; i <= ABLE; i++)
      for (int cat = 0; cat < 2; cat++) {
        int place = cat == 0 ? CAT : LAST_CAT;

        reads[cat] += scene_trace_weight (trace, ENG_KIND_ENCODER, head, i, place) / 3;
        is_read[cat] += scene_trace_weight (trace, ENG_KIND_ENCODER, head, place, i);
      }
    g_assert_cmpfloat_with_epsilon (get (there, head)->value, MAX (reads[0], reads[1]), TOLERANCE);
    g_assert_cmpint (get (there, head)->query, ==, UN);
    g_assert_cmpint (get (there, head)->key, ==, reads[0] > reads[1] ? CAT : LAST_CAT);
    g_assert_cmpfloat_with_epsilon (get (back, head)->value, MAX (is_read[0], is_read[1]),
                                    TOLERANCE);
    g_assert_cmpint (get (back, head)->query, ==, is_read[0] > is_read[1] ? CAT : LAST_CAT);
    g_assert_cmpint (get (back, head)->key, ==, UN);
  }
}

/* In head 0 each token reads itself with 0.7: that is no link, nor is one with a template token. */
static void
test_itself (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (4, 4, 4);
  g_autoptr (GArray) same = find (trace, ENG_KIND_ENCODER, "w1", "w1");
  g_autoptr (GArray) any = find (trace, ENG_KIND_ENCODER, "w1", NULL);

  g_assert_cmpint (same->len, ==, 0);
  g_assert_cmpfloat_with_epsilon (get (any, 0)->value, 0.3 / 7, TOLERANCE);
  g_assert_cmpfloat_with_epsilon (get (any, 1)->value, 0.7, TOLERANCE);
  g_assert_cmpint (get (any, 1)->key, ==, 2);
  /* Head 2 reads [SEP], which is none of the words. */
  g_assert_cmpfloat_with_epsilon (get (any, 2)->value, 0.3 / 7, TOLERANCE);
}

/* What comes later is out of sight: no link of weight 0. */
static void
test_causal (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_masked (SCENE_MASK_CAUSAL, 6, N_HEADS);
  g_autoptr (GArray) forwards = find (trace, ENG_KIND_DECODER, "w1", "w4");
  g_autoptr (GArray) backwards = find (trace, ENG_KIND_DECODER, "w4", "w1");

  g_assert_cmpint (forwards->len, ==, 0);
  for (int head = 0; head < N_HEADS; head++)
    g_assert_cmpfloat_with_epsilon (get (backwards, head)->value,
                                    scene_trace_weight (trace, ENG_KIND_DECODER, head, 4, 1),
                                    TOLERANCE);
}

/* In cross attention a word and its twin in the other text are two words. */
static void
test_cross (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_cross (5, 6, N_HEADS);
  g_autoptr (GArray) links = find (trace, ENG_KIND_CROSS, "w3", "w3");

  for (int head = 0; head < N_HEADS; head++)
    g_assert_cmpfloat_with_epsilon (get (links, head)->value,
                                    scene_trace_weight (trace, ENG_KIND_CROSS, head, 3, 3),
                                    TOLERANCE);
}

static void
test_cancel (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (4, 4, N_HEADS);
  const EngTokens *tokens = eng_trace_get_query_tokens (trace, ENG_KIND_ENCODER);
  g_autoptr (GArray) words = ui_words_find (tokens, NULL);
  g_autoptr (GError) error = NULL;
  const gint cancel = TRUE;

  g_assert_null (ui_word_links_find (trace, ENG_KIND_ENCODER, words, words, &cancel, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_CANCELLED);
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/scene/word-links/pieces", test_pieces);
  g_test_add_func ("/scene/word-links/unknown", test_unknown);
  g_test_add_func ("/scene/word-links/folding", test_folding);
  g_test_add_func ("/scene/word-links/padding", test_padding);
  g_test_add_func ("/scene/word-links/one-word", test_one_word);
  g_test_add_func ("/scene/word-links/strongest", test_strongest);
  g_test_add_func ("/scene/word-links/itself", test_itself);
  g_test_add_func ("/scene/word-links/causal", test_causal);
  g_test_add_func ("/scene/word-links/cross", test_cross);
  g_test_add_func ("/scene/word-links/cancel", test_cancel);

  return g_test_run ();
}
