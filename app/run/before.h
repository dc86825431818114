/* SPDX-License-Identifier: MIT */
/* The runs of texts without edits, beside which a run with edits is laid. One that was asked for is
 * run in a thread of its own, the latest wins, and kept; so nobody waits, and a text is run once. A
 * window that showed the text before it was edited gives its trace away instead. No GTK here. */
#pragma once

#include "engine/transformer/model.h"
#include "ui/document/document.h"

G_BEGIN_DECLS

typedef struct _AppBefore AppBefore;

/* func: in the main context that it was made in, when a run that app_before_find() did not have is
 * there. */
AppBefore *app_before_new  (void           (*func) (gpointer data),
                            gpointer         data);
/* Cancels, waits for the thread. */
void       app_before_free (AppBefore       *self);

/* Whether a document has edits that are on. */
gboolean   app_before_is_edited (const UiDocument *document);
/* A complete trace of a document that is not edited. */
void       app_before_keep (AppBefore        *self,
                            EngModel         *model,
                            const UiDocument *document,
                            EngTrace         *trace);
/* The run of the document without its edits, borrowed until the next call; NULL = it is being made,
 * or cannot be. */
EngTrace  *app_before_find (AppBefore        *self,
                            EngModel         *model,
                            const UiDocument *document);
/* The same, but nothing is begun: NULL = not there. */
EngTrace  *app_before_get  (AppBefore        *self,
                            EngModel         *model,
                            const UiDocument *document);
/* Lets go of all runs but the latest. */
void       app_before_shrink (AppBefore      *self);
/* Cancels, waits for the thread, and lets go of all runs and of their model. */
void       app_before_clear (AppBefore       *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppBefore, app_before_free)

G_END_DECLS
