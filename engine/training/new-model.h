/* SPDX-License-Identifier: MIT */
/* A model that is begun from nothing: which config.json, vocabulary and settings of generation one
 * gets that is made for a task. */
#pragma once

#include "engine/tokenizer/learning/new-tokenizer.h"
#include "engine/tokenizer/tokenizer.h"

G_BEGIN_DECLS

/* BERT for masked words, GPT-2 for the next one, Marian to translate. */
typedef enum {
  ENG_SHAPE_TINY, /* under a million parameters: something to see within minutes */
  ENG_SHAPE_MINI  /* 5 to 10 million */
} EngShape;

/* "tiny", "mini" */
gboolean eng_shape_from_name               (const char           *name,
                                            EngShape             *shape);

/* What its tokenizer is to be. */
void     eng_new_model_plan                (EngNewTokenizerKind   kind,
                                            EngShape              shape,
                                            EngNewTokenizerPlan  *plan);
/* The same of a shape that somebody wrote down: config is the text of a config.json, what names it
 * in messages. plan has its kind, the rest is filled in. */
gboolean eng_new_model_plan_config         (const char           *config,
                                            const char           *what,
                                            EngNewTokenizerPlan  *plan,
                                            GError              **error);
/* Learns the tokenizer of a file, a text a line or, to translate, two with a tab between them, and
 * writes its files into the folder, which is there. Both sides of pairs share the vocabulary. */
gboolean eng_new_model_learn_tokenizer     (const EngNewTokenizerPlan *plan,
                                            const char           *path,
                                            const char           *folder,
                                            const gint           *cancel,
                                            GError              **error);
/* The text of its config.json, for eng_parameters_new(). (transfer full) */
char    *eng_new_model_make_config         (EngNewTokenizerKind   kind,
                                            EngShape              shape,
                                            const EngTokenizer   *tokenizer);
/* The same of a shape that somebody wrote down. Sizes of vocabularies and the ids of special tokens
 * become those of the tokenizer, and so does what a decoder begins with. (transfer full) */
char    *eng_new_model_fit_config          (const char           *config,
                                            const char           *what,
                                            const EngTokenizer   *tokenizer,
                                            GError              **error);
/* The text of generation_config.json of a model that writes; NULL for masked words. (transfer
 * full) */
char    *eng_new_model_make_generation     (EngNewTokenizerKind   kind,
                                            const EngTokenizer   *tokenizer);

G_END_DECLS
