/* SPDX-License-Identifier: MIT */
#include "engine/trace/trace-private.h"

#include <math.h>

#define N_LAYERS 3
#define N_HEADS 4
#define N_KV_HEADS 2
#define N_TOKENS 5
#define SIZE 3
#define VALUE_SIZE 2

static float
draw (void)
{
  return (float) g_test_rand_double_range (-1, 1);
}

static float *
new_floats (EngTrace *trace,
            gsize     n)
{
  float *values = g_new (float, n);

  for (gsize i = 0; i < n; i++)
    values[i] = draw ();
  eng_trace_keep (trace, values, 0, g_free);

  return values;
}

/* A stack as a forward leaves it: q, k, v as [tokens, heads * size], no attention kept. No layer is
 * ready. */
static EngTrace *
new_trace (int n_layers,
           int n_heads,
           int n_kv_heads,
           int n_tokens)
{
  EngTrace *trace = eng_trace_new ();
  EngBlockTrace *block = &trace->blocks[ENG_KIND_ENCODER];

  *block = (EngBlockTrace) {
    .present = TRUE, .n_layers = n_layers, .n_heads = n_heads, .n_kv_heads = n_kv_heads,
    .n_queries = n_tokens, .n_keys = n_tokens, .head_size = SIZE, .value_size = VALUE_SIZE,
    .query_tokens = eng_tokens_new (n_tokens), .layers = g_new0 (EngLayerTrace, n_layers),
  };
  block->key_tokens = eng_tokens_ref (block->query_tokens);
  for (int layer = 0; layer < n_layers; layer++) {
    EngLayerTrace *data = &block->layers[layer];
    gsize n = (gsize) n_tokens;

    data->queries = (EngHeadRows) { new_floats (trace, n * n_heads * SIZE), SIZE,
                                    (gsize) n_heads * SIZE };
    data->keys = (EngHeadRows) { new_floats (trace, n * n_kv_heads * SIZE), SIZE,
                                 (gsize) n_kv_heads * SIZE };
    data->values = (EngHeadRows) { new_floats (trace, n * n_kv_heads * VALUE_SIZE), VALUE_SIZE,
                                   (gsize) n_kv_heads * VALUE_SIZE };
    data->scale = 0.5;
  }

  return trace;
}

static EngTrace *
new_ready_trace (int n_layers,
                 int n_heads,
                 int n_kv_heads,
                 int n_tokens)
{
  EngTrace *trace = new_trace (n_layers, n_heads, n_kv_heads, n_tokens);

  for (int layer = 0; layer < n_layers; layer++)
    trace->blocks[ENG_KIND_ENCODER].layers[layer].ready = TRUE;

  return trace;
}

/* A layer can be read when all of it is there, and not before. */
static void
test_grows (void)
{
  g_autoptr (EngTrace) trace = new_trace (N_LAYERS, N_HEADS, N_KV_HEADS, N_TOKENS);
  EngBlockTrace *block = &trace->blocks[ENG_KIND_ENCODER];
  EngMatrix matrix;

  for (int ready = 0; ready <= N_LAYERS; ready++) {
    for (int layer = -1; layer <= N_LAYERS; layer++) {
      g_autoptr (EngAttention) attention = eng_trace_dup_attention (trace, ENG_KIND_ENCODER,
                                                                    layer);
      gboolean there = layer >= 0 && layer < ready;

      g_assert_cmpint (eng_trace_has_layer (trace, ENG_KIND_ENCODER, layer), ==, there);
      g_assert_cmpint (attention != NULL, ==, there);
      g_assert_cmpint (eng_trace_get_queries (trace, ENG_KIND_ENCODER, layer, 0, &matrix), ==,
                       there);
      g_assert_cmpint (eng_trace_get_keys (trace, ENG_KIND_ENCODER, layer, 0, &matrix), ==,
                       there);
      g_assert_cmpint (eng_trace_get_values (trace, ENG_KIND_ENCODER, layer, 0, &matrix), ==,
                       there);
      g_assert_cmpfloat (eng_trace_get_scale (trace, ENG_KIND_ENCODER, layer), ==,
                         there ? 0.5 : 1);
    }
    if (ready < N_LAYERS)
      g_atomic_int_set (&block->layers[ready].ready, TRUE);
  }
  g_assert_cmpint (eng_trace_get_n_layers (trace, ENG_KIND_ENCODER), ==, N_LAYERS);
  g_assert_false (eng_trace_is_complete (trace));
  g_assert_false (eng_trace_has_kind (trace, ENG_KIND_DECODER));
  g_assert_false (eng_trace_has_layer (trace, ENG_KIND_DECODER, 0));
  g_assert_cmpint (eng_trace_get_n_layers (trace, ENG_KIND_DECODER), ==, 0);
}

/* Query heads 0 and 1 read key head 0, heads 2 and 3 read key head 1; rows are a stride apart. */
static void
test_views (void)
{
  g_autoptr (EngTrace) trace = new_ready_trace (N_LAYERS, N_HEADS, N_KV_HEADS, N_TOKENS);
  const EngLayerTrace *data = &trace->blocks[ENG_KIND_ENCODER].layers[1];
  EngMatrix queries, keys, values, bias;

  for (int head = 0; head < N_HEADS; head++) {
    g_assert_true (eng_trace_get_queries (trace, ENG_KIND_ENCODER, 1, head, &queries));
    g_assert_true (eng_trace_get_keys (trace, ENG_KIND_ENCODER, 1, head, &keys));
    g_assert_true (eng_trace_get_values (trace, ENG_KIND_ENCODER, 1, head, &values));
    g_assert_cmpint (queries.rows, ==, N_TOKENS);
    g_assert_cmpint (queries.cols, ==, SIZE);
    g_assert_cmpint (values.cols, ==, VALUE_SIZE);
    for (int row = 0; row < N_TOKENS; row++) {
      g_assert_true (queries.data + row * queries.stride ==
                     data->queries.data + row * N_HEADS * SIZE + head * SIZE);
      g_assert_true (keys.data + row * keys.stride ==
                     data->keys.data + row * N_KV_HEADS * SIZE + head / 2 * SIZE);
      g_assert_true (values.data + row * values.stride ==
                     data->values.data + row * N_KV_HEADS * VALUE_SIZE + head / 2 * VALUE_SIZE);
    }
  }
  g_assert_false (eng_trace_get_position_bias (trace, ENG_KIND_ENCODER, 1, 0, &bias));
  g_assert_null (eng_trace_get_mask (trace, ENG_KIND_ENCODER, 1));
}

/* Attention of a trace whose own reference is gone lives on, and with it the mask. */
static void
test_attention_outlives (void)
{
  EngTrace *trace = new_ready_trace (1, N_HEADS, N_KV_HEADS, N_TOKENS);
  guint8 *mask = g_new (guint8, N_TOKENS * N_TOKENS);
  g_autoptr (EngAttention) attention = NULL;

  for (int i = 0; i < N_TOKENS * N_TOKENS; i++)
    mask[i] = i % N_TOKENS <= i / N_TOKENS;
  trace->blocks[ENG_KIND_ENCODER].layers[0].mask = mask;
  eng_trace_keep (trace, mask, 0, g_free);
  attention = eng_trace_dup_attention (trace, ENG_KIND_ENCODER, 0);
  eng_trace_unref (trace);

  for (int head = 0; head < N_HEADS; head++)
    for (int query = 0; query < N_TOKENS; query++) {
      const float *row = attention->weights + (head * N_TOKENS + query) * N_TOKENS;
      double sum = 0;

      for (int key = 0; key < N_TOKENS; key++) {
        sum += row[key];
        g_assert_cmpint (row[key] == 0, ==, !attention->mask[query * N_TOKENS + key]);
      }
      g_assert_cmpfloat (fabs (sum - 1), <, 1e-6);
    }
}

static void
count (gpointer data)
{
  (*(int *) data)++;
}

static void
test_memory (void)
{
  EngTrace *trace = new_ready_trace (1, 1, 1, 2);
  int n_freed[2] = { 0, 0 };
  EngAttention *first, *second;

  eng_trace_keep (trace, &n_freed[0], 5, count);
  eng_trace_keep (trace, &n_freed[1], 7, count);
  g_assert_cmpuint (eng_trace_get_n_bytes (trace), ==, 12);
  first = eng_trace_dup_attention (trace, ENG_KIND_ENCODER, 0);
  second = eng_attention_ref (first);
  eng_trace_ref (trace);
  eng_trace_unref (trace);
  eng_trace_unref (trace);
  eng_attention_unref (first);
  g_assert_cmpint (n_freed[0] + n_freed[1], ==, 0);
  eng_attention_unref (second);
  g_assert_cmpint (n_freed[0], ==, 1);
  g_assert_cmpint (n_freed[1], ==, 1);
}

/* 64 MiB a layer: four fit into 256 MiB, of five the one that was asked for longest ago leaves. */
static void
test_kept (void)
{
  g_autoptr (EngTrace) trace = new_ready_trace (5, 1, 1, 4096);
  EngAttention *held[5];

  for (int layer = 0; layer < 5; layer++) {
    held[layer] = eng_trace_dup_attention (trace, ENG_KIND_ENCODER, layer);
    for (int i = 0; i <= layer && layer < 4; i++) {
      g_autoptr (EngAttention) again = eng_trace_dup_attention (trace, ENG_KIND_ENCODER, i);

      g_assert_true (again->weights == held[i]->weights);
    }
  }
  for (int layer = 4; layer >= 0; layer--) {
    g_autoptr (EngAttention) again = eng_trace_dup_attention (trace, ENG_KIND_ENCODER, layer);

    /* The held block is still in use, so that a new one has another address. */
    g_assert_cmpint (again->weights == held[layer]->weights, ==, layer > 0);
    g_assert_cmpmem (again->weights, 4096 * sizeof (float), held[layer]->weights,
                     4096 * sizeof (float));
  }
  for (int layer = 0; layer < 5; layer++)
    eng_attention_unref (held[layer]);
}

/* What is larger than the limit by itself stays as long as nothing else is asked for. */
static void
test_kept_alone (void)
{
  g_autoptr (EngTrace) trace = new_ready_trace (1, 5, 1, 3700);
  g_autoptr (EngAttention) first = eng_trace_dup_attention (trace, ENG_KIND_ENCODER, 0);
  g_autoptr (EngAttention) second = eng_trace_dup_attention (trace, ENG_KIND_ENCODER, 0);

  g_assert_cmpuint (5 * 3700 * 3700 * sizeof (float), >, 256 << 20);
  g_assert_true (first->weights == second->weights);
}

static gpointer
ask_many_times (gpointer data)
{
  EngTrace *trace = data;

  for (int i = 0; i < 200; i++) {
    g_autoptr (EngAttention) attention = eng_trace_dup_attention (trace, ENG_KIND_ENCODER,
                                                                  i % N_LAYERS);
    double sum = 0;

    for (int cell = 0; cell < N_HEADS * N_TOKENS * N_TOKENS; cell++)
      sum += attention->weights[cell];
    g_assert_cmpfloat (fabs (sum - N_HEADS * N_TOKENS), <, 1e-5);
    g_assert_nonnull (eng_trace_get_value_output_norms (trace, ENG_KIND_ENCODER, i % N_LAYERS,
                                                        1));
  }

  return NULL;
}

static int n_computed;

static gboolean
compute_norms (EngTrace *trace,
               EngKind   kind,
               int       layer,
               float    *norms)
{
  g_atomic_int_inc (&n_computed);
  for (int i = 0; i < N_HEADS * N_TOKENS; i++)
    norms[i] = (float) (100 * layer + i);

  return layer < 3;
}

static void
test_threads (void)
{
  g_autoptr (EngTrace) trace = new_ready_trace (N_LAYERS, N_HEADS, N_KV_HEADS, N_TOKENS);
  GThread *threads[4];

  n_computed = 0;
  trace->compute_value_output_norms = compute_norms;
  for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("ask", ask_many_times, trace);
  for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  g_assert_cmpint (n_computed, ==, N_LAYERS);
}

static void
test_norms (void)
{
  g_autoptr (EngTrace) trace = new_ready_trace (4, N_HEADS, N_KV_HEADS, N_TOKENS);
  const float *norms;

  g_assert_null (eng_trace_get_value_output_norms (trace, ENG_KIND_ENCODER, 0, 0));
  trace->compute_value_output_norms = compute_norms;
  norms = eng_trace_get_value_output_norms (trace, ENG_KIND_ENCODER, 2, 3);
  g_assert_cmpfloat (norms[0], ==, 200 + 3 * N_TOKENS);
  g_assert_true (eng_trace_get_value_output_norms (trace, ENG_KIND_ENCODER, 2, 3) == norms);
  g_assert_null (eng_trace_get_value_output_norms (trace, ENG_KIND_ENCODER, 3, 0));
}

static void
test_names (void)
{
  static const char *const kinds[] = { "encoder", "decoder", "cross" };
  static const char *const tasks[] = { "fill-mask", "next-sentence", "sentence-order",
                                       "text-classification", "entities", "replaced-tokens",
                                       "question-answering", "language-model" };
  EngKind kind;
  EngTask task;

  for (int i = 0; i < ENG_N_KINDS; i++) {
    g_assert_cmpstr (eng_kind_get_name ((EngKind) i), ==, kinds[i]);
    g_assert_true (eng_kind_from_name (kinds[i], &kind));
    g_assert_cmpint (kind, ==, i);
  }
  for (int i = 0; i < ENG_N_TASKS; i++) {
    g_assert_cmpstr (eng_task_get_name ((EngTask) i), ==, tasks[i]);
    g_assert_true (eng_task_from_name (tasks[i], &task));
    g_assert_cmpint (task, ==, i);
  }
  g_assert_false (eng_kind_from_name ("Encoder", &kind));
  g_assert_false (eng_kind_from_name (NULL, &kind));
  g_assert_false (eng_task_from_name ("", &task));
}

/* More than 32 bits hold. */
static void
test_counts (void)
{
  g_autoptr (EngTrace) trace = eng_trace_new ();

  trace->blocks[ENG_KIND_CROSS] = (EngBlockTrace) {
    .n_layers = 7, .n_heads = 12, .n_queries = 30000, .n_keys = 50000
  };
  g_assert_cmpuint (eng_trace_count_layer_weights (trace, ENG_KIND_CROSS), ==, 18000000000);
  g_assert_cmpuint (eng_trace_count_weights (trace, ENG_KIND_CROSS), ==, 126000000000);
  g_assert_cmpuint (eng_trace_count_weights (trace, ENG_KIND_ENCODER), ==, 0);
}

static void
test_empty (void)
{
  g_autoptr (EngTrace) trace = eng_trace_new ();
  EngMatrix matrix;

  g_assert_null (eng_trace_get_model_name (trace));
  g_assert_null (eng_trace_get_edits (trace)[0]);
  g_assert_cmpfloat (eng_trace_get_wall_time (trace), <, 0);
  g_assert_cmpfloat (eng_trace_get_stored_unit (trace), ==, nextafterf (1, 2) - 1);
  g_assert_false (eng_trace_get_logits (trace, ENG_TASK_FILL_MASK, &matrix, NULL));
  g_assert_false (eng_trace_get_hidden_states (trace, ENG_KIND_ENCODER, 0, &matrix));
  g_assert_null (eng_trace_dup_attention (trace, ENG_KIND_CROSS, 0));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/trace/grows", test_grows);
  g_test_add_func ("/trace/views", test_views);
  g_test_add_func ("/trace/attention-outlives", test_attention_outlives);
  g_test_add_func ("/trace/memory", test_memory);
  g_test_add_func ("/trace/kept", test_kept);
  g_test_add_func ("/trace/kept-alone", test_kept_alone);
  g_test_add_func ("/trace/threads", test_threads);
  g_test_add_func ("/trace/norms", test_norms);
  g_test_add_func ("/trace/names", test_names);
  g_test_add_func ("/trace/counts", test_counts);
  g_test_add_func ("/trace/empty", test_empty);

  return g_test_run ();
}
