/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/files/vocab-json.h"

#include "engine/tokenizer/files/components.h"
#include "engine/tokenizer/decoders/continued-decoder.h"
#include "engine/tokenizer/models/symbol-bpe.h"
#include "engine/tokenizer/pretokenizers/moses.h"
#include "engine/tokenizer/pretokenizers/word-patterns.h"

#include <string.h>

#define MAX_BYTES (128 << 20)
/* An object of numbers. */
#define MAX_DEPTH 1

typedef struct {
  EngTokenizerFamily names;
  const char        *special[ENG_N_ROLES]; /* if the settings do not say; NULL = none */
  const char        *single;               /* see eng_components_build() */
  const char        *pair;
  gboolean           has_bos_option;       /* add_bos_token puts one before each text */
  gboolean           trims;                /* spans are without the space before a word */
  const char        *normalizer;           /* NULL = none */
  const char        *words;                /* a regular expression; NULL = ByteLevel's own */
  /* What the last piece of a word ends in; the words are BERT's, in lower case, or Moses's. NULL =
   * pieces of bytes, with spaces in them. */
  const char        *word_end;
  /* The vocabulary marks the pieces behind which a word goes on; words are whatever stands between
   * white space. The first line of the merges is none. */
  gboolean           continues;
  /* Words are cut as Moses does; lines of the merges may end in counts. */
  gboolean           moses;
} Family;

/* What BART and RoBERTa share. */
#define ROBERTA_TOKENS \
  { [ENG_ROLE_BOS] = "<s>", [ENG_ROLE_EOS] = "</s>", [ENG_ROLE_SEPARATOR] = "</s>", \
    [ENG_ROLE_CLASS] = "<s>", [ENG_ROLE_UNKNOWN] = "<unk>", [ENG_ROLE_PADDING] = "<pad>", \
    [ENG_ROLE_MASK] = "<mask>" }
#define ROBERTA_SINGLE "cls_token $A sep_token"
#define ROBERTA_PAIR   "cls_token $A sep_token sep_token $B sep_token"

/* GPT-2's, which models of another type have too. */
#define GPT2_FAMILY(model_type)                                             \
  {                                                                         \
    { model_type, "GPT2Tokenizer" },                                        \
    { [ENG_ROLE_BOS] = "<|endoftext|>", [ENG_ROLE_EOS] = "<|endoftext|>",   \
      [ENG_ROLE_UNKNOWN] = "<|endoftext|>" },                               \
    "$A", "$A $B:1", .has_bos_option = TRUE,                                \
  }

static const Family families[] = {
  GPT2_FAMILY ("gpt2"),
  GPT2_FAMILY ("gpt_neo"),
  GPT2_FAMILY ("gptj"),
  {
    { "gpt_neox", "GPTNeoXTokenizer" },
    { [ENG_ROLE_BOS] = "<|endoftext|>", [ENG_ROLE_EOS] = "<|endoftext|>",
      [ENG_ROLE_UNKNOWN] = "<|endoftext|>", [ENG_ROLE_PADDING] = "<|padding|>" },
    "$A", "$A $B:1", .has_bos_option = TRUE, .normalizer = "NFC",
  },
  {
    { "roberta", "RobertaTokenizer" }, ROBERTA_TOKENS, ROBERTA_SINGLE, ROBERTA_PAIR,
    .trims = TRUE,
  },
  {
    { "bart", "BartTokenizer" }, ROBERTA_TOKENS, ROBERTA_SINGLE, ROBERTA_PAIR, .trims = TRUE,
  },
  {
    { "deberta", "DebertaTokenizer" },
    { [ENG_ROLE_BOS] = "[CLS]", [ENG_ROLE_EOS] = "[SEP]", [ENG_ROLE_SEPARATOR] = "[SEP]",
      [ENG_ROLE_CLASS] = "[CLS]", [ENG_ROLE_UNKNOWN] = "[UNK]", [ENG_ROLE_PADDING] = "[PAD]",
      [ENG_ROLE_MASK] = "[MASK]" },
    "cls_token $A sep_token", "cls_token $A sep_token sep_token $B sep_token",
  },
  {
    { "qwen2", "Qwen2Tokenizer" },
    { [ENG_ROLE_EOS] = "<|endoftext|>", [ENG_ROLE_UNKNOWN] = "<|endoftext|>",
      [ENG_ROLE_PADDING] = "<|endoftext|>" },
    "$A", "$A $B:1", .normalizer = "NFC", .words = ENG_QWEN2_WORDS,
  },
  {
    { "openai-gpt", "OpenAIGPTTokenizer" }, { [ENG_ROLE_UNKNOWN] = "<unk>" },
    "$A", "$A $B:1", .word_end = "</w>",
  },
  {
    { "ctrl", "CTRLTokenizer" }, { [ENG_ROLE_UNKNOWN] = "<unk>" },
    "$A", "$A $B", .continues = TRUE,
  },
  {
    { "xlm", "XLMTokenizer" },
    { [ENG_ROLE_BOS] = "<s>", [ENG_ROLE_UNKNOWN] = "<unk>", [ENG_ROLE_SEPARATOR] = "</s>",
      [ENG_ROLE_PADDING] = "<pad>", [ENG_ROLE_CLASS] = "</s>", [ENG_ROLE_MASK] = "<special1>" },
    "bos_token $A sep_token", "bos_token $A sep_token $B:1 sep_token:1", .word_end = "</w>",
    .moses = TRUE,
  },
};

/* Special in XLM beside those that have a role. */
static const char *const moses_tokens[] = {
  "<special0>", "<special1>", "<special2>", "<special3>", "<special4>", "<special5>", "<special6>",
  "<special7>", "<special8>", "<special9>",
};

static const Family *
find_family (const EngTokenizerSettings  *settings,
             const char                  *what,
             GError                     **error)
{
  EngTokenizerFamily names[G_N_ELEMENTS (families)];
  int i;

  for (i = 0; i < (int) G_N_ELEMENTS (families); i++)
    names[i] = families[i].names;
  i = eng_tokenizer_settings_find_family (settings, names, G_N_ELEMENTS (families), what, error);

  return i >= 0 ? &families[i] : NULL;
}

static EngVocabulary *
parse_vocabulary (EngJsonText   json,
                  const char   *what,
                  GError      **error)
{
  gsize n_blanks = strspn (json.text, " \t\r\n");

  if (!eng_json_check (json.text, json.length, MAX_DEPTH, what, error))
    return NULL;
  json.text += n_blanks;
  json.length -= n_blanks;

  return eng_vocabulary_new_from_json (json, what, error);
}

/* line: without its end. */
static gboolean
add_merge (const Family  *family,
           GArray        *merges,
           EngJsonText    line,
           int            number,
           const char    *what,
           GError       **error)
{
  const char *space = memchr (line.text, ' ', line.length);
  EngMergePair pair = { { line.text, space ? (gsize) (space - line.text) : 0 } };
  const char *count;

  if (space)
    pair.right = (EngJsonText) { space + 1, line.length - pair.left.length - 1 };
  count = family->moses && space ? memchr (pair.right.text, ' ', pair.right.length) : NULL;
  if (count)
    pair.right.length = (gsize) (count - pair.right.text);
  if (pair.left.length == 0 || pair.right.length == 0 ||
      memchr (pair.right.text, ' ', pair.right.length)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
                 "%s: line %d is not a merge, expected two pieces with a space between",
                 what, number);
    return FALSE;
  }
  g_array_append_val (merges, pair);

  return TRUE;
}

/* (transfer full) Of EngMergePair. Pieces may begin with #: only a line with a version is none of
 * them, and a first one that is to be skipped. */
static GArray *
read_merges (const Family  *family,
             EngJsonText    text,
             const char    *what,
             GError       **error)
{
  g_autoptr (GArray) merges = g_array_new (FALSE, FALSE, sizeof (EngMergePair));
  const char *end = text.text + text.length;
  const char *invalid;
  int number = 0;

  if (!g_utf8_validate_len (text.text, text.length, &invalid)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT, "%s: not UTF-8 at byte %" G_GSIZE_FORMAT,
                 what, (gsize) (invalid - text.text));
    return NULL;
  }
  for (const char *line = text.text; line < end;) {
    const char *feed = memchr (line, '\n', (gsize) (end - line));
    const char *line_end = feed ? feed : end;
    gsize n = (gsize) (line_end - line);
    gboolean is_none = g_str_has_prefix (line, "#version") || (family->continues && number == 0);

    number++;
    if (n > 0 && line_end[-1] == '\r')
      n--;
    if (n > 0 && !is_none &&
        !add_merge (family, merges, (EngJsonText) { line, n }, number, what, error))
      return NULL;
    line = feed ? feed + 1 : end;
  }

  return g_steal_pointer (&merges);
}

/* Takes the vocabulary. */
static EngTokenModel *
new_bpe (const Family   *family,
         EngVocabulary  *vocabulary,
         const char     *unknown,
         const GArray   *merges,
         const char     *vocabulary_path,
         const char     *merges_path,
         GError        **error)
{
  EngBpeOptions options = { .continuation = "", .word_end = "" };
  g_autoptr (EngTokenModel) model = NULL;

  /* Every byte has a piece; not so every character. */
  if (family->word_end) {
    options.word_end = family->word_end;
    options.unknown_token = unknown;
  }
  model = eng_bpe_new (vocabulary, &options, vocabulary_path, error);
  for (guint i = 0; model && i < merges->len; i++) {
    const EngMergePair *pair = &g_array_index (merges, EngMergePair, i);

    if (!eng_bpe_add_merge (model, pair->left.text, pair->left.length, pair->right.text,
                            pair->right.length, merges_path, error))
      return NULL;
  }

  return g_steal_pointer (&model);
}

static EngTokenModel *
new_model (const Family                *family,
           EngJsonText                  vocabulary_text,
           EngJsonText                  merges_text,
           const char                  *vocabulary_path,
           const char                  *merges_path,
           const EngTokenizerSettings  *settings,
           GError                     **error)
{
  EngAddedToken unknown = { .content = family->special[ENG_ROLE_UNKNOWN] };
  g_autoptr (EngVocabulary) vocabulary = NULL;
  g_autoptr (GArray) merges = NULL;

  if (!eng_tokenizer_settings_get_special (settings, eng_role_get_key (ENG_ROLE_UNKNOWN), &unknown,
                                           error))
    return NULL;
  vocabulary = parse_vocabulary (vocabulary_text, vocabulary_path, error);
  if (!vocabulary)
    return NULL;
  merges = read_merges (family, merges_text, merges_path, error);
  if (!merges)
    return NULL;

  if (family->continues || family->moses)
    return eng_symbol_bpe_new (g_steal_pointer (&vocabulary),
                               family->moses ? ENG_SYMBOL_MARKS_END : ENG_SYMBOL_MARKS_OTHER,
                               unknown.content, merges, vocabulary_path, error);

  return new_bpe (family, g_steal_pointer (&vocabulary), unknown.content, merges, vocabulary_path,
                  merges_path, error);
}

static gboolean
add_special (const Family                *family,
             EngComponents               *components,
             const EngTokenizerSettings  *settings,
             GError                     **error)
{
  for (int role = 0; role < ENG_N_ROLES; role++) {
    EngAddedToken token = { .content = family->special[role] };

    if (!eng_tokenizer_settings_get_special (settings, eng_role_get_key (role), &token, error))
      return FALSE;
    if (token.content && !eng_components_add_special (components, role, token, settings, error))
      return FALSE;
  }
  for (gsize i = 0; family->moses && i < G_N_ELEMENTS (moses_tokens); i++)
    eng_components_add_token (components, &(EngAddedToken) { .content = moses_tokens[i],
                                                             .special = TRUE });

  return TRUE;
}

static void
add_steps_of_words (const Family  *family,
                    EngComponents *components)
{
  cJSON *step;

  if (!family->moses) {
    step = eng_components_add_step (components->normalizers, "BertNormalizer");
    cJSON_AddBoolToObject (step, "lowercase", TRUE);
    eng_components_add_step (components->pre_tokenizers, "BertPreTokenizer");
  }
  step = eng_components_add_step (components->decoders, "BPEDecoder");
  cJSON_AddStringToObject (step, "suffix", family->word_end);
}

static void
add_steps_of_bytes (const Family  *family,
                    EngComponents *components,
                    gboolean       add_prefix_space)
{
  cJSON *step;

  if (family->normalizer)
    eng_components_add_step (components->normalizers, family->normalizer);
  if (family->words)
    eng_components_add_split (components->pre_tokenizers, family->words, "Isolated");
  step = eng_components_add_step (components->pre_tokenizers, "ByteLevel");
  cJSON_AddBoolToObject (step, "add_prefix_space", add_prefix_space);
  cJSON_AddBoolToObject (step, "use_regex", !family->words);
  eng_components_add_step (components->decoders, "ByteLevel");
}

/* Takes model. */
static EngPipeline *
build (const Family                *family,
       EngTokenModel               *model,
       const EngTokenizerSettings  *settings,
       const char                  *what,
       GError                     **error)
{
  g_auto (EngComponents) components = { 0 };
  g_autoptr (EngTokenModel) owned = model;
  const cJSON *config = settings->config;
  const char *path = settings->config_path;
  gboolean add_prefix_space = FALSE;
  gboolean trim = family->trims;
  gboolean bos = FALSE;
  gboolean lowers = TRUE;
  EngPipeline *pipeline;

  if (!eng_json_get_boolean (config, "add_prefix_space", path, &add_prefix_space, error) ||
      (family->trims && !eng_json_get_boolean (config, "trim_offsets", path, &trim, error)) ||
      (family->has_bos_option &&
       !eng_json_get_boolean (config, "add_bos_token", path, &bos, error)) ||
      (family->moses &&
       !eng_json_get_boolean (config, "do_lowercase_and_remove_accent", path, &lowers, error)))
    return NULL;

  eng_components_init (&components);
  if (!add_special (family, &components, settings, error))
    return NULL;
  eng_components_add_listed (&components, settings, model->vocabulary);
  if (family->word_end)
    add_steps_of_words (family, &components);
  else if (family->continues)
    eng_components_add_split (components.pre_tokenizers, ENG_LINE_WORDS, "Removed");
  else
    add_steps_of_bytes (family, &components, add_prefix_space);
  pipeline = eng_components_build (&components, g_steal_pointer (&owned),
                                   bos ? "bos_token $A" : family->single,
                                   bos ? "bos_token $A bos_token:1 $B:1" : family->pair,
                                   what, error);
  if (pipeline && family->continues)
    g_ptr_array_add (pipeline->decoders, eng_continued_decoder_new ());
  if (pipeline && family->moses)
    g_ptr_array_add (pipeline->pre_tokenizers, eng_moses_new (lowers));
  if (pipeline) {
    pipeline->own_class = family->continues || family->moses;
    pipeline->trim_spans = trim;
    pipeline->trim_keeps_prefix = trim && add_prefix_space;
  }

  return pipeline;
}

static EngPipeline *
parse (EngJsonText                  vocabulary,
       EngJsonText                  merges,
       const char                  *vocabulary_path,
       const char                  *merges_path,
       const EngTokenizerSettings  *settings,
       GError                     **error)
{
  const Family *family = find_family (settings, vocabulary_path, error);
  EngTokenModel *model = NULL;

  if (family)
    model = new_model (family, vocabulary, merges, vocabulary_path, merges_path, settings, error);

  return model ? build (family, model, settings, vocabulary_path, error) : NULL;
}

EngPipeline *
eng_vocab_json_read (const char                  *path,
                     const EngTokenizerSettings  *settings,
                     GError                     **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *merges_path = g_build_filename (folder, "merges.txt", NULL);
  g_autofree char *vocabulary = NULL;
  g_autofree char *merges = NULL;
  gsize vocabulary_length;
  gsize merges_length;

  vocabulary = eng_json_load (path, MAX_BYTES, &vocabulary_length, error);
  if (!vocabulary)
    return NULL;
  merges = eng_json_load (merges_path, MAX_BYTES, &merges_length, error);
  if (!merges)
    return NULL;

  return parse ((EngJsonText) { vocabulary, vocabulary_length },
                (EngJsonText) { merges, merges_length }, path, merges_path, settings, error);
}

EngPipeline *
eng_vocab_json_parse (const char                  *vocabulary,
                      gsize                        vocabulary_length,
                      const char                  *merges,
                      gsize                        merges_length,
                      const EngTokenizerSettings  *settings,
                      GError                     **error)
{
  return parse ((EngJsonText) { vocabulary, vocabulary_length },
                (EngJsonText) { merges, merges_length }, "vocab.json", "merges.txt", settings,
                error);
}
