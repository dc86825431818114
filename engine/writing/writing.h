/* SPDX-License-Identifier: MIT */
/* What a model that writes can be asked for, and how it wants to be asked: the words before the
 * text and the settings of the generation. All of it follows from the checkpoint's own files:
 * task_specific_params of config.json, and what a translator's tokenizer says of languages. */
#pragma once

#include "engine/transformer/model.h"

G_BEGIN_DECLS

typedef enum {
  ENG_WRITING_SUMMARISE,
  ENG_WRITING_TRANSLATE,
  ENG_WRITING_GENERATE /* goes on with a text, or answers it, without words before it */
} EngWriting;
#define ENG_N_WRITINGS 3

typedef struct {
  char          *prefix;   /* stands before text A; NULL = nothing */
  char          *source_language; /* for EngTextOptions; NULL = as the checkpoint says */
  char          *target_language;
  EngGeneration *settings;
} EngWritingPlan;

typedef struct {
  char *code; /* as the model spells it */
  char *name; /* in English, no two of a model alike; the code where it is not known */
} EngWritingLanguage;

const char *eng_writing_get_name       (EngWriting   writing); /* "summarise" */
gboolean    eng_writing_from_name      (const char  *name,
                                        EngWriting  *writing);

/* Whether the checkpoint itself says that it is made for it. Every model with the head of a
 * language model generates. */
gboolean    eng_writing_is_offered     (const EngModel *model,
                                        EngWriting      writing);
/* (transfer full) Pairs of languages that a translation may be asked for, as lang of
 * eng_writing_plan() takes them: "en:de"; ended by NULL, empty where the files name none. Of one
 * that translates between any two of its languages: those from the one that it reads by default. */
char      **eng_writing_list_languages (const EngModel *model);
/* Whether it does that. */
gboolean    eng_writing_takes_any_pair (const EngModel *model);
/* (transfer full) Of EngWritingLanguage, by name: those of such a model, to read from and to write;
 * empty of others. */
GPtrArray  *eng_writing_list_named     (const EngModel *model);
/* (transfer full) The name of one of them, which may be spelt in any way that lang of
 * eng_writing_plan() may; NULL when it is none. */
char       *eng_writing_dup_language_name (const EngModel *model,
                                           const char     *language);
/* (transfer full) What a translation may be asked for, in a few words: "en:de, en:fr". */
char       *eng_writing_name_languages (const EngModel *model);

/* Fills *plan, which is empty. lang: "SRC:TGT" by code or by name, NULL = the model's own; prefix:
 * instead of the model's own, NULL = that. Refuses a model that does not write, a writing that it
 * does not offer unless its files are silent about what it is for, and languages that it does not
 * have; the message names what it has. */
gboolean    eng_writing_plan           (const EngModel  *model,
                                        EngWriting       writing,
                                        const char      *lang,
                                        const char      *prefix,
                                        EngWritingPlan  *plan,
                                        GError         **error);
void        eng_writing_plan_clear     (EngWritingPlan  *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EngWritingPlan, eng_writing_plan_clear)

G_END_DECLS
