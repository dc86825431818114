/* SPDX-License-Identifier: MIT */
/* A drop-down of the tokens of a text; typing in the open list finds one. Its rows stay when the
 * text changes, and come and go a few at a time: GTK makes a row for each token of a list that is
 * closed, too.
 *
 * Signal: changed: a person chose another word, or none. */
#pragma once

#include <gtk/gtk.h>

#include "engine/tokenizer/base/tokens.h"

G_BEGIN_DECLS

#define UI_TYPE_WORD_CHOICE (ui_word_choice_get_type ())
G_DECLARE_FINAL_TYPE (UiWordChoice, ui_word_choice, UI, WORD_CHOICE, GtkWidget)

GtkWidget *ui_word_choice_new        (const char   *label); /* accessible */
/* Takes a reference; no word is chosen then. */
void       ui_word_choice_set_tokens (UiWordChoice *self,
                                      EngTokens    *tokens);
/* -1 = none. */
void       ui_word_choice_set_word   (UiWordChoice *self,
                                      int           word);
int        ui_word_choice_get_word   (UiWordChoice *self);

G_END_DECLS
