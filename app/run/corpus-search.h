/* SPDX-License-Identifier: MIT */
/* Which heads show a pattern, or link two words, over a text file with a sentence (A) or a pair (A,
 * tab, B) a line, and in which lines each of them does it most. Blocking: for a thread of its own,
 * with a session of its own on a model that may be in use elsewhere. Memory is bounded however long
 * the file is: texts are kept for the best lines of a head alone. A line that does not hold the
 * words is not run. */
#pragma once

#include "app/run/corpus-question.h"
#include "app/store/progress.h"

G_BEGIN_DECLS

#define APP_CORPUS_BEST_LINES 200
#define APP_CORPUS_SKIPPED    1000 /* lines whose reason is kept */
#define APP_CORPUS_LONGEST    65536 /* bytes of a line */

typedef struct {
  int    number;  /* of the line, from 1 */
  char  *text_a;  /* GRefString */
  char  *text_b;  /* GRefString, "" = none */
  float  score;   /* of the pattern or the words, in this line */
  /* The strongest link: tokens, for words the first of each. query -1 = not looked for. */
  int    query;
  int    key;
  float  weight;
  gboolean has_pieces; /* one of the two words has several tokens */
} AppCorpusLine;

typedef struct {
  int     layer;
  int     head;
  double  mean;     /* of the scores over the lines where the question applies */
  int     n_lines;  /* how many these are */
  GArray *lines;    /* of AppCorpusLine, best first, at most APP_CORPUS_BEST_LINES */
} AppCorpusHead;

typedef struct {
  int   number;
  char *reason;
} AppCorpusSkip;

typedef struct {
  EngKind           kind;
  AppCorpusQuestion question;
  GArray           *heads;     /* of AppCorpusHead, highest mean first */
  int               n_lines;   /* that are texts for the model */
  int               n_matched; /* of these, where the question applies to a head */
  int               n_skipped;
  GArray           *skipped;   /* of AppCorpusSkip: the first ones */
  gboolean          was_cancelled; /* what was found until then */
} AppCorpusResult;

/* (transfer full) The document says how a line becomes tokens and which edits act; its texts are
 * not used. NULL when the file cannot be read, has no line that can be run (the first reason is
 * named), or an entry of the question is not one word. progress: of the file's bytes, with the note
 * "120 lines, 12 with the words, 14 skipped". cancel is polled; a cancelled search is a result. */
AppCorpusResult *app_corpus_search      (EngModel                 *model,
                                         const UiDocument         *document,
                                         EngKind                   kind,
                                         const AppCorpusQuestion  *question,
                                         const char               *path,
                                         gint                     *cancel,
                                         AppProgressFunc           progress, /* nullable */
                                         gpointer                  data,
                                         GError                  **error);
void             app_corpus_result_free (AppCorpusResult          *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppCorpusResult, app_corpus_result_free)

G_END_DECLS
