/* SPDX-License-Identifier: MIT */
#include "engine/training/frozen.h"

#include "engine/training/parameters-private.h"

/* The first and the last of the numbers that weights point to. */
typedef struct {
  const EngGradients *block;
  gsize               first;
  gsize               last;
} Reach;

static void
add (Reach       *reach,
     const float *weight)
{
  const EngGradients *block = reach->block;

  if (!weight || weight < block->values || weight >= block->values + block->n)
    return;
  reach->first = MIN (reach->first, (gsize) (weight - block->values));
  reach->last = MAX (reach->last, (gsize) (weight - block->values));
}

static void
add_linear (Reach           *reach,
            const EngLinear *linear)
{
  add (reach, linear->weight);
  add (reach, linear->bias);
}

static void
add_norm (Reach         *reach,
          const EngNorm *norm)
{
  add (reach, norm->weight);
  add (reach, norm->bias);
}

static void
add_layer (Reach                 *reach,
           const EngLayerWeights *layer)
{
  const EngLinear *linears[] = { &layer->self.query, &layer->self.key, &layer->self.value,
                                 &layer->self.output, &layer->gate, &layer->up, &layer->down };

  for (guint i = 0; i < G_N_ELEMENTS (linears); i++)
    add_linear (reach, linears[i]);
  add_norm (reach, &layer->self.norm);
  add_norm (reach, &layer->feed_forward_norm);
}

static void
add_embedding (Reach                 *reach,
               const EngStackWeights *stack)
{
  add (reach, stack->word);
  add (reach, stack->position);
  add (reach, stack->type);
  add_norm (reach, &stack->embedding_norm);
  add_linear (reach, &stack->projection);
}

/* What no layer has; an output that is tied is the word embedding's. */
static void
add_rest (Reach                 *reach,
          const EngSpec         *spec,
          const EngWeights      *weights,
          const EngStackWeights *stack)
{
  add_norm (reach, &stack->final_norm);
  add_linear (reach, &weights->pooler);
  for (int task = 0; task < ENG_N_TASKS; task++) {
    const EngHeadWeights *head = &weights->heads[task];

    if (!spec->heads[task].present)
      continue;
    add_linear (reach, &head->transform);
    add_norm (reach, &head->norm);
    add (reach, head->output.bias);
    if (head->output.weight != stack->word)
      add (reach, head->output.weight);
  }
}

gboolean
eng_freeze_layers (EngParameters  *parameters,
                   int             n_layers,
                   GError        **error)
{
  const EngSpec *spec = eng_parameters_get_spec (parameters);
  const EngWeights *weights = eng_parameters_get_weights (parameters);
  const EngStackWeights *stack = &weights->stacks[eng_spec_get_last_kind (spec)];
  int n = spec->stacks[eng_spec_get_last_kind (spec)].n_layers;
  Reach frozen = { eng_parameters_get_gradients (parameters), G_MAXSIZE, 0 }, rest = frozen;

  if (n_layers > n || eng_spec_has_cross (spec)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                 "%d layers cannot be frozen, expected at most the %d of a model of one stack",
                 n_layers, n);
    return FALSE;
  }
  add_embedding (&frozen, stack);
  for (int layer = 0; layer < n; layer++)
    add_layer (layer < n_layers ? &frozen : &rest, &stack->layers[layer]);
  add_rest (&rest, spec, weights, stack);
  /* Tensors lie in the order in which a family lists them: from the embedding upwards. */
  if (rest.first <= frozen.last) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
                 "layers of this family cannot be frozen: its weights do not lie layer by layer");
    return FALSE;
  }
  eng_parameters_set_frozen (parameters, MIN (rest.first, rest.block->n));

  return TRUE;
}
