/* SPDX-License-Identifier: MIT */
/* What a file of texts is searched for: a pattern (engine/trace/patterns.h), or words that read
 * words (ui/scene/numbers/word-links.h). */
#pragma once

#include "engine/trace/patterns.h"
#include "engine/transformer/model.h"
#include "ui/document/document.h"

G_BEGIN_DECLS

typedef struct {
  gboolean    links_words; /* from reads to; else the pattern */
  EngPattern  pattern;
  char       *from;        /* as typed; "" = any word, though not on both sides */
  char       *to;
} AppCorpusQuestion;

/* Of what *from holds; *to is empty. */
void      app_corpus_question_copy      (const AppCorpusQuestion  *from,
                                         AppCorpusQuestion        *to);
void      app_corpus_question_clear     (AppCorpusQuestion        *self);
/* (transfer full) "“the word after”", "“it” reads “cat”", "“it” reads any word". */
char     *app_corpus_question_describe  (const AppCorpusQuestion  *self);

/* (transfer full, nullable out) How the stacks of a kind spell the two words, NULL = any; refused
 * where an entry is not one word to the model. Both NULL for a pattern. */
gboolean  app_corpus_question_spell     (const AppCorpusQuestion  *self,
                                         const EngModel           *model,
                                         const UiDocument         *document,
                                         EngKind                   kind,
                                         char                    **from,
                                         char                    **to,
                                         GError                  **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (AppCorpusQuestion, app_corpus_question_clear)

G_END_DECLS
