/* SPDX-License-Identifier: MIT */
#include "app/store/specimen.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#include "app/store/paths.h"
#include "engine/base/error.h"
#include "engine/base/file-writer.h"
#include "engine/tokenizer/tokenizer.h"
#include "engine/training/new-model.h"

/* The bundled model whose words a specimen of the branch reads. */
static const char *const word_sources[ENG_N_BRANCHES] = {
  [ENG_BRANCH_ENCODER] = "headlight-mini",
  [ENG_BRANCH_DECODER] = "headlight-causal",
  [ENG_BRANCH_TWO_STACKS] = "headlight-en-fr",
};

/* Families spell one size in several ways, and none minds the others' spellings. Ids and sizes of
 * the vocabulary follow from the tokenizer. */
#define CONFIG                                                                                  \
  "{\"model_type\": \"%s\", \"architectures\": [\"%s%s\"], \"is_encoder_decoder\": %s,"         \
  " \"hidden_size\": 64, \"num_hidden_layers\": 2, \"num_attention_heads\": 4,"                 \
  " \"num_key_value_heads\": 2, \"head_dim\": 16, \"rotary_dim\": 8, \"intermediate_size\": 128," \
  " \"encoder_layers\": 2, \"encoder_attention_heads\": 4, \"encoder_ffn_dim\": 128,"           \
  " \"decoder_layers\": 2, \"decoder_attention_heads\": 4, \"decoder_ffn_dim\": 128,"           \
  " \"num_layers\": 2, \"num_heads\": 4, \"d_kv\": 16, \"d_ff\": 128,"                          \
  " \"max_position_embeddings\": 128, \"n_positions\": 128}"

/* That would be the decoder alone. */
static gboolean
is_half (const EngFamily *family,
         const char      *class)
{
  return eng_family_get_branch (family) == ENG_BRANCH_TWO_STACKS
         && g_str_equal (class, "ForCausalLM");
}

/* What a class that predicts words ends in. */
static const char *
find_class (const EngFamily *family)
{
  for (int i = 0; i < family->n_heads; i++) {
    const EngHeadParts *head = &family->heads[i];

    for (gsize j = 0; j < G_N_ELEMENTS (head->classes) && head->classes[j] != NULL; j++)
      if ((head->task == ENG_TASK_LANGUAGE_MODEL || head->task == ENG_TASK_FILL_MASK)
          && !is_half (family, head->classes[j]))
        return head->classes[j];
  }

  return "Model";
}

/* A file that is not there is none of the source's; *error stays then. */
static gboolean
copy_file (const char  *source,
           const char  *folder,
           const char  *name,
           GError     **error)
{
  g_autofree char *from = g_build_filename (source, name, NULL);
  g_autofree char *to = g_build_filename (folder, name, NULL);
  g_autofree char *text = NULL;
  gsize length;

  if (!g_file_test (from, G_FILE_TEST_EXISTS))
    return TRUE;
  return g_file_get_contents (from, &text, &length, error)
         && eng_file_write (to, text, length, error);
}

static gboolean
copy_words (const char  *source,
            const char  *folder,
            GError     **error)
{
  static const char *const names[] = {
    "tokenizer.json", "tokenizer_config.json", "generation_config.json"
  };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (!copy_file (source, folder, names[i], error))
      return FALSE;
  return TRUE;
}

/* Last, so that a folder with a config is whole. */
static gboolean
write_config (const EngFamily  *family,
              const char       *folder,
              const char       *path,
              GError          **error)
{
  g_autofree char *plain = g_strdup_printf (CONFIG, family->model_type, family->class_prefix,
                                            find_class (family),
                                            eng_family_get_branch (family) == ENG_BRANCH_TWO_STACKS
                                            ? "true" : "false");
  g_autoptr (EngTokenizer) tokenizer = eng_tokenizer_open (folder, error);
  g_autofree char *config = NULL;

  if (tokenizer != NULL)
    config = eng_new_model_fit_config (plain, path, tokenizer, error);
  return config != NULL && eng_file_write (path, config, strlen (config), error);
}

char *
app_specimen_make (const EngFamily  *family,
                   GError          **error)
{
  g_autofree char *specimens = app_paths_get_specimens ();
  g_autofree char *name = g_strconcat (family->model_type, "-random-weights", NULL);
  g_autofree char *folder = g_build_filename (specimens, name, NULL);
  g_autofree char *path = g_build_filename (folder, "config.json", NULL);
  g_autofree char *bundled = app_paths_get_bundled_models ();
  g_autofree char *source = g_build_filename (bundled,
                                              word_sources[eng_family_get_branch (family)], NULL);

  if (g_mkdir_with_parents (folder, 0755) != 0) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_IO, "%s: %s", folder, g_strerror (errno));
    return NULL;
  }
  if (!g_file_test (path, G_FILE_TEST_EXISTS)
      && (!copy_words (source, folder, error) || !write_config (family, folder, path, error)))
    return NULL;
  return g_steal_pointer (&folder);
}
