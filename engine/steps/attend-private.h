/* SPDX-License-Identifier: MIT */
/* One attention while its stages are made: make-vectors.c has those up to q, k and v,
 * make-attention.c the others. For engine/steps/ alone. */
#pragma once

#include "engine/steps/make-private.h"

G_BEGIN_DECLS

typedef struct {
  EngWalk                *walk;
  const EngWalkAttention *attention;
  const EngKnobs         *knobs;
  int                     head;
  int                     kv_head;
  int                     size;         /* of a head */
  int                     n_queries;
  int                     n_keys;
  gboolean                what_if;      /* scores or what they are made of are changed */
  gboolean                revectors;    /* knobs change q and k before a dimension is zeroed */
  EngInterventions        edits;        /* of the trace */
  int                     query_share;  /* head whose share of x q is, and k and v; -1 = projected */
  int                     key_share;
  gboolean                zeroes;       /* edits zero dimensions */
  int                     queries, keys, values, scores, readings, weights; /* indices */
} EngAttend;

static inline EngNode
eng_attend_make_node (EngNumbersId id,
                      int          rows,
                      int          columns,
                      EngAxis      row_axis,
                      EngAxis      column_axis,
                      EngFormula   formula)
{
  return (EngNode) {
    .shown = { .id = id, .rows = rows, .columns = columns, .row_axis = row_axis,
               .column_axis = column_axis, .formula = formula },
    .factor = 1,
    .only_row = -1,
  };
}

/* [queries, keys] */
static inline EngNode
eng_attend_make_links (const EngAttend *self,
                       EngNumbersId  id,
                       EngFormula    formula)
{
  EngNode node = eng_attend_make_node (id, self->n_queries, self->n_keys, ENG_AXIS_QUERIES,
                                       ENG_AXIS_KEYS, formula);

  node.shown.first_row = self->walk->first_query;

  return node;
}

/* [queries, d] */
static inline EngNode
eng_attend_make_queries (const EngAttend *self,
                         EngFormula    formula)
{
  EngNode node = eng_attend_make_node (ENG_NUMBERS_QUERIES, self->n_queries, self->size,
                                       ENG_AXIS_QUERIES, ENG_AXIS_HEAD_FEATURES, formula);

  node.shown.first_row = self->walk->first_query;

  return node;
}

static inline EngNode
eng_attend_make_keys (const EngAttend *self,
                      EngNumbersId  id,
                      EngFormula    formula)
{
  return eng_attend_make_node (id, self->n_keys, self->size, ENG_AXIS_KEYS, ENG_AXIS_HEAD_FEATURES,
                               formula);
}

static inline void
eng_node_add_operand (EngNode *node,
                      int      numbers)
{
  node->operands[node->n_operands++] = eng_operand_rows (numbers);
}

/* Shows rows of the trace. */
static inline void
eng_node_show_rows (EngNode           *node,
                    const EngHeadRows *rows,
                    int                head,
                    int                first)
{
  node->shown.stride = rows->row_stride;
  node->shown.data = rows->data + (gsize) head * rows->head_stride
    + (gsize) first * rows->row_stride;
}

/* Rows of a head of a product with the weights of all. */
static inline EngLinear
eng_linear_take_head (const EngLinear *linear,
                      int              head,
                      int              size)
{
  gsize first = (gsize) head * (gsize) size;

  return (EngLinear) {
    linear->weight + first * (gsize) linear->in,
    linear->bias != NULL ? linear->bias + first : NULL, size, linear->in,
  };
}

/* Whether an edit zeroes a dimension of the head. */
static inline gboolean
eng_attend_zeroes (const EngAttend *self,
                   const EngEdit   *edit)
{
  return edit->type == ENG_EDIT_ZERO_DIMENSION
         && eng_edit_is_of_head (edit, self->walk->way->layer, self->head)
         && eng_edit_acts_on (edit, self->edits.kind, self->edits.first);
}

/* make-vectors.c: q, k and v of the head, projected, normed, turned and with a dimension off. */
void eng_attend_make_vectors (EngAttend *self);
/* The same as a file has them: values -1 where it has none, or none of the size of q and k. */
void eng_attend_take_vectors (EngAttend *self);

G_END_DECLS
