/* SPDX-License-Identifier: MIT */
/* How the tensors lie in files. For engine/training/ alone. */
#pragma once

#include "engine/families/loaded-weights.h"
#include "engine/training/parameters.h"

G_BEGIN_DECLS

/* Of tensor i. */
const EngWrittenTensor *eng_parameters_get_form (const EngParameters *self,
                                                 int                  i);
/* The first n numbers are not learnt. */
void                    eng_parameters_set_frozen (EngParameters *self,
                                                   gsize          n);

G_END_DECLS
