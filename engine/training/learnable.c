/* SPDX-License-Identifier: MIT */
#include "engine/training/learnable.h"

static gboolean
has_activation (EngActivation activation)
{
  switch (activation) {
  case ENG_ACTIVATION_GELU:
  case ENG_ACTIVATION_GELU_TANH:
  case ENG_ACTIVATION_QUICK_GELU:
  case ENG_ACTIVATION_RELU:
  case ENG_ACTIVATION_SILU:
  case ENG_ACTIVATION_TANH:
  case ENG_ACTIVATION_LINEAR:
    return TRUE;
  default:
    return FALSE;
  }
}

static gboolean
has_placement (EngNormPlacement placement)
{
  return placement == ENG_NORM_POST || placement == ENG_NORM_PRE;
}

static const char *
find_foreign_attention (const EngAttentionSpec *spec)
{
  if (spec->soft_cap != 0)
    return "capped scores";
  if (spec->window != 0)
    return "a window of attention";
  if (spec->blocks.size != 0)
    return "block-sparse attention";
  if (spec->qk_norm != ENG_QK_NORM_NONE)
    return "a norm of queries and keys";

  return NULL;
}

static const char *
find_foreign_layer (const EngLayerSpec *spec)
{
  const char *part = find_foreign_attention (&spec->self);

  if (!part)
    part = find_foreign_attention (&spec->cross);
  if (part)
    return part;
  if (spec->parallel)
    return "sub-layers side by side";
  if (spec->residual_scale != 0)
    return "a scale of what a sub-layer adds";
  if (!has_placement (spec->attention_norm) || !has_placement (spec->feed_forward_norm))
    return "norms that stand neither before nor behind a sub-layer";
  if (!has_activation (spec->feed_forward.activation))
    return "its activation";

  return NULL;
}

static const char *
find_foreign_stack (const EngStackSpec *spec)
{
  if (spec->relative_bias.n_buckets > 0)
    return "a bias by distance";
  if (eng_stack_spec_sets_positions_apart (spec))
    return "positions apart from content";
  if (spec->convolution.kernel_size > 0)
    return "a convolution";
  if (spec->hides_padding)
    return "hidden states of padding that are 0";
  for (int sort = 0; sort < ENG_MAX_LAYER_SORTS; sort++)
    if (eng_stack_spec_uses_sort (spec, sort)) {
      const char *part = find_foreign_layer (&spec->sorts[sort]);

      if (part)
        return part;
    }

  return NULL;
}

static const char *
find_foreign_embedding (const EngEmbeddingSpec *spec)
{
  if (spec->size > 0)
    return "embeddings of another width than the layers";
  if (spec->mask_dropout != 0)
    return "token dropout";
  if (spec->hides_padding)
    return "embeddings of padding that are 0";

  return NULL;
}

/* The part that cannot be learnt, or NULL. */
static const char *
find_foreign (const EngSpec *spec)
{
  const char *part = find_foreign_embedding (&spec->embedding);

  for (int kind = 0; kind < ENG_N_STACKS && !part; kind++)
    part = find_foreign_stack (&spec->stacks[kind]);
  for (int task = 0; task < ENG_N_TASKS && !part; task++) {
    const EngHeadSpec *head = &spec->heads[task];

    if (head->present && (head->scale != 0 || head->soft_cap != 0))
      part = "a scale or cap of logits";
    if (head->present && !has_activation (head->activation))
      part = "the activation of a head";
  }

  return part;
}

gboolean
eng_learnable_check (const EngSpec  *spec,
                     const char     *what,
                     GError        **error)
{
  const char *part = find_foreign (spec);

  if (!part)
    return TRUE;
  g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
               "%s: models with %s cannot be trained yet, expected an encoder, a causal decoder "
               "or both, of BERT's, GPT-2's, Llama's or BART's kind", what, part);

  return FALSE;
}
