/* SPDX-License-Identifier: MIT */
/* A session as text: a document and the steps that led to it. It is what a session file holds, what
 * is kept for a program that ends in the middle, and what a figure carries along:
 *   {"format": "headlight-session", "version": 1, "file": …, "document": {…}, "history": [{…}, …]}
 * The history begins with the latest step; each says only what was not as in the step behind it. A
 * document has the options of the command line by name, text_a, text_b, and of what a model wrote
 * behind them the number of tokens, or "all": "written". The file, in what is kept alone, is the
 * session that the program had open. */
#pragma once

#include "ui/document/document.h"

G_BEGIN_DECLS

#define UI_SESSION_MAX_BYTES (16 << 20)
#define UI_SESSION_MAX_STEPS 200

typedef struct {
  UiDocument *document;
  GPtrArray  *past;    /* of UiDocument, its own; the latest first */
  char       *file;    /* absolute path of the session that was open; NULL = none */
  char       *unknown; /* keys that were passed over, with commas; NULL = none */
} UiSession;

/* past and file are nullable; no more than UI_SESSION_MAX_STEPS of it are written, and no more than fit into
 * a quarter of a megabyte. Paths inside of folder (nullable) become relative to it. compact: on one
 * line and in ASCII, without history and file, for the inside of another file. (transfer full) */
char      *ui_session_to_text   (const UiDocument  *document,
                                 GPtrArray         *past,
                                 const char        *file,
                                 const char        *folder,
                                 gboolean           compact);
/* Refuses what is no session, one of a later version, and a value that a field does not take: one
 * sentence in the name of what, normally a path. text: length bytes and a NUL. */
UiSession *ui_session_from_text (const char        *text,
                                 gsize              length,
                                 const char        *folder,
                                 const char        *what,
                                 GError           **error);
void       ui_session_free      (UiSession         *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (UiSession, ui_session_free)

G_END_DECLS
