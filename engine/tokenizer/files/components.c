/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/files/components.h"

#include "engine/tokenizer/files/tokenizer-json.h"

#include <string.h>

static int
find_role (const char *key)
{
  for (int role = 0; role < ENG_N_ROLES; role++)
    if (g_str_equal (key, eng_role_get_key (role)))
      return role;

  g_return_val_if_reached (ENG_ROLE_BOS);
}

static void
add_template_token (cJSON               *tokens,
                    const char          *content,
                    const EngVocabulary *vocabulary)
{
  int id = eng_vocabulary_find (vocabulary, content);
  cJSON *token;

  if (eng_json_find (tokens, content))
    return;
  token = cJSON_AddObjectToObject (tokens, content);
  cJSON_AddItemToObject (token, "ids", cJSON_CreateIntArray (&id, 1));
  cJSON_AddItemToObject (token, "tokens", cJSON_CreateStringArray (&content, 1));
}

/* The vocabulary has every token of a template. */
static gboolean
check_template (const EngComponents  *self,
                const char           *notation,
                const EngVocabulary  *vocabulary,
                const char           *what,
                GError              **error)
{
  g_auto (GStrv) words = g_strsplit_set (notation, " :", -1);

  for (char **word = words; *word; word++) {
    const char *content;

    if (**word == '$' || g_ascii_isdigit (**word))
      continue;
    content = self->special[find_role (*word)].content;
    if (eng_vocabulary_find (vocabulary, content) < 0) {
      g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING,
                   "%s: the vocabulary has no %s, a token of the template", what, content);
      return FALSE;
    }
  }

  return TRUE;
}

/* word: a role's key or a text, with ":1" behind it where the type id is 1. */
static cJSON *
make_item (const EngComponents *self,
           char                *word,
           const EngVocabulary *vocabulary,
           cJSON               *tokens)
{
  cJSON *item = cJSON_CreateObject ();
  char *colon = strchr (word, ':');
  gboolean is_text = *word == '$';
  const char *id = word + 1;
  cJSON *part;

  if (colon)
    *colon = '\0';
  if (!is_text) {
    id = self->special[find_role (word)].content;
    add_template_token (tokens, id, vocabulary);
  }
  part = cJSON_AddObjectToObject (item, is_text ? "Sequence" : "SpecialToken");
  cJSON_AddStringToObject (part, "id", id);
  cJSON_AddNumberToObject (part, "type_id", colon ? 1 : 0);

  return item;
}

static void
add_template (const EngComponents *self,
              const char          *key,
              const char          *notation,
              const EngVocabulary *vocabulary,
              cJSON               *template,
              cJSON               *tokens)
{
  g_auto (GStrv) words = g_strsplit (notation, " ", -1);
  cJSON *items = cJSON_AddArrayToObject (template, key);

  for (char **word = words; *word; word++)
    cJSON_AddItemToArray (items, make_item (self, *word, vocabulary, tokens));
}

static void
add_sequence (cJSON       *json,
              const char  *key,
              const char  *list_key,
              cJSON      **list)
{
  cJSON *component = cJSON_AddObjectToObject (json, key);

  cJSON_AddStringToObject (component, "type", "Sequence");
  cJSON_AddItemToObject (component, list_key, g_steal_pointer (list));
}

void
eng_components_init (EngComponents *self)
{
  *self = (EngComponents) {
    .normalizers = cJSON_CreateArray (),
    .pre_tokenizers = cJSON_CreateArray (),
    .decoders = cJSON_CreateArray (),
    .added_tokens = cJSON_CreateArray (),
  };
}

void
eng_components_clear (EngComponents *self)
{
  cJSON_Delete (self->normalizers);
  cJSON_Delete (self->pre_tokenizers);
  cJSON_Delete (self->decoders);
  cJSON_Delete (self->added_tokens);
}

cJSON *
eng_components_add_step (cJSON      *list,
                         const char *type)
{
  cJSON *step = cJSON_CreateObject ();

  cJSON_AddStringToObject (step, "type", type);
  cJSON_AddItemToArray (list, step);

  return step;
}

void
eng_components_add_replace (cJSON      *list,
                            const char *pattern_type,
                            const char *pattern,
                            const char *content)
{
  cJSON *step = eng_components_add_step (list, "Replace");

  cJSON_AddStringToObject (cJSON_AddObjectToObject (step, "pattern"), pattern_type, pattern);
  cJSON_AddStringToObject (step, "content", content);
}

void
eng_components_add_metaspace (cJSON      *list,
                              const char *scheme,
                              gboolean    split)
{
  cJSON *step = eng_components_add_step (list, "Metaspace");

  cJSON_AddStringToObject (step, "prepend_scheme", scheme);
  cJSON_AddBoolToObject (step, "split", split);
}

void
eng_components_add_split (cJSON      *list,
                          const char *words,
                          const char *behavior)
{
  cJSON *step = eng_components_add_step (list, "Split");

  cJSON_AddStringToObject (cJSON_AddObjectToObject (step, "pattern"), "Regex", words);
  cJSON_AddStringToObject (step, "behavior", behavior);
  cJSON_AddBoolToObject (step, "invert", g_str_equal (behavior, "Removed"));
}

void
eng_components_add_llama_decoders (EngComponents *self,
                                   gboolean       strip)
{
  cJSON *step;

  eng_components_add_replace (self->decoders, "String", "\u2581", " ");
  eng_components_add_step (self->decoders, "ByteFallback");
  eng_components_add_step (self->decoders, "Fuse");
  if (strip) {
    step = eng_components_add_step (self->decoders, "Strip");
    cJSON_AddStringToObject (step, "content", " ");
    cJSON_AddNumberToObject (step, "start", 1);
  }
}

gboolean
eng_components_add_special (EngComponents               *self,
                            EngRole                      role,
                            EngAddedToken                token,
                            const EngTokenizerSettings  *settings,
                            GError                     **error)
{
  token.special = TRUE;
  if (!eng_tokenizer_settings_get_special (settings, eng_role_get_key (role), &token, error))
    return FALSE;
  self->special[role] = token;
  eng_components_add_token (self, &token);

  return TRUE;
}

void
eng_components_add_token (EngComponents       *self,
                          const EngAddedToken *token)
{
  cJSON *entry = cJSON_CreateObject ();

  cJSON_AddStringToObject (entry, "content", token->content);
  cJSON_AddBoolToObject (entry, "single_word", token->single_word);
  cJSON_AddBoolToObject (entry, "lstrip", token->lstrip);
  cJSON_AddBoolToObject (entry, "rstrip", token->rstrip);
  cJSON_AddBoolToObject (entry, "normalized", token->normalized);
  cJSON_AddBoolToObject (entry, "special", token->special);
  cJSON_AddItemToArray (self->added_tokens, entry);
}

void
eng_components_add_listed (EngComponents              *self,
                           const EngTokenizerSettings *settings,
                           const EngVocabulary        *vocabulary)
{
  const cJSON *entry;

  cJSON_ArrayForEach (entry, eng_json_find (settings->config, "added_tokens_decoder"))
    cJSON_AddItemToArray (self->added_tokens, cJSON_Duplicate (entry, TRUE));
  /* The older file has no flags: a token that there is already keeps its own. */
  cJSON_ArrayForEach (entry, settings->added_tokens)
    if (eng_vocabulary_find (vocabulary, entry->string) < 0)
      eng_components_add_token (self, &(EngAddedToken) { .content = entry->string });
}

EngPipeline *
eng_components_build (EngComponents  *self,
                      EngTokenModel  *model,
                      const char     *single,
                      const char     *pair,
                      const char     *what,
                      GError        **error)
{
  g_autoptr (cJSON) json = cJSON_CreateObject ();
  cJSON *template = cJSON_AddObjectToObject (json, "post_processor");
  cJSON *tokens = cJSON_AddObjectToObject (template, "special_tokens");
  g_autoptr (EngTokenModel) owned = model;
  EngPipeline *pipeline;

  if (!check_template (self, pair, model->vocabulary, what, error))
    return NULL;
  cJSON_AddStringToObject (template, "type", "TemplateProcessing");
  add_template (self, "single", single, model->vocabulary, template, tokens);
  add_template (self, "pair", pair, model->vocabulary, template, tokens);
  add_sequence (json, "normalizer", "normalizers", &self->normalizers);
  add_sequence (json, "pre_tokenizer", "pretokenizers", &self->pre_tokenizers);
  add_sequence (json, "decoder", "decoders", &self->decoders);
  cJSON_AddItemToObject (json, "added_tokens", g_steal_pointer (&self->added_tokens));

  pipeline = eng_tokenizer_json_build (json, g_steal_pointer (&owned), what, error);
  for (int role = 0; pipeline && role < ENG_N_ROLES; role++)
    if (self->special[role].content)
      pipeline->roles[role] = eng_pipeline_find_id (pipeline, self->special[role].content);

  return pipeline;
}

void
eng_components_frame (gboolean     bos,
                      gboolean     eos,
                      const char **single,
                      const char **pair)
{
  static const char *const templates[2][2][2] = {
    { { "$A", "$A $B:1" }, { "$A eos_token", "$A eos_token $B:1 eos_token:1" } },
    { { "bos_token $A", "bos_token $A bos_token:1 $B:1" },
      { "bos_token $A eos_token", "bos_token $A eos_token bos_token:1 $B:1 eos_token:1" } },
  };

  *single = templates[bos != FALSE][eos != FALSE][0];
  *pair = templates[bos != FALSE][eos != FALSE][1];
}
