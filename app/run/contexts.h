/* SPDX-License-Identifier: MIT */
/* The same word in other sentences: how alike its vector there is to that of the chosen token,
 * layer by layer. A sentence takes the place of the one that the token stands in, what is beside that
 * stays, and so do edits but for those of tokens and links. Before the first layer the vectors
 * differ by position and segment alone, and not at all where both are the same. Blocking. */
#pragma once

#include "engine/trace/trace.h"
#include "ui/document/document.h"

G_BEGIN_DECLS

#define APP_MAX_CONTEXTS 6 /* of which those that a person typed come first, the last one first */

typedef struct {
  EngTrace          *trace;    /* complete, of a pass that was made here */
  const UiDocument  *document; /* that the trace answers */
  EngKind            kind;     /* encoder or decoder */
  int                token;
  const char *const *own;      /* sentences that a person typed, NULL-terminated */
  gint              *cancel;
} AppWordQuestion;

typedef struct {
  char     *text;
  gboolean  is_own;
  gboolean  is_same;  /* the text itself, or, to a decoder, alike up to the word: the same vector */
  char     *problem;  /* why it cannot be compared, in words; else NULL */
  int       token;    /* where the word stands */
  EngSpan   span;     /* of the text */
  int       n;        /* layers + 1; 0 where there is a problem */
  double   *cosines;  /* [n] of states: i enter layer i, the last ones leave the last layer */
} AppContext;

/* Why a token has no other contexts, a sentence; NULL = it may have. Cheap. */
const char *app_contexts_refuse (EngTrace               *trace,
                                 EngKind                 kind,
                                 int                     token);
/* (transfer full) Array of AppContext: what is compared, what a person typed and cannot be, and, behind
 * all, the first of those that ship and are the same, where there is one. */
GPtrArray  *app_contexts_find   (const AppWordQuestion  *question,
                                 GError                **error);

G_END_DECLS
