/* SPDX-License-Identifier: MIT */
/* Which token a drawing about one query shows where nobody pinned one. */
#pragma once

#include "ui/document/document.h"

G_BEGIN_DECLS

/* The strongest reader of the pinned key. Without one: of the words that read a word most, the one
 * whose link is the strongest; where none does, of all tokens. Never hidden links. */
int ui_telling_query_find (const EngAttention *attention,
                           int                 head,
                           const EngTokens    *queries,
                           const EngTokens    *keys,
                           const UiPins       *pins);

G_END_DECLS
