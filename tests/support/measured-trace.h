/* SPDX-License-Identifier: MIT */
/* A trace that is small enough to compute every measure of it by hand: [CLS] play ##ing [SEP], an
 * encoder of two layers with two heads. The first head of layer 0 has the rows
 *   0.1 0.2 0.3 0.4 | 0.4 0.3 0.2 0.1 | 0.25 0.25 0.25 0.25 | 0.7 0.1 0.1 0.1
 * and the second one
 *   1 0 0 0 | 0 0.5 0.5 0 | 0 0 1 0 | 0.2 0.2 0.2 0.4
 * which layer 1 has the other way round. Norms of the values are 5, 2, 1, 0 in the first head of
 * either layer and twice that in the second. There are no queries, keys or norms behind an output
 * projection. */
#pragma once

#include "engine/trace/trace.h"

EngTrace *measured_trace_new (void);
