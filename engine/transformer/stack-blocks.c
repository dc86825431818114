/* SPDX-License-Identifier: MIT */
/* Where the rows of a stack lie, and the blocks of attention that read them. */
#include "engine/transformer/stack-private.h"

#include "engine/spec/positions.h"

static gboolean
knocks_out (const EngStackPass *self,
            EngKind             kind)
{
  EngInterventions edits = eng_stack_get_interventions (self, kind, 0);

  return eng_interventions_hide_tokens (&edits, 0, 0, NULL);
}

static gboolean
is_sparse (const EngStackPass *self,
           int                 sort)
{
  return eng_blocks_are_sparse (&self->stack->sorts[sort].self.blocks, self->n_past + self->n);
}

static gboolean
needs_mask (const EngStackPass *self,
            int                 sort)
{
  const EngAttentionSpec *attention = &self->stack->sorts[sort].self;

  return eng_stack_spec_uses_sort (self->stack, sort) &&
         ((attention->causal && self->n > 1) || attention->window > 0 || is_sparse (self, sort) ||
          self->hidden_tokens != NULL || knocks_out (self, self->kind));
}

static gboolean
needs_cross_mask (const EngStackPass *self)
{
  return self->cross != NULL &&
         (self->cross->hidden_tokens != NULL || knocks_out (self, ENG_KIND_CROSS));
}

static EngHeadRows
get_head_rows (const float *rows,
               int          capacity,
               int          layer,
               int          first,
               int          n_heads,
               int          head_size)
{
  gsize stride = (gsize) n_heads * head_size;

  if (rows == NULL)
    return (EngHeadRows) { 0 };

  return (EngHeadRows) { rows + ((gsize) layer * capacity + first) * stride, head_size, stride };
}

/* Visible is what comes not later than the query, where the attention is causal, lies within its
 * window and in a block that it reads, is no padding and not knocked out. */
static void
fill_mask (const EngStackPass     *self,
           const EngAttentionSpec *attention,
           guint8                 *mask)
{
  EngInterventions edits = eng_stack_get_interventions (self, self->kind, 0);
  int n_keys = self->n_past + self->n;

  for (int row = 0; row < self->n; row++)
    for (int key = 0; key < n_keys; key++) {
      int query = self->n_past + row;
      gboolean hidden = self->hidden_tokens != NULL && self->hidden_tokens[key];
      gboolean visible = !hidden && (!attention->causal || key <= query) &&
                         (attention->window == 0 || ABS (query - key) < attention->window);

      mask[(gsize) row * n_keys + key] =
        visible ? (guint8) eng_blocks_count_readings (&attention->blocks, n_keys, query, key) : 0;
    }

  eng_interventions_hide_tokens (&edits, self->n, n_keys, mask);
}

static void
fill_cross_mask (const EngStackPass *self)
{
  EngInterventions edits = eng_stack_get_interventions (self, ENG_KIND_CROSS, 0);
  const guint8 *hidden = self->cross->hidden_tokens;
  int n_keys = self->cross->n;

  for (int row = 0; row < self->n; row++)
    for (int key = 0; key < n_keys; key++)
      self->cross_mask[(gsize) row * n_keys + key] = hidden == NULL || !hidden[key];

  eng_interventions_hide_tokens (&edits, self->n, n_keys, self->cross_mask);
}

static void
fill_tables (EngStackPass *self)
{
  const EngStackSpec *stack = self->stack;
  const EngAttentionSpec *heads = eng_stack_spec_get_heads (stack);

  for (int sort = 0; sort < ENG_MAX_LAYER_SORTS; sort++)
    if (self->masks[sort] != NULL)
      fill_mask (self, &stack->sorts[sort].self, self->masks[sort]);
  if (self->cross_mask != NULL)
    fill_cross_mask (self);
  eng_stack_fill_head_masks (self, self->kind, self->head_masks);
  eng_stack_fill_head_masks (self, ENG_KIND_CROSS, self->cross_head_masks);
  if (self->position_bias != NULL)
    eng_relative_bias_fill (&stack->relative_bias, self->weights->relative_bias, heads->n_heads,
                            !heads->causal, self->n_past, self->n_past + self->n,
                            self->position_bias);
}

/* Points the layers and hidden states of a block [n, n] that shows all n tokens of a sequence to its
 * rows. */
static void
point_block (const EngSpec      *spec,
             EngKind             kind,
             const EngStackRows *rows,
             int                 first_query,
             EngBlockTrace      *block)
{
  const EngStackSpec *stack = &spec->stacks[kind];

  for (int layer = 0; layer < stack->n_layers; layer++) {
    const EngAttentionSpec *heads = &eng_stack_spec_get_layer (stack, layer)->self;
    EngLayerTrace *trace = &block->layers[layer];

    trace->queries = get_head_rows (rows->queries, rows->capacity, layer, first_query,
                                    heads->n_heads, heads->head_size);
    trace->keys = get_head_rows (rows->keys, rows->capacity, layer, 0, heads->n_kv_heads,
                                 heads->head_size);
    trace->values = get_head_rows (rows->values, rows->capacity, layer, 0, heads->n_kv_heads,
                                   heads->head_size);
    trace->scale = eng_attention_spec_get_scale (heads, layer);
    trace->soft_cap = heads->soft_cap;
    trace->window = eng_attention_spec_get_span (heads);
    trace->n_uses = eng_stack_spec_count_uses (stack, layer);
  }
  for (int i = 0; i <= stack->n_layers && rows->hidden_states != NULL; i++)
    block->hidden_states[i] = rows->hidden_states +
                              ((gsize) i * rows->capacity + first_query) * spec->hidden_size;
}

/* The same, [n, E]. */
static void
point_cross (const EngSpec      *spec,
             const EngStackRows *rows,
             const EngCrossRows *cross,
             int                 first_query,
             EngBlockTrace      *block)
{
  const EngStackSpec *stack = &spec->stacks[ENG_KIND_DECODER];

  for (int layer = 0; layer < stack->n_layers; layer++) {
    const EngAttentionSpec *heads = &eng_stack_spec_get_layer (stack, layer)->cross;
    EngLayerTrace *trace = &block->layers[layer];

    trace->queries = get_head_rows (rows->cross_queries, rows->capacity, layer, first_query,
                                    heads->n_heads, heads->head_size);
    trace->keys = get_head_rows (cross->keys, cross->n, layer, 0, heads->n_kv_heads,
                                 heads->head_size);
    trace->values = get_head_rows (cross->values, cross->n, layer, 0, heads->n_kv_heads,
                                   heads->head_size);
    trace->scale = eng_attention_spec_get_scale (heads, layer);
    trace->soft_cap = heads->soft_cap;
    trace->n_uses = eng_stack_spec_count_uses (stack, layer);
  }
}

/* The keys and queries that positions have in a layer. */
static void
point_positions (const EngStackPass *self,
                 EngBlockTrace      *block,
                 int                 layer)
{
  const EngAttentionSpec *heads = eng_stack_spec_get_heads (self->stack);
  EngLayerTrace *trace = &block->layers[layer];

  trace->position_keys = get_head_rows (self->position_keys, block->n_position_rows, layer, 0,
                                        heads->n_heads, heads->head_size);
  trace->position_queries = get_head_rows (self->position_queries, block->n_position_rows, layer, 0,
                                           heads->n_heads, heads->head_size);
}

/* The blocks of the new rows: they read what the sequence keeps, and their own masks and bias. */
static void
point_blocks (EngStackPass *self)
{
  const EngStackSpec *stack = self->stack;
  const EngAttentionSpec *heads = eng_stack_spec_get_heads (stack);
  gsize size = eng_attention_spec_get_size (heads);
  gsize n_weights = (gsize) heads->n_heads * self->n * (self->n_past + self->n);

  for (int i = 0; i < self->n_sequences; i++) {
    EngHeadRows scratch = { self->projected[0] + i * self->n * size, heads->head_size, size };
    EngInterventions edits = eng_stack_get_interventions (self, self->kind, 0);

    point_block (self->spec, self->kind, &self->rows[i], self->n_past, &self->blocks[i]);
    if (self->cross_blocks != NULL)
      point_cross (self->spec, &self->rows[i], self->cross, self->n_past, &self->cross_blocks[i]);

    for (int layer = 0; layer < stack->n_layers; layer++) {
      EngLayerTrace *trace = &self->blocks[i].layers[layer];

      trace->mask = self->masks[stack->sort_of_layer[layer]];
      trace->counted = is_sparse (self, stack->sort_of_layer[layer]);
      if (!eng_interventions_drop_positions (&edits, layer)) {
        trace->position_bias = self->position_bias;
        point_positions (self, &self->blocks[i], layer);
      }
      trace->attention = self->attention != NULL ? self->attention + layer * n_weights : NULL;
      if (trace->queries.data == NULL || self->n_sequences > 1)
        trace->queries = scratch;
      if (self->cross_blocks == NULL)
        continue;

      trace = &self->cross_blocks[i].layers[layer];
      trace->mask = self->cross_mask;
      if (self->cross_attention != NULL)
        trace->attention = self->cross_attention +
                           (gsize) layer * heads->n_heads * self->n * self->cross->n;
      if (trace->queries.data == NULL || self->n_sequences > 1)
        trace->queries = scratch;
    }
    eng_stack_point_head_masks (self, self->kind, self->head_masks, &self->blocks[i]);
    if (self->cross_blocks != NULL)
      eng_stack_point_head_masks (self, ENG_KIND_CROSS, self->cross_head_masks,
                                  &self->cross_blocks[i]);
  }
}

EngInterventions
eng_stack_get_interventions (const EngStackPass *self,
                             EngKind             kind,
                             int                 sequence)
{
  return (EngInterventions) {
    .edits = self->edits != NULL ? self->edits + (gsize) sequence * self->edit_stride : NULL,
    .n_edits = self->n_edits,
    .kind = kind,
    .first = eng_spec_get_first_kind (self->spec),
    .first_query = self->n_past,
  };
}

void
eng_stack_rows_lay_out (EngStackRows  *self,
                        const EngSpec *spec,
                        EngKind        kind,
                        int            capacity,
                        gboolean       keep,
                        EngArena      *arena)
{
  const EngStackSpec *stack = &spec->stacks[kind];
  const EngAttentionSpec *heads = eng_stack_spec_get_heads (stack);
  gsize n_rows = (gsize) stack->n_layers * capacity;
  gsize size = eng_attention_spec_get_size (heads);
  gsize kv_size = eng_attention_spec_get_kv_size (heads);

  self->capacity = capacity;
  self->keys = eng_arena_floats (arena, n_rows * kv_size);
  self->values = eng_arena_floats (arena, n_rows * kv_size);
  if (!keep)
    return;
  self->queries = eng_arena_floats (arena, n_rows * size);
  self->hidden_states = eng_arena_floats (arena, (n_rows + capacity) * spec->hidden_size);
  if (eng_stack_spec_crosses (stack))
    self->cross_queries = eng_arena_floats (arena, n_rows * size);
}

void
eng_cross_rows_lay_out (EngCrossRows  *self,
                        const EngSpec *spec,
                        int            n,
                        EngArena      *arena)
{
  const EngStackSpec *stack = &spec->stacks[ENG_KIND_DECODER];
  gsize kv_size = eng_attention_spec_get_kv_size (eng_stack_spec_get_heads (stack));
  gsize size = (gsize) stack->n_layers * n * kv_size;

  self->n = n;
  self->keys = eng_arena_floats (arena, size);
  self->values = eng_arena_floats (arena, size);
}

static void
lay_out_position_rows (EngStackPass *self,
                       EngArena     *arena)
{
  const EngRelativePositions *positions = &self->stack->relative_positions;
  gsize n_rows = (gsize) self->stack->n_layers * (gsize) self->blocks[0].n_position_rows;
  gsize n = n_rows * (gsize) eng_attention_spec_get_size (eng_stack_spec_get_heads (self->stack));

  if (positions->content_position)
    self->position_keys = eng_arena_floats (arena, n);
  if (positions->position_content)
    self->position_queries = eng_arena_floats (arena, n);
}

static void
lay_out_head_masks (EngStackPass *self,
                    EngArena     *arena)
{
  gsize n = eng_stack_head_masks_n_bytes (self, self->kind);
  gsize n_cross = self->cross != NULL ? eng_stack_head_masks_n_bytes (self, ENG_KIND_CROSS) : 0;

  self->head_masks = n > 0 ? eng_arena_take (arena, n) : NULL;
  self->cross_head_masks = n_cross > 0 ? eng_arena_take (arena, n_cross) : NULL;
}

void
eng_stack_lay_out_block (EngStackPass *self,
                         gboolean      keep_attention,
                         EngArena     *arena)
{
  const EngStackSpec *stack = self->stack;
  gsize n_heads = eng_stack_spec_get_heads (stack)->n_heads;
  gsize n_cells = (gsize) self->n * (self->n_past + self->n);
  gsize n_cross_cells = self->cross != NULL ? (gsize) self->n * self->cross->n : 0;

  for (int sort = 0; sort < ENG_MAX_LAYER_SORTS; sort++)
    if (needs_mask (self, sort))
      self->masks[sort] = eng_arena_take (arena, n_cells);
  if (needs_cross_mask (self))
    self->cross_mask = eng_arena_take (arena, n_cross_cells);
  lay_out_head_masks (self, arena);
  if (stack->relative_bias.n_buckets > 0)
    self->position_bias = eng_arena_floats (arena, n_heads * n_cells);
  lay_out_position_rows (self, arena);
  if (!keep_attention)
    return;
  self->attention = eng_arena_floats (arena, stack->n_layers * n_heads * n_cells);
  if (self->cross != NULL)
    self->cross_attention = eng_arena_floats (arena, stack->n_layers * n_heads * n_cross_cells);
}

void
eng_stack_describe_block (const EngSpec *spec,
                          EngKind        kind,
                          int            n_queries,
                          int            n_keys,
                          EngBlockTrace *block)
{
  const EngStackSpec *stack = &spec->stacks[kind == ENG_KIND_CROSS ? ENG_KIND_DECODER : kind];
  const EngAttentionSpec *heads = eng_stack_spec_get_heads (stack);

  *block = (EngBlockTrace) {
    .present = TRUE,
    .n_layers = stack->n_layers,
    .n_heads = heads->n_heads,
    .n_kv_heads = heads->n_kv_heads,
    .n_queries = n_queries,
    .n_keys = n_keys,
    .head_size = heads->head_size,
    .value_size = heads->head_size,
    .hidden_size = spec->hidden_size,
    .layers = g_new0 (EngLayerTrace, stack->n_layers),
  };
  if (kind != ENG_KIND_CROSS && eng_stack_spec_sets_positions_apart (stack)) {
    int first;

    block->n_position_rows = eng_relative_positions_count_rows (&stack->relative_positions, n_keys,
                                                                &first);
    block->position_rows = g_new (gint32, 2 * n_keys - 1);
    eng_relative_positions_fill (&stack->relative_positions, n_keys, block->position_rows);
  }
  if (kind != ENG_KIND_CROSS)
    block->hidden_states = g_new0 (const float *, stack->n_layers + 1);
}

void
eng_stack_show (EngStackPass *self)
{
  fill_tables (self);
  point_blocks (self);
}
