/* SPDX-License-Identifier: MIT */
/* Files that are learnt from. The first byte says of which kind, the rest is the file. Whatever is
 * taken has tokens and labels that a step can read; whatever is refused says where. */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/training/labelled.h"
#include "tests/fuzz/fuzz.h"

#define LONGEST 19
#define N_EXAMPLE_KINDS 4
#define N_KINDS (N_EXAMPLE_KINDS + 2) /* and plain texts, and pairs of them */

static const char *const seeds[] = {
  "\0the cat sat\tx\n\na dog jumps\ty\r\n",
  "\1the cat\ta dog\tsame\nfruit flies\tthe mat\tother\n",
  "\2the\tO\ncat\tB\n\njohn\tB\nsmith\tI\n",
  "\3who sat ?\tthe cat sat on a mat\tcat\nwhere\tin paris , in london\tin london\n",
  "\4the cat sat on a mat\ntime flies like an arrow\n",
  "\5the cat\ta dog\ntime flies\tan arrow\n",
};

static char *path;
static EngTokenizer *tokenizer;

void
fuzz_add_seeds (GPtrArray *array)
{
  g_autofree char *name = g_strdup_printf ("fuzz-data-%d.tsv", (int) getpid ());
  g_autofree char *model = g_build_filename (g_getenv ("G_TEST_SRCDIR"), "fixtures", "models",
                                             "pretraining", NULL);

  path = g_build_filename (g_get_tmp_dir (), name, NULL);
  tokenizer = eng_tokenizer_open (model, NULL);
  g_assert_nonnull (tokenizer);
  for (gsize i = 0; i < G_N_ELEMENTS (seeds); i++)
    g_ptr_array_add (array, g_bytes_new_static (seeds[i], 1 + strlen (seeds[i] + 1)));
}

static void
write_file (const guint8 *data,
            gsize         size)
{
  int fd = g_open (path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (fd, data, size), ==, (gssize) size);
  close (fd);
}

static void
check_error (const GError *error)
{
  g_assert_nonnull (error);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  g_assert_null (strchr (error->message, '\n'));
}

static void
check_batch (const EngTextsBatch *batch,
             gboolean             answers,
             int                  n_labels)
{
  int n = batch->batch.n;

  g_assert_cmpint (n, <=, LONGEST);
  for (int i = 0; i < batch->batch.n_sequences * n; i++) {
    g_assert_cmpint (batch->ids[i], >=, 0);
    if (batch->labels[i] == ENG_NO_LABEL)
      continue;
    g_assert_true (batch->visible[i]);
    g_assert_cmpint (batch->labels[i], >=, answers ? i % n : 0);
    g_assert_cmpint (batch->labels[i], <, answers ? n : n_labels);
  }
}

static void
check_texts (const EngTexts *texts,
             gboolean        answers,
             int             n_labels)
{
  for (int held_out = 0; held_out < 2; held_out++) {
    g_autoptr (GPtrArray) batches = eng_texts_make_batches (texts, held_out, 40, 1);

    for (guint i = 0; i < batches->len; i++)
      check_batch (batches->pdata[i], answers, n_labels);
  }
}

static void
run_examples (EngExamplesKind kind)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) examples = eng_examples_read (path, kind, &error);
  g_auto (GStrv) labels = examples ? eng_examples_dup_labels (examples) : NULL;
  EngTextsSettings settings = { .longest = LONGEST, .end_id = -1, .held_out = 0.3 };
  EngLabelling labelling = { kind, (const char *const *) labels, ENG_HEAD_FIRST, TRUE };
  g_autoptr (EngSides) sides = NULL;
  g_autoptr (EngTexts) texts = NULL;
  gboolean answers = kind == ENG_EXAMPLES_ANSWERS;

  if (!examples) {
    check_error (error);
    return;
  }
  labelling.sides = sides = eng_sides_new (examples, kind, FALSE);
  texts = eng_labelled_tokenise (examples, path, tokenizer, &labelling, &settings, &error);
  if (texts)
    check_texts (texts, answers, (int) g_strv_length (labels));
  else
    check_error (error);
}

static void
run_plain (gboolean pairs)
{
  g_autoptr (GError) error = NULL;
  EngTextsSettings settings = { .longest = LONGEST, .end_id = 2, .held_out = 0.3, .pairs = pairs };
  g_autoptr (EngTexts) texts = eng_texts_read (path, tokenizer, &settings, &error);

  if (texts)
    check_texts (texts, FALSE, G_MAXINT);
  else
    check_error (error);
}

void
fuzz_one (const guint8 *data,
          gsize         size)
{
  int kind = size > 0 ? data[0] % N_KINDS : 0;

  write_file (data + (size > 0), size - (size > 0));
  if (kind < N_EXAMPLE_KINDS)
    run_examples ((EngExamplesKind) kind);
  else
    run_plain (kind > N_EXAMPLE_KINDS);
  g_unlink (path);
}
