/* SPDX-License-Identifier: MIT */
/* What a decoding is made of, for the files that check what it is asked for (decoding-check.c), run it
 * (decoding.c) and show it (decoding-trace.c). */
#pragma once

#include "engine/transformer/stack.h"
#include "engine/writing/decoding.h"

G_BEGIN_DECLS

/* Rows of all sequences, shared with the traces that show them. */
typedef struct {
  EngArena        arena;
  gatomicrefcount ref_count;
} EngDecodingStorage;

struct _EngDecoding {
  EngModel         *model;
  const EngSpec    *spec;
  const EngWeights *weights;
  EngTokens        *source;        /* of the encoder; NULL for one stack */
  EngTokens        *start;         /* what every sequence began with */
  int               n_sequences;
  int               capacity;
  int               n_asked;       /* 1 where a token behind the text is asked for the next one: its
                                    * row is written over; else 0 */
  gboolean          cached;
  const gint       *cancel;
  EngEdit          *edits;
  int               n_edits;

  int               n_tokens;      /* of each sequence, with rows */
  gint32           *ids;           /* [n_sequences, capacity] */
  gint32           *positions;     /* [n_sequences, capacity] */
  gint32           *type_ids;      /* [capacity] of all: nobody gives types to what is generated */
  gint32           *languages;     /* [capacity] of all, NULL = none; of what is generated that of the
                                    * last token before */
  gint32           *step_ids;      /* [n_sequences, 1 + n_asked] */
  gint32           *step_languages; /* the same or NULL */
  gint32           *step_positions; /* the same */

  EngDecodingStorage          *storage;
  EngStackRows      encoder_rows;
  EngStackRows     *rows;          /* [n_sequences] */
  EngCrossRows      cross;

  /* Of the pass at hand. */
  EngArena          scratch;
  EngBlockTrace    *blocks;        /* [n_sequences] */
  EngBlockTrace    *cross_blocks;  /* [n_sequences] */
  EngStackPass      pass;
  float            *hidden;        /* [n_sequences, D] of the last tokens */
  float            *scaled;        /* the same */
  float            *transformed;   /* the same */
  float            *head_products; /* scratch of the head */
  float            *logits;        /* [n_sequences, classes] */
};

/* Whether the model can go on from the start, with these edits; start: of inputs, what every sequence
 * begins with. */
gboolean            eng_decoding_check         (EngModel                  *model,
                                                const EngInputs           *inputs,
                                                const EngTokens           *start,
                                                const EngDecodingOptions  *options,
                                                GError                   **error);

EngDecodingStorage *eng_decoding_storage_ref   (EngDecodingStorage *self);
void                eng_decoding_storage_unref (gpointer            self);

/* A pass over a stack of which everything but its block and its scratch is said. */
EngStackPass        eng_decoding_describe_pass (EngDecoding        *self,
                                                EngKind             kind);
/* The same for the whole of the encoder's text, into block. */
void                eng_decoding_describe_encoder_pass (EngDecoding   *self,
                                                        EngBlockTrace *block,
                                                        EngStackPass  *pass);

G_END_DECLS
