/* SPDX-License-Identifier: MIT */
/* How a way is put together (engine/steps/make.c) and worked out again. For engine/steps/ alone. */
#pragma once

#include "engine/spec/spec.h"
#include "engine/steps/way.h"
#include "engine/trace/trace-private.h"
#include "engine/transformer/model.h"

G_BEGIN_DECLS

#define ENG_MAX_OPERANDS 5

/* Which row of other numbers a row is made of: first_row + row, or always first_row. */
typedef struct {
  int      numbers; /* index */
  int      first_row;
  gboolean fixed;
} EngOperand;

/* Numbers with their rule: everything that is asked of a number follows from it. */
typedef struct {
  EngNumbers shown;
  EngOperand operands[ENG_MAX_OPERANDS];
  int        n_operands;
  double     factor;   /* scale, cap or what a sub-layer adds is multiplied with */
  int        detail;   /* activation, norm kind, head, dimension, or column where a copy begins */
  int        offset;   /* column of operands that column 0 stands for */
  double     eps;      /* of a norm */
  int        only_row; /* the one that the rule is about; -1 = all */
} EngNode;

struct _EngWay {
  gatomicrefcount  ref_count;
  EngModel        *model;       /* NULL = of a file */
  EngTrace        *trace;
  EngKind          kind;
  int              layer;
  int              head;
  int              query;
  const EngTokens *query_tokens;
  const EngTokens *key_tokens;
  const EngTokens *last_tokens;
  GArray          *stages;      /* of EngStage */
  GArray          *nodes;       /* of EngNode */
  GPtrArray       *memory;      /* of g_aligned_alloc() */
  int              n_kv_heads;
  int              n_heads;
  int              head_size;
  EngRotary        rotary;
  int              n_taps;      /* of the convolution */
  int              group_size;
  guint            useful_knobs;
  gboolean         what_if;
  EngCandidate    *candidates;
  int              n_candidates;
  EngTask          task;
  int              answer_token;
};

static inline const EngNode *
eng_way_get_node (const EngWay *self,
                  int           numbers)
{
  return &g_array_index (self->nodes, EngNode, numbers);
}

/* Row of an operand that a row of the node is made of. */
static inline int
eng_operand_get_row (const EngOperand *self,
                     int               row)
{
  return self->first_row + (self->fixed ? 0 : row);
}

/* Other features that are turned with a feature of a head; *first (out): which of the two comes
 * first. FALSE where it is not turned. */
static inline gboolean
eng_way_get_pair (const EngWay *self,
                  int           feature,
                  int          *first,
                  int          *second,
                  int          *pair)
{
  int half = self->rotary.size / 2;

  if (feature >= 2 * half)
    return FALSE;
  *pair = self->rotary.adjacent ? feature / 2 : feature % half;
  *first = self->rotary.adjacent ? 2 * *pair : *pair;
  *second = self->rotary.adjacent ? *first + 1 : half + *pair;

  return TRUE;
}

/* way-words.c */
const char *eng_stage_get_name     (EngStageId    id);
const char *eng_numbers_get_name   (EngNumbersId  id);
/* NULL where there is none */
const char *eng_numbers_get_symbol (EngNumbersId  id);
/* "GELU" */
const char *eng_activation_get_name (EngActivation activation);

G_END_DECLS
