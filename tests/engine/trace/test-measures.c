/* SPDX-License-Identifier: MIT */
/* Measures, patterns, facts of heads and links against what numpy made of the same passes and files
 * (tests/record/record_measures.py), and the laws that measures keep. */
#include "tests/engine/trace/rollout-case.h"

#include <locale.h>
#include <math.h>

#include "engine/base/json.h"
#include "engine/trace/head-facts.h"
#include "engine/trace/link-search.h"
#include "engine/trace/trace-file.h"
#include "engine/trace/trace-private.h"
#include "engine/transformer/inputs.h"
#include "engine/transformer/session.h"
#include "tests/support/reference.h"
#include "tests/support/traces.h"

static const char *const measure_names[ENG_N_MEASURES] = {
  "weight", "value-norm", "output-norm", "rollout",
};

static double largest_difference;

/* As the engine promises: 1e-5 · max (1, largest magnitude). */
static void
assert_near (double ours,
             double reference,
             double magnitude)
{
  double difference = fabs (ours - reference) / MAX (1, magnitude);

  g_assert_cmpfloat (difference, <=, REFERENCE_TOLERANCE);
  largest_difference = MAX (largest_difference, difference);
}

static double
get_number (const cJSON *array,
            int          index)
{
  const cJSON *item = cJSON_GetArrayItem (array, index);

  g_assert_true (cJSON_IsNumber (item));

  return item->valuedouble;
}

/* null is NAN. */
static void
assert_item (float        ours,
             const cJSON *array,
             int          index)
{
  if (cJSON_IsNull (cJSON_GetArrayItem (array, index)))
    g_assert_true (isnan (ours));
  else
    assert_near ((double) ours, get_number (array, index), 1);
}

static void
compare_patterns (const EngAttention *attention,
                  const EngTokens    *queries,
                  const EngTokens    *keys,
                  const EngHeadFacts *facts,
                  const cJSON        *expected)
{
  const cJSON *evidence, *row;
  float chances[ENG_N_PATTERNS];
  int head = 0;

  eng_patterns_find_chances (attention, queries, keys, chances);
  cJSON_ArrayForEach (row, eng_json_find (expected, "scores")) {
    for (int i = 0; i < ENG_N_PATTERNS; i++)
      assert_item (facts[head].scores[i], row, i);
    head++;
  }
  g_assert_cmpint (head, ==, attention->n_heads);
  for (int i = 0; i < ENG_N_PATTERNS; i++)
    assert_item (chances[i], eng_json_find (expected, "chances"), i);

  cJSON_ArrayForEach (evidence, eng_json_find (expected, "evidence")) {
    EngPatternEvidence found =
      eng_patterns_find_evidence (attention, queries, keys, (int) get_number (evidence, 0),
                                  (EngPattern) get_number (evidence, 1));

    g_assert_cmpint (found.n_rows, ==, (int) get_number (evidence, 2));
    g_assert_cmpint (found.n_hits, ==, (int) get_number (evidence, 3));
    g_assert_cmpint (found.query, ==, (int) get_number (evidence, 4));
    g_assert_cmpint (found.key, ==, (int) get_number (evidence, 5));
    assert_near ((double) found.weight, get_number (evidence, 6), 1);
  }
}

static void
compare_facts (const EngHeadFacts *facts,
               int                 n_heads,
               const cJSON        *expected)
{
  const cJSON *shares = eng_json_find (expected, "pair_share");

  for (int head = 0; head < n_heads; head++) {
    const cJSON *label = cJSON_GetArrayItem (eng_json_find (expected, "labels"), head);
    double entropy = get_number (eng_json_find (expected, "entropy"), head);
    const float *scores = facts[head].scores;

    assert_near ((double) facts[head].entropy, entropy, entropy);
    if (cJSON_IsNull (shares))
      g_assert_true (isnan (facts[head].pair_share));
    else
      assert_item (facts[head].pair_share, shares, head);
    if (!cJSON_IsNull (label))
      g_assert_cmpstr (eng_pattern_get_name (facts[head].label), ==, label->valuestring);
    g_assert_cmpmem (&facts[head].traffic_ab, sizeof (float), &scores[ENG_PATTERN_BLOCK_AB],
                     sizeof (float));
    g_assert_cmpmem (&facts[head].traffic_ba, sizeof (float), &scores[ENG_PATTERN_BLOCK_BA],
                     sizeof (float));
  }
}

/* cells: a list of [head, query, key, number]. */
static void
compare_cells (const EngAttention *block,
               const cJSON        *cells,
               double              magnitude)
{
  const cJSON *cell;

  cJSON_ArrayForEach (cell, cells) {
    int head = (int) get_number (cell, 0);
    int query = (int) get_number (cell, 1);
    int key = (int) get_number (cell, 2);

    assert_near ((double) block->weights[(head * block->n_queries + query) * block->n_keys + key],
                 get_number (cell, 3), magnitude);
  }
}

static void
compare_measure (EngTrace    *trace,
                 EngKind      kind,
                 int          layer,
                 EngMeasure   measure,
                 const cJSON *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EngAttention) block =
    eng_measures_dup_block (trace, kind, layer, measure, NULL, &error);
  const cJSON *sums = eng_json_find (expected, "sums");
  const cJSON *cells = eng_json_find (expected, "cells");
  double largest;

  g_assert_no_error (error);
  g_assert_cmpint (block->n_heads, ==, cJSON_GetArraySize (sums));
  g_assert_cmpint (block->n_queries, ==, eng_trace_get_n_queries (trace, kind));
  g_assert_cmpint (block->n_keys, ==, eng_trace_get_n_keys (trace, kind));
  /* The last cell that was recorded is the largest of all. */
  largest = get_number (cJSON_GetArrayItem (cells, cJSON_GetArraySize (cells) - 1), 3);
  compare_cells (block, cells, largest);
  for (int head = 0; head < block->n_heads; head++) {
    int n_cells = block->n_queries * block->n_keys;
    double sum = 0;

    for (int i = 0; i < n_cells; i++)
      sum += (double) block->weights[head * n_cells + i];
    assert_near (sum, get_number (sums, head), fabs (get_number (sums, head)));
  }
}

static void
compare_measures (EngTrace    *trace,
                  EngKind      kind,
                  int          layer,
                  const cJSON *expected)
{
  for (int measure = ENG_MEASURE_VALUE_NORM; measure < ENG_N_MEASURES; measure++) {
    const cJSON *reference = eng_json_find (expected, measure_names[measure]);

    g_assert_cmpint (eng_measures_has (trace, kind, layer, (EngMeasure) measure), ==,
                     reference != NULL);
    if (reference != NULL) {
      compare_measure (trace, kind, layer, (EngMeasure) measure, reference);
    } else {
      gboolean crossing = kind == ENG_KIND_CROSS && measure == ENG_MEASURE_ROLLOUT;
      g_autoptr (GError) error = NULL;

      g_assert_null (eng_measures_dup_block (trace, kind, layer, (EngMeasure) measure, NULL,
                                             &error));
      g_assert_cmpint (error->code, ==, crossing ? ENG_ERROR_UNSUPPORTED : ENG_ERROR_MISSING);
    }
  }
}

static void
compare_head_outputs (EngTrace           *trace,
                      EngKind             kind,
                      int                 layer,
                      const EngAttention *attention,
                      const cJSON        *expected)
{
  const cJSON *cell;
  EngMatrix values;

  if (expected == NULL)
    g_assert_false (eng_trace_get_values (trace, kind, layer, 0, &values));
  cJSON_ArrayForEach (cell, expected) {
    int head = (int) get_number (cell, 0);
    double reference = get_number (cell, 3);
    g_autofree double *output = NULL;

    g_assert_true (eng_trace_get_values (trace, kind, layer, head, &values));
    output = eng_measures_dup_head_output (attention, &values, head, (int) get_number (cell, 1));
    assert_near (output[(int) get_number (cell, 2)], reference, fabs (reference));
  }
}

static void
compare_links (EngTrace    *trace,
               EngKind      kind,
               const cJSON *expected)
{
  const cJSON *tokens = eng_json_find (expected, "tokens");
  int a = (int) get_number (tokens, 0);
  int b = (int) get_number (tokens, 1);

  for (int measure = 0; measure < ENG_N_MEASURES; measure++) {
    const cJSON *reference = eng_json_find (eng_json_find (expected, "links"),
                                            measure_names[measure]);
    int n = eng_json_find (reference, "n")->valueint;
    g_autoptr (GError) error = NULL;
    g_autoptr (GArray) links =
      eng_links_search (trace, kind, a, b, (EngMeasure) measure, NULL, &error);
    const cJSON *link;
    guint i = 0;

    if (links == NULL) {
      /* No layer has the measure. */
      g_assert_nonnull (error);
      g_assert_cmpint (n, ==, 0);
      continue;
    }
    g_assert_cmpint ((int) links->len, ==, n);
    cJSON_ArrayForEach (link, eng_json_find (reference, "strongest")) {
      const EngFoundLink *found = &g_array_index (links, EngFoundLink, i++);

      g_assert_cmpint (found->layer, ==, (int) get_number (link, 0));
      g_assert_cmpint (found->head, ==, (int) get_number (link, 1));
      g_assert_cmpint (found->query, ==, (int) get_number (link, 2));
      g_assert_cmpint (found->key, ==, (int) get_number (link, 3));
      assert_near (found->value, get_number (link, 4), get_number (link, 4));
    }
  }
}

/* The evidence that a trace keeps is that of its block, the first time and the second. */
static void
compare_evidence (EngTrace           *trace,
                  EngKind             kind,
                  int                 layer,
                  const EngAttention *attention)
{
  const EngHeadFacts *facts = eng_trace_get_head_facts (trace, kind, layer);

  for (int i = 0; i < 2 * attention->n_heads; i++) {
    const int head = i % attention->n_heads;
    const EngPatternEvidence expected =
      eng_patterns_find_evidence (attention, eng_trace_get_query_tokens (trace, kind),
                                  eng_trace_get_key_tokens (trace, kind), head, facts[head].label);
    EngPatternEvidence evidence;

    g_assert_true (eng_trace_get_head_evidence (trace, kind, layer, head, &evidence));
    g_assert_cmpint (evidence.n_rows, ==, expected.n_rows);
    g_assert_cmpint (evidence.n_hits, ==, expected.n_hits);
    g_assert_cmpint (evidence.query, ==, expected.query);
    g_assert_cmpint (evidence.key, ==, expected.key);
    g_assert_cmpfloat (evidence.weight, ==, expected.weight);
  }
}

static void
compare_block (EngTrace    *trace,
               const cJSON *expected)
{
  const cJSON *layers = eng_json_find (expected, "layers");
  const EngTokens *queries, *keys;
  const cJSON *entry;
  EngKind kind;

  g_assert_true (eng_kind_from_name (eng_json_find (expected, "kind")->valuestring, &kind));
  g_assert_cmpint (eng_trace_get_n_queries (trace, kind), ==,
                   eng_json_find (expected, "n_queries")->valueint);
  g_assert_cmpint (eng_trace_get_n_layers (trace, kind), ==, cJSON_GetArraySize (layers));
  queries = eng_trace_get_query_tokens (trace, kind);
  keys = eng_trace_get_key_tokens (trace, kind);
  cJSON_ArrayForEach (entry, layers) {
    int layer = eng_json_find (entry, "layer")->valueint;
    g_autoptr (EngAttention) attention = eng_trace_dup_attention (trace, kind, layer);
    const EngHeadFacts *facts = eng_trace_get_head_facts (trace, kind, layer);

    compare_patterns (attention, queries, keys, facts, entry);
    compare_facts (facts, attention->n_heads, entry);
    compare_evidence (trace, kind, layer, attention);
    g_assert_true (eng_trace_get_head_facts (trace, kind, layer) == facts);
    compare_measures (trace, kind, layer, eng_json_find (entry, "measures"));
    compare_head_outputs (trace, kind, layer, attention, eng_json_find (entry, "head_output"));
  }
  compare_links (trace, kind, expected);
}

static EngTrace *
run_pass (const char  *folder,
          const cJSON *expected)
{
  const cJSON *text_b = eng_json_find (expected, "text_b");
  EngTextOptions options = { .pad_to = eng_json_find (expected, "pad_to")->valueint };
  g_autoptr (GError) error = NULL;
  g_autoptr (EngModel) model = eng_model_open (folder, NULL, &error);
  g_autoptr (EngSession) session = NULL;
  g_auto (EngInputs) inputs = { 0 };
  EngRunRequest request = { 0 };
  EngTrace *trace;

  g_assert_no_error (error);
  eng_inputs_from_texts (model, eng_json_find (expected, "text_a")->valuestring,
                         cJSON_IsString (text_b) ? text_b->valuestring : NULL, &options, &inputs,
                         &error);
  g_assert_no_error (error);
  session = eng_session_new (model);
  request.tokens = inputs.tokens;
  trace = eng_session_run (session, &request, &error);
  g_assert_no_error (error);

  return trace;
}

/* (transfer full) NULL where its files are not there. */
static EngTrace *
open_case (const cJSON *expected)
{
  const char *shared = g_getenv ("HEADLIGHT_SHARED");
  const cJSON *file = eng_json_find (expected, "file");
  const cJSON *model = eng_json_find (expected, "model");
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  EngTrace *trace;

  if (file)
    path = traces_get_path (file->valuestring);
  else if (g_str_equal (model->valuestring, "headlight-mini"))
    path = g_test_build_filename (G_TEST_DIST, "..", "resources", "models", model->valuestring,
                                  NULL);
  else
    path = g_build_filename (shared ? shared : "../shared", "data", "checkpoints",
                             model->valuestring, NULL);
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return NULL;
  if (!file)
    return run_pass (path, expected);

  trace = eng_trace_file_open (path, &error);
  g_assert_no_error (error);

  return trace;
}

static void
test_recorded (gconstpointer data)
{
  const cJSON *expected = data;
  g_autoptr (EngTrace) trace = open_case (expected);
  const cJSON *block;

  if (!trace) {
    g_test_skip ("the data is not beside the project");
    return;
  }
  largest_difference = 0;
  cJSON_ArrayForEach (block, eng_json_find (expected, "blocks"))
    compare_block (trace, block);
  g_test_message ("largest difference %.1e", largest_difference);
}

/* What the heads of the bundled model do on the first pair that a person sees. */
static void
test_labels (gconstpointer data)
{
  static const struct {
    int        layer, head;
    EngPattern label;
  } known[] = {
    { 0, 4, ENG_PATTERN_NEXT },
    { 0, 10, ENG_PATTERN_TWO_BACK },
    { 1, 0, ENG_PATTERN_TWO_ON },
    { 1, 5, ENG_PATTERN_NEXT },
    { 1, 6, ENG_PATTERN_PREVIOUS },
    { 1, 9, ENG_PATTERN_SAME_TOKEN },
    { 3, 8, ENG_PATTERN_SAME_WORD_OTHER },
    { 3, 11, ENG_PATTERN_SAME_WORD_OTHER },
    { 5, 0, ENG_PATTERN_SAME_WORD_ANYWHERE },
    { 5, 9, ENG_PATTERN_SAME_WORD_ANYWHERE },
    { 0, 2, ENG_PATTERN_OWN_SENTENCE },
    { 0, 3, ENG_PATTERN_BROAD },
  };
  g_autoptr (EngTrace) trace = open_case (data);
  int n_specific = 0;

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    g_assert_cmpstr (
      eng_pattern_get_name (
        eng_trace_get_head_facts (trace, ENG_KIND_ENCODER, known[i].layer)[known[i].head].label),
      ==, eng_pattern_get_name (known[i].label));
  for (int layer = 0; layer < 6; layer++)
    for (int head = 0; head < 12; head++)
      n_specific += eng_trace_get_head_facts (trace, ENG_KIND_ENCODER, layer)[head].label
                    < ENG_PATTERN_OWN_SENTENCE;
  /* Eleven with thresholds of 0.4 and a label for each half of one's own sentence. */
  g_assert_cmpint (n_specific, >=, 24);
}

static gpointer
roll_in_thread (gpointer data)
{
  EngTrace *trace = data;
  GArray *seen = g_array_new (FALSE, FALSE, sizeof (gpointer));

  for (int layer = 7; layer >= 0; layer--) {
    g_autoptr (EngAttention) rollout = roll (trace, layer);
    gconstpointer facts = eng_trace_get_head_facts (trace, ENG_KIND_ENCODER, layer);
    gconstpointer weights = rollout->weights;

    g_array_append_val (seen, weights);
    g_array_append_val (seen, facts);
  }

  return seen;
}

/* Everybody gets the same block, which was computed once. */
static void
test_threads (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (30, 10, 4, 8);
  GThread *threads[4];
  GArray *seen[4];

  for (int i = 0; i < 4; i++)
    threads[i] = g_thread_new ("rollout", roll_in_thread, trace);
  for (int i = 0; i < 4; i++)
    seen[i] = g_thread_join (threads[i]);
  for (int i = 1; i < 4; i++)
    g_assert_cmpmem (seen[i]->data, seen[i]->len * sizeof (gpointer), seen[0]->data,
                     seen[0]->len * sizeof (gpointer));
  for (int i = 0; i < 4; i++)
    g_array_unref (seen[i]);
}

static void
assert_refused (EngTrace   *trace,
                EngKind     kind,
                int         layer,
                EngMeasure  measure,
                const char *message)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (eng_measures_has (trace, kind, layer, measure));
  g_assert_null (eng_measures_dup_block (trace, kind, layer, measure, NULL, &error));
  g_assert_nonnull (error);
  g_assert_cmpstr (error->message, ==, message);
}

static void
test_refused (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (4, 2, 2, 3);
  g_autoptr (GArray) links = NULL;
  g_autoptr (GError) error = NULL;
  EngPatternEvidence evidence;

  assert_refused (trace, ENG_KIND_ENCODER, 3, ENG_MEASURE_WEIGHT,
                  "weight: the encoder has no layer 3");
  assert_refused (trace, ENG_KIND_ENCODER, -1, ENG_MEASURE_ROLLOUT,
                  "rollout: the encoder has no layer -1");
  assert_refused (trace, ENG_KIND_DECODER, 0, ENG_MEASURE_WEIGHT,
                  "weight: the decoder has no layer 0");
  assert_refused (trace, ENG_KIND_ENCODER, 1, ENG_MEASURE_VALUE_NORM,
                  "weight × value norm: layer 1 of the encoder has no values");
  assert_refused (trace, ENG_KIND_ENCODER, 1, ENG_MEASURE_OUTPUT_NORM,
                  "weight × norm after the output projection: layer 1 of the encoder has no norms "
                  "of v W_O");
  /* A gap below. */
  g_atomic_int_set (&trace->blocks[ENG_KIND_ENCODER].layers[1].ready, FALSE);
  g_assert_true (eng_measures_has (trace, ENG_KIND_ENCODER, 0, ENG_MEASURE_ROLLOUT));
  assert_refused (trace, ENG_KIND_ENCODER, 2, ENG_MEASURE_ROLLOUT,
                  "rollout: up to layer 2 needs every layer from 0 on, but the encoder has no "
                  "layer 1");
  g_assert_null (eng_trace_get_head_facts (trace, ENG_KIND_ENCODER, 1));
  g_assert_false (eng_trace_get_head_evidence (trace, ENG_KIND_ENCODER, 1, 0, &evidence));
  g_assert_null (eng_trace_get_head_facts (trace, ENG_KIND_CROSS, 0));

  g_assert_null (eng_links_search (trace, ENG_KIND_ENCODER, 0, 6, ENG_MEASURE_WEIGHT, NULL,
                                   &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_RANGE);
  g_clear_error (&error);
  g_assert_null (eng_links_search (trace, ENG_KIND_ENCODER, 0, 1, ENG_MEASURE_VALUE_NORM, NULL,
                                   &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_MISSING);
  g_clear_error (&error);
  /* Search takes the layers that there are: two, with two heads and two directions each. */
  links = eng_links_search (trace, ENG_KIND_ENCODER, 0, 1, ENG_MEASURE_WEIGHT, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (links->len, ==, 8);
}

static void
test_cancelled (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (4, 2, 2, 3);
  g_autoptr (EngAttention) rollout = NULL;
  g_autoptr (GError) error = NULL;
  gint cancel = 1;

  g_assert_null (eng_measures_dup_block (trace, ENG_KIND_ENCODER, 2, ENG_MEASURE_ROLLOUT, &cancel,
                                         &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_null (eng_links_search (trace, ENG_KIND_ENCODER, 0, 1, ENG_MEASURE_WEIGHT, &cancel,
                                   &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_CANCELLED);
  g_clear_error (&error);

  /* Nothing half done was kept. */
  rollout = roll (trace, 2);
  g_assert_cmpfloat (rollout->weights[0], >, 0);
}

/* A derived block lives on its own, and after the trace. */
static void
test_blocks (void)
{
  float *weights = g_new (float, 2);
  EngTrace *trace = made_trace_new (4, 2, 2, 1);
  g_autoptr (EngAttention) rollout = roll (trace, 0);
  g_autoptr (EngAttention) block = eng_attention_new (1, 1, 2, weights, g_new0 (guint8, 2), NULL);
  g_autoptr (EngAttention) same = eng_attention_ref (block);

  weights[0] = 0.25f;
  eng_trace_unref (trace);
  g_assert_cmpfloat (rollout->weights[0], >, 0.5f);
  g_assert_cmpfloat (same->weights[0], ==, 0.25f);
  g_assert_cmpint (same->n_heads * same->n_queries * same->n_keys, ==, 2);
  g_assert_cmpint (same->mask[1], ==, 0);
}

/* What is read three times counts three times in what the head gives. */
static void
test_output_of_readings (void)
{
  static const float weights[2] = { 0.25f, 0.25f }, data[2] = { 2, 4 };
  static const guint8 readings[2] = { 3, 1 };
  EngAttention attention = { 1, 1, 2, weights, readings };
  EngMatrix values = { data, 2, 1, 1 };
  g_autofree double *output = eng_measures_dup_head_output (&attention, &values, 0, 0);

  g_assert_cmpfloat (output[0], ==, 2.5);
}

int
main (int    argc,
      char **argv)
{
  g_autofree char *path = NULL;
  g_autoptr (cJSON) cases = NULL;
  g_autoptr (GError) error = NULL;
  const cJSON *expected;
  int number = 0;

  g_assert_nonnull (setlocale (LC_ALL, ""));
  g_test_init (&argc, &argv, NULL);
  path = traces_get_path ("fixtures/measures/expected.json");
  cases = eng_json_read (path, 1 << 20, 12, &error);
  g_assert_no_error (error);

  cJSON_ArrayForEach (expected, cases) {
    const cJSON *file = eng_json_find (expected, "file");
    g_autofree char *name =
      g_strdup_printf ("/measures/recorded/%d-%s", number++,
                       (file ? file : eng_json_find (expected, "model"))->valuestring);

    g_test_add_data_func (name, expected, test_recorded);
  }
  g_test_add_data_func ("/measures/labels", cases->child, test_labels);
  g_test_add_func ("/measures/threads", test_threads);
  g_test_add_func ("/measures/refused", test_refused);
  g_test_add_func ("/measures/cancelled", test_cancelled);
  g_test_add_func ("/measures/blocks", test_blocks);
  g_test_add_func ("/measures/output-of-readings", test_output_of_readings);

  return g_test_run ();
}
