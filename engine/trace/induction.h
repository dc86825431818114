/* SPDX-License-Identifier: MIT */
/* Induction: a head that looks up how the text went on the last time. It is the prefix matching
 * score of Olsson et al. (2022), "In-context Learning and Induction Heads": a token that stood
 * before reads the tokens that followed it there. It is no label of a head (patterns.h), because
 * most sentences have no row for it.
 *
 *   score = mean over rows i of Σ_j a_ij,  j < i with token j - 1 spelt as token i
 *
 * A row counts where it is no padding and no template token, and has such a j. Where no row counts
 * the score is NAN, and where the block does not read itself. A score ends at 1. Any thread. */
#pragma once

#include "engine/trace/trace.h"

G_BEGIN_DECLS

/* scores: [n_heads]. How many rows count. */
int eng_induction_measure (const EngAttention *attention,
                           const EngTokens    *queries,
                           const EngTokens    *keys,
                           float              *scores);

G_END_DECLS
