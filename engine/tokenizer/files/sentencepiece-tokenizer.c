/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/files/sentencepiece-tokenizer.h"

#include "engine/tokenizer/base/sentencepiece-file.h"
#include "engine/tokenizer/files/components.h"
#include "engine/tokenizer/files/translators.h"
#include "engine/tokenizer/models/bpe.h"
#include "engine/tokenizer/models/unigram.h"

#include <float.h>
#include <string.h>

#define MAX_EXTRA_IDS 100000
#define MAX_SPECIAL 7
/* What a piece such as "5," loses: ALBERT's pieces end before the comma. */
#define COMMA_PENALTY 100.0
/* Pegasus' mask of a whole sentence, and the score of pieces that no text shall have. */
#define SENTENCE_MASK "<mask_1>"
#define UNUSED_SCORE -100.0

/* A special token of a family if the settings do not say. */
typedef struct {
  EngRole       role;
  EngAddedToken token;
} Special;

typedef struct _Family Family;

/* All that a tokenizer is made of. */
typedef struct {
  const Family               *family;
  const EngSentencepieceFile *file;
  const EngTokenizerSettings *settings;
  const char                 *what;
  gboolean                    add_prefix_space;
  EngUnigramPieces            pieces;
  EngComponents               components;
  const char                 *single; /* see eng_components_build() */
  const char                 *pair;
} Source;

struct _Family {
  EngSentencepieceModel algorithm;
  Special               special[MAX_SPECIAL];
  gboolean            (*list_pieces)    (Source   *source,
                                         GError  **error);
  gboolean            (*add_components) (Source   *source,
                                         GError  **error);
  const char           *single; /* NULL: add_components says */
  const char           *pair;
  gboolean              byte_fallback; /* of BPE; else there is the unknown token */
  EngTranslator         translator;    /* whose languages the pieces have */
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
add_whole_piece (Source     *source,
                 const char *content,
                 gboolean    special)
{
  eng_components_add_token (&source->components,
                            &(EngAddedToken) { .content = content, .special = special });
}

static gboolean
has_role (const Source *source,
          const char   *text)
{
  for (int role = 0; role < ENG_N_ROLES; role++)
    if (g_strcmp0 (source->components.special[role].content, text) == 0)
      return TRUE;

  return FALSE;
}

/* The pieces that are found as a whole are added tokens, special ones where they have a role. */
static void
add_pieces_from (Source *source,
                 guint   first)
{
  for (guint i = first; i < source->file->pieces->len; i++) {
    const EngSentencepiece *piece = get_piece (source, i);

    add_piece (source, piece->text, piece->score);
    if (piece->type == ENG_SENTENCEPIECE_CONTROL || piece->type == ENG_SENTENCEPIECE_USER_DEFINED)
      add_whole_piece (source, piece->text, piece->type == ENG_SENTENCEPIECE_CONTROL ||
                                            has_role (source, piece->text));
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
    add_whole_piece (source, text, TRUE);
  }

  return TRUE;
}

/* Ids of fairseq: four tokens of its own instead of the file's first three, so that all others move
 * up by one. */
static void
list_fairseq_pieces (Source *source)
{
  static const EngRole first[] = {
    ENG_ROLE_BOS, ENG_ROLE_PADDING, ENG_ROLE_EOS, ENG_ROLE_UNKNOWN
  };
  const EngAddedToken *special = source->components.special;

  for (gsize i = 0; i < G_N_ELEMENTS (first); i++)
    add_piece (source, special[first[i]].content, 0.0);
  source->pieces.unknown = G_N_ELEMENTS (first) - 1;
  add_pieces_from (source, 3);
}

/* And the mask behind them. */
static gboolean
list_xlm_roberta_pieces (Source  *source,
                         GError **error)
{
  list_fairseq_pieces (source);
  add_piece (source, source->components.special[ENG_ROLE_MASK].content, 0.0);

  return TRUE;
}

/* And the languages, then the mask. */
static gboolean
list_translator_pieces (Source  *source,
                        GError **error)
{
  g_auto (GStrv) tokens = NULL;

  tokens = eng_translator_list_tokens (source->family->translator, source->settings, error);
  if (!tokens)
    return FALSE;
  list_fairseq_pieces (source);
  for (int i = 0; tokens[i]; i++) {
    add_piece (source, tokens[i], 0.0);
    add_whole_piece (source, tokens[i], TRUE);
  }
  add_piece (source, source->components.special[ENG_ROLE_MASK].content, 0.0);

  return TRUE;
}

/* The first two pieces, two masks and tokens of the training that no text has, <unk_2> and so on up
 * to the offset; then the rest of the pieces. */
static gboolean
list_pegasus_pieces (Source  *source,
                     GError **error)
{
  const EngAddedToken *special = source->components.special;
  const EngTokenizerSettings *settings = source->settings;
  gint64 offset = 103;

  if (!eng_json_get_int (settings->config, "offset", 2, MAX_EXTRA_IDS, settings->config_path,
                         &offset, error))
    return FALSE;
  add_piece (source, special[ENG_ROLE_PADDING].content, 0.0);
  add_piece (source, special[ENG_ROLE_EOS].content, 0.0);
  add_piece (source, SENTENCE_MASK, 0.0);
  add_whole_piece (source, SENTENCE_MASK, TRUE);
  add_piece (source, special[ENG_ROLE_MASK].content, 0.0);
  for (int i = 2; i < offset; i++) {
    g_autofree char *text = g_strdup_printf ("<unk_%d>", i);

    add_piece (source, text, UNUSED_SCORE);
    add_whole_piece (source, text, TRUE);
  }
  source->pieces.unknown = (int) source->pieces.scores->len + source->file->unknown - 2;
  add_pieces_from (source, 2);

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

static void
add_precompiled (Source *source)
{
  g_autofree char *text = NULL;
  const guint8 *data;
  gsize length;

  if (!source->file->charsmap)
    return;

  data = g_bytes_get_data (source->file->charsmap, &length);
  text = g_base64_encode (data, length);
  cJSON_AddStringToObject (eng_components_add_step (source->components.normalizers, "Precompiled"),
                           "precompiled_charsmap", text);
}

/* White space goes, and nothing else of a text is rewritten. */
static gboolean
add_plain_components (Source  *source,
                      GError **error)
{
  EngComponents *components = &source->components;
  const char *scheme = source->add_prefix_space ? "always" : "never";

  eng_components_add_step (components->pre_tokenizers, "WhitespaceSplit");
  eng_components_add_metaspace (components->pre_tokenizers, scheme, TRUE);
  eng_components_add_metaspace (components->decoders, scheme, TRUE);

  return TRUE;
}

static gboolean
add_word_components (Source  *source,
                     GError **error)
{
  add_precompiled (source);

  return add_plain_components (source, error);
}

/* Spaces in a row are one; white space that the file's rules leave stays. */
static gboolean
add_space_components (Source  *source,
                      GError **error)
{
  EngComponents *components = &source->components;

  add_precompiled (source);
  eng_components_add_replace (components->normalizers, "Regex", " {2,}", " ");
  eng_components_add_metaspace (components->pre_tokenizers, "always", TRUE);
  eng_components_add_metaspace (components->decoders, "always", TRUE);

  return TRUE;
}

static gboolean
add_albert_components (Source  *source,
                       GError **error)
{
  const EngTokenizerSettings *settings = source->settings;
  EngComponents *components = &source->components;
  gboolean lower_case = TRUE;
  gboolean keep_accents = FALSE;

  if (!eng_json_get_boolean (settings->config, "do_lower_case", settings->config_path, &lower_case,
                             error) ||
      !eng_json_get_boolean (settings->config, "keep_accents", settings->config_path,
                             &keep_accents, error))
    return FALSE;

  eng_components_add_replace (components->normalizers, "String", "``", "\"");
  eng_components_add_replace (components->normalizers, "String", "''", "\"");
  if (!keep_accents) {
    eng_components_add_step (components->normalizers, "NFKD");
    eng_components_add_step (components->normalizers, "StripAccents");
  }
  if (lower_case)
    eng_components_add_step (components->normalizers, "Lowercase");

  return add_space_components (source, error);
}

/* The class leaves out what the file says of characters; spaces in a row are one mark. */
static gboolean
add_big_bird_components (Source  *source,
                         GError **error)
{
  EngComponents *components = &source->components;
  const char *scheme = source->add_prefix_space ? "always" : "never";

  eng_components_add_replace (components->normalizers, "Regex", " {2,}", "\u2581");
  eng_components_add_metaspace (components->pre_tokenizers, scheme, TRUE);
  eng_components_add_metaspace (components->decoders, scheme, TRUE);

  return TRUE;
}

static gboolean
add_deberta_components (Source  *source,
                        GError **error)
{
  const EngTokenizerSettings *settings = source->settings;
  EngComponents *components = &source->components;
  const char *scheme = source->add_prefix_space ? "always" : "first";
  gboolean lower_case = FALSE, splits = FALSE;
  cJSON *step;

  if (!eng_json_get_boolean (settings->config, "do_lower_case", settings->config_path, &lower_case,
                             error) ||
      !eng_json_get_boolean (settings->config, "split_by_punct", settings->config_path, &splits,
                             error))
    return FALSE;

  if (lower_case)
    eng_components_add_step (components->normalizers, "Lowercase");
  eng_components_add_replace (components->normalizers, "Regex", "\\s{2,}|[\\n\\r\\t]", " ");
  eng_components_add_step (components->normalizers, "NFC");
  step = eng_components_add_step (components->normalizers, "Strip");
  cJSON_AddBoolToObject (step, "strip_left", FALSE);
  cJSON_AddBoolToObject (step, "strip_right", TRUE);
  if (splits) {
    step = eng_components_add_step (components->pre_tokenizers, "Punctuation");
    cJSON_AddStringToObject (step, "behavior", "Isolated");
  }
  eng_components_add_metaspace (components->pre_tokenizers, scheme, TRUE);
  eng_components_add_metaspace (components->decoders, scheme, TRUE);

  return TRUE;
}

static gboolean
add_llama_components (Source  *source,
                      GError **error)
{
  const EngTokenizerSettings *settings = source->settings;
  EngComponents *components = &source->components;
  const char *scheme = "never";
  gboolean legacy = FALSE;
  gboolean bos = TRUE;
  gboolean eos = FALSE;

  if (!eng_json_get_boolean (settings->config, "legacy", settings->config_path, &legacy, error) ||
      !eng_json_get_boolean (settings->config, "add_bos_token", settings->config_path, &bos,
                             error) ||
      !eng_json_get_boolean (settings->config, "add_eos_token", settings->config_path, &eos,
                             error))
    return FALSE;
  eng_components_frame (bos, eos, &source->single, &source->pair);
  if (source->add_prefix_space)
    scheme = legacy ? "always" : "first";
  eng_components_add_metaspace (components->pre_tokenizers, scheme, FALSE);
  eng_components_add_llama_decoders (components, source->add_prefix_space);

  return TRUE;
}

static const EngTokenizerFamily family_names[] = {
  { "t5", "T5Tokenizer" },
  { "xlm-roberta", "XLMRobertaTokenizer" },
  { "albert", "AlbertTokenizer" },
  { "llama", "LlamaTokenizer" },
  { "big_bird", "BigBirdTokenizer" },
  { "nllb", "NllbTokenizer" },
  { "mbart", "MBartTokenizer" },
  { "mbart50", "MBart50Tokenizer" },
  { "pegasus", "PegasusTokenizer" },
  { "deberta-v2", "DebertaV2Tokenizer" },
};

#define FAIRSEQ_SPECIAL \
  { ENG_ROLE_UNKNOWN, { "<unk>" } }, { ENG_ROLE_BOS, { "<s>" } }, \
  { ENG_ROLE_PADDING, { "<pad>" } }, { ENG_ROLE_EOS, { "</s>" } }, \
  { ENG_ROLE_CLASS, { "<s>" } }, { ENG_ROLE_SEPARATOR, { "</s>" } }
/* Of a translator the template is another: see translators.h. */
#define TRANSLATOR_TEMPLATES "$A eos_token", "$A $B eos_token"

/* In the same order. */
static const Family families[G_N_ELEMENTS (family_names)] = {
  {
    ENG_SENTENCEPIECE_UNIGRAM,
    { { ENG_ROLE_UNKNOWN, { "<unk>" } }, { ENG_ROLE_EOS, { "</s>" } },
      { ENG_ROLE_PADDING, { "<pad>" } } },
    list_t5_pieces, add_word_components,
    "$A eos_token", "$A eos_token $B eos_token",
  },
  {
    ENG_SENTENCEPIECE_UNIGRAM,
    { FAIRSEQ_SPECIAL, { ENG_ROLE_MASK, { "<mask>" } } },
    list_xlm_roberta_pieces, add_word_components,
    "bos_token $A eos_token", "bos_token $A eos_token eos_token $B eos_token",
  },
  {
    ENG_SENTENCEPIECE_UNIGRAM,
    { { ENG_ROLE_UNKNOWN, { "<unk>" } }, { ENG_ROLE_PADDING, { "<pad>" } },
      { ENG_ROLE_CLASS, { "[CLS]" } }, { ENG_ROLE_SEPARATOR, { "[SEP]" } },
      { ENG_ROLE_MASK, { "[MASK]", .lstrip = TRUE } } },
    list_albert_pieces, add_albert_components,
    "cls_token $A sep_token", "cls_token $A sep_token $B:1 sep_token:1",
  },
  {
    ENG_SENTENCEPIECE_BPE,
    { { ENG_ROLE_UNKNOWN, { "<unk>" } }, { ENG_ROLE_BOS, { "<s>" } },
      { ENG_ROLE_EOS, { "</s>" } } },
    list_plain_pieces, add_llama_components,
    NULL, NULL,
    .byte_fallback = TRUE,
  },
  {
    ENG_SENTENCEPIECE_BPE,
    { FAIRSEQ_SPECIAL, { ENG_ROLE_MASK, { "<mask>", .lstrip = TRUE, .normalized = TRUE } } },
    list_translator_pieces, add_space_components,
    TRANSLATOR_TEMPLATES,
    .translator = ENG_TRANSLATOR_NLLB,
  },
  {
    ENG_SENTENCEPIECE_UNIGRAM,
    { FAIRSEQ_SPECIAL, { ENG_ROLE_MASK, { "<mask>", .lstrip = TRUE } } },
    list_translator_pieces, add_plain_components,
    TRANSLATOR_TEMPLATES,
    .translator = ENG_TRANSLATOR_MBART,
  },
  {
    ENG_SENTENCEPIECE_UNIGRAM,
    { FAIRSEQ_SPECIAL, { ENG_ROLE_MASK, { "<mask>", .lstrip = TRUE } } },
    list_translator_pieces, add_space_components,
    TRANSLATOR_TEMPLATES,
    .translator = ENG_TRANSLATOR_MBART_50,
  },
  {
    ENG_SENTENCEPIECE_UNIGRAM,
    { { ENG_ROLE_UNKNOWN, { "<unk>" } }, { ENG_ROLE_EOS, { "</s>" } },
      { ENG_ROLE_PADDING, { "<pad>" } }, { ENG_ROLE_MASK, { "<mask_2>" } } },
    list_pegasus_pieces, add_space_components,
    "$A eos_token", "$A $B eos_token",
  },
  {
    ENG_SENTENCEPIECE_UNIGRAM,
    { { ENG_ROLE_UNKNOWN, { "<unk>" } }, { ENG_ROLE_BOS, { "<s>" } },
      { ENG_ROLE_EOS, { "</s>" } }, { ENG_ROLE_PADDING, { "<pad>" } },
      { ENG_ROLE_CLASS, { "[CLS]" } }, { ENG_ROLE_SEPARATOR, { "[SEP]" } },
      { ENG_ROLE_MASK, { "[MASK]" } } },
    list_plain_pieces, add_big_bird_components,
    "cls_token $A sep_token", "cls_token $A sep_token $B:1 sep_token:1",
  },
  {
    ENG_SENTENCEPIECE_UNIGRAM,
    { { ENG_ROLE_UNKNOWN, { "[UNK]" } }, { ENG_ROLE_BOS, { "[CLS]" } },
      { ENG_ROLE_EOS, { "[SEP]" } }, { ENG_ROLE_PADDING, { "[PAD]" } },
      { ENG_ROLE_CLASS, { "[CLS]" } }, { ENG_ROLE_SEPARATOR, { "[SEP]" } },
      { ENG_ROLE_MASK, { "[MASK]" } } },
    list_plain_pieces, add_deberta_components,
    "cls_token $A sep_token", "cls_token $A sep_token $B:1 sep_token:1",
  },
};

static gboolean
read_special (Source  *source,
              GError **error)
{
  for (int i = 0; i < MAX_SPECIAL && source->family->special[i].token.content; i++) {
    const Special *special = &source->family->special[i];

    if (!eng_components_add_special (&source->components, special->role, special->token,
                                     source->settings, error))
      return FALSE;
  }

  return TRUE;
}

/* The file has no list of merges: any two pieces that make up a third may be merged, those first
 * that make up a piece of a lower id. */
static gboolean
add_merges (const EngVocabulary  *pieces,
            EngTokenModel        *model,
            const char           *what,
            GError              **error)
{
  for (int id = 0; id < eng_vocabulary_get_n_entries (pieces); id++)
    if (!eng_bpe_add_merges_of (model, eng_vocabulary_get_piece (pieces, id), what, error))
      return FALSE;

  return TRUE;
}

static EngTokenModel *
make_model (Source  *source,
            GError **error)
{
  EngBpeOptions options = { .continuation = "", .word_end = "", .fuse_unknown = TRUE,
                            .byte_fallback = source->family->byte_fallback };
  g_autoptr (EngTokenModel) model = NULL;
  double lowest = DBL_MAX;

  if (source->family->algorithm == ENG_SENTENCEPIECE_UNIGRAM) {
    for (guint i = 0; i < source->pieces.scores->len; i++)
      lowest = MIN (lowest, g_array_index (source->pieces.scores, double, i));
    source->pieces.unknown_score = eng_unigram_get_unknown_score (lowest);
    return eng_unigram_new (NULL, &source->pieces, source->pieces.unknown, FALSE);
  }

  if (!options.byte_fallback)
    options.unknown_token = source->components.special[ENG_ROLE_UNKNOWN].content;
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
  eng_components_init (&self->components);
  self->pieces.pieces = eng_vocabulary_new ();
  self->pieces.scores = g_array_new (FALSE, FALSE, sizeof (double));
}

static void
source_clear (Source *self)
{
  eng_components_clear (&self->components);
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
  g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
               "%s: a %s model, expected %s for this family",
               what, names[file->model], names[family->algorithm]);

  return FALSE;
}

static EngPipeline *
build (const EngSentencepieceFile  *file,
       const char                  *what,
       const EngTokenizerSettings  *settings,
       GError                     **error)
{
  int index = eng_tokenizer_settings_find_family (settings, family_names,
                                                  G_N_ELEMENTS (family_names), what, error);
  const Family *family = index >= 0 ? &families[index] : NULL;
  g_auto (Source) source = { .family = family, .file = file, .settings = settings, .what = what };
  EngTokenModel *model;

  if (!family || !check_algorithm (family, file, what, error))
    return NULL;
  source_init (&source);
  if (!fill_source (&source, error))
    return NULL;
  eng_components_add_listed (&source.components, settings, source.pieces.pieces);
  model = make_model (&source, error);

  return model ? eng_components_build (&source.components, model, source.single, source.pair, what,
                                       error) : NULL;
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
