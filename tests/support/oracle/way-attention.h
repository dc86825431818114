/* SPDX-License-Identifier: MIT */
/* An attention in the reference of a way (way-reference-attention.c): its vectors. */
#pragma once

#include "tests/support/oracle/way-reference-parts.h"

/* One attention of the layer. */
typedef struct {
  OracleAttention attention;
  EngKind         kind;
  int             d, n, m, n_heads, n_kv_heads, kv_head;
  int             first;         /* the query that row 0 is */
  double         *q, *k, *v;     /* [n, heads · d], [m, kv heads · d] */
  double         *own_v;         /* [m, d] of the way's head */
  const double   *own_weights;   /* [n, m] of the same; NULL = the oracle's */
  double         *all_weights;   /* [heads, m] of the way's token; NULL = the oracle's */
} WayAttention;

/* (borrowed) Columns [n, d] of rows [n, width], from first on. */
double *way_attention_take_columns     (WayReference       *self,
                                        const double       *rows,
                                        int                 n,
                                        int                 width,
                                        int                 first,
                                        int                 d);
/* (borrowed) [n, out] of x [n, size] */
double *way_attention_project          (WayReference       *self,
                                        const EngLinear    *linear,
                                        const double       *x,
                                        int                 n);
void    way_attention_expect_vectors   (WayReference       *self,
                                        const WayAttention *a,
                                        EngStageId          stage);
/* Both change the vectors as the model does. */
void    way_attention_expect_head_norm (WayReference       *self,
                                        WayAttention       *a);
void    way_attention_expect_turn      (WayReference       *self,
                                        WayAttention       *a);
/* How often a head reads a key, as the model and its edits or, of the way's own head, a knob have
 * it. */
int     way_attention_count_readings   (const WayReference *self,
                                        const WayAttention *a,
                                        int                 head,
                                        int                 query,
                                        int                 key);
