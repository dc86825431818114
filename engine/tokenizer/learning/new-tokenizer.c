/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/learning/new-tokenizer.h"

#include <string.h>

#include "engine/base/file-writer.h"
#include "engine/base/json.h"
#include "engine/tokenizer/files/tokenizer-json.h"
#include "engine/tokenizer/learning/merge-learner.h"
#include "engine/tokenizer/models/bpe.h"
#include "engine/tokenizer/pretokenizers/byte-level.h"

#define MAX_DEPTH 64
#define N_BYTES 256
/* Characters of WordPiece at most, and that share of its entries: words with others are unknown. */
#define MAX_CHARACTERS 1000
#define CHARACTERS_SHARE 4
#define MAX_WORD_CHARACTERS 100

/* All of tokenizer.json but its model and the lower case of BERT's words, and of
 * tokenizer_config.json but the length. Special tokens have the first ids, in their order. */
typedef struct {
  const char *special[6];
  const char *continuation;
  gboolean    of_bytes;
  const char *steps;
  const char *roles;
} Kind;

#define PART(id, type) "{\"Sequence\": {\"id\": \"" id "\", \"type_id\": " type "}}"
#define TOKEN(token, type) "{\"SpecialToken\": {\"id\": \"" token "\", \"type_id\": " type "}}"
#define KNOWN(token, id) \
  "\"" token "\": {\"id\": \"" token "\", \"ids\": [" id "], \"tokens\": [\"" token "\"]}"
#define TEMPLATE(single, pair, tokens)                                                            \
  "{\"type\": \"TemplateProcessing\", \"single\": [" single "], \"pair\": [" pair "],"            \
  " \"special_tokens\": {" tokens "}}"
#define BYTES                                                                                     \
  "{\"type\": \"ByteLevel\", \"add_prefix_space\": false, \"trim_offsets\": true,"                \
  " \"use_regex\": true}"
#define BYTE_STEPS(template)                                                                      \
  "{\"normalizer\": {\"type\": \"NFC\"}, \"pre_tokenizer\": " BYTES ","                           \
  " \"post_processor\": {\"type\": \"Sequence\", \"processors\": [" BYTES ", " template "]},"     \
  " \"decoder\": " BYTES "}"

static const Kind kinds[] = {
  [ENG_NEW_TOKENIZER_MASKED] = {
    { "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", NULL }, "##", FALSE,
    "{\"normalizer\": {\"type\": \"BertNormalizer\", \"clean_text\": true,"
    " \"handle_chinese_chars\": true, \"strip_accents\": null, \"lowercase\": false},"
    " \"pre_tokenizer\": {\"type\": \"BertPreTokenizer\"},"
    " \"post_processor\": "
    TEMPLATE (TOKEN ("[CLS]", "0") ", " PART ("A", "0") ", " TOKEN ("[SEP]", "0"),
              TOKEN ("[CLS]", "0") ", " PART ("A", "0") ", " TOKEN ("[SEP]", "0") ", "
              PART ("B", "1") ", " TOKEN ("[SEP]", "1"),
              KNOWN ("[CLS]", "2") ", " KNOWN ("[SEP]", "3"))
    ", \"decoder\": {\"type\": \"WordPiece\", \"prefix\": \"##\", \"cleanup\": true}}",
    "{\"pad_token\": \"[PAD]\", \"unk_token\": \"[UNK]\", \"cls_token\": \"[CLS]\","
    " \"sep_token\": \"[SEP]\", \"mask_token\": \"[MASK]\"}",
  },
  [ENG_NEW_TOKENIZER_NEXT_WORD] = {
    { "<|endoftext|>", NULL }, "", TRUE,
    BYTE_STEPS (TEMPLATE (TOKEN ("<|endoftext|>", "0") ", " PART ("A", "0"),
                          TOKEN ("<|endoftext|>", "0") ", " PART ("A", "0") ", " PART ("B", "0"),
                          KNOWN ("<|endoftext|>", "0"))),
    "{\"bos_token\": \"<|endoftext|>\", \"eos_token\": \"<|endoftext|>\"}",
  },
  [ENG_NEW_TOKENIZER_TRANSLATE] = {
    { "<pad>", "</s>", NULL }, "", TRUE,
    BYTE_STEPS (TEMPLATE (PART ("A", "0") ", " TOKEN ("</s>", "0"),
                          PART ("A", "0") ", " PART ("B", "0") ", " TOKEN ("</s>", "0"),
                          KNOWN ("</s>", "1"))),
    "{\"pad_token\": \"<pad>\", \"eos_token\": \"</s>\"}",
  },
};

struct _EngNewTokenizer {
  EngNewTokenizerPlan  plan;
  const Kind          *kind;
  cJSON               *json;     /* tokenizer.json as far as it is known */
  EngPipeline         *pipeline; /* of its steps, with a model that is of no use */
  EngMergeLearner     *learner;
};

static void
add_special_tokens (const Kind *kind,
                    cJSON      *json)
{
  static const char *const flags[] = { "single_word", "lstrip", "rstrip", "normalized" };
  cJSON *tokens = cJSON_AddArrayToObject (json, "added_tokens");

  for (int i = 0; kind->special[i]; i++) {
    cJSON *token = cJSON_CreateObject ();

    cJSON_AddNumberToObject (token, "id", i);
    cJSON_AddStringToObject (token, "content", kind->special[i]);
    for (guint flag = 0; flag < G_N_ELEMENTS (flags); flag++)
      cJSON_AddBoolToObject (token, flags[flag], FALSE);
    cJSON_AddBoolToObject (token, "special", TRUE);
    cJSON_AddItemToArray (tokens, token);
  }
}

/* Of a model that tells no texts of a pair apart. */
static void
clear_types (cJSON *template)
{
  cJSON *step, *part;

  cJSON_ArrayForEach (step, cJSON_GetObjectItemCaseSensitive (template, "pair"))
    cJSON_ArrayForEach (part, step)
      cJSON_SetNumberValue (cJSON_GetObjectItemCaseSensitive (part, "type_id"), 0);
}

/* The file's parts in the order in which the library writes them. */
static cJSON *
begin_file (const Kind                *kind,
            const EngNewTokenizerPlan *plan)
{
  static const char *const steps[] = { "normalizer", "pre_tokenizer", "post_processor", "decoder" };
  g_autoptr (cJSON) parts = cJSON_Parse (kind->steps);
  cJSON *json = cJSON_CreateObject ();

  cJSON_AddStringToObject (json, "version", "1.0");
  cJSON_AddNullToObject (json, "truncation");
  cJSON_AddNullToObject (json, "padding");
  add_special_tokens (kind, json);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    cJSON_AddItemToObject (json, steps[i],
                           cJSON_DetachItemFromObjectCaseSensitive (parts, steps[i]));
  if (!plan->types)
    clear_types (cJSON_GetObjectItemCaseSensitive (json, "post_processor"));
  if (plan->lower_case)
    cJSON_ReplaceItemInObjectCaseSensitive (cJSON_GetObjectItemCaseSensitive (json, "normalizer"),
                                            "lowercase", cJSON_CreateTrue ());

  return json;
}

/* That knows the special tokens alone: of its pipeline only the steps before it are used. */
static EngTokenModel *
make_model (const Kind *kind)
{
  g_autoptr (EngVocabulary) vocabulary = eng_vocabulary_new ();
  EngBpeOptions options = { .continuation = "", .word_end = "" };

  for (int i = 0; kind->special[i]; i++)
    eng_vocabulary_add (vocabulary, kind->special[i], strlen (kind->special[i]), i);
  eng_vocabulary_seal (vocabulary, "vocabulary", NULL);

  return eng_bpe_new (g_steal_pointer (&vocabulary), &options, "vocabulary", NULL);
}

static void
add_bytes (EngMergeLearner *learner)
{
  gunichar characters[N_BYTES];
  int n = 0;

  /* In the order of the characters that they stand as. */
  for (gunichar c = 0; n < N_BYTES; c++)
    if (eng_byte_level_get_byte (c) >= 0)
      characters[n++] = c;
  for (int i = 0; i < N_BYTES; i++) {
    char spelt[7] = "";

    g_unichar_to_utf8 (characters[i], spelt);
    eng_merge_learner_add_piece (learner, spelt);
  }
}

EngNewTokenizer *
eng_new_tokenizer_new (const EngNewTokenizerPlan *plan)
{
  EngNewTokenizer *self = g_new0 (EngNewTokenizer, 1);

  self->plan = *plan;
  self->kind = &kinds[plan->kind];
  self->json = begin_file (self->kind, &self->plan);
  self->pipeline = eng_tokenizer_json_build (self->json, make_model (self->kind), "tokenizer.json",
                                             NULL);
  self->learner = eng_merge_learner_new (self->kind->continuation);
  for (int i = 0; self->kind->special[i]; i++)
    eng_merge_learner_add_piece (self->learner, self->kind->special[i]);
  if (self->kind->of_bytes)
    add_bytes (self->learner);

  return self;
}

void
eng_new_tokenizer_free (EngNewTokenizer *self)
{
  cJSON_Delete (self->json);
  eng_pipeline_free (self->pipeline);
  eng_merge_learner_free (self->learner);
  g_free (self);
}

static void
add_word (EngNewTokenizer         *self,
          const EngNormalizedChar *chars,
          int                      n)
{
  g_autoptr (GString) word = g_string_new (NULL);

  if (n == 0 || (!self->kind->of_bytes && n > MAX_WORD_CHARACTERS))
    return;
  for (int i = 0; i < n; i++)
    g_string_append_unichar (word, chars[i].c);
  eng_merge_learner_add_word (self->learner, word->str);
}

gboolean
eng_new_tokenizer_add (EngNewTokenizer  *self,
                       const char       *text,
                       GError          **error)
{
  g_autoptr (GArray) words = g_array_new (FALSE, FALSE, sizeof (EngWord));
  g_auto (EngNormalized) normalized = { 0 };
  EngWord whole = { 0 };

  eng_normalized_append_text (&normalized, text);
  if (!eng_normalizers_apply (self->pipeline->normalizers, &normalized, error))
    return FALSE;
  whole.end = normalized.n;
  g_array_append_val (words, whole);
  for (guint i = 0; i < self->pipeline->pre_tokenizers->len; i++) {
    const EngPretokenizer *step = self->pipeline->pre_tokenizers->pdata[i];

    if (!step->cut (step, &normalized, words, error))
      return FALSE;
  }
  for (guint i = 0; i < words->len; i++) {
    EngWord word = g_array_index (words, EngWord, i);

    add_word (self, normalized.chars + word.first, word.end - word.first);
  }

  return TRUE;
}

static cJSON *
make_vocabulary (const EngMergeLearner *learner)
{
  cJSON *vocabulary = cJSON_CreateObject ();

  for (int i = 0; i < eng_merge_learner_get_n (learner); i++)
    cJSON_AddNumberToObject (vocabulary, eng_merge_learner_get_piece (learner, i), i);

  return vocabulary;
}

static cJSON *
make_merges (const EngMergeLearner *learner)
{
  const GArray *merges = eng_merge_learner_get_merges (learner);
  cJSON *list = cJSON_CreateArray ();

  for (guint i = 0; i < merges->len; i++) {
    EngLearntMerge merge = g_array_index (merges, EngLearntMerge, i);
    const char *const pair[] = { eng_merge_learner_get_piece (learner, merge.left),
                                 eng_merge_learner_get_piece (learner, merge.right) };

    cJSON_AddItemToArray (list, cJSON_CreateStringArray (pair, G_N_ELEMENTS (pair)));
  }

  return list;
}

static void
add_model (EngNewTokenizer *self)
{
  static const char *const absent[] = {
    "dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix",
  };
  static const char *const off[] = { "fuse_unk", "byte_fallback", "ignore_merges" };
  cJSON *model = cJSON_AddObjectToObject (self->json, "model");

  cJSON_AddStringToObject (model, "type", self->kind->of_bytes ? "BPE" : "WordPiece");
  if (self->kind->of_bytes) {
    for (guint i = 0; i < G_N_ELEMENTS (absent); i++)
      cJSON_AddNullToObject (model, absent[i]);
    for (guint i = 0; i < G_N_ELEMENTS (off); i++)
      cJSON_AddBoolToObject (model, off[i], FALSE);
  } else {
    cJSON_AddStringToObject (model, "unk_token", "[UNK]");
    cJSON_AddStringToObject (model, "continuing_subword_prefix", self->kind->continuation);
    cJSON_AddNumberToObject (model, "max_input_chars_per_word", MAX_WORD_CHARACTERS);
  }
  cJSON_AddItemToObject (model, "vocab", make_vocabulary (self->learner));
  if (self->kind->of_bytes)
    cJSON_AddItemToObject (model, "merges", make_merges (self->learner));
}

static gboolean
write_json (const cJSON  *json,
            const char   *folder,
            const char   *name,
            GError      **error)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  char *text = cJSON_Print (json);
  gboolean written = eng_file_write (path, text, strlen (text), error);

  cJSON_free (text);

  return written;
}

/* With which text of a pair a token is of, which the class tells a model only if asked. */
static cJSON *
make_input_names (void)
{
  static const char *const names[] = { "input_ids", "token_type_ids", "attention_mask" };

  return cJSON_CreateStringArray (names, G_N_ELEMENTS (names));
}

static gboolean
write_config (const EngNewTokenizer  *self,
              const char             *folder,
              GError                **error)
{
  g_autoptr (cJSON) config = cJSON_Parse (self->kind->roles);

  /* The class that takes tokenizer.json as it is. */
  cJSON_AddStringToObject (config, "tokenizer_class", "PreTrainedTokenizerFast");
  cJSON_AddNumberToObject (config, "model_max_length", self->plan.max_length);
  cJSON_AddBoolToObject (config, "clean_up_tokenization_spaces", FALSE);
  if (self->plan.types)
    cJSON_AddItemToObject (config, "model_input_names", make_input_names ());

  return write_json (config, folder, "tokenizer_config.json", error);
}

gboolean
eng_new_tokenizer_write (EngNewTokenizer  *self,
                         const char       *folder,
                         const gint       *cancel,
                         int              *n_entries,
                         GError          **error)
{
  int n_first = eng_merge_learner_get_n (self->learner);
  int n_characters = MIN (MAX_CHARACTERS, self->plan.n_entries / CHARACTERS_SHARE);

  if (self->plan.n_entries < n_first) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                 "a vocabulary of %d entries is asked for, expected at least %d, which it begins "
                 "with", self->plan.n_entries, n_first);
    return FALSE;
  }
  if (!eng_merge_learner_run (self->learner, self->plan.n_entries,
                              self->kind->of_bytes ? 0 : n_characters, cancel)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_CANCELLED, "the vocabulary was not learnt to its end");
    return FALSE;
  }
  add_model (self);
  *n_entries = eng_merge_learner_get_n (self->learner);

  return write_json (self->json, folder, "tokenizer.json", error) &&
         write_config (self, folder, error);
}
