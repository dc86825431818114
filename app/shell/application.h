/* SPDX-License-Identifier: MIT */
/* The program: owns the worker and the settings, opens the one window. Each start is a process of
 * its own. The worker begins with the first document as soon as the application is made, before GTK
 * is initialised, so that model and GTK start side by side. */
#pragma once

#include <adwaita.h>

#include "app/study/session-file.h"

G_BEGIN_DECLS

#define APP_TYPE_APPLICATION (app_application_get_type ())
G_DECLARE_FINAL_TYPE (AppApplication, app_application, APP, APPLICATION, AdwApplication)

/* document: what the command line asked for; a model that it leaves open is the one of the
 * settings, when that is still on this computer. */
AppApplication *app_application_new (const UiDocument *document);
/* The same of which nobody chose a head, as app_study_begin() says. */
AppApplication *app_application_new_beginning (const UiDocument *document,
                                               gboolean          is_example);
/* What a window begins with that was asked for nothing: the first example, with the model that was
 * open last, or with the bundled one and the head of it that says most about the example. */
AppApplication *app_application_new_example (void);
/* Before it runs: what else was read of path with the document, or NULL where it could not be, which
 * the window then says. Takes the session over. */
void            app_application_take_session (AppApplication *self,
                                              UiSession      *session,
                                              const char     *path,
                                              AppFileKind     kind);
/* Whether what the command line names could not be opened, and something else was shown. */
gboolean        app_application_is_unopened (AppApplication  *self);

G_END_DECLS
