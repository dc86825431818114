/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/files/m2m-100.h"

#include "engine/tokenizer/decoders/marian-decoder.h"
#include "engine/tokenizer/files/components.h"
#include "engine/tokenizer/files/sentencepiece-cutter.h"
#include "engine/tokenizer/files/translators.h"

static gboolean
read_special (EngComponents               *components,
              const EngTokenizerSettings  *settings,
              GError                     **error)
{
  static const struct {
    EngRole       role;
    EngAddedToken token;
  } special[] = {
    { ENG_ROLE_BOS, { "<s>" } },
    { ENG_ROLE_EOS, { "</s>" } },
    { ENG_ROLE_SEPARATOR, { "</s>" } },
    { ENG_ROLE_PADDING, { "<pad>" } },
    { ENG_ROLE_UNKNOWN, { "<unk>" } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (special); i++)
    if (!eng_components_add_special (components, special[i].role, special[i].token, settings,
                                     error))
      return FALSE;

  return TRUE;
}

/* Takes vocabulary. */
static EngPipeline *
build (const EngSentencepieceFile  *file,
       EngVocabulary               *vocabulary,
       char *const                 *languages,
       const EngTokenizerSettings  *settings,
       const char                  *path,
       GError                     **error)
{
  g_auto (EngComponents) components;
  g_autoptr (EngVocabulary) ids = vocabulary;
  g_autoptr (GStrvBuilder) special = g_strv_builder_new ();
  g_auto (GStrv) contents = NULL;
  EngTokenModel *model;
  EngPipeline *pipeline;

  eng_components_init (&components);
  if (!read_special (&components, settings, error))
    return NULL;
  for (int i = 0; languages[i]; i++)
    eng_components_add_token (&components,
                              &(EngAddedToken) { .content = languages[i], .special = TRUE });
  eng_components_add_listed (&components, settings, ids);
  model = eng_sentencepiece_cutter_new (file, g_steal_pointer (&ids),
                                        components.special[ENG_ROLE_UNKNOWN].content, path, error);
  if (!model)
    return NULL;

  for (int role = 0; role < ENG_N_ROLES; role++)
    if (components.special[role].content)
      g_strv_builder_add (special, components.special[role].content);
  g_strv_builder_addv (special, (const char **) languages);
  contents = g_strv_builder_end (special);
  pipeline = eng_components_build (&components, model, "$A eos_token", "$A $B eos_token", path,
                                   error);
  if (pipeline) {
    pipeline->own_class = TRUE;
    g_ptr_array_add (pipeline->decoders,
                     eng_marian_decoder_new (file, (const char *const *) contents, ""));
  }

  return pipeline;
}

EngPipeline *
eng_m2m_100_read (const char                  *path,
                  const EngTokenizerSettings  *settings,
                  GError                     **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *vocabulary_path = g_build_filename (folder, "vocab.json", NULL);
  g_autoptr (EngSentencepieceFile) file = eng_sentencepiece_file_read (path, error);
  EngVocabulary *vocabulary = file ? eng_vocabulary_read (vocabulary_path, error) : NULL;
  g_auto (GStrv) languages = NULL;

  if (!vocabulary)
    return NULL;
  languages = eng_translator_list_tokens (ENG_TRANSLATOR_M2M_100, settings, error);
  if (!languages) {
    eng_vocabulary_free (vocabulary);
    return NULL;
  }

  return build (file, vocabulary, languages, settings, vocabulary_path, error);
}
