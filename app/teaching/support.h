/* SPDX-License-Identifier: MIT */
/* Whether a lesson proves what it holds for right. Blocking; one thread. */
#pragma once

#include "app/teaching/evaluate.h"

G_BEGIN_DECLS

/* Whether a claim of the section stands behind the answer of its question, which is there
 * (app_evaluate_answer()): it names the answer's token, both tokens of a cell, or its head. A number
 * is computed by itself, else a claim has it behind its = or as the number of a layer. What proves an
 * option nobody but a person can say, and it counts as proven, unless claims name words to choose from,
 * and not this one. */
gboolean app_support_find (const AppClaimContext *context,
                           const AppAsk          *ask);

G_END_DECLS
