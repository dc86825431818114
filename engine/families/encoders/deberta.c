/* SPDX-License-Identifier: MIT */
/* DeBERTa (He et al. 2020): BERT's layers whose scores have terms of their own for positions. Files
 * have queries, keys and values of each head together, keys without a bias. The enhanced mask
 * decoder of the paper is in no published class: the head of words reads the last layer. */
#include "engine/families/encoders/deberta-parts.h"

#define IN_PROJ(member, which, ...)                                                         \
  ENG_LINEAR (Layer, "attention.self.in_proj", self.member, HEADS, HIDDEN, .n_slices = 3,   \
              .slices = { ENG_SIZE_HEADS, ENG_SIZE_HEADS, ENG_SIZE_HEADS }, .slice = which, \
              .by_head = TRUE, __VA_ARGS__)

static const EngPart parts[] = { ENG_DEBERTA_STACK_PARTS };

static const EngPart layer_parts[] = {
  IN_PROJ (query, 0, .bias_name = "attention.self.q_bias"),
  IN_PROJ (key, 1, .bias = ENG_BIAS_NONE),
  IN_PROJ (value, 2, .bias_name = "attention.self.v_bias"),
  ENG_LINEAR (Layer, "attention.self.pos_proj", self.position_key, HEADS, HIDDEN, ENG_BIAS_NONE,
              .applies = eng_deberta_makes_positions_keys),
  ENG_LINEAR (Layer, "attention.self.pos_q_proj", self.position_query, HEADS, HIDDEN,
              .applies = eng_deberta_makes_positions_queries),
  ENG_DEBERTA_LAYER_PARTS,
};

static gboolean
read_config (const cJSON  *json,
             const char   *what,
             EngConfig    *config,
             GError      **error)
{
  EngRelativePositions *positions =
    &config->spec.stacks[ENG_KIND_ENCODER].relative_positions;
  int n_listed;

  if (!eng_deberta_read_config (json, what, config, &n_listed, error))
    return FALSE;
  /* Terms of other names count as well. */
  eng_deberta_set_scale (&config->spec, n_listed);
  if (positions->span == 0 || !(positions->content_position || positions->position_content))
    *positions = (EngRelativePositions) { 0 };

  return TRUE;
}

const EngFamily eng_family_deberta = {
  .model_type = "deberta",
  .title = "DeBERTa",
  .year = 2020,
  .checkpoints = "microsoft/deberta-base",
  .class_prefix = "Deberta",
  .signature = "encoder.layer.0.attention.self.in_proj.weight",

  .defaults = ENG_DEBERTA_DEFAULTS (768, 12, 50265, 12, 3072),
  .read = read_config,
  ENG_DEBERTA_FAMILY (parts, layer_parts),
};
