/* SPDX-License-Identifier: MIT */
/* DeBERTa's second version and its third (He et al. 2021): far distances share a row of the table,
 * positions may share the projections of the content, and the largest models convolve beside the
 * first layer. */
#include "engine/families/encoders/deberta-parts.h"
#include "engine/families/config-spec.h"

#define MAX_ROWS (1 << 16)

static gboolean
norms_table (const EngSpec      *spec,
             const EngLayerSpec *layer)
{
  return spec->stacks[ENG_KIND_ENCODER].relative_positions.has_norm;
}

static gboolean
convolves (const EngSpec      *spec,
           const EngLayerSpec *layer)
{
  return spec->stacks[ENG_KIND_ENCODER].convolution.kernel_size > 0;
}

static const EngPart parts[] = {
  ENG_DEBERTA_STACK_PARTS,
  ENG_NORM (Stack, "encoder.LayerNorm", relative_norm, .applies = norms_table),
  { ENG_PART_CONVOLUTION, "encoder.conv.conv", G_STRUCT_OFFSET (EngStackWeights, convolution),
    ENG_SIZE_HIDDEN, ENG_SIZE_GROUP, .applies = convolves },
  ENG_NORM (Stack, "encoder.conv.LayerNorm", convolution_norm, .applies = convolves),
};

static const EngPart layer_parts[] = {
  ENG_LINEAR (Layer, "attention.self.query_proj", self.query, HEADS, HIDDEN),
  ENG_LINEAR (Layer, "attention.self.key_proj", self.key, HEADS, HIDDEN),
  ENG_LINEAR (Layer, "attention.self.value_proj", self.value, HEADS, HIDDEN),
  ENG_LINEAR (Layer, "attention.self.pos_key_proj", self.position_key, HEADS, HIDDEN,
              .applies = eng_deberta_makes_positions_keys),
  ENG_LINEAR (Layer, "attention.self.pos_query_proj", self.position_query, HEADS, HIDDEN,
              .applies = eng_deberta_makes_positions_queries),
  ENG_DEBERTA_LAYER_PARTS,
};

/* Rows that far distances share. */
static gboolean
read_rows (const cJSON           *json,
           const char            *what,
           EngRelativePositions  *positions,
           GError               **error)
{
  const char *norms = "none";
  gint64 n_rows = -1;

  if (!eng_json_get_int (json, "position_buckets", -1, MAX_ROWS, what, &n_rows, error) ||
      !eng_json_get_string (json, "norm_rel_ebd", what, &norms, error) ||
      !eng_json_get_boolean (json, "share_att_key", what, &positions->shares_projections, error))
    return FALSE;
  positions->has_norm = eng_deberta_lists (norms, "layer_norm");
  if (n_rows < 1)
    return TRUE;

  if (n_rows < 2 || positions->span - 1 <= n_rows / 2) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                 "%s: position_buckets is %" G_GINT64_FORMAT " and max_relative_positions %d, "
                 "expected at least 2 and positions beyond half of them", what, n_rows,
                 positions->span);
    return FALSE;
  }
  positions->max_distance = positions->span;
  positions->span = (int) n_rows;

  return TRUE;
}

static gboolean
read_convolution (const cJSON     *json,
                  const char      *what,
                  int              hidden_size,
                  EngConvolution  *convolution,
                  GError         **error)
{
  const char *activation = "tanh";
  gint64 kernel_size = 0, n_groups = 1;

  if (!eng_json_get_int (json, "conv_kernel_size", 0, 1 << 10, what, &kernel_size, error) ||
      !eng_json_get_int (json, "conv_groups", 1, 1 << 16, what, &n_groups, error) ||
      !eng_json_get_string (json, "conv_act", what, &activation, error))
    return FALSE;
  if (kernel_size == 0)
    return TRUE;

  if (kernel_size % 2 == 0) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                 "%s: conv_kernel_size is %" G_GINT64_FORMAT ", expected an odd number", what,
                 kernel_size);
    return FALSE;
  }
  if (hidden_size % n_groups != 0) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                 "%s: conv_groups is %" G_GINT64_FORMAT ", expected a divisor of hidden_size, "
                 "which is %d", what, n_groups, hidden_size);
    return FALSE;
  }
  *convolution = (EngConvolution) { (int) kernel_size, (int) n_groups, ENG_ACTIVATION_LINEAR };

  return eng_config_find_activation (activation, "conv_act", what, &convolution->activation, error);
}

/* Some files state the size that heads have anyway. */
static gboolean
check_head_size (const cJSON             *json,
                 const char              *what,
                 const EngAttentionSpec  *heads,
                 GError                 **error)
{
  gint64 size = heads->head_size;

  if (!eng_json_get_int (json, "attention_head_size", 1, 1 << 16, what, &size, error))
    return FALSE;
  if (size == heads->head_size)
    return TRUE;

  g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
               "%s: attention_head_size is %" G_GINT64_FORMAT ", expected hidden_size div "
               "num_attention_heads, which is %d", what, size, heads->head_size);
  return FALSE;
}

static gboolean
read_config (const cJSON  *json,
             const char   *what,
             EngConfig    *config,
             GError      **error)
{
  EngSpec *spec = &config->spec;
  EngStackSpec *stack = &spec->stacks[ENG_KIND_ENCODER];
  EngRelativePositions *positions = &stack->relative_positions;
  int n_listed;

  if (!eng_deberta_read_config (json, what, config, &n_listed, error) ||
      !check_head_size (json, what, eng_stack_spec_get_heads (stack), error) ||
      !read_convolution (json, what, spec->hidden_size, &stack->convolution, error))
    return FALSE;
  eng_deberta_set_scale (spec, positions->content_position + positions->position_content);
  if (positions->span > 0 && (positions->content_position || positions->position_content))
    return read_rows (json, what, positions, error);

  *positions = (EngRelativePositions) { 0 };
  return TRUE;
}

const EngFamily eng_family_deberta_v2 = {
  .model_type = "deberta-v2",
  .title = "DeBERTa 2, 3",
  .year = 2021,
  .checkpoints = "microsoft/deberta-v3-small",
  .class_prefix = "DebertaV2",
  .signature = "encoder.layer.0.attention.self.query_proj.weight",

  .defaults = ENG_DEBERTA_DEFAULTS (1536, 24, 128100, 24, 6144),
  .read = read_config,
  ENG_DEBERTA_FAMILY (parts, layer_parts),
};
