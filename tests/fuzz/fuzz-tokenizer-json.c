/* SPDX-License-Identifier: MIT */
/* tokenizer.json and a text: what stands before the first NUL is the file, then sentence A, a NUL,
 * sentence B. The texts also go through a sound file with other values. */
#include "engine/tokenizer-private.h"
#include "engine/tokenizer/tokenizer-json.h"
#include "tests/fuzz/fuzz-json.h"
#include "tests/fuzz/fuzz-texts.h"
#include "tests/fuzz/fuzz.h"

#define MODEL \
  "'model': {'type': 'WordPiece', 'unk_token': '[UNK]', 'continuing_subword_prefix': '##'," \
  " 'max_input_chars_per_word': 5," \
  " 'vocab': {'[UNK]': 0, '[CLS]': 1, '[SEP]': 2, 'a': 3, '##a': 4, '##bc': 5, '\u00e9': 6}}"
#define NORMALIZER \
  "'normalizer': {'type': 'BertNormalizer', 'clean_text': true, 'handle_chinese_chars': true," \
  " 'strip_accents': null, 'lowercase': true}, 'pre_tokenizer': {'type': 'BertPreTokenizer'}"

static const char *const files[] = {
  "{" MODEL "}",
  "{" NORMALIZER "," MODEL ", 'decoder': {'type': 'WordPiece', 'prefix': '##', 'cleanup': true},"
  " 'post_processor': {'type': 'BertProcessing', 'sep': ['[SEP]', 2], 'cls': ['[CLS]', 1]}}",
  "{" NORMALIZER "," MODEL ", 'added_tokens': [{'id': 7, 'content': '[MASK]', 'single_word': true,"
  " 'lstrip': true, 'rstrip': true, 'normalized': true, 'special': true},"
  " {'content': 'aa', 'lstrip': true}, {'content': ' ', 'rstrip': true}]}",
  "{" MODEL ", 'post_processor': {'type': 'TemplateProcessing',"
  " 'single': [{'Sequence': {'id': 'A', 'type_id': 0}}],"
  " 'pair': [{'SpecialToken': {'id': 'x', 'type_id': 3}}, {'Sequence': {'id': 'B', 'type_id': 1}},"
  " {'Sequence': {'id': 'A', 'type_id': 2}}],"
  " 'special_tokens': {'x': {'id': 'x', 'ids': [1, 2], 'tokens': ['[CLS]', '[SEP]']}}}}",
};

static void
check (const char   *file,
       gsize         length,
       const guint8 *texts,
       gsize         n_texts)
{
  g_autoptr (GError) error = NULL;
  EngPipeline *pipeline = eng_tokenizer_json_parse (file, length, "tokenizer.json", &error);
  g_autoptr (EngTokenizer) tokenizer = NULL;

  g_assert_true ((pipeline == NULL) == (error != NULL));
  if (!pipeline)
    return;
  tokenizer = eng_tokenizer_new (pipeline, "tokenizer.json");
  fuzz_encode (tokenizer, texts, n_texts);
}

void
fuzz_add_seeds (GPtrArray *seeds)
{
  for (gsize i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *text = json_text (files[i]);

    fuzz_add_texts (seeds, text);
  }
}

void
fuzz_one (const guint8 *data,
          gsize         size)
{
  gsize length = fuzz_find_texts (data, size);
  g_autoptr (GRand) random = fuzz_new_random (data, size);
  g_autoptr (cJSON) json = NULL;
  g_autofree char *changed = NULL;

  json = fuzz_change_values (files[g_rand_int_range (random, 0, G_N_ELEMENTS (files))], random);
  changed = cJSON_PrintUnformatted (json);

  check (length ? (const char *) data : "", length, data + length, size - length);
  check (changed, strlen (changed), data + length, size - length);
}
