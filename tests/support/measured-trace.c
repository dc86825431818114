/* SPDX-License-Identifier: MIT */
#include "tests/support/measured-trace.h"

#include <string.h>

#include "engine/trace/trace-private.h"

#define N 4
#define N_HEADS 2
#define N_LAYERS 2
#define VALUE_SIZE 2

static const float first[N][N] = {
  { 0.1f, 0.2f, 0.3f, 0.4f },
  { 0.4f, 0.3f, 0.2f, 0.1f },
  { 0.25f, 0.25f, 0.25f, 0.25f },
  { 0.7f, 0.1f, 0.1f, 0.1f },
};
static const float second[N][N] = {
  { 1, 0, 0, 0 },
  { 0, 0.5f, 0.5f, 0 },
  { 0, 0, 1, 0 },
  { 0.2f, 0.2f, 0.2f, 0.4f },
};
static const float values[N_HEADS][N][VALUE_SIZE] = {
  { { 3, 4 }, { 0, 2 }, { 1, 0 }, { 0, 0 } },
  { { 6, 8 }, { 0, -4 }, { 2, 0 }, { 0, 0 } },
};

EngTrace *
measured_trace_new (void)
{
  static const char *const texts[N] = { "[CLS]", "play", "##ing", "[SEP]" };
  EngTrace *trace = eng_trace_new ();
  EngBlockTrace *block = &trace->blocks[ENG_KIND_ENCODER];
  EngTokens *tokens = eng_tokens_new (N);

  for (int i = 0; i < N; i++) {
    tokens->texts[i] = g_strdup (texts[i]);
    tokens->pieces[i] = g_strdup (texts[i]);
    tokens->special[i] = i == 0 || i == N - 1;
  }
  *block = (EngBlockTrace) {
    .present = TRUE, .n_layers = N_LAYERS, .n_heads = N_HEADS, .n_kv_heads = N_HEADS,
    .n_queries = N, .n_keys = N, .value_size = VALUE_SIZE,
    .query_tokens = tokens, .key_tokens = eng_tokens_ref (tokens),
    .layers = g_new0 (EngLayerTrace, N_LAYERS),
  };
  for (int layer = 0; layer < N_LAYERS; layer++) {
    float *attention = g_new (float, N_HEADS * N * N);

    memcpy (attention + layer * N * N, first, sizeof first);
    memcpy (attention + (1 - layer) * N * N, second, sizeof second);
    eng_trace_keep (trace, attention, 0, g_free);
    block->layers[layer].attention = attention;
    block->layers[layer].values = (EngHeadRows) { &values[0][0][0], N * VALUE_SIZE, VALUE_SIZE };
    block->layers[layer].scale = 1;
    g_atomic_int_set (&block->layers[layer].ready, TRUE);
  }
  g_atomic_int_set (&trace->complete, TRUE);
  return trace;
}
