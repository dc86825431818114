/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/files/sentencepiece-tokenizer.h"

#include "engine/tokenizer/files/sentencepiece-pieces.h"
#include "engine/tokenizer/models/bpe.h"

#include <float.h>
#include <string.h>

typedef EngSentencepieceFamily Family;
typedef EngSentencepieceSource Source;

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
  gboolean bos = FALSE;
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

enum {
  FAMILY_T5,
  FAMILY_XLM_ROBERTA,
  FAMILY_ALBERT,
  FAMILY_LLAMA,
  FAMILY_BIG_BIRD,
  FAMILY_NLLB,
  FAMILY_MBART,
  FAMILY_MBART_50,
  FAMILY_PEGASUS,
  FAMILY_DEBERTA_V2,
  N_FAMILIES
};

static const EngTokenizerFamily family_names[N_FAMILIES] = {
  [FAMILY_T5] = { "t5", "T5Tokenizer" },
  [FAMILY_XLM_ROBERTA] = { "xlm-roberta", "XLMRobertaTokenizer" },
  [FAMILY_ALBERT] = { "albert", "AlbertTokenizer" },
  [FAMILY_LLAMA] = { "llama", "LlamaTokenizer" },
  [FAMILY_BIG_BIRD] = { "big_bird", "BigBirdTokenizer" },
  [FAMILY_NLLB] = { "nllb", "NllbTokenizer" },
  [FAMILY_MBART] = { "mbart", "MBartTokenizer" },
  [FAMILY_MBART_50] = { "mbart50", "MBart50Tokenizer" },
  [FAMILY_PEGASUS] = { "pegasus", "PegasusTokenizer" },
  [FAMILY_DEBERTA_V2] = { "deberta-v2", "DebertaV2Tokenizer" },
};

#define FAIRSEQ_SPECIAL \
  { ENG_ROLE_UNKNOWN, { "<unk>" } }, { ENG_ROLE_BOS, { "<s>" } }, \
  { ENG_ROLE_PADDING, { "<pad>" } }, { ENG_ROLE_EOS, { "</s>" } }, \
  { ENG_ROLE_CLASS, { "<s>" } }, { ENG_ROLE_SEPARATOR, { "</s>" } }
/* Of a translator the template is another: see translators.h. */
#define TRANSLATOR_TEMPLATES "$A eos_token", "$A $B eos_token"

static const Family families[N_FAMILIES] = {
  [FAMILY_T5] = {
    ENG_SENTENCEPIECE_UNIGRAM,
    { { ENG_ROLE_UNKNOWN, { "<unk>" } }, { ENG_ROLE_EOS, { "</s>" } },
      { ENG_ROLE_PADDING, { "<pad>" } } },
    eng_sentencepiece_list_t5, add_word_components,
    "$A eos_token", "$A eos_token $B eos_token",
  },
  [FAMILY_XLM_ROBERTA] = {
    ENG_SENTENCEPIECE_UNIGRAM,
    { FAIRSEQ_SPECIAL, { ENG_ROLE_MASK, { "<mask>" } } },
    eng_sentencepiece_list_xlm_roberta, add_word_components,
    "bos_token $A eos_token", "bos_token $A eos_token eos_token $B eos_token",
  },
  [FAMILY_ALBERT] = {
    ENG_SENTENCEPIECE_UNIGRAM,
    { { ENG_ROLE_UNKNOWN, { "<unk>" } }, { ENG_ROLE_PADDING, { "<pad>" } },
      { ENG_ROLE_CLASS, { "[CLS]" } }, { ENG_ROLE_SEPARATOR, { "[SEP]" } },
      { ENG_ROLE_MASK, { "[MASK]", .lstrip = TRUE } } },
    eng_sentencepiece_list_albert, add_albert_components,
    "cls_token $A sep_token", "cls_token $A sep_token $B:1 sep_token:1",
  },
  [FAMILY_LLAMA] = {
    ENG_SENTENCEPIECE_BPE,
    { { ENG_ROLE_UNKNOWN, { "<unk>" } }, { ENG_ROLE_BOS, { "<s>" } },
      { ENG_ROLE_EOS, { "</s>" } } },
    eng_sentencepiece_list_plain, add_llama_components,
    NULL, NULL,
    .byte_fallback = TRUE,
  },
  [FAMILY_NLLB] = {
    ENG_SENTENCEPIECE_BPE,
    { FAIRSEQ_SPECIAL, { ENG_ROLE_MASK, { "<mask>", .lstrip = TRUE, .normalized = TRUE } } },
    eng_sentencepiece_list_translator, add_space_components,
    TRANSLATOR_TEMPLATES,
    .translator = ENG_TRANSLATOR_NLLB,
  },
  [FAMILY_MBART] = {
    ENG_SENTENCEPIECE_UNIGRAM,
    { FAIRSEQ_SPECIAL, { ENG_ROLE_MASK, { "<mask>", .lstrip = TRUE } } },
    eng_sentencepiece_list_translator, add_plain_components,
    TRANSLATOR_TEMPLATES,
    .translator = ENG_TRANSLATOR_MBART,
  },
  [FAMILY_MBART_50] = {
    ENG_SENTENCEPIECE_UNIGRAM,
    { FAIRSEQ_SPECIAL, { ENG_ROLE_MASK, { "<mask>", .lstrip = TRUE } } },
    eng_sentencepiece_list_translator, add_space_components,
    TRANSLATOR_TEMPLATES,
    .translator = ENG_TRANSLATOR_MBART_50,
  },
  [FAMILY_PEGASUS] = {
    ENG_SENTENCEPIECE_UNIGRAM,
    { { ENG_ROLE_UNKNOWN, { "<unk>" } }, { ENG_ROLE_EOS, { "</s>" } },
      { ENG_ROLE_PADDING, { "<pad>" } }, { ENG_ROLE_MASK, { "<mask_2>" } } },
    eng_sentencepiece_list_pegasus, add_space_components,
    "$A eos_token", "$A $B eos_token",
  },
  [FAMILY_BIG_BIRD] = {
    ENG_SENTENCEPIECE_UNIGRAM,
    { { ENG_ROLE_UNKNOWN, { "<unk>" } }, { ENG_ROLE_BOS, { "<s>" } },
      { ENG_ROLE_EOS, { "</s>" } }, { ENG_ROLE_PADDING, { "<pad>" } },
      { ENG_ROLE_CLASS, { "[CLS]" } }, { ENG_ROLE_SEPARATOR, { "[SEP]" } },
      { ENG_ROLE_MASK, { "[MASK]" } } },
    eng_sentencepiece_list_plain, add_big_bird_components,
    "cls_token $A sep_token", "cls_token $A sep_token $B:1 sep_token:1",
  },
  [FAMILY_DEBERTA_V2] = {
    ENG_SENTENCEPIECE_UNIGRAM,
    { { ENG_ROLE_UNKNOWN, { "[UNK]" } }, { ENG_ROLE_BOS, { "[CLS]" } },
      { ENG_ROLE_EOS, { "[SEP]" } }, { ENG_ROLE_PADDING, { "[PAD]" } },
      { ENG_ROLE_CLASS, { "[CLS]" } }, { ENG_ROLE_SEPARATOR, { "[SEP]" } },
      { ENG_ROLE_MASK, { "[MASK]" } } },
    eng_sentencepiece_list_plain, add_deberta_components,
    "cls_token $A sep_token", "cls_token $A sep_token $B:1 sep_token:1",
  },
};

static gboolean
read_special (Source  *source,
              GError **error)
{
  for (int i = 0; i < ENG_SENTENCEPIECE_MAX_SPECIAL; i++) {
    const EngSentencepieceSpecial *special = &source->family->special[i];

    if (!special->token.content)
      break;
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
                                                  N_FAMILIES, what, error);
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
