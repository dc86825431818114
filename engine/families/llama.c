/* SPDX-License-Identifier: MIT */
/* Llama (Touvron et al. 2023; Grattafiori et al. 2024): pre-norm decoder with RMS norms, rotary
 * positions, a gated feed-forward and, from the second on, several query heads to a key head. */
#include "engine/families/llama.h"

#include "engine/families/head-parts.h"

#include "engine/checkpoint/config-spec.h"

#define WORDS "embed_tokens.weight"
#define OUTPUT_WORDS "lm_head"

const EngPart eng_llama_parts[ENG_LLAMA_N_PARTS] = {
  { ENG_PART_TABLE, WORDS, G_STRUCT_OFFSET (EngStackWeights, word),
    ENG_SIZE_VOCABULARY, ENG_SIZE_HIDDEN, .tied_to = { OUTPUT_WORDS ".weight" } },
  { ENG_PART_NORM, "norm", G_STRUCT_OFFSET (EngStackWeights, final_norm),
    ENG_SIZE_HIDDEN, .bias = ENG_BIAS_NONE },
};

static const EngPart layer_parts[] = {
  { ENG_PART_NORM, "input_layernorm", G_STRUCT_OFFSET (EngLayerWeights, self.norm),
    ENG_SIZE_HIDDEN, .bias = ENG_BIAS_NONE },
  { ENG_PART_LINEAR, "self_attn.q_proj", G_STRUCT_OFFSET (EngLayerWeights, self.query),
    ENG_SIZE_HEADS, ENG_SIZE_HIDDEN, ENG_BIAS_OF_ATTENTION },
  { ENG_PART_LINEAR, "self_attn.k_proj", G_STRUCT_OFFSET (EngLayerWeights, self.key),
    ENG_SIZE_KV_HEADS, ENG_SIZE_HIDDEN, ENG_BIAS_OF_ATTENTION },
  { ENG_PART_LINEAR, "self_attn.v_proj", G_STRUCT_OFFSET (EngLayerWeights, self.value),
    ENG_SIZE_KV_HEADS, ENG_SIZE_HIDDEN, ENG_BIAS_OF_ATTENTION },
  { ENG_PART_LINEAR, "self_attn.o_proj", G_STRUCT_OFFSET (EngLayerWeights, self.output),
    ENG_SIZE_HIDDEN, ENG_SIZE_HEADS, ENG_BIAS_OF_ATTENTION },
  { ENG_PART_NORM, "post_attention_layernorm", G_STRUCT_OFFSET (EngLayerWeights, feed_forward_norm),
    ENG_SIZE_HIDDEN, .bias = ENG_BIAS_NONE },
  { ENG_PART_LINEAR, "mlp.gate_proj", G_STRUCT_OFFSET (EngLayerWeights, gate),
    ENG_SIZE_INTERMEDIATE, ENG_SIZE_HIDDEN, ENG_BIAS_OF_FEED_FORWARD },
  { ENG_PART_LINEAR, "mlp.up_proj", G_STRUCT_OFFSET (EngLayerWeights, up),
    ENG_SIZE_INTERMEDIATE, ENG_SIZE_HIDDEN, ENG_BIAS_OF_FEED_FORWARD },
  { ENG_PART_LINEAR, "mlp.down_proj", G_STRUCT_OFFSET (EngLayerWeights, down),
    ENG_SIZE_HIDDEN, ENG_SIZE_INTERMEDIATE, ENG_BIAS_OF_FEED_FORWARD },
};

static const EngPart next_word[] = {
  { ENG_PART_LINEAR, OUTPUT_WORDS, G_STRUCT_OFFSET (EngHeadWeights, output),
    ENG_SIZE_VOCABULARY, ENG_SIZE_HIDDEN, ENG_BIAS_NONE, .tied_to = { WORDS } },
};

static const EngPart text_classifier[] = {
  { ENG_PART_LINEAR, "score", G_STRUCT_OFFSET (EngHeadWeights, output),
    ENG_SIZE_LABELS, ENG_SIZE_HIDDEN, ENG_BIAS_NONE },
};

static const EngPart token_classifier[] = {
  { ENG_PART_LINEAR, "score", G_STRUCT_OFFSET (EngHeadWeights, output),
    ENG_SIZE_LABELS, ENG_SIZE_HIDDEN },
};

/* One tensor name serves two heads; that of texts has no bias. */
static gboolean
classifies_tokens (const EngConfig *config,
                   GHashTable      *names)
{
  return g_hash_table_contains (names, "score.bias");
}

static gboolean
classifies_texts (const EngConfig *config,
                  GHashTable      *names)
{
  return !classifies_tokens (config, names);
}

const EngHeadParts eng_llama_heads[ENG_LLAMA_N_HEADS] = {
  { ENG_TASK_LANGUAGE_MODEL, NULL, eng_family_predicts_words,
    .classes = { "ForCausalLM" }, .input = ENG_HEAD_TOKENS,
    .parts = next_word, .n_parts = G_N_ELEMENTS (next_word) },
  { ENG_TASK_TEXT_CLASSIFICATION, "score.weight", classifies_texts,
    .classes = { "ForSequenceClassification" }, .input = ENG_HEAD_LAST,
    .parts = text_classifier, .n_parts = G_N_ELEMENTS (text_classifier) },
  { ENG_TASK_ENTITIES, "score.weight", classifies_tokens,
    .classes = { "ForTokenClassification" }, .input = ENG_HEAD_TOKENS,
    .parts = token_classifier, .n_parts = G_N_ELEMENTS (token_classifier) },
  { ENG_TASK_QUESTION_ANSWERING, "qa_outputs.weight",
    .classes = { "ForQuestionAnswering" }, .input = ENG_HEAD_TOKENS,
    .parts = &eng_answer_part, .n_parts = 1 },
};

gboolean
eng_llama_read_rotary (const cJSON  *json,
                       const char   *what,
                       EngConfig    *config,
                       GError      **error)
{
  EngSpec *spec = &config->spec;

  spec->rotary.size = spec->stacks[ENG_KIND_DECODER].head_size;

  return eng_config_read_rotary (json, what, spec->n_positions, &spec->rotary, error);
}

static gboolean
read_config (const cJSON  *json,
             const char   *what,
             EngConfig    *config,
             GError      **error)
{
  return eng_json_get_boolean (json, "attention_bias", what, &config->spec.attention_bias, error) &&
         eng_json_get_boolean (json, "mlp_bias", what, &config->spec.feed_forward_bias, error) &&
         eng_llama_read_rotary (json, what, config, error);
}

const EngFamily eng_family_llama = {
  .model_type = "llama",
  .class_prefix = "Llama",
  .tensor_prefix = "model.",
  .other_prefix = "transformer.",
  .signature = NULL, /* others have the same names */

  .defaults = {
    .stacks[ENG_KIND_DECODER] = {
      .n_layers = 32,
      .n_heads = 32,
      .intermediate_size = 11008,
      .vocab_size = 32000,
      .causal = TRUE,
    },
    .hidden_size = 4096,
    .positions = ENG_POSITIONS_NONE,
    .n_positions = 2048,
    .rotary.base = 10000,
    .norm_kind = ENG_NORM_RMS,
    .attention_norm = ENG_NORM_PRE,
    .feed_forward_norm = ENG_NORM_PRE,
    .norm_eps = 1e-6f,
    .final_norm = TRUE,
    .activation = ENG_ACTIVATION_SILU,
    .gated = TRUE,
    .pad_id = -1,
    .end_id = 2,
    .decoder_start_id = -1,
  },
  .read = read_config,

  .stacks[ENG_KIND_DECODER] = {
    "layers.",
    eng_llama_parts, ENG_LLAMA_N_PARTS,
    layer_parts, G_N_ELEMENTS (layer_parts),
  },
  .heads = eng_llama_heads,
  .n_heads = ENG_LLAMA_N_HEADS,
};
