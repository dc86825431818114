/* SPDX-License-Identifier: MIT */
/* Examples as texts that something is asked of: the tokens of each, and its label where the head
 * reads it (engine/training/batch.h). */
#pragma once

#include "engine/spec/spec.h"
#include "engine/examples/sides.h"
#include "engine/training/texts.h"

G_BEGIN_DECLS

typedef struct {
  EngExamplesKind    kind;
  const char *const *labels;  /* the classes, ended by NULL; NULL of answers */
  EngHeadInput       input;   /* of the head that classifies texts */
  gboolean           types;   /* the model reads which text of a pair a token is of */
  const EngSides    *sides;   /* of the examples: what decides whether one is held out */
} EngLabelling;

/* A tag stands at the first
 * token of its word; texts are cut to the longest of settings, of a question the context around the
 * answer. Refuses, with the line of path, the file that they were read from: a label that is not
 * among the classes, an answer without a token; examples of which none is left to learn from, or
 * one alone where some are to be held out. */
EngTexts *eng_labelled_tokenise (const GPtrArray         *examples,
                                 const char              *path,
                                 const EngTokenizer      *tokenizer,
                                 const EngLabelling      *labelling,
                                 const EngTextsSettings  *settings,
                                 GError                 **error);
/* firsts [n_words] (out): the first token of each of the words that example->a is made of; -1 = it
 * was cut off. */
void      eng_labelled_find_words (const EngExample      *example,
                                   const EngTokens       *tokens,
                                   int                   *firsts);

G_END_DECLS
