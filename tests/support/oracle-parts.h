/* SPDX-License-Identifier: MIT */
/* What the second opinion (tests/support/oracle.h) is put together from, one row at a time. */
#pragma once

#include "engine/spec/spec.h"
#include "engine/tokenizer/base/tokens.h"

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
/* x [hidden size] in place */
void   oracle_norm         (const EngNormSpec     *spec,
                            const EngNorm         *weights,
                            int                    size,
                            double                *x);
/* The vector of one head of a token at a position of a text of n_tokens, in place. */
void   oracle_turn         (const EngRotary       *rotary,
                            int                    position,
                            int                    n_tokens,
                            double                *x);
/* Row of the table of biases for a key so far to the right of its query. */
int    oracle_get_bucket   (const EngRelativeBias *bias,
                            int                    distance,
                            gboolean               two_sided);
