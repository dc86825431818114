/* SPDX-License-Identifier: MIT */
/* Folders with a config.json and nothing else: models with random weights whose texts are token
 * ids. Free them with temporary_free(). */
#pragma once

#include "tests/support/temporary.h"

/* None has an end token: a text goes on to its length. */
#define UNTRAINED_GPT2                                                                        \
  "{\"model_type\": \"gpt2\", \"architectures\": [\"GPT2LMHeadModel\"], \"n_embd\": 24,"       \
  " \"n_layer\": 2, \"n_head\": 3, \"n_positions\": 64, \"vocab_size\": 61,"                   \
  " \"eos_token_id\": null}"
#define UNTRAINED_T5                                                                          \
  "{\"model_type\": \"t5\", \"architectures\": [\"T5ForConditionalGeneration\"],"              \
  " \"vocab_size\": 61, \"d_model\": 24, \"d_kv\": 8, \"d_ff\": 32, \"num_layers\": 2,"         \
  " \"num_decoder_layers\": 3, \"num_heads\": 3, \"decoder_start_token_id\": 0,"               \
  " \"pad_token_id\": 0, \"eos_token_id\": null}"

/* Some ms for each token: whoever stops it need not be quick. */
#define UNTRAINED_SLOW_T5                                                                     \
  "{\"model_type\": \"t5\", \"architectures\": [\"T5ForConditionalGeneration\"],"              \
  " \"vocab_size\": 8000, \"d_model\": 256, \"d_kv\": 64, \"d_ff\": 1024, \"num_layers\": 1,"   \
  " \"num_decoder_layers\": 4, \"num_heads\": 4, \"decoder_start_token_id\": 0,"               \
  " \"pad_token_id\": 0, \"eos_token_id\": null}"

static inline char *
untrained_new (const char *config)
{
  g_autoptr (GError) error = NULL;
  char *folder = temporary_new ();
  g_autofree char *path = g_build_filename (folder, "config.json", NULL);

  g_file_set_contents (path, config, -1, &error);
  g_assert_no_error (error);

  return folder;
}
