/* SPDX-License-Identifier: MIT */
/* What was found in a sentence: its tooltip says what that is. For ui/sentences/ alone. */
#pragma once

#include "ui/sentences/sentence-entry.h"

G_BEGIN_DECLS

/* What is said of the place in the view's widget coordinates; NULL = nothing. */
const char *ui_sentence_marks_find    (GtkTextView  *view,
                                       const GArray *marks, /* of UiSentenceMark */
                                       int           x,
                                       int           y);
/* marks must live as long as the view. */
void        ui_sentence_marks_explain (GtkTextView  *view,
                                       GArray       *marks);

G_END_DECLS
