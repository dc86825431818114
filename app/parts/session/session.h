/* SPDX-License-Identifier: MIT */
/* Documents in files: opening anything, saving sessions, the line of a command, and what a program
 * that was ended has left. Files are read and written in a thread. */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

#define APP_TYPE_SESSION_PART (app_session_part_get_type ())
G_DECLARE_FINAL_TYPE (AppSessionPart, app_session_part, APP, SESSION_PART, AppPart)

/* Shows what was read of path, which is kept as the name to save to when it is a session. Takes the
 * session's steps out of it. */
void     app_session_part_show       (AppSessionPart *self,
                                      UiSession      *session,
                                      const char     *path,
                                      AppFileKind     kind);
/* A session, figure, trace, lesson or folder of a model, read in a thread; a notice says why it is not
 * shown. */
void     app_session_part_open       (AppSessionPart *self,
                                      const char     *path);
/* Offers what programs have left that were ended; looked for in a thread. */
void     app_session_part_find_lost  (AppSessionPart *self);
/* Whether the window may not be closed yet: a person is asked whether to save. */
gboolean app_session_part_keeps_open (AppSessionPart *self);

G_END_DECLS
