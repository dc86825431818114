/* SPDX-License-Identifier: MIT */
/* What is told of a row of attention in which a trace contradicts itself: a weight that its queries
 * and keys do not give or, where it has none, weights that do not sum to 1. Every char * is (transfer
 * full). */
#pragma once

#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

/* "✗ The weight of “cat” (2) to “the” (5) in head 11 of layer 3 is 0.2500, but queries and keys give
 * 0.0000." Of the scene's kind. */
char *ui_row_check_describe_weight (const UiScene *scene,
                                    int            layer,
                                    int            head,
                                    int            query,
                                    int            key,
                                    double         stored,
                                    double         recomputed);
/* The same of the weight that is furthest off, and how many more of the row are; else "✗ The weights
 * of “cat” (2) in head 11 of layer 3 sum to 1.2500, not to 1."; NULL where the row is right. An edited
 * pass may leave rows that sum to anything: they are left to the legend. */
char *ui_row_check_describe        (const UiScene *scene,
                                    int            layer,
                                    int            head,
                                    int            query);

G_END_DECLS
