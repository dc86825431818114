/* SPDX-License-Identifier: MIT */
/* How far a text goes in a model with learned positions. generate() of a GPT-2 of 16 positions goes
 * on with 5 tokens by 12, and of a BART of 16 by 16 behind its first: the last token needs no
 * position, because nothing reads it. */
#include "engine/transformer/model-private.h"
#include "engine/transformer/session.h"
#include "engine/writing/generate.h"
#include "tests/support/checkpoint-folder.h"
#include "tests/support/json-text.h"
#include "tests/support/temporary.h"

#include <locale.h>

#define N_POSITIONS 16
#define N_START 5

static const char gpt2[] =
  "{'model_type': 'gpt2', 'architectures': ['GPT2LMHeadModel'], 'vocab_size': 41,"
  " 'n_positions': 16, 'n_embd': 20, 'n_layer': 2, 'n_head': 4}";
static const char bart[] =
  "{'model_type': 'bart', 'architectures': ['BartForConditionalGeneration'], 'vocab_size': 41,"
  " 'd_model': 20, 'encoder_layers': 1, 'decoder_layers': 1, 'encoder_attention_heads': 4,"
  " 'decoder_attention_heads': 2, 'encoder_ffn_dim': 23, 'decoder_ffn_dim': 29,"
  " 'max_position_embeddings': 16}";

static EngModel *
open_config (const char *text)
{
  g_autofree char *config = json_text (text);
  char *folder = temporary_new ();
  g_autoptr (GError) error = NULL;
  EngModel *model;

  checkpoint_write_file (folder, "config.json", config, -1);
  model = eng_model_open_untrained (folder, NULL, 7, &error);
  g_assert_no_error (error);
  temporary_free (folder);

  return model;
}

static EngTokens *
make_tokens (int n)
{
  EngTokens *tokens = eng_tokens_new (n);

  for (int i = 0; i < n; i++) {
    tokens->ids[i] = 3 + i;
    tokens->texts[i] = g_strdup_printf ("%d", tokens->ids[i]);
  }

  return tokens;
}

/* Writes as far as it goes; ids (out, transfer full): what was written. */
static int
write_out (EngModel   *model,
           int         n_start,
           int         max_new_tokens,
           int         n_beams,
           gint32    **ids)
{
  g_autoptr (EngGeneration) settings = eng_generation_new ();
  g_autoptr (EngTokens) tokens = make_tokens (n_start);
  g_autoptr (EngTokens) first = make_tokens (1);
  g_autoptr (EngGenerator) generator = NULL;
  g_autoptr (GError) error = NULL;
  EngInputs inputs = { tokens, eng_model_has_two_stacks (model) ? first : NULL };
  const gint32 *written;
  int n;

  settings->max_new_tokens = max_new_tokens;
  settings->n_beams = n_beams;
  generator = eng_generator_new (model, &inputs, NULL, 0, settings, 0, NULL, &error);
  if (!generator) {
    g_assert_error (error, ENG_ERROR, ENG_ERROR_LENGTH);
    return 0;
  }
  while (!eng_generator_is_done (generator)) {
    eng_generator_step (generator, &error);
    g_assert_no_error (error);
  }
  written = eng_generator_get_ids (generator, &n);
  *ids = g_memdup2 (written, (gsize) n * sizeof *written);

  return n;
}

static void
assert_length (EngModel *model,
               int       n_start,
               int       max_new_tokens,
               int       n_beams,
               int       expected)
{
  g_autofree gint32 *ids = NULL;

  g_assert_cmpint (write_out (model, n_start, max_new_tokens, n_beams, &ids), ==, expected);
}

static void
test_lengths (void)
{
  g_autoptr (EngModel) one_stack = open_config (gpt2);
  g_autoptr (EngModel) two_stacks = open_config (bart);

  for (int n_beams = 1; n_beams <= 3; n_beams += 2) {
    assert_length (one_stack, N_START, 11, n_beams, 11);
    assert_length (one_stack, N_START, 12, n_beams, 12);
    assert_length (one_stack, N_START, 13, n_beams, 12);
    assert_length (one_stack, N_POSITIONS, 4, n_beams, 1);
    assert_length (one_stack, N_POSITIONS + 1, 4, n_beams, 0);
    assert_length (two_stacks, N_START, 17, n_beams, 16);
  }
  /* Unasked for, generate() ends with the positions. */
  assert_length (one_stack, N_START, 0, 1, N_POSITIONS - N_START);
}

/* What comes last is the likeliest token behind all that can be read. */
static void
test_last_token (void)
{
  g_autoptr (EngModel) model = open_config (gpt2);
  g_autoptr (EngTokens) tokens = make_tokens (N_POSITIONS);
  g_autoptr (EngSession) session = eng_session_new (model);
  g_autoptr (EngTrace) trace = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree gint32 *ids = NULL;
  int n = write_out (model, N_START, 99, 1, &ids);
  EngRunRequest request = { .tokens = tokens, .tasks = 1u << ENG_TASK_LANGUAGE_MODEL };
  EngMatrix logits;

  for (int i = 0; i < n - 1; i++)
    tokens->ids[N_START + i] = ids[i];
  trace = eng_session_run (session, &request, &error);
  g_assert_no_error (error);
  g_assert_true (eng_trace_get_logits (trace, ENG_TASK_LANGUAGE_MODEL, &logits, NULL));
  for (int i = 0; i < logits.cols; i++)
    g_assert_cmpfloat (logits.data[i], <=, logits.data[ids[n - 1]]);
}

int
main (int    argc,
      char **argv)
{
  g_assert_nonnull (setlocale (LC_ALL, ""));
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/generate-end/lengths", test_lengths);
  g_test_add_func ("/generate-end/last-token", test_last_token);

  return g_test_run ();
}
