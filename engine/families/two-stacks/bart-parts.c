/* SPDX-License-Identifier: MIT */
#include "engine/families/two-stacks/bart-parts.h"

#include "engine/base/json.h"

#include <math.h>

#define ATTENTION_PARTS(name, member) \
  ENG_LINEAR (Layer, name ".q_proj", member.query, HEADS, HIDDEN), \
  ENG_LINEAR (Layer, name ".k_proj", member.key, HEADS, HIDDEN), \
  ENG_LINEAR (Layer, name ".v_proj", member.value, HEADS, HIDDEN), \
  ENG_LINEAR (Layer, name ".out_proj", member.output, HIDDEN, HEADS), \
  ENG_NORM (Layer, name "_layer_norm", member.norm)

#define FEED_FORWARD_PARTS \
  ENG_LINEAR (Layer, "fc1", up, INTERMEDIATE, HIDDEN), \
  ENG_LINEAR (Layer, "fc2", down, HIDDEN, INTERMEDIATE), \
  ENG_NORM (Layer, "final_layer_norm", feed_forward_norm)

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
  gboolean scaled = config->spec.embedding.scale != 0, two_stacks = TRUE;

  if (!eng_json_get_boolean (json, "scale_embedding", what, &scaled, error) ||
      !eng_json_get_boolean (json, "is_encoder_decoder", what, &two_stacks, error))
    return FALSE;
  if (!two_stacks) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
                 "%s: is_encoder_decoder is false, expected a model with both stacks", what);
    return FALSE;
  }
  config->spec.embedding.scale = scaled ? sqrt (config->spec.hidden_size) : 0;

  return TRUE;
}
