/* SPDX-License-Identifier: MIT */
/* ALBERT (Lan et al. 2019): BERT's layers under other names, of which groups share their weights,
 * behind an embedding of a width of its own. A layer is one application of attention: each of a
 * group's inner ones is one. */
#include "engine/families/encoders/bert.h"
#include "engine/families/head-parts.h"

#define OUTPUT_WORDS "predictions.decoder"

static const EngPart parts[] = {
  ENG_BERT_EMBEDDING (OUTPUT_WORDS ".weight"),
  ENG_LINEAR (Stack, "encoder.embedding_hidden_mapping_in", projection, HIDDEN, EMBEDDING),
};

static const EngPart layer_parts[] = {
  ENG_LINEAR (Layer, "attention.query", self.query, HIDDEN, HIDDEN),
  ENG_LINEAR (Layer, "attention.key", self.key, HIDDEN, HIDDEN),
  ENG_LINEAR (Layer, "attention.value", self.value, HIDDEN, HIDDEN),
  ENG_LINEAR (Layer, "attention.dense", self.output, HIDDEN, HIDDEN),
  ENG_NORM (Layer, "attention.LayerNorm", self.norm),
  ENG_LINEAR (Layer, "ffn", up, INTERMEDIATE, HIDDEN),
  ENG_LINEAR (Layer, "ffn_output", down, HIDDEN, INTERMEDIATE),
  ENG_NORM (Layer, "full_layer_layer_norm", feed_forward_norm),
};

static const EngPart pooler = {
  ENG_PART_LINEAR, "pooler", G_STRUCT_OFFSET (EngWeights, pooler), ENG_SIZE_HIDDEN, ENG_SIZE_HIDDEN
};

static const EngPart words[] = {
  ENG_LINEAR (Head, "predictions.dense", transform, EMBEDDING, HIDDEN),
  ENG_NORM_OF (Head, "predictions.LayerNorm", norm, EMBEDDING),
  ENG_LINEAR (Head, OUTPUT_WORDS, output, VOCABULARY, EMBEDDING, .tied_to = { ENG_BERT_WORDS },
              .bias_name = "predictions.bias"),
};

static const EngPart sentence_order[] = {
  ENG_LINEAR (Head, "sop_classifier.classifier", output, TWO, HIDDEN),
};

/* The config counts passes through groups. */
static gboolean
read_config (const cJSON  *json,
             const char   *what,
             EngConfig    *config,
             GError      **error)
{
  EngStackSpec *stack = &config->spec.stacks[ENG_KIND_ENCODER];
  gint64 n_groups = 1, n_inner = 1;

  if (!eng_json_get_int (json, "num_hidden_groups", 1, ENG_MAX_LAYERS, what, &n_groups, error) ||
      !eng_json_get_int (json, "inner_group_num", 1, ENG_MAX_LAYERS / stack->n_layers, what,
                         &n_inner, error))
    return FALSE;
  stack->n_layers *= (int) n_inner;
  stack->sharing = (EngSharing) { .n_groups = (int) n_groups, .n_inner = (int) n_inner };

  return TRUE;
}

static const EngHeadParts heads[] = {
  { ENG_TASK_FILL_MASK, "predictions.dense.weight",
    .classes = { "ForMaskedLM", "ForPreTraining" }, .input = ENG_HEAD_TOKENS,
    .has_transform = TRUE, .has_norm = TRUE, .activation = ENG_ACTIVATION_OF_CONFIG,
    .parts = words, .n_parts = G_N_ELEMENTS (words) },
  { ENG_TASK_SENTENCE_ORDER, "sop_classifier.classifier.weight",
    .classes = { "ForPreTraining" }, .input = ENG_HEAD_POOLED,
    .parts = sentence_order, .n_parts = G_N_ELEMENTS (sentence_order) },
  ENG_POOLED_CLASSIFIER_HEAD,
  ENG_ENTITIES_HEAD (.applies = eng_head_classifies_unpooled),
  ENG_ANSWER_HEAD,
};

const EngFamily eng_family_albert = {
  .model_type = "albert",
  .title = "ALBERT",
  .year = 2019,
  .checkpoints = "albert-base-v2",
  .class_prefix = "Albert",
  .tensor_prefix = "albert.",
  .signature = "encoder.albert_layer_groups.0.albert_layers.0.attention.query.weight",

  .defaults = {
    .hidden_size = 4096,
    .embedding = {
      .size = 128,
      .positions = ENG_POSITIONS_TABLE,
      .n_positions = 512,
      .n_types = 2,
      .has_norm = TRUE,
    },
    .stacks[ENG_KIND_ENCODER] = {
      .n_layers = 12,
      .vocab_size = 30000,
      .sorts[0] = {
        .self.n_heads = 64,
        .feed_forward = { 16384, ENG_ACTIVATION_GELU_TANH },
        .attention_norm = ENG_NORM_POST,
        .feed_forward_norm = ENG_NORM_POST,
      },
    },
    .norm = { ENG_NORM_LAYER, 1e-12f },
    .end_id = 3,
    .decoder_start_id = -1,
  },
  .tied = TRUE,
  .never_decodes = TRUE,
  .read = read_config,

  .stacks[ENG_KIND_ENCODER] = {
    "encoder.albert_layer_groups.",
    parts, G_N_ELEMENTS (parts),
    layer_parts, G_N_ELEMENTS (layer_parts),
    "albert_layers.",
  },
  .pooler = &pooler,
  .heads = heads,
  .n_heads = G_N_ELEMENTS (heads),
};
