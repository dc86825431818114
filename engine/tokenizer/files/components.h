/* SPDX-License-Identifier: MIT */
/* A tokenizer.json in the making, all but its model: for tokenizers whose own files name no
 * components. They are put together as the library's file would list them and then read by its
 * reader, so that there is one road for both. For the stack; used by one thread. */
#pragma once

#include "engine/tokenizer/files/settings.h"
#include "engine/tokenizer/pipeline/pipeline.h"

G_BEGIN_DECLS

typedef struct {
  /* Lists of components in the spelling of tokenizer.json. */
  cJSON        *normalizers;
  cJSON        *pre_tokenizers;
  cJSON        *decoders;
  cJSON        *added_tokens;
  EngAddedToken special[ENG_N_ROLES]; /* content NULL = no such token; borrowed */
} EngComponents;

void         eng_components_init               (EngComponents              *self);
void         eng_components_clear              (EngComponents              *self);

/* A component of that type at the end of a list; borrowed, for what it has beside its type. */
cJSON       *eng_components_add_step           (cJSON                      *list,
                                                const char                 *type);
/* pattern_type: "String" or "Regex". */
void         eng_components_add_replace        (cJSON                      *list,
                                                const char                 *pattern_type,
                                                const char                 *pattern,
                                                const char                 *content);
void         eng_components_add_metaspace      (cJSON                      *list,
                                                const char                 *scheme,
                                                gboolean                    split);
/* Into what a regular expression of engine/tokenizer/pretokenizers/word-patterns.h matches; behavior
 * "Isolated": what does not match stands alone, "Removed": it goes. */
void         eng_components_add_split          (cJSON                      *list,
                                                const char                 *words,
                                                const char                 *behavior);
/* Pieces of sentencepiece's BPE back to text; strip: without the space before the first word. */
void         eng_components_add_llama_decoders (EngComponents              *self,
                                                gboolean                    strip);
/* The special token of a role as the settings say, else token; settings must live as long. */
gboolean     eng_components_add_special        (EngComponents              *self,
                                                EngRole                     role,
                                                EngAddedToken               token,
                                                const EngTokenizerSettings *settings,
                                                GError                    **error);
void         eng_components_add_token          (EngComponents              *self,
                                                const EngAddedToken        *token);
/* What the settings add to the vocabulary; after all other tokens. */
void         eng_components_add_listed         (EngComponents              *self,
                                                const EngTokenizerSettings *settings,
                                                const EngVocabulary        *vocabulary);
/* Takes model. single and pair: keys of roles and the texts, "bos_token $A eos_token $B:1", each
 * with its type id if that is not 0. Refuses a vocabulary without a token of the pair. */
EngPipeline *eng_components_build              (EngComponents              *self,
                                                EngTokenModel              *model,
                                                const char                 *single,
                                                const char                 *pair,
                                                const char                 *what,
                                                GError                    **error);

/* The templates with and without a token at the begin and at the end of each text. */
void         eng_components_frame              (gboolean                    bos,
                                                gboolean                    eos,
                                                const char                **single,
                                                const char                **pair);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EngComponents, eng_components_clear)

G_END_DECLS
