/* SPDX-License-Identifier: MIT */
/* The window: entries, pickers, picture and inspector around one document. Every change makes a new
 * document; the worker answers with a trace, the view draws trace and document. */
#pragma once

#include <adwaita.h>

#include "app/session-file.h"
#include "app/settings.h"
#include "app/worker.h"

G_BEGIN_DECLS

#define APP_TYPE_WINDOW (app_window_get_type ())
G_DECLARE_FINAL_TYPE (AppWindow, app_window, APP, WINDOW, AdwApplicationWindow)

/* worker and settings must outlive the window; the document was already submitted to the worker. */
AppWindow        *app_window_new          (GtkApplication   *application,
                                           AppWorker        *worker,
                                           AppSettings      *settings,
                                           const UiDocument *document);

/* Shows what the worker answered, or says why there is nothing to show. */
void              app_window_take_answer  (AppWindow        *self,
                                           const AppAnswer  *answer);

/* Shows what was read of path, which is kept as the name to save to when it is a session. Takes the
 * session's steps out of it. */
void              app_window_show_session (AppWindow        *self,
                                           UiSession        *session,
                                           const char       *path,
                                           AppFileKind       kind);

/* A session, figure, trace or folder of a model, read in a thread; a toast says why it is not
 * shown. */
void              app_window_open_file    (AppWindow        *self,
                                           const char       *path);

/* What the person chose. */
const UiDocument *app_window_get_document (AppWindow        *self);
/* The same as far as the trace on show has it: what is drawn, copied and exported. NULL before the
 * first picture. */
const UiDocument *app_window_get_shown    (AppWindow        *self);
/* NULL before the first picture. */
EngTrace         *app_window_get_trace    (AppWindow        *self);

G_END_DECLS
