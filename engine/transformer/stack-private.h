/* SPDX-License-Identifier: MIT */
/* Parts of a stack that few stacks have; for stack.c. */
#pragma once

#include "engine/transformer/stack.h"

G_BEGIN_DECLS

/* stack-positions.c: keys and queries that positions have in a layer, where they are apart. */

/* Floats of scratch for its products; 0 where there are none. */
gsize eng_stack_positions_n_scratch   (const EngStackPass *self);
void  eng_stack_lay_out_positions     (EngStackPass       *self,
                                       EngArena           *arena);
/* Norms the rows of the table that the text has use for; once a run. */
void  eng_stack_begin_positions       (const EngStackPass *self);
void  eng_stack_project_positions     (const EngStackPass *self,
                                       int                 layer);

/* stack-convolution.c */
gsize eng_stack_convolution_n_scratch (const EngStackPass *self);
void  eng_stack_lay_out_convolution   (EngStackPass       *self,
                                       EngArena           *arena);
/* convolved [R, D] = activation (convolution of x), x [R, D]. */
void  eng_stack_convolve              (const EngStackPass *self,
                                       const float        *x);

G_END_DECLS
