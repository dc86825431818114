/* SPDX-License-Identifier: MIT */
#include "engine/examples/lines.h"

#include <string.h>

#define MAX_LINE 65536
#define MARK "\xef\xbb\xbf"

gsize
eng_lines_count_mark (const char *text)
{
  return g_str_has_prefix (text, MARK) ? strlen (MARK) : 0;
}

static gboolean
check_line (const char  *line,
            gsize        length,
            GError     **error)
{
  const char *end;

  if (length > MAX_LINE)
    g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT,
                 "the line has %" G_GSIZE_FORMAT " bytes, expected at most %d", length, MAX_LINE);
  else if (!g_utf8_validate (line, (gssize) length, &end))
    g_set_error_literal (error, ENG_ERROR, ENG_ERROR_TEXT,
                         *end ? "the line is not UTF-8" : "the line has a NUL byte, expected text");
  else
    return TRUE;

  return FALSE;
}

gboolean
eng_lines_walk (const char   *path,
                EngLineFunc   func,
                gpointer      data,
                GError      **error)
{
  g_autoptr (GError) read_error = NULL;
  g_autofree char *bytes = NULL;
  gsize length;
  int number = 1;

  if (!g_file_get_contents (path, &bytes, &length, &read_error)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_IO, "%s: %s", path, read_error->message);
    return FALSE;
  }
  for (char *line = bytes + eng_lines_count_mark (bytes); line < bytes + length; number++) {
    char *stop = memchr (line, '\n', (gsize) (bytes + length - line));
    gsize n = stop ? (gsize) (stop - line) : (gsize) (bytes + length - line);

    if (!check_line (line, n, error)) {
      g_prefix_error (error, "%s:%d: ", path, number);
      return FALSE;
    }
    /* The last one ends with the NUL behind the contents. */
    line[n] = '\0';
    if (n > 0 && line[n - 1] == '\r')
      line[n - 1] = '\0';
    if (!func (line, number, data, error)) {
      g_prefix_error (error, "%s:%d: ", path, number);
      return FALSE;
    }
    line += n + 1;
  }

  return TRUE;
}

gboolean
eng_line_is_blank (const char *line)
{
  while (g_ascii_isspace (*line))
    line++;

  return !*line;
}

gboolean
eng_line_check_text (const char  *line,
                     GError     **error)
{
  if (!strchr (line, '\t'))
    return TRUE;
  g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT,
               "the line has several columns, with tabs between them, expected one text");

  return FALSE;
}

gboolean
eng_line_split (char        *line,
                int          n,
                const char  *expected,
                char       **columns,
                GError     **error)
{
  int found = 0;

  for (char *next = line; next; found++) {
    char *column = next;

    next = strchr (column, '\t');
    if (next)
      *next++ = '\0';
    if (found < n)
      columns[found] = g_strstrip (column);
  }
  if (found != n) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT,
                 "the line has %d %s, expected %d, with a tab between them: %s", found,
                 found == 1 ? "column" : "columns", n, expected);
    return FALSE;
  }
  for (int i = 0; i < n; i++)
    if (!*columns[i]) {
      g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT, "column %d of the line is empty, expected %s",
                   i + 1, expected);
      return FALSE;
    }

  return TRUE;
}

typedef struct {
  int             n_columns;
  EngColumnsFunc  func;
  gpointer        data;
} Reader;

static gboolean
read_line (char      *line,
           int        number,
           gpointer   data,
           GError   **error)
{
  const Reader *self = data;
  char *columns[2];

  if (eng_line_is_blank (line))
    return TRUE;
  columns[0] = line;
  if (self->n_columns == 1) {
    if (!eng_line_check_text (line, error))
      return FALSE;
    g_strchomp (line);
  } else if (!eng_line_split (line, 2, "a text and its translation", columns, error))
    return FALSE;

  return self->func (columns, number, self->data, error);
}

gboolean
eng_lines_read (const char      *path,
                int              n_columns,
                EngColumnsFunc   func,
                gpointer         data,
                GError         **error)
{
  Reader reader = { n_columns, func, data };

  return eng_lines_walk (path, read_line, &reader, error);
}

typedef struct {
  int n;
  int first;
} Blank;

static gboolean
count_blank (char      *line,
             int        number,
             gpointer   data,
             GError   **error)
{
  Blank *self = data;

  if (eng_line_is_blank (line) && self->n++ == 0)
    self->first = number;

  return TRUE;
}

int
eng_lines_count_blank (const char *path,
                       int        *first)
{
  Blank blank = { 0, 0 };
  gboolean walked = eng_lines_walk (path, count_blank, &blank, NULL);

  *first = blank.first;

  return walked ? blank.n : 0;
}
