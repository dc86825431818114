/* SPDX-License-Identifier: MIT */
/* `headlight render --batch`: one figure a line, and what becomes of lines that are refused. */
#include <glib/gstdio.h>
#include <locale.h>

#include "tests/support/command-line.h"
#include "tests/support/temporary.h"

typedef struct {
  char *folder;  /* temporary */
  char *list;    /* the file of lines */
  char *figures; /* the folder to draw into; not made yet */
} Fixture;

static void
set_up (Fixture       *fixture,
        gconstpointer  data)
{
  fixture->folder = temporary_new ();
  fixture->list = g_build_filename (fixture->folder, "pairs.tsv", NULL);
  fixture->figures = g_build_filename (fixture->folder, "new", "figures", NULL);
}

static void
tear_down (Fixture       *fixture,
           gconstpointer  data)
{
  temporary_free (fixture->folder);
  g_free (fixture->figures);
  g_free (fixture->list);
}

static void
write_list (const Fixture *fixture,
            const char    *lines)
{
  g_assert_true (g_file_set_contents (fixture->list, lines, -1, NULL));
}

static char *
read_figure (const Fixture *fixture,
             const char    *name)
{
  g_autofree char *path = g_build_filename (fixture->figures, name, NULL);
  char *contents = NULL;

  g_file_get_contents (path, &contents, NULL, NULL);

  return contents;
}

/* Each line is drawn as the same texts on the command line are, to the last byte. */
static void
test_figures (Fixture       *fixture,
              gconstpointer  data)
{
  g_auto (Run) batch = { 0 };
  g_auto (Run) single = { 0 };
  g_autofree char *path = g_build_filename (fixture->folder, "single.svg", NULL);
  g_autofree char *expected = NULL;
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autoptr (cJSON) object = NULL;

  /* The mark that some editors put before a text is none of it. */
  write_list (fixture, "\xef\xbb\xbf""A single sentence\r\nThe cat sat\tThe \"dog\" lay");
  run_headlight (&batch, "render", "--json", "--layer", "2", "--heads", "3", "--batch",
                 fixture->list, "-o", fixture->figures, NULL);
  object = parse_output (&batch);
  g_assert_cmpint (cJSON_GetArraySize (eng_json_find (object, "files")), ==, 2);
  g_assert_cmpstr (eng_json_find (object, "model")->valuestring, ==, "headlight-mini");

  run_headlight (&single, "render", "--layer", "2", "--heads", "3", "-o", path, "The cat sat",
                 "The \"dog\" lay", NULL);
  assert_done (&single);
  g_assert_true (g_file_get_contents (path, &expected, NULL, NULL));
  first = read_figure (fixture, "001.svg");
  second = read_figure (fixture, "002.svg");
  g_assert_nonnull (strstr (first, "A single sentence"));
  g_assert_null (strchr (first, '\r'));
  g_assert_null (strstr (first, "U+FEFF"));
  g_assert_cmpstr (second, ==, expected);
}

static void
test_format (Fixture       *fixture,
             gconstpointer  data)
{
  g_auto (Run) run = { 0 };
  g_autofree char *figure = NULL;

  write_list (fixture, "The cat sat\n");
  run_headlight (&run, "render", "--format", "pdf", "--batch", fixture->list, "-o",
                 fixture->figures, NULL);
  assert_done (&run);
  g_assert_cmpstr (run.out, ==, "");
  figure = read_figure (fixture, "001.pdf");
  g_assert_true (g_str_has_prefix (figure, "%PDF-"));
}

/* Each line has its own drawing, and so its own size of text. */
static void
test_small_text (Fixture       *fixture,
                 gconstpointer  data)
{
  g_auto (Run) run = { 0 };
  g_autoptr (cJSON) object = NULL;
  const cJSON *points;

  write_list (fixture, "The cat\nThe cat sat on the mat beside the door of the old house\n");
  run_headlight (&run, "render", "--json", "--view", "matrix", "--heads", "3", "--width", "8cm",
                 "--batch", fixture->list, "-o", fixture->figures, NULL);
  g_assert_cmpint (run.status, ==, 0);
  g_assert_nonnull (strstr (run.err, "pairs.tsv:2: text is "));
  g_assert_null (strstr (run.err, "pairs.tsv:1: "));
  object = cJSON_Parse (run.out);
  points = eng_json_find (object, "text_points");
  g_assert_cmpint (cJSON_GetArraySize (points), ==, 2);
  g_assert_cmpfloat (cJSON_GetArrayItem (points, 0)->valuedouble, >,
                     cJSON_GetArrayItem (points, 1)->valuedouble);
}

static void
test_refused_lines (Fixture       *fixture,
                    gconstpointer  data)
{
  static const char *const said[][2] = {
    { "pairs.tsv:2: ", "" },
    { "pairs.tsv:4: ", "found 3 columns" },
    { "pairs.tsv:5: ", "UTF-8" },
  };
  g_auto (Run) run = { 0 };
  g_auto (GStrv) lines = NULL;
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autofree char *third = NULL;
  g_autofree char *fourth = NULL;

  write_list (fixture, "The cat sat\n\nThe dog lay\na\tb\tc\n\xff\n");
  run_headlight (&run, "render", "--json", "--batch", fixture->list, "-o", fixture->figures, NULL);
  g_assert_cmpint (run.status, ==, 1);
  g_assert_cmpstr (run.out, ==, "");
  lines = g_strsplit (run.err, "\n", -1);
  g_assert_cmpint (g_strv_length (lines), ==, G_N_ELEMENTS (said) + 1);
  for (gsize i = 0; i < G_N_ELEMENTS (said); i++) {
    g_assert_nonnull (strstr (lines[i], said[i][0]));
    g_assert_nonnull (strstr (lines[i], said[i][1]));
  }
  first = read_figure (fixture, "001.svg");
  second = read_figure (fixture, "002.svg");
  third = read_figure (fixture, "003.svg");
  fourth = read_figure (fixture, "004.svg");
  g_assert_nonnull (first);
  g_assert_null (second);
  g_assert_nonnull (third);
  g_assert_null (fourth);
}

static void
test_refused_batches (Fixture       *fixture,
                      gconstpointer  data)
{
  g_auto (Run) absent = { 0 };
  g_auto (Run) empty = { 0 };
  g_auto (Run) with_text = { 0 };
  g_auto (Run) format = { 0 };
  g_auto (Run) folder = { 0 };

  run_headlight (&absent, "render", "--batch", "/no/such.tsv", "-o", fixture->figures, NULL);
  assert_refused (&absent, 1, "/no/such.tsv");

  write_list (fixture, "");
  run_headlight (&empty, "render", "--batch", fixture->list, "-o", fixture->figures, NULL);
  assert_refused (&empty, 1, "there is no line");
  g_assert_false (g_file_test (fixture->figures, G_FILE_TEST_EXISTS));

  write_list (fixture, "The cat sat\n");
  run_headlight (&with_text, "render", "--batch", fixture->list, "-o", fixture->figures, "A", NULL);
  assert_refused (&with_text, 2, "--batch brings the texts");
  run_headlight (&format, "render", "--batch", fixture->list, "--format", "bmp", "-o",
                 fixture->figures, NULL);
  assert_refused (&format, 2, "bmp");
  run_headlight (&folder, "render", "--batch", fixture->list, "-o", fixture->list, NULL);
  assert_refused (&folder, 1, "pairs.tsv");
}

#define ADD(name, function) \
  g_test_add ("/app/cli-batch/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);

  ADD ("figures", test_figures);
  ADD ("format", test_format);
  ADD ("small-text", test_small_text);
  ADD ("refused-lines", test_refused_lines);
  ADD ("refused-batches", test_refused_batches);

  return g_test_run ();
}
