/* SPDX-License-Identifier: MIT */
/* The last traces by what they were made from, so that coming back to a text costs nothing. Bounded
 * in number and in memory; the oldest use goes first. Only the latest keeps attention that it
 * materialised. Used by one thread, but for app_trace_cache_shrink(). */
#pragma once

#include "engine/transformer/model.h"
#include "ui/document/document.h"

G_BEGIN_DECLS

typedef struct _AppTraceCache AppTraceCache;

AppTraceCache *app_trace_cache_new    (void);
void           app_trace_cache_free   (AppTraceCache    *self);

/* The model and what a pass of a document depends on: token options, edits, texts. The texts stand
 * for the ids that follow from them, so that a hit need not even tokenise. (transfer full) */
char          *app_trace_cache_key    (const EngModel   *model,
                                       const UiDocument *document);

/* (transfer full); NULL when it is not there. */
EngTrace      *app_trace_cache_find   (AppTraceCache    *self,
                                       const char       *key,
                                       double           *milliseconds);
void           app_trace_cache_add    (AppTraceCache    *self,
                                       const char       *key,
                                       EngTrace         *trace,
                                       double            milliseconds);
void           app_trace_cache_clear  (AppTraceCache    *self);
/* Keeps the latest alone. In any thread. */
void           app_trace_cache_shrink (AppTraceCache    *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppTraceCache, app_trace_cache_free)

G_END_DECLS
