/* SPDX-License-Identifier: MIT */
/* A sentence that is typed: as high as its text, up to four lines, which then scroll. A GtkEditable
 * like an entry, which has one line: all of a text that is selected, a hint where there is none, no
 * line breaks that a person could type, no undo of its own. Main thread.
 *
 * Signal: "shortened" (gboolean is_long): what a person put in was cut, or its tabs made blanks. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define UI_TYPE_SENTENCE_ENTRY (ui_sentence_entry_get_type ())
G_DECLARE_FINAL_TYPE (UiSentenceEntry, ui_sentence_entry, UI, SENTENCE_ENTRY, GtkWidget)

/* Code points [start, end). */
typedef struct {
  int         start;
  int         end;
  const char *label; /* what was found there, in a tooltip; interned, NULL = nothing is said */
} UiSentenceMark;

/* The text, whatever it holds. Only what differs is replaced, so that the cursor stays where
 * something changed; where nobody types one sees how the sentence begins. */
void        ui_sentence_entry_put_text        (UiSentenceEntry      *self,
                                               const char           *text);
void        ui_sentence_entry_set_placeholder (UiSentenceEntry      *self,
                                               const char           *text);
const char *ui_sentence_entry_get_placeholder (UiSentenceEntry      *self);
/* They stand until the next ones. */
void        ui_sentence_entry_set_marks       (UiSentenceEntry      *self,
                                               const UiSentenceMark *marks,
                                               guint                 n_marks);

G_END_DECLS
