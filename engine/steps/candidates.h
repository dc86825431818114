/* SPDX-License-Identifier: MIT */
/* The likeliest classes of a task head. For engine/steps/ alone. */
#pragma once

#include "engine/steps/way.h"
#include "engine/transformer/model.h"

G_BEGIN_DECLS

/* Into candidates [n], the likeliest first, whose texts are to be freed. logits and probabilities
 * [n_classes], the latter NULL where there are none. Returns how many. */
int eng_candidates_fill (const EngModel *model,
                         EngTask         task,
                         const float    *logits,
                         const float    *probabilities,
                         int             n_classes,
                         int             n,
                         EngCandidate   *candidates);

G_END_DECLS
