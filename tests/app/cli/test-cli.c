/* SPDX-License-Identifier: MIT */
/* The command line as a user calls it: the built program, its exit status, stdout and stderr. */
#include <glib/gstdio.h>
#include <locale.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/json.h"
#include "engine/trace/trace-file.h"
#include "tests/support/command-line.h"
#include "tests/support/safetensors-bytes.h"

static char *folder; /* a temporary one for this process */

static char *
in_folder (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static int
int_at (const cJSON *array,
        int          index)
{
  return cJSON_GetArrayItem (array, index)->valueint;
}

static void
test_tokenize (void)
{
  g_auto (Run) run = { 0 };
  g_autoptr (cJSON) object = NULL;
  const cJSON *spans;
  int n;

  run_headlight (&run, "tokenize", "--json", "Time flies", "caf\xc3\xa9", NULL);
  object = parse_output (&run);
  n = cJSON_GetArraySize (eng_json_find (object, "tokens"));
  g_assert_cmpint (n, >=, 6);
  for (int i = 0; i < 7; i++) {
    static const char *const keys[] = { "tokens", "pieces", "ids", "type_ids", "segments",
                                        "special", "spans" };

    g_assert_cmpint (cJSON_GetArraySize (eng_json_find (object, keys[i])), ==, n);
  }
  g_assert_cmpstr (eng_json_find (object, "model")->valuestring, ==, "headlight-mini");
  g_assert_cmpstr (cJSON_GetArrayItem (eng_json_find (object, "tokens"), 0)->valuestring, ==,
                   "[CLS]");
  spans = eng_json_find (object, "spans");
  g_assert_true (cJSON_IsNull (cJSON_GetArrayItem (spans, 0)));
  g_assert_cmpint (int_at (cJSON_GetArrayItem (spans, 1), 0), ==, 0);
  g_assert_cmpint (int_at (cJSON_GetArrayItem (spans, 1), 1), ==, 4);
  /* The last typed token ends with the second text: five bytes, not four letters. */
  g_assert_cmpint (int_at (cJSON_GetArrayItem (spans, n - 2), 1), ==, 5);
}

static void
test_trace_and_render (void)
{
  static const char *const endings[][2] = { { "a.svg", "<?xml" }, { "a.pdf", "%PDF-" },
                                            { "a.png", "\x89PNG" } };
  g_auto (Run) run = { 0 };
  g_autoptr (cJSON) object = NULL;
  g_autofree char *trace_path = in_folder ("a.safetensors");
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTrace) trace = NULL;

  run_headlight (&run, "trace", "--json", "--logits", "-o", trace_path, "The cat sat",
                 "The dog lay", NULL);
  object = parse_output (&run);
  g_assert_cmpint (eng_json_find (object, "layers")->valueint, ==, 6);
  g_assert_cmpint (eng_json_find (object, "heads")->valueint, ==, 12);
  g_assert_cmpint (eng_json_find (object, "tokens")->valueint, ==, 9);
  g_assert_cmpfloat (eng_json_find (object, "milliseconds")->valuedouble, >, 0);
  g_assert_cmpstr (eng_json_find (object, "path")->valuestring, ==, trace_path);

  trace = eng_trace_file_open (trace_path, &error);
  g_assert_no_error (error);
  g_assert_cmpint (eng_trace_get_n_queries (trace, ENG_KIND_ENCODER), ==, 9);

  for (gsize i = 0; i < G_N_ELEMENTS (endings); i++) {
    g_autofree char *path = in_folder (endings[i][0]);
    g_autofree char *contents = NULL;
    g_auto (Run) from_file = { 0 };
    g_auto (Run) from_text = { 0 };

    run_headlight (&from_text, "render", "--layer", "2", "--heads", "3,8", "-o", path,
                   "The cat sat", "The dog lay", NULL);
    assert_done (&from_text);
    g_assert_cmpstr (from_text.out, ==, "");
    g_file_get_contents (path, &contents, NULL, &error);
    g_assert_no_error (error);
    g_assert_true (g_str_has_prefix (contents, endings[i][1]));

    run_headlight (&from_file, "render", "--trace", trace_path, "--view", "neuron", "--heads", "8",
                   "--width", "40cm", "-o", path, NULL);
    assert_done (&from_file);
  }
}

/* So are names that the width has no room for, with one that has. */
static void
test_lost_names (void)
{
  static const char said[] = ": names below the maps have no room in a width of 6.0 cm; in ";
  g_autofree char *figure = in_folder ("names.svg");
  g_autofree char *width = NULL;
  g_auto (Run) narrow = { 0 };
  g_auto (Run) wide = { 0 };
  const char *end;

  run_headlight (&narrow, "render", "--view", "model", "--width", "6cm", "--font-size", "9pt", "-o",
                 figure, "The cat sat", NULL);
  g_assert_cmpint (narrow.status, ==, 0);
  end = strstr (narrow.err, said);
  g_assert_nonnull (end);
  width = g_strdup_printf ("%.*scm", (int) strcspn (end + strlen (said), " "), end + strlen (said));
  g_assert_nonnull (strstr (end, " cm they are there\n"));

  run_headlight (&wide, "render", "--view", "model", "--width", width, "--font-size", "9pt", "-o",
                 figure, "The cat sat", NULL);
  g_assert_cmpint (wide.status, ==, 0);
  g_assert_null (strstr (wide.err, "names"));
}

/* Text that the width has no room for is said, and its size stands in the answer. */
static void
test_small_text (void)
{
  g_autofree char *figure = in_folder ("small.svg");
  g_autofree char *numbers = in_folder ("small.csv");
  g_auto (Run) small = { 0 };
  g_auto (Run) wide = { 0 };
  g_auto (Run) no_picture = { 0 };
  g_autoptr (cJSON) said = NULL;
  g_autoptr (cJSON) answer = NULL;
  g_autoptr (cJSON) table = NULL;

  run_headlight (&small, "render", "--json", "--view", "neuron", "--width", "8.5cm", "--font-size",
                 "8pt", "-o", figure, "The cat sat", NULL);
  g_assert_cmpint (small.status, ==, 0);
  g_assert_nonnull (strstr (small.err, "small.svg: text is 4."));
  g_assert_nonnull (strstr (small.err, " pt, not 8.0 pt, to fit a width of 8.5 cm; in 1"));
  g_assert_true (strchr (small.err, '\n') == small.err + strlen (small.err) - 1);
  said = cJSON_Parse (small.out);
  g_assert_cmpfloat (eng_json_find (said, "text_points")->valuedouble, <, 5);

  run_headlight (&wide, "render", "--json", "--width", "20cm", "--font-size", "8pt", "-o", figure,
                 "The cat sat", NULL);
  answer = parse_output (&wide);
  g_assert_cmpfloat (eng_json_find (answer, "text_points")->valuedouble, ==, 8);

  run_headlight (&no_picture, "render", "--json", "--width", "4cm", "-o", numbers, "The cat sat",
                 NULL);
  table = parse_output (&no_picture);
  g_assert_null (eng_json_find (table, "text_points"));
}

/* The document that a figure carries says where the picture came from. */
static void
cut_document (char *svg)
{
  char *start = strstr (svg, "<metadata id=\"headlight-session\">");
  char *end = start != NULL ? strstr (start, "</metadata>") : NULL;

  g_assert_nonnull (end);
  memmove (start, end, strlen (end) + 1);
}

/* Layers 3 and 7 of two tokens, as three lines of Python write them; the rows of layer 3 sum to 0.87
 * and to 3. */
static char *
write_trace_with_gaps (void)
{
  static const char header[] =
    "{\"__metadata__\":{\"tokens\":\"[\\\"a\\\",\\\"b\\\"]\"},"
    "\"attentions.3\":{\"dtype\":\"F32\",\"shape\":[1,2,2],\"data_offsets\":[0,16]},"
    "\"attentions.7\":{\"dtype\":\"F32\",\"shape\":[1,2,2],\"data_offsets\":[16,32]}}";
  static const float weights[] = { 0.5f, 0.37f, 1, 2, 1, 0, 0.25f, 0.75f };
  g_autoptr (GBytes) bytes = safetensors_bytes_new_with_data (header, weights, sizeof weights);
  char *path = in_folder ("gaps.safetensors");
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes),
                       &error);
  g_assert_no_error (error);

  return path;
}

/* Every view draws what is there and says what is not. */
static void
test_trace_with_gaps (void)
{
  static const struct { const char *option, *value, *words; } cases[] = {
    { "--view", "head", "layer 3 · head 0" },
    { "--view", "head", "Rows sum to 0.87–3.00, not to 1." },
    { "--view", "matrix", "Rows sum to 0.87–3.00, not to 1." },
    { "--view", "model", "layers 0 to 2 are not in this trace" },
    { "--view", "model", "Rows sum to 0.87–3.00, not to 1." },
    { "--order", "pattern", "layer 3 · head 0" },
    { "--layers", "mean", "mean over layers 3 and 7" },
    { "--layers", "max", "max over layers 3 and 7" },
    { "--layer", "7", "layer 7 · head 0" },
  };
  g_autofree char *trace_path = write_trace_with_gaps ();
  g_autofree char *figure_path = in_folder ("gaps.svg");

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_auto (Run) run = { 0 };
    g_autofree char *svg = NULL;

    run_headlight (&run, "render", "--trace", trace_path, cases[i].option, cases[i].value,
                   "--width", "20cm", "-o", figure_path, NULL);
    assert_done (&run);
    g_assert_true (g_file_get_contents (figure_path, &svg, NULL, NULL));
    if (strstr (svg, cases[i].words) == NULL)
      g_error ("%s %s: the figure does not say “%s”", cases[i].option, cases[i].value,
               cases[i].words);
  }
}

/* What needs a layer that is not there says which. */
static void
test_missing_layer (void)
{
  static const struct { const char *option, *value, *words; } cases[] = {
    { "--layer", "0", "no attention of layer 0 of the encoder, only of layers 3 and 7" },
    { "--layer", "8", "Layer 8 does not exist" },
    { "--measure", "rollout", "up to layer 3 needs every layer from 0 on, but the encoder has no" },
  };
  g_autofree char *trace_path = write_trace_with_gaps ();
  g_autofree char *figure_path = in_folder ("none.svg");

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_auto (Run) run = { 0 };

    run_headlight (&run, "render", "--trace", trace_path, cases[i].option, cases[i].value, "-o",
                   figure_path, NULL);
    g_assert_cmpint (run.status, ==, 1);
    g_assert_nonnull (strstr (run.err, cases[i].words));
    g_assert_false (g_file_test (figure_path, G_FILE_TEST_EXISTS));
  }
}

/* The same picture from the text and from the trace file that the text made. */
static void
test_render_from_trace_is_the_same (void)
{
  g_autofree char *trace_path = in_folder ("same.safetensors");
  g_autofree char *one = in_folder ("one.svg");
  g_autofree char *two = in_folder ("two.svg");
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_auto (Run) write_trace = { 0 };
  g_auto (Run) from_text = { 0 };
  g_auto (Run) from_file = { 0 };

  run_headlight (&write_trace, "trace", "-o", trace_path, "time flies like an Łódź",
                 "fruit flies like a banana", NULL);
  assert_done (&write_trace);
  run_headlight (&from_text, "render", "--heads", "8", "-o", one, "time flies like an Łódź",
                 "fruit flies like a banana", NULL);
  assert_done (&from_text);
  run_headlight (&from_file, "render", "--heads", "8", "-o", two, "--trace", trace_path, NULL);
  assert_done (&from_file);
  g_assert_true (g_file_get_contents (one, &first, NULL, NULL));
  g_assert_true (g_file_get_contents (two, &second, NULL, NULL));
  cut_document (first);
  cut_document (second);
  g_assert_cmpstr (first, ==, second);
  /* What the vocabulary lacks is drawn as it was typed, in the figure of a trace, too. */
  g_assert_nonnull (strstr (first, "[UNK] Łódź"));
}

static void
test_predict (void)
{
  g_auto (Run) mask = { 0 };
  g_auto (Run) pair = { 0 };
  g_auto (Run) absent = { 0 };
  g_autoptr (cJSON) masks = NULL;
  g_autoptr (cJSON) answer = NULL;
  const cJSON *result;
  double sum = 0;

  run_headlight (&mask, "predict", "--json", "The cat sat on the [MASK].", NULL);
  masks = parse_output (&mask);
  g_assert_cmpstr (eng_json_find (masks, "task")->valuestring, ==, "fill-mask");
  result = cJSON_GetArrayItem (eng_json_find (masks, "results"), 0);
  g_assert_cmpint (eng_json_find (result, "position")->valueint, ==, 6);
  g_assert_cmpint (cJSON_GetArraySize (eng_json_find (result, "candidates")), ==, 5);

  run_headlight (&pair, "predict", "--json", "He is at home.", "He is in his house.", NULL);
  answer = parse_output (&pair);
  g_assert_cmpstr (eng_json_find (answer, "task")->valuestring, ==, "next-sentence");
  cJSON_ArrayForEach (result, eng_json_find (answer, "results"))
    sum += eng_json_find (result, "probability")->valuedouble;
  g_assert_cmpfloat_with_epsilon (sum, 1, 1e-6);

  run_headlight (&absent, "predict", "--task", "entities", "Ada lives in London", NULL);
  assert_refused (&absent, 1, "fill-mask, next-sentence");
}

static void
test_models_and_bench (void)
{
  g_auto (Run) models = { 0 };
  g_auto (Run) bench = { 0 };
  g_autoptr (cJSON) list = NULL;
  g_autoptr (cJSON) times = NULL;
  const cJSON *first;

  run_headlight (&models, "models", "--json", NULL);
  list = parse_output (&models);
  first = cJSON_GetArrayItem (eng_json_find (list, "models"), 0);
  g_assert_cmpstr (eng_json_find (first, "name")->valuestring, ==, "headlight-mini");
  g_assert_cmpstr (eng_json_find (first, "from")->valuestring, ==, "bundled");
  g_assert_cmpint (eng_json_find (first, "hidden_size")->valueint, ==, 288);

  run_headlight (&bench, "bench", "--json", "--tokens", "8,16", NULL);
  times = parse_output (&bench);
  g_assert_cmpint (cJSON_GetArraySize (eng_json_find (times, "runs")), ==, 2);
  first = cJSON_GetArrayItem (eng_json_find (times, "runs"), 0);
  g_assert_cmpfloat (eng_json_find (first, "milliseconds_min")->valuedouble, >, 0);
  g_assert_cmpfloat (eng_json_find (first, "milliseconds_min")->valuedouble, <=,
                     eng_json_find (first, "milliseconds_median")->valuedouble);
}

static void
test_options_end (void)
{
  g_auto (Run) run = { 0 };
  g_autoptr (cJSON) object = NULL;

  run_headlight (&run, "tokenize", "--json", "--no-special-tokens", "--", "--json", NULL);
  object = parse_output (&run);
  g_assert_cmpint (cJSON_GetArraySize (eng_json_find (object, "tokens")), >=, 3);
}

static void
test_wrong_usage (void)
{
  static const struct { const char *arguments[6]; const char *says; } cases[] = {
    { { "tokenize" }, "a text is missing" },
    { { "tokenize", "a", "b", "c" }, "“c” is one argument too many" },
    { { "tokenize", "--frobnicate", "a" }, "--frobnicate" },
    { { "tokenize", "--layer", "1", "a" }, "--layer" },
    { { "render", "a" }, "-o is missing" },
    { { "render", "-o", "x.svg", "--layer" }, "--layer needs a value" },
    { { "render", "-o", "x.svg", "--layer", "one", "a" }, "layer" },
    { { "render", "-o", "x.svg", "--view=neuron", "--heads=1,2", "a" }, "exactly one head" },
    { { "render", "-o", "x.svg", "--measure=heavy", "a" }, "measure is \"heavy\"" },
    { { "predict", "--task", "sing", "a" }, "--task is “sing”" },
    { { "render", "-o", "figure.bmp", "a" }, "figure.bmp" },
    { { "render", "-o", "x.svg", "--trace", "x.safetensors", "--truncate" },
      "--truncate needs a model" },
    { { "trace", "-o", "x.safetensors", "--edit", "zap 1.0", "a" }, "zap" },
    { { "tokenize", "--model", "", "a" }, "--model is empty" },
    { { "bench", "--tokens", "0" }, "--tokens is “0”" },
    { { "tokenize", "--json=yes", "a" }, "--json takes no value" },
    { { "--frobnicate" }, "--frobnicate" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    const char *const *a = cases[i].arguments;
    g_auto (Run) run = { 0 };

    run_headlight (&run, a[0], a[1], a[2], a[3], a[4], a[5], NULL);
    assert_refused (&run, 2, cases[i].says);
  }
}

static void
test_refused_input (void)
{
  static const struct { const char *arguments[6]; const char *says; } cases[] = {
    { { "tokenize", "--model", "/no/such/model", "a" }, "/no/such/model" },
    { { "tokenize", "--model", "no-such-model", "a" }, "no-such-model" },
    { { "tokenize", "" }, "the text is empty" },
    { { "tokenize", " \t " }, "no token" },
    { { "tokenize", "", "a" }, "text A is empty" },
    { { "tokenize", "a \xff b" }, "UTF-8" },
    { { "render", "-o", "/no/such/folder/x.svg", "a" }, "/no/such/folder" },
    { { "render", "-o", "folder.svg", "a" }, "folder.svg" },
    { { "render", "-o", "x.svg", "--layer", "6", "a" }, "Layer 6" },
    { { "render", "-o", "x.svg", "--heads", "12", "a" }, "12" },
    { { "render", "-o", "x.svg", "--pin", "99", "a" }, "99" },
    { { "render", "-o", "x.svg", "--trace", "/no/such.safetensors", NULL },
      "/no/such.safetensors" },
    { { "trace", "-o", "/dev/full", "a" }, "/dev/full cannot be written" },
    { { "trace", "-o", "x.safetensors", "--edit", "zero 9.0", "a" }, "9" },
    { { "tokenize", "--model", "line\nfeed\x1b[31m", "a" }, "line\\x0afeed\\x1b[31m" },
  };
  g_autofree char *empty = in_folder ("empty");
  g_auto (Run) no_config = { 0 };

  g_assert_cmpint (g_mkdir ("folder.svg", 0700), ==, 0);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    const char *const *a = cases[i].arguments;
    g_auto (Run) run = { 0 };

    run_headlight (&run, a[0], a[1], a[2], a[3], a[4], a[5], NULL);
    assert_refused (&run, 1, cases[i].says);
  }

  g_assert_cmpint (g_mkdir (empty, 0700), ==, 0);
  run_headlight (&no_config, "tokenize", "--model", empty, "a", NULL);
  assert_refused (&no_config, 1, "config.json");
  g_assert_false (g_file_test ("x.svg", G_FILE_TEST_EXISTS));
  g_assert_false (g_file_test ("x.safetensors", G_FILE_TEST_EXISTS));
}

static void
test_too_long (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_auto (Run) refused = { 0 };
  g_auto (Run) cut = { 0 };
  g_autoptr (cJSON) object = NULL;

  for (int i = 0; i < 5000; i++)
    g_string_append (text, "word ");

  run_headlight (&refused, "tokenize", text->str, NULL);
  assert_refused (&refused, 1, "5002");
  g_assert_nonnull (strstr (refused.err, "--truncate"));

  run_headlight (&cut, "tokenize", "--json", "--truncate", text->str, NULL);
  object = parse_output (&cut);
  g_assert_cmpint (cJSON_GetArraySize (eng_json_find (object, "tokens")), ==, 256);
}

/* A file that is overwritten stays as private as it was; a link is followed even where nothing is
 * yet. */
static void
test_keeps_mode_and_links (void)
{
  g_auto (Run) first = { 0 };
  g_auto (Run) second = { 0 };
  GStatBuf status;

  g_assert_true (g_file_set_contents ("private.svg", "old", -1, NULL));
  g_assert_cmpint (g_chmod ("private.svg", 0600), ==, 0);
  run_headlight (&first, "render", "-o", "private.svg", "a", NULL);
  assert_done (&first);
  g_assert_cmpint (g_stat ("private.svg", &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0600);
  g_assert_cmpint (status.st_size, >, 3);

  g_assert_cmpint (symlink ("target.svg", "link.svg"), ==, 0);
  run_headlight (&second, "render", "-o", "link.svg", "a", NULL);
  assert_done (&second);
  g_assert_true (g_file_test ("link.svg", G_FILE_TEST_IS_SYMLINK));
  g_assert_true (g_file_test ("target.svg", G_FILE_TEST_IS_REGULAR));
}

static void
test_full_disk_behind_stdout (void)
{
  g_autofree char *command = g_strdup_printf ("'%s' tokenize a > /dev/full",
                                              g_getenv ("HEADLIGHT_PROGRAM"));
  const char *argv[] = { "sh", "-c", command, NULL };
  g_auto (Run) run = { 0 };
  int wait_status;

  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL,
                               &run.out, &run.err, &wait_status, NULL));
  run.status = WEXITSTATUS (wait_status);
  assert_refused (&run, 1, "standard output");
}

/* Two sides as panels, and as their difference; a side that is refused is said. */
static void
test_compare (void)
{
  g_autofree char *sides = in_folder ("sides.svg");
  g_autofree char *difference = in_folder ("difference.svg");
  g_autofree char *svg = NULL;
  g_autofree char *other = NULL;
  g_autofree char *same = NULL;
  g_auto (Run) as_sides = { 0 };
  g_auto (Run) of_one_pass = { 0 };
  g_auto (Run) as_difference = { 0 };
  g_auto (Run) refused = { 0 };
  g_auto (Run) batch = { 0 };

  run_headlight (&as_sides, "render", "--compare", "sides", "--compare-edit", "zero 1.3",
                 "--compare-layer", "3", "--heads", "9", "--width", "30cm", "-o", sides, "The cat sat",
                 NULL);
  assert_done (&as_sides);
  g_assert_true (g_file_get_contents (sides, &svg, NULL, NULL));
  g_assert_nonnull (strstr (svg, ">This</text>"));
  g_assert_nonnull (strstr (svg, ">head 9 of layer 0 · without edits<"));
  g_assert_nonnull (strstr (svg, ">Other</text>"));
  g_assert_nonnull (strstr (svg, ">head 9 of layer 3 · zero 1.3<"));

  /* What the sides share is said once, as in the window. */
  run_headlight (&of_one_pass, "render", "--compare", "sides", "--compare-layer", "3", "--heads",
                 "9", "--width", "30cm", "-o", sides, "The cat sat", NULL);
  assert_done (&of_one_pass);
  g_assert_true (g_file_get_contents (sides, &same, NULL, NULL));
  g_assert_nonnull (strstr (same, "headlight-mini · This: head 9 of layer 0; Other: head 9 of"
                                  " layer 3"));

  run_headlight (&as_difference, "render", "--compare", "difference", "--compare-text-a",
                 "The dog sat", "-o", difference, "The cat sat", NULL);
  assert_done (&as_difference);
  g_assert_true (g_file_get_contents (difference, &other, NULL, NULL));
  g_assert_nonnull (strstr (other, "The dog sat"));

  run_headlight (&refused, "render", "--compare", "sides", "--compare-layer", "77", "-o", sides,
                 "The cat sat", NULL);
  assert_refused (&refused, 1, "Layer 77");
  run_headlight (&batch, "render", "--compare", "sides", "--batch", "x.tsv", "-o", sides, NULL);
  assert_refused (&batch, 2, "--compare");
}

/* Every option in --help is understood. */
static void
test_help (void)
{
  static const char *const commands[] = { "render", "trace", "tokenize", "predict", "models",
                                          "bench", "train" };

  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++) {
    g_auto (Run) run = { 0 };

    run_headlight (&run, commands[i], "--help", NULL);
    assert_done (&run);
    g_assert_nonnull (strstr (run.out, "--json"));
  }
}

static void
test_links_no_gtk (void)
{
  const char *argv[] = { "ldd", g_getenv ("HEADLIGHT_PROGRAM"), NULL };
  g_autofree char *libraries = NULL;

  if (!g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &libraries, NULL,
                     NULL, NULL)) {
    g_test_skip ("there is no ldd");
    return;
  }
  g_assert_nonnull (strstr (libraries, "libcairo"));
  g_assert_null (strstr (libraries, "libgtk"));
  g_assert_null (strstr (libraries, "libadwaita"));
}

static void
remove_folder (void)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);

  for (const char *name; (name = g_dir_read_name (dir)) != NULL;) {
    g_autofree char *path = in_folder (name);

    g_remove (path);
  }
  g_rmdir (folder);
  g_free (folder);
}

int
main (int    argc,
      char **argv)
{
  int status;

  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_assert_nonnull (g_getenv ("HEADLIGHT_PROGRAM"));
  folder = g_dir_make_tmp ("headlight-cli-XXXXXX", NULL);
  g_assert_cmpint (g_chdir (folder), ==, 0);

  g_test_add_func ("/app/cli/tokenize", test_tokenize);
  g_test_add_func ("/app/cli/trace-and-render", test_trace_and_render);
  g_test_add_func ("/app/cli/small-text", test_small_text);
  g_test_add_func ("/app/cli/lost-names", test_lost_names);
  g_test_add_func ("/app/cli/trace-with-gaps", test_trace_with_gaps);
  g_test_add_func ("/app/cli/missing-layer", test_missing_layer);
  g_test_add_func ("/app/cli/render-from-trace", test_render_from_trace_is_the_same);
  g_test_add_func ("/app/cli/predict", test_predict);
  g_test_add_func ("/app/cli/models-and-bench", test_models_and_bench);
  g_test_add_func ("/app/cli/options-end", test_options_end);
  g_test_add_func ("/app/cli/wrong-usage", test_wrong_usage);
  g_test_add_func ("/app/cli/refused-input", test_refused_input);
  g_test_add_func ("/app/cli/too-long", test_too_long);
  g_test_add_func ("/app/cli/keeps-mode-and-links", test_keeps_mode_and_links);
  g_test_add_func ("/app/cli/full-disk-behind-stdout", test_full_disk_behind_stdout);
  g_test_add_func ("/app/cli/compare", test_compare);
  g_test_add_func ("/app/cli/help", test_help);
  g_test_add_func ("/app/cli/links-no-gtk", test_links_no_gtk);
  status = g_test_run ();
  remove_folder ();

  return status;
}
