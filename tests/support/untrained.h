/* SPDX-License-Identifier: MIT */
/* Folders without weights, for models with random ones. Most have a config.json and nothing else:
 * their texts are token ids. Free them with temporary_free(). */
#pragma once

#include "tests/support/checkpoint-folder.h"
#include "tests/support/json-text.h"
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

/* Of CTRL, whose tokens are whole words: "Science" and "India" under the ids of their control codes,
 * "Joke" under another. For json_text(). */
#define CONTROL_CODE_VOCABULARY \
  "{'<unk>': 0, 'x': 1, 'Joke': 5, 'Science': 2090, 'India': 1331}"

/* Letter by letter, the last one with the mark of an end. */
static inline void
control_code_append_merges (GString    *merges,
                            const char *word)
{
  int n = (int) strlen (word);

  for (int i = 1; i < n; i++)
    g_string_append_printf (merges, "%.*s %c%s\n", i, word, word[i], i + 1 < n ? "" : "</w>");
}

/* A folder of CTRL with the vocabulary. */
static inline char *
control_code_folder_new (const char *vocabulary)
{
  static const char config[] =
    "{'model_type': 'ctrl', 'architectures': ['CTRLLMHeadModel'], 'vocab_size': 2100, 'n_embd': 4,"
    " 'n_head': 2, 'n_layer': 1, 'dff': 3, 'n_positions': 9}";
  g_autoptr (GString) merges = g_string_new ("#version: 0.2\n");
  g_autofree char *config_json = json_text (config);
  g_autofree char *vocabulary_json = json_text (vocabulary);
  char *folder = temporary_new ();

  control_code_append_merges (merges, "Science");
  control_code_append_merges (merges, "India");
  control_code_append_merges (merges, "Joke");
  checkpoint_write_file (folder, "config.json", config_json, -1);
  checkpoint_write_file (folder, "vocab.json", vocabulary_json, -1);
  checkpoint_write_file (folder, "merges.txt", merges->str, -1);

  return folder;
}
