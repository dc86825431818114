/* SPDX-License-Identifier: MIT */
/* A search over a text file for heads that follow a pattern or link two words: what to search, the
 * heads, the lines of one of them, and the lines that were left out. It reads no file: whoever owns
 * it searches and hands over what was found.
 *
 * Signals:
 *   choose-file ()                     the button of the file
 *   search ()                          with the file and the question that are chosen
 *   head-chosen (guint index)          in the list of heads: its lines are wanted
 *   line-opened (guint index)          in the list of lines of that head
 *   save (gboolean lines)              the list in sight as a file: lines of the head, or heads */
#pragma once

#include <gtk/gtk.h>

#include "engine/trace/patterns.h"
#include "ui/document/document.h"

G_BEGIN_DECLS

#define UI_TYPE_SEARCH_RESULTS (ui_search_results_get_type ())
G_DECLARE_FINAL_TYPE (UiSearchResults, ui_search_results, UI, SEARCH_RESULTS, GtkWidget)

/* The button that starts the search gets the focus. */
void        ui_search_results_set_file    (UiSearchResults *self,
                                           const char      *path); /* NULL = none is chosen */
/* Where it is to be gone on: the search, the file where none is chosen, or the list in sight. */
void        ui_search_results_focus       (UiSearchResults *self);
/* What is searched for: FALSE = the pattern. The words (transfer full) are as typed, "" = any, and
 * not both are empty. */
gboolean    ui_search_results_get_words   (UiSearchResults *self,
                                           char           **from,
                                           char           **to);
EngPattern  ui_search_results_get_pattern (UiSearchResults *self);
/* NULL = a search can be started; else the sentence that says why it cannot. */
void        ui_search_results_set_obstacle (UiSearchResults *self,
                                           const char      *sentence);

/* In place of all of it: why it says nothing now; NULL = it does. It stays as it was left. */
void        ui_search_results_hold_back   (UiSearchResults *self,
                                           const char      *sentence);
/* In place of the heads: what is waited for, or what went wrong. */
void        ui_search_results_set_message (UiSearchResults *self,
                                           const char      *sentence,
                                           gboolean         is_busy);
/* heads, lines, skipped: of UiResult (ui/lists/result-list.h); taken over. summary: what was searched,
 * how much of it. */
void        ui_search_results_take_heads  (UiSearchResults *self,
                                           const char      *summary,
                                           GArray          *heads,
                                           GArray          *skipped,
                                           int              n_skipped);
void        ui_search_results_take_lines  (UiSearchResults *self,
                                           const char      *title,
                                           GArray          *lines);
/* From lines back to the heads; FALSE where these are in sight, or held back. */
gboolean    ui_search_results_go_back     (UiSearchResults *self);
void        ui_search_results_set_theme   (UiSearchResults *self,
                                           UiTheme          theme);

G_END_DECLS
