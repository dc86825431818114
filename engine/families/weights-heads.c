/* SPDX-License-Identifier: MIT */
#include "engine/families/weights-heads.h"

#include <string.h>

/* Whether the stack that the heads read is of a kind that a head asks for. */
static gboolean
fits_reading (const EngWeightsLoader *self,
              EngReading              reading)
{
  const EngSpec *spec = &self->loaded->spec;
  gboolean causal = eng_stack_spec_get_heads (&spec->stacks[eng_spec_get_last_kind (spec)])->causal;

  return reading == ENG_READING_ANY || causal == (reading == ENG_READING_FORWARDS);
}

static gboolean
has_head (const EngWeightsLoader *self,
          const EngHeadParts     *head)
{
  if ((head->task == ENG_TASK_LANGUAGE_MODEL &&
       self->loaded->spec.stacks[ENG_KIND_DECODER].n_layers == 0) ||
      !fits_reading (self, head->reading))
    return FALSE;
  if (self->made) {
    for (guint i = 0; i < G_N_ELEMENTS (head->classes) && head->classes[i]; i++)
      if (eng_config_is_class (self->config, head->classes[i]))
        return TRUE;
    return FALSE;
  }

  return (!head->marker || g_hash_table_contains (self->names, head->marker)) &&
         (!head->applies || head->applies (self->config, self->names));
}

/* Several heads may read it: it is bound once. */
static gboolean
bind_pooler (EngWeightsLoader  *self,
             GError           **error)
{
  EngWeights *weights = &self->loaded->weights;
  guint n_before = self->bindings->len;

  if (weights->pooler.out > 0 ||
      eng_weights_bind_parts (self, self->config->family->pooler, 1, "", weights, error))
    return TRUE;
  g_array_set_size (self->bindings, n_before);
  weights->pooler = (EngLinear) { 0 };

  return FALSE;
}

static gboolean
bind_head (EngWeightsLoader    *self,
           const EngHeadParts  *head,
           GError             **error)
{
  EngHeadWeights *weights = &self->loaded->weights.heads[head->task];
  guint n_before = self->bindings->len;

  if (eng_weights_bind_parts (self, head->parts, head->n_parts, "", weights, error) &&
      (head->input != ENG_HEAD_POOLED || bind_pooler (self, error)))
    return TRUE;
  g_array_set_size (self->bindings, n_before);
  *weights = (EngHeadWeights) { 0 };

  return FALSE;
}

/* The sentence of an error without the file that it begins with: who reads it knows the file. */
static void
leave_out (EngWeightsLoader *self,
           EngTask           task,
           const GError     *error)
{
  const char *reason = error->message;

  if (g_str_has_prefix (reason, self->path) && reason[strlen (self->path)] == ':')
    reason += strlen (self->path) + strlen (": ");
  g_free (self->loaded->left_out[task]);
  self->loaded->left_out[task] = g_strdup (reason);
}

static EngHeadInput
get_input (const EngWeightsLoader *self,
           const EngHeadParts     *head)
{
  return head->input == ENG_INPUT_OF_CONFIG ? self->config->head_input
                                            : (EngHeadInput) head->input;
}

static EngActivation
get_activation (const EngWeightsLoader *self,
                const EngHeadParts     *head)
{
  switch (head->activation) {
  case ENG_ACTIVATION_OF_CONFIG:
    return self->layer->feed_forward.activation;
  case ENG_ACTIVATION_OF_HEADS:
    return self->config->head_activation;
  default:
    return (EngActivation) head->activation;
  }
}

static void
describe_head (EngWeightsLoader   *self,
               const EngHeadParts *head)
{
  const EngHeadWeights *weights = &self->loaded->weights.heads[head->task];
  gboolean writes = head->task == ENG_TASK_LANGUAGE_MODEL;

  g_clear_pointer (&self->loaded->left_out[head->task], g_free);
  self->loaded->spec.heads[head->task] = (EngHeadSpec) {
    .present = TRUE,
    .input = get_input (self, head),
    .has_transform = head->has_transform,
    .size = weights->transform.out,
    .has_residual = weights->reduce.out > 0,
    .has_norm = head->has_norm,
    .activation = get_activation (self, head),
    .scale = writes ? self->config->logits_scale : 0,
    .soft_cap = writes ? self->config->logits_soft_cap : 0,
    .n_classes = weights->output.out,
  };
}

void
eng_weights_bind_heads (EngWeightsLoader *self)
{
  const EngFamily *family = self->config->family;

  eng_weights_begin_stack (self, eng_spec_get_last_kind (&self->loaded->spec));
  for (int i = 0; i < family->n_heads; i++) {
    const EngHeadParts *head = &family->heads[i];
    g_autoptr (GError) error = NULL;

    if (self->loaded->spec.heads[head->task].present || !has_head (self, head))
      continue;
    if (bind_head (self, head, &error))
      describe_head (self, head);
    else
      leave_out (self, head->task, error);
  }

  if (family->pooler) {
    g_autofree char *pooler_weight = g_strconcat (family->pooler->name, ".weight", NULL);

    /* One that no head reads may be as it likes. */
    if (g_hash_table_contains (self->names, pooler_weight))
      bind_pooler (self, NULL);
  }
}
