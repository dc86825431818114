/* SPDX-License-Identifier: MIT */
/* Shares of what is asked for and of what becomes of it, over many texts. */
#include "engine/training/masking.h"

#include <string.h>

#define N 12
#define MASK 3
#define WORDS 1000
#define TEXTS 20000

/* Template, six words of one to three tokens, template, padding. */
static const guint8 special[N] = { 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1 };
static const int words[N] = { -1, 0, 0, 1, 2, 2, 2, 3, 0, 0, -1, -1 };
/* Where a word begins. The last one has the number of the first: it is of a second sentence. */
static const int begins[N] = { 0, 1, 1, 3, 4, 4, 4, 7, 8, 8, 10, 11 };

static void
fill (gint32 *ids)
{
  for (int i = 0; i < N; i++)
    ids[i] = 100 + i;
}

typedef struct {
  int n_asked, n_masked, n_same;
} Counts;

static void
count (const gint32 *ids,
       const gint32 *labels,
       Counts       *counts)
{
  for (int i = 0; i < N; i++) {
    g_assert_cmpint (ids[i], >=, 0);
    g_assert_cmpint (ids[i], <, WORDS);
    if (labels[i] == ENG_NO_LABEL) {
      g_assert_cmpint (ids[i], ==, 100 + i);
      continue;
    }
    g_assert_false (special[i]);
    g_assert_cmpint (labels[i], ==, 100 + i);
    counts->n_asked++;
    counts->n_masked += ids[i] == MASK;
    counts->n_same += ids[i] == labels[i];
  }
}

static void
check (gboolean whole_words)
{
  EngMasking masking;
  Counts counts = { 0 };
  gint32 ids[N], labels[N];

  eng_masking_init (&masking, MASK, WORDS);
  masking.whole_words = whole_words;
  for (guint64 text = 0; text < TEXTS; text++) {
    fill (ids);
    eng_masking_apply (&masking, text, N, special, words, ids, labels);
    count (ids, labels, &counts);
    for (int i = 0; i < N && whole_words; i++)
      g_assert_cmpint (labels[i] == ENG_NO_LABEL, ==, labels[begins[i]] == ENG_NO_LABEL);
  }
  g_assert_cmpfloat_with_epsilon ((double) counts.n_asked / (TEXTS * 9), 0.15, 0.005);
  g_assert_cmpfloat_with_epsilon ((double) counts.n_masked / counts.n_asked, 0.8, 0.01);
  g_assert_cmpfloat_with_epsilon ((double) counts.n_same / counts.n_asked, 0.1, 0.01);
}

static void
test_tokens (void)
{
  check (FALSE);
}

static void
test_whole_words (void)
{
  check (TRUE);
}

/* A key asks the same again, another one something else. */
static void
test_keys (void)
{
  EngMasking masking;
  gint32 first[N], again[N], labels[N];
  int n_different = 0;

  eng_masking_init (&masking, MASK, WORDS);
  for (guint64 key = 0; key < 100; key++) {
    fill (first);
    fill (again);
    eng_masking_apply (&masking, key, N, special, words, first, labels);
    eng_masking_apply (&masking, key, N, special, words, again, labels);
    g_assert_cmpmem (first, sizeof first, again, sizeof again);
    fill (again);
    eng_masking_apply (&masking, key + 1, N, special, words, again, labels);
    n_different += memcmp (first, again, sizeof first) != 0;
  }
  g_assert_cmpint (n_different, >, 70);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/training/masking/tokens", test_tokens);
  g_test_add_func ("/engine/training/masking/whole-words", test_whole_words);
  g_test_add_func ("/engine/training/masking/keys", test_keys);

  return g_test_run ();
}
