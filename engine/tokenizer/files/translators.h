/* SPDX-License-Identifier: MIT */
/* Tokenizers of translators that put the token of its language around every text: which languages
 * there are, in the order of their ids, and where the token stands. The classes of transformers
 * decide it, whatever a tokenizer.json has as its template. */
#pragma once

#include "engine/tokenizer/files/settings.h"
#include "engine/tokenizer/pipeline/pipeline.h"

G_BEGIN_DECLS

typedef enum {
  ENG_TRANSLATOR_M2M_100,
  ENG_TRANSLATOR_NLLB,
  ENG_TRANSLATOR_MBART,
  ENG_TRANSLATOR_MBART_50,
  ENG_N_TRANSLATORS
} EngTranslator;

/* By tokenizer_class, else by the model's type; FALSE where it is none of them. */
gboolean   eng_translator_find        (const EngTokenizerSettings  *settings,
                                       EngTranslator               *translator);
/* (transfer full) Its languages as tokens, ended by NULL; NULL with an error for a list of
 * languages that is not known. */
char     **eng_translator_list_tokens (EngTranslator                translator,
                                       const EngTokenizerSettings  *settings,
                                       GError                     **error);
/* Gives the pipeline of a translator its languages and its template; does nothing to others.
 * Refuses a vocabulary without the language that texts have by default. */
gboolean   eng_translators_apply      (EngPipeline                 *pipeline,
                                       const EngTokenizerSettings  *settings,
                                       GError                     **error);

G_END_DECLS
