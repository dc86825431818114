/* SPDX-License-Identifier: MIT */
/* Tokenizers that are learnt: the merges beside those of a search that counts everything anew each
 * time, and the files beside what the tokenizers library makes of them, recorded by
 * tests/record/record_new_tokenizers.py. */
#include "engine/tokenizer/learning/merge-learner.h"
#include "engine/tokenizer/learning/new-tokenizer.h"
#include "tests/support/bpe-cases.h"
#include "tests/support/checkpoint-folder.h"
#include "tests/support/temporary.h"

#include <glib/gstdio.h>
#include <string.h>

#define N_ENTRIES 900

static const char *const names[] = {
  [ENG_NEW_TOKENIZER_MASKED] = "new-masked",
  [ENG_NEW_TOKENIZER_NEXT_WORD] = "new-next-word",
  [ENG_NEW_TOKENIZER_TRANSLATE] = "new-translate",
};

/* The texts of all cases. */
static void
add_cases (EngNewTokenizer *tokenizer)
{
  g_autoptr (GBytes) bytes = gzip_read_fixture ("bpe/cases.gz");
  TokenReader reader = token_reader_new (bytes);

  while (reader.at < reader.end) {
    guint flags = token_reader_get_number (&reader);
    int n_texts = flags & TOKEN_CASE_PAIR ? 2 : 1;

    if (flags & TOKEN_CASE_TRUNCATE)
      token_reader_get_number (&reader);
    for (int i = 0; i < n_texts; i++) {
      g_autofree char *text = token_reader_dup_text (&reader);

      g_assert_true (eng_new_tokenizer_add (tokenizer, text, NULL));
    }
  }
}

static void
learn (EngNewTokenizerKind kind,
       const char         *folder)
{
  EngNewTokenizerPlan plan = { kind, N_ENTRIES, 64, FALSE, kind == ENG_NEW_TOKENIZER_MASKED };
  g_autoptr (EngNewTokenizer) tokenizer = eng_new_tokenizer_new (&plan);
  g_autoptr (GError) error = NULL;
  int n_entries;

  add_cases (tokenizer);
  eng_new_tokenizer_write (tokenizer, folder, NULL, &n_entries, &error);
  g_assert_no_error (error);
  g_assert_cmpint (n_entries, ==, N_ENTRIES);
}

static EngTokenizer *
open_tokenizer (const char *folder)
{
  g_autoptr (GError) error = NULL;
  EngTokenizer *tokenizer = eng_tokenizer_open (folder, &error);

  g_assert_no_error (error);

  return tokenizer;
}

/* HEADLIGHT_LEARNT names a folder that the recorder reads. */
static char *
make_folder (EngNewTokenizerKind kind)
{
  const char *kept = g_getenv ("HEADLIGHT_LEARNT");
  char *folder = kept ? g_build_filename (kept, names[kind], NULL) : temporary_new ();

  g_assert_cmpint (g_mkdir_with_parents (folder, 0777), ==, 0);

  return folder;
}

static void
drop_folder (char *folder)
{
  if (g_getenv ("HEADLIGHT_LEARNT"))
    g_free (folder);
  else
    temporary_free (folder);
}

static void
test_library (gconstpointer data)
{
  EngNewTokenizerKind kind = (EngNewTokenizerKind) GPOINTER_TO_INT (data);
  char *folder = make_folder (kind);
  g_autofree char *file = g_strconcat (names[kind], ".hashes", NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "bpe", file, NULL);
  g_autofree char *hashes = NULL;
  g_autoptr (EngTokenizer) tokenizer = NULL;
  gsize length;

  learn (kind, folder);
  tokenizer = open_tokenizer (folder);
  g_assert_cmpint (eng_tokenizer_get_n_entries (tokenizer), ==, N_ENTRIES);
  g_assert_cmpint (eng_tokenizer_get_max_length (tokenizer), ==, 64);
  drop_folder (folder);
  if (g_getenv ("HEADLIGHT_LEARNT")) {
    g_test_skip ("left for the recorder");
    return;
  }
  g_assert_true (g_file_get_contents (path, &hashes, &length, NULL));
  g_assert_true (bpe_cases_check (tokenizer, names[kind], (const guint8 *) hashes, 1) ==
                 (const guint8 *) hashes + length);
}

static int
find_role (const EngTokenizer *tokenizer,
           const char         *role)
{
  return eng_tokenizer_find_special (tokenizer, role);
}

/* The special tokens come first, and the files say what they are for. */
static void
test_roles (void)
{
  char *folders[] = { temporary_new (), temporary_new (), temporary_new () };
  g_autoptr (EngTokenizer) masked = NULL;
  g_autoptr (EngTokenizer) next_word = NULL;
  g_autoptr (EngTokenizer) translate = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    learn ((EngNewTokenizerKind) i, folders[i]);
  masked = open_tokenizer (folders[ENG_NEW_TOKENIZER_MASKED]);
  next_word = open_tokenizer (folders[ENG_NEW_TOKENIZER_NEXT_WORD]);
  translate = open_tokenizer (folders[ENG_NEW_TOKENIZER_TRANSLATE]);
  g_assert_cmpint (find_role (masked, "pad_token"), ==, 0);
  g_assert_cmpint (eng_tokenizer_get_unknown_id (masked), ==, 1);
  g_assert_cmpint (find_role (masked, "cls_token"), ==, 2);
  g_assert_cmpint (find_role (masked, "sep_token"), ==, 3);
  g_assert_cmpint (eng_tokenizer_get_mask_id (masked), ==, 4);
  g_assert_cmpint (find_role (next_word, "bos_token"), ==, 0);
  g_assert_cmpint (find_role (next_word, "eos_token"), ==, 0);
  g_assert_cmpint (find_role (translate, "pad_token"), ==, 0);
  g_assert_cmpint (find_role (translate, "eos_token"), ==, 1);
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    temporary_free (folders[i]);
}

/* No text has an unknown token, and each comes back as it was. */
static void
test_every_byte (void)
{
  static const char *const texts[] = { "日本語 и русский", "🦊\t\x01 tab", "l\u2019hôtel, où\u00a0?" };
  char *folder = temporary_new ();
  g_autoptr (EngTokenizer) tokenizer = NULL;

  learn (ENG_NEW_TOKENIZER_NEXT_WORD, folder);
  tokenizer = open_tokenizer (folder);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    EngTokenizeOptions options = { 0 };
    g_autoptr (EngTokens) tokens =
      eng_tokenizer_encode (tokenizer, texts[i], NULL, &options, NULL);
    g_autofree char *decoded = eng_tokenizer_decode (tokenizer, tokens->ids, tokens->n, TRUE);

    g_assert_cmpstr (decoded, ==, texts[i]);
  }
  temporary_free (folder);
}

static void
test_same_bytes (void)
{
  static const char *const files[] = { "tokenizer.json", "tokenizer_config.json" };
  char *one = temporary_new (), *other = temporary_new ();

  learn (ENG_NEW_TOKENIZER_MASKED, one);
  learn (ENG_NEW_TOKENIZER_MASKED, other);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *a = checkpoint_read_file (one, files[i], NULL);
    g_autofree char *b = checkpoint_read_file (other, files[i], NULL);

    g_assert_cmpstr (a, ==, b);
  }
  temporary_free (one);
  temporary_free (other);
}

static void
test_lower_case (void)
{
  EngNewTokenizerPlan plan = { ENG_NEW_TOKENIZER_MASKED, 60, 64, TRUE };
  g_autoptr (EngNewTokenizer) learner = eng_new_tokenizer_new (&plan);
  char *folder = temporary_new ();
  g_autoptr (EngTokenizer) tokenizer = NULL;
  int n_entries;

  g_assert_true (eng_new_tokenizer_add (learner, "Émile et ÉMILE et émile", NULL));
  g_assert_true (eng_new_tokenizer_write (learner, folder, NULL, &n_entries, NULL));
  tokenizer = open_tokenizer (folder);
  g_assert_cmpint (eng_tokenizer_find_id (tokenizer, "emile"), >, 0);
  g_assert_cmpint (n_entries, <, 60);
  g_assert_cmpint (n_entries, ==, eng_tokenizer_get_n_entries (tokenizer));
  temporary_free (folder);
}

/* Nothing is written then. */
static void
test_refuses (void)
{
  EngNewTokenizerPlan small = { ENG_NEW_TOKENIZER_NEXT_WORD, 256, 64, FALSE };
  EngNewTokenizerPlan plan = { ENG_NEW_TOKENIZER_NEXT_WORD, 900, 64, FALSE };
  g_autoptr (EngNewTokenizer) learner = eng_new_tokenizer_new (&small);
  g_autoptr (EngNewTokenizer) cancelled = eng_new_tokenizer_new (&plan);
  char *folder = temporary_new ();
  g_autofree char *absent = g_build_filename (folder, "absent", NULL);
  g_autoptr (GError) error = NULL;
  const gint raised = 1;
  int n_entries;

  g_assert_false (eng_new_tokenizer_write (learner, folder, NULL, &n_entries, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_RANGE);
  g_test_message ("%s", error->message);
  g_clear_error (&error);
  add_cases (cancelled);
  g_assert_false (eng_new_tokenizer_write (cancelled, folder, &raised, &n_entries, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_cmpint (temporary_count (folder), ==, 0);

  eng_new_tokenizer_free (g_steal_pointer (&learner));
  learner = eng_new_tokenizer_new (&plan);
  g_assert_false (eng_new_tokenizer_write (learner, absent, NULL, &n_entries, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_IO);
  g_test_message ("%s", error->message);
  temporary_free (folder);
}

/* Words as lists of the numbers of their pieces, each number two bytes, and how often each word
 * stands: the search that the learner is compared with. */
#define N_WORDS 40
#define MAX_PIECES 16

typedef struct {
  int n;
  int pieces[MAX_PIECES];
  int count;
} Word;

static int
count_pair (const Word *words,
            int         left,
            int         right)
{
  int n = 0;

  for (int i = 0; i < N_WORDS; i++)
    for (int k = 0; k + 1 < words[i].n; k++)
      n += words[i].pieces[k] == left && words[i].pieces[k + 1] == right ? words[i].count : 0;

  return n;
}

static void
merge_pair (Word          *word,
            EngLearntMerge merge)
{
  int n = 0;

  for (int i = 0; i < word->n; i++) {
    gboolean merges = i + 1 < word->n && word->pieces[i] == merge.left &&
                      word->pieces[i + 1] == merge.right;

    word->pieces[n++] = merges ? merge.merged : word->pieces[i];
    i += merges;
  }
  word->n = n;
}

/* The most frequent pair of all, the first of them by the numbers of its pieces. */
static EngLearntMerge
find_best (const Word *words,
           int         n_pieces,
           int        *count)
{
  EngLearntMerge best = { -1, -1, -1 };

  *count = 0;
  for (int left = 0; left < n_pieces; left++)
    for (int right = 0; right < n_pieces; right++) {
      int n = count_pair (words, left, right);

      if (n > *count) {
        *count = n;
        best = (EngLearntMerge) { left, right, -1 };
      }
    }

  return best;
}

/* Words of three letters, in which pairs overlap and different ways lead to the same piece. */
static void
fill_words (Word            *words,
            EngMergeLearner *learner,
            GRand           *chance)
{
  for (int i = 0; i < N_WORDS; i++) {
    char spelt[MAX_PIECES + 1] = "";

    words[i].n = g_rand_int_range (chance, 1, MAX_PIECES);
    words[i].count = g_rand_int_range (chance, 1, 5);
    for (int k = 0; k < words[i].n; k++) {
      words[i].pieces[k] = g_rand_int_range (chance, 0, 3);
      spelt[k] = (char) ('a' + words[i].pieces[k]);
    }
    for (int k = 0; k < words[i].count; k++)
      eng_merge_learner_add_word (learner, spelt);
  }
}

static void
check_merges (guint32 seed)
{
  g_autoptr (GRand) chance = g_rand_new_with_seed (seed);
  g_autoptr (EngMergeLearner) learner = eng_merge_learner_new ("");
  const GArray *merges = eng_merge_learner_get_merges (learner);
  Word words[N_WORDS];
  int count = 0;

  eng_merge_learner_add_piece (learner, "a");
  eng_merge_learner_add_piece (learner, "b");
  eng_merge_learner_add_piece (learner, "c");
  fill_words (words, learner, chance);
  g_assert_true (eng_merge_learner_run (learner, 30, 0, NULL));
  g_assert_cmpint (eng_merge_learner_get_n (learner), ==, 30);
  g_assert_cmpuint (merges->len, >=, 27);
  for (guint i = 0; i < merges->len; i++) {
    EngLearntMerge merge = g_array_index (merges, EngLearntMerge, i);
    EngLearntMerge best = find_best (words, 30, &count);
    g_autofree char *both = g_strconcat (eng_merge_learner_get_piece (learner, merge.left),
                                         eng_merge_learner_get_piece (learner, merge.right), NULL);

    g_assert_cmpint (merge.left, ==, best.left);
    g_assert_cmpint (merge.right, ==, best.right);
    g_assert_cmpstr (eng_merge_learner_get_piece (learner, merge.merged), ==, both);
    for (int k = 0; k < N_WORDS; k++)
      merge_pair (&words[k], merge);
  }
  g_assert_cmpint (count, >=, 2);
}

static void
test_merges (void)
{
  for (guint32 seed = 0; seed < 50; seed++)
    check_merges (seed);
}

/* Characters within a word are marked, and the rarest are left out with the words that have
 * them. */
static void
test_continuation (void)
{
  g_autoptr (EngMergeLearner) learner = eng_merge_learner_new ("##");
  const char *const expected[] = { "##b", "##c", "a", "b", "##bc", "abc", "ab" };

  for (int i = 0; i < 3; i++)
    eng_merge_learner_add_word (learner, "abc");
  for (int i = 0; i < 2; i++)
    eng_merge_learner_add_word (learner, "bbc");
  for (int i = 0; i < 2; i++)
    eng_merge_learner_add_word (learner, "ab");
  eng_merge_learner_add_word (learner, "xb");
  g_assert_true (eng_merge_learner_run (learner, 7, 4, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpstr (eng_merge_learner_get_piece (learner, (int) i), ==, expected[i]);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *path = g_strdup_printf ("/engine/tokenizer/learning/%s", names[i]);

    g_test_add_data_func (path, GINT_TO_POINTER (i), test_library);
  }
  g_test_add_func ("/engine/tokenizer/learning/roles", test_roles);
  g_test_add_func ("/engine/tokenizer/learning/every-byte", test_every_byte);
  g_test_add_func ("/engine/tokenizer/learning/same-bytes", test_same_bytes);
  g_test_add_func ("/engine/tokenizer/learning/lower-case", test_lower_case);
  g_test_add_func ("/engine/tokenizer/learning/refuses", test_refuses);
  g_test_add_func ("/engine/tokenizer/learning/merges", test_merges);
  g_test_add_func ("/engine/tokenizer/learning/continuation", test_continuation);

  return g_test_run ();
}
