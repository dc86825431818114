/* SPDX-License-Identifier: MIT */
/* A file of texts with their answers: what a head is to say of each. */
#pragma once

#include "engine/base/error.h"

G_BEGIN_DECLS

typedef enum {
  ENG_EXAMPLES_CLASSES, /* a text, tab, its label */
  ENG_EXAMPLES_PAIRS,   /* a text, tab, another, tab, the label of the two */
  ENG_EXAMPLES_TAGS,    /* a word, tab, its tag; an empty line behind each sentence */
  ENG_EXAMPLES_ANSWERS  /* a question, tab, a context, tab, the answer as it stands there */
} EngExamplesKind;

typedef struct {
  char   *a;       /* text, words with blanks between them, or question */
  char   *b;       /* the other text or the context; NULL of classes and tags */
  char   *label;   /* or the answer; NULL of tags */
  char  **words;   /* of tags, ended by NULL */
  char  **tags;    /* of each word */
  int     line;    /* of the file; of tags that of the first word */
  int     start;   /* of an answer: its first byte in the context; it is the first that is alike */
} EngExample;

/* (element-type EngExample) (transfer full) Refuses in a sentence, with the line's number: what
 * eng_lines_walk() refuses, another number of columns, an empty one, an answer that is not in its
 * context; a file without an example. */
GPtrArray *eng_examples_read        (const char       *path,
                                     EngExamplesKind   kind,
                                     GError          **error);
/* (transfer full) The labels or tags that there are, in order of their bytes, ended by NULL. */
char     **eng_examples_dup_labels  (const GPtrArray  *examples);

G_END_DECLS
