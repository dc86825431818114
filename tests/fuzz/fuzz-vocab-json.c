/* SPDX-License-Identifier: MIT */
/* vocab.json, merges.txt and a text: what stands before the first NUL is the files, the first line
 * the vocabulary and the rest the merges, then sentence A, a NUL, sentence B. Read as each family,
 * and beside settings with values of all kinds. */
#include "engine/tokenizer/files/vocab-json.h"
#include "engine/tokenizer/tokenizer-private.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz-json.h"
#include "tests/fuzz/fuzz-texts.h"

#define CONFIG \
  "{'tokenizer_class': 'GPT2Tokenizer', 'add_prefix_space': true, 'add_bos_token': true," \
  " 'trim_offsets': false, 'bos_token': '<s>', 'mask_token': {'content': 'b', 'lstrip': true}," \
  " 'added_tokens_decoder': {'20': {'content': 'x y', 'rstrip': true, 'special': true}," \
  " '19': {'content': 'ab', 'single_word': true, 'normalized': true}}}"
#define SPECIAL_TOKENS "{'cls_token': '<s>', 'sep_token': {'content': '</s>'}}"
#define ADDED_TOKENS "{'later': 21, '<mask>': 4}"

void
fuzz_add_seeds (GPtrArray *seeds)
{
  static const char *const files[] = {
    "{'a': 0, 'b': 1, 'ab': 2, '\u0120': 3, '\u0120a': 4, '\u00c3': 5, '\u00a9': 6, '<s>': 7,"
    " '</s>': 8, '<pad>': 9, '<unk>': 10, '<mask>': 11, '<|endoftext|>': 12, '\u00c3\u00a9': 13}\n"
    "#version: 0.2\n\u0120 a\na b\n\u00c3 \u00a9\n",
    "{'<s>': 0, '</s>': 1, '<pad>': 2, '<unk>': 3, 'a': 4, '.</w>': 5, 'b</w>': 6, 'ab</w>': 7}\n"
    "a b</w> 12\n\" ,</w>\n",
    "{'<s>': 0, '</s>': 1, '#': 2, '##': 3, '###': 5, 'M': 7}\r\n# #\r\n## #\r\n\r\n# ##",
    "{}\n",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *text = json_text (files[i]);

    fuzz_add_texts (seeds, text);
  }
}

static void
check (const char                 *files,
       const guint8               *texts,
       gsize                       n_texts,
       const EngTokenizerSettings *settings)
{
  gsize length = strcspn (files, "\n");
  g_autofree char *vocabulary = g_strndup (files, length);
  const char *merges = files[length] ? files + length + 1 : "";
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTokenizer) tokenizer = NULL;
  EngPipeline *pipeline = eng_vocab_json_parse (vocabulary, length, merges, strlen (merges),
                                                settings, &error);

  g_assert_true ((pipeline == NULL) == (error != NULL));
  if (!pipeline)
    return;
  tokenizer = eng_tokenizer_new (pipeline, "vocab.json");
  fuzz_encode (tokenizer, texts, n_texts);
}

void
fuzz_one (const guint8 *data,
          gsize         size)
{
  static const char *const model_types[] = {
    "gpt2", "ctrl", "openai-gpt", "gpt_neo", "gptj", "gpt_neox", "roberta", "bart", "qwen2", "xlm",
  };
  gsize length = fuzz_find_texts (data, size);
  g_autofree char *files = g_strndup (length ? (const char *) data : "", length);
  g_autoptr (GRand) random = fuzz_new_random (data, size);
  g_autoptr (cJSON) config = fuzz_change_values (CONFIG, random);
  g_autoptr (cJSON) special_tokens = fuzz_change_values (SPECIAL_TOKENS, random);
  g_autoptr (cJSON) added_tokens = fuzz_change_values (ADDED_TOKENS, random);
  int type = g_rand_int_range (random, 0, G_N_ELEMENTS (model_types));
  EngTokenizerSettings settings = {
    .config_path = (char *) "tokenizer_config.json",
    .special_tokens_path = (char *) "special_tokens_map.json",
    .added_tokens_path = (char *) "added_tokens.json",
    .model_type = (char *) model_types[type],
  };

  check (files, data + length, size - length, &settings);
  settings.config = config;
  settings.special_tokens = special_tokens;
  settings.added_tokens = added_tokens;
  check (files, data + length, size - length, &settings);
}
