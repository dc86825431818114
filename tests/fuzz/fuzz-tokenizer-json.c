/* SPDX-License-Identifier: MIT */
/* tokenizer.json and a text: everything before the first NUL is the file, then sentence A, a NUL,
 * sentence B. Few files are JSON still after bytes of them have changed, so values of a sound one
 * are changed as well. */
#include "engine/tokenizer-private.h"
#include "engine/tokenizer/tokenizer-json.h"
#include "tests/fuzz/fuzz-texts.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/json-text.h"

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
collect (cJSON     *value,
         GPtrArray *values)
{
  cJSON *child;

  g_ptr_array_add (values, value);
  cJSON_ArrayForEach (child, value)
    collect (child, values);
}

static cJSON *
make_value (GRand           *random,
            const GPtrArray *values)
{
  static const double numbers[] = {
    0, 1, 2, 3, 9, -1, 0.5, 255, 256, 2147483646, 2147483647, 4294967296.0, 1e300
  };
  static const char *const texts[] = {
    "", "a", "A", "B", "[UNK]", "[SEP]", "##", "\u0301", "WordPiece", "BPE", "x", " "
  };
  guint other = (guint) g_rand_int_range (random, 0, (gint) values->len);

  switch (g_rand_int_range (random, 0, 6))
    {
    case 0:
      return cJSON_CreateNumber (numbers[g_rand_int_range (random, 0, G_N_ELEMENTS (numbers))]);
    case 1:
      return cJSON_CreateString (texts[g_rand_int_range (random, 0, G_N_ELEMENTS (texts))]);
    case 2:
      return cJSON_CreateBool (g_rand_boolean (random));
    case 3:
      return cJSON_CreateNull ();
    case 4:
      return g_rand_boolean (random) ? cJSON_CreateObject () : cJSON_CreateArray ();
    default:
      /* Another part of the same file. */
      return cJSON_Duplicate (g_ptr_array_index (values, other), TRUE);
    }
}

/* Puts other values into one to four places. */
static char *
change_values (const char *file,
               GRand      *random)
{
  g_autofree char *text = json_text (file);
  g_autoptr (cJSON) json = cJSON_Parse (text);

  for (int n = g_rand_int_range (random, 1, 5); n > 0; n--)
    {
      g_autoptr (GPtrArray) values = g_ptr_array_new ();
      cJSON *parent;
      int n_children;

      collect (json, values);
      parent = g_ptr_array_index (values, (guint) g_rand_int_range (random, 0, (gint) values->len));
      n_children = cJSON_GetArraySize (parent);
      if (n_children > 0)
        {
          cJSON *child = cJSON_GetArrayItem (parent, g_rand_int_range (random, 0, n_children));
          cJSON *value = make_value (random, values);

          if (cJSON_IsObject (parent))
            {
              g_autofree char *key = g_strdup (child->string);

              cJSON_ReplaceItemInObjectCaseSensitive (parent, key, value);
            }
          else
            cJSON_ReplaceItemViaPointer (parent, child, value);
        }
    }

  return cJSON_PrintUnformatted (json);
}

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
  tokenizer = eng_tokenizer_new (pipeline, NULL, "tokenizer.json");
  fuzz_encode (tokenizer, texts, n_texts);
}

void
fuzz_add_seeds (GPtrArray *seeds)
{
  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *text = json_text (files[i]);

      fuzz_add_texts (seeds, text);
    }
}

void
fuzz_one (const guint8 *data,
          gsize         size)
{
  gsize length = fuzz_find_texts (data, size);
  guint32 seed = (guint32) size;
  g_autoptr (GRand) random = NULL;
  g_autofree char *changed = NULL;

  for (gsize i = 0; i < size; i++)
    seed = seed * 31 + data[i];
  random = g_rand_new_with_seed (seed);
  changed = change_values (files[seed % G_N_ELEMENTS (files)], random);

  check (length ? (const char *) data : "", length, data + length, size - length);
  check (changed, strlen (changed), data + length, size - length);
}
