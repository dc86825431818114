/* SPDX-License-Identifier: MIT */
/* The lines of a file that is learnt from. */
#pragma once

#include "engine/base/error.h"

G_BEGIN_DECLS

/* line: without its end, may be cut apart; number: from 1. An error is given the file and the
 * line's number. */
typedef gboolean (*EngLineFunc)    (char         *line,
                                    int           number,
                                    gpointer      data,
                                    GError      **error);
/* The same of a line's columns, without white space around them; before a text that has the line to
 * itself it is kept: byte-level tokenizers read it. */
typedef gboolean (*EngColumnsFunc) (char *const  *columns,
                                    int           number,
                                    gpointer      data,
                                    GError      **error);

/* Bytes of the mark that some editors put before a text (UTF-8's byte order mark), which is none of
 * it; 0 where there is none. */
gsize    eng_lines_count_mark (const char    *text);
/* Calls func for every line, empty ones too, the first without a mark before it. Refuses in a
 * sentence, with the line's number: what is not UTF-8, NUL bytes, and lines of more than 64 KiB. */
gboolean eng_lines_walk  (const char      *path,
                          EngLineFunc      func,
                          gpointer         data,
                          GError         **error);
/* Calls func for every line that is not blank: a text, or of two columns a text and its
 * translation. Refuses other numbers of columns, too, and empty ones. */
gboolean eng_lines_read  (const char      *path,
                          int              n_columns,
                          EngColumnsFunc   func,
                          gpointer         data,
                          GError         **error);

/* Blank lines; *first (out): the number of the first. 0 where the file cannot be walked over. */
int      eng_lines_count_blank (const char   *path,
                                int          *first);

gboolean eng_line_is_blank (const char   *line);
/* Refuses tabs. */
gboolean eng_line_check_text (const char   *line,
                              GError      **error);
/* Cuts a line into n columns, with tabs between them, without the blanks around each. expected says
 * what they are: "a text and its label". Refuses another number of them, and empty ones. */
gboolean eng_line_split  (char         *line,
                          int           n,
                          const char   *expected,
                          char        **columns,
                          GError      **error);

G_END_DECLS
