/* SPDX-License-Identifier: MIT */
/* The lines of a file to learn from, each as its columns, with tabs between them. */
#pragma once

#include "engine/base/error.h"

G_BEGIN_DECLS

/* texts [n_columns]: of a line, without white space around them; gone afterwards. */
typedef gboolean (*EngLineFunc) (char *const  *texts,
                                 gpointer      data,
                                 GError      **error);

/* Blank lines are passed over. Refuses in a sentence, with the line's number: text that is not
 * UTF-8, a line of more than 64 KiB, one with more or fewer columns than n_columns (1 or 2), an
 * empty column. An error of func gets the line's number. */
gboolean eng_lines_read (const char   *path,
                         int           n_columns,
                         EngLineFunc   func,
                         gpointer      data,
                         GError      **error);

G_END_DECLS
