/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/files/class-settings.h"

#include "engine/tokenizer/pretokenizers/word-patterns.h"

#include <string.h>

/* The key's component becomes what format, in the notation of JSON, says. */
static void G_GNUC_PRINTF (3, 4)
set_component (cJSON      *json,
               const char *key,
               const char *format,
               ...)
{
  g_autofree char *text = NULL;
  cJSON *component;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  component = cJSON_Parse (text);
  g_return_if_fail (component);
  cJSON_DeleteItemFromObjectCaseSensitive (json, key);
  cJSON_AddItemToObject (json, key, component);
}

static const char *
to_json (gboolean value)
{
  return value ? "true" : "false";
}

static gboolean
get_flag (const EngTokenizerSettings  *settings,
          const char                  *key,
          gboolean                    *value,
          GError                     **error)
{
  return eng_json_get_boolean (settings->config, key, settings->config_path, value, error);
}

static gboolean
rebuild_bert (const EngTokenizerSettings  *settings,
              cJSON                       *json,
              GError                     **error)
{
  const cJSON *strip_accents = eng_json_find (settings->config, "strip_accents");
  gboolean strips = FALSE, lowers = TRUE, splits_chinese = TRUE;

  if (!get_flag (settings, "strip_accents", &strips, error) ||
      !get_flag (settings, "do_lower_case", &lowers, error) ||
      !get_flag (settings, "tokenize_chinese_chars", &splits_chinese, error))
    return FALSE;
  /* Accents go with upper case where it is not said. */
  set_component (json, "normalizer",
                 "{\"type\": \"BertNormalizer\", \"clean_text\": true, \"lowercase\": %s,"
                 " \"handle_chinese_chars\": %s, \"strip_accents\": %s}",
                 to_json (lowers), to_json (splits_chinese),
                 cJSON_IsBool (strip_accents) ? to_json (strips) : "null");
  set_component (json, "pre_tokenizer", "{\"type\": \"BertPreTokenizer\"}");
  set_component (json, "decoder",
                 "{\"type\": \"WordPiece\", \"prefix\": \"##\", \"cleanup\": true}");

  return TRUE;
}

/* normalizer: in the notation of JSON */
static void
set_byte_level (cJSON      *json,
                const char *normalizer,
                gboolean    add_prefix_space)
{
  set_component (json, "normalizer", "%s", normalizer);
  set_component (json, "pre_tokenizer", "{\"type\": \"ByteLevel\", \"add_prefix_space\": %s}",
                 to_json (add_prefix_space));
  set_component (json, "decoder", "{\"type\": \"ByteLevel\"}");
}

static gboolean
rebuild_gpt2 (const EngTokenizerSettings  *settings,
              cJSON                       *json,
              GError                     **error)
{
  gboolean add_prefix_space = FALSE;

  if (!get_flag (settings, "add_prefix_space", &add_prefix_space, error))
    return FALSE;
  set_byte_level (json, "null", add_prefix_space);

  return TRUE;
}

static gboolean
rebuild_gpt_neox (const EngTokenizerSettings  *settings,
                  cJSON                       *json,
                  GError                     **error)
{
  gboolean add_prefix_space = FALSE;

  if (!get_flag (settings, "add_prefix_space", &add_prefix_space, error))
    return FALSE;
  set_byte_level (json, "{\"type\": \"NFC\"}", add_prefix_space);

  return TRUE;
}

/* Its template is in tokenizer.json, how spans are trimmed in the settings. */
static gboolean
rebuild_roberta (const EngTokenizerSettings  *settings,
                 cJSON                       *json,
                 GError                     **error)
{
  cJSON *template = cJSON_GetObjectItemCaseSensitive (json, "post_processor");
  gboolean add_prefix_space = FALSE, trim_offsets = TRUE;

  if (!get_flag (settings, "add_prefix_space", &add_prefix_space, error) ||
      !get_flag (settings, "trim_offsets", &trim_offsets, error))
    return FALSE;
  set_byte_level (json, "null", add_prefix_space);
  if (cJSON_IsObject (template)) {
    set_component (template, "add_prefix_space", "%s", to_json (add_prefix_space));
    set_component (template, "trim_offsets", "%s", to_json (trim_offsets));
  }

  return TRUE;
}

static gboolean
rebuild_qwen2 (const EngTokenizerSettings  *settings,
               cJSON                       *json,
               GError                     **error)
{
  gboolean add_prefix_space = FALSE;
  cJSON *split;

  if (!get_flag (settings, "add_prefix_space", &add_prefix_space, error))
    return FALSE;
  set_component (json, "normalizer", "{\"type\": \"NFC\"}");
  set_component (json, "pre_tokenizer",
                 "{\"type\": \"Sequence\", \"pretokenizers\": ["
                 "{\"type\": \"Split\", \"pattern\": {}, \"behavior\": \"Isolated\"},"
                 "{\"type\": \"ByteLevel\", \"use_regex\": false, \"add_prefix_space\": %s}]}",
                 to_json (add_prefix_space));
  split = cJSON_GetObjectItem (cJSON_GetObjectItem (json, "pre_tokenizer"), "pretokenizers")->child;
  cJSON_AddStringToObject (cJSON_GetObjectItem (split, "pattern"), "Regex",
                           ENG_QWEN2_WORDS);
  set_component (json, "decoder", "{\"type\": \"ByteLevel\"}");

  return TRUE;
}

/* Whether a pre-tokenizer, or a part of it, is of bytes. */
static gboolean
has_byte_level (const cJSON *pre_tokenizer)
{
  const cJSON *type = eng_json_find (pre_tokenizer, "type");
  const cJSON *part;

  if (cJSON_IsString (type) && g_str_equal (type->valuestring, "ByteLevel"))
    return TRUE;
  cJSON_ArrayForEach (part, eng_json_find (pre_tokenizer, "pretokenizers"))
    if (has_byte_level (part))
      return TRUE;

  return FALSE;
}

static gboolean
rebuild_llama (const EngTokenizerSettings  *settings,
               cJSON                       *json,
               GError                     **error)
{
  gboolean add_prefix_space = TRUE, legacy = FALSE;

  /* Files of bytes (Llama 3) that name the class of the first Llama are taken as they are. */
  if (has_byte_level (eng_json_find (json, "pre_tokenizer")))
    return TRUE;
  if (!get_flag (settings, "add_prefix_space", &add_prefix_space, error) ||
      !get_flag (settings, "legacy", &legacy, error))
    return FALSE;
  set_component (json, "normalizer", "null");
  set_component (json, "pre_tokenizer",
                 "{\"type\": \"Metaspace\", \"replacement\": \"▁\", \"split\": false,"
                 " \"prepend_scheme\": \"%s\"}",
                 !add_prefix_space ? "never" : legacy ? "always" : "first");
  set_component (json, "decoder",
                 "{\"type\": \"Sequence\", \"decoders\": [{\"type\": \"Replace\","
                 " \"pattern\": {\"String\": \"▁\"}, \"content\": \" \"},"
                 " {\"type\": \"ByteFallback\"}, {\"type\": \"Fuse\"}%s]}",
                 add_prefix_space
                 ? ", {\"type\": \"Strip\", \"content\": \" \", \"start\": 1, \"stop\": 0}" : "");

  return TRUE;
}

/* Words between white space, the first one or all with a mark in front. */
static void
set_words (cJSON      *json,
           const char *scheme)
{
  set_component (json, "pre_tokenizer",
                 "{\"type\": \"Sequence\", \"pretokenizers\": [{\"type\": \"WhitespaceSplit\"},"
                 "{\"type\": \"Metaspace\", \"replacement\": \"▁\", \"prepend_scheme\": \"%s\"}]}",
                 scheme);
  set_component (json, "decoder",
                 "{\"type\": \"Metaspace\", \"replacement\": \"▁\", \"prepend_scheme\": \"%s\"}",
                 scheme);
}

/* The normalizer's table of characters, which is kept; NULL = none. */
static cJSON *
take_charsmap (cJSON *json)
{
  cJSON *normalizer = cJSON_GetObjectItemCaseSensitive (json, "normalizer");
  cJSON *part = cJSON_GetObjectItemCaseSensitive (normalizer, "normalizers");

  for (part = part ? part->child : normalizer; part; part = part->next) {
    const cJSON *type = eng_json_find (part, "type");

    if (cJSON_IsString (type) && g_str_equal (type->valuestring, "Precompiled"))
      return cJSON_Duplicate (part, TRUE);
    if (part == normalizer)
      break;
  }

  return NULL;
}

/* transformers (5.23) drops the table of characters here. */
static gboolean
rebuild_mbart (const EngTokenizerSettings  *settings,
               cJSON                       *json,
               GError                     **error)
{
  set_component (json, "normalizer", "null");
  set_words (json, "always");

  return TRUE;
}

static gboolean
rebuild_xlm_roberta (const EngTokenizerSettings  *settings,
                     cJSON                       *json,
                     GError                     **error)
{
  gboolean add_prefix_space = TRUE;
  cJSON *charsmap;

  if (!get_flag (settings, "add_prefix_space", &add_prefix_space, error))
    return FALSE;
  charsmap = take_charsmap (json);
  set_component (json, "normalizer", "null");
  if (charsmap)
    cJSON_ReplaceItemInObjectCaseSensitive (json, "normalizer", charsmap);
  set_words (json, add_prefix_space ? "always" : "never");

  return TRUE;
}

static gboolean
rebuild_deberta_v2 (const EngTokenizerSettings  *settings,
                    cJSON                       *json,
                    GError                     **error)
{
  gboolean add_prefix_space = TRUE, lowers = FALSE, splits = FALSE;
  const char *scheme;

  if (!get_flag (settings, "add_prefix_space", &add_prefix_space, error) ||
      !get_flag (settings, "do_lower_case", &lowers, error) ||
      !get_flag (settings, "split_by_punct", &splits, error))
    return FALSE;
  scheme = add_prefix_space ? "always" : "first";
  set_component (json, "normalizer",
                 "{\"type\": \"Sequence\", \"normalizers\": [%s{\"type\": \"Replace\","
                 " \"pattern\": {\"Regex\": \"\\\\s{2,}|[\\\\n\\\\r\\\\t]\"}, \"content\": \" \"},"
                 " {\"type\": \"NFC\"},"
                 " {\"type\": \"Strip\", \"strip_left\": false, \"strip_right\": true}]}",
                 lowers ? "{\"type\": \"Lowercase\"}, " : "");
  set_component (json, "pre_tokenizer",
                 "{\"type\": \"Sequence\", \"pretokenizers\": [%s{\"type\": \"Metaspace\","
                 " \"replacement\": \"▁\", \"prepend_scheme\": \"%s\"}]}",
                 splits ? "{\"type\": \"Punctuation\", \"behavior\": \"Isolated\"}, " : "", scheme);
  set_component (json, "decoder",
                 "{\"type\": \"Metaspace\", \"replacement\": \"▁\", \"prepend_scheme\": \"%s\"}",
                 scheme);

  return TRUE;
}

static const struct {
  const char *tokenizer_class;
  gboolean  (*rebuild) (const EngTokenizerSettings  *settings,
                        cJSON                       *json,
                        GError                     **error);
} classes[] = {
  { "BartTokenizer", rebuild_roberta },
  { "BertTokenizer", rebuild_bert },
  { "DebertaTokenizer", rebuild_gpt2 },
  { "DebertaV2Tokenizer", rebuild_deberta_v2 },
  { "DistilBertTokenizer", rebuild_bert },
  { "ElectraTokenizer", rebuild_bert },
  { "GPT2Tokenizer", rebuild_gpt2 },
  { "GPTNeoXTokenizer", rebuild_gpt_neox },
  { "LlamaTokenizer", rebuild_llama },
  { "MBartTokenizer", rebuild_mbart },
  { "Qwen2Tokenizer", rebuild_qwen2 },
  { "RobertaTokenizer", rebuild_roberta },
  { "XLMRobertaTokenizer", rebuild_xlm_roberta },
};

/* Which class a model's tokenizer has where the settings name none. One that is fixed is taken even
 * where they name another. */
static const struct {
  const char *model_type;
  const char *tokenizer_class; /* NULL: files are taken as they are */
  gboolean    is_fixed;
} registered[] = {
  { "bart", "RobertaTokenizer" },
  { "bert", "BertTokenizer" },
  { "deberta", "DebertaTokenizer" },
  { "deberta-v2", "DebertaV2Tokenizer" },
  { "distilbert", "BertTokenizer" },
  { "electra", "BertTokenizer" },
  { "codegen", "GPT2Tokenizer" },
  { "gpt2", "GPT2Tokenizer" },
  { "gpt_neo", "GPT2Tokenizer" },
  { "gpt_neox", "GPTNeoXTokenizer" },
  { "gptj", "GPT2Tokenizer" },
  { "granite", NULL, TRUE },
  { "mbart", "MBartTokenizer" },
  { "mistral", NULL, TRUE },
  { "olmo2", NULL, TRUE },
  { "phi3", NULL, TRUE },
  { "qwen2", "Qwen2Tokenizer", TRUE },
  { "qwen3", "Qwen2Tokenizer" },
  { "roberta", "RobertaTokenizer" },
  { "xlm-roberta", "XLMRobertaTokenizer" },
};

/* *name (out): NULL = a class that takes files as they are. */
static gboolean
find_class (const EngTokenizerSettings  *settings,
            const char                 **name,
            GError                     **error)
{
  *name = NULL;
  if (!eng_json_get_string (settings->config, "tokenizer_class", settings->config_path, name,
                            error))
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (registered); i++)
    if (g_strcmp0 (settings->model_type, registered[i].model_type) == 0 &&
        (!*name || registered[i].is_fixed))
      *name = registered[i].tokenizer_class;

  return TRUE;
}

gboolean
eng_class_settings_apply (const EngTokenizerSettings  *settings,
                          cJSON                       *json,
                          GError                     **error)
{
  const char *name;

  if (!find_class (settings, &name, error))
    return FALSE;
  for (gsize i = 0; name && i < G_N_ELEMENTS (classes); i++)
    if (eng_tokenizer_is_class (name, classes[i].tokenizer_class))
      return classes[i].rebuild (settings, json, error);

  return TRUE;
}
