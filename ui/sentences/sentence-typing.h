/* SPDX-License-Identifier: MIT */
/* What a person puts into a sentence, as it may stand there. Pure but for the last two. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef enum {
  UI_SENTENCE_AS_IT_IS,
  UI_SENTENCE_JOINED,  /* its line breaks are blanks */
  UI_SENTENCE_UNTABBED,
  UI_SENTENCE_CUT,
} UiSentenceCut;

/* (transfer full) n_before: letters that stand there already. length: bytes, -1 = all. */
char *ui_sentence_clean       (const char    *added,
                               int            length,
                               int            n_before,
                               UiSentenceCut *cut);
/* To go one letter to the right Pango finds the places of all letters of a line, each anew: that
 * takes time that grows with their square, 40 s for the most. In a long text the cursor goes to the
 * next letter in memory, the way that its script runs. */
void  ui_sentence_ease_cursor (GtkText       *text);
/* A click beside the text, on the letter of the sentence too, gives the entry the keys. */
void  ui_sentence_take_clicks (GtkWidget     *entry);

G_END_DECLS
