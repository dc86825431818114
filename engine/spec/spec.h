/* SPDX-License-Identifier: MIT */
/* The architecture of a model as data: one forward (engine/transformer/forward.c) reads it, a
 * family (engine/families/) fills it from config.json. A new family is a new file there; where a
 * family needs something that no other has, it becomes a member of the part that it is about, with
 * a name of its own, never the family's name. */
#pragma once

#include "engine/base/kinds.h"
#include "engine/spec/embedding.h"
#include "engine/spec/head.h"
#include "engine/spec/stack.h"
#include "engine/spec/weights.h"

G_BEGIN_DECLS

typedef struct {
  int              hidden_size;      /* features of a token in every layer */
  EngEmbeddingSpec embedding;
  EngStackSpec     stacks[ENG_N_STACKS];
  EngHeadSpec      heads[ENG_N_TASKS];
  EngNormSpec      norm;             /* behind embedding, last layer and transforms of heads */

  int              pad_id;           /* -1 = none */
  int              end_id;           /* end of text; -1 = none */
  int              decoder_start_id; /* first token of the decoder of two stacks; -1 = none */
  gboolean         asks_behind;      /* what comes next is read off one more token behind a text that
                                      * is written, which has the id asked_id */
  int              asked_id;
  gboolean         starts_with_last; /* that is the last token of its text, where a template put it
                                      * there: the end or the language */
} EngSpec;

/* The stack whose hidden states the task heads read. */
static inline EngKind
eng_spec_get_last_kind (const EngSpec *self)
{
  return self->stacks[ENG_KIND_DECODER].n_layers > 0 ? ENG_KIND_DECODER : ENG_KIND_ENCODER;
}

/* The stack that the text is given to. */
static inline EngKind
eng_spec_get_first_kind (const EngSpec *self)
{
  return self->stacks[ENG_KIND_ENCODER].n_layers > 0 ? ENG_KIND_ENCODER : ENG_KIND_DECODER;
}

/* Whether an encoder's text is read by a decoder. */
static inline gboolean
eng_spec_has_cross (const EngSpec *self)
{
  return eng_stack_spec_crosses (&self->stacks[ENG_KIND_DECODER]);
}

/* Features of a row of the embedding's tables. */
static inline int
eng_spec_get_embedding_size (const EngSpec *self)
{
  return self->embedding.size > 0 ? self->embedding.size : self->hidden_size;
}

/* Features of the widest row that a head makes of what it reads. */
static inline int
eng_spec_get_head_size (const EngSpec *self)
{
  int size = self->hidden_size;

  for (int task = 0; task < ENG_N_TASKS; task++)
    size = MAX (size, self->heads[task].size);

  return size;
}

/* How many tokens have a position; 0 = unknown. */
static inline int
eng_spec_get_max_positions (const EngSpec *self)
{
  return MAX (self->embedding.n_positions - self->embedding.position_offset, 0);
}

G_END_DECLS
