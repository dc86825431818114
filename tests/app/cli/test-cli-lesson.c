/* SPDX-License-Identifier: MIT */
/* Lessons as a teacher checks them: claims against numbers that transformers computed, and the
 * lessons that ship. */
#include <glib/gstdio.h>
#include <string.h>

#include "tests/support/command-line.h"

#define HEADER "---\ntitle: A\nminutes: 5\nmodel: headlight-mini\n---\n\n"
#define STATE "## S\n\n```headlight\nheadlight render -o a.svg 'The cat sat' 'The cat lay'\n```\n\n"

static char *folder; /* a temporary one for this process */

/* (transfer full) the path */
static char *
write_lesson (const char *name,
              const char *text)
{
  g_autoptr (GError) error = NULL;
  char *path = g_build_filename (folder, name, NULL);

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);

  return path;
}

static const cJSON *
find (const cJSON *object,
      const char  *key)
{
  const cJSON *found = eng_json_find (object, key);

  g_assert_nonnull (found);
  return found;
}

static cJSON *
read_json (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  gsize length;
  cJSON *json;

  g_file_get_contents (path, &text, &length, &error);
  g_assert_no_error (error);
  json = eng_json_parse (text, length, 16, path, &error);
  g_assert_no_error (error);

  return json;
}

/* A section with the state and a claim a value. */
static void
append_section (GString     *lesson,
                const cJSON *section)
{
  const cJSON *word, *claim;

  g_string_append (lesson, "## S\n\n```headlight\nheadlight render -o a.svg");
  cJSON_ArrayForEach (word, find (section, "state")) {
    g_autofree char *quoted = g_shell_quote (word->valuestring);

    g_string_append_printf (lesson, " %s", quoted);
  }
  g_string_append (lesson, "\n```\n\n");
  cJSON_ArrayForEach (claim, find (section, "claims"))
    g_string_append_printf (lesson, "claim: %s >= -1000000\n", find (claim, "claim")->valuestring);
  g_string_append_c (lesson, '\n');
}

/* Every function of claims, to what transformers computed in double precision. */
static void
test_numbers (void)
{
  g_autofree char *recorded = g_test_build_filename (G_TEST_DIST, "fixtures", "lessons",
                                                     "claims.json", NULL);
  g_autoptr (cJSON) sections = read_json (recorded);
  g_autoptr (GString) lesson = g_string_new (HEADER);
  g_autoptr (cJSON) answer = NULL;
  g_autofree char *path = NULL;
  g_auto (Run) run = { 0 };
  const cJSON *section, *claim, *computed;
  double worst = 0;

  cJSON_ArrayForEach (section, sections)
    append_section (lesson, section);
  path = write_lesson ("numbers.md", lesson->str);
  run_headlight (&run, "lesson", "check", "--json", path, NULL);
  answer = parse_output (&run);
  computed = find (cJSON_GetArrayItem (find (answer, "lessons"), 0), "claims")->child;
  cJSON_ArrayForEach (section, sections)
    cJSON_ArrayForEach (claim, find (section, "claims")) {
      const double expected = find (claim, "value")->valuedouble;
      const double value = find (computed, "value")->valuedouble;

      if (ABS (value - expected) > 1e-4 * MAX (1, ABS (expected)))
        g_error ("%s is %.9g, not %.9g", find (claim, "claim")->valuestring, value, expected);
      worst = MAX (worst, ABS (value - expected) / MAX (1, ABS (expected)));
      computed = computed->next;
    }
  g_assert_null (computed);
  g_test_message ("largest difference %.3g", worst);
}

/* A false claim, beside one that is true and one of a model that is not here. */
static void
test_verdicts (void)
{
  g_autofree char *path = write_lesson ("verdicts.md", HEADER STATE
    "claim: min(row-sum(*.*, *)) > 0.99\n"
    "claim: min(row-sum(*.*, *)) > 1.01\n\n"
    "## T\n\n```headlight\nheadlight render --model no-such-model -o a.svg 'A'\n```\n\n"
    "claim: weight(0.0, 0, 0) >= 0\n");
  g_autofree char *expected = g_strdup_printf ("%s:14:8: the claim min(row-sum(*.*, *)) > 1.01 is "
                                               "false, the value is 1\n", path);
  g_auto (Run) run = { 0 };
  g_auto (GStrv) lines = NULL;

  run_headlight (&run, "lesson", "check", path, NULL);
  g_assert_cmpint (run.status, ==, 1);
  g_assert_cmpstr (run.err, ==, expected);
  lines = g_strsplit (run.out, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 5);
  g_assert_true (g_str_has_suffix (lines[0], ":13\tmin(row-sum(*.*, *)) > 0.99\t1\ttrue"));
  g_assert_true (g_str_has_suffix (lines[1], "\tmin(row-sum(*.*, *)) > 1.01\t1\tfalse"));
  g_assert_nonnull (strstr (lines[2], "\tskipped\tno-such-model is not on this computer"));
  g_assert_cmpstr (lines[3], ==, "1 lessons, 3 claims, 1 false, 1 skipped");
}

/* What is printed as false is counted as that: a state that cannot be, an answer that is not there. What
 * follows from such a state, as a claim in it, is no further fault, in the next section either. */
static void
test_counts (void)
{
  g_autofree char *path = write_lesson ("counts.md", HEADER
    "## S\n\n```headlight\nheadlight render --heads 12 -o a.svg 'The cat sat'\n```\n\n"
    "ask: token Which?\nanswer: \"dog\"\n\nclaim: weight(0.12, 1, 0) >= 0\n\n"
    "## T\n\nclaim: weight(0.12, 2, 0) >= 0\n");
  g_auto (Run) run = { 0 };
  g_auto (GStrv) lines = NULL;
  int n_false = 0;

  run_headlight (&run, "lesson", "check", path, NULL);
  g_assert_cmpint (run.status, ==, 1);
  lines = g_strsplit (run.out, "\n", -1);
  for (int i = 0; lines[i]; i++)
    n_false += g_str_has_suffix (lines[i], "\tfalse");
  g_assert_cmpint (n_false, ==, 2);
  g_assert_true (g_str_has_suffix (run.out, "1 lessons, 2 claims, 2 false, 2 skipped\n"));
  g_assert_null (strstr (run.err, "weight"));
  g_assert_nonnull (strstr (run.out, "\tskipped\tits state cannot be drawn\n"));
}

/* An answer that no claim of its section stands behind is said, and counted as nothing. */
static void
test_support (void)
{
#define OPTIONS "ask: option Which?\noption: cat\noption: dog\noption: same\noption: different\n"
  static const struct { const char *text; gboolean is_warned; } cases[] = {
    { "ask: token Which?\nanswer: \"sat\"\n\nclaim: weight(1.6, \"sat\", \"cat\"#1) >= 0\n", FALSE },
    { "ask: token Which?\nanswer: 3\n\nclaim: weight(1.6, \"sat\", \"cat\"#1) >= 0\n", FALSE },
    { "claim: max(weight(1.6, *, \"sat\")) / 2 >= 0\n\nask: token Which?\nanswer: 3\n", FALSE },
    { "ask: token Which?\nanswer: \"lay\"\n\nclaim: weight(1.6, \"sat\", \"cat\"#1) >= 0\n", TRUE },
    { "ask: token Which?\nanswer: \"cat\"#2\n\nclaim: weight(1.6, \"sat\", \"cat\"#1) >= 0\n", TRUE },
    { "ask: token Which?\nanswer: \"sat\"\n\nclaim: unedited.weight(1.6, \"sat\", 0) >= 0\n", TRUE },
    { "ask: token Which?\nanswer: \"sat\"\n\nclaim: max(weight(1.6, *, previous)) >= 0\n", TRUE },
    { "ask: token Which?\nanswer: \"sat\"\n\n## T\n\nclaim: weight(1.6, \"sat\", 0) >= 0\n", TRUE },
    { "ask: cell Which?\nanswer: 3, 2\n\nclaim: weight(1.6, \"sat\", \"cat\"#1) >= 0\n", FALSE },
    { "ask: cell Which?\nanswer: 3, 1\n\nclaim: weight(1.6, \"sat\", \"cat\"#1) >= 0\n", TRUE },
    { "ask: cell Which?\nanswer: 3, 2\n\nclaim: weight(1.6, \"sat\", 0) >= 0\n"
      "claim: weight(1.6, 0, \"cat\"#1) >= 0\n", TRUE },
    { "ask: cell Which?\nanswer: 2, 3\n\nclaim: weight(1.6, \"sat\", \"cat\"#1) >= 0\n", TRUE },
    { "ask: head Which?\nanswer: 1.6\n\nclaim: pattern(1.6, previous) >= 0\n", FALSE },
    { "ask: head Which?\nanswer: 1.5\n\nclaim: pattern(1.6, previous) >= 0\n", TRUE },
    { "ask: head Which?\nanswer: 1.6\n\nclaim: max(pattern(1.*, previous)) >= 0\n", TRUE },
    { "ask: number How many?\nanswer: size(tokens)\n", FALSE },
    { "ask: number How many?\nanswer: 9\n\nclaim: size(tokens) = 9\n", FALSE },
    { "ask: number How many?\nanswer: 9.5 +- 1\n\nclaim: size(tokens) = 9\n", FALSE },
    { "ask: number How many?\nanswer: 2\n\nclaim: cosine(2, 1, 2) <= 1\n", FALSE },
    { "ask: number How many?\nanswer: 9 / 3\n\nclaim: size(tokens) = 9\n", TRUE },
    { "ask: number How many?\nanswer: 9\n\nclaim: size(tokens) >= 9\n", TRUE },
    { OPTIONS "answer: different\n", FALSE },
    { OPTIONS "answer: different\n\nclaim: size(tokens) = 9\n", FALSE },
    { OPTIONS "answer: cat\n\nclaim: weight(1.6, \"cat\"#1, 0) >= 0\n", FALSE },
    { OPTIONS "answer: dog\n\nclaim: weight(1.6, \"cat\"#1, 0) >= 0\n", TRUE },
    { OPTIONS "answer: different\n\nclaim: probability(same) >= 0\n", TRUE },
    { OPTIONS "answer: different\n\nclaim: probability(same) >= 0\nclaim: probability(different) >= 0\n",
      FALSE },
  };
#undef OPTIONS

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *text = g_strconcat (HEADER STATE, cases[i].text, NULL);
    g_autofree char *path = write_lesson ("verdicts.md", text);
    g_auto (GStrv) before = g_strsplit (text, "answer: ", 2);
    g_auto (GStrv) lines = g_strsplit (before[0], "\n", -1);
    g_autofree char *expected = g_strdup_printf ("%s:%u:9: no claim of this section supports this "
                                                 "answer\n", path, g_strv_length (lines));
    g_auto (Run) run = { 0 };

    run_headlight (&run, "lesson", "check", path, NULL);
    if (strcmp (run.err, cases[i].is_warned ? expected : "") != 0)
      g_error ("%s: %s", cases[i].text, run.err);
    g_assert_cmpint (run.status, ==, 0);
    g_assert_nonnull (strstr (run.out, " 0 false, 0 skipped\n"));
  }
}

/* A trace stands in for the model; what it lacks is skipped. */
static void
test_traces (void)
{
  const char *shared = g_getenv ("HEADLIGHT_SHARED");
  g_autofree char *traces = g_build_filename (shared ? shared : "", "data", "traces", NULL);
  g_autofree char *path = NULL;
  g_auto (Run) run = { 0 };

  if (!g_file_test (traces, G_FILE_TEST_IS_DIR)) {
    g_test_skip ("there are no traces of real models");
    return;
  }
  path = write_lesson ("traces.md", HEADER
    "## S\n\n```headlight\nheadlight render --model gpt2 -o a.svg "
    "'The quick brown fox jumps over the lazy dogs.'\n```\n\n"
    "claim: max(share(*.*, *, later)) = 0\n"
    "claim: score(0.0, 1, 0) > 0\n"
    "claim: probability(\"the\") > 0\n");
  run_headlight (&run, "lesson", "check", path, NULL);
  assert_done (&run);
  g_assert_nonnull (strstr (run.out, "\t0\ttrue\n"));
  g_assert_true (g_str_has_suffix (run.out, "1 lessons, 3 claims, 0 false, 2 skipped\n"));
}

static void
test_json (void)
{
  g_autofree char *path = write_lesson ("json.md", HEADER STATE "claim: size(tokens) = 3\n\n"
    "ask: head Which?\nanswer: 1.6\n");
  g_autoptr (GError) error = NULL;
  g_autoptr (cJSON) answer = NULL;
  g_auto (Run) run = { 0 };
  const cJSON *lesson, *claim, *warning;

  run_headlight (&run, "lesson", "check", "--json", path, NULL);
  g_assert_cmpint (run.status, ==, 1);
  answer = eng_json_parse (run.out, strlen (run.out), 16, "stdout", &error);
  g_assert_no_error (error);
  g_assert_cmpint (find (answer, "claims")->valueint, ==, 1);
  g_assert_cmpint (find (answer, "false")->valueint, ==, 1);
  lesson = cJSON_GetArrayItem (find (answer, "lessons"), 0);
  claim = find (lesson, "claims")->child;
  g_assert_cmpstr (find (claim, "claim")->valuestring, ==, "size(tokens) = 3");
  g_assert_cmpfloat (find (claim, "value")->valuedouble, ==, 9);
  g_assert_cmpstr (find (claim, "verdict")->valuestring, ==, "false");
  g_assert_cmpint (find (claim, "line")->valueint, ==, 13);
  g_assert_cmpint (find (claim, "column")->valueint, ==, 8);
  g_assert_cmpint (cJSON_GetArraySize (find (lesson, "warnings")), ==, 1);
  warning = find (lesson, "warnings")->child;
  g_assert_cmpint (find (warning, "line")->valueint, ==, 16);
  g_assert_cmpint (find (warning, "column")->valueint, ==, 9);
  g_assert_cmpstr (find (warning, "message")->valuestring, ==,
                   "no claim of this section supports this answer");
}

#define HAND_OUT HEADER "## S\n\nBehold a **picture**.\n\n```headlight\nheadlight render -o " \
  "a.svg 'The cat sat' 'The cat lay'\n```\n\nask: option Who sits?\noption: nobody\n" \
  "option: everybody\nanswer: everybody\n\nRevealed afterwards.\n\nclaim: size(tokens) = 9\n\n" \
  "note: Speak slowly.\n\n" \
  "ask: number How many tokens?\nanswer: size(tokens)\n\ntry: Stand up.\n"

/* (transfer full) What poppler's program says of a file, or NULL where there is none. page: "" for the
 * text of all of them, NULL of a program that has no pages. */
static char *
ask_poppler (const char *program,
             const char *path,
             const char *page)
{
  g_autofree char *found = g_find_program_in_path (program);
  const char *text[] = { program, "-f", page, "-l", page, path, "-", NULL };
  const char *all[] = { program, path, "-", NULL };
  const char *facts[] = { program, path, NULL };
  g_autoptr (GError) error = NULL;
  char *said;

  if (!found)
    return NULL;
  g_spawn_sync (NULL, (char **) (!page ? facts : *page ? text : all), NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &said,
                NULL, NULL, &error);
  g_assert_no_error (error);

  return said;
}

/* Answers, values and what is revealed stand on the other side alone. */
static void
test_hand_out (void)
{
  static const char *const questions[] = { "Who sits?", "nobody", "everybody", "Behold a picture.",
                                           "Try it. Stand up.", "How many tokens?", "Name", NULL };
  static const char *const answers[] = { "Who sits?", "everybody", "Revealed afterwards.",
                                         "size(tokens) = 9", "Speak slowly.", NULL };
  g_autofree char *lesson = write_lesson ("hand-out.md", HAND_OUT);
  g_autofree char *pdf = g_build_filename (folder, "hand-out.pdf", NULL);
  g_auto (Run) run = { 0 };
  g_autoptr (cJSON) answer = NULL;
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;

  run_headlight (&run, "lesson", "hand-out", "--json", "-o", pdf, lesson, NULL);
  answer = parse_output (&run);
  g_assert_cmpint (find (answer, "pages")->valueint, ==, 2);
  first = ask_poppler ("pdftotext", pdf, "1");
  second = ask_poppler ("pdftotext", pdf, "2");
  if (!first) {
    g_test_skip ("pdftotext is not here");
    return;
  }
  for (int i = 0; questions[i]; i++)
    g_assert_nonnull (strstr (first, questions[i]));
  for (int i = 0; answers[i]; i++)
    g_assert_nonnull (strstr (second, answers[i]));
  g_assert_null (strstr (first, "Revealed"));
  g_assert_null (strstr (first, "size(tokens)"));
  g_assert_null (strstr (first, "Speak"));
  g_assert_null (strstr (second, "nobody"));
}

/* A heading and its lines stand on the page of their picture, wherever the page before ends. */
static void
test_together (void)
{
  g_autofree char *pdf = g_build_filename (folder, "hand-out.pdf", NULL);

  for (int n = 4; n <= 24; n += 2) {
    g_autoptr (GString) text = g_string_new (HEADER STATE);
    g_autofree char *lesson = NULL;
    g_autofree char *pages = NULL;
    g_auto (GStrv) page = NULL;
    g_auto (Run) run = { 0 };
    gboolean found = FALSE;

    for (int i = 0; i < n; i++)
      g_string_append_printf (text, "- Line %d.\n", i);
    g_string_append (text, "\n## Together\n\nFirst words.\n\nLast words.\n\n```headlight\nheadlight "
                     "render -o a.svg 'An owl flew'\n```\n");
    lesson = write_lesson ("hand-out.md", text->str);
    run_headlight (&run, "lesson", "hand-out", "-o", pdf, lesson, NULL);
    assert_done (&run);
    pages = ask_poppler ("pdftotext", pdf, "");
    if (!pages) {
      g_test_skip ("pdftotext is not here");
      return;
    }
    page = g_strsplit (pages, "\f", -1);
    for (int i = 0; page[i]; i++)
      if (strstr (page[i], "First words.")) {
        found = TRUE;
        g_assert_nonnull (strstr (page[i], "Together"));
        g_assert_nonnull (strstr (page[i], "Last words."));
        g_assert_nonnull (strstr (page[i], "owl"));
      }
    g_assert_true (found);
  }
}

#define NUMBERED(heading) "## " heading "\n\n```headlight\nheadlight render --view matrix --layer 3 " \
  "--heads 11 -o a.svg 'The cat sat' 'The cat lay'\n```\n\n"

/* Numbers of cells and rows, ".97", in what a page has behind a heading. */
static int
count_numbers (const char *page,
               const char *heading)
{
  const char *from = page != NULL ? strstr (page, heading) : NULL;
  g_autoptr (GRegex) number = g_regex_new ("^\\d*\\.\\d+$", G_REGEX_MULTILINE, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  int n = 0;

  if (from == NULL)
    return -1;
  for (g_regex_match (number, from, 0, &match); g_match_info_matches (match);
       g_match_info_next (match, NULL))
    n++;

  return n;
}

/* Where something is asked of a picture, its numbers are on the side of the answers, as they are of
 * a picture that a later section asks about; where nothing is they stay. */
static void
test_held_back (void)
{
  static const struct { const char *text; gboolean is_held; } cases[] = {
    { HEADER NUMBERED ("Seen") "claim: size(tokens) = 9\n", FALSE },
    { HEADER NUMBERED ("Seen") "ask: token Which?\nanswer: 0\n", TRUE },
    { HEADER NUMBERED ("Seen") "claim: size(tokens) = 9\n\n## Later\n\nask: token Which?\n"
      "answer: 0\n", TRUE },
  };
  g_autofree char *pdf = g_build_filename (folder, "hand-out.pdf", NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *lesson = write_lesson ("hand-out.md", cases[i].text);
    g_autofree char *pages = NULL;
    g_auto (GStrv) sides = NULL;
    g_auto (Run) run = { 0 };

    run_headlight (&run, "lesson", "hand-out", "-o", pdf, lesson, NULL);
    assert_done (&run);
    pages = ask_poppler ("pdftotext", pdf, "");
    if (!pages) {
      g_test_skip ("pdftotext is not here");
      return;
    }
    sides = g_strsplit (pages, "Answers: ", 2);
    if (cases[i].is_held) {
      g_assert_cmpint (count_numbers (sides[0], "Seen"), ==, 0);
      g_assert_cmpint (count_numbers (sides[1], "Seen"), >, 5);
    } else {
      g_assert_cmpint (count_numbers (sides[0], "Seen"), >, 5);
      g_assert_cmpint (count_numbers (sides[1], "Seen"), ==, 0);
    }
  }
}

#define LACKING HEADER STATE "claim: size(tokens) = 9\n\n## T\n\nKept words.\n\n" \
  "```headlight\nheadlight render --model no-such-model -o a.svg 'A'\n```\n\n" \
  "ask: cell Look at the row.\nanswer: 0, 0\n\nask: option Kept?\noption: yes\noption: no\nanswer: yes\n\n" \
  "claim: weight(0.0, 0, 0) >= 0\n\ntry: Draw a line.\n"

/* Without a picture nothing is asked of it, and no claim is said to be computed that was not. */
static void
test_lacking (void)
{
  g_autofree char *lesson = write_lesson ("hand-out.md", LACKING);
  g_autofree char *pdf = g_build_filename (folder, "hand-out.pdf", NULL);
  g_auto (Run) run = { 0 };
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;

  run_headlight (&run, "lesson", "hand-out", "-o", pdf, lesson, NULL);
  assert_done (&run);
  first = ask_poppler ("pdftotext", pdf, "1");
  second = ask_poppler ("pdftotext", pdf, "2");
  if (!first) {
    g_test_skip ("pdftotext is not here");
    return;
  }
  g_assert_nonnull (strstr (first, "5 minutes · headlight-mini, no-such-model"));
  g_assert_nonnull (strstr (first, "Kept words."));
  g_assert_nonnull (strstr (first, "no-such-model is not on the"));
  g_assert_nonnull (strstr (first, "1. Kept?"));
  g_assert_null (strstr (first, "Look at"));
  g_assert_null (strstr (first, "Draw"));
  g_assert_nonnull (strstr (second, "1 of 2 claims were computed"));
  g_assert_nonnull (strstr (second, "not computed"));
  g_assert_null (strstr (second, "Each claim"));
  g_assert_null (strstr (second, "Look at"));
}

static void
test_paper (void)
{
  static const char *const sizes[][2] = { { "a4", "595.28 x 841.89 pts (A4)" },
                                          { "letter", "612 x 792 pts (letter)" } };
  g_autofree char *lesson = write_lesson ("hand-out.md", HAND_OUT);
  g_autofree char *pdf = g_build_filename (folder, "hand-out.pdf", NULL);
  g_auto (Run) unknown = { 0 };

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_auto (Run) run = { 0 };
    g_autofree char *facts = NULL;

    run_headlight (&run, "lesson", "hand-out", "--paper", sizes[i][0], "-o", pdf, lesson, NULL);
    assert_done (&run);
    facts = ask_poppler ("pdfinfo", pdf, NULL);
    g_assert_true (!facts || strstr (facts, sizes[i][1]) != NULL);
  }
  run_headlight (&unknown, "lesson", "hand-out", "--paper", "a5", "-o", pdf, lesson, NULL);
  assert_refused (&unknown, 2, "The paper is \"a5\", expected a4 or letter");
}

/* What is not true is not printed, and no file is left. */
static void
test_no_hand_out (void)
{
  g_autofree char *lesson = write_lesson ("false.md", HEADER STATE "claim: size(tokens) = 3\n");
  g_autofree char *pdf = g_build_filename (folder, "none.pdf", NULL);
  g_autofree char *nowhere = g_build_filename (folder, "no", "where.pdf", NULL);
  g_autofree char *true_one = write_lesson ("hand-out.md", HAND_OUT);
  g_auto (Run) run = { 0 };
  g_auto (Run) other = { 0 };
  g_auto (Run) lost = { 0 };
  g_auto (Run) several = { 0 };

  run_headlight (&run, "lesson", "hand-out", "-o", pdf, lesson, NULL);
  assert_refused (&run, 1, "false.md:13:8: the claim size(tokens) = 3 is false, the value is 9");
  g_assert_false (g_file_test (pdf, G_FILE_TEST_EXISTS));
  run_headlight (&other, "lesson", "hand-out", "-o", "a.svg", lesson, NULL);
  assert_refused (&other, 2, "expected a name that ends in .pdf");
  run_headlight (&lost, "lesson", "hand-out", "-o", nowhere, true_one, NULL);
  assert_refused (&lost, 1, nowhere);
  run_headlight (&several, "lesson", "hand-out", "-o", pdf, lesson, lesson, NULL);
  assert_refused (&several, 2, "one file is expected");
}

static void
test_usage (void)
{
  g_auto (Run) help = { 0 };
  g_auto (Run) group = { 0 };
  g_auto (Run) bare = { 0 };
  g_auto (Run) unknown = { 0 };
  g_auto (Run) no_file = { 0 };

  run_headlight (&help, "lesson", "check", "--help", NULL);
  assert_done (&help);
  g_assert_nonnull (strstr (help.out, "headlight lesson check [OPTIONS] FILE…"));
  run_headlight (&group, "lesson", "--help", NULL);
  assert_done (&group);
  g_assert_nonnull (strstr (group.out, "headlight lesson check FILE…"));
  run_headlight (&bare, "lesson", NULL);
  assert_refused (&bare, 2, "headlight lesson: what shall be done is missing");
  run_headlight (&unknown, "lesson", "chek", NULL);
  assert_refused (&unknown, 2, "there is no “chek” here");
  run_headlight (&no_file, "lesson", "check", NULL);
  assert_refused (&no_file, 2, "a file is missing");
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (GError) error = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("headlight-lesson-XXXXXX", &error);
  g_assert_no_error (error);
  g_test_add_func ("/cli-lesson/numbers", test_numbers);
  g_test_add_func ("/cli-lesson/verdicts", test_verdicts);
  g_test_add_func ("/cli-lesson/counts", test_counts);
  g_test_add_func ("/cli-lesson/support", test_support);
  g_test_add_func ("/cli-lesson/traces", test_traces);
  g_test_add_func ("/cli-lesson/json", test_json);
  g_test_add_func ("/cli-lesson/hand-out", test_hand_out);
  g_test_add_func ("/cli-lesson/held-back", test_held_back);
  g_test_add_func ("/cli-lesson/together", test_together);
  g_test_add_func ("/cli-lesson/lacking", test_lacking);
  g_test_add_func ("/cli-lesson/paper", test_paper);
  g_test_add_func ("/cli-lesson/no-hand-out", test_no_hand_out);
  g_test_add_func ("/cli-lesson/usage", test_usage);
  status = g_test_run ();
  for (const char *const *name = (const char *const[]) { "numbers.md", "verdicts.md", "traces.md",
                                                         "json.md", "hand-out.md", "hand-out.pdf",
                                                         "false.md", NULL };
       *name; name++) {
    g_autofree char *path = g_build_filename (folder, *name, NULL);

    g_remove (path);
  }
  g_rmdir (folder);
  g_free (folder);

  return status;
}
