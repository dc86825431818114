/* SPDX-License-Identifier: MIT */
#include "ui/scene/base/head-tiles.h"

#include "ui/scene/base/thumbnail.h"

/* Filled before it is published, never changed then. */
typedef struct {
  const EngHeadFacts *facts;  /* [n_heads], the trace's */
  guint8              tiles[]; /* [n_heads, height, width] */
} Layer;

struct _UiHeadTiles {
  EngTrace *trace;
  EngKind   kind;
  int       n_layers;
  int       n_heads;
  int       width;
  int       height;
  Layer   **layers; /* [n_layers], each atomic */
};

static gsize
get_tile_size (const UiHeadTiles *self)
{
  return (gsize) self->width * self->height;
}

UiHeadTiles *
ui_head_tiles_new (EngTrace *trace,
                   EngKind   kind)
{
  UiHeadTiles *self = g_atomic_rc_box_new0 (UiHeadTiles);

  self->trace = eng_trace_ref (trace);
  self->kind = kind;
  self->n_layers = eng_trace_get_n_layers (trace, kind);
  self->n_heads = eng_trace_get_n_heads (trace, kind);
  self->width = MIN (eng_trace_get_n_keys (trace, kind), UI_MOST_TILE_PIXELS);
  self->height = MIN (eng_trace_get_n_queries (trace, kind), UI_MOST_TILE_PIXELS);
  self->layers = g_new0 (Layer *, MAX (self->n_layers, 1));
  return self;
}

UiHeadTiles *
ui_head_tiles_ref (UiHeadTiles *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  UiHeadTiles *self = data;

  for (int layer = 0; layer < self->n_layers; layer++)
    g_free (self->layers[layer]);
  g_free (self->layers);
  eng_trace_unref (self->trace);
}

void
ui_head_tiles_unref (UiHeadTiles *self)
{
  g_atomic_rc_box_release_full (self, clear);
}

static const Layer *
get_layer (const UiHeadTiles *self,
           int                layer)
{
  return g_atomic_pointer_get (&self->layers[layer]);
}

/* Nothing where memory does not hold the layer. */
static void
make_layer (UiHeadTiles *self,
            int          layer)
{
  g_autoptr (EngAttention) attention = eng_trace_dup_attention (self->trace, self->kind, layer);
  const EngHeadFacts *facts = eng_trace_get_head_facts (self->trace, self->kind, layer);
  Layer *made;

  if (attention == NULL || facts == NULL)
    return;
  made = g_malloc (sizeof *made + get_tile_size (self) * self->n_heads);
  made->facts = facts;
  for (int head = 0; head < self->n_heads; head++)
    ui_thumbnail_pool (attention, head, self->width, self->height,
                       made->tiles + head * get_tile_size (self));
  g_atomic_pointer_set (&self->layers[layer], made);
}

gboolean
ui_head_tiles_make (UiHeadTiles         *self,
                    const gint          *cancel,
                    UiHeadTilesProgress  progress,
                    gpointer             data)
{
  for (int layer = 0; layer < self->n_layers; layer++) {
    if (cancel != NULL && g_atomic_int_get (cancel) != 0)
      return FALSE;
    if (get_layer (self, layer) == NULL && eng_trace_has_layer (self->trace, self->kind, layer))
      make_layer (self, layer);
    if (progress != NULL)
      progress (layer + 1, self->n_layers, data);
  }
  return TRUE;
}

EngTrace *
ui_head_tiles_get_trace (const UiHeadTiles *self)
{
  return self->trace;
}

EngKind
ui_head_tiles_get_kind (const UiHeadTiles *self)
{
  return self->kind;
}

int
ui_head_tiles_get_n_layers (const UiHeadTiles *self)
{
  return self->n_layers;
}

int
ui_head_tiles_get_n_heads (const UiHeadTiles *self)
{
  return self->n_heads;
}

int
ui_head_tiles_get_width (const UiHeadTiles *self)
{
  return self->width;
}

int
ui_head_tiles_get_height (const UiHeadTiles *self)
{
  return self->height;
}

const guint8 *
ui_head_tiles_get (const UiHeadTiles *self,
                   int                layer,
                   int                head)
{
  const Layer *made = get_layer (self, layer);

  return made != NULL ? made->tiles + head * get_tile_size (self) : NULL;
}

const EngHeadFacts *
ui_head_tiles_get_facts (const UiHeadTiles *self,
                         int                layer,
                         int                head)
{
  const Layer *made = get_layer (self, layer);

  return made != NULL ? &made->facts[head] : NULL;
}

gboolean
ui_head_tiles_lacks (const UiHeadTiles *self)
{
  for (int layer = 0; layer < self->n_layers; layer++)
    if (get_layer (self, layer) == NULL
        && eng_trace_has_layer (self->trace, self->kind, layer))
      return TRUE;
  return FALSE;
}
