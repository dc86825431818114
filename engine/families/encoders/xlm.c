/* SPDX-License-Identifier: MIT */
/* XLM (Lample and Conneau 2019): a post-norm encoder or, trained to predict the next word, decoder;
 * padding has no states. The vectors of languages that files may hold are added where a language is
 * said. */
#include "engine/families/config-spec.h"
#include "engine/families/head-parts.h"

#include <string.h>

#define WORDS "embeddings.weight"
#define OUTPUT_WORDS "pred_layer.proj"
#define MAX_LANGUAGES 1024

static gboolean
has_languages (const EngSpec      *spec,
               const EngLayerSpec *layer)
{
  return spec->embedding.n_languages > 0;
}

static const EngPart parts[] = {
  ENG_TABLE (WORDS, word, VOCABULARY, HIDDEN, .tied_to = { OUTPUT_WORDS ".weight" }),
  ENG_TABLE ("position_embeddings.weight", position, POSITIONS, HIDDEN),
  ENG_TABLE ("lang_embeddings.weight", language, LANGUAGES, HIDDEN, .applies = has_languages),
  ENG_NORM (Stack, "layer_norm_emb", embedding_norm),
};

static const EngPart layer_parts[] = {
  ENG_LINEAR (Layer, "attentions.*.q_lin", self.query, HIDDEN, HIDDEN),
  ENG_LINEAR (Layer, "attentions.*.k_lin", self.key, HIDDEN, HIDDEN),
  ENG_LINEAR (Layer, "attentions.*.v_lin", self.value, HIDDEN, HIDDEN),
  ENG_LINEAR (Layer, "attentions.*.out_lin", self.output, HIDDEN, HIDDEN),
  ENG_NORM (Layer, "layer_norm1.*", self.norm),
  ENG_LINEAR (Layer, "ffns.*.lin1", up, INTERMEDIATE, HIDDEN),
  ENG_LINEAR (Layer, "ffns.*.lin2", down, HIDDEN, INTERMEDIATE),
  ENG_NORM (Layer, "layer_norm2.*", feed_forward_norm),
};

static const EngPart words[] = {
  ENG_LINEAR (Head, OUTPUT_WORDS, output, VOCABULARY, HIDDEN, .tied_to = { WORDS }),
};

static const EngPart summary[] = {
  ENG_LINEAR (Head, "sequence_summary.summary", output, LABELS, HIDDEN),
};

static gboolean
refuse (const char  *what,
        const char  *key,
        const char  *expected,
        GError     **error)
{
  g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED, "%s: %s is not supported, expected %s",
               what, key, expected);
  return FALSE;
}

/* What would make another model of it. */
static gboolean
check_kind (const cJSON  *json,
            const char   *what,
            GError      **error)
{
  gboolean adaptive = FALSE, is_encoder = TRUE;

  if (!eng_json_get_boolean (json, "asm", what, &adaptive, error) ||
      !eng_json_get_boolean (json, "is_encoder", what, &is_encoder, error))
    return FALSE;
  if (adaptive)
    return refuse (what, "asm (an adaptive softmax)", "false", error);

  return is_encoder || refuse (what, "is_encoder false", "true", error);
}

/* A classifier of texts reads the first token and gives its scores as they are. */
static gboolean
check_summary (const cJSON  *json,
               const char   *what,
               GError      **error)
{
  const char *type = "first", *activation = NULL;
  gboolean projects = TRUE, to_labels = TRUE;

  if (!eng_json_get_string (json, "summary_type", what, &type, error) ||
      !eng_json_get_string (json, "summary_activation", what, &activation, error) ||
      !eng_json_get_boolean (json, "summary_use_proj", what, &projects, error) ||
      !eng_json_get_boolean (json, "summary_proj_to_labels", what, &to_labels, error))
    return FALSE;
  if (strcmp (type, "first") != 0)
    return refuse (what, "summary_type", "\"first\"", error);
  if (activation && *activation)
    return refuse (what, "summary_activation", "none", error);

  return (projects && to_labels) ||
         refuse (what, "a summary that is not projected to labels", "summary_use_proj and "
                 "summary_proj_to_labels true", error);
}

/* transformers writes with a mask token behind the text. */
static void
read_forwards (EngSpec *spec)
{
  EngStackSpec *encoder = &spec->stacks[ENG_KIND_ENCODER];
  EngStackSpec *decoder = &spec->stacks[ENG_KIND_DECODER];

  *decoder = *encoder;
  decoder->sorts[0].self.causal = TRUE;
  spec->asks_behind = TRUE;
  *encoder = (EngStackSpec) { 0 };
}

/* Older files have ids under names of their own. */
static gboolean
read_ids (const cJSON  *json,
          const char   *what,
          EngSpec      *spec,
          GError      **error)
{
  return eng_config_read_id (json, "mask_token_id", what, &spec->asked_id, error) &&
         (eng_json_find (json, "pad_token_id") ||
          eng_config_read_id (json, "pad_index", what, &spec->pad_id, error)) &&
         (eng_json_find (json, "eos_token_id") ||
          eng_config_read_id (json, "eos_index", what, &spec->end_id, error));
}

/* "lang2id" names the rows; one that has no name there is called by its number. */
static gboolean
name_languages (const cJSON  *json,
                const char   *what,
                int           n,
                EngConfig    *config,
                GError      **error)
{
  const cJSON *item;

  config->languages = g_new0 (char *, n + 1);
  for (int i = 0; i < n; i++)
    config->languages[i] = g_strdup_printf ("%d", i);
  cJSON_ArrayForEach (item, eng_json_find (json, "lang2id")) {
    if (!cJSON_IsNumber (item) || !(item->valuedouble >= 0 && item->valuedouble < n)) {
      g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                   "%s: lang2id gives %s no number below %d, that of the languages", what,
                   item->string ? item->string : "a language", n);
      return FALSE;
    }
    g_free (config->languages[item->valueint]);
    config->languages[item->valueint] = g_strdup (item->string ? item->string : "");
  }

  return TRUE;
}

static gboolean
read_languages (const cJSON  *json,
                const char   *what,
                EngConfig    *config,
                GError      **error)
{
  EngEmbeddingSpec *embedding = &config->spec.embedding;
  gint64 n = 1, written = 0;
  gboolean used = TRUE;

  if (!eng_json_get_int (json, "n_langs", 1, MAX_LANGUAGES, what, &n, error) ||
      !eng_json_get_boolean (json, "use_lang_emb", what, &used, error))
    return FALSE;
  if (n == 1 || !used)
    return TRUE;
  if (!eng_json_get_int (json, "lang_id", 0, n - 1, what, &written, error))
    return FALSE;
  embedding->n_languages = (int) n;
  embedding->written_language = (int) written;

  return name_languages (json, what, (int) n, config, error);
}

static gboolean
read_config (const cJSON  *json,
             const char   *what,
             EngConfig    *config,
             GError      **error)
{
  EngSpec *spec = &config->spec;
  EngStackSpec *stack = &spec->stacks[eng_spec_get_first_kind (spec)];
  EngFeedForwardSpec *feed_forward = &stack->sorts[0].feed_forward;
  gboolean gelu = TRUE, causal = FALSE;

  if (!check_kind (json, what, error) || !read_ids (json, what, spec, error) ||
      !read_languages (json, what, config, error) ||
      !eng_json_get_boolean (json, "gelu_activation", what, &gelu, error) ||
      !eng_json_get_boolean (json, "causal", what, &causal, error) ||
      (eng_config_is_class (config, "ForSequenceClassification") &&
       !check_summary (json, what, error)))
    return FALSE;
  feed_forward->activation = gelu ? ENG_ACTIVATION_GELU : ENG_ACTIVATION_RELU;
  feed_forward->intermediate_size = 4 * spec->hidden_size;
  if (causal && spec->stacks[ENG_KIND_DECODER].n_layers == 0)
    read_forwards (spec);

  return TRUE;
}

#define WORDS_HEAD(task, which)                                                             \
  { task, OUTPUT_WORDS ".bias", .reading = ENG_READING_##which,                             \
    .classes = { "WithLMHeadModel" }, .input = ENG_HEAD_TOKENS,                             \
    .parts = words, .n_parts = G_N_ELEMENTS (words) }

static const EngHeadParts heads[] = {
  WORDS_HEAD (ENG_TASK_FILL_MASK, BOTH_WAYS),
  WORDS_HEAD (ENG_TASK_LANGUAGE_MODEL, FORWARDS),
  { ENG_TASK_TEXT_CLASSIFICATION, "sequence_summary.summary.weight",
    .classes = { "ForSequenceClassification" }, .input = ENG_HEAD_FIRST,
    .parts = summary, .n_parts = G_N_ELEMENTS (summary) },
  ENG_ENTITIES_HEAD (.applies = eng_head_classifies_tokens),
  { ENG_TASK_QUESTION_ANSWERING, "qa_outputs.weight",
    .classes = { "ForQuestionAnsweringSimple" }, .input = ENG_HEAD_TOKENS,
    .parts = &eng_answer_part, .n_parts = 1 },
};

const EngFamily eng_family_xlm = {
  .model_type = "xlm",
  .title = "XLM",
  .year = 2019,
  .checkpoints = "xlm-mlm-en-2048",
  .class_prefix = "XLM",
  .tensor_prefix = "transformer.",
  .signature = "attentions.0.q_lin.weight",

  .defaults = {
    .hidden_size = 2048,
    .embedding = {
      .positions = ENG_POSITIONS_TABLE,
      .n_positions = 512,
      .has_norm = TRUE,
      .hides_padding = TRUE,
    },
    .stacks[ENG_KIND_ENCODER] = {
      .n_layers = 12,
      .vocab_size = 30145,
      .sorts[0] = ENG_POST_NORM_LAYER (16, 8192),
      .hides_padding = TRUE,
    },
    .norm = { ENG_NORM_LAYER, 1e-12f },
    .pad_id = 2,
    .end_id = 1,
    .decoder_start_id = -1,
  },
  .tied = TRUE,
  .never_decodes = TRUE,
  .read = read_config,

  .stacks[ENG_KIND_ENCODER] = {
    "",
    parts, G_N_ELEMENTS (parts),
    layer_parts, G_N_ELEMENTS (layer_parts),
  },
  .heads = heads,
  .n_heads = G_N_ELEMENTS (heads),
};
