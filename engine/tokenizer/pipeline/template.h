/* SPDX-License-Identifier: MIT */
/* The template: which special tokens stand around the texts, and the type ids. Every kind of
 * post-processor comes down to two lists of items, one for a single text and one for a pair. */
#pragma once

#include "engine/base/json.h"

G_BEGIN_DECLS

/* In the place of an id: the token of the text's language. */
#define ENG_TEMPLATE_LANGUAGE (-2)

typedef struct {
  int sentence; /* 0 = all tokens of text A, 1 = of text B, -1 = a special token */
  int id;       /* of a special token, or ENG_TEMPLATE_LANGUAGE */
  int type_id;
  int segment;  /* the sentence that a special token closes or opens; that of a text */
} EngTemplateItem;

typedef struct _EngTemplate EngTemplate;

/* Id of a token of the whole tokenizer, or -1. */
typedef int (*EngFindToken) (gpointer    data,
                             const char *token);

/* Nothing around the texts; type ids 0 and 1. */
EngTemplate           *eng_template_new           (void);
/* [CLS] A [SEP] and [CLS] A [SEP] B [SEP] with type ids 0 and, from B on, 1. */
EngTemplate           *eng_template_new_bert      (int                  cls_id,
                                                   int                  sep_id);
/* <s> A </s> and <s> A </s></s> B </s>, all type ids 0. */
EngTemplate           *eng_template_new_roberta   (int                  cls_id,
                                                   int                  sep_id);
/* The language before the texts, A and B without anything between, and the end; or the language
 * behind the end. All type ids 0. */
EngTemplate           *eng_template_new_language  (gboolean             behind,
                                                   int                  end_id);
/* From post-processors of tokenizer.json, by their types. They refuse a token that find does not
 * know, or knows by another id. */
EngTemplate *eng_template_new_from_bert_json      (const cJSON   *json,
                                                   EngFindToken   find,
                                                   gpointer       data,
                                                   const char    *what,
                                                   GError       **error);
EngTemplate *eng_template_new_from_roberta_json   (const cJSON   *json,
                                                   EngFindToken   find,
                                                   gpointer       data,
                                                   const char    *what,
                                                   GError       **error);
EngTemplate *eng_template_new_from_template_json  (const cJSON   *json,
                                                   EngFindToken   find,
                                                   gpointer       data,
                                                   const char    *what,
                                                   GError       **error);
void                   eng_template_free          (EngTemplate         *self);

const EngTemplateItem *eng_template_get_items     (const EngTemplate   *self,
                                                   gboolean             pair,
                                                   int                 *n_items);
int                    eng_template_get_n_special (const EngTemplate   *self,
                                                   gboolean             pair);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngTemplate, eng_template_free)

G_END_DECLS
