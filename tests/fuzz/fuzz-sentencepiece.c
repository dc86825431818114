/* SPDX-License-Identifier: MIT */
/* SentencePiece's .model and a text: the last byte says how many bytes before it are texts, as
 * fuzz-texts.h has them, the rest is the file. Few files are still messages after bytes of them
 * have changed, so a sound one is made up beside it, with pieces, settings and replacements at
 * random. */
#include "engine/tokenizer/files/sentencepiece-cutter.h"
#include "engine/tokenizer/files/sentencepiece-tokenizer.h"
#include "engine/tokenizer/normalizers/sentencepiece-normalizer.h"
#include "engine/tokenizer/tokenizer-private.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz-json.h"
#include "tests/fuzz/fuzz-texts.h"

#define CONFIG \
  "{'extra_ids': 2, 'add_prefix_space': true, 'do_lower_case': false, 'keep_accents': true," \
  " 'legacy': true, 'add_bos_token': true, 'add_eos_token': false, 'mask_token': '[MASK]'," \
  " 'unk_token': {'content': '<unk>', 'lstrip': true}," \
  " 'added_tokens_decoder': {'20': {'content': 'x y', 'rstrip': true, 'special': true}}}"

static const char *const families[] = { "t5", "xlm-roberta", "albert", "llama", "marian",
                                         "nllb", "mbart", "pegasus" };

static void
append_varint (GByteArray *message,
               guint64     value)
{
  guint8 byte;

  for (; value > 0x7f; value >>= 7) {
    byte = (guint8) (value | 0x80);
    g_byte_array_append (message, &byte, 1);
  }
  byte = (guint8) value;
  g_byte_array_append (message, &byte, 1);
}

static void
append_number (GByteArray *message,
               guint       field,
               guint64     value)
{
  append_varint (message, field << 3);
  append_varint (message, value);
}

static void
append_bytes (GByteArray   *message,
              guint         field,
              gconstpointer bytes,
              gsize         length)
{
  append_varint (message, field << 3 | 2);
  append_varint (message, length);
  g_byte_array_append (message, bytes, (guint) length);
}

static void
append_piece (GByteArray *message,
              const char *text,
              float       score,
              guint       type)
{
  g_autoptr (GByteArray) piece = g_byte_array_new ();

  append_bytes (piece, 1, text, strlen (text));
  append_varint (piece, 2 << 3 | 5);
  g_byte_array_append (piece, (const guint8 *) &score, sizeof score);
  append_number (piece, 3, type);
  append_bytes (message, 1, piece->data, piece->len);
}

/* Few units and labels, so that walks go on for more than a step. */
static void
append_charsmap (GByteArray *message,
                 GRand      *random)
{
  static const char replacements[] = "a\0 \0\0\xc3\xa9x\0  b \0\xe2\x96\x81";
  guint32 units[513] = { 512 * 4 };

  for (gsize i = 1; i < G_N_ELEMENTS (units); i++) {
    guint32 label = (guint32) (i - 1) & 0xff;

    units[i] = label | (guint32) g_rand_int_range (random, 0, 2) << 8 |
               (guint32) g_rand_int_range (random, 0, 512) << 10;
    if (g_rand_int_range (random, 0, 4) == 0)
      units[i] = g_rand_int_range (random, 0, 2) ? g_rand_int (random)
                                                 : (guint32) g_rand_int_range (random, 0, 20);
  }
  append_varint (message, 2 << 3 | 2);
  append_varint (message, sizeof units + sizeof replacements);
  g_byte_array_append (message, (const guint8 *) units, sizeof units);
  g_byte_array_append (message, (const guint8 *) replacements, sizeof replacements);
}

static GByteArray *
make_model (GRand *random)
{
  static const char *const texts[] = {
    "a", "b", "aa", "ab", "\u2581", "\u2581a", "\u2581\u2581", "<s>", "</s>", "<pad>", "[CLS]",
    "[SEP]", "<0x41>", "5,", ",", "\u00e9", "\u65e5", "[MASK]", "c", "A",
  };
  GByteArray *model = g_byte_array_new ();
  g_autoptr (GByteArray) trainer = g_byte_array_new ();
  g_autoptr (GByteArray) normalizer = g_byte_array_new ();

  append_piece (model, "<unk>", 0, 2);
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    if (g_rand_int_range (random, 0, 8) > 0) {
      gboolean is_normal = g_rand_int_range (random, 0, 4) > 0;

      append_piece (model, texts[i], (float) g_rand_double_range (random, -9, 0),
                    is_normal ? 1 : (guint) g_rand_int_range (random, 3, 7));
    }
  append_number (trainer, 3, (guint64) g_rand_int_range (random, 1, 3));
  append_number (trainer, 24, (guint64) g_rand_int_range (random, 0, 2));
  append_number (trainer, 35, (guint64) g_rand_int_range (random, 0, 2));
  append_bytes (model, 2, trainer->data, trainer->len);
  if (g_rand_boolean (random))
    append_charsmap (normalizer, random);
  for (guint field = 3; field <= 5; field++)
    append_number (normalizer, field, (guint64) g_rand_int_range (random, 0, 2));
  append_bytes (model, 3, normalizer->data, normalizer->len);

  return model;
}

static void
add_seed (GPtrArray    *seeds,
          gconstpointer model,
          gsize         length)
{
  static const char texts[] = "\0Aaab 5,b \xc3\xa9\xe6\x97\xa5  [MASK]c\0a\xcc\x81 ";
  GByteArray *seed = g_byte_array_new ();
  guint8 n_texts = sizeof texts - 1;

  g_byte_array_append (seed, model, (guint) length);
  g_byte_array_append (seed, (const guint8 *) texts, n_texts);
  g_byte_array_append (seed, &n_texts, 1);
  g_ptr_array_add (seeds, g_byte_array_free_to_bytes (seed));
}

/* One that SentencePiece trained, where the tests lie beside the program. */
static void
add_real_seed (GPtrArray *seeds)
{
  const char *tests = g_getenv ("G_TEST_SRCDIR");
  g_autofree char *path = NULL;
  g_autofree char *model = NULL;
  gsize length;

  if (!tests)
    return;
  path = g_build_filename (tests, "fixtures", "sentencepiece", "marian", "source.spm", NULL);
  if (g_file_get_contents (path, &model, &length, NULL))
    add_seed (seeds, model, length);
}

void
fuzz_add_seeds (GPtrArray *seeds)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  add_real_seed (seeds);
  for (int i = 0; i < 6; i++) {
    g_autoptr (GByteArray) model = make_model (random);

    add_seed (seeds, model->data, model->len);
  }
}

static void
normalize (const EngSentencepieceFile *file,
           const guint8               *texts,
           gsize                       n_texts)
{
  EngNormalizer *normalizer = eng_sentencepiece_normalizer_new (file, "a.model", NULL);
  g_autofree char *text = n_texts ? g_utf8_make_valid ((const char *) texts, (gssize) n_texts)
                                  : g_strdup ("");
  g_auto (EngNormalized) normalized = { 0 };

  if (!normalizer)
    return;
  eng_normalized_append_text (&normalized, text);
  normalizer->normalize (normalizer, &normalized);
  for (int i = 0; i < normalized.n; i++) {
    g_assert_cmpint (normalized.chars[i].origin.start, <, normalized.chars[i].origin.end);
    g_assert_cmpint (normalized.chars[i].origin.end, <=, (int) strlen (text));
  }
  eng_normalizer_free (normalizer);
}

/* By sentencepiece's own rules, with the model's pieces as vocabulary. */
static void
cut (const EngSentencepieceFile *file,
     const guint8               *texts,
     gsize                       n_texts)
{
  g_autoptr (EngVocabulary) vocabulary = eng_vocabulary_new ();
  g_autoptr (EngTokenModel) model = NULL;
  g_autoptr (GArray) pieces = g_array_new (FALSE, FALSE, sizeof (EngPiece));
  g_autofree char *text = n_texts ? g_utf8_make_valid ((const char *) texts, (gssize) n_texts)
                                  : g_strdup ("");
  g_auto (EngNormalized) normalized = { 0 };

  for (guint i = 0; i < file->pieces->len; i++) {
    const char *piece = g_array_index (file->pieces, EngSentencepiece, i).text;

    eng_vocabulary_add (vocabulary, piece, strlen (piece), (int) i);
  }
  if (!eng_vocabulary_seal (vocabulary, "vocab.json", NULL))
    return;
  model = eng_sentencepiece_cutter_new (file, g_steal_pointer (&vocabulary), "<unk>", "a.model",
                                        NULL);
  eng_normalized_append_text (&normalized, text);
  if (!model || normalized.n == 0)
    return;
  model->cut (model, normalized.chars, normalized.n, pieces);
  for (guint i = 0; i < pieces->len; i++)
    g_assert_cmpint (g_array_index (pieces, EngPiece, i).id, <, (int) file->pieces->len);
}

static void
check (const guint8               *model,
       gsize                       length,
       const EngTokenizerSettings *settings,
       const guint8               *texts,
       gsize                       n_texts)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EngSentencepieceFile) file = eng_sentencepiece_file_parse (model, length, "a.model",
                                                                        NULL);
  g_autoptr (EngTokenizer) tokenizer = NULL;
  EngPipeline *pipeline = eng_sentencepiece_parse (model, length, "a.model", settings, &error);

  g_assert_true ((pipeline == NULL) == (error != NULL));
  if (file) {
    normalize (file, texts, n_texts);
    cut (file, texts, n_texts);
  }
  if (!pipeline)
    return;
  g_assert_nonnull (file);
  tokenizer = eng_tokenizer_new (pipeline, "a.model");
  fuzz_encode (tokenizer, texts, n_texts);
}

void
fuzz_one (const guint8 *data,
          gsize         size)
{
  gsize n_texts = size ? MIN (data[size - 1], size - 1) : 0;
  gsize length = size ? size - 1 - n_texts : 0;
  g_autoptr (GRand) random = fuzz_new_random (data, size);
  g_autoptr (GByteArray) made = make_model (random);
  g_autoptr (cJSON) config = fuzz_change_values (CONFIG, random);
  EngTokenizerSettings settings = {
    .config_path = (char *) "tokenizer_config.json",
    .special_tokens_path = (char *) "special_tokens_map.json",
    .added_tokens_path = (char *) "added_tokens.json",
    .model_type = (char *) families[g_rand_int_range (random, 0, G_N_ELEMENTS (families))],
  };

  check (data, length, &settings, data + length, n_texts);
  settings.config = config;
  check (data, length, &settings, data + length, n_texts);
  check (made->data, made->len, &settings, data + length, n_texts);
}
