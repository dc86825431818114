/* SPDX-License-Identifier: MIT */
#include "engine/training/lines.h"

#include <string.h>

#define MAX_LINE 65536
#define MAX_COLUMNS 2

static gboolean
check_line (const char  *line,
            gsize        length,
            GError     **error)
{
  if (length > MAX_LINE)
    g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT,
                 "the line has %" G_GSIZE_FORMAT " bytes, expected at most %d", length, MAX_LINE);
  else if (!g_utf8_validate (line, (gssize) length, NULL))
    g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT, "the line is not UTF-8");
  else
    return TRUE;

  return FALSE;
}

static gboolean
check_columns (int       n,
               int       n_expected,
               GError  **error)
{
  if (n == n_expected)
    return TRUE;
  if (n_expected == 1)
    g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT,
                 "the line has several columns, with tabs between them, expected one text");
  else
    g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT,
                 "the line has %s, expected two with one tab between them",
                 n == 1 ? "one column" : "more than two columns");

  return FALSE;
}

/* line is cut apart; one that is blank gives no texts. */
static gboolean
cut_line (char    *line,
          int      n_columns,
          char   **texts,
          int     *n,
          GError **error)
{
  char *rest = line;

  *n = 0;
  if (line[strspn (line, " \t\r\v\f")] == '\0')
    return TRUE;
  while (rest && *n < MAX_COLUMNS + 1) {
    char *tab = strchr (rest, '\t');

    if (tab)
      *tab = '\0';
    if (*n < MAX_COLUMNS)
      texts[*n] = g_strstrip (rest);
    (*n)++;
    rest = tab ? tab + 1 : NULL;
  }
  if (!check_columns (*n, n_columns, error))
    return FALSE;
  for (int i = 0; i < n_columns; i++)
    if (!*texts[i]) {
      g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT, "the %s column is empty, expected a text",
                   i == 0 ? "first" : "second");
      return FALSE;
    }

  return TRUE;
}

gboolean
eng_lines_read (const char   *path,
                int           n_columns,
                EngLineFunc   func,
                gpointer      data,
                GError      **error)
{
  g_autoptr (GError) read_error = NULL;
  g_autofree char *bytes = NULL;
  const char *end;
  gsize length;
  int number = 1;

  if (!g_file_get_contents (path, &bytes, &length, &read_error)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_IO, "%s: %s", path, read_error->message);
    return FALSE;
  }
  end = bytes + length;
  for (const char *line = bytes; line < end; number++) {
    const char *stop = memchr (line, '\n', (gsize) (end - line));
    gsize n = (gsize) ((stop ? stop : end) - line);
    g_autofree char *text = g_strndup (line, n);
    char *texts[MAX_COLUMNS];
    int n_texts;

    if (!check_line (line, n, error) || !cut_line (text, n_columns, texts, &n_texts, error) ||
        (n_texts > 0 && !func (texts, data, error))) {
      g_prefix_error (error, "%s:%d: ", path, number);
      return FALSE;
    }
    line += n + 1;
  }

  return TRUE;
}
