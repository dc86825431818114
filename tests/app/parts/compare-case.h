/* SPDX-License-Identifier: MIT */
/* A test of two sides in the real window. */
#pragma once

#include "tests/support/window/window-test.h"

#include <string.h>

#include "ui/sentences/sentence-entry.h"

#define N_TOKENS 15 /* of the example pair */

/* Of the bar: A, B. */
static inline GtkWidget *
get_text_entry (AppWindow *window,
                int        i)
{
  return driver_find (window_find (window, "compare_bar"), UI_TYPE_SENTENCE_ENTRY, i);
}

/* The n-th entry of the bar: A, B, heads. */
static inline void
type (AppWindow  *window,
      int         entry,
      const char *text)
{
  GtkWidget *widget = entry < 2 ? get_text_entry (window, entry)
                                : driver_find (window_find (window, "compare_bar"), GTK_TYPE_ENTRY,
                                               entry - 2);

  g_assert_nonnull (widget);
  gtk_editable_set_text (GTK_EDITABLE (widget), text);
}

static inline void
assert_status (AppWindow  *window,
               const char *part)
{
  g_assert_nonnull (strstr (window_get_label (window, "selection_status"), part));
}

static inline void
change (AppWindow  *window,
        const char *field,
        const char *value)
{
  UiDocument *document = ui_document_copy (app_window_get_document (window));

  g_assert_true (ui_document_set (document, ui_fields_find (field), value, NULL));
  window_change (window, document);
  wait_until (is_idle (window));
}

static inline gboolean
shows_second_text (AppWindow  *window,
                   const char *text)
{
  return window_get_second_trace (window) != NULL
         && g_strcmp0 (eng_trace_get_text_a (window_get_second_trace (window)), text) == 0;
}

static inline gboolean
has_focus_within (GtkWidget *widget)
{
  return (gtk_widget_get_state_flags (widget) & GTK_STATE_FLAG_FOCUS_WITHIN) != 0;
}

/* The button of the bar that says what differs. */
static inline gboolean
says_difference (AppWindow  *window,
                 const char *words)
{
  return driver_find_label (window_find (window, "compare_bar"), words) != NULL;
}

/* With the frame that it draws. */
static inline void
resize (AppWindow *window,
        int        width,
        int        height)
{
  gtk_window_set_default_size (GTK_WINDOW (window), width, height);
  wait_until (ABS (gtk_widget_get_width (GTK_WIDGET (window)) - width) < 60);
  driver_settle (GTK_WIDGET (window));
}
