/* SPDX-License-Identifier: MIT */
/* The head that a picture begins with where nobody chose one. Any thread; what it computes of the
 * heads stays with the trace. */
#pragma once

#include "engine/trace/trace.h"

G_BEGIN_DECLS

/* The head that follows a specific pattern best: of a pair the same word in the other sentence, then
 * a neighbour or the same word, then what stands farther off. A pattern that no head follows clearly
 * comes behind those that some do. FALSE where no head of the layers that are there has such a
 * pattern: then it is the first one of the layer in the middle, or of the last one before it that is
 * there. */
gboolean eng_trace_find_telling_head (EngTrace *trace,
                                      EngKind   kind,
                                      int      *layer,
                                      int      *head);

G_END_DECLS
