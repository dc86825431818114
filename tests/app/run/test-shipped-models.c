/* SPDX-License-Identifier: MIT */
/* What the cards of the models that we trained say of their heads. */
#include <stdio.h>

#include "app/run/pass.h"

/* A link of two words that stand for each other, counted within their sentences. */
typedef struct {
  int source;
  int target;
} Link;

typedef struct {
  char **columns; /* English, French, links */
  Link   links[16];
  int    n_links;
} Pair;

static void
pair_clear (Pair *self)
{
  g_strfreev (self->columns);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Pair, pair_clear)

static void
pair_parse (Pair       *self,
            const char *line)
{
  g_auto (GStrv) links = NULL;

  self->columns = g_strsplit (line, "\t", -1);
  g_assert_cmpuint (g_strv_length (self->columns), ==, 3);
  links = g_strsplit (self->columns[2], " ", -1);
  self->n_links = (int) g_strv_length (links);
  g_assert_cmpint (self->n_links, <=, (int) G_N_ELEMENTS (self->links));
  for (int i = 0; i < self->n_links; i++)
    g_assert_cmpint (sscanf (links[i], "%d-%d", &self->links[i].source, &self->links[i].target), ==,
                     2);
}

/* The word between spaces that a token begins in; -1 = it is of the template. */
static int
find_word (const EngTokens *tokens,
           int              i,
           const char      *text)
{
  int word = 0;

  if (tokens->special[i])
    return -1;
  for (int at = 0; at < tokens->spans[i].start; at++)
    word += text[at] == ' ';

  /* A piece may have the space before it in its span. */
  return word + (text[tokens->spans[i].start] == ' ');
}

/* The word that is read most in the row from which a target word is written: that of the token
 * before it. */
static int
find_read (const float     *row,
           const EngTokens *keys,
           const char      *source)
{
  double sums[64] = { 0 };
  int most = 0;

  for (int k = 0; k < keys->n; k++) {
    const int word = find_word (keys, k, source);

    if (word >= 0)
      sums[word] += row[k];
  }
  for (int word = 1; word < (int) G_N_ELEMENTS (sums); word++)
    if (sums[word] > sums[most])
      most = word;

  return most;
}

static gboolean
is_linked (const Pair *pair,
           int         source,
           int         target,
           gboolean   *has_links)
{
  gboolean is_right = FALSE;

  *has_links = FALSE;
  for (int i = 0; i < pair->n_links; i++)
    if (pair->links[i].target == target) {
      *has_links = TRUE;
      is_right |= pair->links[i].source == source;
    }

  return is_right;
}

/* Words of the target that a head aligns, and all that have a partner. */
static void
count_aligned (EngTrace   *trace,
               const Pair *pair,
               int         layer,
               int         head,
               int        *n_right,
               int        *n_words)
{
  const EngTokens *queries = eng_trace_get_query_tokens (trace, ENG_KIND_CROSS);
  const EngTokens *keys = eng_trace_get_key_tokens (trace, ENG_KIND_CROSS);
  EngAttention *attention = eng_trace_dup_attention (trace, ENG_KIND_CROSS, layer);
  int last = -1;

  for (int q = 1; q < queries->n; q++) {
    const int word = find_word (queries, q, pair->columns[1]);
    const float *row = attention->weights
                       + ((gsize) head * attention->n_queries + q - 1) * attention->n_keys;
    gboolean has_links;

    if (word < 0 || word == last)
      continue;
    last = word;
    *n_right += is_linked (pair, find_read (row, keys, pair->columns[0]), word, &has_links);
    *n_words += has_links;
  }
  eng_attention_unref (attention);
}

static EngTrace *
run_pair (EngModel   *model,
          UiDocument *document,
          const Pair *pair)
{
  g_autoptr (GError) error = NULL;
  g_auto (EngInputs) inputs = { 0 };
  EngTrace *trace;

  ui_replace_text (&document->text_a, pair->columns[0]);
  ui_replace_text (&document->text_b, pair->columns[1]);
  app_pass_encode (model, document, &inputs, &error);
  g_assert_no_error (error);
  trace = app_pass_run (model, document, &inputs, 0, FALSE, &error);
  g_assert_no_error (error);

  return trace;
}

/* Fifty sentences and their translations, aligned by hand: in words, which of the source a word of
 * the target stands for. */
static void
test_alignment (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "alignments", "en-fr.tsv",
                                                 NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (EngModel) model = NULL;
  g_auto (GStrv) lines = NULL;
  int right[8][16] = { { 0 } }, n_words = 0;
  double best = 0;

  ui_replace_text (&document->model, "headlight-en-fr");
  model = app_pass_open_model (document, &error);
  g_assert_no_error (error);
  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  lines = g_strsplit (g_strchomp (text), "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 50);

  for (int i = 0; lines[i] != NULL; i++) {
    g_auto (Pair) pair = { 0 };
    g_autoptr (EngTrace) trace = NULL;
    int of_pair = 0;

    pair_parse (&pair, lines[i]);
    trace = run_pair (model, document, &pair);
    for (int layer = 0; layer < eng_trace_get_n_layers (trace, ENG_KIND_CROSS); layer++)
      for (int head = 0; head < eng_trace_get_n_heads (trace, ENG_KIND_CROSS); head++) {
        of_pair = 0;
        count_aligned (trace, &pair, layer, head, &right[layer][head], &of_pair);
      }
    n_words += of_pair;
  }
  for (int layer = 0; layer < 8; layer++)
    for (int head = 0; head < 16; head++)
      if (right[layer][head] > 0) {
        g_test_message ("cross head %d.%d aligns %.3f of %d words", layer, head,
                        (double) right[layer][head] / n_words, n_words);
        best = MAX (best, (double) right[layer][head] / n_words);
      }
  g_assert_cmpfloat (best, >=, 0.95);
}

/* What transformers 5.23 writes with the same files, the likeliest token each time. */
static void
assert_writes (const char *name,
               EngWriting  writing,
               const char *text_a,
               const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (EngModel) model = NULL;
  g_autoptr (GArray) ids = NULL;
  g_autofree char *text = NULL;

  ui_replace_text (&document->model, name);
  ui_replace_text (&document->text_a, text_a);
  ui_replace_text (&document->text_b, "");
  model = app_pass_open_model (document, &error);
  g_assert_no_error (error);
  ids = app_pass_write_for (model, document, writing, &error);
  g_assert_no_error (error);
  text = app_pass_decode (model, ids);
  g_assert_cmpstr (g_strstrip (text), ==, expected);
}

static void
test_writing (void)
{
  static const char *const cases[][2] = {
    { "The cat is asleep.", "Le chat s'est endormi." },
    { "I don't know where my keys are.", "Je ne sais pas où sont mes clés." },
    { "She reads a book every evening.", "Elle lit un livre tous les soirs." },
    { "Tom is taller than his brother.", "Tom est plus grand que son frère." },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_writes ("headlight-en-fr", ENG_WRITING_TRANSLATE, cases[i][0], cases[i][1]);
  assert_writes ("headlight-causal", ENG_WRITING_GENERATE, "Tom told me that",
                 "he was a good teacher.");
  assert_writes ("headlight-causal", ENG_WRITING_GENERATE, "I don't want to", "go to the movies.");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/shipped-models/alignment", test_alignment);
  g_test_add_func ("/shipped-models/writing", test_writing);

  return g_test_run ();
}
