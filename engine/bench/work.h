/* SPDX-License-Identifier: MIT */
/* What a pass of a model costs at least, counted from its shapes: for times to be stated beside the
 * machine's limits (engine/bench/limits.h). */
#pragma once

#include "engine/transformer/model.h"

G_BEGIN_DECLS

typedef struct {
  double operations; /* multiplications and additions, of the layers' products alone */
  double bytes;      /* of the layers' weights as floats, which every pass reads once */
} EngWork;

/* A pass of n_tokens tokens in every stack. */
void eng_work_count (const EngModel *model,
                     int             n_tokens,
                     EngWork        *work);

G_END_DECLS
