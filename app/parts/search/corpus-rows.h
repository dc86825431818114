/* SPDX-License-Identifier: MIT */
/* What a search over a file found, in the rows and sentences of ui/lists/search-results.h. All
 * (transfer full); the arrays are of UiResult (ui/lists/result-list.h). */
#pragma once

#include "app/run/corpus-search.h"

G_BEGIN_DECLS

GArray *app_corpus_rows_list_heads   (const AppCorpusResult *result);
GArray *app_corpus_rows_list_lines   (const AppCorpusHead   *head);
GArray *app_corpus_rows_list_skipped (const AppCorpusResult *result);

/* What was searched, in how many lines, and how far; also where no head was found. */
char   *app_corpus_rows_summarise    (const AppCorpusResult *result,
                                      const char            *path);
/* The title of a head's lines. */
char   *app_corpus_rows_title        (const AppCorpusResult *result,
                                      const AppCorpusHead   *head);

G_END_DECLS
