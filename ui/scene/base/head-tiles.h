/* SPDX-License-Identifier: MIT */
/* Every head of a kind of attention as a tile, and what was measured of it: what a map of the model
 * is drawn from. A tile says how much a head draws, not in which colour; so a head may be shown,
 * marked or put aside without making it anew. Tiles are of the weights, whatever the picture beside
 * them measures.
 *
 * Made layer by layer in any thread and read in the main thread meanwhile; reference-counted,
 * atomically. It holds the trace. */
#pragma once

#include "engine/trace/head-facts.h"

G_BEGIN_DECLS

/* Along an edge: more tokens share pixels (thumbnail.h). */
#define UI_MOST_TILE_PIXELS 64

typedef struct _UiHeadTiles UiHeadTiles;

/* done of n layers. */
typedef void (*UiHeadTilesProgress) (int done, int n, gpointer data);

UiHeadTiles        *ui_head_tiles_new       (EngTrace           *trace,
                                             EngKind             kind);
UiHeadTiles        *ui_head_tiles_ref       (UiHeadTiles        *self);
void                ui_head_tiles_unref     (UiHeadTiles        *self);

/* Makes the layers that the trace has by now and the tiles have not; one thread at a time. FALSE
 * when cancelled (nullable, polled). progress is nullable. */
gboolean            ui_head_tiles_make      (UiHeadTiles        *self,
                                             const gint         *cancel,
                                             UiHeadTilesProgress progress,
                                             gpointer            data);

EngTrace           *ui_head_tiles_get_trace (const UiHeadTiles  *self);
EngKind             ui_head_tiles_get_kind  (const UiHeadTiles  *self);
int                 ui_head_tiles_get_n_layers (const UiHeadTiles *self);
int                 ui_head_tiles_get_n_heads (const UiHeadTiles *self);
int                 ui_head_tiles_get_width (const UiHeadTiles  *self);
int                 ui_head_tiles_get_height (const UiHeadTiles *self);
/* Opacities, [height, width]: those of links of the same weights (palette.h). NULL = the layer is
 * not there, or not yet. */
const guint8       *ui_head_tiles_get       (const UiHeadTiles  *self,
                                             int                 layer,
                                             int                 head);
/* NULL where ui_head_tiles_get() is. Borrowed from the trace. */
const EngHeadFacts *ui_head_tiles_get_facts (const UiHeadTiles  *self,
                                             int                 layer,
                                             int                 head);
/* Whether there is a layer in the trace that the tiles have not. */
gboolean            ui_head_tiles_lacks     (const UiHeadTiles  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (UiHeadTiles, ui_head_tiles_unref)

G_END_DECLS
