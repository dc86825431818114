/* SPDX-License-Identifier: MIT */
/* Tokenizers of SentencePiece's kind, against thousands of strings that the tokenizers library and
 * transformers cut: record_sentencepiece.py. */
#include "tests/support/checkpoint-folder.h"
#include "tests/support/json-text.h"
#include "tests/support/token-cases.h"

#include <locale.h>
#include <string.h>

/* NULL, and the test is skipped, where the shared data is absent. */
static char *
find_shared (const char *name)
{
  const char *shared = g_getenv ("HEADLIGHT_SHARED");
  g_autofree char *folder = g_build_filename (shared ? shared : "../shared", "data", "tokenizers",
                                              name, NULL);

  if (!g_file_test (folder, G_FILE_TEST_IS_DIR)) {
    g_test_skip ("the tokenizer is not beside the project");
    return NULL;
  }

  return g_steal_pointer (&folder);
}

static void
check_cases (const char *folder,
             const char *cases)
{
  g_autofree char *fixture = g_build_filename ("sentencepiece", cases, NULL);
  g_autoptr (GBytes) bytes = gzip_read_fixture (fixture);
  TokenReader reader = token_reader_new (bytes);
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTokenizer) tokenizer = eng_tokenizer_open (folder, &error);

  g_assert_no_error (error);
  token_cases_check (tokenizer, &reader, 0);
}

static void
test_t5 (void)
{
  g_autofree char *folder = find_shared ("t5-small");

  if (folder)
    check_cases (folder, "t5-small.gz");
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/sentencepiece/recorded/t5-small", test_t5);

  return g_test_run ();
}
