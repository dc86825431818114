/* SPDX-License-Identifier: MIT */
/* The loss of an answer: its first and its last token, each among the n tokens of a text (Devlin et
 * al. 2018, section 4.2). */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The mean of the cross-entropies of start and end, tokens of the text, by logits [n, 2], which
 * become factor · the gradient of that. */
double eng_span_loss (float  *logits,
                      int     n,
                      int     start,
                      int     end,
                      double  factor);

G_END_DECLS
