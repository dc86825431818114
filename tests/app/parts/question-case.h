/* SPDX-License-Identifier: MIT */
/* What a lesson asks in a test of the real window, and the dialog that adds to one. */
#pragma once

#include "tests/app/parts/lesson-case.h"
#include "ui/lessons/question-box.h"

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
