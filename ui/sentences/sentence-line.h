/* SPDX-License-Identifier: MIT */
/* A sentence in a row of a fixed height, with dots in the colours of what it is about before it.
 * What is too long for one line has two smaller ones where the row is as high; what is too long for
 * these ends in an ellipsis, is all in the tooltip, and is opened by a click or, as a stop of Tab, by
 * Return. Its words may change with the pointer: like a steady label it is drawn anew and lays nothing
 * out.
 *
 * Before people its letters are large, and a sentence may be shown whole, in as many lines as it needs
 * and without dots. */
#pragma once

#include <gtk/gtk.h>

#include "ui/scene/sinks/palette.h"

G_BEGIN_DECLS

#define UI_TYPE_SENTENCE_LINE (ui_sentence_line_get_type ())
G_DECLARE_FINAL_TYPE (UiSentenceLine, ui_sentence_line, UI, SENTENCE_LINE, GtkWidget)

GtkWidget  *ui_sentence_line_new      (void);

/* As wide as its sentence where there is room, with one line instead of two, and not opened: for what
 * changes with the document alone. brief: what is said where the sentence has no room, the end of it;
 * where that has none, its first words in bold. */
void        ui_sentence_line_set_hugs (UiSentenceLine *self,
                                       gboolean        hugs);
/* Letters of that many pixels in the place of the style's; 0 = the style's. most: the height of a whole
 * sentence, from which on its letters are smaller. */
void        ui_sentence_line_set_large (UiSentenceLine *self,
                                        int             size,
                                        int             most);
/* Whether nothing of a sentence in large letters is cut: for one that does not change with the
 * pointer. */
void        ui_sentence_line_set_whole (UiSentenceLine *self,
                                        gboolean        is_whole);
/* Markup of Pango. brief is nullable. */
void        ui_sentence_line_set      (UiSentenceLine *self,
                                       const char     *markup,
                                       const char     *brief);
void        ui_sentence_line_set_dots (UiSentenceLine *self,
                                       const UiColor  *colors,
                                       int             n);
/* Its words without the markup. */
const char *ui_sentence_line_get_text (UiSentenceLine *self);

G_END_DECLS
