/* SPDX-License-Identifier: MIT */
/* Rollouts that are kept with a trace: up to 64 MiB, the one that was asked for longest ago leaves
 * first, the latest stays. Every thread may ask at any time; one at a time has the turn to compute.
 * For engine/trace/ alone. */
#pragma once

#include "engine/attention/attention.h"
#include "engine/base/kinds.h"

G_BEGIN_DECLS

typedef struct _EngRolloutCache EngRolloutCache;

EngRolloutCache *eng_rollout_cache_new         (void);
void             eng_rollout_cache_free        (EngRolloutCache  *self);
/* Keeps nothing any more but what is being computed. */
void             eng_rollout_cache_clear       (EngRolloutCache  *self);

/* Whether the caller shall compute; it then ends its turn. Else *rollout (transfer full) is what is
 * kept, or NULL when the flag was raised. What is kept waits for nobody. */
gboolean         eng_rollout_cache_take_turn   (EngRolloutCache  *self,
                                                EngKind           kind,
                                                int               layer,
                                                const gint       *cancel,
                                                EngAttention    **rollout);
void             eng_rollout_cache_end_turn    (EngRolloutCache  *self);
/* (transfer full) The rollout of the highest layer up to this one that is kept, and which layer
 * that is; NULL for none. */
EngAttention    *eng_rollout_cache_dup_highest (EngRolloutCache  *self,
                                                EngKind           kind,
                                                int               layer,
                                                int              *found);
void             eng_rollout_cache_keep        (EngRolloutCache  *self,
                                                EngKind           kind,
                                                int               layer,
                                                EngAttention     *rollout);

G_END_DECLS
