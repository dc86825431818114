/* SPDX-License-Identifier: MIT */
#include "engine/trace/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/json.h"
#include "tests/support/traces.h"

static void
test_entropy (void)
{
  const float uniform[8] = { 0.125f, 0.125f, 0.125f, 0.125f, 0.125f, 0.125f, 0.125f, 0.125f };
  const float one[3] = { 0, 1, 0 };
  const float half[4] = { 0.5f, 0.25f, 0.25f, 0 };
  const float cut[2] = { 0.5f, 0 };

  g_assert_cmpfloat (eng_measure_entropy (uniform, 8), ==, 3);
  g_assert_cmpfloat (eng_measure_entropy (one, 3), ==, 0);
  g_assert_cmpfloat (eng_measure_entropy (half, 4), ==, 1.5);
  g_assert_cmpfloat (eng_measure_entropy (cut, 2), ==, 0.5);
  g_assert_cmpfloat (eng_measure_entropy (half, 0), ==, 0);
}

/* Beside the logarithm of the library, over all magnitudes, a number of them that is no multiple of
 * anything. */
static void
test_entropy_of_many (void)
{
  enum { N = 1001 };
  float weights[N];
  double expected = 0;

  for (int i = 0; i < N; i++) {
    weights[i] = (float) (exp2 (-0.15 * i) * (1 + 0.7 * sin (i)));
    expected -= weights[i] > 0 ? weights[i] * log2 (weights[i]) : 0;
    g_assert_cmpfloat_with_epsilon (eng_measure_entropy (&weights[i], 1),
                                    weights[i] > 0 ? -weights[i] * log2 (weights[i]) : 0, 1e-12);
  }
  g_assert_cmpfloat_with_epsilon (eng_measure_entropy (weights, N), expected, 1e-10);
}

/* Two heads, three tokens of which the last belongs to B. */
static void
test_pair_share (void)
{
  const float weights[2 * 9] = {
    0.5f, 0.25f, 0.25f,  0, 1, 0,  0.5f, 0.25f, 0.25f,
    1, 0, 0,             0, 1, 0,  0, 0, 1,
  };
  EngAttention attention = { 2, 3, 3, weights, NULL };
  g_autoptr (EngTokens) tokens = eng_tokens_new (3);
  float share[2] = { 7, 7 };

  g_assert_false (eng_measure_pair_share (&attention, tokens, tokens, share));
  g_assert_cmpfloat (share[0], ==, 7);
  tokens->segments[2] = 1;
  g_assert_true (eng_measure_pair_share (&attention, tokens, tokens, share));
  g_assert_cmpfloat (fabs (share[0] - (0.25 + 0 + 0.75) / 3), <, 1e-7);
  g_assert_cmpfloat (share[1], ==, 0);

  /* A decoder of B alone: nothing could cross, which is no share of 0. */
  share[0] = 7;
  memset (tokens->segments, 1, 3 * sizeof *tokens->segments);
  g_assert_false (eng_measure_pair_share (&attention, tokens, tokens, share));
  g_assert_cmpfloat (share[0], ==, 7);
}

/* Two tokens of padding behind the three: nobody sees them, and the share is the same. A template
 * token that is seen is none. */
static void
test_padding (void)
{
  static const float weights[2 * 25] = {
    0.5f, 0.25f, 0.25f, 0, 0,  0, 1, 0, 0, 0,  0.5f, 0.25f, 0.25f, 0, 0,
    0, 0, 1, 0, 0,             0, 0.5f, 0.5f, 0, 0,
    1, 0, 0, 0, 0,             0, 1, 0, 0, 0,  0, 0, 1, 0, 0,
    0.5f, 0, 0.5f, 0, 0,       1, 0, 0, 0, 0,
  };
  guint8 mask[25];
  EngAttention attention = { 2, 5, 5, weights, mask };
  g_autoptr (EngTokens) tokens = eng_tokens_new (5);
  g_autoptr (EngTokens) others = eng_tokens_new (5);
  g_autofree guint8 *padding = NULL;
  float share[2];

  for (int i = 0; i < 25; i++)
    mask[i] = i % 5 < 3;
  tokens->segments[2] = tokens->segments[3] = 1;
  tokens->special[2] = tokens->special[3] = tokens->special[4] = 1;
  padding = eng_measure_mark_padding (&attention, tokens, tokens);
  g_assert_cmpmem (padding, 5, "\0\0\0\1\1", 5);
  g_assert_true (eng_measure_pair_share (&attention, tokens, tokens, share));
  g_assert_cmpfloat (fabs (share[0] - (0.25 + 0 + 0.75) / 3), <, 1e-7);
  g_assert_cmpfloat (share[1], ==, 0);

  g_assert_null (eng_measure_mark_padding (&attention, tokens, others));
  tokens->special[3] = tokens->special[4] = 0;
  g_assert_null (eng_measure_mark_padding (&attention, tokens, tokens));
}

/* Rows of B that read columns of A alone: everything crosses. */
static void
test_cross (void)
{
  const float weights[4] = { 0.5f, 0.5f, 0.25f, 0.75f };
  EngAttention attention = { 1, 2, 2, weights, NULL };
  g_autoptr (EngTokens) queries = eng_tokens_new (2);
  g_autoptr (EngTokens) keys = eng_tokens_new (2);
  float share;

  queries->segments[0] = queries->segments[1] = 1;
  g_assert_true (eng_measure_pair_share (&attention, queries, keys, &share));
  g_assert_cmpfloat (share, ==, 1);
}

static void
parse_name (const char *name,
            EngTrace   *trace,
            EngKind    *kind,
            int        *layer)
{
  *kind = g_str_has_prefix (name, "decoder_") ? ENG_KIND_DECODER
        : g_str_has_prefix (name, "cross_") ? ENG_KIND_CROSS
        : eng_trace_get_default_kind (trace);
  *layer = atoi (strrchr (name, '.') + 1);
}

static void
compare (EngTrace    *trace,
         const cJSON *expected)
{
  g_autoptr (EngAttention) attention = NULL;
  const cJSON *shares = eng_json_find (expected, "pair_share");
  const cJSON *entropies = eng_json_find (expected, "entropy_of_last_row");
  g_autofree float *share = NULL;
  const cJSON *weight;
  EngKind kind;
  int layer, n_keys;

  parse_name (expected->string, trace, &kind, &layer);
  attention = eng_trace_dup_attention (trace, kind, layer);
  n_keys = attention->n_keys;
  share = g_new0 (float, attention->n_heads);
  g_assert_cmpint (eng_measure_pair_share (attention, eng_trace_get_query_tokens (trace, kind),
                                           eng_trace_get_key_tokens (trace, kind), share),
                   ==, !cJSON_IsNull (shares));
  for (int head = 0; head < attention->n_heads; head++) {
    const float *row = attention->weights + ((head + 1) * attention->n_queries - 1) * n_keys;

    double entropy = cJSON_GetArrayItem (entropies, head)->valuedouble;

    g_assert_cmpfloat (fabs (eng_measure_entropy (row, n_keys) - entropy), <, 1e-6);
    if (!cJSON_IsNull (shares))
      g_assert_cmpfloat (fabs (share[head] - cJSON_GetArrayItem (shares, head)->valuedouble), <,
                         1e-6);
  }
  cJSON_ArrayForEach (weight, eng_json_find (expected, "weights")) {
    int place[3];
    int cell;

    for (int i = 0; i < 3; i++)
      place[i] = (int) cJSON_GetArrayItem (weight, i)->valuedouble;
    cell = (place[0] * attention->n_queries + place[1]) * n_keys + place[2];
    g_assert_cmpfloat (attention->weights[cell], ==,
                       (float) cJSON_GetArrayItem (weight, 3)->valuedouble);
  }
}

/* What numpy made of the same files; see tests/record/record_traces.py. */
static void
test_recorded (gconstpointer data)
{
  const cJSON *measures = data;
  g_autoptr (EngTrace) trace = traces_open (measures->string);
  const cJSON *member;
  int n_layers = 0;

  if (!trace)
    return;
  cJSON_ArrayForEach (member, measures)
    compare (trace, member);
  for (int kind = 0; kind < ENG_N_KINDS; kind++)
    for (int layer = 0; layer < eng_trace_get_n_layers (trace, (EngKind) kind); layer++)
      n_layers += eng_trace_has_layer (trace, (EngKind) kind, layer);
  g_assert_cmpint (n_layers, ==, cJSON_GetArraySize (measures));
}

int
main (int    argc,
      char **argv)
{
  g_autofree char *path = NULL;
  g_autoptr (cJSON) measures = NULL;
  g_autoptr (GError) error = NULL;
  const cJSON *file;

  g_test_init (&argc, &argv, NULL);
  path = traces_get_path ("fixtures/traces/measures.json");
  measures = eng_json_read (path, 1 << 20, 8, &error);
  g_assert_no_error (error);

  g_test_add_func ("/measure/entropy", test_entropy);
  g_test_add_func ("/measure/entropy-of-many", test_entropy_of_many);
  g_test_add_func ("/measure/pair-share", test_pair_share);
  g_test_add_func ("/measure/padding", test_padding);
  g_test_add_func ("/measure/cross", test_cross);
  cJSON_ArrayForEach (file, measures) {
    g_autofree char *name = g_strconcat ("/measure/recorded/", file->string, NULL);

    g_test_add_data_func (name, file, test_recorded);
  }

  return g_test_run ();
}
