/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/files/vocab-txt.h"

#include "engine/base/file-map.h"
#include "engine/tokenizer/decoders/wordpiece-decoder.h"
#include "engine/tokenizer/models/wordpiece.h"
#include "engine/tokenizer/normalizers/bert-normalizer.h"
#include "engine/tokenizer/pretokenizers/bert-pretokenizer.h"

#include <string.h>

#define MAX_BYTES (128 << 20)
#define MAX_WORD_LENGTH 100

typedef enum {
  TOKEN_UNKNOWN,
  TOKEN_SEPARATOR,
  TOKEN_PADDING,
  TOKEN_CLASS,
  TOKEN_MASK,
  N_SPECIAL_TOKENS
} SpecialToken;

/* In the order in which BertTokenizer adds them. */
static const struct {
  EngRole     role;
  const char *content;
} special_tokens[N_SPECIAL_TOKENS] = {
  [TOKEN_UNKNOWN] = { ENG_ROLE_UNKNOWN, "[UNK]" },
  [TOKEN_SEPARATOR] = { ENG_ROLE_SEPARATOR, "[SEP]" },
  [TOKEN_PADDING] = { ENG_ROLE_PADDING, "[PAD]" },
  [TOKEN_CLASS] = { ENG_ROLE_CLASS, "[CLS]" },
  [TOKEN_MASK] = { ENG_ROLE_MASK, "[MASK]" },
};

/* Classes whose vocab.txt means what BERT's means; each also with "Fast" behind it. */
static const char *const tokenizer_classes[] = {
  "BertTokenizer", "DistilBertTokenizer", "ElectraTokenizer",
};

static gboolean
check_class (const EngTokenizerSettings  *settings,
             GError                     **error)
{
  const char *name = NULL;

  if (!eng_json_get_string (settings->config, "tokenizer_class", settings->config_path, &name,
                            error))
    return FALSE;
  if (!name)
    return TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (tokenizer_classes); i++)
    if (eng_tokenizer_is_class (name, tokenizer_classes[i]))
      return TRUE;
  g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
               "%s: tokenizer_class is \"%s\", expected \"BertTokenizer\" where there is vocab.txt "
               "alone", settings->config_path, name);

  return FALSE;
}

static EngVocabulary *
read_vocabulary (const char  *text,
                 gsize        length,
                 const char  *what,
                 GError     **error)
{
  g_autoptr (EngVocabulary) vocabulary = eng_vocabulary_new ();
  const char *end = text + length;
  const char *invalid;
  int id = 0;

  if (!g_utf8_validate_len (text, length, &invalid)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT, "%s: not UTF-8 at byte %" G_GSIZE_FORMAT,
                 what, (gsize) (invalid - text));
    return NULL;
  }
  for (const char *line = text; line < end;) {
    const char *feed = memchr (line, '\n', (gsize) (end - line));
    const char *line_end = feed ? feed : end;
    const char *piece_end = line_end;

    while (piece_end > line && strchr (" \t\r", piece_end[-1]))
      piece_end--;
    eng_vocabulary_add (vocabulary, line, (gsize) (piece_end - line), id++);
    line = feed ? feed + 1 : end;
  }
  if (!eng_vocabulary_seal (vocabulary, what, error))
    return NULL;

  return g_steal_pointer (&vocabulary);
}

static gboolean
read_normalizer (const EngTokenizerSettings  *settings,
                 EngPipeline                 *pipeline,
                 GError                     **error)
{
  const cJSON *config = settings->config;
  const char *what = settings->config_path;
  EngBertNormalizerOptions options = { TRUE, TRUE, TRUE, TRUE };

  if (!eng_json_get_boolean (config, "do_lower_case", what, &options.lowercase, error) ||
      !eng_json_get_boolean (config, "tokenize_chinese_chars", what, &options.handle_chinese_chars,
                             error))
    return FALSE;
  options.strip_accents = options.lowercase;
  if (!eng_json_get_boolean (config, "strip_accents", what, &options.strip_accents, error))
    return FALSE;
  g_ptr_array_add (pipeline->normalizers, eng_bert_normalizer_new (&options));

  return TRUE;
}

/* In added_tokens.json the id is the value, in added_tokens_decoder the key. */
static double
get_id (const cJSON *entry)
{
  return cJSON_IsNumber (entry) ? entry->valuedouble : g_ascii_strtod (entry->string, NULL);
}

static int
compare_ids (const void *a,
             const void *b)
{
  double first_id = get_id (*(const cJSON *const *) a);
  double second_id = get_id (*(const cJSON *const *) b);

  return (first_id > second_id) - (first_id < second_id);
}

static gboolean
add_entry (EngPipeline  *pipeline,
           const cJSON  *entry,
           const char   *what,
           GError      **error)
{
  EngAddedToken token = { .normalized = TRUE };
  gboolean has_flags = !cJSON_IsNumber (entry);

  if (has_flags && !eng_added_token_read (entry, what, &token, error))
    return FALSE;
  if (!has_flags)
    token.content = entry->string;
  /* Without flags of its own a special token keeps those that it has. */
  if (has_flags || eng_added_tokens_find (pipeline->added_tokens, token.content) < 0)
    eng_added_tokens_add (pipeline->added_tokens, &token);

  return TRUE;
}

/* Tokens beyond the vocabulary get the next free ids: they are added in the order of their ids. */
static gboolean
add_listed (EngPipeline  *pipeline,
            const cJSON  *object,
            const char   *what,
            GError      **error)
{
  g_autoptr (GPtrArray) entries = g_ptr_array_new ();
  const cJSON *entry;

  if (object && !cJSON_IsNull (object) && !cJSON_IsObject (object)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
                 "%s: the added tokens are not an object, expected ids and tokens", what);
    return FALSE;
  }
  cJSON_ArrayForEach (entry, object)
    g_ptr_array_add (entries, (gpointer) entry);
  g_ptr_array_sort (entries, compare_ids);
  for (guint i = 0; i < entries->len; i++)
    if (!add_entry (pipeline, g_ptr_array_index (entries, i), what, error))
      return FALSE;

  return TRUE;
}

static gboolean
add_tokens (const EngTokenizerSettings  *settings,
            const EngAddedToken         *special,
            EngPipeline                 *pipeline,
            const char                  *what,
            GError                     **error)
{
  const cJSON *decoder = eng_json_find (settings->config, "added_tokens_decoder");

  pipeline->added_tokens = eng_added_tokens_new (pipeline->model->vocabulary);
  for (int i = 0; i < N_SPECIAL_TOKENS; i++) {
    int id = eng_vocabulary_find (pipeline->model->vocabulary, special[i].content);

    pipeline->roles[special_tokens[i].role] = id;
    /* A padding or mask token beyond the vocabulary would have no row in the embedding. */
    if (id >= 0)
      eng_added_tokens_add (pipeline->added_tokens, &special[i]);
  }

  return add_listed (pipeline, settings->added_tokens, settings->added_tokens_path, error) &&
         add_listed (pipeline, decoder, settings->config_path, error) &&
         eng_added_tokens_seal (pipeline->added_tokens, pipeline->normalizers, what, error);
}

static gboolean
make_template (const EngAddedToken  *special,
               EngPipeline          *pipeline,
               const char           *what,
               GError              **error)
{
  int cls_id = eng_vocabulary_find (pipeline->model->vocabulary, special[TOKEN_CLASS].content);
  int sep_id = eng_vocabulary_find (pipeline->model->vocabulary, special[TOKEN_SEPARATOR].content);

  if (cls_id < 0 || sep_id < 0) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING,
                 "%s: the vocabulary has no %s, a token of the template",
                 what, special[cls_id < 0 ? TOKEN_CLASS : TOKEN_SEPARATOR].content);
    return FALSE;
  }
  pipeline->post_processor = eng_template_new_bert (cls_id, sep_id);

  return TRUE;
}

/* (transfer full) The bytes that text points into; an empty file has text, too. */
static GBytes *
map_text (const char  *path,
          const char **text,
          gsize       *length,
          GError     **error)
{
  GBytes *bytes = eng_file_map (path, MAX_BYTES, error);
  const char *data = bytes ? g_bytes_get_data (bytes, length) : NULL;

  *text = data ? data : "";

  return bytes;
}

EngPipeline *
eng_vocab_txt_parse (const char                  *text,
                     gsize                        length,
                     const char                  *what,
                     const EngTokenizerSettings  *settings,
                     GError                     **error)
{
  g_autoptr (EngPipeline) pipeline = eng_pipeline_new ();
  g_autoptr (EngVocabulary) vocabulary = NULL;
  EngAddedToken special[N_SPECIAL_TOKENS];
  EngWordpieceOptions options = { .continuation = "##", .max_word_length = MAX_WORD_LENGTH };

  if (!check_class (settings, error))
    return NULL;
  for (int i = 0; i < N_SPECIAL_TOKENS; i++) {
    special[i] = (EngAddedToken) { .content = special_tokens[i].content, .special = TRUE };
    if (!eng_tokenizer_settings_get_special (settings, eng_role_get_key (special_tokens[i].role),
                                             &special[i], error))
      return NULL;
  }
  vocabulary = read_vocabulary (text, length, what, error);
  if (!vocabulary || !read_normalizer (settings, pipeline, error))
    return NULL;

  g_ptr_array_add (pipeline->pre_tokenizers, eng_bert_pretokenizer_new ());
  g_ptr_array_add (pipeline->decoders, eng_wordpiece_decoder_new (options.continuation, TRUE));
  options.unknown_token = special[TOKEN_UNKNOWN].content;
  pipeline->model = eng_wordpiece_new (g_steal_pointer (&vocabulary), &options, what, error);
  if (!pipeline->model || !add_tokens (settings, special, pipeline, what, error) ||
      !make_template (special, pipeline, what, error))
    return NULL;

  return g_steal_pointer (&pipeline);
}

EngPipeline *
eng_vocab_txt_read (const char                  *path,
                    const EngTokenizerSettings  *settings,
                    GError                     **error)
{
  const char *text;
  gsize length;
  g_autoptr (GBytes) bytes = map_text (path, &text, &length, error);

  return bytes ? eng_vocab_txt_parse (text, length, path, settings, error) : NULL;
}

EngVocabulary *
eng_vocab_txt_read_pieces (const char  *path,
                           GError     **error)
{
  const char *text;
  gsize length;
  g_autoptr (GBytes) bytes = map_text (path, &text, &length, error);

  return bytes ? read_vocabulary (text, length, path, error) : NULL;
}
