/* SPDX-License-Identifier: MIT */
/* tokenizer.json and a text: what stands before the first NUL is the file, then sentence A, a NUL,
 * sentence B. The texts also go through a sound file with other values. */
#include "engine/tokenizer/files/tokenizer-json.h"
#include "engine/tokenizer/tokenizer-private.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz-json.h"
#include "tests/fuzz/fuzz-texts.h"

#define MODEL \
  "'model': {'type': 'WordPiece', 'unk_token': '[UNK]', 'continuing_subword_prefix': '##'," \
  " 'max_input_chars_per_word': 5," \
  " 'vocab': {'[UNK]': 0, '[CLS]': 1, '[SEP]': 2, 'a': 3, '##a': 4, '##bc': 5, '\u00e9': 6}}"
#define NORMALIZER \
  "'normalizer': {'type': 'BertNormalizer', 'clean_text': true, 'handle_chinese_chars': true," \
  " 'strip_accents': null, 'lowercase': true}, 'pre_tokenizer': {'type': 'BertPreTokenizer'}"

/* a becomes b\u00e9. */
#define PRECOMPILED                                                                                \
  "{'type': 'Precompiled', 'precompiled_charsmap': 'DAAAAACAAQBhDQAAAAAAAGLDqQA='}"
#define UNIGRAM \
  "'model': {'unk_id': 0, 'byte_fallback': true," \
  " 'vocab': [['<unk>', 0.0], ['\u2581', -2.5], ['a', -3], ['b\u00e9', -1.0e0], ['\u2581a', -4]," \
  " ['<0xE6>', 0], ['<0x97>', 0], ['<0xA5>', 0], ['aa', -3]]}"
#define METASPACE "{'type': 'Metaspace', 'replacement': '\u2581', 'prepend_scheme': 'first'," \
  " 'split': true}"
#define REPLACE "{'type': 'Replace', 'pattern': {'String': 'a'}, 'content': ' '}"

#define BYTE_PAIRS \
  "'model': {'type': 'BPE', 'dropout': null, 'unk_token': 'u', 'fuse_unk': false," \
  " 'continuing_subword_prefix': '', 'end_of_word_suffix': null, 'byte_fallback': false," \
  " 'ignore_merges': true, 'vocab': {'u': 0, 'a': 1, 'b': 2, 'aa': 3, '\u0120': 4, '\u0120a': 5," \
  " 'aaa': 6, '<0xC3>': 7, '<0xA9>': 8, '\u00c3': 9, '\u00a9': 10, 'baa': 11}," \
  " 'merges': ['a a', '\u0120 a', ['aa', 'a'], ['b', 'aa']]}"
/* How GPT-2 cuts words; the quotes of JSON texts are written as ' here, so one stands escaped. */
#define WORDS \
  "\\u0027s|\\u0027t|\\u0027re|\\u0027ve|\\u0027m|\\u0027ll|\\u0027d| ?\\\\p{L}+| ?\\\\p{N}+|" \
  " ?[^\\\\s\\\\p{L}\\\\p{N}]+|\\\\s+(?!\\\\S)|\\\\s+"
#define BYTE_LEVEL "{'type': 'ByteLevel', 'add_prefix_space': true, 'trim_offsets': true," \
                   " 'use_regex': true}"

static const char *const files[] = {
  "{" BYTE_PAIRS ", 'pre_tokenizer': " BYTE_LEVEL ", 'decoder': " BYTE_LEVEL ","
  " 'post_processor': {'type': 'RobertaProcessing', 'sep': ['b', 2], 'cls': ['a', 1],"
  " 'trim_offsets': true, 'add_prefix_space': true},"
  " 'added_tokens': [{'content': '[MASK]', 'lstrip': true, 'special': true}]}",
  "{" BYTE_PAIRS ", 'normalizer': {'type': 'Sequence', 'normalizers': [{'type': 'NFKC'},"
  " {'type': 'NFD'}, {'type': 'Lowercase'}, {'type': 'Strip', 'strip_left': true,"
  " 'strip_right': false}, {'type': 'StripAccents'}, {'type': 'NFC'}, {'type': 'NFKD'}]},"
  " 'pre_tokenizer': {'type': 'Sequence', 'pretokenizers': [{'type': 'Split', 'pattern': {'Regex':"
  " '" WORDS "'}, 'behavior': 'Isolated', 'invert': true},"
  " {'type': 'Split', 'pattern': {'String': 'a '}, 'behavior': 'MergedWithNext'},"
  " {'type': 'Digits', 'individual_digits': true}, {'type': 'Punctuation', 'behavior':"
  " 'Contiguous'}, {'type': 'Whitespace'}, " BYTE_LEVEL "]},"
  " 'post_processor': {'type': 'Sequence', 'processors': [" BYTE_LEVEL "]},"
  " 'decoder': {'type': 'Sequence', 'decoders': [{'type': 'BPEDecoder', 'suffix': 'b'},"
  " {'type': 'ByteFallback'}, {'type': 'Fuse'}]}}",
  "{" UNIGRAM ", 'normalizer': {'type': 'Sequence', 'normalizers': [" PRECOMPILED ", " REPLACE ","
  " {'type': 'Replace', 'pattern': {'Regex': ' {2,}'}, 'content': '\u2581'},"
  " {'type': 'Prepend', 'prepend': '\u2581'}, {'type': 'Nmt'}]},"
  " 'pre_tokenizer': {'type': 'Sequence', 'pretokenizers': [{'type': 'WhitespaceSplit'},"
  " {'type': 'CharDelimiterSplit', 'delimiter': '-'}, " METASPACE "]},"
  " 'decoder': {'type': 'Sequence', 'decoders': [" REPLACE ", {'type': 'ByteFallback'},"
  " {'type': 'Fuse'}, {'type': 'Strip', 'content': ' ', 'start': 1, 'stop': 2}, " METASPACE "]}}",
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
