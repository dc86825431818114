/* SPDX-License-Identifier: MIT */
/* Rollouts of a trace, kept with it: up to 64 MiB, the one that was asked for longest ago leaves
 * first, the latest stays. The formula is in engine/trace/measures.h, which is what callers use.
 * Any thread may ask; one computes, the others wait for it and look at their cancel flags. */
#pragma once

#include "engine/trace/trace-private.h"

G_BEGIN_DECLS

typedef struct _EngRolloutCache EngRolloutCache;

EngRolloutCache *eng_rollout_cache_new  (void);
void             eng_rollout_cache_free (EngRolloutCache  *self);
/* Keeps nothing any more but what is being computed. */
void             eng_rollout_cache_clear (EngRolloutCache *self);

/* (transfer full) [1, n, n]. Layers 0 to layer of the kind must be ready and read their own
 * tokens. Fails when cancelled and when memory does not hold it. */
EngAttention    *eng_rollout_cache_dup  (EngRolloutCache  *self,
                                         EngTrace         *trace,
                                         EngKind           kind,
                                         int               layer,
                                         const gint       *cancel,
                                         GError          **error);

G_END_DECLS
