/* SPDX-License-Identifier: MIT */
/* `headlight render --view steps`: every step, the whole way, what is looked at and what is tried,
 * in every format; and its refusals. */
#include <glib/gstdio.h>
#include <string.h>

#include "engine/base/json.h"
#include "tests/support/command-line.h"
#include "tests/support/temporary.h"

typedef struct {
  char *folder; /* temporary */
} Fixture;

static void
set_up (Fixture       *fixture,
        gconstpointer  data)
{
  fixture->folder = temporary_new ();
}

static void
tear_down (Fixture       *fixture,
           gconstpointer  data)
{
  temporary_free (fixture->folder);
}

/* What is drawn with two options, as a file of that ending. */
static char *
render (const Fixture *fixture,
        const char    *ending,
        const char    *option,
        const char    *value,
        gsize         *size)
{
  g_autofree char *name = g_strconcat ("steps.", ending, NULL);
  g_autofree char *path = g_build_filename (fixture->folder, name, NULL);
  g_auto (Run) run = { 0 };
  char *contents = NULL;

  run_headlight (&run, "render", "--view", "steps", "--layer", "3", "--heads", "11", "--pin", "2",
                 "--step", "10", option, value, "--width", "24cm", "-o", path,
                 "The cat sat on the mat", "The cat lay on the rug", NULL);
  assert_done (&run);
  g_assert_true (g_file_get_contents (path, &contents, size, NULL));
  return contents;
}

static void
assert_says (const char *svg,
             const char *words)
{
  if (strstr (svg, words) == NULL)
    g_error ("the figure does not say “%s”", words);
}

static void
test_steps (Fixture       *fixture,
            gconstpointer  data)
{
  static const struct { const char *option, *value, *words; } cases[] = {
    { "--theme", "light", "Softmax" },
    { "--theme", "dark", "✓ Worked out again" },
    { "--step", "0", "Text to ids" },
    { "--step", "6", "W_Q" },
    { "--step", "7", "sum of products" },
    { "--step", "27", "the likeliest of 8192" },
    { "--number", "10.3.2.9", "weight of “cat” (2) to “cat” (9)" },
    { "--if-temperature", "2", "What if, not fed forward." },
    { "--if-mask", "causal", "What if, not fed forward." },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *svg = render (fixture, "svg", cases[i].option, cases[i].value, NULL);

    assert_says (svg, cases[i].words);
    g_assert_null (strstr (svg, "✗"));
  }
}

/* Each of the steps that it has, one below the other. */
static void
test_whole (Fixture       *fixture,
            gconstpointer  data)
{
  static const char *const names[] = {
    "Text to ids", "Query, key, value", "Query times key", "Mask", "Softmax",
    "Weights times values", "All heads side by side", "Probabilities",
  };
  g_autofree char *svg = render (fixture, "svg", "--step", "all", NULL);
  const char *at = svg;

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *closed = g_strconcat (">", names[i], "<", NULL);

    at = strstr (at, closed);
    if (at == NULL)
      g_error ("%s does not stand in its place", names[i]);
  }
}

/* The whole way as a page has every step as a picture, those of all tokens behind, and buttons. */
static void
test_page (Fixture       *fixture,
           gconstpointer  data)
{
  g_autofree char *page = render (fixture, "html", "--step", "all", NULL);
  int n_pictures = 0;

  for (const char *at = page; (at = strstr (at, "<div class=\"step\">")) != NULL; at++)
    n_pictures++;
  g_assert_cmpint (n_pictures, ==, 28 + 4);
  assert_says (page, "One step on");
  assert_says (page, "Step 27 of 31, Probabilities.");
  assert_says (page, "tep 31 of 31, Softmax, of all tokens");
}

/* What a trace file has, and one sentence of what it cannot say. */
static void
test_trace (Fixture       *fixture,
            gconstpointer  data)
{
  g_autofree char *trace = g_build_filename (fixture->folder, "trace.safetensors", NULL);
  g_autofree char *path = g_build_filename (fixture->folder, "file.svg", NULL);
  g_autofree char *svg = NULL;
  g_auto (Run) write = { 0 };
  g_auto (Run) draw = { 0 };
  g_auto (Run) refuse = { 0 };

  run_headlight (&write, "trace", "-o", trace, "The cat sat on the mat", NULL);
  assert_done (&write);
  run_headlight (&draw, "render", "--view", "steps", "--trace", trace, "--step", "all", "-o", path,
                 NULL);
  assert_done (&draw);
  g_assert_true (g_file_get_contents (path, &svg, NULL, NULL));
  assert_says (svg, "✓ Worked out again");
  assert_says (svg, "Query times key");
  assert_says (svg, "a trace file ends here");
  g_assert_null (strstr (svg, "All heads side by side"));
  g_assert_null (strstr (svg, "✗"));
  run_headlight (&refuse, "render", "--view", "steps", "--trace", trace, "--if-no-projections", "-o",
                 path, NULL);
  assert_refused (&refuse, 1, "a trace file does not have its weights");
}

static void
test_formats (Fixture       *fixture,
              gconstpointer  data)
{
  static const char *const endings[][2] = {
    { "pdf", "%PDF-" }, { "png", "\x89PNG" }, { "html", "<!DOCTYPE html>" },
    { "csv", "step,name,numbers,row,column,value" },
  };
  g_autofree char *json = NULL;
  g_autoptr (cJSON) object = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (endings); i++) {
    gsize size;
    g_autofree char *file = render (fixture, endings[i][0], "--theme", "light", &size);

    g_assert_cmpuint (size, >, 1000);
    g_assert_true (g_str_has_prefix (file, endings[i][1]));
  }
  json = render (fixture, "json", "--theme", "light", NULL);
  object = cJSON_Parse (json);
  g_assert_cmpint (cJSON_GetArraySize (eng_json_find (object, "columns")), ==, 6);
  g_assert_cmpint (cJSON_GetArraySize (eng_json_find (object, "rows")), >, 100);
}

/* One sentence each, and no file. */
static void
test_refused (Fixture       *fixture,
              gconstpointer  data)
{
  static const struct { const char *option, *value, *words; int status; } cases[] = {
    { "--step", "99", "Step 99 does not exist: the way has steps 0 to ", 1 },
    { "--step", "last", "expected all or a step from 0 to 999", 2 },
    { "--number", "3.0.0.99999", "The number 3.0.0.99999 does not exist", 1 },
    { "--number", "3.0", "such as 7.2.0.11", 2 },
    { "--heads", "1,2", "the steps view takes exactly one head", 2 },
    { "--pin", "77", "The pinned query 77 does not exist", 1 },
  };
  g_autofree char *path = g_build_filename (fixture->folder, "none.svg", NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_auto (Run) run = { 0 };

    run_headlight (&run, "render", "--view", "steps", cases[i].option, cases[i].value, "-o", path,
                   "The cat sat", NULL);
    g_assert_cmpint (run.status, ==, cases[i].status);
    if (strstr (run.err, cases[i].words) == NULL)
      g_error ("%s %s: %s", cases[i].option, cases[i].value, run.err);
    g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  }
}

#define ADD(name, function) \
  g_test_add ("/app/cli-steps/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("steps", test_steps);
  ADD ("whole", test_whole);
  ADD ("page", test_page);
  ADD ("trace", test_trace);
  ADD ("formats", test_formats);
  ADD ("refused", test_refused);
  return g_test_run ();
}
