/* SPDX-License-Identifier: MIT */
/* Rollouts of a trace. The formula is in engine/trace/measures.h, which is what callers use. Any
 * thread may ask; one computes, the others wait for it and look at their cancel flags. */
#pragma once

#include "engine/trace/trace.h"

G_BEGIN_DECLS

/* (transfer full) [1, n, n]. Layers 0 to layer of the kind must be ready and read their own
 * tokens. Fails when cancelled and when memory does not hold it. */
EngAttention *eng_rollout_dup (EngTrace    *trace,
                               EngKind      kind,
                               int          layer,
                               const gint  *cancel,
                               GError     **error);

G_END_DECLS
