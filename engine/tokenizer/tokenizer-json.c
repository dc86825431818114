/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/tokenizer-json.h"

#include "engine/tokenizer/bert-normalizer.h"
#include "engine/tokenizer/bert-pretokenizer.h"
#include "engine/tokenizer/wordpiece.h"

#define MAX_BYTES (128 << 20)
#define MAX_DEPTH 16

/* What each component may be: a new type is one line here and one file. */
static const struct {
  const char *type;
  EngNormalizer *(*read) (const cJSON  *json,
                          const char   *what,
                          GError      **error);
} normalizer_types[] = {
  { "BertNormalizer", eng_bert_normalizer_new_from_json },
};

static const struct {
  const char *type;
  EngPretokenizer *(*read) (const cJSON  *json,
                            const char   *what,
                            GError      **error);
} pre_tokenizer_types[] = {
  { "BertPreTokenizer", eng_bert_pretokenizer_new_from_json },
};

static const struct {
  const char *type;
  /* A key that only this type has: old files do not name the type of their model. */
  const char *own_key;
  EngTokenModel *(*read) (const cJSON  *json,
                          const char   *what,
                          GError      **error);
} model_types[] = {
  { "WordPiece", "max_input_chars_per_word", eng_wordpiece_new_from_json },
};

/* Only read to be sure that nothing unknown is in the file: tokens are drawn piece by piece. */
static const char *const decoder_types[] = { "WordPiece" };

/* FALSE with an error when there is a component that is not an object; *component is NULL when
 * there is none. */
static gboolean
find_component (const cJSON  *json,
                const char   *key,
                const char   *what,
                const cJSON **component,
                const char  **type,
                GError      **error)
{
  *component = eng_json_find (json, key);
  *type = NULL;
  if (cJSON_IsNull (*component))
    *component = NULL;
  if (!*component)
    return TRUE;
  if (!cJSON_IsObject (*component)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
                 "%s: %s is not an object, expected a component with a type", what, key);
    return FALSE;
  }

  return eng_json_get_string (*component, "type", what, type, error);
}

static gboolean
refuse_type (const char  *what,
             const char  *key,
             const char  *type,
             const char  *expected,
             GError     **error)
{
  g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED, "%s: %s is of type %s, expected %s",
               what, key, type ? type : "null", expected);

  return FALSE;
}

static gboolean
read_normalizer (const cJSON  *json,
                 EngPipeline  *pipeline,
                 const char   *what,
                 GError      **error)
{
  const cJSON *component;
  const char *type;

  if (!find_component (json, "normalizer", what, &component, &type, error))
    return FALSE;
  if (!component)
    return TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (normalizer_types); i++)
    if (g_strcmp0 (type, normalizer_types[i].type) == 0) {
      EngNormalizer *normalizer = normalizer_types[i].read (component, what, error);

      if (normalizer)
        g_ptr_array_add (pipeline->normalizers, normalizer);
      return normalizer != NULL;
    }

  return refuse_type (what, "normalizer", type, "BertNormalizer", error);
}

static gboolean
read_pre_tokenizer (const cJSON  *json,
                    EngPipeline  *pipeline,
                    const char   *what,
                    GError      **error)
{
  const cJSON *component;
  const char *type;

  if (!find_component (json, "pre_tokenizer", what, &component, &type, error))
    return FALSE;
  if (!component)
    return TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (pre_tokenizer_types); i++)
    if (g_strcmp0 (type, pre_tokenizer_types[i].type) == 0) {
      EngPretokenizer *pre_tokenizer = pre_tokenizer_types[i].read (component, what, error);

      if (pre_tokenizer)
        g_ptr_array_add (pipeline->pre_tokenizers, pre_tokenizer);
      return pre_tokenizer != NULL;
    }

  return refuse_type (what, "pre_tokenizer", type, "BertPreTokenizer", error);
}

static gboolean
read_model (const cJSON  *json,
            EngPipeline  *pipeline,
            const char   *what,
            GError      **error)
{
  const cJSON *component;
  const char *type;

  if (!find_component (json, "model", what, &component, &type, error))
    return FALSE;
  if (!component) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING,
                 "%s: no model, expected one of type WordPiece", what);
    return FALSE;
  }
  for (gsize i = 0; i < G_N_ELEMENTS (model_types); i++)
    if (type ? g_str_equal (type, model_types[i].type)
             : eng_json_find (component, model_types[i].own_key) != NULL) {
      pipeline->model = model_types[i].read (component, what, error);
      return pipeline->model != NULL;
    }

  return refuse_type (what, "model", type, "WordPiece", error);
}

static gboolean
check_decoder (const cJSON  *json,
               const char   *what,
               GError      **error)
{
  const cJSON *component;
  const char *type;

  if (!find_component (json, "decoder", what, &component, &type, error))
    return FALSE;
  if (!component)
    return TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (decoder_types); i++)
    if (g_strcmp0 (type, decoder_types[i]) == 0)
      return TRUE;

  return refuse_type (what, "decoder", type, "WordPiece", error);
}

static gboolean
read_added_tokens (const cJSON  *json,
                   EngPipeline  *pipeline,
                   const char   *what,
                   GError      **error)
{
  const cJSON *list = eng_json_find (json, "added_tokens");
  const cJSON *entry;

  if (list && !cJSON_IsNull (list) && !cJSON_IsArray (list)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
                 "%s: added_tokens is not a list, expected a list of tokens", what);
    return FALSE;
  }
  pipeline->added_tokens = eng_added_tokens_new (pipeline->model->vocabulary);
  cJSON_ArrayForEach (entry, list) {
    EngAddedToken token = { 0 };

    if (!eng_added_token_read (entry, what, &token, error))
      return FALSE;
    eng_added_tokens_add (pipeline->added_tokens, &token);
  }

  return eng_added_tokens_seal (pipeline->added_tokens, pipeline->normalizers, what, error);
}

static int
find_id (gpointer    data,
         const char *token)
{
  return eng_pipeline_find_id (data, token);
}

static gboolean
read_post_processor (const cJSON  *json,
                     EngPipeline  *pipeline,
                     const char   *what,
                     GError      **error)
{
  const cJSON *component;
  const char *type;

  if (!find_component (json, "post_processor", what, &component, &type, error))
    return FALSE;
  if (component)
    pipeline->post_processor = eng_template_new_from_json (component, find_id, pipeline, what,
                                                           error);
  else
    pipeline->post_processor = eng_template_new ();

  return pipeline->post_processor != NULL;
}

static EngPipeline *
read_pipeline (const cJSON  *json,
               const char   *what,
               GError      **error)
{
  g_autoptr (EngPipeline) pipeline = eng_pipeline_new ();

  if (!read_normalizer (json, pipeline, what, error) ||
      !read_pre_tokenizer (json, pipeline, what, error) ||
      !read_model (json, pipeline, what, error) ||
      !check_decoder (json, what, error) ||
      !read_added_tokens (json, pipeline, what, error) ||
      !read_post_processor (json, pipeline, what, error))
    return NULL;

  return g_steal_pointer (&pipeline);
}

EngPipeline *
eng_tokenizer_json_read (const char  *path,
                         GError     **error)
{
  g_autoptr (cJSON) json = eng_json_read (path, MAX_BYTES, MAX_DEPTH, error);

  return json ? read_pipeline (json, path, error) : NULL;
}

EngPipeline *
eng_tokenizer_json_parse (const char  *text,
                          gsize        length,
                          const char  *what,
                          GError     **error)
{
  g_autoptr (cJSON) json = eng_json_parse (text, length, MAX_DEPTH, what, error);

  return json ? read_pipeline (json, what, error) : NULL;
}
