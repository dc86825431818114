/* SPDX-License-Identifier: MIT */
/* Keeps the document of a program that may be ended at any moment: a session file of this process
 * in $XDG_STATE_HOME/headlight, written in a thread at most half a second after a change, taken
 * away at a clean end. What processes that live no longer have left there is found again. Main
 * thread. */
#pragma once

#include "app/study/history.h"

G_BEGIN_DECLS

typedef struct _AppAutosave AppAutosave;

AppAutosave *app_autosave_new    (void);
/* Waits for a file that is being written, and takes it away. */
void         app_autosave_free   (AppAutosave       *self);
/* history's document and the steps before it are written soon; borrowed until app_autosave_free()
 * or another call. */
void         app_autosave_change (AppAutosave       *self,
                                  const AppHistory  *history);
/* Which session is open, for who restores what is kept; NULL = none. */
void         app_autosave_set_file (AppAutosave     *self,
                                    const char      *file);
/* A file that was found becomes that of this process, so that it is never gone in between. */
void         app_autosave_adopt  (AppAutosave       *self,
                                  const char        *path);
const char  *app_autosave_get_path (const AppAutosave *self);

/* (transfer full) Paths that processes left which live no longer, the latest first; of char *.
 * Blocking; any thread. */
GPtrArray   *app_autosave_find   (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppAutosave, app_autosave_free)

G_END_DECLS
