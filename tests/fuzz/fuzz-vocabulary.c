/* SPDX-License-Identifier: MIT */
/* vocab.txt and a text: what stands before the first NUL is the file, then sentence A, a NUL,
 * sentence B. Read without settings, and beside settings with values of all kinds. */
#include "engine/tokenizer/files/vocab-txt.h"
#include "engine/tokenizer/tokenizer-private.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz-json.h"
#include "tests/fuzz/fuzz-texts.h"

#define CONFIG \
  "{'do_lower_case': false, 'strip_accents': true, 'tokenize_chinese_chars': true," \
  " 'tokenizer_class': 'BertTokenizer', 'unk_token': '[UNK]'," \
  " 'mask_token': {'content': '[MASK]', 'lstrip': true}," \
  " 'added_tokens_decoder': {'20': {'content': 'x y', 'rstrip': true, 'special': true}," \
  " '19': {'content': 'ab', 'single_word': true, 'normalized': true}}}"
#define SPECIAL_TOKENS "{'cls_token': '[CLS]', 'sep_token': {'content': '[SEP]'}}"
#define ADDED_TOKENS "{'later': 21, '[MASK]': 4}"

void
fuzz_add_seeds (GPtrArray *seeds)
{
  static const char *const vocabularies[] = {
    "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\nb\n##a\n##b\nab\n##abc\n\xc3\xa9\n##\xe6\x97\xa5\n.\n",
    "[UNK]\r\n[SEP]\r\n[CLS]\r\n\r\n\r\nthe\r\n##m \r\n##e\r\n##e",
    "[SEP]\n[CLS]\n[UNK]",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (vocabularies); i++)
    fuzz_add_texts (seeds, vocabularies[i]);
}

static void
check (const guint8               *data,
       gsize                       size,
       const EngTokenizerSettings *settings)
{
  gsize length = fuzz_find_texts (data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTokenizer) tokenizer = NULL;
  EngPipeline *pipeline = eng_vocab_txt_parse (length ? (const char *) data : "", length,
                                               "vocab.txt", settings, &error);

  g_assert_true ((pipeline == NULL) == (error != NULL));
  if (!pipeline)
    return;
  tokenizer = eng_tokenizer_new (pipeline, "vocab.txt");
  fuzz_encode (tokenizer, data + length, size - length);
}

void
fuzz_one (const guint8 *data,
          gsize         size)
{
  g_autoptr (GRand) random = fuzz_new_random (data, size);
  g_autoptr (cJSON) config = fuzz_change_values (CONFIG, random);
  g_autoptr (cJSON) special_tokens = fuzz_change_values (SPECIAL_TOKENS, random);
  g_autoptr (cJSON) added_tokens = fuzz_change_values (ADDED_TOKENS, random);
  EngTokenizerSettings settings = {
    .config_path = (char *) "tokenizer_config.json",
    .special_tokens_path = (char *) "special_tokens_map.json",
    .added_tokens_path = (char *) "added_tokens.json",
  };

  check (data, size, &settings);
  settings.config = config;
  settings.special_tokens = special_tokens;
  settings.added_tokens = added_tokens;
  check (data, size, &settings);
}
