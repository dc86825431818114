/* SPDX-License-Identifier: MIT */
/* The window: entries, pickers, picture and inspector around one document. Every change makes a new
 * document; the study answers with a trace, the picture draws trace and document. */
#pragma once

#include <adwaita.h>

#include "app/desk/desk.h"
#include "app/store/settings.h"
#include "app/study/study.h"

G_BEGIN_DECLS

#define APP_TYPE_WINDOW (app_window_get_type ())
G_DECLARE_FINAL_TYPE (AppWindow, app_window, APP, WINDOW, AdwApplicationWindow)

/* settings must outlive the window; the study is closed with it. */
AppWindow        *app_window_new          (GtkApplication   *application,
                                           AppStudy         *study,
                                           AppSettings      *settings);

/* Shows what was read of path, which is kept as the name to save to when it is a session. Takes the
 * session's steps out of it. */
void              app_window_show_session (AppWindow        *self,
                                           UiSession        *session,
                                           const char       *path,
                                           AppFileKind       kind);

/* A session, figure, trace, lesson or folder of a model, read in a thread; a notice says why it is not
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

/* What it is made of, borrowed: for tests. */
AppDesk          *app_window_get_desk     (AppWindow        *self);
gpointer          app_window_get_part     (AppWindow        *self,
                                           GType             type);

G_END_DECLS
