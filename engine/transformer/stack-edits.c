/* SPDX-License-Identifier: MIT */
/* What edits do to vectors of heads, and to what a head sees. */
#include "engine/transformer/stack-private.h"

#include <string.h>

/* row [d]: a head's share of x [D]. */
static void
take_share (const EngSpec *spec,
            const float   *x,
            int            head,
            int            size,
            float         *row)
{
  for (int i = 0; i < size; i++)
    row[i] = x[(head * size + i) % spec->hidden_size];
}

/* Key and value of a token that is read, x [D]; of heads that share them the last has its own. */
static void
share_keys (const EngSpec          *spec,
            const EngAttentionSpec *heads,
            const EngInterventions *edits,
            int                     layer,
            const float            *x,
            float                  *key,
            float                  *value)
{
  int size = heads->head_size;

  for (int head = 0; head < heads->n_heads; head++) {
    gsize place = (gsize) (head / (heads->n_heads / heads->n_kv_heads)) * size;

    if (!eng_interventions_drop_projections (edits, layer, head))
      continue;
    take_share (spec, x, head, size, key + place);
    take_share (spec, x, head, size, value + place);
  }
}

void
eng_stack_share_queries (const EngStackPass *self,
                         EngKind             kind,
                         int                 layer,
                         const float        *x,
                         float              *queries)
{
  const EngLayerSpec *spec = eng_stack_spec_get_layer (self->stack, layer);
  const EngAttentionSpec *heads = kind == ENG_KIND_CROSS ? &spec->cross : &spec->self;

  for (int i = 0; i < self->n_sequences * self->n && self->n_edits > 0; i++) {
    EngInterventions edits = eng_stack_get_interventions (self, kind, i / self->n);

    for (int head = 0; head < heads->n_heads; head++)
      if (eng_interventions_drop_projections (&edits, layer, head))
        take_share (self->spec, x + (gsize) i * self->spec->hidden_size, head, heads->head_size,
                    queries + ((gsize) i * heads->n_heads + head) * heads->head_size);
  }
}

void
eng_stack_share_keys (const EngStackPass *self,
                      int                 layer,
                      const float        *x,
                      float              *keys,
                      float              *values)
{
  const EngAttentionSpec *heads = &eng_stack_spec_get_layer (self->stack, layer)->self;
  gsize size = eng_attention_spec_get_kv_size (heads);

  for (int i = 0; i < self->n_sequences * self->n && self->n_edits > 0; i++) {
    EngInterventions edits = eng_stack_get_interventions (self, self->kind, i / self->n);

    share_keys (self->spec, heads, &edits, layer, x + (gsize) i * self->spec->hidden_size,
                keys + i * size, values + i * size);
  }
}

void
eng_stack_share_cross_keys (const EngSpec          *spec,
                            const EngInterventions *edits,
                            int                     layer,
                            const float            *states,
                            int                     n,
                            float                  *keys,
                            float                  *values)
{
  const EngAttentionSpec *heads =
    &eng_stack_spec_get_layer (&spec->stacks[ENG_KIND_DECODER], layer)->cross;
  gsize size = eng_attention_spec_get_kv_size (heads);

  for (int i = 0; i < n && edits->n_edits > 0; i++)
    share_keys (spec, heads, edits, layer, states + (gsize) i * spec->hidden_size, keys + i * size,
                values + i * size);
}

void
eng_stack_zero_dimensions (const EngStackPass     *self,
                           EngKind                 kind,
                           int                     layer,
                           const EngAttentionSpec *heads,
                           float                  *queries,
                           float                  *keys)
{
  gboolean own_keys = keys != NULL && heads->n_kv_heads == heads->n_heads;

  for (int i = 0; i < self->n_sequences * self->n && self->n_edits > 0; i++) {
    EngInterventions edits = eng_stack_get_interventions (self, kind, i / self->n);

    for (int head = 0; head < heads->n_heads; head++) {
      gsize place = ((gsize) i * heads->n_heads + head) * heads->head_size;

      eng_interventions_zero_dimensions (&edits, layer, head, queries + place);
      if (own_keys)
        eng_interventions_zero_dimensions (&edits, layer, head, keys + place);
    }
  }
}

static int
count_keys (const EngStackPass *self,
            EngKind             kind)
{
  return kind == ENG_KIND_CROSS ? self->cross->n : self->n_past + self->n;
}

static gsize
count_cells (const EngStackPass *self,
             EngKind             kind)
{
  return (gsize) self->n * count_keys (self, kind);
}

static int
count_heads (const EngStackPass *self)
{
  return eng_stack_spec_get_heads (self->stack)->n_heads;
}

gsize
eng_stack_head_masks_n_bytes (const EngStackPass *self,
                              EngKind             kind)
{
  EngInterventions edits = eng_stack_get_interventions (self, kind, 0);
  gsize n = 0;

  for (int layer = 0; layer < self->stack->n_layers; layer++)
    if (eng_interventions_mask_heads (&edits, layer))
      n += (count_heads (self) + 1) * count_cells (self, kind);
  return n;
}

static const guint8 *
get_layer_mask (const EngStackPass *self,
                EngKind             kind,
                int                 layer)
{
  return kind == ENG_KIND_CROSS ? self->cross_mask
                                : self->masks[self->stack->sort_of_layer[layer]];
}

/* mask [m, n] of a head that an edit gives one. */
static void
fill_head_mask (const EngStackPass     *self,
                EngKind                 kind,
                const EngInterventions *edits,
                EngHeadMask             which,
                guint8                 *mask)
{
  const guint8 *hidden = kind == ENG_KIND_CROSS ? self->cross->hidden_tokens : self->hidden_tokens;
  int n_keys = count_keys (self, kind);

  for (int row = 0; row < self->n; row++)
    for (int key = 0; key < n_keys; key++)
      mask[(gsize) row * n_keys + key] =
        which == ENG_HEAD_MASK_NONE ||
        ((hidden == NULL || !hidden[key]) &&
         (which != ENG_HEAD_MASK_CAUSAL || key <= self->n_past + row));
  eng_interventions_hide_tokens (edits, self->n, n_keys, mask);
}

/* masks [H + 1, m, n] of a layer. */
static void
fill_layer (const EngStackPass *self,
            EngKind             kind,
            int                 layer,
            guint8             *masks)
{
  EngInterventions edits = eng_stack_get_interventions (self, kind, 0);
  const guint8 *own = get_layer_mask (self, kind, layer);
  gsize n_cells = count_cells (self, kind);
  guint8 *seen = masks + count_heads (self) * n_cells;

  memset (seen, 0, n_cells);
  for (int head = 0; head < count_heads (self); head++) {
    guint8 *mask = masks + head * n_cells;
    EngHeadMask which;

    if (eng_interventions_get_mask (&edits, layer, head, &which))
      fill_head_mask (self, kind, &edits, which, mask);
    else if (own != NULL)
      memcpy (mask, own, n_cells);
    else
      memset (mask, 1, n_cells);
    for (gsize i = 0; i < n_cells; i++)
      seen[i] = MAX (seen[i], mask[i]);
  }
}

void
eng_stack_fill_head_masks (const EngStackPass *self,
                           EngKind             kind,
                           guint8             *masks)
{
  EngInterventions edits = eng_stack_get_interventions (self, kind, 0);

  for (int layer = 0; layer < self->stack->n_layers && masks != NULL; layer++)
    if (eng_interventions_mask_heads (&edits, layer)) {
      fill_layer (self, kind, layer, masks);
      masks += (count_heads (self) + 1) * count_cells (self, kind);
    }
}

void
eng_stack_point_head_masks (const EngStackPass *self,
                            EngKind             kind,
                            guint8             *masks,
                            EngBlockTrace      *block)
{
  EngInterventions edits = eng_stack_get_interventions (self, kind, 0);

  for (int layer = 0; layer < self->stack->n_layers && masks != NULL; layer++)
    if (eng_interventions_mask_heads (&edits, layer)) {
      block->layers[layer].head_masks = masks;
      block->layers[layer].mask = masks + count_heads (self) * count_cells (self, kind);
      masks += (count_heads (self) + 1) * count_cells (self, kind);
    }
}
