/* SPDX-License-Identifier: MIT */
#include "ui/scene/base/readings.h"

#include <locale.h>
#include <string.h>

#include "tests/support/fields.h"
#include "tests/support/scene-case.h"
#include "tests/support/scene-trace.h"

#define N 40
#define N_A 20
#define N_HEADS 6

static double
get_weight (EngTrace *trace,
            int       head,
            int       query,
            int       key)
{
  return scene_trace_weight (trace, ENG_KIND_ENCODER, head, query, key);
}

static UiScene *
make_scene (EngTrace         *trace,
            const UiDocument *document)
{
  UiSceneOptions options = { .width = 992, .view_height = 600, .text_scale = 1 };

  return scene_case_new (trace, document, &options);
}

static UiDocument *
make_document (const char *heads,
               const char *pins,
               UiFilter    filter,
               gboolean    renormalise)
{
  UiDocument *document = ui_document_new ();

  fields_set (document, "heads", heads);
  fields_set (document, "pin", pins);
  document->filter = filter;
  document->renormalise = renormalise;
  return document;
}

static void
assert_sorted (const GArray *readings)
{
  for (guint i = 1; i < readings->len; i++)
    g_assert_cmpfloat (g_array_index (readings, UiReading, i - 1).weight + 1e-7, >=,
                       g_array_index (readings, UiReading, i).weight);
}

static void
test_row_and_column (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_long (N, N_HEADS);
  g_autoptr (UiDocument) document = make_document ("1,4", "", UI_FILTER_ALL, FALSE);
  g_autoptr (UiScene) scene = make_scene (trace, document);
  UiItem item = { .type = UI_ITEM_QUERY, .query = 7 };
  g_autoptr (GArray) reads = ui_scene_readings (scene, &item, TRUE);
  g_autoptr (GArray) is_read = ui_scene_readings (scene, &item, FALSE);
  double sum = 0;

  assert_sorted (reads);
  assert_sorted (is_read);
  g_assert_cmpint (reads->len, ==, N);
  for (guint i = 0; i < reads->len; i++) {
    const UiReading *reading = &g_array_index (reads, UiReading, i);
    double first = get_weight (trace, 1, 7, reading->token);
    double second = get_weight (trace, 4, 7, reading->token);

    g_assert_cmpfloat_with_epsilon (reading->weight, (first + second) / 2, 1e-9);
    g_assert_cmpfloat_with_epsilon (reading->per_head[1], first, 1e-7);
    g_assert_cmpfloat (reading->per_head[0], ==, 0);
    sum += reading->weight;
  }
  /* A row of attention sums to 1, a mean of rows too. */
  g_assert_cmpfloat_with_epsilon (sum, 1, 1e-5);
  for (guint i = 0; i < is_read->len; i++) {
    const UiReading *reading = &g_array_index (is_read, UiReading, i);

    g_assert_cmpfloat_with_epsilon (reading->per_head[4],
                                    get_weight (trace, 4, reading->token, 7), 1e-7);
  }
}

static double
sum_weights (EngTrace *trace,
             int       head,
             const int *queries,
             int        n_queries,
             const int *keys,
             int        n_keys)
{
  double sum = 0;

  for (int i = 0; i < n_queries; i++) {
    for (int j = 0; j < n_keys; j++)
      sum += get_weight (trace, head, queries[i], keys[j]);
  }
  return sum;
}

/* Several queries: their rows are added; several keys: their columns; both: only the links between
 * them. */
static void
test_pins (void)
{
  const int queries[] = { 2, 9 }, keys[] = { 3, 30, 31 };
  g_autoptr (EngTrace) trace = scene_trace_new_long (N, N_HEADS);
  g_autoptr (UiDocument) rows = make_document ("0", "2,9", UI_FILTER_ALL, FALSE);
  g_autoptr (UiDocument) columns = make_document ("0", "k:3,k:30,k:31", UI_FILTER_ALL, FALSE);
  g_autoptr (UiDocument) both = make_document ("0", "2,9,k:3,k:30,k:31", UI_FILTER_ALL, FALSE);
  g_autoptr (UiScene) rows_scene = make_scene (trace, rows);
  g_autoptr (UiScene) columns_scene = make_scene (trace, columns);
  g_autoptr (UiScene) both_scene = make_scene (trace, both);
  g_autoptr (GArray) of_rows = ui_scene_readings (rows_scene, NULL, TRUE);
  g_autoptr (GArray) of_columns = ui_scene_readings (columns_scene, NULL, FALSE);
  g_autoptr (GArray) between = ui_scene_readings (both_scene, NULL, TRUE);
  g_autoptr (GArray) readers = ui_scene_readings (both_scene, NULL, FALSE);

  for (guint i = 0; i < of_rows->len; i++) {
    const UiReading *reading = &g_array_index (of_rows, UiReading, i);

    g_assert_cmpfloat_with_epsilon (reading->weight,
                                    sum_weights (trace, 0, queries, 2, &reading->token, 1), 1e-6);
  }
  for (guint i = 0; i < of_columns->len; i++) {
    const UiReading *reading = &g_array_index (of_columns, UiReading, i);

    g_assert_cmpfloat_with_epsilon (reading->weight,
                                    sum_weights (trace, 0, &reading->token, 1, keys, 3), 1e-6);
  }
  g_assert_cmpint (between->len, ==, 3);
  for (guint i = 0; i < between->len; i++) {
    const UiReading *reading = &g_array_index (between, UiReading, i);

    g_assert_true (reading->token == 3 || reading->token == 30 || reading->token == 31);
    g_assert_cmpfloat_with_epsilon (reading->weight,
                                    sum_weights (trace, 0, queries, 2, &reading->token, 1), 1e-6);
  }
  g_assert_cmpint (readers->len, ==, 2);
}

static void
test_filter_and_renormalise (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_long (N, N_HEADS);
  g_autoptr (UiDocument) plain = make_document ("all", "", UI_FILTER_AB, FALSE);
  g_autoptr (UiDocument) renormalised = make_document ("all", "", UI_FILTER_AB, TRUE);
  g_autoptr (UiScene) plain_scene = make_scene (trace, plain);
  g_autoptr (UiScene) scene = make_scene (trace, renormalised);
  UiItem in_a = { .type = UI_ITEM_QUERY, .query = 4 };
  UiItem in_b = { .type = UI_ITEM_QUERY, .query = N_A };
  g_autoptr (GArray) before = ui_scene_readings (plain_scene, &in_a, TRUE);
  g_autoptr (GArray) after = ui_scene_readings (scene, &in_a, TRUE);
  g_autoptr (GArray) none = ui_scene_readings (scene, &in_b, TRUE);
  double sums[N_HEADS] = { 0 };

  g_assert_cmpint (none->len, ==, 0);
  g_assert_cmpint (before->len, ==, N - N_A);
  for (guint i = 0; i < before->len; i++) {
    const UiReading *reading = &g_array_index (before, UiReading, i);

    g_assert_cmpint (reading->token, >=, N_A);
    g_assert_cmpfloat_with_epsilon (reading->per_head[2],
                                    get_weight (trace, 2, 4, reading->token), 1e-7);
  }
  for (guint i = 0; i < after->len; i++) {
    const UiReading *reading = &g_array_index (after, UiReading, i);

    for (int head = 0; head < N_HEADS; head++)
      sums[head] += reading->per_head[head];
  }
  for (int head = 0; head < N_HEADS; head++)
    g_assert_cmpfloat_with_epsilon (sums[head], 1, 1e-5);
}

/* A token of the one stack is not one of the other. */
static void
test_cross (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_cross (4, 9, 2);
  g_autoptr (UiDocument) document = make_document ("all", "", UI_FILTER_ALL, FALSE);
  g_autoptr (UiScene) scene = make_scene (trace, document);
  UiItem query = { .type = UI_ITEM_QUERY, .query = 3 }, key = { .type = UI_ITEM_KEY, .key = 8 };
  UiItem first_key = { .type = UI_ITEM_KEY, .key = 0 };
  g_autoptr (GArray) reads = ui_scene_readings (scene, &query, TRUE);
  g_autoptr (GArray) readers_of_query = ui_scene_readings (scene, &query, FALSE);
  g_autoptr (GArray) read_by_key = ui_scene_readings (scene, &key, TRUE);
  g_autoptr (GArray) masked = ui_scene_readings (scene, &key, FALSE);
  g_autoptr (GArray) seen = ui_scene_readings (scene, &first_key, FALSE);

  g_assert_cmpint (reads->len, ==, 4); /* the others are masked */
  g_assert_cmpint (readers_of_query->len, ==, 0);
  g_assert_cmpint (read_by_key->len, ==, 0);
  g_assert_cmpint (masked->len, ==, 0);
  g_assert_cmpint (seen->len, ==, 4);
}

/* Every link that is drawn, once, with all its digits, in every locale. */
static void
test_numbers (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_long (N, N_HEADS);
  g_autoptr (UiDocument) document = make_document ("2,3", "5,k:1,k:4", UI_FILTER_AA, FALSE);
  g_autoptr (UiScene) scene = NULL;
  g_autofree char *numbers = NULL;
  g_auto (GStrv) lines = NULL;
  int n = 0;

  document->threshold = 0;
  scene = make_scene (trace, document);
  numbers = ui_scene_numbers (scene);
  lines = g_strsplit (numbers, "\n", -1);
  g_assert_cmpstr (lines[0], ==, "layer\thead\tquery\tquery token\tkey\tkey token\tweight");
  for (int i = 1; lines[i] != NULL && lines[i][0] != '\0'; i++, n++) {
    g_auto (GStrv) cells = g_strsplit (lines[i], "\t", -1);
    int head, query, key;

    g_assert_cmpint (g_strv_length (cells), ==, 7);
    head = (int) g_ascii_strtoll (cells[1], NULL, 10);
    query = (int) g_ascii_strtoll (cells[2], NULL, 10);
    key = (int) g_ascii_strtoll (cells[4], NULL, 10);
    g_assert_cmpint (query, ==, 5);
    g_assert_cmpstr (cells[3], ==, "w5");
    g_assert_cmpfloat_with_epsilon (g_ascii_strtod (cells[6], NULL),
                                    get_weight (trace, head, query, key), 1e-7);
  }
  g_assert_cmpint (n, ==, 4);
}

static void
test_numbers_and_threshold (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_long (N, N_HEADS);
  g_autoptr (UiDocument) document = make_document ("all", "", UI_FILTER_ALL, FALSE);
  g_autoptr (UiScene) scene = NULL;
  g_autofree char *numbers = NULL;
  int expected = 0, n = -1;

  document->threshold = 0.1;
  scene = make_scene (trace, document);
  numbers = ui_scene_numbers (scene);
  for (int head = 0; head < N_HEADS; head++) {
    for (int i = 0; i < N * N; i++)
      expected += get_weight (trace, head, i / N, i % N) >= 0.1;
  }
  for (const char *p = numbers; *p != '\0'; p++)
    n += *p == '\n';
  g_assert_cmpint (n, ==, expected);
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/readings/row-and-column", test_row_and_column);
  g_test_add_func ("/scene/readings/pins", test_pins);
  g_test_add_func ("/scene/readings/filter-and-renormalise", test_filter_and_renormalise);
  g_test_add_func ("/scene/readings/cross", test_cross);
  g_test_add_func ("/scene/readings/numbers", test_numbers);
  g_test_add_func ("/scene/readings/numbers-and-threshold", test_numbers_and_threshold);
  return g_test_run ();
}
