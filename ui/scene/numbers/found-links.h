/* SPDX-License-Identifier: MIT */
/* Which heads link two tokens, in the numbers that a document shows of each head: its measure, and
 * where it puts pieces together to words, those of the two words. */
#pragma once

#include "engine/trace/link-search.h"
#include "ui/document/document.h"

G_BEGIN_DECLS

/* As eng_links_search(), which does the work where no pieces are put together. Query and key of a
 * link are token_a and token_b, also where they stand for words. Any thread. */
GArray *ui_links_find (EngTrace          *trace,
                       const UiDocument  *document,
                       EngKind            kind,
                       int                token_a,
                       int                token_b,
                       const gint        *cancel,
                       GError           **error);

G_END_DECLS
