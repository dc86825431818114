/* SPDX-License-Identifier: MIT */
/* A tokenizer taken apart: what the reader of a tokenizer's files fills in and the tokenizer runs.
 * The road of a text: added tokens are cut out of it, the normalizers rewrite the rest, added
 * tokens are cut out again, the pre-tokenizers cut words, the model cuts pieces; the template then
 * goes around them. The decoders lead back. */
#pragma once

#include "engine/tokenizer/base/decoder.h"
#include "engine/tokenizer/base/pretokenizer.h"
#include "engine/tokenizer/base/token-model.h"
#include "engine/tokenizer/pipeline/added-tokens.h"
#include "engine/tokenizer/pipeline/template.h"

G_BEGIN_DECLS

/* What a special token is there for. */
typedef enum {
  ENG_ROLE_BOS,
  ENG_ROLE_EOS,
  ENG_ROLE_UNKNOWN,
  ENG_ROLE_SEPARATOR,
  ENG_ROLE_PADDING,
  ENG_ROLE_CLASS,
  ENG_ROLE_MASK,
  ENG_N_ROLES
} EngRole;

typedef struct _EngPipeline EngPipeline;

struct _EngPipeline {
  GPtrArray      *normalizers;    /* of EngNormalizer */
  GPtrArray      *pre_tokenizers; /* of EngPretokenizer */
  EngTokenModel  *model;
  EngAddedTokens *added_tokens;
  EngTemplate    *post_processor;
  GPtrArray      *decoders;       /* of EngDecoder; empty: tokens are joined with spaces */
  int             roles[ENG_N_ROLES]; /* ids; -1 = none */
  int             max_length;     /* tokens that the model was made for; 0 = unsaid */
  gboolean        gives_no_types; /* its model reads a pair as it reads one sentence */
  gboolean        trim_spans;     /* white space at the ends of a piece is left out of its span */
  gboolean        trim_keeps_prefix; /* but the space that was put before the first word stays */
  gboolean        clean_up;       /* decoding ends with eng_clean_up_spaces() */
  gboolean        own_class;      /* transformers runs it without the tokenizers library */
  gboolean        has_chat_template; /* its files say how a chat is spelt */
  EngPipeline    *target;         /* for the texts that a decoder writes; NULL = this one */
  char          **languages;      /* tokens that name one, ended by NULL; NULL = none */
  gboolean        marks_language; /* the template has a place for the token of the text's language;
                                   * else a text may begin with that of the language to write */
  char           *source_language; /* of a translator, as its files spell it; NULL = unsaid */
  char           *target_language;
};

/* "pad_token" and the like: the keys of tokenizer_config.json. */
const char  *eng_role_get_key       (EngRole            role);

/* empty lists, no roles, the rest NULL */
EngPipeline *eng_pipeline_new       (void);
void         eng_pipeline_free      (EngPipeline       *self);

/* Appends the EngPieces of text, valid UTF-8, to pieces; no template. FALSE where a step gives up on
 * the text. */
gboolean     eng_pipeline_cut       (const EngPipeline *self,
                                     const char        *text,
                                     GArray            *pieces,
                                     GError           **error);
/* See eng_tokenizer_decode(). */
char        *eng_pipeline_decode    (const EngPipeline *self,
                                     const gint32      *ids,
                                     int                n,
                                     gboolean           skip_special);
/* See eng_tokenizer_join(). */
char        *eng_pipeline_join      (const EngPipeline *self,
                                     char *const       *pieces,
                                     int                n);
/* An added token or a piece of the model; -1 when unknown. */
int          eng_pipeline_find_id   (const EngPipeline *self,
                                     const char        *piece);
const char  *eng_pipeline_get_piece (const EngPipeline *self,
                                     int                id);
/* As drawn; NULL when unknown. */
char        *eng_pipeline_dup_text  (const EngPipeline *self,
                                     int                id);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngPipeline, eng_pipeline_free)

G_END_DECLS
