/* SPDX-License-Identifier: MIT */
/* BigBird (Zaheer et al. 2020): BERT's tensors; in a long text a token reads its block, the blocks
 * beside it, the first and the last. Of the blocks that are drawn in training the first one stands
 * for all where nothing is trained. */
#include "engine/families/config-spec.h"
#include "engine/families/encoders/bert.h"
#include "engine/families/head-parts.h"

#include <math.h>
#include <string.h>

#define MAX_BLOCK_SIZE (1 << 16)
/* Readings of a key are counted in a byte. */
#define MAX_RANDOM_BLOCKS 254

static const EngPart layer_parts[] = {
  ENG_BERT_LAYER_PARTS (ENG_BIAS_OF_ATTENTION),
};

static const EngPart pooler = {
  ENG_PART_LINEAR, "pooler", G_STRUCT_OFFSET (EngWeights, pooler), ENG_SIZE_HIDDEN, ENG_SIZE_HIDDEN
};

static const EngPart answers[] = {
  ENG_LINEAR (Head, "qa_classifier.intermediate.dense", transform, INTERMEDIATE, HIDDEN),
  ENG_LINEAR (Head, "qa_classifier.output.dense", reduce, HIDDEN, INTERMEDIATE),
  ENG_NORM (Head, "qa_classifier.output.LayerNorm", norm),
  ENG_LINEAR (Head, "qa_classifier.qa_outputs", output, TWO, HIDDEN),
};

static gboolean
read_blocks (const cJSON  *json,
             const char   *what,
             EngSpec      *spec,
             GError      **error)
{
  EngBlocks *blocks = &spec->stacks[eng_spec_get_first_kind (spec)].sorts[0].self.blocks;
  const char *type = "block_sparse";
  gint64 size = 64, n_random = 3;

  if (!eng_json_get_string (json, "attention_type", what, &type, error) ||
      !eng_json_get_int (json, "block_size", 1, MAX_BLOCK_SIZE, what, &size, error) ||
      !eng_json_get_int (json, "num_random_blocks", 0, MAX_RANDOM_BLOCKS, what, &n_random, error))
    return FALSE;
  if (strcmp (type, "original_full") == 0)
    return TRUE;
  if (strcmp (type, "block_sparse") != 0 || spec->stacks[ENG_KIND_DECODER].n_layers > 0) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
                 "%s: attention_type is \"%s\", expected \"original_full\" or, of an encoder, "
                 "\"block_sparse\"", what, type);
    return FALSE;
  }
  *blocks = (EngBlocks) { .size = (int) size, .n_random = (int) n_random };

  return TRUE;
}

static gboolean
read_config (const cJSON  *json,
             const char   *what,
             EngConfig    *config,
             GError      **error)
{
  EngSpec *spec = &config->spec;
  EngAttentionSpec *heads = &spec->stacks[eng_spec_get_first_kind (spec)].sorts[0].self;
  gboolean scales = FALSE;

  heads->has_bias = TRUE;
  if (!eng_json_get_boolean (json, "use_bias", what, &heads->has_bias, error) ||
      !eng_json_get_boolean (json, "rescale_embeddings", what, &scales, error) ||
      !read_blocks (json, what, spec, error))
    return FALSE;
  spec->embedding.scale = scales ? sqrt (spec->hidden_size) : 0;
  spec->embedding.types_pairs = eng_config_is_class (config, "ForQuestionAnswering");

  return TRUE;
}

static const EngHeadParts heads[] = {
  ENG_BERT_WORDS_HEAD (ENG_TASK_FILL_MASK, BOTH_WAYS),
  ENG_BERT_WORDS_HEAD (ENG_TASK_LANGUAGE_MODEL, FORWARDS),
  ENG_BERT_NEXT_SENTENCE_HEAD,
  ENG_FIRST_CLASSIFIER_HEAD (ENG_ACTIVATION_OF_CONFIG),
  ENG_ENTITIES_HEAD (.applies = eng_head_classifies_tokens),
  { ENG_TASK_QUESTION_ANSWERING, "qa_classifier.qa_outputs.weight",
    .classes = { "ForQuestionAnswering" }, .input = ENG_HEAD_TOKENS, .has_transform = TRUE,
    .has_norm = TRUE, .activation = ENG_ACTIVATION_OF_CONFIG,
    .parts = answers, .n_parts = G_N_ELEMENTS (answers) },
};

const EngFamily eng_family_big_bird = {
  .model_type = "big_bird",
  .title = "BigBird",
  .year = 2020,
  .checkpoints = "google/bigbird-roberta-base",
  .class_prefix = "BigBird",
  .tensor_prefix = "bert.",
  .signature = NULL, /* BERT has the same names */

  .defaults = {
    .hidden_size = 768,
    .embedding = {
      .positions = ENG_POSITIONS_TABLE,
      .n_positions = 4096,
      .n_types = 2,
      .has_norm = TRUE,
    },
    .stacks[ENG_KIND_ENCODER] = {
      .n_layers = 12,
      .vocab_size = 50358,
      .sorts[0] = {
        .self.n_heads = 12,
        .feed_forward = {
          .intermediate_size = 3072,
          .activation = ENG_ACTIVATION_GELU_TANH,
        },
        .attention_norm = ENG_NORM_POST,
        .feed_forward_norm = ENG_NORM_POST,
      },
    },
    .norm = { ENG_NORM_LAYER, 1e-12f },
    .end_id = 2,
    .decoder_start_id = -1,
  },
  .tied = TRUE,
  .read = read_config,

  .stacks[ENG_KIND_ENCODER] = {
    "encoder.layer.",
    eng_bert_parts, ENG_BERT_N_PARTS,
    layer_parts, G_N_ELEMENTS (layer_parts),
  },
  .pooler = &pooler,
  .heads = heads,
  .n_heads = G_N_ELEMENTS (heads),
};
