/* SPDX-License-Identifier: MIT */
/* Tokenizers that only a folder makes, with a text: what stands before the first NUL is one of its
 * files, then sentence A, a NUL, sentence B. The vocabulary of proteins; that beside a translator's
 * model; tokenizer.json in the hands of a class. Beside each, settings with values of all kinds. */
#include <glib/gstdio.h>
#include <stdlib.h>

#include "engine/tokenizer/tokenizer.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz-json.h"
#include "tests/fuzz/fuzz-texts.h"

#define CONFIG \
  "{'tokenizer_class': 'CLASS', 'do_lower_case': false, 'strip_accents': true," \
  " 'tokenize_chinese_chars': true, 'add_prefix_space': true, 'split_by_punct': true," \
  " 'add_bos_token': true, 'add_eos_token': false, 'legacy': true, 'trim_offsets': true," \
  " 'src_lang': 'fr', 'tgt_lang': 'de', 'legacy_behaviour': true, 'model_max_length': 9," \
  " 'clean_up_tokenization_spaces': true, 'chat_template': 'x', 'model_input_names': ['a']," \
  " 'bos_token': '<s>', 'mask_token': {'content': '<mask>', 'lstrip': true}," \
  " 'additional_special_tokens': ['__fr__', '__de__']," \
  " 'added_tokens_decoder': {'20': {'content': 'x y', 'rstrip': true, 'special': true}," \
  " '19': {'content': 'ab', 'single_word': true, 'normalized': true}}}"
#define BYTES \
  "{'normalizer': {'type': 'Sequence', 'normalizers': [{'type': 'Precompiled'," \
  " 'precompiled_charsmap': 'DAAAAACAAQBhDQAAAAAAAGLDqQA='}]}, 'pre_tokenizer': {'type':" \
  " 'ByteLevel', 'add_prefix_space': true, 'trim_offsets': true, 'use_regex': true}," \
  " 'decoder': {'type': 'ByteLevel'}, 'model': {'type': 'BPE', 'unk_token': 'u'," \
  " 'vocab': {'u': 0, 'a': 1, 'b': 2, 'aa': 3, '<s>': 4, '</s>': 5, '<mask>': 6}," \
  " 'merges': ['a a']}," \
  " 'added_tokens': [{'id': 4, 'content': '<s>', 'special': true}]}"
#define PIECES \
  "{'normalizer': {'type': 'BertNormalizer', 'lowercase': true}, 'pre_tokenizer': {'type':" \
  " 'Metaspace', 'replacement': '\u2581', 'prepend_scheme': 'first'}," \
  " 'model': {'type': 'Unigram'," \
  " 'unk_id': 0, 'vocab': [['<unk>', 0], ['\u2581', -2.5], ['a', -3], ['aa', -2], ['<s>', 0]]}}"

static char *folder;

static void
empty_folder (void)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);

  for (const char *name = g_dir_read_name (dir); name; name = g_dir_read_name (dir)) {
    g_autofree char *path = g_build_filename (folder, name, NULL);

    g_unlink (path);
  }
}

static void
remove_folder (void)
{
  empty_folder ();
  g_rmdir (folder);
  g_free (folder);
}

/* In memory where there is such a place: a disk would be what takes the time. */
static void
make_folder (void)
{
  g_autofree char *name = g_strdup ("/dev/shm/headlight-fuzz-XXXXXX");

  if (folder)
    return;
  folder = g_mkdtemp (name) ? g_steal_pointer (&name)
                            : g_dir_make_tmp ("headlight-fuzz-XXXXXX", NULL);
  g_assert_nonnull (folder);
  atexit (remove_folder);
}

static void
write_file (const char *name,
            const char *bytes,
            gsize       size)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents_full (path, bytes, (gssize) size, G_FILE_SET_CONTENTS_NONE, 0600, &error);
  g_assert_no_error (error);
}

/* Sound JSON, ' for ", with other values and CLASS in the place of the class. */
static void
write_changed (const char *name,
               const char *json,
               const char *class,
               GRand      *random)
{
  g_autoptr (GString) text = g_string_new (json);
  g_autoptr (cJSON) changed = NULL;
  g_autofree char *printed = NULL;

  g_string_replace (text, "CLASS", class, 0);
  changed = fuzz_change_values (text->str, random);
  printed = cJSON_PrintUnformatted (changed);
  write_file (name, printed, strlen (printed));
}

/* The fixture of a translator, once. */
static const char *
get_model (gsize *size)
{
  static char *model;
  static gsize model_size;

  if (!model) {
    g_autofree char *path = g_build_filename (g_getenv ("G_TEST_SRCDIR"), "fixtures", "translators",
                                              "m2m-100", "sentencepiece.bpe.model", NULL);
    g_autoptr (GError) error = NULL;

    g_file_get_contents (path, &model, &model_size, &error);
    g_assert_no_error (error);
  }
  *size = model_size;

  return model;
}

static void
write_settings_of_class (GRand *random)
{
  static const char *const classes[] = {
    "BertTokenizer", "DebertaTokenizer", "DebertaV2Tokenizer", "GPT2Tokenizer", "GPTNeoXTokenizer",
    "LlamaTokenizer", "MBartTokenizer", "NllbTokenizer", "Qwen2Tokenizer", "RobertaTokenizer",
    "XLMRobertaTokenizer",
  };

  write_changed ("tokenizer_config.json", CONFIG,
                 classes[g_rand_int_range (random, 0, G_N_ELEMENTS (classes))], random);
}

void
fuzz_add_seeds (GPtrArray *seeds)
{
  fuzz_add_texts (seeds, "<cls>\n<pad>\n<eos>\n<unk>\nA\nB\naa\n<mask>\na\n");
  fuzz_add_texts (seeds, "<cls>\r\n\r\n<eos>\n<unk>\n<pad>\n<mask>\n.\n.\n");
  fuzz_add_texts (seeds, "{\"<s>\": 0, \"<pad>\": 1, \"</s>\": 2, \"<unk>\": 3, \"\u2581\": 4,"
                         " \"a\": 5, \"\u2581the\": 6}");
}

void
fuzz_one (const guint8 *data,
          gsize         size)
{
  gsize length = fuzz_find_texts (data, size);
  const char *file = length ? (const char *) data : "";
  g_autoptr (GRand) random = fuzz_new_random (data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTokenizer) tokenizer = NULL;
  gsize model_size = 0;

  make_folder ();
  if (g_rand_boolean (random)) {
    write_changed ("tokenizer.json", g_rand_boolean (random) ? BYTES : PIECES, "", random);
    write_settings_of_class (random);
  } else if (*file == '{') {
    write_file ("sentencepiece.bpe.model", get_model (&model_size), model_size);
    write_file ("vocab.json", file, length);
    write_changed ("tokenizer_config.json", CONFIG, "M2M100Tokenizer", random);
  } else {
    write_file ("vocab.txt", file, length);
    write_changed ("tokenizer_config.json", CONFIG, "EsmTokenizer", random);
  }
  tokenizer = eng_tokenizer_open (folder, &error);
  g_assert_true ((tokenizer == NULL) == (error != NULL));
  if (tokenizer)
    fuzz_encode (tokenizer, data + length, size - length);
  empty_folder ();
}
