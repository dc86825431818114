/* SPDX-License-Identifier: MIT */
/* Edits of the model (engine/edit.h) as people say them. Tokens are named as the trace of the edited
 * run has them. An edit of tokens was made before there were these, so it says numbers alone. */
#pragma once

#include "engine/edit.h"

G_BEGIN_DECLS

/* "Zero head 9 of layer 2", "Cut “it” (12) → “animal” (3) in head 9 of layer 2"; trace NULL = tokens
 * are numbers. (transfer full) */
char       *ui_edit_describe (const EngEdit  *edit,
                              const EngTrace *trace);
/* What it does, in a sentence. */
const char *ui_edit_explain  (const EngEdit  *edit);

G_END_DECLS
