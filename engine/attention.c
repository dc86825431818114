/* SPDX-License-Identifier: MIT */
#include "engine/attention.h"

#include <math.h>

#include "engine/interventions.h"
#include "engine/linalg.h"
#include "engine/pool.h"

/* Keys whose ‖v W_O‖ is computed at a time. */
#define MEASURED_KEYS 32

typedef struct {
  const EngBlockTrace *block;
  int                  layer;
  const EngEdit       *edits;
  int                  n_edits;
  float               *weights; /* [n_heads or workers, n_queries, n_keys] */
  gboolean             keep;
  float               *context; /* [n_queries, n_heads * value_size] */
} ReadCall;

typedef struct {
  const EngBlockTrace *block;
  int                  layer;
  const float         *output; /* [hidden_size, n_heads * value_size] */
  float               *scratch; /* [workers, MEASURED_KEYS, hidden_size] */
  float               *norms;  /* [n_heads, n_keys] */
} MeasureCall;

/* The key and value head that a query head reads: several share one in a grouped model. */
static int
get_kv_head (const EngBlockTrace *block,
             int                  head)
{
  return head / (block->n_heads / block->n_kv_heads);
}

/* weights [n_queries, n_keys] */
static void
compute_head_weights (const EngBlockTrace *block,
                      int                  layer,
                      int                  head,
                      float               *weights)
{
  const EngLayerTrace *trace = &block->layers[layer];
  gsize n_keys = block->n_keys;
  const float *bias = trace->position_bias;

  eng_multiply_transposed (trace->queries.data + head * trace->queries.head_stride,
                           trace->queries.row_stride,
                           trace->keys.data + get_kv_head (block, head) * trace->keys.head_stride,
                           trace->keys.row_stride,
                           block->n_queries, block->n_keys, block->head_size, weights, n_keys);

  if (bias != NULL)
    bias += head * block->n_queries * n_keys;
  for (gsize query = 0; query < (gsize) block->n_queries; query++)
    eng_softmax (weights + query * n_keys, block->n_keys, (float) trace->scale,
                 bias != NULL ? bias + query * n_keys : NULL,
                 trace->mask != NULL ? trace->mask + query * n_keys : NULL);
}

void
eng_attention_weights (const EngBlockTrace *block,
                       int                  layer,
                       const EngEdit       *edits,
                       int                  n_edits,
                       int                  first_head,
                       int                  last_head,
                       float               *weights)
{
  gsize head_size = (gsize) block->n_queries * block->n_keys;

  for (int head = first_head; head < last_head; head++, weights += head_size)
    {
      compute_head_weights (block, layer, head, weights);
      eng_interventions_edit_weights (edits, n_edits, layer, head, block->n_queries, block->n_keys,
                                      block->layers[layer].mask, weights);
    }
}

static void
scale_context (const EngBlockTrace *block,
               float                factor,
               float               *context)
{
  gsize stride = (gsize) block->n_heads * block->value_size;

  for (int query = 0; query < block->n_queries; query++)
    for (int i = 0; i < block->value_size; i++)
      context[query * stride + i] *= factor;
}

static void
read_head (int      head,
           int      worker,
           gpointer data)
{
  const ReadCall *call = data;
  const EngBlockTrace *block = call->block;
  const EngHeadRows *values = &block->layers[call->layer].values;
  gsize slot = call->keep ? head : worker;
  float *weights = call->weights + slot * block->n_queries * block->n_keys;
  float *context = call->context + (gsize) head * block->value_size;
  float factor = eng_interventions_get_factor (call->edits, call->n_edits, call->layer, head);

  eng_attention_weights (block, call->layer, call->edits, call->n_edits, head, head + 1, weights);
  eng_multiply (weights, block->n_keys,
                values->data + get_kv_head (block, head) * values->head_stride, values->row_stride,
                block->n_queries, block->value_size, block->n_keys,
                context, (gsize) block->n_heads * block->value_size);
  if (factor != 1)
    scale_context (block, factor, context);
}

void
eng_attention_read (const EngBlockTrace *block,
                    int                  layer,
                    const EngEdit       *edits,
                    int                  n_edits,
                    float               *weights,
                    gboolean             keep,
                    float               *context,
                    const gint          *cancel)
{
  ReadCall call = { block, layer, edits, n_edits, weights, keep, context };

  eng_pool_run (block->n_heads, read_head, &call, cancel);
}

static void
measure_head (int      head,
              int      worker,
              gpointer data)
{
  const MeasureCall *call = data;
  const EngBlockTrace *block = call->block;
  const EngHeadRows *values = &block->layers[call->layer].values;
  const float *head_values = values->data + get_kv_head (block, head) * values->head_stride;
  gsize size = block->hidden_size;
  float *rows = call->scratch + worker * MEASURED_KEYS * size;

  for (int first = 0; first < block->n_keys; first += MEASURED_KEYS)
    {
      int n = MIN (MEASURED_KEYS, block->n_keys - first);

      eng_multiply_transposed (head_values + first * values->row_stride, values->row_stride,
                               call->output + (gsize) head * block->value_size,
                               (gsize) block->n_heads * block->value_size,
                               n, block->hidden_size, block->value_size, rows, size);
      for (int key = 0; key < n; key++)
        {
          double squares = 0;

          for (gsize i = 0; i < size; i++)
            squares += (double) rows[key * size + i] * rows[key * size + i];
          call->norms[(gsize) head * block->n_keys + first + key] = (float) sqrt (squares);
        }
    }
}

void
eng_attention_measure_values (const EngBlockTrace *block,
                              int                  layer,
                              const float         *output,
                              float               *norms)
{
  gsize n_scratch = (gsize) eng_pool_get_n_workers () * MEASURED_KEYS * block->hidden_size;
  g_autofree float *scratch = g_new (float, n_scratch);
  MeasureCall call = { block, layer, output, scratch, norms };

  eng_pool_run (block->n_heads, measure_head, &call, NULL);
}
