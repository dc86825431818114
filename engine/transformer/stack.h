/* SPDX-License-Identifier: MIT */
/* One stack of layers at work: computes the rows of new tokens behind those that are there, for one
 * sequence or for several of equal length at once (the beams of a search), and leaves queries,
 * keys, values and hidden states where a trace finds them. Whole texts are the case without rows
 * before. Shapes: B sequences, m new tokens of each behind p earlier ones, n = p + m, D hidden
 * size, H heads of d, K key heads, F intermediate size, L layers, E encoder tokens. */
#pragma once

#include "engine/attention/block-trace.h"
#include "engine/edits/interventions.h"
#include "engine/kernels/arena.h"
#include "engine/spec/spec.h"

G_BEGIN_DECLS

/* What one sequence keeps. Rows that were computed never change; new ones come behind them. */
typedef struct {
  int    capacity;
  float *queries;       /* [L, capacity, H·d]; NULL = not kept */
  float *keys;          /* [L, capacity, K·d] */
  float *values;        /* [L, capacity, K·d] */
  float *hidden_states; /* [L + 1, capacity, D]; NULL = not kept */
  float *cross_queries; /* [L, capacity, H·d]; NULL = not kept, or nothing is crossed */
} EngStackRows;

/* Keys and values of the encoder's text for cross-attention, the same for every sequence. */
typedef struct {
  int           n;      /* E */
  float        *keys;   /* [L, E, K·d] */
  float        *values; /* [L, E, K·d] */
  const guint8 *hidden_tokens; /* [E] 1 = no query reads it; NULL = all are read */
} EngCrossRows;

typedef struct {
  const EngSpec         *spec;
  const EngStackSpec    *stack;
  const EngStackWeights *weights;
  EngKind                kind;
  const EngEdit         *edits;         /* of all kinds */
  int                    n_edits;
  /* Edits of sequence i begin at edits + i * edit_stride: they differ in what they do to heads
   * alone. 0 = all share theirs. */
  int                    edit_stride;
  const gint            *cancel;

  int                    n_sequences;   /* B */
  int                    n_past;        /* p, the same for all */
  int                    n;             /* m */
  EngStackRows          *rows;          /* [B] */
  const EngCrossRows    *cross;         /* NULL where nothing is crossed */
  const gint32          *ids;           /* [B, m] */
  const gint32          *type_ids;      /* [B, m] or NULL = 0 */
  const gint32          *languages;     /* [B, m] or NULL = none is said */
  const gint32          *positions;     /* [B, m] rows of the table, and rotary positions */
  const guint8          *hidden_tokens; /* [n] 1 = no query reads it; NULL = none */
  /* The layers before this one are done: the rows begin with these states. */
  int                    first_layer;
  const float           *first_states;  /* [R, D]; NULL where first_layer is 0 */

  /* Filled here: attention of the new tokens, [m, n] and [m, E]. For a whole text these are blocks
   * of the trace. */
  EngBlockTrace         *blocks;        /* [B] */
  EngBlockTrace         *cross_blocks;  /* [B] or NULL */
  float                 *attention;       /* [L, H, m, n] kept weights, or NULL; B = 1 */
  float                 *cross_attention; /* [L, H, m, E] kept weights, or NULL; B = 1 */
  /* By sort of layer: [m, n] or NULL = all visible. */
  guint8                *masks[ENG_MAX_LAYER_SORTS];
  guint8                *cross_mask;      /* [m, E] or NULL */
  /* Of layers whose heads see different keys by edits, one behind the other: see stack-private.h. */
  guint8                *head_masks;
  guint8                *cross_head_masks;
  float                 *position_bias;   /* [H, m, n] or NULL */
  /* Of positions that are apart, P rows of their table; NULL where there is no such term. */
  float                 *position_keys;    /* [L, P, H·d] */
  float                 *position_queries; /* [L, P, H·d] */

  /* nullable; called when a layer's rows are there */
  void                 (*layer_done) (int layer, gpointer data);
  gpointer               data;

  /* Scratch; R = B·m rows. */
  float                 *relative_positions; /* [P, D] rows of the table that are normed, or NULL */
  float                 *convolved;     /* [R, D] or NULL */
  float                 *surroundings;  /* [R, D / groups · (kernel size + 1)] what a convolution
                                         * reads and makes of a group */
  float                 *embedded;      /* [R, E] what is projected to the hidden size */
  float                 *stream[2];     /* [R, D] hidden states where none are kept */
  float                 *projected[3];  /* [R, H·d], [R, K·d] twice: where they are not kept */
  float                 *normed;        /* [R, D] what a sub-layer reads, if its norm is first */
  float                 *context;       /* [R, H·d] α · V of all heads */
  float                 *output;        /* [R, D] what a sub-layer adds */
  float                 *between[2];    /* [R, D] hidden states between sub-layers */
  float                 *gate;          /* [R, F] */
  float                 *up;            /* [R, F] */
  /* By sort of layer: [R, rotary size] cosines and sines. */
  float                 *turns[ENG_MAX_LAYER_SORTS];
  float                 *products;      /* scratch of eng_products() and eng_product_pair() */
  float                 *heads;         /* scratch of eng_attention_read() */
} EngStackPass;

/* The edits as the rows of a sequence see them; kind is the stack's, or ENG_KIND_CROSS. */
EngInterventions eng_stack_get_interventions (const EngStackPass *self,
                                              EngKind             kind,
                                              int                 sequence);

/* Rows for a sequence. queries and hidden states only when they are kept. */
void     eng_stack_rows_lay_out    (EngStackRows *self,
                                    const EngSpec *spec,
                                    EngKind       kind,
                                    int           capacity,
                                    gboolean      keep,
                                    EngArena     *arena);
void     eng_cross_rows_lay_out    (EngCrossRows *self,
                                    const EngSpec *spec,
                                    int           n,
                                    EngArena     *arena);
/* Masks, bias and kept weights of the new rows: what a trace keeps beside the rows. */
void     eng_stack_lay_out_block   (EngStackPass *self,
                                    gboolean      keep_attention,
                                    EngArena     *arena);
void     eng_stack_lay_out_scratch (EngStackPass *self,
                                    EngArena     *arena);

/* Floats of scratch of the products of task heads over n rows. */
gsize    eng_stack_n_head_scratch  (const EngSpec *spec,
                                    int            n);

/* Sizes, layers and hidden states of an empty block for so many queries and keys; tokens are the
 * caller's. The arrays belong to the block. */
void     eng_stack_describe_block  (const EngSpec *spec,
                                    EngKind        kind,
                                    int            n_queries,
                                    int            n_keys,
                                    EngBlockTrace *block);

/* Keys and values for cross-attention from the encoder's last hidden states [E, D]. edits: those of
 * what crosses. scratch as eng_products() wants it for E rows. */
void     eng_stack_read_encoder    (const EngSpec          *spec,
                                    const EngStackWeights  *weights,
                                    const EngInterventions *edits,
                                    const float            *states,
                                    float                  *scratch,
                                    const gint             *cancel,
                                    EngCrossRows           *cross);

/* Fills masks and bias and points the blocks to the rows without computing any: for a trace of rows
 * that are there. */
void     eng_stack_show            (EngStackPass *self);
/* Computes the rows, of the layers from first_layer on. FALSE when it was cancelled; they are then
 * incomplete. */
gboolean eng_stack_run             (EngStackPass *self);
/* [R, D], after the final norm where there is one; valid until the next run. */
const float *eng_stack_get_output  (const EngStackPass *self);

G_END_DECLS
