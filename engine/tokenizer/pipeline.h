/* SPDX-License-Identifier: MIT */
/* A tokenizer taken apart: what the reader of a tokenizer's files fills in and the tokenizer runs.
 * The road of a text: added tokens are cut out of it, the normalizers rewrite the rest, added
 * tokens are cut out again, the pre-tokenizers cut words, the model cuts pieces; the template then
 * goes around them. */
#pragma once

#include "engine/tokenizer/added-tokens.h"
#include "engine/tokenizer/pretokenizer.h"
#include "engine/tokenizer/template.h"
#include "engine/tokenizer/token-model.h"

G_BEGIN_DECLS

typedef struct {
  GPtrArray      *normalizers;    /* of EngNormalizer */
  GPtrArray      *pre_tokenizers; /* of EngPretokenizer */
  EngTokenModel  *model;
  EngAddedTokens *added_tokens;
  EngTemplate    *post_processor;
} EngPipeline;

EngPipeline *eng_pipeline_new       (void); /* empty lists, the rest NULL */
void         eng_pipeline_free      (EngPipeline       *self);

/* Appends the EngPieces of text, valid UTF-8, to pieces; no template. */
void         eng_pipeline_cut       (const EngPipeline *self,
                                     const char        *text,
                                     GArray            *pieces);
/* An added token or a piece of the model; -1 when unknown. */
int          eng_pipeline_find_id   (const EngPipeline *self,
                                     const char        *piece);
const char  *eng_pipeline_get_piece (const EngPipeline *self,
                                     int                id);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngPipeline, eng_pipeline_free)

G_END_DECLS
