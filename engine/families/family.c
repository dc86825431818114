/* SPDX-License-Identifier: MIT */
#include "engine/families/family.h"

#include <string.h>

static const EngFamily *const families[] = {
  &eng_family_albert,
  &eng_family_bart,
  &eng_family_bert,
  &eng_family_big_bird,
  &eng_family_ctrl,
  &eng_family_deberta,
  &eng_family_deberta_v2,
  &eng_family_distilbert,
  &eng_family_electra,
  &eng_family_esm,
  &eng_family_gemma,
  &eng_family_gemma2,
  &eng_family_gemma3,
  &eng_family_gpt2,
  &eng_family_gpt_neo,
  &eng_family_gpt_neox,
  &eng_family_gptj,
  &eng_family_granite,
  &eng_family_llama,
  &eng_family_m2m_100,
  &eng_family_marian,
  &eng_family_mbart,
  &eng_family_mistral,
  &eng_family_modernbert,
  &eng_family_olmo2,
  &eng_family_openai_gpt,
  &eng_family_pegasus,
  &eng_family_phi3,
  &eng_family_qwen2,
  &eng_family_qwen3,
  &eng_family_roberta,
  &eng_family_smollm3,
  &eng_family_t5,
  &eng_family_xlm,
  &eng_family_xlm_roberta,
};

int
eng_family_get_n_families (void)
{
  return G_N_ELEMENTS (families);
}

const EngFamily *
eng_family_get_nth (int index)
{
  return families[index];
}

EngBranch
eng_family_get_branch (const EngFamily *self)
{
  if (!self->stacks[ENG_KIND_DECODER].layer_prefix)
    return ENG_BRANCH_ENCODER;

  return self->stacks[ENG_KIND_ENCODER].layer_prefix ? ENG_BRANCH_TWO_STACKS : ENG_BRANCH_DECODER;
}

const EngFamily *
eng_family_find (const char *model_type)
{
  for (guint i = 0; i < G_N_ELEMENTS (families); i++)
    if (strcmp (families[i]->model_type, model_type) == 0)
      return families[i];

  return NULL;
}

const EngFamily *
eng_family_find_by_class (const char *architecture)
{
  /* What follows the prefix is looked at too: one family's prefix may begin another's. */
  static const char *const rests[] = {
    "Model", "For", "LMHead", "MTModel", "EncoderModel", "With",
  };

  for (guint i = 0; i < G_N_ELEMENTS (families); i++)
    if (g_str_has_prefix (architecture, families[i]->class_prefix))
      for (guint k = 0; k < G_N_ELEMENTS (rests); k++)
        if (g_str_has_prefix (architecture + strlen (families[i]->class_prefix), rests[k]))
          return families[i];

  return NULL;
}

char *
eng_family_normalise_name (const EngFamily *self,
                           const char      *name)
{
  static const struct {
    const char *old;
    const char *now;
  } suffixes[] = { { "LayerNorm.gamma", "weight" }, { "LayerNorm.beta", "bias" } };

  if (g_str_has_prefix (name, "module."))
    name += strlen ("module.");
  if (g_str_has_prefix (name, self->tensor_prefix))
    name += strlen (self->tensor_prefix);
  else if (self->other_prefix && g_str_has_prefix (name, self->other_prefix))
    name += strlen (self->other_prefix);

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    if (g_str_has_suffix (name, suffixes[i].old)) {
      int stem = (int) (strrchr (name, '.') - name);

      return g_strdup_printf ("%.*s.%s", stem, name, suffixes[i].now);
    }

  return g_strdup (name);
}

const EngFamily *
eng_family_find_by_tensors (const EngTensorSet *tensors)
{
  for (guint i = 0; i < G_N_ELEMENTS (families); i++)
    for (int t = 0; families[i]->signature && t < eng_tensor_set_get_n_tensors (tensors); t++) {
      const EngTensor *tensor = eng_tensor_set_get_tensor (tensors, t);
      g_autofree char *name = eng_family_normalise_name (families[i], tensor->name);

      if (strcmp (name, families[i]->signature) == 0)
        return families[i];
    }

  return NULL;
}

const EngStackParts *
eng_family_get_stack (const EngFamily *self,
                      EngKind          kind)
{
  return &self->stacks[self->stacks[kind].layer_prefix ? kind : !kind];
}

char *
eng_family_dup_part_name (const char *layer_name,
                          const char *name)
{
  const char *star = strchr (name, '*');

  if (!star)
    return g_strconcat (layer_name, name, NULL);

  return g_strdup_printf ("%.*s%.*s%s", (int) (star - name), name,
                          (int) strlen (layer_name) - 1, layer_name, star + 1);
}

char *
eng_family_dup_layer_name (const EngStackParts *parts,
                           const EngStackSpec  *stack,
                           int                  layer)
{
  if (stack->sharing.n_groups == 0)
    return g_strdup_printf ("%s%d.", parts->layer_prefix, layer);

  return g_strdup_printf ("%s%d.%s%d.", parts->layer_prefix,
                          eng_stack_spec_get_group (stack, layer), parts->inner_prefix,
                          layer % stack->sharing.n_inner);
}

/* Whether the file has the marker of a head of the family. */
static gboolean
has_marked_head (const EngFamily *self,
                 GHashTable      *names)
{
  for (int i = 0; i < self->n_heads; i++)
    if (self->heads[i].marker && g_hash_table_contains (names, self->heads[i].marker))
      return TRUE;

  return FALSE;
}

gboolean
eng_family_predicts_words (const EngConfig *config,
                           GHashTable      *names)
{
  if (g_hash_table_contains (names, "lm_head.weight"))
    return TRUE;
  if (!config->tied)
    return FALSE;
  if (!config->architecture)
    return !has_marked_head (config->family, names);

  return eng_config_is_class (config, "LMHeadModel") ||
         eng_config_is_class (config, "DoubleHeadsModel") ||
         eng_config_is_class (config, "ForCausalLM");
}

gboolean
eng_family_chooses (const EngConfig *config,
                    const EngTensor *weight)
{
  return eng_config_is_class (config, "ForMultipleChoice") ||
         (config->n_labels == 0 && weight && weight->rank == 2 && weight->shape[0] == 1);
}

char *
eng_family_dup_names (void)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (families); i++)
    g_ptr_array_add (names, (gpointer) families[i]->model_type);
  g_ptr_array_add (names, NULL);

  return g_strjoinv (", ", (char **) names->pdata);
}

gint64
eng_family_get_size (EngSize             size,
                     const EngSpec      *spec,
                     const EngStackSpec *stack,
                     const EngLayerSpec *layer)
{
  const EngAttentionSpec *heads = &layer->self;

  switch (size) {
  case ENG_SIZE_HIDDEN:
    return spec->hidden_size;
  case ENG_SIZE_EMBEDDING:
    return eng_spec_get_embedding_size (spec);
  case ENG_SIZE_INTERMEDIATE:
    return layer->feed_forward.intermediate_size;
  case ENG_SIZE_HEADS:
    return eng_attention_spec_get_size (heads);
  case ENG_SIZE_KV_HEADS:
    return eng_attention_spec_get_kv_size (heads);
  case ENG_SIZE_HEAD:
    return heads->head_size;
  case ENG_SIZE_N_HEADS:
    return heads->n_heads;
  case ENG_SIZE_VOCABULARY:
    return stack->vocab_size;
  case ENG_SIZE_POSITIONS:
    return spec->embedding.n_positions;
  case ENG_SIZE_TYPES:
    return spec->embedding.n_types;
  case ENG_SIZE_LANGUAGES:
    return spec->embedding.n_languages;
  case ENG_SIZE_BUCKETS:
    return stack->relative_bias.n_buckets;
  case ENG_SIZE_DISTANCES:
    return 2 * (gint64) stack->relative_positions.span;
  case ENG_SIZE_GROUP:
    return spec->hidden_size / stack->convolution.n_groups;
  case ENG_SIZE_FREQUENCIES:
    return heads->rotary.size / 2;
  case ENG_SIZE_ONE:
    return 1;
  case ENG_SIZE_TWO:
    return 2;
  case ENG_SIZE_LABELS:
  default:
    g_return_val_if_reached (0);
  }
}
