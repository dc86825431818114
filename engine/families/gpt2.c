/* SPDX-License-Identifier: MIT */
/* GPT-2 (Radford et al. 2019): pre-norm decoder, learned positions; matrices are stored [in, out],
 * query, key and value in one. */
#include "engine/families/family.h"
#include "engine/families/head-parts.h"

#define WORDS "wte.weight"
#define OUTPUT_WORDS "lm_head"

static const EngPart parts[] = {
  { ENG_PART_TABLE, WORDS, G_STRUCT_OFFSET (EngStackWeights, word),
    ENG_SIZE_VOCABULARY, ENG_SIZE_HIDDEN, .tied_to = { OUTPUT_WORDS ".weight" } },
  { ENG_PART_TABLE, "wpe.weight", G_STRUCT_OFFSET (EngStackWeights, position),
    ENG_SIZE_POSITIONS, ENG_SIZE_HIDDEN },
  { ENG_PART_NORM, "ln_f", G_STRUCT_OFFSET (EngStackWeights, final_norm),
    ENG_SIZE_HIDDEN },
};

static const EngPart layer_parts[] = {
  { ENG_PART_NORM, "ln_1", G_STRUCT_OFFSET (EngLayerWeights, self.norm),
    ENG_SIZE_HIDDEN },
  { ENG_PART_LINEAR, "attn.c_attn", G_STRUCT_OFFSET (EngLayerWeights, self.query),
    ENG_SIZE_HIDDEN, ENG_SIZE_HIDDEN, .transposed = TRUE, .n_slices = 3, .slice = 0 },
  { ENG_PART_LINEAR, "attn.c_attn", G_STRUCT_OFFSET (EngLayerWeights, self.key),
    ENG_SIZE_HIDDEN, ENG_SIZE_HIDDEN, .transposed = TRUE, .n_slices = 3, .slice = 1 },
  { ENG_PART_LINEAR, "attn.c_attn", G_STRUCT_OFFSET (EngLayerWeights, self.value),
    ENG_SIZE_HIDDEN, ENG_SIZE_HIDDEN, .transposed = TRUE, .n_slices = 3, .slice = 2 },
  { ENG_PART_LINEAR, "attn.c_proj", G_STRUCT_OFFSET (EngLayerWeights, self.output),
    ENG_SIZE_HIDDEN, ENG_SIZE_HIDDEN, .transposed = TRUE },
  { ENG_PART_NORM, "ln_2", G_STRUCT_OFFSET (EngLayerWeights, feed_forward_norm),
    ENG_SIZE_HIDDEN },
  { ENG_PART_LINEAR, "mlp.c_fc", G_STRUCT_OFFSET (EngLayerWeights, up),
    ENG_SIZE_INTERMEDIATE, ENG_SIZE_HIDDEN, .transposed = TRUE },
  { ENG_PART_LINEAR, "mlp.c_proj", G_STRUCT_OFFSET (EngLayerWeights, down),
    ENG_SIZE_HIDDEN, ENG_SIZE_INTERMEDIATE, .transposed = TRUE },
};

static const EngPart next_word[] = {
  { ENG_PART_LINEAR, OUTPUT_WORDS, G_STRUCT_OFFSET (EngHeadWeights, output),
    ENG_SIZE_VOCABULARY, ENG_SIZE_HIDDEN, ENG_BIAS_NONE, .tied_to = { WORDS } },
};

static const EngPart text_classifier[] = {
  { ENG_PART_LINEAR, "score", G_STRUCT_OFFSET (EngHeadWeights, output),
    ENG_SIZE_LABELS, ENG_SIZE_HIDDEN, ENG_BIAS_NONE },
};

static gboolean
read_config (const cJSON  *json,
             const char   *what,
             EngConfig    *config,
             GError      **error)
{
  EngStackSpec *stack = &config->spec.stacks[ENG_KIND_DECODER];
  gboolean scaled = TRUE;

  if (!eng_json_get_boolean (json, "scale_attn_weights", what, &scaled, error) ||
      !eng_json_get_boolean (json, "scale_attn_by_inverse_layer_idx", what,
                             &stack->scale_by_layer, error))
    return FALSE;
  if (!scaled)
    stack->scale = 1;

  return TRUE;
}

static const EngHeadParts heads[] = {
  { ENG_TASK_LANGUAGE_MODEL, NULL, eng_family_predicts_words,
    .classes = { "LMHeadModel", "DoubleHeadsModel" }, .input = ENG_HEAD_TOKENS,
    .parts = next_word, .n_parts = G_N_ELEMENTS (next_word) },
  { ENG_TASK_TEXT_CLASSIFICATION, "score.weight",
    .classes = { "ForSequenceClassification" }, .input = ENG_HEAD_LAST,
    .parts = text_classifier, .n_parts = G_N_ELEMENTS (text_classifier) },
  { ENG_TASK_ENTITIES, "classifier.weight",
    .classes = { "ForTokenClassification" }, .input = ENG_HEAD_TOKENS,
    .parts = &eng_classifier_part, .n_parts = 1 },
  { ENG_TASK_QUESTION_ANSWERING, "qa_outputs.weight",
    .classes = { "ForQuestionAnswering" }, .input = ENG_HEAD_TOKENS,
    .parts = &eng_answer_part, .n_parts = 1 },
};

const EngFamily eng_family_gpt2 = {
  .model_type = "gpt2",
  .class_prefix = "GPT2",
  .tensor_prefix = "transformer.",
  .signature = NULL, /* the first GPT has the same names */

  .defaults = {
    .stacks[ENG_KIND_DECODER] = {
      .n_layers = 12,
      .n_heads = 12,
      .vocab_size = 50257,
      .causal = TRUE,
    },
    .hidden_size = 768,
    .positions = ENG_POSITIONS_TABLE,
    .n_positions = 1024,
    .norm_kind = ENG_NORM_LAYER,
    .attention_norm = ENG_NORM_PRE,
    .feed_forward_norm = ENG_NORM_PRE,
    .norm_eps = 1e-5f,
    .final_norm = TRUE,
    .activation = ENG_ACTIVATION_GELU_TANH,
    .pad_id = -1,
    .end_id = 50256,
    .decoder_start_id = -1,
  },
  .tied = TRUE,
  .read = read_config,

  .stacks[ENG_KIND_DECODER] = {
    "h.",
    parts, G_N_ELEMENTS (parts),
    layer_parts, G_N_ELEMENTS (layer_parts),
  },
  .heads = heads,
  .n_heads = G_N_ELEMENTS (heads),
};
