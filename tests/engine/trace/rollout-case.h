/* SPDX-License-Identifier: MIT */
/* The rollout of a trace that is known by construction. */
#pragma once

#include "engine/trace/measures.h"
#include "tests/support/made-trace.h"

static inline EngAttention *
roll (EngTrace *trace,
      int       layer)
{
  g_autoptr (GError) error = NULL;
  EngAttention *rollout =
    eng_measures_dup_block (trace, ENG_KIND_ENCODER, layer, ENG_MEASURE_ROLLOUT, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpint (rollout->n_heads, ==, 1);

  return rollout;
}
