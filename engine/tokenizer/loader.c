/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/loader.h"

#include "engine/tokenizer/settings.h"
#include "engine/tokenizer/tokenizer-json.h"
#include "engine/tokenizer/vocab-txt.h"

/* What the settings say of a pipeline whichever files it was read from. */
static gboolean
apply_settings (EngPipeline                 *pipeline,
                const EngTokenizerSettings  *settings,
                GError                     **error)
{
  for (int role = 0; role < ENG_N_ROLES; role++) {
    EngAddedToken token = { 0 };

    if (!eng_tokenizer_settings_get_special (settings, eng_role_get_key (role), &token, error))
      return FALSE;
    if (token.content)
      pipeline->roles[role] = eng_pipeline_find_id (pipeline, token.content);
  }
  if (!eng_json_get_boolean (settings->config, "clean_up_tokenization_spaces",
                             settings->config_path, &pipeline->clean_up, error))
    return FALSE;
  /* transformers passes over it where the spaces are the pieces' own. */
  pipeline->clean_up &= !g_str_equal (pipeline->model->name, "BPE");

  return TRUE;
}

EngPipeline *
eng_pipeline_open (const char  *folder,
                   char       **path,
                   GError     **error)
{
  g_autofree char *json_path = g_build_filename (folder, "tokenizer.json", NULL);
  g_autofree char *vocabulary_path = g_build_filename (folder, "vocab.txt", NULL);
  g_autoptr (EngTokenizerSettings) settings = NULL;
  g_autoptr (EngPipeline) pipeline = NULL;
  gboolean is_json = g_file_test (json_path, G_FILE_TEST_EXISTS);

  if (!is_json && !g_file_test (vocabulary_path, G_FILE_TEST_IS_REGULAR)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING,
                 "%s: no tokenizer here, expected tokenizer.json or vocab.txt", folder);
    return NULL;
  }
  settings = eng_tokenizer_settings_open (folder, error);
  if (!settings)
    return NULL;
  pipeline = is_json ? eng_tokenizer_json_read (json_path, error)
                     : eng_vocab_txt_read (vocabulary_path, settings, error);
  if (!pipeline || !apply_settings (pipeline, settings, error))
    return NULL;
  *path = g_strdup (is_json ? json_path : vocabulary_path);

  return g_steal_pointer (&pipeline);
}
