/* SPDX-License-Identifier: MIT */
#include "ui/scene/neuron/neuron-scene.h"

#include <locale.h>
#include <math.h>
#include <string.h>

#include "engine/base/json.h"
#include "engine/trace/trace-private.h"
#include "tests/scene/neuron/neuron-case.h"
#include "tests/support/box-sink.h"
#include "tests/support/golden.h"
#include "tests/support/made-trace.h"
#include "tests/support/measured-trace.h"

static cJSON *
read_expected (void)
{
  g_autofree char *path = traces_get_path ("fixtures/scene/flies.json");
  g_autoptr (GError) error = NULL;
  cJSON *json = eng_json_read (path, 1 << 20, 8, &error);

  g_assert_no_error (error);
  return json;
}

/* Every number of the comparison against what torch gave. */
static void
test_numbers (void)
{
  g_autoptr (EngTrace) trace = open_flies ();
  g_autoptr (UiScene) scene = create_scene (trace, "heads=8 pin=2", 1000, 600);
  g_autoptr (cJSON) expected = read_expected ();
  g_autofree char *text = ui_scene_numbers (scene);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  double worst = 0;

  /* q, k, products, v, output and the empty line at the end */
  g_assert_cmpint (g_strv_length (lines), ==, 1 + 4 * N_TOKENS + 1 + 1);
  g_assert_true (g_str_has_prefix (lines[0], "vector\ttoken\ttext\t0\t1\t2\t"));
  g_assert_true (g_str_has_suffix (lines[0], "\t31\tq·k\tscore\tweight"));
  for (int key = 0; key < N_TOKENS; key++) {
    static const char *const names[] = { "products", "scores", "weights" };
    g_auto (GStrv) columns = g_strsplit (lines[1 + 2 * N_TOKENS + key], "\t", -1);
    double sum = 0;

    g_assert_cmpint (g_strv_length (columns), ==, 3 + N_DIMENSIONS + 3);
    for (int i = 0; i < 3; i++) {
      const cJSON *list = eng_json_find (expected, names[i]);
      double number = g_ascii_strtod (columns[3 + N_DIMENSIONS + i], NULL);

      worst = MAX (worst, ABS (number - cJSON_GetArrayItem (list, key)->valuedouble));
    }
    for (int i = 0; i < N_DIMENSIONS; i++)
      sum += g_ascii_strtod (columns[3 + i], NULL);
    g_assert_cmpfloat_with_epsilon (sum, g_ascii_strtod (columns[3 + N_DIMENSIONS], NULL), 1e-4);
  }
  g_test_message ("largest difference to torch: %.2g", worst);
  g_assert_cmpfloat (worst, <, 1e-5);
}

/* Σ softmax × v against what the model itself handed on, from a hook in torch. */
static void
test_output (void)
{
  static const char *const settings[] = { "heads=8 pin=2", "heads=8 pin=2 sort=true" };
  g_autoptr (EngTrace) trace = open_flies ();
  g_autoptr (cJSON) expected = read_expected ();
  const cJSON *output = eng_json_find (expected, "output");
  const cJSON *order = eng_json_find (expected, "order");

  for (gsize s = 0; s < G_N_ELEMENTS (settings); s++) {
    g_autoptr (UiScene) scene = create_scene (trace, settings[s], 1000, 600);
    g_autofree char *text = ui_scene_numbers (scene);
    g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
    g_auto (GStrv) columns = g_strsplit (lines[1 + 4 * N_TOKENS], "\t", -1);
    double worst = 0;

    g_assert_cmpstr (columns[0], ==, "output");
    g_assert_cmpstr (columns[2], ==, "flies");
    for (int i = 0; i < N_DIMENSIONS; i++) {
      int dimension = s == 0 ? i : cJSON_GetArrayItem (order, i)->valueint;
      double number = g_ascii_strtod (columns[3 + i], NULL);

      worst = MAX (worst, ABS (number - cJSON_GetArrayItem (output, dimension)->valuedouble));
    }
    g_test_message ("largest difference to torch: %.2g", worst);
    g_assert_cmpfloat (worst, <, 1e-6);
  }
}

/* The measured column: weight × length of the value, before and behind the projection. */
static void
test_measures (void)
{
  static const struct { const char *settings, *norms, *column, *legend; } cases[] = {
    { "heads=8 pin=2 measure=value-norm", "value_norms", "α‖v‖", "length of the value, α‖v‖" },
    { "heads=8 pin=2 measure=output-norm", "value_output_norms", "α‖v W_O‖",
      "length of the value behind the output projection" },
  };
  g_autoptr (EngTrace) trace = open_flies ();
  g_autoptr (cJSON) expected = read_expected ();
  const cJSON *weights = eng_json_find (expected, "weights");

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (UiScene) scene = create_scene (trace, cases[i].settings, 1000, 600);
    const cJSON *norms = eng_json_find (expected, cases[i].norms);
    g_autofree char *text = ui_scene_numbers (scene);
    g_autofree char *legend = ui_scene_legend (scene);
    g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

    g_assert_true (g_str_has_suffix (lines[0], cases[i].column));
    g_assert_nonnull (strstr (legend, cases[i].legend));
    for (int key = 0; key < N_TOKENS; key++) {
      g_auto (GStrv) columns = g_strsplit (lines[1 + 2 * N_TOKENS + key], "\t", -1);
      double right = cJSON_GetArrayItem (weights, key)->valuedouble
                     * cJSON_GetArrayItem (norms, key)->valuedouble;

      g_assert_cmpint (g_strv_length (columns), ==, 3 + N_DIMENSIONS + 4);
      g_assert_cmpfloat_with_epsilon (g_ascii_strtod (columns[3 + N_DIMENSIONS + 3], NULL), right,
                                      1e-6);
    }
  }
}

/* One head is shown as it is, and what is chosen for the other views is named. */
static void
test_not_applied (void)
{
  g_autoptr (EngTrace) trace = open_flies ();
  g_autoptr (UiScene) plain = create_scene (trace, "heads=8 gain=6 threshold=0.2", 1000, 600);
  g_autoptr (UiScene) chosen = create_scene (trace, "heads=8 mass=0.5 words=true layers=max", 1000,
                                             600);
  g_autofree char *plain_legend = ui_scene_legend (plain);
  g_autofree char *chosen_legend = ui_scene_legend (chosen);

  g_assert_nonnull (strstr (plain_legend, "Opacity = weight × 6, at most 1. Links under 0.20 are "
                                          "not drawn."));
  g_assert_null (strstr (plain_legend, "Not applied"));
  g_assert_nonnull (strstr (chosen_legend, " Not applied in this view: aggregates, mass, merged "
                                           "word pieces."));
}

/* A measure that one head has not, or this trace has not, leaves the weights and says so. */
static void
test_measure_not_there (void)
{
  g_autoptr (EngTrace) flies = open_flies ();
  g_autoptr (EngTrace) without_values = traces_open ("fixtures/traces/llama.safetensors");
  g_autoptr (UiScene) rollout = create_scene (flies, "heads=8 pin=2 measure=rollout", 1000, 600);
  g_autoptr (UiScene) lacking =
    create_scene (without_values, "heads=0 pin=1 measure=value-norm", 1000, 600);
  g_autofree char *rollout_legend = ui_scene_legend (rollout);
  g_autofree char *lacking_legend = ui_scene_legend (lacking);
  UiItem item = { UI_ITEM_MEASURE, HEAD, QUERY, 0, 0 };
  UiRect rect;

  g_assert_nonnull (strstr (rollout_legend, "of this one, weights are shown"));
  g_assert_nonnull (strstr (lacking_legend, "holds no lengths of the values"));
  g_assert_null (strstr (lacking_legend, "Output of the head"));
  g_assert_false (ui_scene_get_rect (rollout, &item, &rect));
}

static EngTrace *
open_edited (const char *edit)
{
  EngTrace *trace = open_flies ();

  g_strfreev (trace->edit_texts);
  trace->edit_texts = g_strsplit (edit, ";", -1);
  return trace;
}

/* The output of an edited head is what torch gave times the factor of the edit, in the table and
 * under the pointer, and that is said: only of the head and the layer that the edit is about. */
static void
test_scaled_head (void)
{
  static const struct { const char *edit, *equation; double factor; const char *sentence; } cases[] = {
    { "zero 0.8", "0 × Σ softmax × v  =", 0, "“flies” (2) is 0: an edit zeroes it." },
    { "scale 0.* 0.25", "0.25 × Σ softmax × v  =", 0.25,
      "is −0.006, 0.25 × the sum of weight × value over all keys; “banana” (11) has the largest part: "
      "+0.029 × 0.25." },
    { "zero 0.7", NULL, 1, "is −0.023, the sum of" },
    { "zero 1.8", NULL, 1, "is −0.023, the sum of" },
    { "zero cross 0.8", NULL, 1, "is −0.023, the sum of" },
    { "uniform 0.8", NULL, 1, "is −0.023, the sum of" },
  };
  g_autoptr (cJSON) expected = read_expected ();
  const cJSON *output = eng_json_find (expected, "output");

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    const UiItem cell = { UI_ITEM_OUTPUT_CELL, HEAD, 2, -1, 10 };
    g_autoptr (EngTrace) trace = open_edited (cases[i].edit);
    g_autoptr (UiScene) scene = create_scene (trace, "heads=8 pin=2", 1000, 600);
    g_autofree char *legend = ui_scene_legend (scene);
    g_autofree char *drawing = scene_case_print (scene, NULL);
    g_autofree char *sentence = ui_scene_describe (scene, &cell);
    g_autofree char *text = ui_scene_numbers (scene);
    g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
    g_auto (GStrv) columns = g_strsplit (lines[1 + 4 * N_TOKENS], "\t", -1);

    g_assert_cmpint (strstr (legend, "An edit multiplies the output") != NULL, ==,
                     cases[i].factor != 1);
    if (cases[i].equation != NULL)
      g_assert_nonnull (strstr (drawing, cases[i].equation));
    else
      g_assert_null (strstr (drawing, "× Σ"));
    g_assert_nonnull (strstr (sentence, cases[i].sentence));
    for (int d = 0; d < N_DIMENSIONS; d++) {
      double right = cases[i].factor * cJSON_GetArrayItem (output, d)->valuedouble;

      g_assert_cmpfloat_with_epsilon (g_ascii_strtod (columns[3 + d], NULL), right, 1e-6);
      g_assert_cmpstr (columns[3 + d], !=, "-0");
    }
  }
}

/* Score = scaled product + bias in every row that is not masked, and softmax of it is the weight
 * that torch recorded. */
static void
test_position_bias (void)
{
  g_autoptr (EngTrace) trace = open_t5 ();
  g_autoptr (UiScene) scene = create_scene (trace, "heads=1 pin=3 kind=decoder", 1000, 600);
  g_autofree char *text = ui_scene_numbers (scene);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  int n_keys = eng_trace_get_n_keys (trace, ENG_KIND_DECODER);
  double largest_bias = 0;
  double sum = 0;

  g_assert_true (g_str_has_suffix (lines[0], "q·k\tscaled q·k\tposition bias\tscore\tweight"));
  for (int pass = 0; pass < 2; pass++) {
    double total = sum;

    for (int key = 0; key < n_keys; key++) {
      g_auto (GStrv) columns = g_strsplit (lines[1 + 2 * n_keys + key], "\t", -1);
      char **last = columns + g_strv_length (columns) - 4;
      double bias = g_ascii_strtod (last[1], NULL);
      double score = g_ascii_strtod (last[2], NULL);

      g_assert_cmpfloat_with_epsilon (g_ascii_strtod (last[0], NULL) + bias, score, 1e-5);
      largest_bias = MAX (largest_bias, ABS (bias));
      if (pass == 0)
        sum += exp (score);
      else
        g_assert_cmpfloat_with_epsilon (g_ascii_strtod (last[3], NULL), exp (score) / total, 1e-5);
    }
  }
  g_assert_cmpfloat (largest_bias, >, 0);
}

/* Two terms, each in a column of its own, and their softmax is the weight that torch recorded. */
static void
test_position_terms (void)
{
  g_autoptr (EngTrace) trace = open_deberta ();
  g_autoptr (UiScene) scene = create_scene (trace, "heads=3 pin=4 layer=1", 1000, 600);
  g_autofree char *text = ui_scene_numbers (scene);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  int n_keys = eng_trace_get_n_keys (trace, ENG_KIND_ENCODER);
  double weights = 0, ratio = 0;

  g_assert_true (g_str_has_suffix (lines[0], "q·k\tscaled q·k\tquery to position\tposition to key\t"
                                             "score\tweight"));
  for (int key = 0; key < n_keys; key++) {
    g_auto (GStrv) columns = g_strsplit (lines[1 + 2 * n_keys + key], "\t", -1);
    char **last = columns + g_strv_length (columns) - 6;
    double numbers[6];

    for (int i = 0; i < 6; i++)
      numbers[i] = g_ascii_strtod (last[i], NULL);
    g_assert_cmpfloat_with_epsilon (numbers[0] / sqrt (15), numbers[1], 1e-5);
    g_assert_cmpfloat_with_epsilon (numbers[1] + numbers[2] + numbers[3], numbers[4], 1e-5);
    g_assert_cmpfloat (fabs (numbers[2]), >, 0);
    g_assert_cmpfloat (fabs (numbers[3]), >, 0);
    ratio = key == 0 ? numbers[5] / exp (numbers[4]) : ratio;
    g_assert_cmpfloat_with_epsilon (numbers[5], ratio * exp (numbers[4]), 1e-5);
    weights += numbers[5];
  }
  g_assert_cmpfloat_with_epsilon (weights, 1, 1e-5);
}

/* Every line has as many columns as the heading, which makes the text a table. */
static void
assert_is_table (const UiScene *scene)
{
  g_autofree char *text = ui_scene_numbers (scene);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  guint n_columns = 0;

  for (int i = 0; lines[i] != NULL && *lines[i] != '\0'; i++) {
    g_auto (GStrv) columns = g_strsplit (lines[i], "\t", -1);

    if (i == 0)
      n_columns = g_strv_length (columns);
    g_assert_cmpuint (g_strv_length (columns), ==, n_columns);
  }
}

/* Only what the layer has gets a column. */
static void
test_columns (void)
{
  static const struct { const char *settings; gboolean bias, mask; } cases[] = {
    { "heads=1 pin=1 kind=encoder", TRUE, FALSE },
    { "heads=1 pin=1 kind=decoder measure=value-norm", TRUE, TRUE },
    { "heads=1 pin=1 kind=cross", FALSE, FALSE },
  };
  g_autoptr (EngTrace) trace = open_t5 ();

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (UiScene) scene = create_scene (trace, cases[i].settings, 1000, 600);
    g_autofree char *drawing = scene_case_print (scene, NULL);

    g_assert_cmpint (strstr (drawing, "+ bias") != NULL, ==, cases[i].bias);
    g_assert_cmpint (strstr (drawing, " mask\n") != NULL, ==, cases[i].mask);
    g_assert_nonnull (strstr (drawing, "Σ softmax × v"));
    assert_is_table (scene);
  }
}

static void
test_sorted_dimensions (void)
{
  g_autoptr (EngTrace) trace = open_flies ();
  g_autoptr (UiScene) scene = create_scene (trace, "heads=8 pin=2 sort=true", 1000, 600);
  g_autoptr (UiScene) unpinned = create_scene (trace, "heads=8 sort=true", 1000, 600);
  g_autoptr (cJSON) expected = read_expected ();
  const cJSON *order = eng_json_find (expected, "order");
  g_autofree char *legend = ui_scene_legend (scene);
  g_autofree char *legend_of_all = ui_scene_legend (unpinned);

  for (int i = 0; i < N_DIMENSIONS; i++) {
    int dimension = ((UiNeuronScene *) scene)->order[i];

    g_assert_cmpint (dimension, ==, cJSON_GetArrayItem (order, i)->valueint);
  }
  g_assert_nonnull (strstr (legend, "Dimensions by Σ |q × k| over all keys and the pinned query, "
                            "largest first: 10, 16, 24,"));
  g_assert_nonnull (strstr (legend_of_all, "over all keys and all queries, largest first: "));
}

static void
test_masked (void)
{
  g_autoptr (EngTrace) causal = traces_open ("fixtures/traces/llama.safetensors");
  g_autoptr (UiScene) scene = create_scene (causal, "pin=1 heads=0", 1000, 600);
  UiItem item = { UI_ITEM_SCORE, 0, 1, 2, 0 };
  g_autofree char *sentence = ui_scene_describe (scene, &item);
  g_autofree char *legend = ui_scene_legend (scene);
  g_autofree char *drawing = scene_case_print (scene, NULL);

  g_assert_nonnull (strstr (sentence, "the model masks it"));
  g_assert_nonnull (strstr (legend, "Hatched: masked"));
  g_assert_nonnull (strstr (drawing, "hatch"));
  g_assert_nonnull (strstr (drawing, "masked"));
}

/* Without queries and keys, and when asked for, only the links of the one head are left. */
static void
test_collapsed (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (3, 3, 4, 2);
  const char *settings = "collapsed=true heads=2 filter=ab layer=1";
  g_autoptr (UiScene) asked = create_scene (trace, settings, 1000, 600);
  g_autoptr (UiScene) forced = NULL;
  g_autofree char *legend = ui_scene_legend (asked);
  g_autofree char *caption = ui_scene_caption (asked);
  g_autofree char *numbers = ui_scene_numbers (asked);
  g_autofree char *reason = NULL;

  g_assert_null (strstr (legend, "no queries and keys"));
  g_assert_null (strstr (legend, "A→B"));
  g_assert_nonnull (strstr (caption, "head 2"));
  g_assert_null (strstr (numbers, "\n1\t3\t"));
  g_assert_nonnull (strstr (numbers, "\n1\t2\t"));

  made_trace_forget_vectors (trace);
  forced = create_scene (trace, "heads=2 layer=1", 1000, 600);
  reason = ui_scene_legend (forced);
  g_assert_true (g_str_has_prefix (reason, "The trace holds no queries and keys of this layer"));
}

/* The formula in the heading and in words, whatever the scale, the cap and the bias. */
static void
test_score_formula (void)
{
  static const struct { double scale, cap; int n_biases; const char *formula; } cases[] = {
    { 0.17677669529663687, 0, 0, "q·k ÷ √32" },
    { 0.10206207261596575, 0, 2, "q·k ÷ √96 + bias + pos·k" },
    { 1, 0, 0, "q·k" },
    { 1, 0, 1, "q·k + bias" },
    { 0.125, 0, 1, "q·k × 0.125 + bias" },
    { 0.0625, 50, 0, "50 tanh (q·k × 0.0625 ÷ 50)" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    UiNeuronScene scene = {
      .layout = { .columns = { .n_dimensions = N_DIMENSIONS } },
      .scale = cases[i].scale,
      .soft_cap = cases[i].cap,
      .biases = { { .symbol = "bias" }, { .symbol = "pos·k" } },
      .n_biases = cases[i].n_biases,
      .n_terms = cases[i].n_biases == 2 ? 3 : 1,
    };
    g_autofree char *formula = ui_neuron_describe_score (&scene);

    g_assert_cmpstr (formula, ==, cases[i].formula);
  }
}

/* 2 tanh (q·k ÷ 2): of 2 ln 3 it is (9 - 1) / (9 + 1) · 2. */
static void
test_capped_score (void)
{
  static const float query[1] = { 2 }, key[1] = { 1.0986122886681098f };
  UiNeuronScene scene = {
    .query_vectors = { query, 1, 1, 1 }, .key_vectors = { key, 1, 1, 1 },
    .scale = 1, .soft_cap = 2, .n_terms = 1,
  };

  g_assert_cmpfloat_with_epsilon (ui_neuron_get_score (&scene, 0, 0), 1.6, 1e-6);
}

static void
test_describe_number (void)
{
  static const struct { double number; const char *text; } cases[] = {
    { 1.314, "+1.31" }, { -0.8, "−0.80" },     { 0, "0" },
    { -0.004, "<0.01" }, { 123.45, "+123.5" }, { -99.996, "−100.0" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *text = ui_neuron_describe_number (cases[i].number);

    g_assert_cmpstr (text, ==, cases[i].text);
  }
}

/* Beside each other a weight that is none and one that is small. */
static void
test_small_weights (void)
{
  static const float vectors[4 * 2] = { 0 };
  g_autoptr (EngTrace) trace = measured_trace_new ();
  EngBlockTrace *block = &trace->blocks[ENG_KIND_ENCODER];
  EngLayerTrace *layer = &block->layers[0];
  g_autoptr (UiScene) scene = NULL;
  g_autofree char *drawn = NULL;

  block->head_size = 2;
  layer->queries = layer->keys = (EngHeadRows) { vectors, 2, 0 };
  ((float *) layer->attention)[4 * 4 + 1] = 0.0004f;
  scene = create_scene (trace, "heads=1 pin=0", 1000, 600);
  drawn = scene_case_print (scene, NULL);
  g_assert_nonnull (strstr (drawn, " 1.000\n"));
  g_assert_nonnull (strstr (drawn, " <0.001\n"));
  g_assert_null (strstr (drawn, " 0.000\n"));
}

/* Of two stacks the words over both columns of tokens are longer than tokens, and within the window
 * all the same. */
static void
test_headings_of_stacks (void)
{
  g_autoptr (EngTrace) trace = open_t5 ();

  for (int width = 700; width <= 1300; width += 100) {
    g_autoptr (UiScene) scene = create_scene (trace, "heads=1 kind=cross", width, 600);
    g_autoptr (GArray) boxes = box_sink_new_array ();
    UiSink *sink = box_sink_new (boxes);
    double scene_width;
    int n_found = 0;

    ui_scene_get_size (scene, &scene_width, NULL);
    ui_scene_paint (scene, sink, NULL);
    box_sink_free (sink);
    for (guint i = 0; i < boxes->len; i++) {
      const TextBox *box = &g_array_index (boxes, TextBox, i);

      if (strstr (box->text, "coder") == NULL)
        continue;
      g_assert_cmpfloat (box->ink.x, >=, 0);
      g_assert_cmpfloat (box->ink.x + box->ink.width, <=, scene_width);
      n_found++;
    }
    g_assert_cmpint (n_found, ==, 2);
  }
}

static void
test_golden (gconstpointer data)
{
  const char *const *golden = data;
  g_autoptr (EngTrace) trace = strstr (golden[1], "kind") != NULL   ? open_t5 ()
                               : strstr (golden[1], "layer") != NULL ? open_deberta ()
                                                                     : open_flies ();
  g_autoptr (UiScene) scene = create_scene (trace, golden[1], 1000, 600);
  g_autofree char *text = scene_case_print (scene, NULL);

  golden_assert_equal (golden[0], text);
}

int
main (int    argc,
      char **argv)
{
  static const char *const goldens[][2] = {
    { "neuron-pinned.scene", "heads=8 pin=2" },
    { "neuron-bias-mask.scene", "heads=1 pin=2 kind=decoder measure=value-norm" },
    { "neuron-position-terms.scene", "heads=1 layer=1 pin=2" },
    { "neuron-stripes-dark.scene", "heads=8 pin=2 bands=stripes theme=dark sort=true" },
    { "neuron-unpinned.scene", "heads=8" },
  };

  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/neuron/numbers", test_numbers);
  g_test_add_func ("/scene/neuron/output", test_output);
  g_test_add_func ("/scene/neuron/measures", test_measures);
  g_test_add_func ("/scene/neuron/not-applied", test_not_applied);
  g_test_add_func ("/scene/neuron/measure-not-there", test_measure_not_there);
  g_test_add_func ("/scene/neuron/scaled-head", test_scaled_head);
  g_test_add_func ("/scene/neuron/position-bias", test_position_bias);
  g_test_add_func ("/scene/neuron/position-terms", test_position_terms);
  g_test_add_func ("/scene/neuron/columns", test_columns);
  g_test_add_func ("/scene/neuron/sorted-dimensions", test_sorted_dimensions);
  g_test_add_func ("/scene/neuron/masked", test_masked);
  g_test_add_func ("/scene/neuron/collapsed", test_collapsed);
  g_test_add_func ("/scene/neuron/score-formula", test_score_formula);
  g_test_add_func ("/scene/neuron/capped-score", test_capped_score);
  g_test_add_func ("/scene/neuron/describe-number", test_describe_number);
  g_test_add_func ("/scene/neuron/small-weights", test_small_weights);
  g_test_add_func ("/scene/neuron/headings-of-stacks", test_headings_of_stacks);
  for (gsize i = 0; i < G_N_ELEMENTS (goldens); i++) {
    g_autofree char *path = g_strconcat ("/scene/neuron/golden/", goldens[i][0], NULL);

    g_test_add_data_func (path, goldens[i], test_golden);
  }
  return g_test_run ();
}
