/* SPDX-License-Identifier: MIT */
/* The lines of a lesson's file. */
#include "app/lessons/lesson-private.h"

#define MOST_BYTES ((gsize) 1 << 20)

/* Where the first byte is that is no text. */
static AppPlace
find_byte (const char *text,
           const char *end)
{
  AppPlace place = { 1, 1 };

  for (; text < end; text = g_utf8_next_char (text))
    place = *text == '\n' ? (AppPlace) { place.line + 1, 1 }
                          : (AppPlace) { place.line, place.column + 1 };

  return place;
}

static gboolean
check_bytes (const char  *text,
             gsize        length,
             AppPlace    *fault,
             GError     **error)
{
  const char *end;

  if (length > MOST_BYTES)
    return app_place_refuse ((AppPlace) { 1, 1 }, fault, error, APP_LESSON_ERROR_SYNTAX,
                             "the file has %zu bytes, a lesson has at most %zu", length,
                             MOST_BYTES);
  if (!g_utf8_validate_len (text, length, &end))
    return app_place_refuse (find_byte (text, end), fault, error, APP_LESSON_ERROR_SYNTAX,
                             "the byte 0x%02x is no text, expected UTF-8", (guint8) *end);

  return TRUE;
}

static void
cut_ends (char **lines)
{
  for (int i = 0; lines[i] != NULL; i++)
    g_strchomp (lines[i]);
}

AppLesson *
app_lesson_parse_all (const char  *path,
                      const char  *text,
                      gsize        length,
                      GArray     **faults)
{
  g_autoptr (GArray) found = app_faults_new ();
  g_autoptr (GError) problem = NULL;
  g_autofree char *copy = NULL;
  g_auto (GStrv) lines = NULL;
  AppLesson *lesson = NULL;
  AppPlace fault;

  if (check_bytes (text, length, &fault, &problem)) {
    copy = length > 0 ? g_strndup (text, length) : g_strdup ("");
    lines = g_strsplit (g_str_has_prefix (copy, "\xef\xbb\xbf") ? copy + 3 : copy, "\n", -1);
    cut_ends (lines);
    lesson = app_lesson_read_lines (path, lines, found);
  } else {
    app_faults_add (found, fault, problem->message);
  }
  if (lesson == NULL)
    *faults = g_steal_pointer (&found);

  return lesson;
}

AppLesson *
app_lesson_parse (const char  *path,
                  const char  *text,
                  gsize        length,
                  AppPlace    *fault,
                  GError     **error)
{
  g_autoptr (GArray) faults = NULL;
  AppLesson *lesson = app_lesson_parse_all (path, text, length, &faults);

  if (lesson == NULL) {
    const AppFault *first = &g_array_index (faults, AppFault, 0);

    app_place_refuse (first->place, fault, error, APP_LESSON_ERROR_SYNTAX, "%s", first->sentence);
  }

  return lesson;
}

AppLesson *
app_lesson_read_all (const char  *path,
                     GArray     **faults)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) problem = NULL;
  gsize length;

  if (g_file_get_contents (path, &text, &length, &problem))
    return app_lesson_parse_all (path, text, length, faults);
  *faults = app_faults_new ();
  app_faults_add (*faults, (AppPlace) { 0, 0 }, problem->message);

  return NULL;
}

AppLesson *
app_lesson_read (const char  *path,
                 AppPlace    *fault,
                 GError     **error)
{
  g_autofree char *text = NULL;
  gsize length;

  *fault = (AppPlace) { 0, 0 };

  return g_file_get_contents (path, &text, &length, error)
         ? app_lesson_parse (path, text, length, fault, error) : NULL;
}
