/* SPDX-License-Identifier: MIT */
/* The stages of a way (engine/steps/way.h) written again from the description of the spec, in
 * double precision, with the parts of the oracle (tests/support/oracle/oracle.h). The layer
 * reads the states that the trace has: what the forward's rounding is in the layers before is
 * not the way's. */
#pragma once

#include "engine/steps/knobs.h"
#include "engine/steps/way.h"
#include "engine/trace/trace.h"
#include "tests/support/oracle/oracle-parts.h"

/* Compares every number of every stage of a way; fails at the first that differs by more than
 * 1e-5 · max (1, largest magnitude), at a stage that is missing or unexpected, and at numbers
 * that nothing was compared with. Returns the largest difference, in tolerances. knobs: those of
 * the way, NULL = none; where they are turned there are no edits. */
double way_reference_compare (EngWay           *way,
                              const EngSpec    *spec,
                              const EngWeights *weights,
                              const EngTokens  *tokens,
                              const EngTokens  *decoder_tokens,
                              const EngEdit    *edits,
                              int               n_edits,
                              const EngKnobs   *knobs,
                              EngTrace         *trace);
