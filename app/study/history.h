/* SPDX-License-Identifier: MIT */
/* A list of documents with a cursor: undo and redo, and of places, back and forward. Pure: the
 * caller brings the time. Steps that a person makes without a pause become one: letters of a word,
 * the way of a slider. At least the last 200 are kept, more while they are small. Used by one
 * thread. */
#pragma once

#include "ui/document/document.h"

G_BEGIN_DECLS

typedef struct _AppHistory AppHistory;

/* first: what stands before any step. */
AppHistory       *app_history_new           (const UiDocument *first);
void              app_history_free          (AppHistory       *self);

/* Puts the document behind the one at the cursor and forgets what could have been redone; a
 * document that is equal is no step. time: microseconds of a clock that never goes back. */
void              app_history_record        (AppHistory       *self,
                                             const UiDocument *document,
                                             gint64            time);
/* Where only the view, or the stage of its way, is another than at the cursor, the document there
 * becomes this one: looking is no step, and steps leave the view alone unless they have chosen it,
 * too. FALSE = more is. */
gboolean          app_history_look          (AppHistory       *self,
                                             const UiDocument *document);
/* The document at the cursor becomes this one: it was taken back, not by a person. A step that
 * changes nothing any more is dropped. */
void              app_history_amend         (AppHistory       *self,
                                             const UiDocument *document);
/* Puts a document behind the one at the cursor, a step of its own however soon it came. */
void              app_history_append        (AppHistory       *self,
                                             const UiDocument *document);
/* Puts steps, the latest first, before all others. Takes the documents of past over. */
void              app_history_prepend       (AppHistory       *self,
                                             GPtrArray        *past);

/* Moves the cursor. The document there, borrowed until the next call that changes something; NULL
 * at the end. */
const UiDocument *app_history_undo          (AppHistory       *self);
const UiDocument *app_history_redo          (AppHistory       *self);
const UiDocument *app_history_get           (const AppHistory *self);

gboolean          app_history_can_undo      (const AppHistory *self);
gboolean          app_history_can_redo      (const AppHistory *self);
/* The step that would be undone or redone, as app_step_describe() says it; NULL when there is none.
 * (transfer full) */
char             *app_history_describe_undo (const AppHistory *self,
                                             const EngTrace   *trace,
                                             const EngTrace   *typed);
char             *app_history_describe_redo (const AppHistory *self,
                                             const EngTrace   *trace,
                                             const EngTrace   *typed);

/* (transfer container) The documents before the cursor, the latest first, at most that many;
 * borrowed until the next call. */
GPtrArray        *app_history_list_past     (const AppHistory *self,
                                             guint             most);
int               app_history_get_n_steps   (const AppHistory *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppHistory, app_history_free)

/* A place is where a document looks: view, kind, layer; with them go heads, pins and panels. */
gboolean          app_place_equal           (const UiDocument *a,
                                             const UiDocument *b);
/* (transfer full) The document, looking where place looks. */
UiDocument       *app_place_apply           (const UiDocument *place,
                                             const UiDocument *document);

G_END_DECLS
