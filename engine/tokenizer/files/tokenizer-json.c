/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/files/tokenizer-json.h"

#include "engine/tokenizer/decoders/bpe-decoder.h"
#include "engine/tokenizer/decoders/small-decoders.h"
#include "engine/tokenizer/decoders/wordpiece-decoder.h"
#include "engine/tokenizer/files/class-settings.h"
#include "engine/tokenizer/models/bpe.h"
#include "engine/tokenizer/models/unigram.h"
#include "engine/tokenizer/models/wordpiece.h"
#include "engine/tokenizer/normalizers/bert-normalizer.h"
#include "engine/tokenizer/normalizers/precompiled.h"
#include "engine/tokenizer/normalizers/replace.h"
#include "engine/tokenizer/normalizers/small-normalizers.h"
#include "engine/tokenizer/normalizers/unicode-normalizers.h"
#include "engine/tokenizer/pretokenizers/bert-pretokenizer.h"
#include "engine/tokenizer/pretokenizers/byte-level.h"
#include "engine/tokenizer/pretokenizers/metaspace.h"
#include "engine/tokenizer/pretokenizers/split.h"
#include "engine/tokenizer/pretokenizers/whitespace-split.h"

#include <string.h>

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
  { "Lowercase", eng_lowercase_new_from_json },
  { "NFC", eng_nfc_new_from_json },
  { "NFD", eng_nfd_new_from_json },
  { "NFKC", eng_nfkc_new_from_json },
  { "NFKD", eng_nfkd_new_from_json },
  { "Nmt", eng_nmt_new_from_json },
  { "Precompiled", eng_precompiled_new_from_json },
  { "Prepend", eng_prepend_new_from_json },
  { "Replace", eng_replace_new_from_json },
  { "Strip", eng_strip_new_from_json },
  { "StripAccents", eng_strip_accents_new_from_json },
};

static const struct {
  const char *type;
  EngPretokenizer *(*read) (const cJSON  *json,
                            const char   *what,
                            GError      **error);
} pre_tokenizer_types[] = {
  { "BertPreTokenizer", eng_bert_pretokenizer_new_from_json },
  { "ByteLevel", eng_byte_level_new_from_json },
  { "CharDelimiterSplit", eng_char_delimiter_split_new_from_json },
  { "Digits", eng_digits_new_from_json },
  { "Metaspace", eng_metaspace_new_from_json },
  { "Punctuation", eng_punctuation_new_from_json },
  { "Split", eng_split_new_from_json },
  { "Whitespace", eng_whitespace_new_from_json },
  { "WhitespaceSplit", eng_whitespace_split_new_from_json },
};

static const struct {
  const char *type;
  /* A key that only this type has: old files do not name the type of their model. */
  const char *own_key;
  EngTokenModel *(*read) (const EngModelSource  *source,
                          GError               **error);
} model_types[] = {
  { "WordPiece", "max_input_chars_per_word", eng_wordpiece_new_from_json },
  { "Unigram", "unk_id", eng_unigram_new_from_json },
  { "BPE", "merges", eng_bpe_new_from_json },
};

static const struct {
  const char *type;
  EngDecoder *(*read) (const cJSON  *json,
                       const char   *what,
                       GError      **error);
} decoder_types[] = {
  { "WordPiece", eng_wordpiece_decoder_new_from_json },
  { "BPEDecoder", eng_bpe_decoder_new_from_json },
  { "ByteLevel", eng_byte_level_decoder_new_from_json },
  { "ByteFallback", eng_byte_fallback_new_from_json },
  { "Fuse", eng_fuse_new_from_json },
  { "Metaspace", eng_metaspace_decoder_new_from_json },
  { "Replace", eng_replace_decoder_new_from_json },
  { "Strip", eng_strip_decoder_new_from_json },
};

static const struct {
  const char *type;
  EngTemplate *(*read) (const cJSON   *json,
                        EngFindToken   find,
                        gpointer       data,
                        const char    *what,
                        GError       **error); /* NULL: adds no tokens */
  gboolean     trims; /* unless trim_offsets is false */
} post_processor_types[] = {
  { "BertProcessing", eng_template_new_from_bert_json, FALSE },
  { "ByteLevel", NULL, TRUE },
  { "RobertaProcessing", eng_template_new_from_roberta_json, TRUE },
  { "TemplateProcessing", eng_template_new_from_template_json, FALSE },
};

/* One key of the file: a component of one of its types, or several in a Sequence. */
typedef struct {
  const char *key;
  const char *list; /* the key of the parts of a Sequence */
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
read_trim (const cJSON  *json,
           EngPipeline  *pipeline,
           const char   *what,
           GError      **error)
{
  gboolean trim = TRUE;
  gboolean add_prefix_space = TRUE;

  if (!eng_json_get_boolean (json, "trim_offsets", what, &trim, error) ||
      !eng_json_get_boolean (json, "add_prefix_space", what, &add_prefix_space, error))
    return FALSE;
  pipeline->trim_spans |= trim;
  pipeline->trim_keeps_prefix |= trim && add_prefix_space;

  return TRUE;
}

static gboolean
add_post_processor (gsize         i,
                    const cJSON  *json,
                    EngPipeline  *pipeline,
                    const char   *what,
                    GError      **error)
{
  if (post_processor_types[i].trims && !read_trim (json, pipeline, what, error))
    return FALSE;
  if (!post_processor_types[i].read)
    return TRUE;
  if (pipeline->post_processor) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
                 "%s: post_processor has two parts that add special tokens, expected one", what);
    return FALSE;
  }
  pipeline->post_processor = post_processor_types[i].read (json, find_id, pipeline, what, error);

  return pipeline->post_processor != NULL;
}

static const Kind normalizer_kind = {
  "normalizer", "normalizers", G_N_ELEMENTS (normalizer_types),
  get_normalizer_type, add_normalizer,
};

static const Kind pre_tokenizer_kind = {
  "pre_tokenizer", "pretokenizers", G_N_ELEMENTS (pre_tokenizer_types),
  get_pre_tokenizer_type, add_pre_tokenizer,
};

static const Kind decoder_kind = {
  "decoder", "decoders", G_N_ELEMENTS (decoder_types), get_decoder_type, add_decoder,
};

static const Kind post_processor_kind = {
  "post_processor", "processors", G_N_ELEMENTS (post_processor_types),
  get_post_processor_type, add_post_processor,
};

static gboolean
refuse_type (const char         *key,
             const char         *type,
             const char *const  *types,
             gboolean            or_sequence,
             const char         *what,
             GError            **error)
{
  g_autofree char *expected = g_strjoinv (", ", (char **) types);

  g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED, "%s: %s is of type %s, expected %s%s%s",
               what, key, type ? type : "null", types[1] ? "one of " : "", expected,
               or_sequence ? " or a Sequence of such" : "");

  return FALSE;
}

static gboolean
read_type (const cJSON  *json,
           const char   *key,
           const char   *what,
           const char  **type,
           GError      **error)
{
  if (!cJSON_IsObject (json)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
                 "%s: %s is not an object, expected a component with a type", what, key);
    return FALSE;
  }
  *type = NULL;

  return eng_json_get_string (json, "type", what, type, error);
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
  g_autofree const char **types = g_new0 (const char *, kind->n_types + 1);
  const char *type;

  if (!read_type (json, kind->key, what, &type, error))
    return FALSE;
  if (g_strcmp0 (type, "Sequence") == 0)
    return read_sequence (kind, json, pipeline, what, error);
  for (gsize i = 0; i < kind->n_types; i++)
    if (g_strcmp0 (type, types[i] = kind->get_type (i)) == 0)
      return kind->add (i, json, pipeline, what, error);

  return refuse_type (kind->key, type, types, TRUE, what, error);
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
read_model (const EngModelSource  *source,
            EngPipeline           *pipeline,
            GError               **error)
{
  const char *types[G_N_ELEMENTS (model_types) + 1] = { NULL };
  const char *type;

  if (!source->json || cJSON_IsNull (source->json)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING, "%s: no model, expected one with a type",
                 source->what);
    return FALSE;
  }
  if (!read_type (source->json, "model", source->what, &type, error))
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (model_types); i++) {
    types[i] = model_types[i].type;
    if (type ? g_str_equal (type, types[i])
             : eng_json_find (source->json, model_types[i].own_key) != NULL) {
      pipeline->model = model_types[i].read (source, error);
      return pipeline->model != NULL;
    }
  }

  return refuse_type ("model", type, types, FALSE, source->what, error);
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

/* All but the model. */
static gboolean
read_components (const cJSON  *json,
                 EngPipeline  *pipeline,
                 const char   *what,
                 GError      **error)
{
  return read_kind (&normalizer_kind, json, pipeline, what, error) &&
         read_kind (&pre_tokenizer_kind, json, pipeline, what, error) &&
         read_kind (&decoder_kind, json, pipeline, what, error) &&
         read_added_tokens (json, pipeline, what, error) &&
         read_post_processor (json, pipeline, what, error);
}

static EngPipeline *
read_pipeline (const cJSON           *json,
               const EngModelSource  *source,
               GError               **error)
{
  g_autoptr (EngPipeline) pipeline = eng_pipeline_new ();

  if (!read_model (source, pipeline, error) ||
      !read_components (json, pipeline, source->what, error))
    return NULL;

  return g_steal_pointer (&pipeline);
}

/* Members of the model that are kept out of the tree: half a million nodes would take most of the
 * time of opening. FALSE when one stands twice, which else the reader of the tree finds. */
static gboolean
find_large_members (EngJsonText      file,
                    EngModelSource  *source,
                    GError         **error)
{
  g_auto (EngJsonCursor) cursor = { 0 };

  eng_json_cursor_init (&cursor, file);
  if (eng_json_cursor_next (&cursor) != ENG_JSON_OBJECT ||
      !eng_json_cursor_find (&cursor, "model") ||
      eng_json_cursor_next (&cursor) != ENG_JSON_OBJECT)
    return TRUE;
  while (eng_json_cursor_next (&cursor) == ENG_JSON_STRING) {
    gboolean is_merges = cursor.length == 6 && memcmp (cursor.string, "merges", 6) == 0;
    gboolean is_vocabulary = cursor.length == 5 && memcmp (cursor.string, "vocab", 5) == 0;
    EngJsonText *member = is_merges ? &source->merges : &source->vocabulary;
    EngJsonText value = eng_json_cursor_skip (&cursor);

    if ((is_merges || is_vocabulary) && member->text) {
      g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT, "%s: the key \"%s\" stands twice in model",
                   source->what, is_merges ? "merges" : "vocab");
      return FALSE;
    }
    if (is_merges || is_vocabulary)
      *member = value;
  }

  return TRUE;
}

/* The file with null for the members that were found. */
static char *
cut_large_members (EngJsonText           file,
                   const EngModelSource *source)
{
  EngJsonText members[2] = { source->vocabulary, source->merges };
  GString *rest = g_string_new (NULL);
  const char *at = file.text;

  if (members[1].text && members[1].text < members[0].text) {
    members[0] = source->merges;
    members[1] = source->vocabulary;
  }
  for (int i = 0; i < 2; i++) {
    if (!members[i].text)
      continue;
    g_string_append_len (rest, at, members[i].text - at);
    g_string_append (rest, "null");
    at = members[i].text + members[i].length;
  }
  g_string_append_len (rest, at, file.text + file.length - at);

  return g_string_free (rest, FALSE);
}

/* text: length bytes and a NUL. settings: NULL = the file is taken as it is. */
static EngPipeline *
parse (const char                  *text,
       gsize                        length,
       const EngTokenizerSettings  *settings,
       const char                  *what,
       GError                     **error)
{
  EngJsonText file = { text, length };
  EngModelSource source = { .what = what };
  g_autofree char *rest = NULL;
  g_autoptr (cJSON) json = NULL;

  if (!eng_json_check (text, length, MAX_DEPTH, what, error) ||
      !find_large_members (file, &source, error))
    return NULL;
  rest = cut_large_members (file, &source);
  json = eng_json_parse (rest, strlen (rest), MAX_DEPTH, what, error);
  if (!json || (settings && !eng_class_settings_apply (settings, json, error)))
    return NULL;
  source.json = eng_json_find (json, "model");

  return read_pipeline (json, &source, error);
}

EngPipeline *
eng_tokenizer_json_read (const char                  *path,
                         const EngTokenizerSettings  *settings,
                         GError                     **error)
{
  gsize length;
  g_autofree char *text = eng_json_load (path, MAX_BYTES, &length, error);

  return text ? parse (text, length, settings, path, error) : NULL;
}

EngPipeline *
eng_tokenizer_json_parse (const char  *text,
                          gsize        length,
                          const char  *what,
                          GError     **error)
{
  g_autofree char *terminated = g_strndup (text, length);

  return parse (terminated, length, NULL, what, error);
}

EngPipeline *
eng_tokenizer_json_build (const cJSON    *json,
                          EngTokenModel  *model,
                          const char     *what,
                          GError        **error)
{
  g_autoptr (EngPipeline) pipeline = eng_pipeline_new ();

  pipeline->model = model;

  return read_components (json, pipeline, what, error) ? g_steal_pointer (&pipeline) : NULL;
}
