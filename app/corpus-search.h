/* SPDX-License-Identifier: MIT */
/* Which heads show a pattern over a text file with a sentence (A) or a pair (A, tab, B) a line,
 * and in which lines each of them shows it most. Blocking: for a thread of its own, with a
 * session of its own on a model that may be in use elsewhere. Memory is bounded however long the
 * file is: texts are kept for the best lines of a head alone. */
#pragma once

#include "engine/model.h"
#include "engine/trace/patterns.h"
#include "ui/scene/document.h"

G_BEGIN_DECLS

#define APP_CORPUS_BEST_LINES 200
#define APP_CORPUS_SKIPPED    1000 /* lines whose reason is kept */
#define APP_CORPUS_LONGEST    65536 /* bytes of a line */

typedef struct {
  int    number;  /* of the line, from 1 */
  char  *text_a;  /* GRefString */
  char  *text_b;  /* GRefString, "" = none */
  float  score;   /* of the pattern, in this line */
  EngPatternEvidence evidence;
} AppCorpusLine;

typedef struct {
  int     layer;
  int     head;
  double  mean;     /* of the scores over the lines where the pattern applies */
  int     n_lines;  /* how many these are */
  GArray *lines;    /* of AppCorpusLine, best first, at most APP_CORPUS_BEST_LINES */
} AppCorpusHead;

typedef struct {
  int   number;
  char *reason;
} AppCorpusSkip;

typedef struct {
  EngKind    kind;
  EngPattern pattern;
  GArray    *heads;        /* of AppCorpusHead, highest mean first */
  int        n_lines;      /* that were run */
  int        n_skipped;
  GArray    *skipped;      /* of AppCorpusSkip: the first ones */
  gboolean   was_cancelled; /* what was found until then */
} AppCorpusResult;

/* fraction: of the file's bytes; note: "120 lines, 14 skipped". */
typedef void (*AppCorpusProgress) (double      fraction,
                                   const char *note,
                                   gpointer    data);

/* (transfer full) The document says how a line becomes tokens and which edits act; its texts are
 * not used. NULL when the file cannot be read or has no line that can be run (the first reason is
 * named). cancel is polled; a cancelled search is a result. */
AppCorpusResult *app_corpus_search      (EngModel          *model,
                                         const UiDocument  *document,
                                         EngKind            kind,
                                         EngPattern         pattern,
                                         const char        *path,
                                         gint              *cancel,
                                         AppCorpusProgress  progress, /* nullable */
                                         gpointer           data,
                                         GError           **error);
void             app_corpus_result_free (AppCorpusResult   *self);

/* CSV: heads as layer, head, mean, lines, best line, its score, its texts. (transfer full) */
char            *app_corpus_heads_to_csv (const AppCorpusResult *self);
/* Lines of a head: line, score, text A, text B. (transfer full) */
char            *app_corpus_lines_to_csv (const AppCorpusHead   *head);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppCorpusResult, app_corpus_result_free)

G_END_DECLS
