/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/files/loader.h"

#include "engine/tokenizer/files/m2m-100.h"
#include "engine/tokenizer/files/gguf-tokenizer.h"
#include "engine/tokenizer/files/marian.h"
#include "engine/tokenizer/files/residues.h"
#include "engine/tokenizer/files/sentencepiece-tokenizer.h"
#include "engine/tokenizer/files/settings.h"
#include "engine/tokenizer/files/tokenizer-json.h"
#include "engine/tokenizer/files/translators.h"
#include "engine/tokenizer/files/vocab-json.h"
#include "engine/tokenizer/files/vocab-txt.h"

/* A number beyond all texts, as transformers writes it, says nothing. */
static int
get_max_length (const EngTokenizerSettings *settings)
{
  const cJSON *length = eng_json_find (settings->config, "model_max_length");

  if (!cJSON_IsNumber (length) || !(length->valuedouble >= 1 && length->valuedouble <= G_MAXINT))
    return 0;

  return (int) length->valuedouble;
}

/* Whether the types that the template gives are for the model to read. transformers hands a model
 * only what model_input_names lists; the classes of some list no types where the file has no list. */
static gboolean
gives_types (const EngTokenizerSettings *settings)
{
  static const EngTokenizerFamily without[] = {
    { "albert", "AlbertTokenizer" },
    { "big_bird", "BigBirdTokenizer" },
    { "xlm", "XLMTokenizer" },
  };
  const cJSON *names = eng_json_find (settings->config, "model_input_names");
  const cJSON *class = eng_json_find (settings->config, "tokenizer_class");
  const cJSON *name;

  for (gsize i = 0; i < G_N_ELEMENTS (without) && !cJSON_IsArray (names); i++)
    if (cJSON_IsString (class)
        ? eng_tokenizer_is_class (class->valuestring, without[i].tokenizer_class)
        : g_strcmp0 (settings->model_type, without[i].model_type) == 0)
      return FALSE;
  if (!cJSON_IsArray (names))
    return TRUE;
  cJSON_ArrayForEach (name, names)
    if (cJSON_IsString (name) && g_str_equal (name->valuestring, "token_type_ids"))
      return TRUE;

  return FALSE;
}

/* One, or several that have names; in a file of its own or among the settings. */
static gboolean
has_chat_template (const char                 *folder,
                   const EngTokenizerSettings *settings)
{
  static const char *const files[] = { "chat_template.jinja", "chat_template.json" };
  const cJSON *template = eng_json_find (settings->config, "chat_template");

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *path = g_build_filename (folder, files[i], NULL);

    if (g_file_test (path, G_FILE_TEST_EXISTS))
      return TRUE;
  }

  return cJSON_IsString (template) || cJSON_GetArraySize (template) > 0;
}

/* What the settings say of a pipeline whichever files it was read from. */
static gboolean
apply_settings (EngPipeline                 *pipeline,
                const EngTokenizerSettings  *settings,
                GError                     **error)
{
  static const char forced_key[] =
    "clean_up_tokenization_spaces_for_bpe_even_though_it_will_corrupt_output";
  gboolean forced = FALSE;

  for (int role = 0; role < ENG_N_ROLES; role++) {
    EngAddedToken token = { 0 };

    if (!eng_tokenizer_settings_get_special (settings, eng_role_get_key (role), &token, error))
      return FALSE;
    if (token.content)
      pipeline->roles[role] = eng_pipeline_find_id (pipeline, token.content);
  }
  if (!eng_json_get_boolean (settings->config, "clean_up_tokenization_spaces",
                             settings->config_path, &pipeline->clean_up, error) ||
      !eng_json_get_boolean (settings->config, forced_key, settings->config_path, &forced, error))
    return FALSE;
  /* transformers passes over it where the library's BPE cuts the text, its own classes do not. */
  pipeline->clean_up &= forced || pipeline->own_class ||
                        !g_str_equal (pipeline->model->name, "BPE");

  pipeline->max_length = get_max_length (settings);
  pipeline->gives_no_types = !gives_types (settings);

  return TRUE;
}

static EngPipeline *
read_vocab_txt (const char                  *path,
                const EngTokenizerSettings  *settings,
                GError                     **error)
{
  return eng_residues_are_meant (settings) ? eng_residues_read (path, settings, error)
                                           : eng_vocab_txt_read (path, settings, error);
}

static EngPipeline *
read_bpe_model (const char                  *path,
                const EngTokenizerSettings  *settings,
                GError                     **error)
{
  EngTranslator translator;

  return eng_translator_find (settings, &translator) && translator == ENG_TRANSLATOR_M2M_100
         ? eng_m2m_100_read (path, settings, error)
         : eng_sentencepiece_read (path, settings, error);
}

/* The files that a tokenizer can be built from, in the order in which they are looked for. */
static const struct {
  const char *name;
  EngPipeline *(*read) (const char                  *path,
                        const EngTokenizerSettings  *settings,
                        GError                     **error);
} sources[] = {
  { "tokenizer.json", eng_tokenizer_json_read },
  { "source.spm", eng_marian_read },
  { "spiece.model", eng_sentencepiece_read },
  { "sentencepiece.bpe.model", read_bpe_model },
  { "spm.model", eng_sentencepiece_read },
  { "tokenizer.model", eng_sentencepiece_read },
  { "vocab.json", eng_vocab_json_read },
  { "vocab.txt", read_vocab_txt },
};

/* The first of the sources that the folder has; refuses one that has none. */
static gboolean
find_source (const char  *folder,
             gsize       *source,
             char       **path,
             GError     **error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (sources); i++) {
    g_autofree char *candidate = g_build_filename (folder, sources[i].name, NULL);

    if (g_file_test (candidate, G_FILE_TEST_EXISTS)) {
      *source = i;
      *path = g_steal_pointer (&candidate);
      return TRUE;
    }
    g_string_append_printf (names, "%s%s", i ? " or " : "", sources[i].name);
  }
  g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING, "%s: no tokenizer here, expected %s",
               folder, names->str);

  return FALSE;
}

gboolean
eng_pipeline_has_files (const char *folder)
{
  gsize source;
  g_autofree char *path = NULL;
  g_autofree char *gguf = eng_gguf_find (folder, NULL);

  return gguf ? eng_gguf_tokenizer_exists (gguf) : find_source (folder, &source, &path, NULL);
}

EngPipeline *
eng_pipeline_open (const char  *folder,
                   char       **path,
                   GError     **error)
{
  g_autofree char *found = NULL;
  g_autoptr (EngTokenizerSettings) settings = NULL;
  g_autoptr (EngPipeline) pipeline = NULL;
  gsize source;

  *path = eng_gguf_find (folder, NULL);
  if (*path)
    return eng_gguf_tokenizer_read (*path, error);
  if (!find_source (folder, &source, &found, error))
    return NULL;
  settings = eng_tokenizer_settings_open (folder, error);
  if (!settings)
    return NULL;
  pipeline = sources[source].read (found, settings, error);
  if (!pipeline || !apply_settings (pipeline, settings, error) ||
      !eng_translators_apply (pipeline, settings, error) ||
      (pipeline->target && !apply_settings (pipeline->target, settings, error)))
    return NULL;
  pipeline->has_chat_template = has_chat_template (folder, settings);
  *path = g_steal_pointer (&found);

  return g_steal_pointer (&pipeline);
}
