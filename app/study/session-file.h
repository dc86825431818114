/* SPDX-License-Identifier: MIT */
/* Files that hold a document, and everything else that --open, the window's Open and a drop take:
 * a session, a figure that Headlight drew, a trace, the folder of a model, a lesson. Blocking; any
 * thread. */
#pragma once

#include "ui/document/session.h"

G_BEGIN_DECLS

#define APP_SESSION_ENDING    ".headlight"
#define APP_SESSION_MIME_TYPE "application/x-headlight-session"

typedef enum {
  APP_FILE_SESSION,
  APP_FILE_FIGURE,
  APP_FILE_TRACE,
  APP_FILE_MODEL, /* a folder */
  APP_FILE_LESSON
} AppFileKind;

/* What is to be shown: the session or the figure's document, or base with another model or trace;
 * base as it is where the file is a lesson, which is read elsewhere.
 * kind is nullable. */
UiSession *app_session_file_open   (const char        *path,
                                    const UiDocument  *base,
                                    AppFileKind       *kind,
                                    GError           **error);
/* Puts a session into its place, or leaves what was there. Nullable are past, the steps that led to
 * the document, the latest first, and file, the session whose document is kept at another path. */
gboolean   app_session_file_write  (const char        *path,
                                    const UiDocument  *document,
                                    GPtrArray         *past,
                                    const char        *file,
                                    GError           **error);
/* Makes paths that begin in the current folder absolute, and names the bundled model: the document
 * is to be read elsewhere. */
void       app_session_file_anchor (UiDocument        *document);

G_END_DECLS
