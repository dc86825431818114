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

char *
ui_table_to_csv (const char *tabbed)
{
  g_auto (GStrv) lines = g_strsplit (tabbed, "\n", -1);
  GString *csv = g_string_new (NULL);

  /* Behind the last line feed stands nothing. */
  for (int i = 0; lines[i] != NULL && (lines[i + 1] != NULL || *lines[i] != '\0'); i++) {
    g_auto (GStrv) cells = g_strsplit (lines[i], "\t", -1);

    ui_table_append_csv_line (csv, (const char *const *) cells);
  }

  return g_string_free (csv, FALSE);
}
