/* SPDX-License-Identifier: MIT */
/* Text files as batches: each text once, on one side, filled up; what is refused names its line. */
#include "engine/training/texts.h"

#include <string.h>

#include "engine/examples/words.h"
#include "tests/support/checkpoint-folder.h"
#include "tests/support/temporary.h"

#define N_TEXTS 3000
#define N_TOKENS 256
#define N_PAIRS 1000

static EngTokenizer *
open_tokenizer (const char *name)
{
  g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "..", "resources", "models", name,
                                                   NULL);
  g_autoptr (GError) error = NULL;
  EngTokenizer *tokenizer = eng_tokenizer_open (folder, &error);

  g_assert_no_error (error);

  return tokenizer;
}

static EngTexts *
read_bytes (const char             *bytes,
            gssize                  length,
            const EngTextsSettings *settings,
            GError                **error)
{
  EngTokenizer *tokenizer = open_tokenizer ("headlight-mini");
  char *folder = temporary_new ();
  g_autofree char *path = g_build_filename (folder, "texts.txt", NULL);
  EngTexts *texts;

  checkpoint_write_file (folder, "texts.txt", bytes, length);
  texts = eng_texts_read (path, tokenizer, settings, error);
  temporary_free (folder);
  eng_tokenizer_free (tokenizer);

  return texts;
}

/* Lines of several lengths, the last without a line feed; each stands twice. */
static EngTexts *
read_many (const EngTextsSettings *settings)
{
  g_autoptr (GString) lines = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  EngTexts *texts;

  for (int i = 0; i < N_TEXTS; i++) {
    int number = i % (N_TEXTS / 2);

    g_string_append_printf (lines, "%s%d", i ? "\n" : "", number);
    for (int k = 0; k < number % 13; k++)
      g_string_append (lines, " and the cat");
  }
  texts = read_bytes (lines->str, (gssize) lines->len, settings, &error);
  g_assert_no_error (error);

  return texts;
}

/* A text's tokens as a key of a table. */
static char *
spell (const EngTextsBatch *batch,
       int                  row)
{
  GString *spelt = g_string_new (NULL);

  for (int i = 0; i < batch->batch.n; i++)
    if (batch->visible[row * batch->batch.n + i])
      g_string_append_printf (spelt, "%d ", batch->ids[row * batch->batch.n + i]);

  return g_string_free (spelt, FALSE);
}

/* How often each text is there, and what else holds of a batch. */
static GHashTable *
count_texts (GPtrArray              *batches,
             const EngTextsSettings *settings,
             gint64                 *n_tokens,
             gint64                 *n_filled)
{
  GHashTable *counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < batches->len; i++) {
    const EngTextsBatch *batch = batches->pdata[i];
    int n = batch->batch.n, total = batch->batch.n_sequences * n;

    g_assert_cmpint (n, <=, settings->longest);
    g_assert_cmpint (total, <=, N_TOKENS);
    *n_filled += total;
    for (int k = 0; k < total; k++) {
      *n_tokens += batch->visible[k];
      g_assert_cmpint (batch->labels[k], ==, ENG_NO_LABEL);
      if (!batch->visible[k]) {
        g_assert_cmpint (batch->ids[k], ==, settings->pad_id);
        g_assert_true (batch->special[k]);
      }
    }
    for (int row = 0; row < batch->batch.n_sequences; row++) {
      char *text = spell (batch, row);

      g_hash_table_insert (counts, text,
                           GINT_TO_POINTER (GPOINTER_TO_INT (g_hash_table_lookup (counts, text)) +
                                            1));
    }
  }

  return counts;
}

static void
test_batches (void)
{
  EngTextsSettings settings = { 40, -1, 0, 0.1 };
  g_autoptr (EngTexts) texts = read_many (&settings);
  g_autoptr (GPtrArray) learnt = eng_texts_make_batches (texts, FALSE, N_TOKENS, 1);
  g_autoptr (GPtrArray) held = eng_texts_make_batches (texts, TRUE, N_TOKENS, 1);
  gint64 n_tokens = 0, n_filled = 0, n_held = 0, n_held_filled = 0;
  g_autoptr (GHashTable) learnt_texts = count_texts (learnt, &settings, &n_tokens, &n_filled);
  g_autoptr (GHashTable) held_texts = count_texts (held, &settings, &n_held, &n_held_filled);
  GHashTableIter iter;
  gpointer text, count;

  g_assert_cmpint (n_tokens, ==, eng_texts_count_tokens (texts, FALSE));
  g_assert_cmpint (n_held, ==, eng_texts_count_tokens (texts, TRUE));
  g_assert_cmpint (eng_texts_get_n (texts, FALSE) + eng_texts_get_n (texts, TRUE), ==, N_TEXTS);
  g_assert_cmpfloat_with_epsilon ((double) eng_texts_get_n (texts, TRUE) / N_TEXTS, 0.1, 0.03);
  /* Little is padding, because lengths are together. */
  g_assert_cmpfloat ((double) n_filled, <, 1.1 * (double) n_tokens);
  g_assert_cmpuint (g_hash_table_size (learnt_texts) + g_hash_table_size (held_texts), ==,
                    N_TEXTS / 2);
  g_hash_table_iter_init (&iter, held_texts);
  while (g_hash_table_iter_next (&iter, &text, &count)) {
    g_assert_cmpint (GPOINTER_TO_INT (count), ==, 2);
    g_assert_false (g_hash_table_contains (learnt_texts, text));
  }
}

/* The order is the key's. */
static void
test_order (void)
{
  EngTextsSettings settings = { 40, -1, 0, 0 };
  g_autoptr (EngTexts) texts = read_many (&settings);
  g_autoptr (GPtrArray) first = eng_texts_make_batches (texts, FALSE, N_TOKENS, 1);
  g_autoptr (GPtrArray) again = eng_texts_make_batches (texts, FALSE, N_TOKENS, 1);
  g_autoptr (GPtrArray) other = eng_texts_make_batches (texts, FALSE, N_TOKENS, 2);
  int n_same = 0;

  g_assert_cmpint (eng_texts_get_n (texts, TRUE), ==, 0);
  g_assert_cmpuint (first->len, ==, again->len);
  for (guint i = 0; i < first->len; i++) {
    g_autofree char *a = spell (first->pdata[i], 0);
    g_autofree char *b = spell (again->pdata[i], 0);
    g_autofree char *c = i < other->len ? spell (other->pdata[i], 0) : NULL;

    g_assert_cmpstr (a, ==, b);
    n_same += g_strcmp0 (a, c) == 0;
  }
  g_assert_cmpint (n_same, <, (int) first->len / 10);
}

/* Cut to what fits, the end token included; blank lines and blanks around a text do not count. */
static void
test_ends (void)
{
  EngTextsSettings settings = { 6, 77, 5, 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTexts) texts =
    read_bytes ("\n  The cat is asleep on the bed.  \r\n\n \nHi\n", -1, &settings, &error);
  g_autoptr (GPtrArray) batches = NULL;
  const EngTextsBatch *batch;

  g_assert_no_error (error);
  g_assert_cmpint (eng_texts_get_n (texts, FALSE), ==, 2);
  batches = eng_texts_make_batches (texts, FALSE, N_TOKENS, 1);
  g_assert_cmpuint (batches->len, ==, 1);
  batch = batches->pdata[0];
  g_assert_cmpint (batch->batch.n_sequences, ==, 2);
  g_assert_cmpint (batch->batch.n, ==, 6);
  /* The shorter text stands first: its template around "hi", the end, padding. */
  g_assert_cmpint (batch->ids[3], ==, 77);
  g_assert_cmpint (batch->ids[4], ==, 5);
  g_assert_true (batch->visible[3] && !batch->visible[4]);
  g_assert_true (batch->special[0] && !batch->special[1] && batch->special[3]);
  g_assert_cmpint (batch->words[1], ==, 0);
  g_assert_cmpint (batch->ids[11], ==, 77);
}

static void
test_count_words (void)
{
  static const struct {
    const char *text;
    int         n;
  } counts[] = {
    { "", 0 }, { " . -- ?! ", 0 }, { "The cat is asleep.", 4 }, { "  don’t\tgo ", 2 },
    { "l’été, « 3,14 »", 2 }, { "猫は寝ている", 6 }, { "GTK 4 猫 x", 4 }, { "猫cat猫", 3 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    g_assert_cmpint (eng_words_count (counts[i].text, (int) strlen (counts[i].text)), ==,
                     counts[i].n);
}

/* What was cut off is not counted; those of the batches are those of the texts. */
static void
test_words (void)
{
  EngTextsSettings settings = { 6, 77, 5, 0 };
  g_autoptr (EngTexts) texts =
    read_bytes ("The cat is asleep on the bed.\nOh, no!\n", -1, &settings, NULL);
  g_autoptr (GPtrArray) batches = eng_texts_make_batches (texts, FALSE, 1, 1);
  int n = 0;

  /* Of the longer one [CLS], three words, [SEP] and the end. */
  g_assert_cmpint (eng_texts_count_words (texts, FALSE), ==, 3 + 2);
  g_assert_cmpint (eng_texts_count_words (texts, TRUE), ==, 0);
  g_assert_cmpuint (batches->len, ==, 2);
  for (guint i = 0; i < batches->len; i++)
    n += ((const EngTextsBatch *) batches->pdata[i])->n_words;
  g_assert_cmpint (n, ==, 5);
}

/* Of each source of several lengths two translations, apart from each other. */
static EngTexts *
read_pairs (const EngTextsSettings *settings)
{
  g_autoptr (GString) lines = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  EngTexts *texts;

  for (int i = 0; i < N_PAIRS; i++) {
    int number = i % (N_PAIRS / 2);

    g_string_append_printf (lines, "%d", number);
    for (int k = 0; k < number % 11; k++)
      g_string_append (lines, " and");
    g_string_append_printf (lines, " \t%d is", i);
    for (int k = 0; k < number % 7; k++)
      g_string_append (lines, " the cat");
    g_string_append_c (lines, '\n');
  }
  texts = read_bytes (lines->str, (gssize) lines->len, settings, &error);
  g_assert_no_error (error);

  return texts;
}

/* A text begins where its line does: byte-level tokens have the blank before a word. */
static void
test_blanks (void)
{
  static const char *const lines[] = { " the cat", "the cat", "  the cat" };
  const EngTextsSettings settings = { 40, -1, 0, 0 };
  EngTokenizer *tokenizer = open_tokenizer ("headlight-causal");
  char *folder = temporary_new ();
  g_autofree char *path = g_build_filename (folder, "texts.txt", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++) {
    g_autofree char *bytes = g_strdup_printf ("%s \r\n", lines[i]);
    g_autoptr (GError) error = NULL;
    g_autoptr (EngTexts) texts = NULL;
    g_autoptr (GPtrArray) batches = NULL;
    g_autoptr (EngTokens) tokens =
      eng_tokenizer_encode (tokenizer, lines[i], NULL, &(EngTokenizeOptions) { 0 }, &error);

    g_assert_no_error (error);
    checkpoint_write_file (folder, "texts.txt", bytes, -1);
    texts = eng_texts_read (path, tokenizer, &settings, &error);
    g_assert_no_error (error);
    batches = eng_texts_make_batches (texts, FALSE, N_TOKENS, 1);
    g_assert_cmpuint (batches->len, ==, 1);
    g_assert_cmpmem (((EngTextsBatch *) batches->pdata[0])->ids,
                     eng_texts_count_tokens (texts, FALSE) * sizeof (gint32),
                     tokens->ids, (gsize) tokens->n * sizeof (gint32));
  }
  temporary_free (folder);
  eng_tokenizer_free (tokenizer);
}

/* What a row of a batch is: the decoder reads what it is asked for one token later, behind the
 * start. */
static void
check_pair (const EngTextsBatch    *batch,
            int                     row,
            const EngTextsSettings *settings)
{
  int n = batch->batch.n, length = 0;
  const gint32 *ids = batch->ids + row * n, *labels = batch->labels + row * n;
  const guint8 *visible = batch->visible + row * n;

  while (length < n && visible[length])
    length++;
  g_assert_cmpint (length, >=, 3);
  g_assert_cmpint (length, <=, settings->longest);
  g_assert_cmpint (ids[0], ==, settings->start_id);
  g_assert_cmpint (labels[length - 1], ==, settings->end_id);
  for (int i = 0; i + 1 < length; i++) {
    g_assert_cmpint (labels[i], ==, ids[i + 1]);
    g_assert_cmpint (labels[i], !=, settings->end_id);
  }
  for (int i = length; i < n; i++) {
    g_assert_cmpint (labels[i], ==, ENG_NO_LABEL);
    g_assert_cmpint (ids[i], ==, settings->pad_id);
    g_assert_false (visible[i]);
  }
}

/* The sources of batches, as keys. */
static GHashTable *
list_sources (GPtrArray              *batches,
              const EngTextsSettings *settings)
{
  GHashTable *sources = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < batches->len; i++) {
    const EngTextsBatch *batch = batches->pdata[i];
    int n = batch->batch.n_source;

    g_assert_true (batch->batch.source_ids == batch->source_ids);
    g_assert_true (batch->batch.source_visible == batch->source_visible);
    g_assert_cmpint (batch->batch.n_sequences * (batch->batch.n + n), <=, N_TOKENS);
    for (int row = 0; row < batch->batch.n_sequences; row++) {
      GString *spelt = g_string_new (NULL);

      check_pair (batch, row, settings);
      for (int k = 0; k < n; k++) {
        gint32 id = batch->source_ids[row * n + k];

        if (batch->source_visible[row * n + k])
          g_string_append_printf (spelt, "%d ", id);
        else
          g_assert_cmpint (id, ==, settings->pad_id);
      }
      g_hash_table_add (sources, g_string_free (spelt, FALSE));
    }
  }

  return sources;
}

static gint64
count_visible (GPtrArray *batches)
{
  gint64 n = 0;

  for (guint i = 0; i < batches->len; i++) {
    const EngTextsBatch *batch = batches->pdata[i];

    for (int k = 0; k < batch->batch.n_sequences * batch->batch.n; k++)
      n += batch->visible[k];
    for (int k = 0; k < batch->batch.n_sequences * batch->batch.n_source; k++)
      n += batch->source_visible[k];
  }

  return n;
}

/* Of the lines of read_pairs(). */
static gint64
count_pair_words (void)
{
  gint64 n = 0;

  for (int i = 0; i < N_PAIRS; i++)
    n += 1 + i % (N_PAIRS / 2) % 11 + 2 + 2 * (i % (N_PAIRS / 2) % 7);

  return n;
}

/* end_id: one that the template has put there, or another. */
static void
check_pairs (int end_id)
{
  EngTextsSettings settings = {
    .longest = 40, .end_id = end_id, .pad_id = 0, .held_out = 0.1, .pairs = TRUE, .start_id = 9,
  };
  g_autoptr (EngTexts) texts = read_pairs (&settings);
  g_autoptr (GPtrArray) learnt = eng_texts_make_batches (texts, FALSE, N_TOKENS, 1);
  g_autoptr (GPtrArray) held = eng_texts_make_batches (texts, TRUE, N_TOKENS, 1);
  g_autoptr (GHashTable) learnt_sources = list_sources (learnt, &settings);
  g_autoptr (GHashTable) held_sources = list_sources (held, &settings);
  GHashTableIter iter;
  gpointer source;

  g_assert_cmpint (eng_texts_get_n (texts, FALSE) + eng_texts_get_n (texts, TRUE), ==, N_PAIRS);
  g_assert_cmpint (eng_texts_get_n (texts, TRUE), >, N_PAIRS / 20);
  g_assert_cmpint (count_visible (learnt), ==, eng_texts_count_tokens (texts, FALSE));
  /* A number and up to ten words; a number, one word and up to six times two. */
  g_assert_cmpint (eng_texts_count_words (texts, FALSE) + eng_texts_count_words (texts, TRUE), ==,
                   count_pair_words ());
  g_assert_cmpuint (g_hash_table_size (learnt_sources) + g_hash_table_size (held_sources), ==,
                    N_PAIRS / 2);
  g_hash_table_iter_init (&iter, held_sources);
  while (g_hash_table_iter_next (&iter, &source, NULL))
    g_assert_false (g_hash_table_contains (learnt_sources, source));
}

static void
test_pairs (void)
{
  EngTokenizer *tokenizer = open_tokenizer ("headlight-mini");
  int separator = eng_tokenizer_find_id (tokenizer, "[SEP]");

  g_assert_cmpint (separator, >=, 0);
  check_pairs (separator);
  check_pairs (77);
  eng_tokenizer_free (tokenizer);
}

static void
assert_refused_of (const EngTextsSettings *settings,
                   const char             *bytes,
                   gssize                  length,
                   const char             *part)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (read_bytes (bytes, length, settings, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_TEXT);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, part));
}

static void
assert_refused (const char *bytes,
                gssize      length,
                const char *part)
{
  EngTextsSettings settings = { 6, -1, 0, 0 };

  assert_refused_of (&settings, bytes, length, part);
}

/* One text, where some are to be held out: it is the only line, or the only one of two tokens. */
static void
test_refuses_one (void)
{
  EngTextsSettings plain = { 6, -1, 0, 0.1 };
  EngTextsSettings pairs = { 6, -1, 0, 0.1, .pairs = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTexts) all = NULL;

  assert_refused_of (&plain, "the cat sat\n", -1,
                     "texts.txt:1: there is no other text of two tokens, expected at least two");
  assert_refused_of (&plain, "\n \nthe cat sat", -1, "texts.txt:3: there is no other text");
  assert_refused_of (&pairs, "\na\tb\n", -1, "texts.txt:2: there is no other pair of texts");
  plain.held_out = 0;
  all = read_bytes ("the cat sat\n", -1, &plain, &error);
  g_assert_no_error (error);
  g_assert_cmpint (eng_texts_get_n (all, FALSE), ==, 1);
}

static void
test_refuses_pairs (void)
{
  EngTextsSettings pairs = { 6, -1, 0, 0, .pairs = TRUE };

  assert_refused_of (&pairs, "a\tb\n\none\n", -1, "texts.txt:3: the line has 1 column, expected 2");
  assert_refused_of (&pairs, "a\tb\nc\td\tCC-BY 2.0 (France)\n", -1,
                     "texts.txt:2: the line has 3 columns, expected 2");
  assert_refused_of (&pairs, "a\t \n", -1, "texts.txt:1: column 2 of the line is empty");
  assert_refused_of (&pairs, "\tb\n", -1, "texts.txt:1: column 1 of the line is empty");
  assert_refused_of (&pairs, "\n \n", -1, "no pair");
}

static void
test_refuses (void)
{
  g_autofree char *long_line = g_strnfill (1 << 20, 'a');
  EngTextsSettings settings = { 6, -1, 0, 0 };
  EngTokenizer *tokenizer = open_tokenizer ("headlight-mini");
  g_autoptr (GError) error = NULL;

  memcpy (long_line, "one\n", 4);
  assert_refused (long_line, 1 << 20, "texts.txt:2: the line has 1048572 bytes");
  assert_refused ("one\ntwo\n\xff\n", -1, "texts.txt:3: the line is not UTF-8");
  assert_refused ("one\nt\0wo\n", 9, "texts.txt:2: the line has a NUL byte, expected text");
  assert_refused ("one\nt\xff\0wo\n", 10, "texts.txt:2: the line is not UTF-8");
  assert_refused ("one\ttwo\n", -1, "texts.txt:1: the line has several columns");
  assert_refused ("", 0, "no text");
  assert_refused ("\n\n \n", -1, "no text");

  g_assert_null (eng_texts_read ("/nowhere/texts.txt", tokenizer, &settings, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_IO);
  eng_tokenizer_free (tokenizer);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/training/texts/batches", test_batches);
  g_test_add_func ("/engine/training/texts/order", test_order);
  g_test_add_func ("/engine/training/texts/ends", test_ends);
  g_test_add_func ("/engine/training/texts/blanks", test_blanks);
  g_test_add_func ("/engine/training/texts/pairs", test_pairs);
  g_test_add_func ("/engine/training/texts/count-words", test_count_words);
  g_test_add_func ("/engine/training/texts/words", test_words);
  g_test_add_func ("/engine/training/texts/refuses", test_refuses);
  g_test_add_func ("/engine/training/texts/refuses-one", test_refuses_one);
  g_test_add_func ("/engine/training/texts/refuses-pairs", test_refuses_pairs);

  return g_test_run ();
}
