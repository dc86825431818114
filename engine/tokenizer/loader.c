/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/loader.h"

#include "engine/tokenizer/settings.h"
#include "engine/tokenizer/tokenizer-json.h"
#include "engine/tokenizer/vocab-txt.h"

EngPipeline *
eng_pipeline_open (const char  *folder,
                   char       **path,
                   char       **mask_token,
                   GError     **error)
{
  g_autofree char *json_path = g_build_filename (folder, "tokenizer.json", NULL);
  g_autofree char *vocabulary_path = g_build_filename (folder, "vocab.txt", NULL);
  g_autoptr (EngTokenizerSettings) settings = NULL;
  g_autoptr (EngPipeline) pipeline = NULL;
  gboolean is_json = g_file_test (json_path, G_FILE_TEST_EXISTS);
  EngAddedToken mask = { 0 };

  if (!is_json && !g_file_test (vocabulary_path, G_FILE_TEST_IS_REGULAR)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING,
                 "%s: no tokenizer here, expected tokenizer.json or vocab.txt", folder);
    return NULL;
  }
  settings = eng_tokenizer_settings_open (folder, error);
  if (!settings || !eng_tokenizer_settings_get_special (settings, "mask_token", &mask, error))
    return NULL;
  pipeline = is_json ? eng_tokenizer_json_read (json_path, error)
                     : eng_vocab_txt_read (vocabulary_path, settings, error);
  if (!pipeline)
    return NULL;
  *path = g_strdup (is_json ? json_path : vocabulary_path);
  *mask_token = g_strdup (mask.content);

  return g_steal_pointer (&pipeline);
}
