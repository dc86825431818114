/* SPDX-License-Identifier: MIT */
/* Numbers of a scene as CSV, JSON and NPY, against the trace and against bytes that NumPy wrote. */
#include "ui/scene/export/numbers.h"

#include <glib/gstdio.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#include "engine/base/json.h"
#include "engine/trace/trace-private.h"
#include "tests/support/fields.h"
#include "tests/support/made-trace.h"
#include "tests/support/measured-trace.h"
#include "tests/support/scene-case.h"
#include "tests/support/scene-trace.h"
#include "tests/support/temporary.h"
#include "ui/document/table-text.h"
#include "ui/scene/export/export.h"
#include "ui/scene/views/comparison.h"
#include "ui/scene/views/factory.h"

#define N 10
#define N_A 6
#define N_HEADS 3

/* numpy.save() of numpy 2.3: np.zeros ((1, 2, 3), np.float32). */
static const char numpy_header[] =
  "\x93NUMPY\x01\x00v\x00{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2, 3), }"
  "                                                       \n";

static UiScene *
make_scene (EngTrace   *trace,
            const char *heads,
            const char *pins,
            const char *filter,
            const char *view)
{
  const char *const choices[][2] = {
    { "heads", heads }, { "pin", pins }, { "filter", filter }, { "view", view },
  };
  UiSceneOptions options = { .width = 992, .text_scale = 1 };
  g_autoptr (UiDocument) document = ui_document_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (choices); i++)
    fields_set (document, choices[i][0], choices[i][1]);
  return scene_case_new (trace, document, &options);
}

static GBytes *
get_bytes (const UiScene   *scene,
           UiNumbersFormat  format)
{
  g_autoptr (GError) error = NULL;
  GBytes *bytes = ui_numbers_to_bytes (scene, format, &error);

  g_assert_no_error (error);
  return bytes;
}

static double
get_weight (EngTrace *trace,
            int       head,
            int       query,
            int       key)
{
  return scene_trace_weight (trace, ENG_KIND_ENCODER, head, query, key);
}

static float
read_npy (GBytes *bytes,
          int     i)
{
  guint32 bits;
  float value;

  memcpy (&bits, (const guint8 *) g_bytes_get_data (bytes, NULL) + 128 + i * (int) sizeof bits,
          sizeof bits);
  bits = GUINT32_FROM_LE (bits);
  memcpy (&value, &bits, sizeof value);
  return value;
}

static void
test_npy_header (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (N_A, N - N_A, N_HEADS);
  g_autoptr (UiScene) scene = make_scene (trace, "1", "2,7,k:0,k:3,k:9", "all", "head");
  g_autoptr (GBytes) bytes = get_bytes (scene, UI_NUMBERS_NPY);
  const guint8 *data = g_bytes_get_data (bytes, NULL);
  static const int queries[] = { 2, 7 }, keys[] = { 0, 3, 9 };

  g_assert_cmpint (g_bytes_get_size (bytes), ==, 128 + 6 * sizeof (float));
  g_assert_cmpmem (data, 128, numpy_header, 128);
  for (int i = 0; i < 6; i++)
    g_assert_cmpfloat (read_npy (bytes, i), ==,
                       (float) get_weight (trace, 1, queries[i / 3], keys[i % 3]));
}

/* A filter takes rows and columns away; nothing is lost under the threshold. */
static void
test_npy_filter (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (N_A, N - N_A, N_HEADS);
  g_autoptr (UiScene) scene = make_scene (trace, "all", "", "ab", "head");
  g_autoptr (GBytes) bytes = get_bytes (scene, UI_NUMBERS_NPY);
  gsize size = g_bytes_get_size (bytes);

  g_assert_cmpint (size, ==, 128 + N_HEADS * N_A * (N - N_A) * sizeof (float));
  g_assert_nonnull (memmem (g_bytes_get_data (bytes, NULL), 128, "(3, 6, 4)", 9));
}

/* All heads of all layers, whichever of them are marked; the layer in the middle lacks. */
static void
test_npy_model (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N - N_A, N_HEADS, 3);
  g_autoptr (UiScene) scene = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *words = NULL;
  const int n = N_A * (N - N_A);

  g_atomic_int_set (&trace->blocks[ENG_KIND_ENCODER].layers[1].ready, FALSE);
  scene = make_scene (trace, "1", "2,k:3", "ab", "model");
  bytes = get_bytes (scene, UI_NUMBERS_NPY);
  words = ui_numbers_describe (scene, UI_NUMBERS_NPY, NULL);
  g_assert_cmpstr (words, ==, "3 layers × 3 heads × 6 rows × 4 columns");
  g_assert_nonnull (memmem (g_bytes_get_data (bytes, NULL), 128, "(3, 3, 6, 4)", 12));
  g_assert_cmpint (g_bytes_get_size (bytes), ==, 128 + 3 * N_HEADS * n * sizeof (float));
  for (int layer = 0; layer < 3; layer++) {
    g_autoptr (EngAttention) attention =
      layer == 1 ? NULL : eng_trace_dup_attention (trace, ENG_KIND_ENCODER, layer);

    for (int i = 0; i < N_HEADS * n; i++) {
      const float value = read_npy (bytes, layer * N_HEADS * n + i);
      const int query = i / (N - N_A) % N_A, key = N_A + i % (N - N_A);

      if (layer == 1)
        g_assert_true (isnan (value));
      else
        g_assert_cmpfloat (value, ==, attention->weights[(i / n * N + query) * N + key]);
    }
  }
}

static cJSON *
read_json (const UiScene *scene)
{
  g_autoptr (GBytes) bytes = get_bytes (scene, UI_NUMBERS_JSON);
  g_autofree char *text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_autoptr (GError) error = NULL;
  cJSON *object = eng_json_parse (text, strlen (text), 8, "numbers", &error);

  g_assert_no_error (error);
  return object;
}

static double
number_at (const cJSON *heads,
           int          head,
           int          row,
           int          column)
{
  return cJSON_GetArrayItem (cJSON_GetArrayItem (cJSON_GetArrayItem (heads, head), row),
                             column)->valuedouble;
}

/* What was typed for unknown tokens stands behind all other cells, and in JSON beside the token; of
 * two sides all lines have as many cells. */
static void
test_typed (void)
{
  static const char *const known[] = { "cat", "sat", NULL };
  static const char *const unknown[] = { "cat", "[UNK]", NULL };
  g_autoptr (EngTrace) plain = scene_trace_new (known, NULL, 1);
  g_autoptr (EngTrace) trace = scene_trace_new (unknown, NULL, 1);
  EngTokens *tokens = (EngTokens *) eng_trace_get_query_tokens (trace, ENG_KIND_ENCODER);
  UiSceneOptions options = { .width = 992, .text_scale = 1 };
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiScene) scene = NULL, sides = NULL;
  g_autofree char *numbers = NULL, *of_sides = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (cJSON) object = NULL;
  const cJSON *queries;

  tokens->typed[2] = g_strdup ("Łódź");
  document->threshold = 0;
  scene = scene_case_new (trace, document, &options);
  numbers = ui_scene_numbers (scene);
  g_assert_nonnull (strstr (numbers, "\tweight\tquery typed\tkey typed\n"));
  g_assert_nonnull (strstr (numbers, "\n0\t0\t2\t[UNK]\t1\tcat\t"));
  g_assert_nonnull (strstr (numbers, "\tŁódź\t\n"));
  g_assert_nonnull (strstr (numbers, "\t\tŁódź\n"));
  object = read_json (scene);
  queries = eng_json_find (object, "queries");
  g_assert_cmpstr (eng_json_find (cJSON_GetArrayItem (queries, 2), "text")->valuestring, ==,
                   "[UNK]");
  g_assert_cmpstr (eng_json_find (cJSON_GetArrayItem (queries, 2), "typed")->valuestring, ==,
                   "Łódź");
  g_assert_null (eng_json_find (cJSON_GetArrayItem (queries, 1), "typed"));

  document->compare = UI_COMPARE_SIDES;
  sides = ui_comparison_new (plain, trace, document, &options, NULL);
  of_sides = ui_scene_numbers (sides);
  lines = g_strsplit (of_sides, "\n", -1);
  for (int i = 0; *lines[i] != '\0'; i++) {
    g_auto (GStrv) cells = g_strsplit (lines[i], "\t", -1);

    g_assert_cmpint (g_strv_length (cells), ==, 10);
  }
}

/* Behind all numbers of both sides: what was typed of the cell's two tokens. */
static void
test_typed_difference (void)
{
  static const char *const unknown[] = { "cat", "[UNK]", NULL };
  g_autoptr (EngTrace) first = scene_trace_new (unknown, NULL, 1);
  g_autoptr (EngTrace) second = scene_trace_new (unknown, NULL, 1);
  EngTrace *const traces[] = { first, second };
  UiSceneOptions options = { .width = 992, .text_scale = 1 };
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiScene) scene = NULL;
  g_autofree char *numbers = NULL;
  g_auto (GStrv) lines = NULL;
  int n_typed = 0;

  for (int i = 0; i < 2; i++)
    ((EngTokens *) eng_trace_get_query_tokens (traces[i], ENG_KIND_ENCODER))->typed[2] =
      g_strdup ("Łódź");
  document->compare = UI_COMPARE_DIFFERENCE;
  scene = ui_comparison_new (first, second, document, &options, NULL);
  numbers = ui_scene_numbers (scene);
  lines = g_strsplit (numbers, "\n", -1);
  g_assert_true (g_str_has_suffix (lines[0], "\tdifference\tquery typed\tkey typed"));
  for (int i = 1; *lines[i] != '\0'; i++) {
    g_auto (GStrv) cells = g_strsplit (lines[i], "\t", -1);

    g_assert_cmpint (g_strv_length (cells), ==, 11);
    for (int axis = 0; axis < 2; axis++) {
      gboolean is_unknown = g_str_equal (cells[axis == 0 ? 2 : 5], "[UNK]");

      g_assert_cmpstr (cells[9 + axis], ==, is_unknown ? "Łódź" : "");
      n_typed += is_unknown;
    }
  }
  g_assert_cmpint (n_typed, ==, 2 * eng_trace_get_query_tokens (first, ENG_KIND_ENCODER)->n);
}

/* Of each vector's token, behind all numbers. */
static void
test_typed_neurons (void)
{
  EngTrace *trace = made_trace_new (4, 0, 2, 1);
  EngTokens *tokens = (EngTokens *) eng_trace_get_query_tokens (trace, ENG_KIND_ENCODER);
  g_autoptr (UiScene) plain = make_scene (trace, "0", "1", "all", "neuron");
  g_autofree char *without = ui_scene_numbers (plain);
  g_autoptr (UiScene) scene = NULL;
  g_autofree char *numbers = NULL;
  g_auto (GStrv) lines = NULL;
  g_auto (GStrv) heading = NULL;
  int n_typed = 0;

  g_assert_null (strstr (without, "typed"));
  tokens->typed[1] = g_strdup ("Łódź");
  scene = make_scene (trace, "0", "1", "all", "neuron");
  numbers = ui_scene_numbers (scene);
  lines = g_strsplit (numbers, "\n", -1);
  g_assert_true (g_str_has_suffix (lines[0], "\ttyped"));
  heading = g_strsplit (lines[0], "\t", -1);
  for (int i = 1; *lines[i] != '\0'; i++) {
    g_auto (GStrv) cells = g_strsplit (lines[i], "\t", -1);
    gboolean is_unknown = g_str_equal (cells[1], "1");

    g_assert_cmpint (g_strv_length (cells), ==, g_strv_length (heading));
    g_assert_cmpstr (cells[g_strv_length (cells) - 1], ==, is_unknown ? "Łódź" : "");
    n_typed += is_unknown;
  }
  /* q, k, q × k: the trace has no values. */
  g_assert_cmpint (n_typed, ==, 3);
  eng_trace_unref (trace);
}

static void
test_json (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (N_A, N - N_A, N_HEADS);
  g_autoptr (UiScene) scene = make_scene (trace, "0,2", "", "ba", "head");
  g_autoptr (GBytes) bytes = get_bytes (scene, UI_NUMBERS_JSON);
  g_autofree char *text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_autoptr (GError) error = NULL;
  g_autoptr (cJSON) object = eng_json_parse (text, strlen (text), 8, "numbers", &error);
  const cJSON *values, *queries;

  g_assert_no_error (error);
  g_assert_cmpstr (eng_json_find (object, "measure")->valuestring, ==, "weight");
  g_assert_cmpint (cJSON_GetArrayItem (eng_json_find (object, "heads"), 1)->valueint, ==, 2);
  queries = eng_json_find (object, "queries");
  g_assert_cmpint (cJSON_GetArraySize (queries), ==, N - N_A);
  g_assert_cmpint (eng_json_find (cJSON_GetArrayItem (queries, 0), "index")->valueint, ==, N_A);
  g_assert_cmpstr (eng_json_find (cJSON_GetArrayItem (queries, 0), "text")->valuestring, ==, "w6");
  g_assert_cmpint (cJSON_GetArraySize (eng_json_find (object, "keys")), ==, N_A);
  values = eng_json_find (object, "values");
  for (int head = 0; head < 2; head++)
    for (int row = 0; row < N - N_A; row++)
      for (int column = 0; column < N_A; column++)
        g_assert_cmpfloat ((float) number_at (values, head, row, column), ==,
                           (float) get_weight (trace, 2 * head, N_A + row, column));
}

/* Numbers say what was done with them: edits, and layers that were put together. */
static void
test_json_origin (void)
{
  static const char *const edits[] = { "zero 0.1", NULL };
  g_autoptr (EngTrace) trace = measured_trace_new ();
  UiSceneOptions options = { .width = 992, .text_scale = 1 };
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (UiScene) scene = NULL;
  g_autoptr (cJSON) object = NULL;

  g_strfreev (trace->edit_texts);
  trace->edit_texts = g_strdupv ((char **) edits);
  document->layers = UI_AGGREGATE_MEAN;
  document->words = document->hide_special = document->renormalise = TRUE;
  scene = ui_scene_new (trace, document, &options, &error);
  g_assert_no_error (error);
  object = read_json (scene);
  g_assert_cmpstr (cJSON_GetArrayItem (eng_json_find (object, "edits"), 0)->valuestring, ==,
                   edits[0]);
  g_assert_true (cJSON_IsNull (eng_json_find (object, "layer")));
  g_assert_cmpstr (eng_json_find (object, "layers")->valuestring, ==, "mean");
  g_assert_true (cJSON_IsTrue (eng_json_find (object, "hide_special")));
  g_assert_true (cJSON_IsTrue (eng_json_find (object, "renormalised")));
  g_assert_true (cJSON_IsTrue (eng_json_find (object, "words")));
}

/* A head without a pair of sentences has no number for what goes between them. */
static void
test_json_model (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (N_A, 0, N_HEADS);
  g_autoptr (UiScene) scene = make_scene (trace, "all", "", "all", "model");
  g_autoptr (cJSON) object = read_json (scene);
  const cJSON *row = cJSON_GetArrayItem (eng_json_find (object, "rows"), 0);
  const cJSON *column;
  int i = 0;

  cJSON_ArrayForEach (column, eng_json_find (object, "columns")) {
    const cJSON *cell = cJSON_GetArrayItem (row, i++);

    g_assert_true (g_str_equal (column->valuestring, "pattern") ? cJSON_IsString (cell)
                                                                : !cJSON_IsString (cell));
    if (g_str_equal (column->valuestring, "ab"))
      g_assert_true (cJSON_IsNull (cell));
  }
}

/* Head 0 on the first side, head 2 on the second. */
static UiScene *
make_sides (EngTrace  *first,
            EngTrace  *second,
            UiCompare  compare)
{
  UiSceneOptions options = { .width = 992, .text_scale = 1 };
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (GError) error = NULL;
  UiScene *scene;

  document->compare = compare;
  ui_document_set (document, ui_fields_find ("heads"), "0", NULL);
  ui_document_set (document, ui_fields_find ("compare-heads"), "2", NULL);
  scene = ui_comparison_new (first, second, document, &options, &error);
  g_assert_no_error (error);
  return scene;
}

/* The heads of the panels follow each other. */
static void
test_npy_panels (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (N_A, N - N_A, N_HEADS);
  g_autoptr (UiScene) scene = make_sides (trace, trace, UI_COMPARE_SIDES);
  g_autoptr (GBytes) bytes = get_bytes (scene, UI_NUMBERS_NPY);
  g_autofree char *words = ui_numbers_describe (scene, UI_NUMBERS_NPY, NULL);
  const guint8 *data = g_bytes_get_data (bytes, NULL);

  g_assert_cmpstr (words, ==, "2 heads × 10 rows × 10 columns");
  g_assert_cmpint (g_bytes_get_size (bytes), ==, 128 + 2 * N * N * sizeof (float));
  g_assert_nonnull (memmem (data, 128, "(2, 10, 10)", 11));
  for (int i = 0; i < 2 * N * N; i++)
    g_assert_cmpfloat (read_npy (bytes, i), ==,
                       (float) get_weight (trace, i / (N * N) * 2, i / N % N, i % N));
}

static void
test_json_panels (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (N_A, N - N_A, N_HEADS);
  g_autoptr (EngTrace) other = scene_trace_new_exact (N_A, 2, N_HEADS);
  g_autoptr (UiScene) scene = make_sides (trace, other, UI_COMPARE_SIDES);
  g_autoptr (GBytes) bytes = get_bytes (scene, UI_NUMBERS_JSON);
  g_autofree char *text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_autoptr (GError) error = NULL;
  g_autoptr (cJSON) object = eng_json_parse (text, strlen (text), 8, "numbers", &error);
  const cJSON *panels, *second;

  g_assert_no_error (error);
  panels = eng_json_find (object, "panels");
  g_assert_cmpint (cJSON_GetArraySize (panels), ==, 2);
  second = cJSON_GetArrayItem (panels, 1);
  g_assert_cmpstr (eng_json_find (second, "panel")->valuestring, ==, "b");
  g_assert_cmpint (cJSON_GetArrayItem (eng_json_find (second, "heads"), 0)->valueint, ==, 2);
  g_assert_cmpint (cJSON_GetArraySize (eng_json_find (second, "keys")), ==, N_A + 2);
  g_assert_cmpfloat ((float) number_at (eng_json_find (second, "values"), 0, 3, 5), ==,
                     (float) get_weight (other, 2, 3, 5));

  /* Texts of another length are no one array. */
  g_assert_null (ui_numbers_to_bytes (scene, UI_NUMBERS_NPY, &error));
  g_assert_error (error, UI_ERROR, UI_ERROR_VALUE);
  g_assert_nonnull (strstr (error->message, "10 rows and 10 columns and b 8 and 8"));
}

static void
test_json_difference (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (N_A, N - N_A, N_HEADS);
  g_autoptr (UiScene) scene = make_sides (trace, trace, UI_COMPARE_DIFFERENCE);
  g_autoptr (GBytes) bytes = get_bytes (scene, UI_NUMBERS_JSON);
  g_autofree char *text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_autoptr (GError) error = NULL;
  g_autoptr (cJSON) object = eng_json_parse (text, strlen (text), 8, "numbers", &error);
  const cJSON *query, *second;

  g_assert_no_error (error);
  g_assert_cmpstr (eng_json_find (object, "compare")->valuestring, ==, "difference");
  g_assert_cmpint (cJSON_GetArrayItem (eng_json_find (object, "heads"), 0)->valueint, ==, 0);
  second = eng_json_find (object, "second");
  g_assert_cmpint (cJSON_GetArrayItem (eng_json_find (second, "heads"), 0)->valueint, ==, 2);
  query = cJSON_GetArrayItem (eng_json_find (object, "queries"), 4);
  g_assert_cmpint (eng_json_find (query, "first")->valueint, ==, 4);
  g_assert_cmpint (eng_json_find (query, "second")->valueint, ==, 4);
  for (int key = 0; key < N; key++)
    g_assert_cmpfloat (ABS (number_at (eng_json_find (object, "values"), 0, 4, key)
                            - (get_weight (trace, 0, 4, key) - get_weight (trace, 2, 4, key))),
                       <, 1e-6);
}

/* Two tokens before the last are of the first side alone. */
static void
test_lacking_side (void)
{
  g_autoptr (EngTrace) first = scene_trace_new_exact (N_A, 0, N_HEADS);
  g_autoptr (EngTrace) second = scene_trace_new_exact (N_A - 2, 0, N_HEADS);
  g_autoptr (UiScene) scene = make_sides (first, second, UI_COMPARE_DIFFERENCE);
  g_autoptr (GBytes) array = get_bytes (scene, UI_NUMBERS_NPY);
  g_autoptr (cJSON) object = read_json (scene);
  const char *bytes = g_bytes_get_data (array, NULL);
  const cJSON *rows = cJSON_GetArrayItem (eng_json_find (object, "values"), 0);

  for (int row = 0; row < N_A; row++)
    for (int column = 0; column < N_A; column++) {
      const cJSON *cell = cJSON_GetArrayItem (cJSON_GetArrayItem (rows, row), column);
      const gboolean lacks = (row >= N_A - 3 && row < N_A - 1)
                             || (column >= N_A - 3 && column < N_A - 1);
      float value;

      memcpy (&value, bytes + 128 + (gsize) (row * N_A + column) * sizeof value, sizeof value);
      g_assert_cmpint (isnan (value) != 0, ==, lacks);
      g_assert_cmpint (cJSON_IsNull (cell), ==, lacks);
    }
}

/* One line a number, the heading before them. */
static void
test_csv (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (N_A, N - N_A, N_HEADS);
  g_autoptr (UiScene) scene = make_scene (trace, "1", "2", "all", "head");
  g_autoptr (GBytes) bytes = get_bytes (scene, UI_NUMBERS_CSV);
  g_autofree char *text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  g_assert_cmpint (g_strv_length (lines), ==, 1 + N + 1);
  g_assert_true (g_str_has_prefix (lines[0], "layer,head,query,"));
  for (int key = 0; key < N; key++) {
    g_auto (GStrv) cells = g_strsplit (lines[1 + key], ",", -1);
    int n = (int) g_strv_length (cells);

    g_assert_cmpstr (cells[1], ==, "1");
    g_assert_cmpstr (cells[2], ==, "2");
    g_assert_cmpint (atoi (cells[4]), ==, key);
    g_assert_cmpfloat (ABS (g_ascii_strtod (cells[n - 1], NULL) - get_weight (trace, 1, 2, key)),
                       <, 1e-6);
  }
}

static void
test_quoting (void)
{
  g_autofree char *csv = ui_table_to_csv ("token\tweight\n,\t1\nsay \"it\"\t2\n\t\r\nlast\t\n");

  g_assert_cmpstr (csv, ==, "token,weight\n\",\",1\n\"say \"\"it\"\"\",2\n,\"\r\"\nlast,\n");
}

static void
test_formats (void)
{
  UiNumbersFormat format;

  g_assert_true (ui_numbers_format_from_path ("a.b/numbers.NPY", &format));
  g_assert_cmpint (format, ==, UI_NUMBERS_NPY);
  g_assert_true (ui_numbers_format_from_path ("x.csv", &format));
  g_assert_cmpint (format, ==, UI_NUMBERS_CSV);
  g_assert_false (ui_numbers_format_from_path ("json", &format));
  g_assert_false (ui_numbers_format_from_path ("x.svg", &format));
}

/* The file is there whole or not at all. */
static void
test_write (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (N_A, N - N_A, N_HEADS);
  g_autoptr (UiScene) scene = make_scene (trace, "1", "", "all", "head");
  const UiDocument *document = ui_scene_get_document (scene);
  g_autoptr (GBytes) expected = get_bytes (scene, UI_NUMBERS_NPY);
  char *folder = temporary_new ();
  g_autofree char *path = g_build_filename (folder, "numbers.npy", NULL);
  g_autofree char *nowhere = g_build_filename (folder, "no", "numbers.npy", NULL);
  g_autofree char *contents = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  g_assert_true (ui_figure_write_scene (scene, document, path, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &contents, &length, NULL));
  g_assert_cmpmem (contents, length, g_bytes_get_data (expected, NULL),
                   g_bytes_get_size (expected));

  g_assert_false (ui_figure_write_scene (scene, document, nowhere, &error));
  g_assert_nonnull (strstr (error->message, nowhere));
  g_assert_cmpint (temporary_count (folder), ==, 1);
  temporary_free (folder);
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/scene/numbers/typed", test_typed);
  g_test_add_func ("/scene/numbers/typed-difference", test_typed_difference);
  g_test_add_func ("/scene/numbers/typed-neurons", test_typed_neurons);
  g_test_add_func ("/scene/numbers/npy-header", test_npy_header);
  g_test_add_func ("/scene/numbers/npy-filter", test_npy_filter);
  g_test_add_func ("/scene/numbers/npy-model", test_npy_model);
  g_test_add_func ("/scene/numbers/json", test_json);
  g_test_add_func ("/scene/numbers/json-origin", test_json_origin);
  g_test_add_func ("/scene/numbers/json-model", test_json_model);
  g_test_add_func ("/scene/numbers/npy-panels", test_npy_panels);
  g_test_add_func ("/scene/numbers/json-panels", test_json_panels);
  g_test_add_func ("/scene/numbers/json-difference", test_json_difference);
  g_test_add_func ("/scene/numbers/lacking-side", test_lacking_side);
  g_test_add_func ("/scene/numbers/csv", test_csv);
  g_test_add_func ("/scene/numbers/quoting", test_quoting);
  g_test_add_func ("/scene/numbers/formats", test_formats);
  g_test_add_func ("/scene/numbers/write", test_write);

  return g_test_run ();
}
