/* SPDX-License-Identifier: MIT */
/* What beginning to compare makes of a document. Pure. */
#pragma once

#include "ui/document/document.h"

G_BEGIN_DECLS

gboolean app_second_side_is_compared (const UiDocument *document);
/* Whether the second side is without the edits of the first, or says nothing of edits. */
void     app_second_side_set_plain   (UiDocument       *document,
                                      gboolean          is_plain);
/* Two sides stand beside each other; the second is to have its own "text", "model", "head" or
 * "edits", of which it has none. */
void     app_second_side_begin       (UiDocument       *document,
                                      const char       *what);
/* Nothing is compared any more, and the second side has nothing of its own left. */
void     app_second_side_end         (UiDocument       *document);

G_END_DECLS
