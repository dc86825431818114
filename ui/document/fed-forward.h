/* SPDX-License-Identifier: MIT */
/* What was tried in the steps of a head as edits of the pass, which act in all layers behind it. */
#pragma once

#include "ui/document/document.h"

G_BEGIN_DECLS

/* What is tried becomes edits of that head of the document's layer, and is tried no more. kind: as
 * EngEdit has it. A mask of one's own stays: no edit says it. FALSE where nothing else was tried. */
gboolean ui_document_feed_forward (UiDocument *self,
                                   int         kind,
                                   int         head);

G_END_DECLS
