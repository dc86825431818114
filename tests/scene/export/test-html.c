/* SPDX-License-Identifier: MIT */
/* Web pages: they stand alone, hold the picture's own numbers, and can be parts of another page. */
#include <locale.h>
#include <string.h>

#include "engine/base/json.h"
#include "tests/support/count.h"
#include "tests/support/fields.h"
#include "tests/support/scene-trace.h"
#include "ui/scene/export/export.h"
#include "ui/scene/export/html-script.h"

#define N_A 6
#define N_B 4
#define N (N_A + N_B)
#define N_HEADS 3

static char *
make_page (EngTrace   *trace,
           const char *view,
           const char *heads,
           const char *threshold)
{
  const char *const choices[][2] = {
    { "view", view }, { "heads", heads }, { "threshold", threshold },
  };
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (choices); i++)
    fields_set (document, choices[i][0], choices[i][1]);
  bytes = ui_figure_to_bytes (trace, document, UI_FIGURE_HTML, &error);
  g_assert_no_error (error);
  return g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

static cJSON *
read_data (const char *page)
{
  const char *start = strstr (page, "<script type=\"application/json\">");
  const char *end;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  cJSON *object;

  g_assert_nonnull (start);
  start = strchr (start, '>') + 1;
  end = strstr (start, "</script>");
  text = g_strndup (start, (gsize) (end - start));
  object = eng_json_parse (text, strlen (text), 8, "page", &error);
  g_assert_no_error (error);
  return object;
}

static float *
read_values (const cJSON *data,
             gsize        n)
{
  gsize size;
  guint32 *bits = (guint32 *) g_base64_decode (eng_json_find (data, "values")->valuestring, &size);

  g_assert_cmpint (size, ==, n * sizeof (float));
  for (gsize i = 0; i < n; i++)
    bits[i] = GUINT32_FROM_LE (bits[i]);
  return (float *) bits;
}

/* Nothing is loaded, and every id begins with the figure's own. */
static void
test_stands_alone (void)
{
  static const char *const views[] = { "head", "matrix", "model", "neuron" };

  for (gsize i = 0; i < G_N_ELEMENTS (views); i++) {
    g_autoptr (EngTrace) trace = scene_trace_new_exact (N_A, N_B, N_HEADS);
    g_autofree char *page = make_page (trace, views[i], "1", "0");
    g_autofree char *again = make_page (trace, views[i], "1", "0");
    g_autofree char *prefix = NULL;
    const char *id = strstr (page, "<figure id=\"");

    g_assert_cmpstr (page, ==, again);
    g_assert_true (g_str_has_prefix (page, "<!DOCTYPE html>"));
    g_assert_cmpint (count (page, "http"), ==, count (page, "http://www.w3.org/2000/svg"));
    g_assert_null (strstr (page, "src="));
    g_assert_null (strstr (page, "@import"));
    g_assert_null (strstr (page, "%s"));
    prefix = g_strndup (id + strlen ("<figure "), strcspn (id + strlen ("<figure id=\""), "\"")
                                                  + strlen ("id=\""));
    /* The script names one of them. */
    g_assert_cmpint (count (page, " id=\"") + 1, ==, count (page, prefix));
  }
}

/* Links are those that the picture draws. */
static void
test_head_view (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (N_A, N_B, N_HEADS);
  g_autofree char *page = make_page (trace, "head", "0,2", "0.1");
  g_autoptr (cJSON) data = read_data (page);
  g_autofree float *values = read_values (data, 2 * N * N);
  const cJSON *field = eng_json_find (data, "field");

  for (int i = 0; i < 2 * N * N; i++) {
    double weight = scene_trace_weight (trace, ENG_KIND_ENCODER, 2 * (i / (N * N)), i / N % N,
                                        i % N);

    g_assert_cmpfloat (values[i], ==, weight >= 0.1 ? (float) weight : 0);
  }
  g_assert_cmpint (cJSON_GetArraySize (eng_json_find (data, "queries")), ==, N);
  g_assert_cmpint (cJSON_GetArraySize (eng_json_find (field, "keys")), ==, N);
  g_assert_cmpint (cJSON_GetArraySize (eng_json_find (field, "colors")), ==, 2);
  g_assert_cmpint (count (page, "class=\"spot\""), ==, 2 * N);
  g_assert_nonnull (strstr (page, "“w2” (2), sentence A, reads "));
  g_assert_nonnull (strstr (page, "-links\">"));
}

static void
test_matrix (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (N_A, N_B, N_HEADS);
  g_autofree char *page = make_page (trace, "matrix", "1", "0");
  g_autoptr (cJSON) data = read_data (page);
  g_autofree float *values = read_values (data, N * N);
  const cJSON *cells = eng_json_find (data, "cells");

  for (int i = 0; i < N * N; i++)
    g_assert_cmpfloat (values[i], ==, (float) scene_trace_weight (trace, ENG_KIND_ENCODER, 1,
                                                                  i / N, i % N));
  g_assert_cmpint (cJSON_GetArraySize (eng_json_find (cells, "rows")), ==, N);
  g_assert_cmpint (cJSON_GetArraySize (eng_json_find (cells, "columns")), ==, N);
}

static void
test_model_view (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (N_A, N_B, N_HEADS);
  g_autofree char *page = make_page (trace, "model", "all", "0");

  g_assert_cmpint (count (page, "class=\"spot\""), ==, N_HEADS);
}

/* A token that would end the script, and one that is markup. */
static void
test_hostile_tokens (void)
{
  static const char *const words[] = {
    "</script><!--<script>alert(1)</script>", "<b>&amp;\"'", NULL
  };
  g_autoptr (EngTrace) trace = scene_trace_new (words, NULL, 2);
  g_autofree char *page = make_page (trace, "head", "all", "0");
  g_autoptr (cJSON) data = read_data (page);

  g_assert_cmpint (count (page, "</script>"), ==, 2);
  g_assert_cmpint (count (page, "<script>"), ==, 1);
  g_assert_null (strstr (page, "<b>&amp;\"'</"));
  g_assert_cmpstr (cJSON_GetArrayItem (eng_json_find (data, "queries"), 1)->valuestring, ==,
                   words[0]);
}

static void
test_script_is_small (void)
{
  g_assert_cmpint (strlen (ui_html_script) + strlen (ui_html_style), <, 6 * 1024);
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/scene/html/stands-alone", test_stands_alone);
  g_test_add_func ("/scene/html/head-view", test_head_view);
  g_test_add_func ("/scene/html/matrix", test_matrix);
  g_test_add_func ("/scene/html/model-view", test_model_view);
  g_test_add_func ("/scene/html/hostile-tokens", test_hostile_tokens);
  g_test_add_func ("/scene/html/script-is-small", test_script_is_small);

  return g_test_run ();
}
