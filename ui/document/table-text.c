/* SPDX-License-Identifier: MIT */
#include "ui/document/table-text.h"

#include <string.h>

static void
append_cell (GString    *csv,
             const char *cell)
{
  if (strpbrk (cell, ",\"\r\n") == NULL) {
    g_string_append (csv, cell);
    return;
  }

  g_string_append_c (csv, '"');
  for (const char *p = cell; *p != '\0'; p++) {
    if (*p == '"')
      g_string_append_c (csv, '"');
    g_string_append_c (csv, *p);
  }
  g_string_append_c (csv, '"');
}

void
ui_table_append_csv_line (GString           *csv,
                          const char *const *cells)
{
  for (int i = 0; cells[i] != NULL; i++) {
    if (i > 0)
      g_string_append_c (csv, ',');
    append_cell (csv, cells[i]);
  }
  g_string_append_c (csv, '\n');
}

/* Line by line: a split of the whole measures what is left of it at each line under a sanitizer. */
GStrv
ui_table_read_line (const char **rest)
{
  const gsize length = strcspn (*rest, "\n");
  g_autofree char *line = NULL;

  if (**rest == '\0')
    return NULL;
  line = g_strndup (*rest, length);
  *rest += length + ((*rest)[length] != '\0');
  return g_strsplit (line, "\t", -1);
}

char *
ui_table_to_csv (const char *tabbed)
{
  GString *csv = g_string_new (NULL);
  char **cells;

  while ((cells = ui_table_read_line (&tabbed)) != NULL) {
    ui_table_append_csv_line (csv, (const char *const *) cells);
    g_strfreev (cells);
  }

  return g_string_free (csv, FALSE);
}
