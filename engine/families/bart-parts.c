/* SPDX-License-Identifier: MIT */
#include "engine/families/bart-parts.h"

#include "engine/json.h"

#include <math.h>

#define LINEAR(name, member, rows, cols) \
  { ENG_PART_LINEAR, name, G_STRUCT_OFFSET (EngLayerWeights, member), rows, cols }
#define NORM(name, member) \
  { ENG_PART_NORM, name, G_STRUCT_OFFSET (EngLayerWeights, member), ENG_SIZE_HIDDEN }

#define ATTENTION_PARTS(name, member) \
  LINEAR (name ".q_proj", member.query, ENG_SIZE_HEADS, ENG_SIZE_HIDDEN), \
  LINEAR (name ".k_proj", member.key, ENG_SIZE_HEADS, ENG_SIZE_HIDDEN), \
  LINEAR (name ".v_proj", member.value, ENG_SIZE_HEADS, ENG_SIZE_HIDDEN), \
  LINEAR (name ".out_proj", member.output, ENG_SIZE_HIDDEN, ENG_SIZE_HEADS), \
  NORM (name "_layer_norm", member.norm)

#define FEED_FORWARD_PARTS \
  LINEAR ("fc1", up, ENG_SIZE_INTERMEDIATE, ENG_SIZE_HIDDEN), \
  LINEAR ("fc2", down, ENG_SIZE_HIDDEN, ENG_SIZE_INTERMEDIATE), \
  NORM ("final_layer_norm", feed_forward_norm)

const EngPart eng_bart_encoder_layer_parts[] = {
  ATTENTION_PARTS ("self_attn", self),
  FEED_FORWARD_PARTS,
};

const EngPart eng_bart_decoder_layer_parts[] = {
  ATTENTION_PARTS ("self_attn", self),
  ATTENTION_PARTS ("encoder_attn", cross),
  FEED_FORWARD_PARTS,
};

G_STATIC_ASSERT (G_N_ELEMENTS (eng_bart_encoder_layer_parts) == ENG_BART_N_ENCODER_LAYER_PARTS);
G_STATIC_ASSERT (G_N_ELEMENTS (eng_bart_decoder_layer_parts) == ENG_BART_N_DECODER_LAYER_PARTS);

gboolean
eng_bart_read_common (const cJSON  *json,
                      const char   *what,
                      EngConfig    *config,
                      GError      **error)
{
  gboolean scaled = FALSE, two_stacks = TRUE;

  if (!eng_json_get_boolean (json, "scale_embedding", what, &scaled, error) ||
      !eng_json_get_boolean (json, "is_encoder_decoder", what, &two_stacks, error))
    return FALSE;
  if (!two_stacks) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
                 "%s: is_encoder_decoder is false, expected a model with both stacks", what);
    return FALSE;
  }
  if (scaled)
    config->spec.embedding_scale = sqrt (config->spec.hidden_size);

  return TRUE;
}
