/* SPDX-License-Identifier: MIT */
/* What the second opinion (tests/support/oracle/oracle.h) is put together from. */
#pragma once

#include "tests/support/oracle/oracle.h"

/* oracle-parts.c: one row at a time. */

/* Row of the position table, and rotary position. */
int    oracle_get_position (const EngSpec         *spec,
                            const EngTokens       *tokens,
                            int                    token);
double oracle_activate     (EngActivation          which,
                            double                 x);
/* y [out] of x [in] */
void   oracle_linear       (const EngLinear       *layer,
                            const double          *x,
                            double                *y);
/* x [size] in place */
void   oracle_norm         (const EngNormSpec     *spec,
                            const EngNorm         *weights,
                            int                    size,
                            double                *x);
/* The vector of one head of a token at a position of a text of n_tokens, in place; frequencies NULL
 * = rotary and factors say them. */
void   oracle_turn         (const EngRotary        *rotary,
                            const EngRotaryFactors *factors,
                            const float            *frequencies,
                            int                     position,
                            int                     n_tokens,
                            double                 *x);
/* Row of the table of biases for a key so far to the right of its query. */
int    oracle_get_bucket   (const EngRelativeBias *bias,
                            int                    distance,
                            gboolean               two_sided);

/* Row of the table of distances for a query so far to the right of its key. */
int    oracle_get_distance_row (const EngRelativePositions *positions,
                                int                         distance);

/* One stack. */
typedef struct {
  const EngSpec         *spec;
  const EngStackSpec    *stack;
  const EngStackWeights *weights;
  EngKind                kind;
  const EngTokens       *tokens;
  const EngTokens       *source;        /* what is crossed reads these; NULL = nothing is */
  const double          *source_states; /* [source->n, D] */
  const double          *given;         /* [layers + 1, n, D] what layers read; NULL = see above */
  const EngEdit         *edits;
  int                    n_edits;
  Oracle                *out;
} OracleRun;

/* One attention of a layer. */
typedef struct {
  const OracleRun           *run;
  OracleBlock               *block;
  const EngAttentionWeights *weights;
  const EngAttentionSpec    *spec;
  int                        layer;
  gboolean                   crosses;
} OracleAttention;

/* Whether some tokens in a row, n_more behind the first of them, or all have one among them. */
gboolean oracle_spans  (int                    first,
                        int                    n_more,
                        int                    token);
/* oracle-attention.c: whether an edit is about an attention of the stack. */
gboolean oracle_names  (const OracleRun       *run,
                        const EngEdit         *edit,
                        gboolean               crosses);
/* x [n, D] → y [n, D]; what it read and computed goes into the block. */
void     oracle_attend (const OracleAttention *self,
                        const double          *x,
                        double                *y);
/* Whether an edit hides from a layer where tokens stand. */
gboolean oracle_is_unplaced    (const OracleRun       *run,
                                int                    layer);
gboolean oracle_drops_segments (const OracleRun       *run);
/* The last edit of a type of a head; NULL where there is none. */
const EngEdit *oracle_find_edit (const OracleAttention *self,
                                 EngEditType            type,
                                 int                    head);
/* What a head's q·k is multiplied with, and its scores divided by. */
double   oracle_get_scale       (const OracleAttention *self,
                                 int                    head);
double   oracle_get_temperature (const OracleAttention *self,
                                 int                    head);
/* How often a query of a head reads a key. */
int      oracle_count_readings (const OracleAttention *self,
                                int                    head,
                                int                    query,
                                int                    key);
