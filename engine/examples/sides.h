/* SPDX-License-Identifier: MIT */
/* Which examples belong together, where some are learnt and others held out: those that share a text
 * stand on one side. */
#pragma once

#include "engine/examples/examples.h"

G_BEGIN_DECLS

typedef struct {
  /* [n] Of each example the text by which a share is drawn, the same of all that belong together.
   * Borrowed of the examples. */
  const char **keys;
  /* Where texts join more than half of the pairs into one group, whose side would leave little on the
   * other: so many. Then the first text of each decides alone. 0 = there is no such group. */
  guint        n_joined;
} EngSides;

/* Pairs belong together over any text that they share, first or second, and over others between
 * them; answers by their context; all else by its text. Neither the order of the examples nor their
 * labels change a key. by_first: the first text of each decides. */
EngSides *eng_sides_new  (const GPtrArray  *examples,
                          EngExamplesKind   kind,
                          gboolean          by_first);
void      eng_sides_free (EngSides         *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngSides, eng_sides_free)

G_END_DECLS
