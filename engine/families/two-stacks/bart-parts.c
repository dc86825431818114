/* SPDX-License-Identifier: MIT */
#include "engine/families/two-stacks/bart-parts.h"

#include "engine/base/json.h"

#include <math.h>

#define ATTENTION_PARTS(name, member, ...) \
  ENG_LINEAR (Layer, name ".q_proj", member.query, HEADS, HIDDEN, __VA_ARGS__), \
  ENG_LINEAR (Layer, name ".k_proj", member.key, HEADS, HIDDEN, __VA_ARGS__), \
  ENG_LINEAR (Layer, name ".v_proj", member.value, HEADS, HIDDEN, __VA_ARGS__), \
  ENG_LINEAR (Layer, name ".out_proj", member.output, HIDDEN, HEADS, __VA_ARGS__), \
  ENG_NORM (Layer, name "_layer_norm", member.norm, __VA_ARGS__)

#define FEED_FORWARD_PARTS \
  ENG_LINEAR (Layer, "fc1", up, INTERMEDIATE, HIDDEN), \
  ENG_LINEAR (Layer, "fc2", down, HIDDEN, INTERMEDIATE), \
  ENG_NORM (Layer, "final_layer_norm", feed_forward_norm)

static gboolean
crosses (const EngSpec      *spec,
         const EngLayerSpec *layer)
{
  return layer->cross.n_heads > 0;
}

const EngPart eng_bart_encoder_layer_parts[] = {
  ATTENTION_PARTS ("self_attn", self),
  FEED_FORWARD_PARTS,
};

const EngPart eng_bart_decoder_layer_parts[] = {
  ATTENTION_PARTS ("self_attn", self),
  ATTENTION_PARTS ("encoder_attn", cross, .applies = crosses),
  FEED_FORWARD_PARTS,
};

G_STATIC_ASSERT (G_N_ELEMENTS (eng_bart_encoder_layer_parts) == ENG_BART_N_ENCODER_LAYER_PARTS);
G_STATIC_ASSERT (G_N_ELEMENTS (eng_bart_decoder_layer_parts) == ENG_BART_N_DECODER_LAYER_PARTS);

const EngPart eng_bart_language_model[1] = {
  ENG_SHARED_OUTPUT_PART (ENG_LOGITS_BIAS),
};

const EngHeadParts eng_bart_heads[ENG_BART_N_HEADS] = {
  ENG_END_CLASSIFIER_HEAD,
  ENG_ANSWER_HEAD,
  ENG_WRITING_HEAD (eng_bart_language_model),
};

/* A decoder alone has cross-attention, too, which has nothing to read and is passed over. */
static void
drop_encoder (EngSpec *spec)
{
  EngStackSpec *decoder = &spec->stacks[ENG_KIND_DECODER];

  spec->stacks[ENG_KIND_ENCODER] = (EngStackSpec) { 0 };
  for (int sort = 0; sort < ENG_MAX_LAYER_SORTS; sort++)
    decoder->sorts[sort].cross = (EngAttentionSpec) { 0 };
}

gboolean
eng_bart_read_common (const cJSON  *json,
                      const char   *what,
                      EngConfig    *config,
                      GError      **error)
{
  gboolean scaled = config->spec.embedding.scale != 0, two_stacks = TRUE, is_decoder = FALSE;

  if (!eng_json_get_boolean (json, "scale_embedding", what, &scaled, error) ||
      !eng_json_get_boolean (json, "is_encoder_decoder", what, &two_stacks, error) ||
      !eng_json_get_boolean (json, "is_decoder", what, &is_decoder, error))
    return FALSE;
  if (eng_config_is_class (config, "ForCausalLM") || (!two_stacks && is_decoder)) {
    drop_encoder (&config->spec);
  } else if (!two_stacks) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
                 "%s: is_encoder_decoder is false, expected a model with both stacks, or a decoder "
                 "alone with is_decoder", what);
    return FALSE;
  }
  config->spec.embedding.scale = scaled ? sqrt (config->spec.hidden_size) : 0;

  return TRUE;
}

gboolean
eng_bart_read_learned (const cJSON  *json,
                       const char   *what,
                       EngConfig    *config,
                       GError      **error)
{
  config->spec.embedding.n_positions += ENG_BART_POSITION_OFFSET;

  return eng_bart_read_common (json, what, config, error);
}
