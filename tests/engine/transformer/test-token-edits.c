/* SPDX-License-Identifier: MIT */
/* Edits of tokens on texts of the bundled model, on ids of models of two stacks, and what a run
 * makes of them: the same as of the text that says so. */
#include "engine/transformer/token-edits.h"

#include <string.h>

#include "engine/base/error.h"
#include "engine/transformer/model-private.h"
#include "engine/transformer/session.h"
#include "tests/support/seq2seq.h"

static EngModel *
open_bundled (void)
{
  g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "..", "resources", "models",
                                                   "headlight-mini", NULL);
  g_autoptr (GError) error = NULL;
  EngModel *model = eng_model_open (folder, NULL, &error);

  g_assert_no_error (error);

  return model;
}

static void
encode (const EngModel *model,
        const char     *text_a,
        const char     *text_b,
        int             pad_to,
        gboolean        repeat,
        EngInputs      *inputs)
{
  EngTextOptions options = { .pad_to = pad_to, .repeat = repeat };
  g_autoptr (GError) error = NULL;

  eng_inputs_from_texts (model, text_a, text_b, &options, inputs, &error);
  g_assert_no_error (error);
}

/* edits: separated by semicolons. */
static gboolean
apply (const EngModel  *model,
       const char      *edits,
       EngInputs       *inputs,
       GError         **error)
{
  g_auto (GStrv) texts = g_strsplit (edits, ";", -1);
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (EngEdit));

  for (int i = 0; texts[i]; i++) {
    EngEdit edit;

    g_assert_true (eng_edit_parse (texts[i], &edit, NULL));
    g_array_append_val (list, edit);
  }

  return eng_token_edits_apply (model, (const EngEdit *) list->data, (int) list->len, inputs,
                                error);
}

static char *
join (const EngTokens *tokens)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < tokens->n; i++)
    g_string_append_printf (text, "%s%s", i ? " " : "", tokens->pieces[i]);

  return g_string_free (text, FALSE);
}

/* What was typed goes with its token, and not with the mask in its place. */
static void
test_typed (void)
{
  g_autoptr (EngModel) model = open_bundled ();
  g_autoptr (GError) error = NULL;
  EngInputs inputs = { 0 };

  encode (model, "In Łódź слово", NULL, 0, FALSE, &inputs);
  g_assert_cmpstr (inputs.tokens->typed[2], ==, "Łódź");
  g_assert_true (apply (model, "mask 2", &inputs, &error));
  g_assert_null (inputs.tokens->typed[2]);
  g_assert_cmpstr (inputs.tokens->typed[3], ==, "слово");
  g_assert_true (apply (model, "delete 2", &inputs, &error));
  g_assert_cmpstr (inputs.tokens->typed[2], ==, "слово");
  eng_inputs_clear (&inputs);
}

static void
test_pieces (void)
{
  static const struct { const char *edits, *expected; } cases[] = {
    { "zero 0.0", "[CLS] the unre ##st slept . [SEP] it sat [SEP]" },
    { "mask 1", "[CLS] [MASK] unre ##st slept . [SEP] it sat [SEP]" },
    { "mask 0", "[MASK] the unre ##st slept . [SEP] it sat [SEP]" },
    { "delete 3", "[CLS] the unre slept . [SEP] it sat [SEP]" },
    { "delete 6", "[CLS] the unre ##st slept . it sat [SEP]" },
    { "swap 1 4", "[CLS] slept unre ##st the . [SEP] it sat [SEP]" },
    /* All pieces of a word, whichever token names it, in either order. */
    { "swap 3 1", "[CLS] unre ##st the slept . [SEP] it sat [SEP]" },
    { "swap 1 2", "[CLS] unre ##st the slept . [SEP] it sat [SEP]" },
    { "swap 5 2", "[CLS] the . slept unre ##st [SEP] it sat [SEP]" },
    /* Across sentences. */
    { "swap 2 7", "[CLS] the it slept . [SEP] unre ##st sat [SEP]" },
    /* Each on the tokens that the former ones left. */
    { "swap 1 2;mask 1;delete 2", "[CLS] [MASK] the slept . [SEP] it sat [SEP]" },
    { "delete 1;delete 1;mask 1", "[CLS] [MASK] slept . [SEP] it sat [SEP]" },
    { "swap 1 4;swap 1 4", "[CLS] the unre ##st slept . [SEP] it sat [SEP]" },
    { "mask encoder 1", "[CLS] [MASK] unre ##st slept . [SEP] it sat [SEP]" },
  };
  g_autoptr (EngModel) model = open_bundled ();

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_auto (EngInputs) inputs = { 0 };
    g_autoptr (GError) error = NULL;
    g_autofree char *pieces = NULL;

    encode (model, "The unrest slept.", "It sat", 0, FALSE, &inputs);
    apply (model, cases[i].edits, &inputs, &error);
    g_assert_no_error (error);
    pieces = join (inputs.tokens);
    g_test_message ("%s", cases[i].edits);
    g_assert_cmpstr (pieces, ==, cases[i].expected);
  }
}

static void
assert_token (const EngTokens *tokens,
              int              i,
              int              start,
              int              end,
              int              segment,
              gboolean         special)
{
  g_assert_cmpint (tokens->spans[i].start, ==, start);
  g_assert_cmpint (tokens->spans[i].end, ==, end);
  g_assert_cmpint (tokens->segments[i], ==, segment);
  g_assert_cmpint (tokens->type_ids[i], ==, segment);
  g_assert_cmpint (tokens->special[i], ==, special);
}

static void
test_facts (void)
{
  g_autoptr (EngModel) model = open_bundled ();
  g_auto (EngInputs) inputs = { 0 };
  g_auto (EngInputs) moved = { 0 };
  const EngTokens *tokens;

  encode (model, "The unrest slept.", "It sat", 12, FALSE, &inputs);
  g_assert_true (apply (model, "mask 4;swap 1 2;delete 5", &inputs, NULL));
  tokens = inputs.tokens;
  g_assert_cmpint (tokens->n, ==, 11);
  assert_token (tokens, 0, -1, -1, 0, TRUE);
  assert_token (tokens, 1, 4, 8, 0, FALSE);
  assert_token (tokens, 2, 8, 10, 0, FALSE);
  assert_token (tokens, 3, 0, 3, 0, FALSE);
  assert_token (tokens, 4, 11, 16, 0, FALSE);
  assert_token (tokens, 5, -1, -1, 0, TRUE);
  assert_token (tokens, 6, 0, 2, 1, FALSE);
  g_assert_cmpstr (tokens->texts[4], ==, "[MASK]");
  g_assert_cmpint (tokens->words[1], ==, tokens->words[2]);
  g_assert_cmpint (tokens->words[1], !=, tokens->words[3]);
  g_assert_cmpint (tokens->padding[8], ==, 0);
  g_assert_cmpint (tokens->padding[9], ==, 1);

  /* In the other sentence nobody typed them. */
  encode (model, "The unrest slept.", "It sat", 0, FALSE, &moved);
  g_assert_true (apply (model, "swap 7 2", &moved, NULL));
  tokens = moved.tokens;
  assert_token (tokens, 2, -1, -1, 0, FALSE);
  assert_token (tokens, 3, 11, 16, 0, FALSE);
  assert_token (tokens, 6, -1, -1, 1, FALSE);
  assert_token (tokens, 7, -1, -1, 1, FALSE);
  assert_token (tokens, 8, 3, 6, 1, FALSE);
  g_assert_cmpint (tokens->words[6], ==, tokens->words[7]);
  g_assert_cmpint (tokens->words[6], !=, tokens->words[8]);
}

static void
test_refuses (void)
{
  static const struct { const char *edits, *message; } cases[] = {
    { "mask 12", "edit \"mask 12\": there is no token 12, only 0 to 11" },
    { "swap 12 1", "edit \"swap 12 1\": there is no token 12, only 0 to 11" },
    { "delete 1;delete 11", "edit \"delete 11\": there is no token 11, only 0 to 10" },
    { "swap 2 3", "edit \"swap 2 3\": both tokens are of one word, expected two words" },
    { "swap 4 4", "edit \"swap 4 4\": both tokens are of one word, expected two words" },
    { "delete 10", "edit \"delete 10\": it names padding, expected a token of the text" },
    { "mask decoder 1",
      "edit \"mask decoder 1\": the model has one stack alone, expected an edit of its tokens" },
    { "delete 7;delete 7",
      "edit \"delete 7\": it is the last token of text B, expected one that leaves another" },
  };
  g_autoptr (EngModel) model = open_bundled ();

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_auto (EngInputs) inputs = { 0 };
    g_autoptr (GError) error = NULL;
    const EngTokens *tokens;

    encode (model, "The unrest slept.", "It sat", 12, FALSE, &inputs);
    tokens = inputs.tokens;
    g_assert_false (apply (model, cases[i].edits, &inputs, &error));
    g_assert_error (error, ENG_ERROR, ENG_ERROR_RANGE);
    g_assert_cmpstr (error->message, ==, cases[i].message);
    g_assert_true (inputs.tokens == tokens);
  }
}

static void
assert_ids (const EngTokens *tokens,
            const char      *expected)
{
  g_autofree char *ids = join (tokens);

  g_assert_cmpstr (ids, ==, expected);
}

/* Both sides of a model that reads ids and starts its decoder with 2. */
static void
test_two_stacks (void)
{
  g_autoptr (EngModel) model = seq2seq_open ("bart-base");
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) missing = NULL;
  g_autoptr (GError) start = NULL;

  encode (model, "5 6 7 8", "9 10 11", 6, FALSE, &inputs);
  assert_ids (inputs.decoder_tokens, "2 9 10 11");
  apply (model, "swap 0 3;delete decoder 2;swap decoder 1 2;delete 1;knock-out 2", &inputs, &error);
  g_assert_no_error (error);
  assert_ids (inputs.tokens, "8 7 5 1 1");
  assert_ids (inputs.decoder_tokens, "2 11 9");
  g_assert_cmpint (inputs.decoder_tokens->segments[1], ==, 1);

  g_assert_false (apply (model, "delete decoder 0", &inputs, &start));
  g_assert_cmpstr (start->message, ==, "edit \"delete decoder 0\": token 0 is the decoder's start "
                                       "token, expected one behind it");
  g_assert_false (apply (model, "mask decoder 1", &inputs, &missing));
  g_assert_nonnull (strstr (missing->message, "has no mask token"));
}

/* A classifier of two stacks reads the edited text in both. */
static void
test_repeated (void)
{
  g_autoptr (EngModel) model = seq2seq_open ("bart-classifier");
  g_auto (EngInputs) inputs = { 0 };
  g_auto (EngInputs) typed = { 0 };
  g_autoptr (GError) error = NULL;

  encode (model, "5 6 7 8 2", NULL, 7, TRUE, &inputs);
  g_assert_true (apply (model, "swap 0 2;delete 1", &inputs, NULL));
  encode (model, "7 5 8 2", NULL, 6, TRUE, &typed);
  g_assert_cmpmem (inputs.tokens->ids, inputs.tokens->n * sizeof (gint32), typed.tokens->ids,
                   typed.tokens->n * sizeof (gint32));
  g_assert_cmpmem (inputs.decoder_tokens->ids, inputs.decoder_tokens->n * sizeof (gint32),
                   typed.decoder_tokens->ids, typed.decoder_tokens->n * sizeof (gint32));
  g_assert_false (apply (model, "delete decoder 1", &inputs, &error));
  g_assert_nonnull (strstr (error->message, "reads the encoder's text again"));
}

/* The tokens that are run are those of the text that says so; the trace names the edits. */
static void
test_run (void)
{
  g_autoptr (EngModel) model = open_bundled ();
  g_auto (EngInputs) edited = { 0 };
  g_auto (EngInputs) typed = { 0 };
  EngEdit edits[2];
  g_autoptr (EngTrace) ours = NULL, expected = NULL;
  EngMatrix logits, other;

  g_assert_true (eng_edit_parse ("swap 2 5", &edits[0], NULL));
  g_assert_true (eng_edit_parse ("mask 3", &edits[1], NULL));
  encode (model, "The cat sat on the mat", NULL, 0, FALSE, &edited);
  g_assert_true (eng_token_edits_apply (model, edits, 2, &edited, NULL));
  encode (model, "The the [MASK] on cat mat", NULL, 0, FALSE, &typed);
  ours = seq2seq_run (model, &edited, edits, 2);
  expected = seq2seq_run (model, &typed, NULL, 0);

  g_assert_true (eng_trace_get_logits (ours, ENG_TASK_FILL_MASK, &logits, NULL));
  g_assert_true (eng_trace_get_logits (expected, ENG_TASK_FILL_MASK, &other, NULL));
  g_assert_cmpmem (logits.data, logits.rows * logits.stride * sizeof (float), other.data,
                   other.rows * other.stride * sizeof (float));
  g_assert_cmpstr (eng_trace_get_edits (ours)[0], ==, "swap 2 5");
  g_assert_cmpstr (eng_trace_get_edits (ours)[1], ==, "mask 3");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/token-edits/pieces", test_pieces);
  g_test_add_func ("/token-edits/typed", test_typed);
  g_test_add_func ("/token-edits/facts", test_facts);
  g_test_add_func ("/token-edits/refuses", test_refuses);
  g_test_add_func ("/token-edits/two-stacks", test_two_stacks);
  g_test_add_func ("/token-edits/repeated", test_repeated);
  g_test_add_func ("/token-edits/run", test_run);

  return g_test_run ();
}
