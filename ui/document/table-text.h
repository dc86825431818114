/* SPDX-License-Identifier: MIT */
/* Tables as text: comma-separated values as RFC 4180 has them, lines ended by a line feed. Numbers
 * are the caller's, with a point in every locale. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* One line; cells are quoted where they hold a comma, a quotation mark or a line break. A cell that
 * a spreadsheet would take for a formula is left as it is: what is written is what there was. */
void  ui_table_append_csv_line (GString           *csv,
                                const char *const *cells); /* NULL-terminated */
/* The cells of the next line of a table of tabs and line feeds, which no cell holds; *rest (in, out)
 * is what follows it. (transfer full); NULL behind the last line. */
GStrv ui_table_read_line       (const char       **rest);
/* A table of tabs and line feeds, as CSV. (transfer full) */
char *ui_table_to_csv          (const char        *tabbed);

G_END_DECLS
