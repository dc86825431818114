/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/sentencepiece-tokenizer.h"

#include "engine/tokenizer/bpe.h"
#include "engine/tokenizer/sentencepiece-file.h"
#include "engine/tokenizer/tokenizer-json.h"
#include "engine/tokenizer/unigram.h"

#include <float.h>
#include <string.h>

#define MAX_EXTRA_IDS 100000
#define MAX_SPECIAL 6
/* What a piece such as "5," loses: ALBERT's pieces end before the comma. */
#define COMMA_PENALTY 100.0

/* A special token of a family: its key in the settings, and what it is if they do not say. */
typedef struct {
  const char *key;
  const char *content;
  gboolean    lstrip;
} Special;

typedef struct _Family Family;

/* All that a tokenizer is made of. */
typedef struct {
  const Family               *family;
  const EngSentencepieceFile *file;
  const EngTokenizerSettings *settings;
  const char                 *what;
  EngAddedToken               special[MAX_SPECIAL];
  gboolean                    add_prefix_space;
  EngUnigramPieces            pieces;
  /* As in tokenizer.json. */
  cJSON                      *normalizers;
  cJSON                      *pre_tokenizers;
  cJSON                      *decoders;
  cJSON                      *added_tokens;
  /* Keys of special tokens, and the texts $A and $B, each with its type id. */
  const char                 *single;
  const char                 *pair;
} Source;

struct _Family {
  const char           *model_type;
  const char           *tokenizer_class;
  EngSentencepieceModel algorithm;
  Special               special[MAX_SPECIAL]; /* the unknown one first */
  gboolean            (*list_pieces)    (Source   *source,
                                         GError  **error);
  gboolean            (*add_components) (Source   *source,
                                         GError  **error);
  const char           *single; /* see Source; NULL: add_components says */
  const char           *pair;
};

static const EngSentencepiece *
get_piece (const Source *source,
           guint         i)
{
  return &g_array_index (source->file->pieces, EngSentencepiece, i);
}

static void
add_piece (Source     *source,
           const char *text,
           double      score)
{
  eng_vocabulary_add (source->pieces.pieces, text, strlen (text), (int) source->pieces.scores->len);
  g_array_append_val (source->pieces.scores, score);
}

static void
append_added_token (cJSON               *list,
                    const EngAddedToken *token)
{
  cJSON *entry = cJSON_CreateObject ();

  cJSON_AddStringToObject (entry, "content", token->content);
  cJSON_AddBoolToObject (entry, "single_word", token->single_word);
  cJSON_AddBoolToObject (entry, "lstrip", token->lstrip);
  cJSON_AddBoolToObject (entry, "rstrip", token->rstrip);
  cJSON_AddBoolToObject (entry, "normalized", token->normalized);
  cJSON_AddBoolToObject (entry, "special", token->special);
  cJSON_AddItemToArray (list, entry);
}

static void
add_special_piece (Source     *source,
                   const char *content)
{
  append_added_token (source->added_tokens, &(EngAddedToken) { .content = content, .special = TRUE });
}

/* The pieces that no text is cut into are special tokens. */
static void
add_pieces_from (Source *source,
                 guint   first)
{
  for (guint i = first; i < source->file->pieces->len; i++) {
    const EngSentencepiece *piece = get_piece (source, i);

    add_piece (source, piece->text, piece->score);
    if (piece->type == ENG_SENTENCEPIECE_CONTROL || piece->type == ENG_SENTENCEPIECE_USER_DEFINED)
      add_special_piece (source, piece->text);
  }
}

static gboolean
list_plain_pieces (Source  *source,
                   GError **error)
{
  source->pieces.unknown = source->file->unknown;
  add_pieces_from (source, 0);

  return TRUE;
}

/* T5's sentinels stand behind the pieces, the last one first. */
static gboolean
list_t5_pieces (Source  *source,
                GError **error)
{
  gint64 n = 100;

  if (!eng_json_get_int (source->settings->config, "extra_ids", 0, MAX_EXTRA_IDS,
                         source->settings->config_path, &n, error))
    return FALSE;
  list_plain_pieces (source, error);
  while (n-- > 0) {
    g_autofree char *text = g_strdup_printf ("<extra_id_%d>", (int) n);

    add_piece (source, text, 0.0);
    add_special_piece (source, text);
  }

  return TRUE;
}

/* Ids of fairseq: four tokens of its own instead of the file's first three, so that all others move
 * up by one, and the mask behind them. */
static gboolean
list_xlm_roberta_pieces (Source  *source,
                         GError **error)
{
  static const int order[] = { 1, 2, 3, 0 }; /* <s> <pad> </s> <unk> among the family's tokens */

  for (gsize i = 0; i < G_N_ELEMENTS (order); i++)
    add_piece (source, source->special[order[i]].content, 0.0);
  source->pieces.unknown = G_N_ELEMENTS (order) - 1;
  add_pieces_from (source, 3);
  add_piece (source, source->special[4].content, 0.0);

  return TRUE;
}

static gboolean
ends_with_digit_and_comma (const char *text)
{
  const char *comma = text + strlen (text) - 1;

  return comma > text && *comma == ',' &&
         g_unichar_isdigit (g_utf8_get_char (g_utf8_prev_char (comma)));
}

/* The file has ( and the like as user-defined pieces; the hub's tokenizer.json, which we follow,
 * cuts them like any other. */
static gboolean
list_albert_pieces (Source  *source,
                    GError **error)
{
  source->pieces.unknown = source->file->unknown;
  for (guint i = 0; i < source->file->pieces->len; i++) {
    const EngSentencepiece *piece = get_piece (source, i);
    double penalty = ends_with_digit_and_comma (piece->text) ? COMMA_PENALTY : 0.0;

    add_piece (source, piece->text, piece->score - penalty);
  }

  return TRUE;
}

static cJSON *
add_step (cJSON      *list,
          const char *type)
{
  cJSON *step = cJSON_CreateObject ();

  cJSON_AddStringToObject (step, "type", type);
  cJSON_AddItemToArray (list, step);

  return step;
}

/* pattern_type: "String" or "Regex". */
static void
add_replace (cJSON      *list,
             const char *pattern_type,
             const char *pattern,
             const char *content)
{
  cJSON *step = add_step (list, "Replace");

  cJSON_AddStringToObject (cJSON_AddObjectToObject (step, "pattern"), pattern_type, pattern);
  cJSON_AddStringToObject (step, "content", content);
}

static void
add_precompiled (const Source *source)
{
  g_autofree char *text = NULL;
  const guint8 *data;
  gsize length;

  if (!source->file->charsmap)
    return;

  data = g_bytes_get_data (source->file->charsmap, &length);
  text = g_base64_encode (data, length);
  cJSON_AddStringToObject (add_step (source->normalizers, "Precompiled"), "precompiled_charsmap",
                           text);
}

static void
add_metaspace (cJSON      *list,
               const char *scheme,
               gboolean    split)
{
  cJSON *step = add_step (list, "Metaspace");

  cJSON_AddStringToObject (step, "prepend_scheme", scheme);
  cJSON_AddBoolToObject (step, "split", split);
}

static gboolean
add_word_components (Source  *source,
                     GError **error)
{
  const char *scheme = source->add_prefix_space ? "always" : "never";

  add_precompiled (source);
  add_step (source->pre_tokenizers, "WhitespaceSplit");
  add_metaspace (source->pre_tokenizers, scheme, TRUE);
  add_metaspace (source->decoders, scheme, TRUE);

  return TRUE;
}

static gboolean
add_albert_components (Source  *source,
                       GError **error)
{
  const EngTokenizerSettings *settings = source->settings;
  gboolean lower_case = TRUE;
  gboolean keep_accents = FALSE;

  if (!eng_json_get_boolean (settings->config, "do_lower_case", settings->config_path, &lower_case,
                             error) ||
      !eng_json_get_boolean (settings->config, "keep_accents", settings->config_path,
                             &keep_accents, error))
    return FALSE;

  add_replace (source->normalizers, "String", "``", "\"");
  add_replace (source->normalizers, "String", "''", "\"");
  if (!keep_accents) {
    add_step (source->normalizers, "NFKD");
    add_step (source->normalizers, "StripAccents");
  }
  if (lower_case)
    add_step (source->normalizers, "Lowercase");
  add_precompiled (source);
  add_replace (source->normalizers, "Regex", " {2,}", " ");
  add_metaspace (source->pre_tokenizers, "always", TRUE);
  add_metaspace (source->decoders, "always", TRUE);

  return TRUE;
}

/* Without and with the token at the begin, without and with the one at the end; single and pair. */
static const char *const llama_templates[2][2][2] = {
  { { "$A", "$A $B:1" }, { "$A eos_token", "$A eos_token $B:1 eos_token:1" } },
  { { "bos_token $A", "bos_token $A bos_token:1 $B:1" },
    { "bos_token $A eos_token", "bos_token $A eos_token bos_token:1 $B:1 eos_token:1" } },
};

static gboolean
add_llama_components (Source  *source,
                      GError **error)
{
  const EngTokenizerSettings *settings = source->settings;
  const char *scheme = "never";
  gboolean legacy = FALSE;
  gboolean bos = TRUE;
  gboolean eos = FALSE;
  cJSON *strip;

  if (!eng_json_get_boolean (settings->config, "legacy", settings->config_path, &legacy, error) ||
      !eng_json_get_boolean (settings->config, "add_bos_token", settings->config_path, &bos,
                             error) ||
      !eng_json_get_boolean (settings->config, "add_eos_token", settings->config_path, &eos,
                             error))
    return FALSE;
  source->single = llama_templates[bos][eos][0];
  source->pair = llama_templates[bos][eos][1];
  if (source->add_prefix_space)
    scheme = legacy ? "always" : "first";
  add_metaspace (source->pre_tokenizers, scheme, FALSE);
  add_replace (source->decoders, "String", "\u2581", " ");
  add_step (source->decoders, "ByteFallback");
  add_step (source->decoders, "Fuse");
  if (source->add_prefix_space) {
    strip = add_step (source->decoders, "Strip");
    cJSON_AddStringToObject (strip, "content", " ");
    cJSON_AddNumberToObject (strip, "start", 1);
  }

  return TRUE;
}

static const Family families[] = {
  { "t5", "T5Tokenizer", ENG_SENTENCEPIECE_UNIGRAM,
    { { "unk_token", "<unk>", FALSE }, { "eos_token", "</s>", FALSE },
      { "pad_token", "<pad>", FALSE } },
    list_t5_pieces, add_word_components, "$A eos_token", "$A eos_token $B eos_token" },
  { "xlm-roberta", "XLMRobertaTokenizer", ENG_SENTENCEPIECE_UNIGRAM,
    { { "unk_token", "<unk>", FALSE }, { "bos_token", "<s>", FALSE },
      { "pad_token", "<pad>", FALSE }, { "eos_token", "</s>", FALSE },
      { "mask_token", "<mask>", FALSE } },
    list_xlm_roberta_pieces, add_word_components, "bos_token $A eos_token",
    "bos_token $A eos_token eos_token $B eos_token" },
  { "albert", "AlbertTokenizer", ENG_SENTENCEPIECE_UNIGRAM,
    { { "unk_token", "<unk>", FALSE }, { "pad_token", "<pad>", FALSE },
      { "cls_token", "[CLS]", FALSE }, { "sep_token", "[SEP]", FALSE },
      { "mask_token", "[MASK]", TRUE } },
    list_albert_pieces, add_albert_components, "cls_token $A sep_token",
    "cls_token $A sep_token $B:1 sep_token:1" },
  { "llama", "LlamaTokenizer", ENG_SENTENCEPIECE_BPE,
    { { "unk_token", "<unk>", FALSE }, { "bos_token", "<s>", FALSE },
      { "eos_token", "</s>", FALSE } },
    list_plain_pieces, add_llama_components, NULL, NULL },
};

/* By the class of the tokenizer, old or "Fast", else by the type of the model. */
static gboolean
is_family (const Family *family,
           const char   *tokenizer_class,
           const char   *model_type)
{
  if (!tokenizer_class)
    return g_str_equal (model_type, family->model_type);
  if (!g_str_has_prefix (tokenizer_class, family->tokenizer_class))
    return FALSE;

  tokenizer_class += strlen (family->tokenizer_class);

  return !*tokenizer_class || g_str_equal (tokenizer_class, "Fast");
}

static const Family *
find_family (const EngTokenizerSettings  *settings,
             const char                  *what,
             GError                     **error)
{
  const char *model_type = settings->model_type ? settings->model_type : "";
  const char *tokenizer_class = NULL;
  g_autoptr (GString) known = g_string_new (NULL);

  if (!eng_json_get_string (settings->config, "tokenizer_class", settings->config_path,
                            &tokenizer_class, error))
    return NULL;
  for (gsize i = 0; i < G_N_ELEMENTS (families); i++) {
    if (is_family (&families[i], tokenizer_class, model_type))
      return &families[i];
    g_string_append_printf (known, "%s%s", i ? ", " : "",
                            tokenizer_class ? families[i].tokenizer_class : families[i].model_type);
  }
  g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
               "%s: %s is \"%s\", expected one of %s where there is no tokenizer.json", what,
               tokenizer_class ? "tokenizer_class" : "model_type",
               tokenizer_class ? tokenizer_class : model_type, known->str);

  return NULL;
}

static gboolean
read_special (Source  *source,
              GError **error)
{
  for (int i = 0; i < MAX_SPECIAL && source->family->special[i].key; i++) {
    const Special *special = &source->family->special[i];
    EngAddedToken *token = &source->special[i];

    *token = (EngAddedToken) { .content = special->content, .lstrip = special->lstrip,
                               .special = TRUE };
    if (!eng_tokenizer_settings_get_special (source->settings, special->key, token, error))
      return FALSE;
    append_added_token (source->added_tokens, token);
  }

  return TRUE;
}

/* What the settings add to the vocabulary, behind everything else. */
static void
add_listed (Source *source)
{
  const cJSON *entry;

  cJSON_ArrayForEach (entry, eng_json_find (source->settings->config, "added_tokens_decoder"))
    cJSON_AddItemToArray (source->added_tokens, cJSON_Duplicate (entry, TRUE));
  cJSON_ArrayForEach (entry, source->settings->added_tokens)
    if (eng_vocabulary_find (source->pieces.pieces, entry->string) < 0)
      append_added_token (source->added_tokens, &(EngAddedToken) { .content = entry->string });
}

/* The content of a special token by its key; NULL when the family has none. */
static const char *
find_content (const Source *source,
              const char   *key)
{
  for (int i = 0; i < MAX_SPECIAL && source->family->special[i].key; i++)
    if (g_str_equal (key, source->family->special[i].key))
      return source->special[i].content;

  return NULL;
}

/* notation: "bos_token $A eos_token $B:1". */
static void
add_template (const Source *source,
              const char   *notation,
              const char   *name,
              cJSON        *template,
              cJSON        *tokens)
{
  g_auto (GStrv) words = g_strsplit (notation, " ", -1);
  cJSON *items = cJSON_AddArrayToObject (template, name);

  for (char **word = words; *word; word++) {
    cJSON *item = cJSON_CreateObject ();
    char *colon = strchr (*word, ':');
    gboolean is_text = **word == '$';
    const char *id;
    cJSON *part;

    if (colon)
      *colon = '\0';
    id = is_text ? *word + 1 : find_content (source, *word);
    part = cJSON_AddObjectToObject (item, is_text ? "Sequence" : "SpecialToken");
    cJSON_AddStringToObject (part, "id", id);
    cJSON_AddNumberToObject (part, "type_id", colon && colon[1] == '1');
    cJSON_AddItemToArray (items, item);
    if (!is_text && !eng_json_find (tokens, id)) {
      int number = eng_vocabulary_find (source->pieces.pieces, id);
      cJSON *token = cJSON_AddObjectToObject (tokens, id);

      cJSON_AddItemToObject (token, "ids", cJSON_CreateIntArray (&number, 1));
      cJSON_AddItemToObject (token, "tokens", cJSON_CreateStringArray (&id, 1));
    }
  }
}

static void
wrap_steps (cJSON      *json,
            const char *key,
            const char *list_key,
            cJSON      *steps)
{
  cJSON *component = cJSON_AddObjectToObject (json, key);

  cJSON_AddStringToObject (component, "type", "Sequence");
  cJSON_AddItemToObject (component, list_key, steps);
}

/* The tokenizer.json that such a tokenizer has, without the model. Takes the lists of source. */
static cJSON *
make_json (Source *source)
{
  cJSON *json = cJSON_CreateObject ();
  cJSON *template = cJSON_AddObjectToObject (json, "post_processor");
  cJSON *tokens = cJSON_AddObjectToObject (template, "special_tokens");

  cJSON_AddStringToObject (template, "type", "TemplateProcessing");
  add_template (source, source->single, "single", template, tokens);
  add_template (source, source->pair, "pair", template, tokens);
  wrap_steps (json, "normalizer", "normalizers", g_steal_pointer (&source->normalizers));
  wrap_steps (json, "pre_tokenizer", "pretokenizers", g_steal_pointer (&source->pre_tokenizers));
  wrap_steps (json, "decoder", "decoders", g_steal_pointer (&source->decoders));
  cJSON_AddItemToObject (json, "added_tokens", g_steal_pointer (&source->added_tokens));

  return json;
}

/* The file has no list of merges: any two pieces that make up a third may be merged, those that make
 * up the first of them first. */
static gboolean
add_merges (const EngVocabulary  *pieces,
            EngTokenModel        *model,
            const char           *what,
            GError              **error)
{
  for (int id = 0; id < eng_vocabulary_get_n_entries (pieces); id++) {
    const char *piece = eng_vocabulary_get_piece (pieces, id);
    gsize length = strlen (piece);

    for (const char *cut = g_utf8_next_char (piece); *piece && *cut; cut = g_utf8_next_char (cut)) {
      gsize left = (gsize) (cut - piece);

      if (eng_vocabulary_find_length (pieces, piece, left) >= 0 &&
          eng_vocabulary_find_length (pieces, cut, length - left) >= 0 &&
          !eng_bpe_add_merge (model, piece, left, cut, length - left, what, error))
        return FALSE;
    }
  }

  return TRUE;
}

static EngTokenModel *
make_model (Source  *source,
            GError **error)
{
  EngBpeOptions options = { .continuation = "", .word_end = "", .fuse_unknown = TRUE,
                            .byte_fallback = TRUE };
  g_autoptr (EngTokenModel) model = NULL;
  double lowest = DBL_MAX;

  if (source->family->algorithm == ENG_SENTENCEPIECE_UNIGRAM) {
    for (guint i = 0; i < source->pieces.scores->len; i++)
      lowest = MIN (lowest, g_array_index (source->pieces.scores, double, i));
    source->pieces.unknown_score = eng_unigram_get_unknown_score (lowest);
    return eng_unigram_new (NULL, &source->pieces, source->pieces.unknown, FALSE);
  }

  model = eng_bpe_new (g_steal_pointer (&source->pieces.pieces), &options, source->what, error);
  if (!model || !add_merges (model->vocabulary, model, source->what, error))
    return NULL;

  return g_steal_pointer (&model);
}

static gboolean
fill_source (Source  *source,
             GError **error)
{
  const EngTokenizerSettings *settings = source->settings;

  return eng_json_get_boolean (settings->config, "add_prefix_space", settings->config_path,
                               &source->add_prefix_space, error) &&
         read_special (source, error) &&
         source->family->list_pieces (source, error) &&
         eng_vocabulary_seal (source->pieces.pieces, source->what, error) &&
         source->family->add_components (source, error);
}

static void
source_init (Source *self)
{
  self->add_prefix_space = TRUE;
  self->single = self->family->single;
  self->pair = self->family->pair;
  self->normalizers = cJSON_CreateArray ();
  self->pre_tokenizers = cJSON_CreateArray ();
  self->decoders = cJSON_CreateArray ();
  self->added_tokens = cJSON_CreateArray ();
  self->pieces.pieces = eng_vocabulary_new ();
  self->pieces.scores = g_array_new (FALSE, FALSE, sizeof (double));
}

static void
source_clear (Source *self)
{
  cJSON_Delete (self->normalizers);
  cJSON_Delete (self->pre_tokenizers);
  cJSON_Delete (self->decoders);
  cJSON_Delete (self->added_tokens);
  eng_unigram_pieces_clear (&self->pieces);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Source, source_clear)

static gboolean
check_algorithm (const Family                *family,
                 const EngSentencepieceFile  *file,
                 const char                  *what,
                 GError                     **error)
{
  static const char *const names[] = { NULL, "unigram", "BPE", "word", "character" };

  if (file->model == family->algorithm)
    return TRUE;
  g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED, "%s: a %s model, expected %s for %s", what,
               names[file->model], names[family->algorithm], family->model_type);

  return FALSE;
}

static EngPipeline *
build (const EngSentencepieceFile  *file,
       const char                  *what,
       const EngTokenizerSettings  *settings,
       GError                     **error)
{
  const Family *family = find_family (settings, what, error);
  g_auto (Source) source = { .family = family, .file = file, .settings = settings, .what = what };
  g_autoptr (cJSON) json = NULL;
  EngTokenModel *model;
  EngPipeline *pipeline;

  if (!family || !check_algorithm (family, file, what, error))
    return NULL;
  source_init (&source);
  if (!fill_source (&source, error))
    return NULL;
  add_listed (&source);
  json = make_json (&source);
  model = make_model (&source, error);
  pipeline = model ? eng_tokenizer_json_build (json, model, what, error) : NULL;
  if (!pipeline)
    return NULL;
  for (int role = 0; role < ENG_N_ROLES; role++) {
    const char *content = find_content (&source, eng_role_get_key (role));

    if (content)
      pipeline->roles[role] = eng_pipeline_find_id (pipeline, content);
  }

  return pipeline;
}

EngPipeline *
eng_sentencepiece_read (const char                  *path,
                          const EngTokenizerSettings  *settings,
                        GError                     **error)
{
  g_autoptr (EngSentencepieceFile) file = eng_sentencepiece_file_read (path, error);

  return file ? build (file, path, settings, error) : NULL;
}

EngPipeline *
eng_sentencepiece_parse (const guint8                *data,
                         gsize                        length,
                         const char                  *what,
                            const EngTokenizerSettings  *settings,
                         GError                     **error)
{
  g_autoptr (EngSentencepieceFile) file = eng_sentencepiece_file_parse (data, length, what, error);

  return file ? build (file, what, settings, error) : NULL;
}
