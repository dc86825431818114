/* SPDX-License-Identifier: MIT */
/* What the reference of a way (way-reference.h) is put together from. */
#pragma once

#include "tests/support/oracle/way-reference.h"

typedef struct {
  EngWay              *way;
  OracleRun            run;
  const EngLayerSpec  *layer_spec;
  const EngLayerWeights *layer_weights;
  int                  layer, head, query;
  int                  n;          /* tokens of the stack */
  int                  size;       /* hidden */
  EngKnobs             knobs;
  gboolean             what_if;
  EngSpec              spec;       /* what knobs leave of the model */
  const EngSpec       *whole;      /* the model */
  gboolean            *seen;       /* by numbers */
  int                  stage;      /* where the comparison is */
  double               worst;
  double               largest;    /* of numbers whose errors those to compare carry on; 1 = none */
  double              *x;          /* [size, …] the token's own row where it has come to */
  double              *given[ENG_N_STACKS]; /* states that the trace has */
  GPtrArray           *memory;
} WayReference;

/* way-reference-parts.c */

/* (borrowed) Zeros that live as long as the comparison. */
double           *way_reference_allocate  (WayReference      *self,
                                           gsize              n);
/* Numbers of the stage where the comparison is or the one behind it, which nothing was compared
 * with yet. */
const EngNumbers *way_reference_take      (WayReference      *self,
                                           EngStageId         stage,
                                           EngNumbersId       id);
/* The same, compared with expected [rows, columns]. */
void              way_reference_expect    (WayReference      *self,
                                           EngStageId         stage,
                                           EngNumbersId       id,
                                           const double      *expected,
                                           int                rows,
                                           int                columns);
/* A stage with a norm of rows [n, size], in place. */
void              way_reference_norm      (WayReference      *self,
                                           const EngNormSpec *spec,
                                           const EngNorm     *norm,
                                           int                n,
                                           int                size,
                                           double            *rows);
int               way_reference_get_place (const WayReference *self,
                                           int                 t);
gboolean          way_reference_skips     (const WayReference *self,
                                           EngEditType         type,
                                           gboolean            crosses);
/* self->x, the result of a sub-layer, is normed and added to base [size]. */
void              way_reference_finish    (WayReference      *self,
                                           EngNormPlacement   placement,
                                           const EngNorm     *norm,
                                           const EngNorm     *output_norm,
                                           gboolean           skipped,
                                           const double      *base);

/* way-reference-attention.c: an attention of read [n, size], or of the token's row where it
 * crosses, to the sum with base [size]. */
void              way_reference_pass_attention (WayReference *self,
                                                EngKind       kind,
                                                const double *read,
                                                const double *base);
