/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/files/residues.h"

#include "engine/tokenizer/files/components.h"
#include "engine/tokenizer/files/vocab-txt.h"
#include "engine/tokenizer/models/wordpiece.h"

static const struct {
  EngRole     role;
  const char *content;
} special_tokens[] = {
  { ENG_ROLE_UNKNOWN, "<unk>" }, { ENG_ROLE_CLASS, "<cls>" }, { ENG_ROLE_PADDING, "<pad>" },
  { ENG_ROLE_MASK, "<mask>" },   { ENG_ROLE_EOS, "<eos>" },
};

gboolean
eng_residues_are_meant (const EngTokenizerSettings *settings)
{
  const cJSON *name = eng_json_find (settings->config, "tokenizer_class");

  return cJSON_IsString (name) ? eng_tokenizer_is_class (name->valuestring, "EsmTokenizer")
                               : g_strcmp0 (settings->model_type, "esm") == 0;
}

static gboolean
add_tokens (EngComponents               *components,
            const EngVocabulary         *vocabulary,
            const EngTokenizerSettings  *settings,
            GError                     **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS (special_tokens); i++) {
    EngAddedToken token = { .content = special_tokens[i].content };

    if (!eng_components_add_special (components, special_tokens[i].role, token, settings, error))
      return FALSE;
  }
  for (int id = 0; id < eng_vocabulary_get_n_entries (vocabulary); id++) {
    const char *content = eng_vocabulary_get_piece (vocabulary, id);
    gboolean is_special = FALSE;

    for (int role = 0; role < ENG_N_ROLES; role++)
      is_special |= g_strcmp0 (content, components->special[role].content) == 0;
    if (!is_special && *content)
      eng_components_add_token (components, &(EngAddedToken) { .content = content });
  }
  /* White space to Python, though not to Unicode. */
  for (char c = 0x1c; c <= 0x1f; c++)
    eng_components_add_replace (components->normalizers, "String", (const char[]) { c, 0 }, " ");
  eng_components_add_step (components->pre_tokenizers, "WhitespaceSplit");
  eng_components_add_listed (components, settings, vocabulary);

  return TRUE;
}

EngPipeline *
eng_residues_read (const char                  *path,
                   const EngTokenizerSettings  *settings,
                   GError                     **error)
{
  g_autoptr (EngVocabulary) vocabulary = eng_vocab_txt_read_pieces (path, error);
  g_auto (EngComponents) components = { 0 };
  /* No word that is left holds an entry, so that each is unknown whatever its length. */
  EngWordpieceOptions options = { .continuation = "##", .max_word_length = 1 };
  EngTokenModel *model;

  if (!vocabulary)
    return NULL;
  eng_components_init (&components);
  if (!add_tokens (&components, vocabulary, settings, error))
    return NULL;
  options.unknown_token = components.special[ENG_ROLE_UNKNOWN].content;
  model = eng_wordpiece_new (g_steal_pointer (&vocabulary), &options, path, error);

  return model ? eng_components_build (&components, model, "cls_token $A eos_token",
                                       "cls_token $A eos_token $B eos_token", path, error) : NULL;
}
