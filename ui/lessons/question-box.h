/* SPDX-License-Identifier: MIT */
/* A question of a lesson: what is to be chosen, a button that answers, and then whether it was
 * right. Nothing of the answer is in it before. Main thread.
 *
 * Signals: answered (): the button, with a choice that is whole; again (): it is to be asked once
 * more. */
#pragma once

#include <gtk/gtk.h>

#include "engine/tokenizer/base/tokens.h"

G_BEGIN_DECLS

typedef enum {
  UI_QUESTION_TOKEN,
  UI_QUESTION_CELL,  /* a token that reads and one that is read */
  UI_QUESTION_HEAD,
  UI_QUESTION_NUMBER,
  UI_QUESTION_OPTION
} UiQuestionType;

#define UI_TYPE_QUESTION_BOX (ui_question_box_get_type ())
G_DECLARE_FINAL_TYPE (UiQuestionBox, ui_question_box, UI, QUESTION_BOX, GtkWidget)

/* markup: the question. */
GtkWidget *ui_question_box_new           (const char      *markup,
                                          UiQuestionType   type);

/* What there is to choose from; until then nothing can be chosen. index 1: of a cell, what is read. */
void       ui_question_box_set_tokens    (UiQuestionBox   *self,
                                          int              index,
                                          const EngTokens *tokens);
void       ui_question_box_set_heads     (UiQuestionBox   *self,
                                          int              n_layers,
                                          int              n_heads);
void       ui_question_box_add_option    (UiQuestionBox   *self,
                                          const char      *markup);

/* As if a person did it in the box; while it is asked. */
void       ui_question_box_choose_token  (UiQuestionBox   *self,
                                          int              index,
                                          int              token);
void       ui_question_box_choose_head   (UiQuestionBox   *self,
                                          int              layer,
                                          int              head);
void       ui_question_box_choose_number (UiQuestionBox   *self,
                                          double           number);
void       ui_question_box_choose_option (UiQuestionBox   *self,
                                          int              option);

/* Whether the choice is whole. */
gboolean   ui_question_box_is_whole      (UiQuestionBox   *self);
int        ui_question_box_get_token     (UiQuestionBox   *self,
                                          int              index);
/* -1 where none was chosen. */
void       ui_question_box_get_head      (UiQuestionBox   *self,
                                          int             *layer,
                                          int             *head);
/* NAN = none was typed. */
double     ui_question_box_get_number    (UiQuestionBox   *self);
int        ui_question_box_get_option    (UiQuestionBox   *self);

/* Whether it waits for a choice. */
gboolean   ui_question_box_is_asked      (UiQuestionBox   *self);
/* markup: what is right, one sentence. The choice stays in sight. */
void       ui_question_box_show_verdict  (UiQuestionBox   *self,
                                          gboolean         is_right,
                                          const char      *markup);
/* Why it cannot be answered now; NULL = it can. */
void       ui_question_box_set_obstacle  (UiQuestionBox   *self,
                                          const char      *sentence);
gboolean   ui_question_box_has_obstacle  (UiQuestionBox   *self);
/* It cannot be answered at all: one sentence says why in the place of its choices, and it waits for
 * none. Once. */
void       ui_question_box_refuse        (UiQuestionBox   *self,
                                          const char      *sentence);
void       ui_question_box_focus         (UiQuestionBox   *self);

G_END_DECLS
