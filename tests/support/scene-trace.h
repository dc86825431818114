/* SPDX-License-Identifier: MIT */
/* Traces with weights like a model's, for tests and benchmarks of drawings: heads of six kinds in
 * turn (diffuse, medium, peaked, on the previous token, on the first token, local), each row a
 * softmax of seeded noise. The same arguments give the same numbers on every machine. */
#pragma once

#include "engine/trace/trace.h"

/* What a trace hides: nothing, what comes later, that and what is farther back than SCENE_WINDOW
 * places, or the last SCENE_N_PADDING keys from all. */
typedef enum {
  SCENE_MASK_NONE, SCENE_MASK_CAUSAL, SCENE_MASK_LOCAL, SCENE_MASK_PADDED
} SceneMask;
#define SCENE_WINDOW 2
#define SCENE_N_PADDING 2

/* Words of A and of B (NULL = none) between [CLS] and [SEP]; NULL-terminated. One encoder layer. */
EngTrace *scene_trace_new       (const char *const *a,
                                 const char *const *b,
                                 int                n_heads);
/* Exact numbers: in head h token i gives 0.7 to token (i + h) mod n and shares 0.3 evenly among the
 * others. Tokens are "w0", "w1" …, the last one of each sentence is a special "[SEP]". */
EngTrace *scene_trace_new_exact (int                n_a,
                                 int                n_b,
                                 int                n_heads);
/* n tokens in two sentences, as long ones as a benchmark needs. */
EngTrace *scene_trace_new_long  (int                n,
                                 int                n_heads);
/* A decoder of one sentence that is masked; padding is "[PAD]". */
EngTrace *scene_trace_new_masked (SceneMask         mask,
                                  int               n,
                                  int               n_heads);
/* Encoder of 3 layers × 4 heads; decoder and cross attention of 2 × 2; the decoder causal. */
EngTrace *scene_trace_new_two_stacks (int           n_source,
                                      int           n_target);
/* Cross-attention: n_queries tokens that read n_keys others; keys behind the query's own place are
 * masked. */
EngTrace *scene_trace_new_cross (int                n_queries,
                                 int                n_keys,
                                 int                n_heads);
/* The weight that the trace holds in layer 0. */
double    scene_trace_weight    (EngTrace          *trace,
                                 EngKind            kind,
                                 int                head,
                                 int                query,
                                 int                key);
