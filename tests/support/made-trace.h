/* SPDX-License-Identifier: MIT */
/* A trace whose every weight is known by construction, for tests of widgets: in head h of layer
 * l token i gives 0.6 to token (i + h + l) mod n and shares 0.4 evenly among the others. Queries
 * and keys are such that the softmax gives these weights: key j is the j-th unit vector, query i
 * is √n times the logarithm of its weights, d = n and the scale is 1 / √d. The tokens are "w0",
 * "w1" …, the last one of each sentence is a special "[SEP]". */
#pragma once

#include "engine/trace/trace.h"

/* n_b 0 = no sentence B. */
EngTrace *made_trace_new            (int       n_a,
                                     int       n_b,
                                     int       n_heads,
                                     int       n_layers);
double    made_trace_weight         (int       n,
                                     int       layer,
                                     int       head,
                                     int       query,
                                     int       key);
/* Changes one stored weight behind the back of queries and keys. */
void      made_trace_falsify        (EngTrace *trace,
                                     int       layer,
                                     int       head,
                                     int       query,
                                     int       key,
                                     float     weight);
/* Takes queries and keys away, as in a trace that somebody else wrote. */
void      made_trace_forget_vectors (EngTrace *trace);
