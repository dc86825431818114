/* SPDX-License-Identifier: MIT */
/* Files of lessons: sections that are added to them, translations beside them. */
#include <string.h>

#include "app/lessons/lesson-append.h"
#include "app/lessons/translation.h"
#include "tests/support/temporary.h"

#define COMMAND "headlight render --layer 2 --heads 3 -o figure.svg 'The cat sat'"

static char *
read_file (const char *path)
{
  g_autoptr (GError) error = NULL;
  char *text;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);

  return text;
}

static void
write_file (const char *path,
            const char *text)
{
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
}

static AppLesson *
read_lesson (const char *path)
{
  g_autoptr (GError) error = NULL;
  AppPlace fault;
  AppLesson *lesson = app_lesson_read (path, &fault, &error);

  g_assert_no_error (error);

  return lesson;
}

static const AppSection *
section_at (const AppLesson *lesson,
            guint            section)
{
  g_assert_cmpuint (section, <, lesson->sections->len);

  return lesson->sections->pdata[section];
}

/* A new lesson, and one more section of it; what stands there before stays byte by byte. */
static void
test_append (void)
{
  char *folder = temporary_new ();
  g_autofree char *path = g_build_filename (folder, "who-reads_whom.md", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (AppLesson) lesson = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  g_assert_true (app_lesson_append (path, "First\nview", "What one\tsees.", COMMAND,
                                    "headlight-mini", &error));
  g_assert_no_error (error);
  before = read_file (path);
  g_assert_true (app_lesson_append (path, "", "", "headlight render -o a.svg '```'",
                                    "headlight-mini", &error));
  g_assert_no_error (error);
  after = read_file (path);
  g_assert_true (g_str_has_prefix (after, before));

  lesson = read_lesson (path);
  g_assert_cmpstr (lesson->title, ==, "Who reads whom");
  g_assert_cmpstr (lesson->model, ==, "headlight-mini");
  g_assert_cmpuint (lesson->sections->len, ==, 2);
  g_assert_cmpstr (section_at (lesson, 0)->heading, ==, "First view");
  g_assert_cmpint (section_at (lesson, 0)->state->layer, ==, 2);
  g_assert_cmpstr (((AppBlock *) section_at (lesson, 0)->blocks->pdata[0])->text, ==,
                   "What one sees.");
  g_assert_cmpstr (section_at (lesson, 1)->heading, ==, "A view");
  g_assert_cmpstr (section_at (lesson, 1)->state->text_a, ==, "```");
  g_assert_cmpint (temporary_count (folder), ==, 1);
  temporary_free (folder);
}

/* A file that is no lesson, or that cannot be written, is left as it is; nothing else is left. */
static void
test_refused (void)
{
  char *folder = temporary_new ();
  g_autofree char *path = g_build_filename (folder, "broken.md", NULL);
  g_autofree char *nowhere = g_build_filename (folder, "no", "where.md", NULL);
  g_autofree char *begin = g_strconcat (path, ":3:10: minutes is “many”", NULL);
  g_autofree char *after = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) lost = NULL;

  write_file (path, "---\ntitle: A\nminutes: many\nmodel: m\n---\n");
  g_assert_false (app_lesson_append (path, "A", "", COMMAND, "m", &error));
  g_assert_true (g_str_has_prefix (error->message, begin));
  after = read_file (path);
  g_assert_cmpstr (after, ==, "---\ntitle: A\nminutes: many\nmodel: m\n---\n");
  g_assert_false (app_lesson_append (nowhere, "A", "", COMMAND, "m", &lost));
  g_assert_nonnull (strstr (lost->message, "where.md"));
  g_assert_cmpint (temporary_count (folder), ==, 1);
  temporary_free (folder);
}

/* What a person types is no line of the grammar. */
static void
test_typed (void)
{
  char *folder = temporary_new ();
  g_autofree char *path = g_build_filename (folder, "typed.md", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (app_lesson_append (path, "A", "claim: nonsense", COMMAND, "m", &error));
  g_assert_nonnull (strstr (error->message, "typed.md:9:8: "));
  g_assert_cmpint (temporary_count (folder), ==, 0);
  temporary_free (folder);
}

static void
test_translations (void)
{
  char *folder = temporary_new ();
  g_autofree char *path = g_build_filename (folder, "01-a.md", NULL);
  g_autofree char *german = g_build_filename (folder, "01-a.de.md", NULL);
  g_autofree char *brazilian = g_build_filename (folder, "01-a.pt_BR.md", NULL);
  static const char *const names[][2] = {
    { "de_AT:fr", "01-a.de.md" }, { "pt_BR", "01-a.pt_BR.md" }, { "fr:pt", "01-a.md" },
    { "en_GB:de", "01-a.md" },
  };

  write_file (path, "");
  write_file (german, "");
  write_file (brazilian, "");
  g_assert_false (app_lesson_is_translation (path));
  g_assert_true (app_lesson_is_translation (german));
  g_assert_true (app_lesson_is_translation (brazilian));
  g_assert_false (app_lesson_is_translation ("/a.de/lesson.md"));
  g_assert_false (app_lesson_is_translation (".de.md"));
  g_assert_false (app_lesson_is_translation ("v1.2.md"));
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *found = NULL;
    g_autofree char *name = NULL;

    g_setenv ("LANGUAGE", names[i][0], TRUE);
    g_setenv ("LC_ALL", "C.UTF-8", TRUE);
    found = app_lesson_find_translation (path);
    name = g_path_get_basename (found);
    g_test_message ("%s: %s", names[i][0], name);
    g_assert_cmpstr (name, ==, names[i][1]);
  }
  {
    g_autofree char *original = app_lesson_find_original (german);
    g_autofree char *alone = app_lesson_find_original ("/nowhere/a.de.md");
    g_autofree char *itself = app_lesson_find_translation (german);

    g_assert_cmpstr (original, ==, path);
    g_assert_cmpstr (alone, ==, "/nowhere/a.de.md");
    g_assert_cmpstr (itself, ==, german);
  }
  temporary_free (folder);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lesson-files/append", test_append);
  g_test_add_func ("/lesson-files/refused", test_refused);
  g_test_add_func ("/lesson-files/typed", test_typed);
  g_test_add_func ("/lesson-files/translations", test_translations);

  return g_test_run ();
}
