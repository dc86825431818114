/* SPDX-License-Identifier: MIT */
/* What a search over a file found, as CSV. */
#pragma once

#include "app/run/corpus-search.h"

G_BEGIN_DECLS

/* (transfer full) Heads as what was searched for, layer, head, mean, lines, best line, its score,
 * its texts. */
char *app_corpus_heads_to_csv (const AppCorpusResult   *self);
/* (transfer full) Lines of a head, the best ones: what was searched for, layer, head, line, score,
 * tokens of the strongest link, texts. */
char *app_corpus_lines_to_csv (const AppCorpusHead     *head,
                               const AppCorpusQuestion *question);

G_END_DECLS
