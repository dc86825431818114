/* SPDX-License-Identifier: MIT */
/* A way while it is made: stages and numbers are added in their order, each computed as it is added
 * unless the trace or the checkpoint has it. For engine/steps/ alone. */
#pragma once

#include "engine/steps/make.h"
#include "engine/steps/way-private.h"

G_BEGIN_DECLS

typedef struct {
  EngWay                *way;
  const EngWayRequest   *request;
  const EngSpec         *spec;
  const EngWeights      *weights;
  EngKind                stack_kind;    /* of the stack that the layer is of */
  const EngStackSpec    *stack;
  const EngStackWeights *stack_weights;
  const EngLayerSpec    *layer_spec;
  const EngLayerWeights *layer_weights;
  EngWayPart             part;          /* of stages that are added */
  gboolean               is_models;     /* of stages that are added, where knobs are turned */
  gboolean               reembeds;      /* knobs change what the layer reads */
  gboolean               unplaced;      /* knobs or edits take turn and bias from its scores */
  int                    n_tokens;      /* of the stack */
  int                    first_query;   /* of rows that are queries */
  int                    n_queries;
  gboolean               restates;      /* knobs changed what comes to the next sub-layer */
  EngOperand             x;             /* what the attention reads: all rows, or the token's */
  EngOperand             key_x;         /* what its keys and values are made of */
  EngOperand             state;         /* the token's own row where it has come to */
} EngWalk;

static inline EngOperand
eng_operand_rows (int numbers)
{
  return (EngOperand) { numbers, 0, FALSE };
}

static inline EngOperand
eng_operand_row (int numbers,
                 int row)
{
  return (EngOperand) { numbers, row, TRUE };
}

/* The rule of an attention of a layer and what the trace has of it. */
typedef struct {
  EngKind                    kind;
  const EngAttentionSpec    *spec;
  const EngAttentionWeights *weights; /* NULL, as the spec then is: of a file */
  const EngBlockTrace       *block;
  const EngLayerTrace       *trace;
} EngWalkAttention;

/* make-numbers.c */
void eng_walk_begin_stage (EngWalk           *self,
                           EngStageId         id);
/* Adds numbers and returns their index. Name, stage and symbol are filled in; data NULL =
 * computed by their rule. */
int  eng_walk_add         (EngWalk           *self,
                           const EngNode     *node);
/* Of the checkpoint, [rows, columns]; -1 where data is NULL. */
int  eng_walk_add_weights (EngWalk           *self,
                           EngNumbersId       id,
                           const float       *data,
                           int                rows,
                           int                columns,
                           EngAxis            row_axis,
                           EngAxis            column_axis);
/* Given numbers, [rows, columns], rows stride apart. */
int  eng_walk_add_given   (EngWalk           *self,
                           EngNumbersId       id,
                           const float       *data,
                           int                rows,
                           int                columns,
                           gsize              stride,
                           EngAxis            row_axis,
                           EngAxis            column_axis);
/* The weights of a product and what it makes of x; node as for eng_walk_add(), without operands. */
int  eng_walk_add_linear  (EngWalk           *self,
                           const EngLinear   *linear,
                           EngOperand         x,
                           EngNode            node);
/* The same of a convolution. */
int  eng_walk_add_convolution (EngWalk         *self,
                               const EngLinear *linear,
                               EngOperand       x,
                               EngNode          node);
/* A stage with a norm, of numbers like those of x: n rows. Returns their index. */
int  eng_walk_add_norm    (EngWalk           *self,
                           const EngNormSpec *spec,
                           const EngNorm     *norm,
                           EngOperand         x,
                           int                n);
/* One row [1, columns of the first operand] by a rule; returns its index. */
int  eng_walk_add_row     (EngWalk           *self,
                           EngNumbersId       id,
                           EngFormula         formula,
                           const EngOperand  *operands,
                           int                n_operands,
                           int                detail);
/* A stage that makes one row of the token's own: x and others by a rule, [1, columns] features. The
 * token's state is then there. */
void eng_walk_pass        (EngWalk           *self,
                           EngStageId         stage,
                           EngNumbersId       id,
                           EngFormula         formula,
                           const EngOperand  *operands,
                           int                n_operands,
                           double             factor);
/* (borrowed) Memory that lives as long as the way. */
float *eng_walk_allocate  (EngWalk           *self,
                           gsize              n_floats);
gboolean eng_walk_is_cancelled (const EngWalk *self);

/* make-fill.c: data of a node, whose operands are there, [rows, columns]. */
void eng_walk_fill        (EngWalk           *self,
                           const EngNode     *node,
                           float             *data);
/* y [n, out] of x [n, in] */
void eng_walk_multiply    (EngWalk           *self,
                           const EngLinear   *linear,
                           const float       *x,
                           int                n,
                           float             *y);

/* make-file.c: what a file has of a way. */
void eng_walk_file        (EngWalk           *self);
/* Knobs that need no weights, as bits 1 << EngKnob. */
guint eng_file_find_useful_knobs (const EngTrace *trace,
                                  EngKind         kind,
                                  int             layer);

/* make.c: which rows numbers of links have, of n_tokens. */
void eng_walk_find_queries (EngWalk          *self);

/* make-input.c: a column of whole numbers, one a token; NULL = zeros. Returns its index. */
int  eng_walk_add_token_column (EngWalk      *self,
                                EngNumbersId  id,
                                const gint32 *numbers);
/* From text to what the first layer reads; *states: index of [queries, D]. Where they were made
 * anew, of all tokens. */
void eng_walk_embed       (EngWalk           *self,
                           int               *states);

/* make-attention.c: an attention in all stages, of x and key_x, to what W_O makes of the token. */
void eng_walk_attend      (EngWalk                *self,
                           const EngWalkAttention *attention);

/* make-heads.c */

/* What the way's own head has of an attention: indices of numbers. */
typedef struct {
  int read;      /* [queries, d] */
  int weights;   /* [queries, keys]; so are */
  int readings;
  int factors;   /* [heads, 1]; -1 = none */
} EngWalkHead;

/* Whether an edit or the knob turns off a head's projections. */
gboolean eng_walk_drops_projections (const EngWalk          *self,
                                     const EngWalkAttention *attention,
                                     int                     head);
/* The last head that shares keys with a head and whose projections are turned off; -1 where there
 * is none. */
int  eng_walk_find_share  (const EngWalk          *self,
                           const EngWalkAttention *attention,
                           int                     kv_head);
/* Whether those of any head are turned off. */
gboolean eng_walk_has_shares (const EngWalk          *self,
                              const EngWalkAttention *attention);
/* Puts in place what the vectors y [n, heads · d], of queries or of key heads, then are: shares of
 * x [n, D]. */
void eng_walk_put_shares  (const EngWalk          *self,
                           const EngWalkAttention *attention,
                           const float            *x,
                           int                     n,
                           gboolean                of_keys,
                           float                  *y);

/* What edits multiply what heads read with; -1 where that is nothing. */
int  eng_walk_add_factors (EngWalk                *self,
                           const EngWalkAttention *attention);
/* The heads of the token side by side and W_O. own: NULL = the attention is not the one that was
 * asked for. */
void eng_walk_merge_heads (EngWalk                *self,
                           const EngWalkAttention *attention,
                           const EngWalkHead      *own);

/* make-layer.c: the layer behind its input. */
void eng_walk_pass_layer  (EngWalk           *self,
                           int                states);

/* make-answer.c */
void eng_walk_answer      (EngWalk           *self);

G_END_DECLS
