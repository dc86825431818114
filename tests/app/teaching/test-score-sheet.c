/* SPDX-License-Identifier: MIT */
/* What a person chose: judged, kept in a file, forgotten; the lessons of a folder. */
#include <math.h>
#include <string.h>

#include "app/store/paths.h"
#include "app/teaching/score-sheet.h"
#include "app/teaching/section-check.h"
#include "app/teaching/shelf.h"
#include "tests/support/temporary.h"

#define LESSON "---\ntitle: A\nminutes: 5\nmodel: headlight-mini\n---\n## S\n```headlight\n" \
  "headlight render -o a.svg 'The cat sat'\n```\nask: token A?\nanswer: \"cat\"\n\n" \
  "ask: cell A?\nanswer: \"sat\", \"cat\"\n\nask: head A?\nanswer: 3.11\n\n" \
  "ask: number A?\nanswer: size(tokens) / 3\n\nask: number A?\nanswer: 24 +- 2\n\n" \
  "ask: option A?\noption: no\noption: yes\nanswer: yes\n\nclaim: size(tokens) = 5\n"

static const AppAsk *
ask_at (const AppLesson *lesson,
        guint            question)
{
  const AppSection *section = lesson->sections->pdata[0];

  for (guint i = 0; i < section->blocks->len; i++) {
    const AppBlock *block = section->blocks->pdata[i];

    if (block->type == APP_BLOCK_ASK && question-- == 0)
      return block->ask;
  }
  g_assert_not_reached ();
}

static AppLesson *
parse (const char *text)
{
  AppPlace fault;
  g_autoptr (GError) error = NULL;
  AppLesson *lesson = app_lesson_parse ("a.md", text, strlen (text), &fault, &error);

  g_assert_no_error (error);

  return lesson;
}

typedef struct {
  guint     question;
  gboolean  is_right;
  AppChoice choice;
} Judged;

/* [CLS] the cat sat [SEP]: "cat" is token 2; a third of five is 1.667. */
static const Judged judged[] = {
  { 0, TRUE, { .tokens = { 2 } } },         { 0, FALSE, { .tokens = { 3 } } },
  { 1, TRUE, { .tokens = { 3, 2 } } },      { 1, FALSE, { .tokens = { 2, 3 } } },
  { 2, TRUE, { .layer = 3, .head = 11 } },  { 2, FALSE, { .layer = 3, .head = 10 } },
  { 3, TRUE, { .number = 1.667 } },         { 3, FALSE, { .number = 1.66 } },
  { 4, TRUE, { .number = 22.5 } },          { 4, FALSE, { .number = 27 } },
  { 5, TRUE, { .option = 1 } },             { 5, FALSE, { .option = 0 } },
};

static void
test_judging (void)
{
  static const char *const texts[] = { "“cat”", "“sat” reads “cat”", "3.11", "1.667", "24", "yes" };
  g_autoptr (AppLesson) lesson = parse (LESSON);
  g_autoptr (AppRuns) runs = app_runs_new (NULL);
  g_autoptr (AppSectionCheck) check = app_section_check_new (runs, lesson, 0);

  g_assert_cmpuint (check->answers->len, ==, G_N_ELEMENTS (texts));
  for (guint i = 0; i < check->answers->len; i++) {
    const AppSolution *answer = &g_array_index (check->answers, AppSolution, i);

    g_assert_true (answer->is_known);
    g_assert_cmpstr (answer->text, ==, texts[i]);
  }
  for (gsize i = 0; i < G_N_ELEMENTS (judged); i++) {
    const AppAsk *ask = ask_at (lesson, judged[i].question);

    g_assert_cmpint (app_solution_is_right (&g_array_index (check->answers, AppSolution,
                                                            judged[i].question),
                                            ask, &judged[i].choice), ==, judged[i].is_right);
  }
  g_assert_cmpint (check->check->n_claims, ==, 1);
  g_assert_cmpint (check->check->n_false, ==, 0);
  g_assert_cmpint (eng_trace_get_n_layers (check->trace, check->kind), ==, 6);
}

/* Where two are spelled alike it is said which. */
static void
test_twins (void)
{
  static const char *const texts[] = { "“cat” (9) of sentence B", "“rug”",
                                       "“cat” (2) of sentence A reads “cat” (9) of sentence B" };
  g_autoptr (AppLesson) lesson = parse (
    "---\ntitle: A\nminutes: 5\nmodel: headlight-mini\n---\n## S\n```headlight\n"
    "headlight render -o a.svg 'The cat sat on the mat' 'The cat lay on the rug'\n```\n"
    "ask: token A?\nanswer: 9\n\nask: token A?\nanswer: \"rug\"\n\n"
    "ask: cell A?\nanswer: \"cat\"#1, \"cat\"#2\n\n## T\n```headlight\n"
    "headlight render -o a.svg 'A cat is a cat'\n```\nask: token A?\nanswer: \"cat\"#2\n");
  g_autoptr (AppRuns) runs = app_runs_new (NULL);
  g_autoptr (AppSectionCheck) pair = app_section_check_new (runs, lesson, 0);
  g_autoptr (AppSectionCheck) single = app_section_check_new (runs, lesson, 1);

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_assert_cmpstr (g_array_index (pair->answers, AppSolution, i).text, ==, texts[i]);
  g_assert_cmpstr (g_array_index (single->answers, AppSolution, 0).text, ==, "“cat” (5)");
}

/* Nothing is said of a section that was cancelled. */
static void
test_cancelled (void)
{
  g_autoptr (AppLesson) lesson = parse (LESSON);
  gint cancel = 1;
  g_autoptr (AppRuns) runs = app_runs_new (&cancel);

  g_assert_null (app_section_check_new (runs, lesson, 0));
  g_assert_null (app_lesson_check (runs, lesson, NULL, NULL));
}

static void
test_choices (void)
{
  const AppChoice all = { { 4, 9 }, 3, 11, -0.25, 1 };

  for (int type = APP_ASK_TOKEN; type <= APP_ASK_OPTION; type++) {
    g_autofree char *text = app_choice_to_text (&all, type);
    AppChoice read = { { 0 } };
    g_autofree char *again = NULL;

    g_assert_true (app_choice_from_text (&read, type, text));
    again = app_choice_to_text (&read, type);
    g_assert_cmpstr (text, ==, again);
    g_assert_false (app_choice_from_text (&read, type, "x"));
    if (type != APP_ASK_NUMBER)
      g_assert_false (app_choice_from_text (&read, type, "-1"));
  }
}

/* What is kept is there again, in a file that others cannot read; clear leaves none. */
static void
test_kept (void)
{
  char *folder = temporary_new ();
  g_autofree char *path = g_build_filename (folder, "deep", "scores.ini", NULL);
  AppScoreSheet *sheet = app_score_sheet_new (path);
  g_autoptr (AppLesson) lesson = parse (LESSON);
  const AppChoice choice = { { 4, 9 }, 0, 0, 0, 0 };
  AppChoice read = { { 0 } };
  GStatBuf status;
  int n_answered, n_right;

  g_assert_true (app_score_sheet_is_empty (sheet));
  app_score_sheet_set_choice (sheet, "a.md", lesson, 1, &choice, TRUE);
  app_score_sheet_set_choice (sheet, "a.md", lesson, 0, &choice, FALSE);
  app_score_sheet_set_choice (sheet, "/b%5B.md", lesson, 0, &choice, FALSE);
  app_score_sheet_set_done (sheet, "a.md");
  app_score_sheet_free (sheet);
  g_assert_cmpint (g_stat (path, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0077, ==, 0);

  sheet = app_score_sheet_new (path);
  app_score_sheet_count (sheet, "a.md", &n_answered, &n_right);
  g_assert_cmpint (n_answered, ==, 2);
  g_assert_cmpint (n_right, ==, 1);
  g_assert_true (app_score_sheet_get_choice (sheet, "a.md", 1, APP_ASK_CELL, &read));
  g_assert_cmpint (read.tokens[1], ==, 9);
  g_assert_false (app_score_sheet_get_choice (sheet, "a.md", 2, APP_ASK_CELL, &read));
  g_assert_false (app_score_sheet_get_choice (sheet, "a.md", 1, APP_ASK_HEAD, &read));
  g_assert_true (app_score_sheet_is_done (sheet, "a.md"));
  g_assert_false (app_score_sheet_is_done (sheet, "/b%5B.md"));
  app_score_sheet_clear (sheet);
  g_assert_true (app_score_sheet_is_empty (sheet));
  app_score_sheet_free (sheet);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  temporary_free (folder);
}

#define OPTIONS "option: no\noption: yes\n"

/* Of the sheet what was chosen is asked anew where the file now asks something else: it counts neither
 * as answered nor as right. All else stays. */
static void
test_changed (void)
{
  static const struct { const char *from, *to; gboolean is_kept; } cases[] = {
    { "", "", TRUE },
    { "claim: size(tokens) = 5", "claim: size(tokens) >= 5", TRUE },
    { "ask: option A?", "ask: option B?", FALSE },
    { OPTIONS, "option: yes\noption: no\n", FALSE },
    { "answer: yes", "answer: no", FALSE },
    { "ask: option A?\n" OPTIONS "answer: yes", "ask: token A?\nanswer: \"cat\"", FALSE },
    { "ask: option A?\n" OPTIONS "answer: yes", "Text.", FALSE },
  };
  char *folder = temporary_new ();
  g_autofree char *path = g_build_filename (folder, "scores.ini", NULL);
  g_autoptr (AppLesson) lesson = parse (LESSON);
  const AppChoice choice = { .option = 1, .tokens = { 2, 0 } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    AppScoreSheet *sheet = app_score_sheet_new (path);
    g_autoptr (GString) text = g_string_new (LESSON);
    g_autoptr (AppLesson) changed = NULL;
    AppChoice read = { { 0 } };
    int n_answered, n_right;

    g_string_replace (text, cases[i].from, cases[i].to, *cases[i].from != '\0' ? 0 : 1);
    changed = parse (text->str);
    app_score_sheet_set_choice (sheet, "a.md", lesson, 0, &choice, FALSE);
    app_score_sheet_set_choice (sheet, "a.md", lesson, 5, &choice, TRUE);
    app_score_sheet_forget_changed (sheet, "a.md", changed);
    app_score_sheet_free (sheet);
    sheet = app_score_sheet_new (path);
    g_assert_cmpint (app_score_sheet_get_choice (sheet, "a.md", 5, APP_ASK_OPTION, &read), ==,
                     cases[i].is_kept);
    g_assert_true (app_score_sheet_get_choice (sheet, "a.md", 0, APP_ASK_TOKEN, &read));
    app_score_sheet_count (sheet, "a.md", &n_answered, &n_right);
    g_assert_cmpint (n_answered, ==, cases[i].is_kept ? 2 : 1);
    g_assert_cmpint (n_right, ==, cases[i].is_kept);
    app_score_sheet_free (sheet);
  }
  temporary_free (folder);
}

/* What an older program noted, and what was asked in another language, counts by its number. */
static void
test_older (void)
{
  char *folder = temporary_new ();
  g_autofree char *path = g_build_filename (folder, "scores.ini", NULL);
  g_autoptr (GString) text = g_string_new (LESSON);
  g_autoptr (AppLesson) lesson = NULL;
  g_autoptr (AppScoreSheet) sheet = NULL;
  AppChoice read = { { 0 } };
  int n_answered, n_right;

  g_string_replace (text, "A?", "Was?", 0);
  lesson = parse (text->str);
  g_assert_true (g_file_set_contents (path, "[a.md]\n0=right 2\n5=wrong 1\n"
                                      "5-asked=b.md 0123\ndone=true\n", -1, NULL));
  sheet = app_score_sheet_new (path);
  app_score_sheet_forget_changed (sheet, "a.md", lesson);
  g_assert_true (app_score_sheet_get_choice (sheet, "a.md", 0, APP_ASK_TOKEN, &read));
  g_assert_cmpint (read.tokens[0], ==, 2);
  g_assert_true (app_score_sheet_get_choice (sheet, "a.md", 5, APP_ASK_OPTION, &read));
  g_assert_true (app_score_sheet_is_done (sheet, "a.md"));
  app_score_sheet_count (sheet, "a.md", &n_answered, &n_right);
  g_assert_cmpint (n_answered, ==, 2);
  g_assert_cmpint (n_right, ==, 1);
  temporary_free (folder);
}

/* A file that is none counts as empty. */
static void
test_damaged (void)
{
  char *folder = temporary_new ();
  g_autofree char *path = g_build_filename (folder, "scores.ini", NULL);
  g_autoptr (AppScoreSheet) sheet = NULL;

  g_assert_true (g_file_set_contents (path, "\xff[a\n0=right 4\n", -1, NULL));
  sheet = app_score_sheet_new (path);
  g_assert_true (app_score_sheet_is_empty (sheet));
  temporary_free (folder);
}

/* The program's by their names, wherever they lie; a person's own by their paths. */
static void
test_names (void)
{
  g_autofree char *folder = app_paths_get_lessons ();
  g_autofree char *shipped = g_build_filename (folder, "01-read-the-picture.md", NULL);
  g_autofree char *name = app_score_sheet_name (shipped);
  g_autofree char *own = app_score_sheet_name ("/home/me/[1] ä.md");

  g_assert_cmpstr (name, ==, "01-read-the-picture.md");
  g_assert_true (g_str_has_prefix (own, "/home/me/"));
  g_assert_null (strpbrk (own, "[]"));
}

/* The tour is the first, how to write one the last; each has a title and a length. */
static void
test_shelf (void)
{
  g_autofree char *folder = app_paths_get_lessons ();
  g_autoptr (GPtrArray) shelf = app_shelf_list (folder);
  const AppShelfEntry *first = shelf->pdata[0];
  const AppShelfEntry *last = shelf->pdata[shelf->len - 1];

  g_assert_cmpuint (shelf->len, >=, 26);
  g_assert_true (g_str_has_suffix (first->path, "00-tour.md"));
  g_assert_cmpint (first->minutes, ==, 5);
  g_assert_true (first->is_here);
  g_assert_cmpstr (last->title, ==, "How a lesson is written");
}

/* No more digits than make a difference to who answered. */
static void
test_digits (void)
{
  static const struct { double value, tolerance; const char *text; } answers[] = {
    { 0.09045, 0.1, "0.09" },  { 0.09045, 0, "0.09045" }, { 3.6541, 0.5, "3.65" },
    { 117, 15, "117" },        { 288, 0, "288" },         { 0.30349, 0.01, "0.303" },
    { 0.5, 1e-9, "0.500000" }, { NAN, 0.1, "–" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (answers); i++) {
    g_autofree char *text = app_lesson_format_answer (answers[i].value, answers[i].tolerance);

    g_assert_cmpstr (text, ==, answers[i].text);
  }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/score-sheet/judging", test_judging);
  g_test_add_func ("/score-sheet/digits", test_digits);
  g_test_add_func ("/score-sheet/twins", test_twins);
  g_test_add_func ("/score-sheet/cancelled", test_cancelled);
  g_test_add_func ("/score-sheet/choices", test_choices);
  g_test_add_func ("/score-sheet/kept", test_kept);
  g_test_add_func ("/score-sheet/changed", test_changed);
  g_test_add_func ("/score-sheet/older", test_older);
  g_test_add_func ("/score-sheet/damaged", test_damaged);
  g_test_add_func ("/score-sheet/names", test_names);
  g_test_add_func ("/score-sheet/shelf", test_shelf);

  return g_test_run ();
}
