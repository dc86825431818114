/* SPDX-License-Identifier: MIT */
/* How much each head changed from one side of a comparison to the other, with thumbnails of the ones
 * that changed most. Immutable; reference-counted, atomically. It holds no trace. */
#pragma once

#include "ui/scene/numbers/head-changes.h"

G_BEGIN_DECLS

#define UI_N_CHANGED_TILES 5
/* What moved less is 0.00 with two digits. */
#define UI_LEAST_MOVED 0.005

typedef struct {
  GArray *heads;   /* of UiHeadChange, the one that moved most first */
  int     n_tiles; /* of the first ones, as far as they moved UI_LEAST_MOVED */
  int     width;
  int     height;
  guint8 *tiles;   /* [n_tiles, height, width], opacities as of head-tiles.h: of the first side */
} UiChangedHeads;

/* NULL where ui_head_changes_new() is. Any thread. */
UiChangedHeads *ui_changed_heads_new   (EngTrace       *first,
                                        EngTrace       *second,
                                        EngKind         kind,
                                        const gint     *cancel);
UiChangedHeads *ui_changed_heads_ref   (UiChangedHeads *self);
void            ui_changed_heads_unref (UiChangedHeads *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (UiChangedHeads, ui_changed_heads_unref)

G_END_DECLS
