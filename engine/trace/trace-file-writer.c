/* SPDX-License-Identifier: MIT */
#include "engine/trace/trace-file.h"

#include <string.h>

#include "engine/attention/attention-heads.h"
#include "engine/attention/position-terms.h"
#include "engine/base/json.h"
#include "engine/checkpoint/safetensors.h"
#include "engine/trace/trace-private.h"

/* What a tensor's numbers are made from while they are written; one block of a layer at a time is
 * in memory. */
typedef struct {
  const EngTrace      *trace;
  const EngBlockTrace *block;
  int                  layer;
  EngHeadRows          rows;
  int                  n_heads;
  int                  n_rows;
  int                  size;
  EngPositionTerms     terms;
} Part;

typedef struct {
  EngTrace   *trace;
  GHashTable *metadata;
  GArray     *tensors; /* of EngTensorSource */
  GPtrArray  *names;   /* that the tensors point to */
  GPtrArray  *parts;
} Writer;

static void
writer_init (Writer   *self,
             EngTrace *trace)
{
  self->trace = trace;
  self->metadata = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->tensors = g_array_new (FALSE, FALSE, sizeof (EngTensorSource));
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->parts = g_ptr_array_new_with_free_func (g_free);
}

static void
writer_clear (Writer *self)
{
  g_hash_table_unref (self->metadata);
  g_array_unref (self->tensors);
  g_ptr_array_unref (self->names);
  g_ptr_array_unref (self->parts);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Writer, writer_clear)

/* (transfer full) for key and value; without a value nothing is said. The name of a folder need not
 * be UTF-8. */
static void
add_metadata (Writer *self,
              char   *key,
              char   *value)
{
  g_autofree char *given = value;

  if (!value) {
    g_free (key);
    return;
  }
  g_hash_table_replace (self->metadata, key, g_utf8_make_valid (given, -1));
}

/* (transfer full) for list */
static void
add_list (Writer     *self,
          const char *prefix,
          const char *key,
          cJSON      *list)
{
  char *text = cJSON_PrintUnformatted (list);

  add_metadata (self, g_strconcat (prefix, key, NULL), g_strdup (text));
  cJSON_free (text);
  cJSON_Delete (list);
}

static cJSON *
list_texts (char *const *texts,
            int          n)
{
  cJSON *list = cJSON_CreateArray ();

  for (int i = 0; i < n; i++)
    cJSON_AddItemToArray (list, cJSON_CreateString (texts[i]));

  return list;
}

static cJSON *
list_flags (const guint8 *flags,
            int           n)
{
  cJSON *list = cJSON_CreateArray ();

  for (int i = 0; i < n; i++)
    cJSON_AddItemToArray (list, cJSON_CreateNumber (flags[i]));

  return list;
}

static cJSON *
list_spans (const EngSpan *spans,
            int            n)
{
  cJSON *list = cJSON_CreateArray ();

  for (int i = 0; i < n; i++) {
    int span[2] = { spans[i].start, spans[i].end };

    cJSON_AddItemToArray (list,
                          span[0] < 0 ? cJSON_CreateNull () : cJSON_CreateIntArray (span, 2));
  }

  return list;
}

/* Tokens as they are made new have the array and no piece in it. */
static gboolean
has_pieces (const EngTokens *tokens)
{
  for (int i = 0; tokens->pieces && i < tokens->n; i++) {
    if (!tokens->pieces[i]) {
      return FALSE;
    }
  }

  return tokens->pieces != NULL;
}

static void
add_tokens (Writer          *self,
            const char      *prefix,
            const EngTokens *tokens)
{
  add_list (self, prefix, "tokens", list_texts (tokens->texts, tokens->n));
  if (has_pieces (tokens))
    add_list (self, prefix, "pieces", list_texts (tokens->pieces, tokens->n));
  if (tokens->ids)
    add_list (self, prefix, "ids", cJSON_CreateIntArray (tokens->ids, tokens->n));
  if (tokens->type_ids)
    add_list (self, prefix, "type_ids", cJSON_CreateIntArray (tokens->type_ids, tokens->n));
  if (tokens->languages)
    add_list (self, prefix, "languages", cJSON_CreateIntArray (tokens->languages, tokens->n));
  add_list (self, prefix, "segments", list_flags (tokens->segments, tokens->n));
  add_list (self, prefix, "special", list_flags (tokens->special, tokens->n));
  if (tokens->spans)
    add_list (self, prefix, "spans", list_spans (tokens->spans, tokens->n));
}

/* Digits enough for the same double; cJSON's own printing may miss the last bit. */
static void
add_scales (Writer              *self,
            const char          *prefix,
            const EngBlockTrace *block)
{
  g_autoptr (GString) list = g_string_new ("[");
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  for (int layer = 0; layer < block->n_layers; layer++) {
    gboolean ready = g_atomic_int_get (&block->layers[layer].ready);

    g_string_append (list, layer ? ", " : "");
    g_ascii_dtostr (number, sizeof number, block->layers[layer].scale);
    g_string_append (list, ready ? number : "null");
  }
  g_string_append_c (list, ']');
  add_metadata (self, g_strconcat (prefix, "scale", NULL), g_strdup (list->str));
}

/* Where there are any. */
static void
add_soft_caps (Writer              *self,
               const char          *prefix,
               const EngBlockTrace *block)
{
  g_autoptr (GString) list = g_string_new ("[");
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  gboolean any = FALSE;

  for (int layer = 0; layer < block->n_layers; layer++) {
    const EngLayerTrace *data = &block->layers[layer];
    gboolean capped = g_atomic_int_get (&data->ready) && data->soft_cap != 0;

    any |= capped;
    g_string_append (list, layer ? ", " : "");
    g_ascii_dtostr (number, sizeof number, data->soft_cap);
    g_string_append (list, capped ? number : "null");
  }
  g_string_append_c (list, ']');
  if (any)
    add_metadata (self, g_strconcat (prefix, "soft_cap", NULL), g_strdup (list->str));
}

/* Whole numbers, null where they are no more than one that goes without saying; none where all are. */
static void
add_counts (Writer              *self,
            const char          *prefix,
            const char          *name,
            const EngBlockTrace *block,
            gsize                offset,
            int                  unsaid)
{
  g_autoptr (GString) list = g_string_new ("[");
  gboolean any = FALSE;

  for (int layer = 0; layer < block->n_layers; layer++) {
    int number = G_STRUCT_MEMBER (int, &block->layers[layer], offset);
    gboolean said = number > unsaid;

    any |= said;
    g_string_append (list, layer ? ", " : "");
    if (said)
      g_string_append_printf (list, "%d", number);
    else
      g_string_append (list, "null");
  }
  g_string_append_c (list, ']');
  if (any)
    add_metadata (self, g_strconcat (prefix, name, NULL), g_strdup (list->str));
}

static void
fill_attention (void     *out,
                gsize     n_bytes,
                gpointer  user_data)
{
  const Part *part = user_data;
  EngKind kind = (EngKind) (part->block - part->trace->blocks);
  EngInterventions edits = eng_trace_get_interventions (part->trace, kind);

  eng_attention_weights (part->block, part->layer, &edits, 0, part->block->n_heads, out);
}

/* [n_heads, n_queries, n_keys] */
static void
fill_position_terms (void     *out,
                     gsize     n_bytes,
                     gpointer  user_data)
{
  const Part *part = user_data;
  gsize n_cells = (gsize) part->block->n_queries * (gsize) part->block->n_keys;

  for (int head = 0; head < part->block->n_heads; head++)
    eng_position_terms_fill_head (part->block, part->layer, head, part->terms,
                                  (float *) out + (gsize) head * n_cells);
}

/* From wherever the rows lie to [n_heads, n_rows, size]. */
static void
fill_head_rows (void     *out,
                gsize     n_bytes,
                gpointer  user_data)
{
  const Part *part = user_data;
  float *next = out;

  for (gsize head = 0; head < (gsize) part->n_heads; head++)
    for (gsize row = 0; row < (gsize) part->n_rows; row++, next += part->size)
      memcpy (next,
              part->rows.data + head * part->rows.head_stride + row * part->rows.row_stride,
              (gsize) part->size * sizeof *next);
}

/* (transfer full) for name. The first rank of the sizes are the shape. Without data set fill. */
static EngTensorSource *
add_tensor (Writer     *self,
            char       *name,
            EngType     type,
            int         rank,
            gint64      size_0,
            gint64      size_1,
            gint64      size_2,
            const void *data)
{
  EngTensorSource source = { name, type, rank, { size_0, size_1, size_2 }, data, NULL, NULL };

  g_ptr_array_add (self->names, name);
  g_array_append_val (self->tensors, source);

  return &g_array_index (self->tensors, EngTensorSource, self->tensors->len - 1);
}

static void
add_head_rows (Writer            *self,
               const char        *prefix,
               const char        *role,
               int                layer,
               const EngHeadRows *rows,
               int                n_heads,
               int                n_rows,
               int                size)
{
  Part part = { .rows = *rows, .n_heads = n_heads, .n_rows = n_rows, .size = size };
  EngTensorSource *source;

  if (!rows->data)
    return;

  source = add_tensor (self, g_strdup_printf ("%s%s.%d", prefix, role, layer), ENG_TYPE_F32, 3,
                       n_heads, n_rows, size, NULL);
  source->fill = fill_head_rows;
  source->user_data = g_memdup2 (&part, sizeof part);
  g_ptr_array_add (self->parts, source->user_data);
}

static void
add_attention (Writer              *self,
               const char          *prefix,
               const EngBlockTrace *block,
               int                  layer)
{
  const float *kept = block->layers[layer].attention;
  Part part = { .trace = self->trace, .block = block, .layer = layer };
  EngTensorSource *source = add_tensor (self, g_strdup_printf ("%sattentions.%d", prefix, layer),
                                        ENG_TYPE_F32, 3,
                                        block->n_heads, block->n_queries, block->n_keys, kept);

  if (kept)
    return;

  source->fill = fill_attention;
  source->user_data = g_memdup2 (&part, sizeof part);
  g_ptr_array_add (self->parts, source->user_data);
}

/* What is added to the scores: numbers that are there, or terms that are computed. */
static void
add_bias (Writer              *self,
          const char          *prefix,
          const EngBlockTrace *block,
          int                  layer,
          const char          *role,
          const float         *stored,
          EngPositionTerms     terms)
{
  Part part = { .trace = self->trace, .block = block, .layer = layer, .terms = terms };
  EngTensorSource *source;

  if (!stored && terms == 0)
    return;

  source = add_tensor (self, g_strdup_printf ("%s%s.%d", prefix, role, layer), ENG_TYPE_F32, 3,
                       block->n_heads, block->n_queries, block->n_keys, stored);
  if (stored)
    return;

  source->fill = fill_position_terms;
  source->user_data = g_memdup2 (&part, sizeof part);
  g_ptr_array_add (self->parts, source->user_data);
}

static void
add_layer (Writer     *self,
           EngKind     kind,
           const char *prefix,
           int         layer)
{
  const EngBlockTrace *block = &self->trace->blocks[kind];
  const EngLayerTrace *data = &block->layers[layer];
  const float *norms = eng_trace_get_value_output_norms (self->trace, kind, layer, 0);
  EngPositionTerms terms = eng_position_terms_of_layer (data);

  add_attention (self, prefix, block, layer);
  add_head_rows (self, prefix, "queries", layer, &data->queries, block->n_heads, block->n_queries,
                 block->head_size);
  add_head_rows (self, prefix, "keys", layer, &data->keys, block->n_kv_heads, block->n_keys,
                 block->head_size);
  add_head_rows (self, prefix, "values", layer, &data->values, block->n_kv_heads, block->n_keys,
                 block->value_size);
  add_bias (self, prefix, block, layer, "position_bias", data->position_bias, terms);
  add_bias (self, prefix, block, layer, "content_position", data->content_position,
            terms & ENG_POSITION_TERM_CONTENT_POSITION);
  add_bias (self, prefix, block, layer, "position_content", data->position_content,
            terms & ENG_POSITION_TERM_POSITION_CONTENT);
  if (norms)
    add_tensor (self, g_strdup_printf ("%svalue_output_norms.%d", prefix, layer), ENG_TYPE_F32, 2,
                block->n_heads, block->n_keys, 0, norms);
}

/* Whether every layer that is there has this very mask. */
static gboolean
is_shared_mask (const EngBlockTrace *block,
                const guint8        *mask)
{
  for (int layer = 0; layer < block->n_layers; layer++)
    if (g_atomic_int_get (&block->layers[layer].ready) && block->layers[layer].mask != mask)
      return FALSE;

  return TRUE;
}

/* Bytes stand behind all floats, so that these stay aligned. */
static void
add_masks (Writer              *self,
           const char          *prefix,
           const EngBlockTrace *block)
{
  for (int layer = 0; layer < block->n_layers; layer++) {
    const EngLayerTrace *data = &block->layers[layer];

    if (!g_atomic_int_get (&data->ready) || !data->mask)
      continue;
    if (!data->head_masks && is_shared_mask (block, data->mask)) {
      add_tensor (self, g_strconcat (prefix, "mask", NULL), ENG_TYPE_U8, 2,
                  block->n_queries, block->n_keys, 0, data->mask);
      return;
    }
    if (data->head_masks)
      add_tensor (self, g_strdup_printf ("%smask.%d", prefix, layer), ENG_TYPE_U8, 3,
                  block->n_heads, block->n_queries, block->n_keys, data->head_masks);
    else
      add_tensor (self, g_strdup_printf ("%smask.%d", prefix, layer), ENG_TYPE_U8, 2,
                  block->n_queries, block->n_keys, 0, data->mask);
  }
}

static void
add_block (Writer     *self,
           EngKind     kind,
           const char *prefix)
{
  const EngBlockTrace *block = &self->trace->blocks[kind];

  add_scales (self, prefix, block);
  add_soft_caps (self, prefix, block);
  add_counts (self, prefix, "window", block, G_STRUCT_OFFSET (EngLayerTrace, window), 0);
  add_counts (self, prefix, "uses", block, G_STRUCT_OFFSET (EngLayerTrace, n_uses), 1);
  for (int layer = 0; layer < block->n_layers; layer++)
    if (eng_trace_has_layer (self->trace, kind, layer))
      add_layer (self, kind, prefix, layer);
  for (int i = 0; i <= block->n_layers && block->hidden_states; i++)
    if (block->hidden_states[i])
      add_tensor (self, g_strdup_printf ("%shidden_states.%d", prefix, i), ENG_TYPE_F32, 2,
                  block->n_queries, block->hidden_size, 0, block->hidden_states[i]);
}

static void
add_logits (Writer  *self,
            EngTask  task)
{
  const EngLogitsTrace *logits = &self->trace->logits[task];
  g_autofree char *name = g_strconcat ("logits.", eng_task_get_name (task), NULL);

  if (!logits->data)
    return;

  add_list (self, name, ".positions",
            cJSON_CreateIntArray (logits->positions, logits->n_positions));
  add_tensor (self, g_steal_pointer (&name), ENG_TYPE_F32, 2, logits->n_positions,
              logits->n_classes, 0, logits->data);
}

static void
add_facts (Writer *self)
{
  const EngTrace *trace = self->trace;
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  add_metadata (self, g_strdup ("format"), g_strdup ("headlight-trace"));
  add_metadata (self, g_strdup ("version"), g_strdup ("1"));
  add_metadata (self, g_strdup ("model"), g_strdup (trace->model_name));
  add_metadata (self, g_strdup ("family"), g_strdup (trace->family));
  add_metadata (self, g_strdup ("text_a"), g_strdup (trace->text_a));
  add_metadata (self, g_strdup ("text_b"), g_strdup (trace->text_b));
  if (trace->n_edits > 0)
    add_list (self, "", "edits", list_texts (trace->edit_texts, trace->n_edits));
  if (trace->wall_time >= 0)
    add_metadata (self, g_strdup ("wall_time"),
                  g_strdup (g_ascii_dtostr (number, sizeof number, trace->wall_time)));
}

/* The only stack, which needs no prefix: that is what files made by hand look like, too. */
static gboolean
find_single_stack (const EngTrace *trace,
                   EngKind        *stack)
{
  int n_kinds = 0;

  for (int kind = 0; kind < ENG_N_KINDS; kind++)
    if (trace->blocks[kind].present) {
      *stack = (EngKind) kind;
      n_kinds++;
    }

  return n_kinds == 1 && *stack != ENG_KIND_CROSS;
}

static void
add_blocks (Writer *self)
{
  const EngBlockTrace *blocks = self->trace->blocks;
  const char *prefixes[ENG_N_KINDS] = { "", "", "" };
  EngKind stack = ENG_KIND_ENCODER;
  gboolean single = find_single_stack (self->trace, &stack);

  if (single)
    add_metadata (self, g_strdup ("kind"), g_strdup (eng_kind_get_name (stack)));
  for (int kind = 0; kind < ENG_N_KINDS; kind++) {
    if (!blocks[kind].present)
      continue;
    if (!single)
      prefixes[kind] = eng_kind_get_prefix ((EngKind) kind);
    if (kind == ENG_KIND_CROSS) {
      add_tokens (self, eng_kind_get_prefix (ENG_KIND_DECODER), blocks[kind].query_tokens);
      add_tokens (self, eng_kind_get_prefix (ENG_KIND_ENCODER), blocks[kind].key_tokens);
    } else
      add_tokens (self, prefixes[kind], blocks[kind].query_tokens);
    add_block (self, (EngKind) kind, prefixes[kind]);
  }
  for (int task = 0; task < ENG_N_TASKS; task++)
    add_logits (self, (EngTask) task);
  for (int kind = 0; kind < ENG_N_KINDS; kind++)
    if (blocks[kind].present)
      add_masks (self, prefixes[kind], &blocks[kind]);
}

gboolean
eng_trace_file_write_watched (EngTrace      *trace,
                              const char    *path,
                              EngWriteFunc   func,
                              gpointer       data,
                              GError       **error)
{
  g_auto (Writer) writer = { NULL };

  writer_init (&writer, trace);
  add_facts (&writer);
  add_blocks (&writer);

  return eng_safetensors_write_watched (path, writer.metadata,
                                        (const EngTensorSource *) writer.tensors->data,
                                        (int) writer.tensors->len, func, data, error);
}

gboolean
eng_trace_file_write (EngTrace    *trace,
                      const char  *path,
                      GError     **error)
{
  return eng_trace_file_write_watched (trace, path, NULL, NULL, error);
}
