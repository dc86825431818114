/* SPDX-License-Identifier: MIT */
/* What tests know of the window beside app/shell/window.h: widgets by their id in the .ui of the
 * window or of a part, and what it keeps, by name. What is returned is borrowed unless said
 * otherwise. Main thread. */
#pragma once

#include "app/run/answer.h"
#include "app/shell/window.h"
#include "app/study/history.h"
#include "ui/dialogs/export-dialog.h"
#include "ui/view/scene-view.h"

/* Ends the test when there is none. Walks the tree: fetch once what a loop polls. */
GtkWidget        *window_find                 (AppWindow        *window,
                                               const char       *id);
UiSceneView      *window_view                 (AppWindow        *window);
/* What a label, a line, a button or a menu button says. */
const char       *window_get_label            (AppWindow        *window,
                                               const char       *id);
/* What an entry holds. */
const char       *window_get_text             (AppWindow        *window,
                                               const char       *id);
/* Whether a revealer shows its child. */
gboolean          window_reveals              (AppWindow        *window,
                                               const char       *id);

/* The study: the document and the answers to it. */
void              window_change               (AppWindow        *window,
                                               UiDocument       *document); /* transfer full */
/* A picture is there, no answer is waited for, and no pass is about to be asked for. */
gboolean          window_is_idle              (AppWindow        *window);
gboolean          window_is_waiting           (AppWindow        *window);
/* After a moment of no typing. */
gboolean          window_will_submit          (AppWindow        *window);
/* Of the last request. */
guint             window_get_serial           (AppWindow        *window);
/* Whether the trace has all its layers. */
gboolean          window_is_complete          (AppWindow        *window);
EngModel         *window_get_model            (AppWindow        *window);
/* The request that the trace answers. */
const UiDocument *window_get_answered         (AppWindow        *window);
/* As if it were the one that was answered; it stays the caller's. */
void              window_set_trace            (AppWindow        *window,
                                               EngTrace         *trace);
EngTrace         *window_get_second_trace     (AppWindow        *window);
/* Whether a second trace is shown that is not the first. */
gboolean          window_has_other_trace      (AppWindow        *window);
const AppWritten *window_get_written          (AppWindow        *window);
void              window_put_written          (AppWindow        *window,
                                               UiDocument       *document);
const AppHistory *window_get_history          (AppWindow        *window);
gboolean          window_is_saving            (AppWindow        *window);
const char       *window_get_autosave_path    (AppWindow        *window);
/* Files that were read, or refused. */
guint             window_get_n_opened         (AppWindow        *window);

/* The picture. */
/* What is to be shown while it is drawn beside the window; NULL = nothing else than what is. */
const UiDocument *window_get_wanted           (AppWindow        *window);
gboolean          window_awaits_picture       (AppWindow        *window);
/* Whether one is drawn beside the window. */
gboolean          window_has_drawing          (AppWindow        *window);
gboolean          window_is_fitting           (AppWindow        *window);
/* As if another trace were shown. */
void              window_set_shown_kind       (AppWindow        *window,
                                               EngKind           kind);

/* The shell: settings, actions, notices, jobs, tasks. */
AppSettings      *window_get_settings         (AppWindow        *window);
UiTheme           window_get_theme            (AppWindow        *window);
void              window_update_actions       (AppWindow        *window);
void              window_toast                (AppWindow        *window,
                                               const char       *sentence);
void              window_add_toast            (AppWindow        *window,
                                               AdwToast         *toast); /* transfer full */
/* In sight; NULL = none. */
AdwToast         *window_get_toast            (AppWindow        *window);
/* Without an answer of a person. */
gboolean          window_will_show_next_toast (AppWindow        *window);
gboolean          window_has_job              (AppWindow        *window);
GTask            *window_task_new             (AppWindow        *window,
                                               GAsyncReadyCallback callback,
                                               gpointer          data);
GMemoryMonitor   *window_get_memory_monitor   (AppWindow        *window);
/* Whether the page is beside the picture. */
gboolean          window_shows_side           (AppWindow        *window,
                                               const char       *name);

/* Models. */
void              window_open_model           (AppWindow        *window,
                                               const char       *model);
void              window_open_trace           (AppWindow        *window,
                                               const char       *path);
/* Of the menu; others each time that it was filled. */
gconstpointer     window_get_model_entries    (AppWindow        *window);
/* Of the model's mask token. */
int               window_get_mask_id          (AppWindow        *window);

/* Sessions. Whether it is known what programs have left that were ended. */
gboolean          window_knows_lost           (AppWindow        *window);
/* Looks for it anew. */
void              window_find_lost            (AppWindow        *window);
GMenuModel       *window_get_recent_menu      (AppWindow        *window);
void              window_fill_recent          (AppWindow        *window);

/* Display, facts of heads, sweep, export. */
void              window_refresh_display      (AppWindow        *window);
/* Whose heads the map shows; NULL = none. */
EngTrace         *window_get_map_trace        (AppWindow        *window);
/* Whose facts of heads are computed. */
EngTrace         *window_get_facts_trace      (AppWindow        *window);
GtkWidget        *window_get_sweep_dialog     (AppWindow        *window);
void              window_set_export_format    (AppWindow        *window,
                                               UiExportFormat    format);

/* Links and search. */
/* Whether the next click in the picture chooses a word. */
gboolean          window_picks_words          (AppWindow        *window);
/* index 0 or 1; -1 = not chosen yet. */
int               window_get_link_word        (AppWindow        *window,
                                               int               index);
void              window_set_link_word        (AppWindow        *window,
                                               int               index,
                                               int               token);
/* What the list of links answers for; NULL = nothing was asked. */
EngTrace         *window_get_link_trace       (AppWindow        *window);
gboolean          window_has_link_job         (AppWindow        *window);
void              window_refresh_links        (AppWindow        *window);
void              window_search_file          (AppWindow        *window,
                                               const char       *path);
