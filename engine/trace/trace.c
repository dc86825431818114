/* SPDX-License-Identifier: MIT */
#include "engine/trace/trace-private.h"

#include "engine/attention/block-cache.h"
#include "engine/checkpoint/tensor.h"
#include "engine/trace/head-facts-table.h"
#include "engine/trace/rollout-cache.h"

/* What keeps the numbers of a caller alive. The trace keeps blocks, never these, so that no
 * reference leads from the trace back to itself. */
typedef struct {
  EngTrace *trace;
  EngBlock *block; /* NULL when the weights belong to the trace */
} AttentionOwner;

typedef struct {
  gpointer       data;
  gsize          n_bytes;
  GDestroyNotify free_func;
} Memory;

static const char *const kind_prefixes[ENG_N_KINDS] = { "encoder_", "decoder_", "cross_" };

static void
attention_owner_free (gpointer data)
{
  AttentionOwner *self = data;

  g_clear_pointer (&self->block, eng_block_unref);
  eng_trace_unref (self->trace);
  g_free (self);
}

static void
memory_free (gpointer data)
{
  Memory *memory = data;

  memory->free_func (memory->data);
  g_free (memory);
}

EngLayerTrace *
eng_trace_get_layer (const EngTrace *self,
                     EngKind         kind,
                     int             layer)
{
  const EngBlockTrace *block = &self->blocks[kind];

  if (!block->present || layer < 0 || layer >= block->n_layers)
    return NULL;

  return g_atomic_int_get (&block->layers[layer].ready) ? &block->layers[layer] : NULL;
}

static gboolean
get_head_rows (const EngHeadRows *all,
               int                head,
               int                rows,
               int                cols,
               EngMatrix         *matrix)
{
  if (!all->data)
    return FALSE;
  *matrix = (EngMatrix) { all->data + (gsize) head * all->head_stride, rows, cols,
                          all->row_stride };

  return TRUE;
}

static void
block_trace_clear (EngBlockTrace *block)
{
  g_clear_pointer (&block->query_tokens, eng_tokens_unref);
  g_clear_pointer (&block->key_tokens, eng_tokens_unref);
  g_free (block->layers);
  g_free (block->hidden_states);
  g_free (block->position_rows);
}

EngTrace *
eng_trace_new (void)
{
  EngTrace *self = g_new0 (EngTrace, 1);

  self->edit_texts = g_new0 (char *, 1);
  self->stored_unit = eng_type_get_unit (ENG_TYPE_F32);
  self->wall_time = -1;
  self->memory = g_ptr_array_new_with_free_func (memory_free);
  self->kept = eng_block_cache_new ();
  self->rollouts = eng_rollout_cache_new ();
  self->head_facts = eng_head_facts_table_new ();
  g_mutex_init (&self->lock);
  g_atomic_ref_count_init (&self->ref_count);

  return self;
}

void
eng_trace_keep (EngTrace       *self,
                gpointer        data,
                gsize           n_bytes,
                GDestroyNotify  free_func)
{
  Memory *memory = g_new (Memory, 1);

  *memory = (Memory) { data, n_bytes, free_func };
  g_ptr_array_add (self->memory, memory);
}

EngTrace *
eng_trace_ref (EngTrace *self)
{
  g_atomic_ref_count_inc (&self->ref_count);

  return self;
}

void
eng_trace_unref (EngTrace *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  eng_block_cache_free (self->kept);
  eng_rollout_cache_free (self->rollouts);
  eng_head_facts_table_free (self->head_facts);
  for (int kind = 0; kind < ENG_N_KINDS; kind++)
    block_trace_clear (&self->blocks[kind]);
  for (int task = 0; task < ENG_N_TASKS; task++)
    g_free (self->logits[task].positions);
  g_free (self->model_name);
  g_free (self->family);
  g_free (self->text_a);
  g_free (self->text_b);
  g_strfreev (self->edit_texts);
  g_free (self->edits);
  g_mutex_clear (&self->lock);
  /* Last: everything above may point into it. */
  g_ptr_array_unref (self->memory);
  g_free (self);
}

const char *
eng_kind_get_prefix (EngKind kind)
{
  return kind_prefixes[kind];
}

gboolean
eng_trace_has_kind (const EngTrace *self,
                    EngKind         kind)
{
  return self->blocks[kind].present;
}

EngKind
eng_trace_get_default_kind (const EngTrace *self)
{
  for (int kind = 0; kind < ENG_N_KINDS; kind++)
    if (self->blocks[kind].present)
      return (EngKind) kind;

  return ENG_KIND_ENCODER;
}

EngInterventions
eng_trace_get_interventions (const EngTrace *self,
                             EngKind         kind)
{
  return (EngInterventions) {
    .edits = self->edits,
    .n_edits = self->n_edits,
    .kind = kind,
    .first = eng_trace_get_default_kind (self),
  };
}

int
eng_trace_get_n_layers (const EngTrace *self,
                        EngKind         kind)
{
  return self->blocks[kind].n_layers;
}

gboolean
eng_trace_has_layer (const EngTrace *self,
                     EngKind         kind,
                     int             layer)
{
  return eng_trace_get_layer (self, kind, layer) != NULL;
}

gboolean
eng_trace_is_complete (const EngTrace *self)
{
  return g_atomic_int_get (&self->complete);
}

int
eng_trace_get_n_heads (const EngTrace *self,
                       EngKind         kind)
{
  return self->blocks[kind].n_heads;
}

int
eng_trace_get_n_queries (const EngTrace *self,
                         EngKind         kind)
{
  return self->blocks[kind].n_queries;
}

int
eng_trace_get_n_keys (const EngTrace *self,
                      EngKind         kind)
{
  return self->blocks[kind].n_keys;
}

gsize
eng_trace_count_layer_weights (const EngTrace *self,
                               EngKind         kind)
{
  return (gsize) self->blocks[kind].n_heads * self->blocks[kind].n_queries
         * self->blocks[kind].n_keys;
}

gsize
eng_trace_count_weights (const EngTrace *self,
                         EngKind         kind)
{
  return eng_trace_count_layer_weights (self, kind) * self->blocks[kind].n_layers;
}

const EngTokens *
eng_trace_get_query_tokens (const EngTrace *self,
                            EngKind         kind)
{
  return self->blocks[kind].query_tokens;
}

const EngTokens *
eng_trace_get_key_tokens (const EngTrace *self,
                          EngKind         kind)
{
  return self->blocks[kind].key_tokens;
}

EngAttention *
eng_trace_dup_attention (EngTrace *self,
                         EngKind   kind,
                         int       layer)
{
  const EngBlockTrace *block = &self->blocks[kind];
  const EngLayerTrace *data = eng_trace_get_layer (self, kind, layer);
  EngBlock *computed = NULL;
  AttentionOwner *owner;

  if (!data)
    return NULL;
  if (!data->attention) {
    EngInterventions edits = eng_trace_get_interventions (self, kind);

    computed = eng_block_cache_dup (self->kept, block, &edits, layer);
    if (!computed)
      return NULL;
  }

  owner = g_new (AttentionOwner, 1);
  *owner = (AttentionOwner) { eng_trace_ref (self), computed };

  return eng_attention_new_view (block->n_heads, block->n_queries, block->n_keys,
                                 computed ? eng_block_get_weights (computed) : data->attention,
                                 data->mask, data->head_masks, owner, attention_owner_free);
}

void
eng_trace_forget_attention (EngTrace *self)
{
  eng_block_cache_clear (self->kept);
  eng_rollout_cache_clear (self->rollouts);
}

gsize
eng_trace_get_n_bytes (EngTrace *self)
{
  gsize n_bytes = 0;

  g_mutex_lock (&self->lock);
  for (guint i = 0; i < self->memory->len; i++)
    n_bytes += ((const Memory *) g_ptr_array_index (self->memory, i))->n_bytes;
  g_mutex_unlock (&self->lock);

  return n_bytes;
}

gboolean
eng_trace_get_queries (const EngTrace *self,
                       EngKind         kind,
                       int             layer,
                       int             head,
                       EngMatrix      *queries)
{
  const EngBlockTrace *block = &self->blocks[kind];
  const EngLayerTrace *data = eng_trace_get_layer (self, kind, layer);

  return data && get_head_rows (&data->queries, head, block->n_queries, block->head_size, queries);
}

gboolean
eng_trace_get_keys (const EngTrace *self,
                    EngKind         kind,
                    int             layer,
                    int             head,
                    EngMatrix      *keys)
{
  const EngBlockTrace *block = &self->blocks[kind];
  const EngLayerTrace *data = eng_trace_get_layer (self, kind, layer);

  return data && get_head_rows (&data->keys, eng_block_trace_get_kv_head (block, head),
                                block->n_keys, block->head_size, keys);
}

gboolean
eng_trace_get_values (const EngTrace *self,
                      EngKind         kind,
                      int             layer,
                      int             head,
                      EngMatrix      *values)
{
  const EngBlockTrace *block = &self->blocks[kind];
  const EngLayerTrace *data = eng_trace_get_layer (self, kind, layer);

  return data && get_head_rows (&data->values, eng_block_trace_get_kv_head (block, head),
                                block->n_keys, block->value_size, values);
}

const guint8 *
eng_trace_get_mask (const EngTrace *self,
                    EngKind         kind,
                    int             layer)
{
  const EngLayerTrace *data = eng_trace_get_layer (self, kind, layer);

  return data ? data->mask : NULL;
}

double
eng_trace_get_scale (const EngTrace *self,
                     EngKind         kind,
                     int             layer)
{
  const EngLayerTrace *data = eng_trace_get_layer (self, kind, layer);

  return data ? data->scale : 1;
}

double
eng_trace_get_soft_cap (const EngTrace *self,
                        EngKind         kind,
                        int             layer)
{
  const EngLayerTrace *data = eng_trace_get_layer (self, kind, layer);

  return data ? data->soft_cap : 0;
}

/* Of a layer that may not be there yet, for what is known before; NULL = there is none. */
static const EngLayerTrace *
find_layer (const EngTrace *self,
            EngKind         kind,
            int             layer)
{
  const EngBlockTrace *block = &self->blocks[kind];

  return block->present && layer >= 0 && layer < block->n_layers ? &block->layers[layer] : NULL;
}

int
eng_trace_get_window (const EngTrace *self,
                      EngKind         kind,
                      int             layer)
{
  const EngLayerTrace *data = find_layer (self, kind, layer);

  return data ? data->window : 0;
}

int
eng_trace_get_n_uses (const EngTrace *self,
                      EngKind         kind,
                      int             layer)
{
  const EngLayerTrace *data = find_layer (self, kind, layer);

  return data ? MAX (data->n_uses, 1) : 1;
}

const float *
eng_trace_get_value_output_norms (const EngTrace *self,
                                  EngKind         kind,
                                  int             layer,
                                  int             head)
{
  /* Norms are computed late; what a reader sees does not change. */
  EngTrace *trace = (EngTrace *) self;
  const EngBlockTrace *block = &self->blocks[kind];
  EngLayerTrace *data = eng_trace_get_layer (self, kind, layer);
  const float *norms;

  if (!data)
    return NULL;

  g_mutex_lock (&trace->lock);
  if (!data->value_output_norms && self->compute_value_output_norms) {
    float *computed = g_new (float, (gsize) block->n_heads * block->n_keys);

    if (self->compute_value_output_norms (trace, kind, layer, computed)) {
      data->value_output_norms = computed;
      eng_trace_keep (trace, computed, (gsize) block->n_heads * block->n_keys * sizeof (float),
                      g_free);
    } else
      g_free (computed);
  }
  norms = data->value_output_norms;
  g_mutex_unlock (&trace->lock);

  return norms ? norms + (gsize) head * block->n_keys : NULL;
}

gboolean
eng_trace_has_value_output_norms (EngTrace *self,
                                  EngKind   kind,
                                  int       layer)
{
  const EngLayerTrace *data = eng_trace_get_layer (self, kind, layer);
  gboolean has;

  if (!data)
    return FALSE;

  g_mutex_lock (&self->lock);
  has = data->value_output_norms || self->compute_value_output_norms;
  g_mutex_unlock (&self->lock);

  return has;
}

gboolean
eng_trace_get_hidden_states (const EngTrace *self,
                             EngKind         kind,
                             int             index,
                             EngMatrix      *states)
{
  const EngBlockTrace *block = &self->blocks[kind];

  if (!block->hidden_states || index < 0 || index > block->n_layers || !block->hidden_states[index])
    return FALSE;
  *states = (EngMatrix) { block->hidden_states[index], block->n_queries, block->hidden_size,
                          (gsize) block->hidden_size };

  return TRUE;
}

gboolean
eng_trace_get_logits (const EngTrace *self,
                      EngTask         task,
                      EngMatrix      *logits,
                      const int     **positions)
{
  const EngLogitsTrace *found = &self->logits[task];

  if (!found->data)
    return FALSE;
  *logits = (EngMatrix) { found->data, found->n_positions, found->n_classes,
                          (gsize) found->n_classes };
  if (positions)
    *positions = found->positions;

  return TRUE;
}

double
eng_trace_get_stored_unit (const EngTrace *self)
{
  return self->stored_unit;
}

const char *
eng_trace_get_model_name (const EngTrace *self)
{
  return self->model_name;
}

const char *
eng_trace_get_family (const EngTrace *self)
{
  return self->family;
}

const char *
eng_trace_get_text_a (const EngTrace *self)
{
  return self->text_a;
}

const char *
eng_trace_get_text_b (const EngTrace *self)
{
  return self->text_b;
}

const char *const *
eng_trace_get_edits (const EngTrace *self)
{
  return (const char *const *) self->edit_texts;
}

double
eng_trace_get_wall_time (const EngTrace *self)
{
  return self->wall_time;
}
