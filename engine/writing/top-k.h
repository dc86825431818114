/* SPDX-License-Identifier: MIT */
/* The largest of many numbers, without sorting the others: what follows a text is one of a whole
 * vocabulary, and only the likeliest few are of interest. Serial. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Indices of the k largest of values [n] into indices [k], the largest first, of equal ones the
 * lowest index first. NaN counts as less than every number. k is at most n. */
void eng_top_k (const float *values,
                int          n,
                int          k,
                int         *indices);

G_END_DECLS
