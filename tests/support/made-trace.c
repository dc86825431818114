/* SPDX-License-Identifier: MIT */
#include "tests/support/made-trace.h"

#include <math.h>

#include "engine/trace/trace-private.h"

#define STRONG 0.6

static EngTokens *
make_tokens (int n_a,
             int n_b)
{
  EngTokens *tokens = eng_tokens_new (n_a + n_b);

  for (int i = 0; i < tokens->n; i++) {
    tokens->special[i] = i == n_a - 1 || i == tokens->n - 1;
    tokens->segments[i] = i >= n_a;
    tokens->texts[i] = tokens->special[i] ? g_strdup ("[SEP]") : g_strdup_printf ("w%d", i);
    tokens->pieces[i] = g_strdup (tokens->texts[i]);
  }
  return tokens;
}

double
made_trace_weight (int n,
                   int layer,
                   int head,
                   int query,
                   int key)
{
  return key == (query + head + layer) % n ? STRONG : (1 - STRONG) / (n - 1);
}

static float *
keep_floats (EngTrace *trace,
             gsize     n)
{
  float *floats = g_new0 (float, n);

  eng_trace_keep (trace, floats, 0, g_free);
  return floats;
}

static void
make_layer (EngTrace *trace,
            int       layer)
{
  EngBlockTrace *block = &trace->blocks[ENG_KIND_ENCODER];
  EngLayerTrace *self = &block->layers[layer];
  const int n = block->n_queries;
  const gsize size = (gsize) n * n;
  float *attention = keep_floats (trace, block->n_heads * size);
  float *queries = keep_floats (trace, block->n_heads * size);
  float *keys = keep_floats (trace, block->n_heads * size);

  for (int head = 0; head < block->n_heads; head++)
    for (int i = 0; i < n; i++) {
      const gsize row = head * size + (gsize) i * n;

      keys[row + i] = 1;
      for (int j = 0; j < n; j++) {
        attention[row + j] = (float) made_trace_weight (n, layer, head, i, j);
        queries[row + j] = (float) (sqrt (n) * log (attention[row + j]));
      }
    }

  self->attention = attention;
  self->queries = (EngHeadRows) { queries, size, n };
  self->keys = (EngHeadRows) { keys, size, n };
  self->scale = 1 / sqrt (n);
  g_atomic_int_set (&self->ready, TRUE);
}

EngTrace *
made_trace_new (int n_a,
                int n_b,
                int n_heads,
                int n_layers)
{
  EngTrace *trace = eng_trace_new ();
  EngBlockTrace *block = &trace->blocks[ENG_KIND_ENCODER];

  block->present = TRUE;
  block->n_layers = n_layers;
  block->n_heads = block->n_kv_heads = n_heads;
  block->n_queries = block->n_keys = block->head_size = n_a + n_b;
  block->query_tokens = make_tokens (n_a, n_b);
  block->key_tokens = eng_tokens_ref (block->query_tokens);
  block->layers = g_new0 (EngLayerTrace, n_layers);
  for (int layer = 0; layer < n_layers; layer++)
    make_layer (trace, layer);
  trace->model_name = g_strdup ("made");
  g_atomic_int_set (&trace->complete, TRUE);

  return trace;
}

void
made_trace_falsify (EngTrace *trace,
                    int       layer,
                    int       head,
                    int       query,
                    int       key,
                    float     weight)
{
  EngBlockTrace *block = &trace->blocks[ENG_KIND_ENCODER];
  const gsize n = (gsize) block->n_keys;
  float *attention = (float *) block->layers[layer].attention;

  attention[(head * n + query) * n + key] = weight;
}

void
made_trace_forget_vectors (EngTrace *trace)
{
  EngBlockTrace *block = &trace->blocks[ENG_KIND_ENCODER];

  for (int layer = 0; layer < block->n_layers; layer++)
    block->layers[layer].queries.data = block->layers[layer].keys.data = NULL;
}
