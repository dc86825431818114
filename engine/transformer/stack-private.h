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

/* stack-edits.c: what edits do to the vectors of heads. */

/* Of heads whose projections are off, before they are normed: x [R, D], queries [R, H·d]. */
void  eng_stack_share_queries         (const EngStackPass *self,
                                       EngKind             kind,
                                       int                 layer,
                                       const float        *x,
                                       float              *queries);
/* The same of keys and values [R, K·d] of the stack's own attention. */
void  eng_stack_share_keys            (const EngStackPass *self,
                                       int                 layer,
                                       const float        *x,
                                       float              *keys,
                                       float              *values);
/* And of those of cross-attention, of the encoder's last states [E, D]. */
void  eng_stack_share_cross_keys      (const EngSpec          *spec,
                                       const EngInterventions *edits,
                                       int                     layer,
                                       const float            *states,
                                       int                     n,
                                       float                  *keys,
                                       float                  *values);
/* Behind the turn; keys NULL = they are of others. */
void  eng_stack_zero_dimensions       (const EngStackPass     *self,
                                       EngKind                 kind,
                                       int                     layer,
                                       const EngAttentionSpec *heads,
                                       float                  *queries,
                                       float                  *keys);

/* Bytes of the masks of the layers whose heads see different keys, [H + 1, m, n] of each: the last
 * is what one of them sees. */
gsize eng_stack_head_masks_n_bytes    (const EngStackPass *self,
                                       EngKind             kind);
void  eng_stack_fill_head_masks       (const EngStackPass *self,
                                       EngKind             kind,
                                       guint8             *masks);
/* Points the layers of a block to them. */
void  eng_stack_point_head_masks      (const EngStackPass *self,
                                       EngKind             kind,
                                       guint8             *masks,
                                       EngBlockTrace      *block);

/* stack-convolution.c */
gsize eng_stack_convolution_n_scratch (const EngStackPass *self);
void  eng_stack_lay_out_convolution   (EngStackPass       *self,
                                       EngArena           *arena);
/* convolved [R, D] = activation (convolution of x), x [R, D]. */
void  eng_stack_convolve              (const EngStackPass *self,
                                       const float        *x);

G_END_DECLS
