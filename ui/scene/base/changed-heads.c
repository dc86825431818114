/* SPDX-License-Identifier: MIT */
#include "ui/scene/base/changed-heads.h"

#include "ui/scene/base/head-tiles.h"
#include "ui/scene/base/thumbnail.h"

static void
make_tile (const UiChangedHeads *self,
           EngTrace             *trace,
           EngKind               kind,
           int                   i)
{
  const UiHeadChange *change = &g_array_index (self->heads, UiHeadChange, i);
  g_autoptr (EngAttention) attention = eng_trace_dup_attention (trace, kind, change->layer);

  if (attention != NULL)
    ui_thumbnail_pool (attention, change->head, self->width, self->height,
                       self->tiles + (gsize) i * self->width * self->height);
}

static int
count_tiles (const GArray *heads)
{
  int n = 0;

  while (n < MIN ((int) heads->len, UI_N_CHANGED_TILES)
         && g_array_index (heads, UiHeadChange, n).moved >= UI_LEAST_MOVED)
    n++;
  return n;
}

UiChangedHeads *
ui_changed_heads_new (EngTrace   *first,
                      EngTrace   *second,
                      EngKind     kind,
                      const gint *cancel)
{
  GArray *heads = ui_head_changes_new (first, second, kind, cancel);
  UiChangedHeads *self;

  if (heads == NULL)
    return NULL;
  self = g_atomic_rc_box_new0 (UiChangedHeads);
  self->heads = heads;
  self->n_tiles = count_tiles (heads);
  self->width = MIN (eng_trace_get_n_keys (first, kind), UI_MOST_TILE_PIXELS);
  self->height = MIN (eng_trace_get_n_queries (first, kind), UI_MOST_TILE_PIXELS);
  self->tiles = g_new0 (guint8, (gsize) self->n_tiles * self->width * self->height);
  for (int i = 0; i < self->n_tiles; i++)
    make_tile (self, first, kind, i);
  return self;
}

UiChangedHeads *
ui_changed_heads_ref (UiChangedHeads *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  UiChangedHeads *self = data;

  g_array_unref (self->heads);
  g_free (self->tiles);
}

void
ui_changed_heads_unref (UiChangedHeads *self)
{
  g_atomic_rc_box_release_full (self, clear);
}
