/* SPDX-License-Identifier: MIT */
/* Files of texts with their answers: what is read, and that a refusal names file and line. */
#include "engine/examples/examples.h"

#include <string.h>

#include "tests/support/checkpoint-folder.h"
#include "tests/support/temporary.h"

static GPtrArray *
read_bytes (const char       *bytes,
            EngExamplesKind   kind,
            GError          **error)
{
  char *folder = temporary_new ();
  g_autofree char *path = g_build_filename (folder, "data.tsv", NULL);
  GPtrArray *examples;

  checkpoint_write_file (folder, "data.tsv", bytes, -1);
  examples = eng_examples_read (path, kind, error);
  temporary_free (folder);

  return examples;
}

static GPtrArray *
read_good (const char      *bytes,
           EngExamplesKind  kind)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *examples = read_bytes (bytes, kind, &error);

  g_assert_no_error (error);

  return examples;
}

static void
assert_labels (const GPtrArray *examples,
               const char      *expected)
{
  g_auto (GStrv) labels = eng_examples_dup_labels (examples);
  g_autofree char *joined = g_strjoinv (",", labels);

  g_assert_cmpstr (joined, ==, expected);
}

static void
test_classes (void)
{
  g_autoptr (GPtrArray) examples = read_good ("good film\tyes\r\n\n  \n bad one \t no \ngood\tyes",
                                              ENG_EXAMPLES_CLASSES);
  const EngExample *second = examples->pdata[1];

  g_assert_cmpuint (examples->len, ==, 3);
  g_assert_cmpstr (second->a, ==, "bad one");
  g_assert_null (second->b);
  g_assert_cmpstr (second->label, ==, "no");
  assert_labels (examples, "no,yes");
}

static void
test_pairs (void)
{
  g_autoptr (GPtrArray) examples = read_good ("a\tb\tsame\nc\td\tother\n", ENG_EXAMPLES_PAIRS);
  const EngExample *first = examples->pdata[0];

  g_assert_cmpuint (examples->len, ==, 2);
  g_assert_cmpstr (first->a, ==, "a");
  g_assert_cmpstr (first->b, ==, "b");
  assert_labels (examples, "other,same");
}

static void
test_tags (void)
{
  g_autoptr (GPtrArray) examples = read_good ("\nAda\tB\nLovelace\tI\nwrote\tO\n\n\nYes\tO",
                                              ENG_EXAMPLES_TAGS);
  const EngExample *first = examples->pdata[0], *second = examples->pdata[1];

  g_assert_cmpuint (examples->len, ==, 2);
  g_assert_cmpstr (first->a, ==, "Ada Lovelace wrote");
  g_assert_cmpuint (g_strv_length (first->words), ==, 3);
  g_assert_cmpstr (first->tags[1], ==, "I");
  g_assert_null (first->tags[3]);
  g_assert_cmpstr (second->a, ==, "Yes");
  assert_labels (examples, "B,I,O");
}

/* The first place that is alike. */
static void
test_answers (void)
{
  g_autoptr (GPtrArray) examples = read_good ("who?\té Ada and Ada.\tAda\n", ENG_EXAMPLES_ANSWERS);
  const EngExample *first = examples->pdata[0];

  g_assert_cmpint (first->start, ==, 3);
  g_assert_cmpstr (first->label, ==, "Ada");
}

/* A mark before the file is none of its text; the same letter is one where it stands elsewhere. */
static void
test_mark (void)
{
  g_autoptr (GPtrArray) examples =
    read_good ("\xef\xbb\xbfgood film\tyes\n\xef\xbb\xbf""bad\tno\n", ENG_EXAMPLES_CLASSES);
  g_autoptr (GPtrArray) blank =
    read_good ("\xef\xbb\xbf\nAda\tB\n", ENG_EXAMPLES_TAGS);
  g_autoptr (GError) error = NULL;
  const EngExample *first = examples->pdata[0], *second = examples->pdata[1];

  g_assert_cmpstr (first->a, ==, "good film");
  g_assert_cmpstr (second->a, ==, "\xef\xbb\xbf""bad");
  g_assert_cmpint (((const EngExample *) blank->pdata[0])->line, ==, 2);
  g_assert_null (read_bytes ("\xef\xbb\xbf", ENG_EXAMPLES_CLASSES, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_TEXT);
}

typedef struct {
  EngExamplesKind kind;
  const char     *bytes;
  const char     *part;
} Refusal;

static const Refusal refusals[] = {
  { ENG_EXAMPLES_CLASSES, "a\tx\nb\n", "data.tsv:2: the line has 1 column, expected 2" },
  { ENG_EXAMPLES_CLASSES, "a\tb\tx\n", "data.tsv:1: the line has 3 columns, expected 2" },
  { ENG_EXAMPLES_CLASSES, "a\tx\n\n \ty\n", "data.tsv:3: column 1 of the line is empty" },
  { ENG_EXAMPLES_CLASSES, "a\tx\nb\xc3\tx\n", "data.tsv:2: the line is not UTF-8" },
  { ENG_EXAMPLES_CLASSES, "", "data.tsv: there is no text with a label" },
  { ENG_EXAMPLES_PAIRS, "a\tx\n", "data.tsv:1: the line has 2 columns, expected 3" },
  { ENG_EXAMPLES_TAGS, "a\tx\n\nb x\n", "data.tsv:3: the line has 1 column, expected 2" },
  { ENG_EXAMPLES_TAGS, "\n\n", "data.tsv: there is no word with a tag" },
  { ENG_EXAMPLES_ANSWERS, "who?\tAda wrote.\tBob\n",
    "data.tsv:1: the answer is not in the context" },
};

static void
test_refused (void)
{
  g_autofree char *filling = g_strnfill (1 << 20, 'a');
  g_autofree char *longer = g_strconcat ("a\tx\n", filling, "\tx\n", NULL);
  g_autoptr (GError) too_long = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (refusals); i++) {
    g_autoptr (GError) error = NULL;

    g_assert_null (read_bytes (refusals[i].bytes, refusals[i].kind, &error));
    g_assert_error (error, ENG_ERROR, ENG_ERROR_TEXT);
    if (!strstr (error->message, refusals[i].part))
      g_error ("“%s” does not say “%s”", error->message, refusals[i].part);
  }
  g_assert_null (read_bytes (longer, ENG_EXAMPLES_CLASSES, &too_long));
  g_assert_nonnull (strstr (too_long->message, "data.tsv:2: the line has 1048578 bytes"));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/examples/classes", test_classes);
  g_test_add_func ("/engine/examples/pairs", test_pairs);
  g_test_add_func ("/engine/examples/tags", test_tags);
  g_test_add_func ("/engine/examples/answers", test_answers);
  g_test_add_func ("/engine/examples/mark", test_mark);
  g_test_add_func ("/engine/examples/refused", test_refused);

  return g_test_run ();
}
