/* SPDX-License-Identifier: MIT */
/* Which tokens of two texts are the same ones: the longest common subsequence of their texts within
 * each sentence; then, in what lies between its pairs, that of texts that are alike but for case
 * and the blank that marks a word; then, where as many tokens of a sentence are left between two
 * pairs on one side as on the other, what stands in the same place: words that were exchanged. What
 * no pair holds stands alone. Pure; any thread. */
#pragma once

#include "engine/tokenizer/base/tokens.h"

G_BEGIN_DECLS

typedef struct {
  int first;  /* token of the first text; -1 = only the second has it */
  int second; /* token of the second text; -1 = only the first has it */
} UiAlignedToken;

/* Every token of both texts once, in the order of both; what stands alone on both sides between two
 * pairs: the first text's before the second's. (transfer full) of UiAlignedToken. */
GArray *ui_alignment_new (const EngTokens *first,
                          const EngTokens *second);

G_END_DECLS
