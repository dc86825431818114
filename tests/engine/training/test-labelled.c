/* SPDX-License-Identifier: MIT */
/* Examples as tokens with labels: which token has the label, and what the tokens say. */
#include "engine/training/labelled.h"

#include <string.h>

#include "tests/support/checkpoint-folder.h"
#include "tests/support/temporary.h"

#define LONGEST 24

typedef struct {
  EngTokenizer *tokenizer;
  GPtrArray    *examples;
  GStrv         labels;
  EngSides     *sides;
  EngTexts     *texts;
  GPtrArray    *batches; /* of one text each, in any order */
} Fixture;

static void
fixture_clear (Fixture *self)
{
  g_clear_pointer (&self->tokenizer, eng_tokenizer_free);
  g_clear_pointer (&self->examples, g_ptr_array_unref);
  g_clear_pointer (&self->labels, g_strfreev);
  g_clear_pointer (&self->sides, eng_sides_free);
  g_clear_pointer (&self->texts, eng_texts_free);
  g_clear_pointer (&self->batches, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, fixture_clear)

static gboolean
make (Fixture          *self,
      const char       *bytes,
      EngExamplesKind   kind,
      EngHeadInput      input,
      double            held_out,
      GError          **error)
{
  g_autofree char *model = checkpoint_get_bundled ();
  char *folder = temporary_new ();
  g_autofree char *path = g_build_filename (folder, "data.tsv", NULL);
  EngTextsSettings settings = { .longest = LONGEST, .end_id = -1, .held_out = held_out };
  EngLabelling labelling = { kind, NULL, input, TRUE };

  checkpoint_write_file (folder, "data.tsv", bytes, -1);
  self->tokenizer = eng_tokenizer_open (model, NULL);
  self->examples = eng_examples_read (path, kind, error);
  g_assert_nonnull (self->examples);
  self->labels = kind == ENG_EXAMPLES_ANSWERS ? NULL : eng_examples_dup_labels (self->examples);
  labelling.sides = self->sides = eng_sides_new (self->examples, kind, FALSE);
  labelling.labels = (const char *const *) self->labels;
  self->texts = eng_labelled_tokenise (self->examples, path, self->tokenizer, &labelling, &settings,
                                       error);
  temporary_free (folder);
  if (self->texts)
    self->batches = eng_texts_make_batches (self->texts, FALSE, 1, 1);

  return self->texts != NULL;
}

static void
make_good (Fixture         *self,
           const char      *bytes,
           EngExamplesKind  kind,
           EngHeadInput     input)
{
  g_autoptr (GError) error = NULL;

  make (self, bytes, kind, input, 0, &error);
  g_assert_no_error (error);
}

static char *
decode (const Fixture       *self,
        const EngTextsBatch *batch,
        int                  first,
        int                  last)
{
  return eng_tokenizer_decode (self->tokenizer, batch->ids + first, last - first + 1, FALSE);
}

/* The one place that has a label. */
static int
find_only (const EngTextsBatch *batch)
{
  int place = -1;

  for (int i = 0; i < batch->batch.n; i++)
    if (batch->labels[i] != ENG_NO_LABEL) {
      g_assert_cmpint (place, ==, -1);
      place = i;
    }
  g_assert_cmpint (place, >=, 0);

  return place;
}

static void
test_classes (void)
{
  g_auto (Fixture) self = { 0 };

  make_good (&self, "the cat\tx\nthe dog barks\ty\n", ENG_EXAMPLES_CLASSES, ENG_HEAD_POOLED);
  g_assert_cmpuint (self.batches->len, ==, 2);
  for (guint i = 0; i < 2; i++) {
    const EngTextsBatch *batch = self.batches->pdata[i];
    g_autofree char *text = decode (&self, batch, 0, batch->batch.n - 1);

    g_assert_cmpint (find_only (batch), ==, 0);
    g_assert_cmpstr (self.labels[batch->labels[0]], ==, strstr (text, "cat") ? "x" : "y");
  }
}

static void
test_last (void)
{
  g_auto (Fixture) self = { 0 };
  const EngTextsBatch *batch;

  make_good (&self, "the cat\tx\n", ENG_EXAMPLES_CLASSES, ENG_HEAD_LAST);
  batch = self.batches->pdata[0];
  g_assert_cmpint (find_only (batch), ==, batch->batch.n - 1);
}

/* [CLS] A [SEP] B [SEP]: of the second text each token's type is 1. */
static void
test_pairs (void)
{
  g_auto (Fixture) self = { 0 };
  const EngTextsBatch *batch;
  gint32 separator;

  make_good (&self, "the cat\tthe dog barks\tx\n", ENG_EXAMPLES_PAIRS, ENG_HEAD_POOLED);
  batch = self.batches->pdata[0];
  separator = eng_tokenizer_find_id (self.tokenizer, "[SEP]");
  for (int i = 0, type = 0; i < batch->batch.n; i++) {
    g_assert_cmpint (batch->batch.type_ids[i], ==, type);
    type |= batch->ids[i] == separator;
  }
}

/* Each word's tag at its first piece, whatever pieces it has. */
static void
test_tags (void)
{
  g_auto (Fixture) self = { 0 };
  const EngTextsBatch *batch;
  const EngExample *example;
  int word = 0, n_pieces = 0;

  make_good (&self, "Xylophones\tT0\n,\tT1\nunquestionably\tT2\nit's\tT3\nthe\tT4\n",
             ENG_EXAMPLES_TAGS, ENG_HEAD_TOKENS);
  batch = self.batches->pdata[0];
  example = self.examples->pdata[0];
  for (int i = 0; i < batch->batch.n; i++)
    if (batch->labels[i] != ENG_NO_LABEL) {
      g_autofree char *lower = g_utf8_strdown (example->words[word], -1);
      g_autofree char *piece = decode (&self, batch, i, i);

      g_assert_true (g_str_has_prefix (lower, piece));
      g_assert_cmpint (batch->labels[i], ==, word++);
    } else
      n_pieces += !batch->special[i];
  g_assert_cmpint (word, ==, 5);
  g_assert_cmpint (n_pieces, >, 2);
}

static void
check_answer (const char *before,
              const char *behind)
{
  g_auto (Fixture) self = { 0 };
  g_autofree char *line = g_strconcat ("who sat?\t", before, "the old cat", behind,
                                       "\tthe old cat\n", NULL);
  const EngTextsBatch *batch;
  g_autofree char *answer = NULL, *all = NULL;
  int first;

  make_good (&self, line, ENG_EXAMPLES_ANSWERS, ENG_HEAD_TOKENS);
  batch = self.batches->pdata[0];
  first = find_only (batch);
  answer = decode (&self, batch, first, batch->labels[first]);
  all = decode (&self, batch, 0, batch->batch.n - 1);
  g_assert_cmpstr (answer, ==, "the old cat");
  g_assert_nonnull (strstr (all, "who sat"));
  g_assert_true (batch->special[0] && batch->special[batch->batch.n - 1]);
  g_assert_cmpint (batch->batch.n, <=, LONGEST);
}

/* Also where the context is longer than the model reads, and has the answer anywhere. */
static void
test_answers (void)
{
  const char *filling = " a dog barks at the moon and a bird sees it in the night of the day, "
                        "and a horse comes over the river to the house. ";

  check_answer ("", " sat.");
  check_answer ("I think that ", "");
  check_answer (filling, " sat.");
  check_answer ("", filling);
  check_answer (filling, filling);
}

static void
test_refused (void)
{
  g_auto (Fixture) all_held = { 0 };
  g_auto (Fixture) too_long = { 0 };
  g_auto (Fixture) alone = { 0 };
  g_autoptr (GError) held = NULL, cut = NULL, one = NULL;

  g_assert_false (make (&all_held, "a\tx\nb\ty\n", ENG_EXAMPLES_CLASSES, ENG_HEAD_POOLED, 1,
                        &held));
  g_assert_nonnull (strstr (held->message, "data.tsv: there is no example to learn from"));
  g_assert_false (make (&too_long, "\nwho?\ta b c d e f g h i j k l m n o p q r s t u v w x y z\t"
                                   "a b c d e f g h i j k l m n o p q r s t u v w x y z\n",
                        ENG_EXAMPLES_ANSWERS, ENG_HEAD_TOKENS, 0, &cut));
  g_assert_nonnull (strstr (cut->message, "have more than 24 tokens"));
  g_assert_nonnull (strstr (cut->message, "data.tsv:2: "));
  g_assert_false (make (&alone, "\nthe\tO\ncat\tB\n", ENG_EXAMPLES_TAGS, ENG_HEAD_TOKENS, 0.1,
                        &one));
  g_assert_nonnull (strstr (one->message, "data.tsv:2: there is no other example"));
}

/* The first text of a pair, or the second, without what stands around them. */
static char *
decode_text (const Fixture       *self,
             const EngTextsBatch *batch,
             int                  side)
{
  int start = 1, end = 1;

  while (!batch->special[end])
    end++;
  if (side == 1)
    for (start = ++end; !batch->special[end];)
      end++;

  return decode (self, batch, start, end - 1);
}

/* Of both texts, and of a context that was cut what is left of it. */
static void
test_words (void)
{
  g_auto (Fixture) pairs = { 0 };
  g_auto (Fixture) cut = { 0 };

  make_good (&pairs, "a cat, they say\tit is so!\tx\na\tb\ty\n", ENG_EXAMPLES_PAIRS,
             ENG_HEAD_POOLED);
  g_assert_cmpint (eng_texts_count_words (pairs.texts, FALSE), ==, 4 + 3 + 2);
  make_good (&cut, "who sat ?\ta b c d e f g h i j k l m n o p q r s t u v w x y z\tm n\n",
             ENG_EXAMPLES_ANSWERS, ENG_HEAD_TOKENS);
  /* [CLS], three of the question, [SEP], the context, [SEP]. */
  g_assert_cmpint (eng_texts_count_words (cut.texts, FALSE), ==, 2 + LONGEST - 6);
}

static void
add_texts (const Fixture   *self,
           const GPtrArray *batches,
           int              side,
           GHashTable      *texts)
{
  for (guint i = 0; i < batches->len; i++)
    g_hash_table_add (texts, decode_text (self, batches->pdata[i], side));
}

/* Sides from which on to which no text stands on both: of pairs 0 to 1, of answers the context. */
static void
check_held_out (const char      *lines,
                EngExamplesKind  kind,
                int              first,
                int              last)
{
  g_auto (Fixture) self = { 0 };
  g_autoptr (GPtrArray) held_out = NULL;
  g_autoptr (GHashTable) learnt = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) asked = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GHashTableIter iter;
  gpointer text;

  g_assert_true (make (&self, lines, kind, kind == ENG_EXAMPLES_PAIRS ? ENG_HEAD_POOLED
                                                                      : ENG_HEAD_TOKENS, 0.4, NULL));
  held_out = eng_texts_make_batches (self.texts, TRUE, 1, 1);
  g_assert_cmpuint (held_out->len, >, 10);
  g_assert_cmpuint (self.batches->len, >, 10);
  for (int side = first; side <= last; side++) {
    add_texts (&self, self.batches, side, learnt);
    add_texts (&self, held_out, side, asked);
  }
  g_hash_table_iter_init (&iter, asked);
  while (g_hash_table_iter_next (&iter, &text, NULL))
    g_assert_false (g_hash_table_contains (learnt, text));
}

/* No text of a pair stands on both sides, be it the first or the second of another one; and no
 * context, whatever is asked about it. */
static void
test_held_out (void)
{
  g_autoptr (GString) pairs = g_string_new (NULL);
  g_autoptr (GString) answers = g_string_new (NULL);

  for (int i = 0; i < 90; i++) {
    int group = i / 3 * 3;

    /* a–b, c–b, d–c. */
    g_string_append_printf (pairs, "text %d\ttext %d\t%s\n", i % 3 == 0 ? group + 300 : i,
                            i % 3 == 2 ? i - 1 : group, i % 2 ? "x" : "y");
    g_string_append_printf (answers, "who is %d?\tthe cat %d sat\tcat\n", i, i / 2);
  }
  check_held_out (pairs->str, ENG_EXAMPLES_PAIRS, 0, 1);
  check_held_out (answers->str, ENG_EXAMPLES_ANSWERS, 1, 1);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/training/labelled/classes", test_classes);
  g_test_add_func ("/engine/training/labelled/last", test_last);
  g_test_add_func ("/engine/training/labelled/pairs", test_pairs);
  g_test_add_func ("/engine/training/labelled/tags", test_tags);
  g_test_add_func ("/engine/training/labelled/answers", test_answers);
  g_test_add_func ("/engine/training/labelled/refused", test_refused);
  g_test_add_func ("/engine/training/labelled/words", test_words);
  g_test_add_func ("/engine/training/labelled/held-out", test_held_out);

  return g_test_run ();
}
