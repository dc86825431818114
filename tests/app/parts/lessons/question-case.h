/* SPDX-License-Identifier: MIT */
/* What a lesson asks in a test of the real window, and the dialog that adds to one. */
#pragma once

#include "tests/app/parts/lesson-case.h"
#include "ui/lessons/question-box.h"
#include "ui/lessons/token-strip.h"

#define PINNED "## One\n\n" STATE ("--layer 1 --heads 6 --pin 2") \
  "ask: token Which token does “cat” read most?\nanswer: \"the\"\n\nBehind.\n\n"

static inline UiQuestionBox *
find_question (Fixture *fixture,
               int      index)
{
  return UI_QUESTION_BOX (driver_find (find_content (fixture), UI_TYPE_QUESTION_BOX, index));
}

static inline void
answer (Fixture *fixture,
        int      index)
{
  g_assert_true (ui_question_box_is_whole (find_question (fixture, index)));
  g_signal_emit_by_name (find_question (fixture, index), "answered");
}

static inline void
answer_token (Fixture *fixture,
              int      token)
{
  wait_until (gtk_widget_is_sensitive (driver_find (find_content (fixture), UI_TYPE_TOKEN_STRIP,
                                                    0)));
  ui_question_box_choose_token (find_question (fixture, 0), 0, token);
  g_signal_emit_by_name (find_question (fixture, 0), "answered");
  wait_until (shows (fixture, "Behind."));
}

static inline GtkWidget *
find_button (Fixture    *fixture,
             const char *label)
{
  GtkWidget *box = GTK_WIDGET (find_question (fixture, 0));
  GtkWidget *button;

  for (int i = 0; (button = driver_find (box, GTK_TYPE_BUTTON, i)) != NULL; i++)
    if (g_strcmp0 (gtk_button_get_label (GTK_BUTTON (button)), label) == 0)
      return button;
  g_assert_not_reached ();
}

static inline void
open_asked (Fixture    *fixture,
            const char *name)
{
  g_autofree char *path = write_lesson (name, HEADER PINNED SECOND);

  open_file (fixture, path);
  wait_until (is_idle (fixture->window));
}

/* The page of numbers, or the lesson's, comes to the front. */
static inline GtkWidget *
show_page (Fixture    *fixture,
           const char *name)
{
  AppDesk *desk = app_window_get_desk (fixture->window);
  GtkWidget *inspector = GTK_WIDGET (app_desk_get_inspector (desk));

  gtk_stack_set_visible_child_name (
    GTK_STACK (gtk_widget_get_ancestor (inspector, GTK_TYPE_STACK)), name);
  driver_settle (GTK_WIDGET (fixture->window));
  return inspector;
}

static inline GtkWidget *
find_dialog (void)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

    if (ADW_IS_MESSAGE_DIALOG (window))
      return window;
  }
  return NULL;
}
