/* SPDX-License-Identifier: MIT */
/* Folders with a model of SentencePiece. */
#pragma once

#include "engine/tokenizer/tokenizer.h"
#include "tests/support/checkpoint-folder.h"

/* Opens a copy of folder's model, and of the ids that its pieces have, beside a file of settings. */
static inline EngTokenizer *
sentencepiece_open_with (const char *folder,
                         const char *settings_name,
                         const char *settings)
{
  static const char *const names[] = {
    "spiece.model", "sentencepiece.bpe.model", "tokenizer.model", "vocab.json",
  };
  g_autoptr (GError) error = NULL;
  g_autofree char *copy = g_dir_make_tmp ("headlight-sentencepiece-XXXXXX", &error);
  EngTokenizer *tokenizer;

  g_assert_no_error (error);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *path = g_build_filename (folder, names[i], NULL);

    if (g_file_test (path, G_FILE_TEST_EXISTS)) {
      gsize size;
      g_autofree char *bytes = checkpoint_read_file (folder, names[i], &size);

      checkpoint_write_file (copy, names[i], bytes, (gssize) size);
    }
  }
  checkpoint_write_file (copy, settings_name, settings, -1);
  tokenizer = eng_tokenizer_open (copy, &error);
  g_assert_no_error (error);
  checkpoint_remove_folder (copy);

  return tokenizer;
}
