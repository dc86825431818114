/* SPDX-License-Identifier: MIT */
/* What stands beside the steps of a token: its vector over the whole model (app/run/token-path.h)
 * and the same word elsewhere (app/run/contexts.h). Each is found in a thread of its own, the
 * latest wins. No GTK here. Main thread; values that it returns are borrowed until the next call. */
#pragma once

#include "app/run/contexts.h"
#include "app/run/token-path.h"

G_BEGIN_DECLS

typedef struct _AppBeside AppBeside;

/* func: in the main context that it was made in, when something that was asked for is there. */
AppBeside          *app_beside_new           (void (*func) (gpointer data),
                                              gpointer           data);
/* Cancels and waits for nothing; nothing more is told. */
void                app_beside_free          (AppBeside         *self);
/* About a token of a stack, encoder or decoder, of a complete trace of a pass that was made here;
 * document: that it answers. The same again asks for nothing. */
void                app_beside_ask           (AppBeside         *self,
                                              EngTrace          *trace,
                                              const UiDocument  *document,
                                              EngKind            kind,
                                              int                token);
/* Ends what is being found; what was found stays until something else is. */
void                app_beside_cancel        (AppBeside         *self);
/* NULL = not there yet, with *error (nullable, borrowed) where it cannot be. */
const AppTokenPath *app_beside_get_path      (const AppBeside   *self,
                                              const GError     **error);
/* Array of AppContext; likewise. */
GPtrArray          *app_beside_get_contexts  (const AppBeside   *self,
                                              const GError     **error);
/* Whether this was found for what was asked for last. */
gboolean            app_beside_is_current    (const AppBeside   *self);
/* What it is about: NULL = nothing was asked for. */
EngTrace           *app_beside_get_trace     (const AppBeside   *self,
                                              EngKind           *kind,
                                              int               *token);
/* A sentence of a person's own, in which words are looked for from now on; taken away again. */
void                app_beside_add_sentence  (AppBeside         *self,
                                              const char        *text);
void                app_beside_remove_sentence (AppBeside       *self,
                                              const char        *text);

/* (transfer full) A line with names, then one a number: what it is (cosine, length before a norm,
 * length, probability), its layer, where, of which sentence, model or word. */
char               *app_beside_to_csv        (const AppBeside   *self);

G_END_DECLS
