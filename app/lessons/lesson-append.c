/* SPDX-License-Identifier: MIT */
#include "app/lessons/lesson-append.h"

#include <string.h>

#include "engine/base/file-writer.h"

#define NEW_MINUTES 5

/* One line, whatever was pasted. (transfer full) */
static char *
to_line (const char *text)
{
  return g_strstrip (g_strdelimit (g_strdup (text), "\n\r\t", ' '));
}

/* More backquotes than any line of the command begins with. (transfer full) */
static char *
make_fence (const char *command)
{
  gsize most = 2;

  for (const char *p = command; *p != '\0'; p++)
    if (*p == '`') {
      const gsize n = strspn (p, "`");

      most = MAX (most, n);
      p += n - 1;
    }

  return g_strnfill (most + 1, '`');
}

/* "Who reads whom" of "/home/me/who-reads-whom.md". (transfer full) */
static char *
make_title (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *first = NULL;
  char *dot = strrchr (name, '.');

  if (dot != NULL && dot != name)
    *dot = '\0';
  g_strdelimit (name, "-_", ' ');
  g_strstrip (name);
  if (*name == '\0')
    return g_strdup ("A lesson");
  first = g_utf8_strup (name, g_utf8_next_char (name) - name);

  return g_strconcat (first, g_utf8_next_char (name), NULL);
}

static void
begin_lesson (GString    *whole,
              const char *path,
              const char *model)
{
  g_autofree char *title = make_title (path);

  g_string_append_printf (whole, "---\ntitle: %s\nminutes: %d\nmodel: %s\n---\n", title,
                          NEW_MINUTES, model);
}

/* What is there; of one that is no lesson says where. */
static gboolean
begin_with (GString      *whole,
            const char   *path,
            GError      **error)
{
  g_autofree char *text = NULL;
  gsize length;

  if (!g_file_get_contents (path, &text, &length, error))
    return FALSE;
  g_string_append_len (whole, text, (gssize) length);
  if (length > 0 && text[length - 1] != '\n')
    g_string_append_c (whole, '\n');

  return TRUE;
}

static void
add_section (GString    *whole,
             const char *heading,
             const char *text,
             const char *command)
{
  g_autofree char *line = to_line (heading);
  g_autofree char *said = to_line (text);
  g_autofree char *fence = make_fence (command);

  g_string_append_printf (whole, "\n## %s\n\n", *line != '\0' ? line : "A view");
  if (*said != '\0')
    g_string_append_printf (whole, "%s\n\n", said);
  g_string_append_printf (whole, "%sheadlight\n%s\n%s\n", fence, command, fence);
}

/* Read again before it is written, so that no lesson is broken by what is added to it. */
static gboolean
check (const char     *path,
       const GString  *whole,
       GError        **error)
{
  g_autoptr (GError) problem = NULL;
  AppPlace fault = { 0, 0 };
  g_autoptr (AppLesson) lesson = app_lesson_parse (path, whole->str, whole->len, &fault, &problem);

  if (lesson != NULL)
    return TRUE;
  g_set_error (error, problem->domain, problem->code, "%s:%d:%d: %s", path, fault.line,
               fault.column, problem->message);

  return FALSE;
}

gboolean
app_lesson_append (const char  *path,
                   const char  *heading,
                   const char  *text,
                   const char  *command,
                   const char  *model,
                   GError     **error)
{
  g_autoptr (GString) whole = g_string_new (NULL);

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    begin_lesson (whole, path, model);
  else if (!begin_with (whole, path, error) || !check (path, whole, error))
    return FALSE;
  add_section (whole, heading, text, command);

  return check (path, whole, error) && eng_file_write (path, whole->str, whole->len, error);
}
