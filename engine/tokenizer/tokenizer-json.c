/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/tokenizer-json.h"

#include "engine/tokenizer/bert-normalizer.h"
#include "engine/tokenizer/bert-pretokenizer.h"
#include "engine/tokenizer/wordpiece-decoder.h"
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

static const struct {
  const char *type;
  EngDecoder *(*read) (const cJSON  *json,
                       const char   *what,
                       GError      **error);
} decoder_types[] = {
  { "WordPiece", eng_wordpiece_decoder_new_from_json },
};

static const struct {
  const char *type;
  EngTemplate *(*read) (const cJSON   *json,
                        EngFindToken   find,
                        gpointer       data,
                        const char    *what,
                        GError       **error);
} post_processor_types[] = {
  { "BertProcessing", eng_template_new_from_bert_json },
  { "TemplateProcessing", eng_template_new_from_template_json },
};

/* One key of the file: a component of one of its types, or several in a Sequence. */
typedef struct {
  const char *key;
  const char *list; /* the key of the components of a Sequence */
  gsize       n_types;
  const char *(*get_type) (gsize i);
  gboolean    (*add)      (gsize         i,
                           const cJSON  *json,
                           EngPipeline  *pipeline,
                           const char   *what,
                           GError      **error);
} Kind;

static const char *
get_normalizer_type (gsize i)
{
  return normalizer_types[i].type;
}

static gboolean
add_step (GPtrArray *steps,
          gpointer   step)
{
  if (step)
    g_ptr_array_add (steps, step);

  return step != NULL;
}

static gboolean
add_normalizer (gsize         i,
                const cJSON  *json,
                EngPipeline  *pipeline,
                const char   *what,
                GError      **error)
{
  return add_step (pipeline->normalizers, normalizer_types[i].read (json, what, error));
}

static const char *
get_pre_tokenizer_type (gsize i)
{
  return pre_tokenizer_types[i].type;
}

static gboolean
add_pre_tokenizer (gsize         i,
                   const cJSON  *json,
                   EngPipeline  *pipeline,
                   const char   *what,
                   GError      **error)
{
  return add_step (pipeline->pre_tokenizers, pre_tokenizer_types[i].read (json, what, error));
}

static const char *
get_decoder_type (gsize i)
{
  return decoder_types[i].type;
}

static gboolean
add_decoder (gsize         i,
             const cJSON  *json,
             EngPipeline  *pipeline,
             const char   *what,
             GError      **error)
{
  return add_step (pipeline->decoders, decoder_types[i].read (json, what, error));
}

static const char *
get_post_processor_type (gsize i)
{
  return post_processor_types[i].type;
}

static int
find_id (gpointer    data,
         const char *token)
{
  return eng_pipeline_find_id (data, token);
}

static gboolean
add_post_processor (gsize         i,
                    const cJSON  *json,
                    EngPipeline  *pipeline,
                    const char   *what,
                    GError      **error)
{
  if (pipeline->post_processor) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
                 "%s: post_processor has two parts that add special tokens, expected one", what);
    return FALSE;
  }
  pipeline->post_processor = post_processor_types[i].read (json, find_id, pipeline, what, error);

  return pipeline->post_processor != NULL;
}

static const char *
get_model_type (gsize i)
{
  return model_types[i].type;
}

static gboolean
set_model (gsize         i,
           const cJSON  *json,
           EngPipeline  *pipeline,
           const char   *what,
           GError      **error)
{
  pipeline->model = model_types[i].read (json, what, error);

  return pipeline->model != NULL;
}

static const Kind normalizer_kind = {
  "normalizer", "normalizers", G_N_ELEMENTS (normalizer_types),
  get_normalizer_type, add_normalizer,
};

static const Kind pre_tokenizer_kind = {
  "pre_tokenizer", "pretokenizers", G_N_ELEMENTS (pre_tokenizer_types),
  get_pre_tokenizer_type, add_pre_tokenizer,
};

static const Kind model_kind = {
  "model", NULL, G_N_ELEMENTS (model_types), get_model_type, set_model,
};

static const Kind decoder_kind = {
  "decoder", "decoders", G_N_ELEMENTS (decoder_types), get_decoder_type, add_decoder,
};

static const Kind post_processor_kind = {
  "post_processor", "processors", G_N_ELEMENTS (post_processor_types),
  get_post_processor_type, add_post_processor,
};

static gboolean
refuse_type (const Kind   *kind,
             const char   *type,
             const char   *what,
             GError      **error)
{
  g_autoptr (GString) expected = g_string_new (NULL);

  for (gsize i = 0; i < kind->n_types; i++)
    g_string_append_printf (expected, "%s%s", i > 0 ? ", " : "", kind->get_type (i));
  g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED, "%s: %s is of type %s, expected %s%s%s",
               what, kind->key, type ? type : "null", kind->n_types > 1 ? "one of " : "",
               expected->str, kind->list ? " or a Sequence of such" : "");

  return FALSE;
}

static gboolean read_component (const Kind   *kind,
                                const cJSON  *json,
                                EngPipeline  *pipeline,
                                const char   *what,
                                GError      **error);

/* A Sequence in a Sequence is as good as one; how deep they may go the reader of JSON bounds. */
static gboolean
read_sequence (const Kind   *kind,
               const cJSON  *json,
               EngPipeline  *pipeline,
               const char   *what,
               GError      **error)
{
  const cJSON *list = eng_json_find (json, kind->list);
  const cJSON *component;

  if (!cJSON_IsArray (list)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT, "%s: %s is a Sequence without %s, "
                 "expected a list of components", what, kind->key, kind->list);
    return FALSE;
  }
  cJSON_ArrayForEach (component, list)
    if (!read_component (kind, component, pipeline, what, error))
      return FALSE;

  return TRUE;
}

static gboolean
read_component (const Kind   *kind,
                const cJSON  *json,
                EngPipeline  *pipeline,
                const char   *what,
                GError      **error)
{
  const char *type = NULL;

  if (!cJSON_IsObject (json)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
                 "%s: %s is not an object, expected a component with a type", what, kind->key);
    return FALSE;
  }
  if (!eng_json_get_string (json, "type", what, &type, error))
    return FALSE;
  if (kind->list && g_strcmp0 (type, "Sequence") == 0)
    return read_sequence (kind, json, pipeline, what, error);
  for (gsize i = 0; i < kind->n_types; i++)
    if (g_strcmp0 (type, kind->get_type (i)) == 0)
      return kind->add (i, json, pipeline, what, error);

  return refuse_type (kind, type, what, error);
}

static gboolean
read_kind (const Kind   *kind,
           const cJSON  *json,
           EngPipeline  *pipeline,
           const char   *what,
           GError      **error)
{
  const cJSON *component = eng_json_find (json, kind->key);

  return !component || cJSON_IsNull (component) ||
         read_component (kind, component, pipeline, what, error);
}

static gboolean
read_model (const cJSON  *json,
            EngPipeline  *pipeline,
            const char   *what,
            GError      **error)
{
  const cJSON *component = eng_json_find (json, model_kind.key);

  if (!component || cJSON_IsNull (component)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING, "%s: no model, expected one with a type",
                 what);
    return FALSE;
  }
  for (gsize i = 0; !eng_json_find (component, "type") && i < G_N_ELEMENTS (model_types); i++)
    if (eng_json_find (component, model_types[i].own_key))
      return set_model (i, component, pipeline, what, error);

  return read_component (&model_kind, component, pipeline, what, error);
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

static gboolean
read_post_processor (const cJSON  *json,
                     EngPipeline  *pipeline,
                     const char   *what,
                     GError      **error)
{
  if (!read_kind (&post_processor_kind, json, pipeline, what, error))
    return FALSE;
  if (!pipeline->post_processor)
    pipeline->post_processor = eng_template_new ();

  return TRUE;
}

static EngPipeline *
read_pipeline (const cJSON  *json,
               const char   *what,
               GError      **error)
{
  g_autoptr (EngPipeline) pipeline = eng_pipeline_new ();

  if (!read_kind (&normalizer_kind, json, pipeline, what, error) ||
      !read_kind (&pre_tokenizer_kind, json, pipeline, what, error) ||
      !read_model (json, pipeline, what, error) ||
      !read_kind (&decoder_kind, json, pipeline, what, error) ||
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
