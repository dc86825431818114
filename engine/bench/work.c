/* SPDX-License-Identifier: MIT */
#include "engine/bench/work.h"

#include "engine/transformer/model-private.h"

static double
count_weights (const EngLinear *linear)
{
  return linear->weight ? (double) linear->out * linear->in : 0;
}

static double
count_attention_weights (const EngAttentionWeights *attention)
{
  return count_weights (&attention->query) + count_weights (&attention->key) +
         count_weights (&attention->value) + count_weights (&attention->output);
}

static double
count_layer_weights (const EngLayerWeights *layer)
{
  return count_attention_weights (&layer->self) + count_attention_weights (&layer->cross) +
         count_weights (&layer->gate) + count_weights (&layer->up) + count_weights (&layer->down);
}

/* q·k and α·V of one attention, with two operations for each number. */
static double
count_attention (const EngAttentionSpec *attention,
                 double                  n_queries,
                 double                  n_keys)
{
  return 4 * n_queries * n_keys * eng_attention_spec_get_size (attention);
}

/* Whether an earlier layer has the same weights. */
static gboolean
is_read (const EngStackWeights *stack,
         int                    layer)
{
  for (int i = 0; i < layer; i++)
    if (stack->layers[i].up.weight == stack->layers[layer].up.weight)
      return TRUE;

  return FALSE;
}

/* That a query reads, of n. */
static double
count_keys (const EngAttentionSpec *heads,
            double                  n)
{
  double n_near = heads->causal ? heads->window : 2.0 * heads->window - 1;

  return heads->window > 0 ? MIN (n, n_near) : n;
}

void
eng_work_count (const EngModel *model,
                int             n_tokens,
                EngWork        *work)
{
  const EngSpec *spec = eng_model_get_spec (model);
  const EngWeights *weights = eng_model_get_weights (model);
  double n = n_tokens;

  *work = (EngWork) { 0 };
  for (int kind = 0; kind < ENG_N_STACKS; kind++) {
    const EngStackSpec *stack = &spec->stacks[kind];

    for (int layer = 0; layer < stack->n_layers; layer++) {
      double n_weights = count_layer_weights (&weights->stacks[kind].layers[layer]);
      const EngLayerSpec *own = eng_stack_spec_get_layer (stack, layer);
      double n_keys = count_keys (&own->self, n);

      work->operations += 2 * n * n_weights + count_attention (&own->self, n, n_keys) +
                          count_attention (&own->cross, n, n);
      if (!is_read (&weights->stacks[kind], layer))
        work->bytes += n_weights * sizeof (float);
    }
  }
}
