/* SPDX-License-Identifier: MIT */
/* The forward of whole texts: the stacks of a model one after the other
 * (engine/transformer/stack.h), then its task heads, into a trace. The trace's storage and the
 * scratch are laid out before it runs; nothing is allocated in the loop over the layers. */
#pragma once

#include "engine/transformer/pass.h"

G_BEGIN_DECLS

/* Fill the trace's blocks and positions of logits, without their storage. */
void     eng_forward_describe        (EngPass  *self);
/* Take the storage from the arenas, see engine/kernels/arena.h. */
void     eng_forward_lay_out_trace   (EngPass  *self,
                                      EngArena *arena);
void     eng_forward_lay_out_scratch (EngPass  *self,
                                      EngArena *arena);
/* FALSE when it was cancelled. */
gboolean eng_forward_run             (EngPass  *self);

G_END_DECLS
