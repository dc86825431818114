/* SPDX-License-Identifier: MIT */
#include "engine/transformer/inputs.h"

#include "engine/transformer/model-private.h"
#include "tests/support/checkpoint-folder.h"
#include "tests/support/json-text.h"

#include <locale.h>
#include <string.h>

/* Texts here have ' for ", which C would want escaped. */
static const char two_stacks[] =
  "{'model_type': 'bart', 'architectures': ['BartForConditionalGeneration'], 'vocab_size': 41,"
  " 'd_model': 20, 'encoder_layers': 1, 'decoder_layers': 1, 'encoder_attention_heads': 2,"
  " 'decoder_attention_heads': 2, 'encoder_ffn_dim': 9, 'decoder_ffn_dim': 9, 'pad_token_id': 1,"
  " 'eos_token_id': 2, 'decoder_start_token_id': 3, 'max_position_embeddings': 24}";
/* Without the token that fills texts up. */
static const char one_stack[] =
  "{'model_type': 'gpt2', 'architectures': ['GPT2LMHeadModel'], 'vocab_size': 41,"
  " 'n_positions': 24, 'n_embd': 20, 'n_layer': 1, 'n_head': 2, 'eos_token_id': 6}";

/* A model without a tokenizer. */
static EngModel *
open_config (const char *text)
{
  g_autofree char *config = json_text (text);
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("headlight-inputs-XXXXXX", &error);
  EngModel *model;

  g_assert_no_error (error);
  checkpoint_write_file (folder, "config.json", config, -1);
  model = eng_model_open_untrained (folder, NULL, 1, &error);
  g_assert_no_error (error);
  checkpoint_remove_folder (folder);

  return model;
}

/* A BERT of 19 positions with a small vocabulary. */
static EngModel *
open_specimen (void)
{
  g_autofree char *folder = checkpoint_get_specimen ("pretraining");
  g_autoptr (GError) error = NULL;
  EngModel *model = eng_model_open (folder, NULL, &error);

  g_assert_no_error (error);

  return model;
}

static void
make (const EngModel       *model,
      const char           *text_a,
      const char           *text_b,
      const EngTextOptions *options,
      EngInputs            *inputs)
{
  g_autoptr (GError) error = NULL;

  eng_inputs_from_texts (model, text_a, text_b, options, inputs, &error);
  g_assert_no_error (error);
}

static void
assert_refused (const EngModel       *model,
                const char           *text_a,
                const char           *text_b,
                const EngTextOptions *options,
                int                   code,
                const char           *says)
{
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (GError) error = NULL;

  g_assert_false (eng_inputs_from_texts (model, text_a, text_b, options, &inputs, &error));
  g_test_message ("%s", error->message);
  g_assert_error (error, ENG_ERROR, code);
  g_assert_nonnull (strstr (error->message, says));
  g_assert_false (g_str_has_suffix (error->message, "."));
  g_assert_null (inputs.tokens);
  g_assert_null (inputs.decoder_tokens);
}

/* "[CLS]* the 0-3 ...": texts, a star at those that nobody typed, spans of the others, a bar where
 * the sentence changes, a ~ at padding. */
static void
assert_tokens (const EngTokens *tokens,
               const char      *expected)
{
  g_autoptr (GString) found = g_string_new (NULL);

  for (int i = 0; i < tokens->n; i++) {
    g_string_append_printf (found, "%s%s", i == 0 ? "" : " ", tokens->texts[i]);
    if (tokens->special[i])
      g_string_append_c (found, '*');
    if (tokens->padding[i])
      g_string_append_c (found, '~');
    if (tokens->spans[i].start >= 0)
      g_string_append_printf (found, " %d-%d", tokens->spans[i].start, tokens->spans[i].end);
    if (i + 1 < tokens->n && tokens->segments[i + 1] != tokens->segments[i])
      g_string_append (found, " |");
  }
  g_assert_cmpstr (found->str, ==, expected);
}

static void
assert_ids (const EngTokens *tokens,
            const char      *expected)
{
  g_autoptr (GString) found = g_string_new (NULL);

  for (int i = 0; i < tokens->n; i++)
    g_string_append_printf (found, "%s%d", i == 0 ? "" : " ", tokens->ids[i]);
  g_assert_cmpstr (found->str, ==, expected);
}

/* What stands before A is not A: spans count in A, and its tokens were typed by nobody. */
static void
test_prefix (void)
{
  static const struct {
    const char *prefix;
    const char *text_a;
    const char *text_b;
    const char *tokens;
  } cases[] = {
    { "the cat ", "sat on", NULL, "[CLS]* the* cat* sat 0-3 on 4-6 [SEP]*" },
    { "the cat ", "sat on", "the mat",
      "[CLS]* the* cat* sat 0-3 on 4-6 [SEP]* | the 0-3 mat 4-7 [SEP]*" },
    { "the cat", " sat on", NULL, "[CLS]* the* cat* sat 1-4 on 5-7 [SEP]*" },
    { "the c", "at sat", NULL, "[CLS]* the* cat 0-2 sat 3-6 [SEP]*" },
    { "", "sat on", NULL, "[CLS]* sat 0-3 on 4-6 [SEP]*" },
    { NULL, "sat on", NULL, "[CLS]* sat 0-3 on 4-6 [SEP]*" },
  };
  g_autoptr (EngModel) model = open_specimen ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    EngTextOptions options = { .prefix = cases[i].prefix };
    g_auto (EngInputs) inputs = { 0 };

    make (model, cases[i].text_a, cases[i].text_b, &options, &inputs);
    assert_tokens (inputs.tokens, cases[i].tokens);
    g_assert_null (inputs.decoder_tokens);
  }
}

static void
test_pad (void)
{
  g_autoptr (EngModel) model = open_specimen ();
  EngTextOptions options = { .pad_to = 9 };
  g_auto (EngInputs) padded = { 0 };
  g_auto (EngInputs) long_enough = { 0 };
  g_auto (EngInputs) full = { 0 };

  make (model, "time", "flies", &options, &padded);
  assert_tokens (padded.tokens,
                 "[CLS]* time 0-4 [SEP]* | flies 0-5 [SEP]* [PAD]*~ [PAD]*~ [PAD]*~ [PAD]*~");
  g_assert_cmpint (padded.tokens->ids[8], ==, eng_model_get_spec (model)->pad_id);
  g_assert_true (eng_tokens_has_padding (padded.tokens));

  options.pad_to = 4;
  make (model, "time", "flies", &options, &long_enough);
  assert_tokens (long_enough.tokens, "[CLS]* time 0-4 [SEP]* | flies 0-5 [SEP]*");
  g_assert_false (eng_tokens_has_padding (long_enough.tokens));

  options.pad_to = 19;
  make (model, "time", NULL, &options, &full);
  g_assert_cmpint (full.tokens->n, ==, 19);
  options.pad_to = 20;
  assert_refused (model, "time", NULL, &options, ENG_ERROR_RANGE, "19 positions");
}

/* A model without a token for padding is filled up with the end of texts, and without an end that
 * it knows with its first token. */
static void
test_pad_without_token (void)
{
  g_autofree char *other = g_strdup (one_stack);
  g_autoptr (EngModel) model = open_config (one_stack);
  g_autoptr (EngModel) endless = NULL;
  EngTextOptions options = { .pad_to = 4 };
  g_auto (EngInputs) inputs = { 0 };
  g_auto (EngInputs) first = { 0 };

  make (model, "9 8", NULL, &options, &inputs);
  assert_ids (inputs.tokens, "9 8 6 6");
  g_assert_cmpint (inputs.tokens->padding[1] + inputs.tokens->padding[2], ==, 1);

  memcpy (strstr (other, "'eos_token_id': 6"), "'eos_token_iX'", strlen ("'eos_token_iX'"));
  endless = open_config (other);
  make (endless, "9 8", NULL, &options, &first);
  assert_ids (first.tokens, "9 8 0 0");
}

/* The longer sentence is cut first. */
static void
test_truncate (void)
{
  g_autoptr (EngModel) model = open_specimen ();
  const char *text = "the cat sat on the mat and the dog sat on the mat and the cat jumps";
  EngTextOptions options = { .truncate = TRUE };
  g_auto (EngInputs) inputs = { 0 };

  make (model, text, "the dog", &options, &inputs);
  g_assert_cmpint (inputs.tokens->n, ==, 19);
  g_assert_cmpint (inputs.tokens->segments[15], ==, 0);
  g_assert_cmpstr (inputs.tokens->texts[16], ==, "the");
  g_assert_cmpstr (inputs.tokens->texts[17], ==, "dog");
  g_assert_cmpstr (inputs.tokens->texts[18], ==, "[SEP]");
  assert_refused (model, text, "the dog", NULL, ENG_ERROR_LENGTH, "19 positions");
}

/* The decoder reads a start token, then B without its end; or what the encoder reads. */
static void
test_two_stacks (void)
{
  static const struct {
    const char *text_b;
    gboolean    repeat;
    const char *ids;
  } cases[] = {
    { NULL, FALSE, "3" },
    { "", FALSE, "3" },
    { "7 30", FALSE, "3 7 30" },
    { "7 30 2", FALSE, "3 7 30" },
    { "2", FALSE, "3" },
    { "2 7", FALSE, "3 2 7" },
    { NULL, TRUE, "3 5 9" },
  };
  g_autoptr (EngModel) model = open_config (two_stacks);
  EngTextOptions repeat = { .repeat = TRUE };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    EngTextOptions options = { .repeat = cases[i].repeat, .pad_to = 5 };
    g_auto (EngInputs) inputs = { 0 };

    make (model, "5 9 2", cases[i].text_b, &options, &inputs);
    assert_ids (inputs.tokens, "5 9 2 1 1");
    assert_ids (inputs.decoder_tokens, cases[i].ids);
    g_assert_cmpint (inputs.decoder_tokens->special[0], ==, 1);
    g_assert_cmpint (inputs.decoder_tokens->segments[0], ==, !cases[i].repeat);
    g_assert_false (eng_tokens_has_padding (inputs.decoder_tokens));
  }
  assert_refused (model, "5 9 2", "7", &repeat, ENG_ERROR_TEXT, "takes no pair");
  assert_refused (model, "5", "  ", NULL, ENG_ERROR_TEXT, "text B leaves no token");
  assert_refused (model, "5", "7 x", NULL, ENG_ERROR_TEXT, "“x” is no token id");
  assert_refused (model, "5", "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", NULL,
                  ENG_ERROR_LENGTH, "25 tokens");
}

static void
test_ids (void)
{
  static const struct {
    const char *text;
    const char *says;
  } refusals[] = {
    { "", "the text is empty" },
    { " \t ", "text A leaves no token" },
    { "7 x", "“x” is no token id" },
    { "99999999999", "“99999999999” is no token id" },
    { "99999999999999999999999", "from 0 to 40" },
    { "-1", "“-1” is no token id" },
    { "+1", "“+1” is no token id" },
    { "7.0", "“7.0” is no token id" },
    { "0x7", "“0x7” is no token id" },
    { "7,3", "“7,3” is no token id" },
    { "41", "from 0 to 40" },
  };
  static const EngTextOptions truncated = { .truncate = TRUE };
  g_autoptr (EngModel) model = open_config (one_stack);
  g_auto (EngInputs) inputs = { 0 };
  g_auto (EngInputs) cut = { 0 };

  g_assert_null (eng_model_get_tokenizer (model));
  make (model, "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25", NULL,
        &truncated, &cut);
  g_assert_cmpint (cut.tokens->n, ==, 24);
  g_assert_cmpint (cut.tokens->ids[23], ==, 23);
  make (model, " 7\t40  007\n", NULL, NULL, &inputs);
  assert_ids (inputs.tokens, "7 40 7");
  assert_tokens (inputs.tokens, "7 1-2 40 3-5 7 7-10");
  for (guint i = 0; i < G_N_ELEMENTS (refusals); i++)
    assert_refused (model, refusals[i].text, NULL, NULL, ENG_ERROR_TEXT, refusals[i].says);
  assert_refused (model, "7", "3", NULL, ENG_ERROR_TEXT, "takes no pair");
}

static void
test_append (void)
{
  static const gint32 ids[] = { 8, 6 };
  g_autoptr (EngModel) one = open_config (one_stack);
  g_autoptr (EngModel) two = open_config (two_stacks);
  g_autoptr (EngModel) words = open_specimen ();
  g_autoptr (EngTokens) nothing = eng_tokens_new (0);
  g_auto (EngInputs) inputs = { 0 };
  g_auto (EngInputs) target = { 0 };
  g_auto (EngInputs) typed = { 0 };

  make (one, "9 7", NULL, NULL, &inputs);
  make (two, "9 7", NULL, NULL, &target);
  make (words, "time", "flies", NULL, &typed);

  g_autoptr (EngTokens) longer = eng_inputs_append (one, inputs.tokens, ids, 2);
  g_autoptr (EngTokens) same = eng_inputs_append (one, inputs.tokens, NULL, 0);
  g_autoptr (EngTokens) new = eng_inputs_append (one, nothing, ids, 2);
  g_autoptr (EngTokens) written = eng_inputs_append (two, target.decoder_tokens, ids, 2);
  g_autoptr (EngTokens) pair = eng_inputs_append (words, typed.tokens, typed.tokens->ids, 2);

  assert_tokens (longer, "9 0-1 7 2-3 8 6");
  assert_ids (longer, "9 7 8 6");
  assert_tokens (same, "9 0-1 7 2-3");
  assert_tokens (new, "8 6");
  assert_tokens (written, "3* 8 6");
  g_assert_cmpint (written->segments[2], ==, 1);
  assert_tokens (pair, "[CLS]* time 0-4 [SEP]* | flies 0-5 [SEP]* [CLS]* time");
  g_assert_cmpstr (pair->pieces[6], ==, "time");
}

/* Every word of a long B is in a window, each of which begins with the end of the one before. */
static void
test_windows (void)
{
  const char *text = "the cat sat on the mat and the dog sat on the mat and the cat jumps on";
  g_autoptr (EngModel) model = open_specimen ();
  EngTextOptions options = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) windows =
    eng_inputs_new_windows (model, "who sat", text, &options, 12, 3, &error);
  int end = 0;

  g_assert_no_error (error);
  g_assert_cmpint (windows->len, ==, 4); /* 7 words of 18 at a time, 4 of them new */
  for (guint i = 0; i < windows->len; i++) {
    const EngTokens *tokens = g_array_index (windows, EngInputs, i).tokens;
    int last = tokens->n - 2;

    g_assert_cmpint (tokens->n, <=, 12);
    g_assert_cmpstr (tokens->texts[2], ==, "sat");
    g_assert_cmpstr (tokens->texts[3], ==, "[SEP]");
    g_assert_cmpstr (tokens->texts[last + 1], ==, "[SEP]");
    g_assert_cmpint (tokens->spans[i == 0 ? 4 : 6].end, ==, i == 0 ? 3 : end);
    end = tokens->spans[last].end;
  }
  g_assert_cmpint (end, ==, strlen (text));

  g_assert_null (eng_inputs_new_windows (model, "the cat sat", text, &options, 6, 0, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_LENGTH);
}

int
main (int    argc,
      char **argv)
{
  g_assert_nonnull (setlocale (LC_ALL, ""));
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/inputs/prefix", test_prefix);
  g_test_add_func ("/engine/inputs/pad", test_pad);
  g_test_add_func ("/engine/inputs/pad-without-token", test_pad_without_token);
  g_test_add_func ("/engine/inputs/truncate", test_truncate);
  g_test_add_func ("/engine/inputs/two-stacks", test_two_stacks);
  g_test_add_func ("/engine/inputs/ids", test_ids);
  g_test_add_func ("/engine/inputs/append", test_append);
  g_test_add_func ("/engine/inputs/windows", test_windows);

  return g_test_run ();
}
