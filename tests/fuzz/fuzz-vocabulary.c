/* SPDX-License-Identifier: MIT */
/* vocab.txt and a text: everything before the first NUL is the file, then sentence A, a NUL,
 * sentence B. */
#include "engine/tokenizer-private.h"
#include "engine/tokenizer/vocab-txt.h"
#include "tests/fuzz/fuzz-texts.h"
#include "tests/fuzz/fuzz.h"

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

void
fuzz_one (const guint8 *data,
          gsize         size)
{
  static const EngTokenizerSettings settings = { 0 };
  gsize length = fuzz_find_texts (data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTokenizer) tokenizer = NULL;
  EngPipeline *pipeline = eng_vocab_txt_parse (length ? (const char *) data : "", length,
                                               "vocab.txt", &settings, &error);

  if (!pipeline)
    {
      g_assert_nonnull (error);
      return;
    }
  tokenizer = eng_tokenizer_new (pipeline, NULL, "vocab.txt");
  fuzz_encode (tokenizer, data + length, size - length);
}
