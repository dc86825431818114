/* SPDX-License-Identifier: MIT */
/* What can be said of every head in a few numbers: for sorting, labels and lists. All from the
 * weights of the trace (ENG_MEASURE_WEIGHT). */
#pragma once

#include "engine/trace/patterns.h"

G_BEGIN_DECLS

typedef struct {
  float      entropy;    /* bits, mean over the rows that are no padding */
  float      pair_share; /* eng_measure_pair_share(); NAN without a pair */
  /* Mean weight of a row of A on the keys of B, and of B on A; NAN where there is no such choice */
  float      traffic_ab;
  float      traffic_ba;
  EngPattern label;      /* eng_patterns_choose() */
  float      scores[ENG_N_PATTERNS];
} EngHeadFacts;

/* [n_heads], borrowed, the same pointer as long as the trace lives. Computed when a layer is first
 * asked for; any thread. NULL for a layer that is not there (yet) or that memory does not hold. */
const EngHeadFacts *eng_trace_get_head_facts (EngTrace *trace,
                                              EngKind   kind,
                                              int       layer);
/* What was computed before; NULL = nothing yet. */
const EngHeadFacts *eng_trace_find_head_facts (EngTrace *trace,
                                               EngKind   kind,
                                               int       layer);
/* eng_patterns_find_evidence() of the head's label, kept as the facts are. FALSE where these are
 * not to be had: no row counts then. */
gboolean            eng_trace_get_head_evidence (EngTrace           *trace,
                                                 EngKind             kind,
                                                 int                 layer,
                                                 int                 head,
                                                 EngPatternEvidence *evidence);

G_END_DECLS
