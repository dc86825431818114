/* SPDX-License-Identifier: MIT */
#include "engine/trace-file.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "engine/trace-reader.h"

#define MAX_LAYERS 1000

/* One kind while it is read. */
typedef struct {
  EngKind          kind;
  const char      *prefix;
  EngBlockTrace   *block;
  const EngTensor *first; /* the attention that the sizes were taken from */
} Section;

static const EngTensor *
find_tensor (const EngTraceReader *self,
             const char           *prefix,
             const char           *role,
             int                   layer)
{
  g_autofree char *name = g_strdup_printf ("%s%s.%d", prefix, role, layer);

  return eng_safetensors_find (self->file, name);
}

/* What stands behind the point of {prefix}{role}.{layer}; NULL for another name. */
static const char *
match_name (const char *name,
            const char *prefix,
            const char *role)
{
  if (!g_str_has_prefix (name, prefix))
    return NULL;
  name += strlen (prefix);
  if (!g_str_has_prefix (name, role) || name[strlen (role)] != '.')
    return NULL;

  return name + strlen (role) + 1;
}

/* Spelt as it will be looked up: 7, not 07. */
static gboolean
parse_layer (const char *text,
             int        *layer)
{
  guint64 value;

  if (!g_ascii_string_to_unsigned (text, 10, 0, MAX_LAYERS - 1, &value, NULL) || (text[0] == '0' && text[1]))
    return FALSE;
  *layer = (int) value;

  return TRUE;
}

/* Raises *n_layers to 1 + the largest layer of a role. What belongs to a layer's attention needs it beside it. */
static gboolean
count_layers (const EngTraceReader  *self,
              const char            *prefix,
              const char            *role,
              gboolean               needs_attention,
              int                   *n_layers,
              GError               **error)
{
  for (int i = 0; i < eng_safetensors_get_n_tensors (self->file); i++)
    {
      const char *name = eng_safetensors_get_tensor (self->file, i)->name;
      const char *index = match_name (name, prefix, role);
      int layer;

      if (!index)
        continue;
      if (!parse_layer (index, &layer))
        return eng_trace_reader_refuse (self, ENG_ERROR_FORMAT, error,
                                        "the layer of %s is not a whole number from 0 to %d", name, MAX_LAYERS - 1);
      if (needs_attention && !find_tensor (self, prefix, "attentions", layer))
        return eng_trace_reader_refuse (self, ENG_ERROR_MISSING, error, "%s is there without %sattentions.%d",
                                        name, prefix, layer);
      *n_layers = MAX (*n_layers, layer + 1);
    }

  return TRUE;
}

/* *n_layers stays 0 for a kind that is not there. */
static gboolean
find_layers (const EngTraceReader  *self,
             const char            *prefix,
             int                   *n_layers,
             GError               **error)
{
  static const char *const roles[] = { "queries", "keys", "values", "mask", "position_bias", "value_output_norms" };
  int n_states = 0;

  if (!count_layers (self, prefix, "attentions", FALSE, n_layers, error))
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (roles); i++)
    if (!count_layers (self, prefix, roles[i], TRUE, n_layers, error))
      return FALSE;
  if (*n_layers == 0)
    return TRUE;
  if (!count_layers (self, prefix, "hidden_states", FALSE, &n_states, error))
    return FALSE;
  /* States 0 to n belong to n layers, of which not all need show their attention. */
  *n_layers = MAX (*n_layers, n_states - 1);

  return TRUE;
}

static gboolean
read_sizes (const EngTraceReader  *self,
            Section               *section,
            GError               **error)
{
  EngBlockTrace *block = section->block;
  gint64 shape[3] = { ENG_ANY_SIZE, ENG_ANY_SIZE, ENG_ANY_SIZE };

  for (int layer = 0; !section->first; layer++)
    section->first = find_tensor (self, section->prefix, "attentions", layer);
  if (!eng_trace_reader_match_shape (self, section->first, 3, shape, error))
    return FALSE;
  block->n_heads = (int) shape[0];
  block->n_queries = (int) shape[1];
  block->n_keys = (int) shape[2];

  return TRUE;
}

/* A stack reads its own tokens; the cross attention's rows are the decoder's, its columns the encoder's. */
static gboolean
read_tokens (const EngTraceReader  *self,
             const Section         *section,
             GError               **error)
{
  EngBlockTrace *block = section->block;

  if (section->kind == ENG_KIND_CROSS)
    {
      block->query_tokens = eng_trace_reader_read_tokens (self, eng_kind_get_prefix (ENG_KIND_DECODER),
                                                          section->first, block->n_queries, error);
      if (!block->query_tokens)
        return FALSE;
      block->key_tokens = eng_trace_reader_read_tokens (self, eng_kind_get_prefix (ENG_KIND_ENCODER),
                                                        section->first, block->n_keys, error);
      return block->key_tokens != NULL;
    }
  if (block->n_queries != block->n_keys)
    return eng_trace_reader_refuse (self, ENG_ERROR_SHAPE, error,
                                    "%s has %d queries but %d keys, expected as many where a stack reads itself",
                                    section->first->name, block->n_queries, block->n_keys);
  block->query_tokens = eng_trace_reader_read_tokens (self, section->prefix, section->first, block->n_queries, error);
  if (!block->query_tokens)
    return FALSE;
  block->key_tokens = eng_tokens_ref (block->query_tokens);

  return TRUE;
}

/* The trace's numbers are as coarse as the coarsest type that takes part in score and weight. */
static void
note_stored_type (EngTraceReader  *self,
                  const EngTensor *tensor)
{
  self->trace->stored_unit = MAX (self->trace->stored_unit, eng_type_get_unit (tensor->type));
}

static gboolean
read_attention (EngTraceReader  *self,
                const Section   *section,
                int              layer,
                GError         **error)
{
  EngBlockTrace *block = section->block;
  const EngTensor *tensor = find_tensor (self, section->prefix, "attentions", layer);
  gint64 shape[3] = { block->n_heads, block->n_queries, block->n_keys };

  note_stored_type (self, tensor);
  block->layers[layer].attention = eng_trace_reader_read_floats (self, tensor, 3, shape, 0, error);

  return block->layers[layer].attention != NULL;
}

/* Queries, keys or values: [heads, rows, size]. *n_heads and *size are 0 until the first layer has said them. */
static gboolean
read_head_rows (EngTraceReader  *self,
                const Section   *section,
                const EngTensor *tensor,
                int              n_rows,
                int             *n_heads,
                int             *size,
                EngHeadRows     *rows,
                GError         **error)
{
  gint64 shape[3] = { *n_heads ? *n_heads : ENG_ANY_SIZE, n_rows, *size ? *size : ENG_ANY_SIZE };

  if (!tensor)
    return TRUE;
  note_stored_type (self, tensor);
  rows->data = eng_trace_reader_read_floats (self, tensor, 3, shape, -FLT_MAX, error);
  if (!rows->data)
    return FALSE;
  if (section->block->n_heads % shape[0] != 0)
    return eng_trace_reader_refuse (self, ENG_ERROR_SHAPE, error, "%s has %d heads, which do not divide the %d of %s",
                                    tensor->name, (int) shape[0], section->block->n_heads, section->first->name);
  *n_heads = (int) shape[0];
  *size = (int) shape[2];
  rows->head_stride = (gsize) n_rows * (gsize) *size;
  rows->row_stride = (gsize) *size;

  return TRUE;
}

static gboolean
read_projections (EngTraceReader  *self,
                  const Section   *section,
                  int              layer,
                  GError         **error)
{
  EngBlockTrace *block = section->block;
  EngLayerTrace *data = &block->layers[layer];
  const EngTensor *queries = find_tensor (self, section->prefix, "queries", layer);
  const EngTensor *keys = find_tensor (self, section->prefix, "keys", layer);
  const EngTensor *values = find_tensor (self, section->prefix, "values", layer);

  if (!queries != !keys)
    return eng_trace_reader_refuse (self, ENG_ERROR_MISSING, error, "%s is there without %s%s.%d",
                                    queries ? queries->name : keys->name, section->prefix,
                                    queries ? "keys" : "queries", layer);

  return read_head_rows (self, section, queries, block->n_queries, &block->n_heads, &block->head_size,
                         &data->queries, error) &&
         read_head_rows (self, section, keys, block->n_keys, &block->n_kv_heads, &block->head_size,
                         &data->keys, error) &&
         read_head_rows (self, section, values, block->n_keys, &block->n_kv_heads, &block->value_size,
                         &data->values, error);
}

/* NULL with an error. */
static const guint8 *
read_mask_bytes (const EngTraceReader  *self,
                 const Section         *section,
                 const EngTensor       *mask,
                 GError               **error)
{
  gint64 shape[2] = { section->block->n_queries, section->block->n_keys };

  if (mask->type != ENG_TYPE_U8 && mask->type != ENG_TYPE_BOOL)
    {
      eng_trace_reader_refuse (self, ENG_ERROR_FORMAT, error, "%s is %s, expected U8 or BOOL",
                               mask->name, mask->type_name);
      return NULL;
    }
  if (!eng_trace_reader_match_shape (self, mask, 2, shape, error))
    return NULL;
  for (gsize i = 0; i < mask->n_bytes; i++)
    if (mask->data[i] > 1)
      {
        eng_trace_reader_refuse (self, ENG_ERROR_RANGE, error, "%s holds %d, expected 1 = visible or 0 = hidden",
                                 mask->name, mask->data[i]);
        return NULL;
      }

  return mask->data;
}

/* A layer's own mask or the one for all layers; what it hides has the weight 0. */
static gboolean
read_mask (const EngTraceReader  *self,
           const Section         *section,
           int                    layer,
           GError               **error)
{
  EngBlockTrace *block = section->block;
  EngLayerTrace *data = &block->layers[layer];
  g_autofree char *shared = g_strconcat (section->prefix, "mask", NULL);
  const EngTensor *mask = find_tensor (self, section->prefix, "mask", layer);
  gsize n_keys = (gsize) block->n_keys;
  gsize n_cells = (gsize) block->n_queries * n_keys;

  if (!mask)
    mask = eng_safetensors_find (self->file, shared);
  if (!mask)
    return TRUE;
  data->mask = read_mask_bytes (self, section, mask, error);
  if (!data->mask)
    return FALSE;
  for (gsize head = 0; head < (gsize) block->n_heads; head++)
    for (gsize cell = 0; cell < n_cells; cell++)
      if (!data->mask[cell] && data->attention[head * n_cells + cell] != 0)
        return eng_trace_reader_refuse (self, ENG_ERROR_RANGE, error, "%sattentions.%d[%" G_GSIZE_FORMAT ", %"
                                        G_GSIZE_FORMAT ", %" G_GSIZE_FORMAT "] is not 0, but %s hides it",
                                        section->prefix, layer, head, cell / n_keys, cell % n_keys, mask->name);

  return TRUE;
}

static gboolean
read_bias_and_norms (EngTraceReader  *self,
                     const Section   *section,
                     int              layer,
                     GError         **error)
{
  EngBlockTrace *block = section->block;
  EngLayerTrace *data = &block->layers[layer];
  const EngTensor *bias = find_tensor (self, section->prefix, "position_bias", layer);
  const EngTensor *norms = find_tensor (self, section->prefix, "value_output_norms", layer);
  gint64 bias_shape[3] = { block->n_heads, block->n_queries, block->n_keys };
  gint64 norms_shape[2] = { block->n_heads, block->n_keys };

  if (bias)
    {
      note_stored_type (self, bias);
      /* Minus infinity hides a key. */
      data->position_bias = eng_trace_reader_read_floats (self, bias, 3, bias_shape, -INFINITY, error);
    }
  if (bias && !data->position_bias)
    return FALSE;
  if (norms)
    data->value_output_norms = eng_trace_reader_read_floats (self, norms, 2, norms_shape, 0, error);

  return !norms || data->value_output_norms;
}

/* A number for all layers or a list by layer, null for a layer that is not there. 1/√d where nothing is said. */
static gboolean
read_scales (const EngTraceReader  *self,
             const Section         *section,
             GError               **error)
{
  EngBlockTrace *block = section->block;
  g_autoptr (cJSON) value = NULL;
  const cJSON *item;

  if (!eng_trace_reader_read_json (self, section->prefix, "scale", &value, error))
    return FALSE;
  if (cJSON_IsArray (value) && cJSON_GetArraySize (value) != block->n_layers)
    return eng_trace_reader_refuse (self, ENG_ERROR_SHAPE, error,
                                    "%sscale lists %d, expected one number for each of the %d layers",
                                    section->prefix, cJSON_GetArraySize (value), block->n_layers);
  item = cJSON_IsArray (value) ? value->child : value;
  for (int layer = 0; layer < block->n_layers; layer++)
    {
      EngLayerTrace *data = &block->layers[layer];

      if (cJSON_IsNumber (item) && isfinite (item->valuedouble))
        data->scale = item->valuedouble;
      else if (item && !(cJSON_IsNull (item) && !data->attention))
        return eng_trace_reader_refuse (self, ENG_ERROR_FORMAT, error, "%sscale of layer %d is not a finite number",
                                        section->prefix, layer);
      else
        data->scale = block->head_size ? 1 / sqrt (block->head_size) : 1;
      item = cJSON_IsArray (value) ? item->next : item;
    }

  return TRUE;
}

static gboolean
read_hidden_states (EngTraceReader  *self,
                    const Section   *section,
                    GError         **error)
{
  EngBlockTrace *block = section->block;

  for (int i = 0; i <= block->n_layers; i++)
    {
      const EngTensor *tensor = find_tensor (self, section->prefix, "hidden_states", i);
      gint64 shape[2] = { block->n_queries, block->hidden_size ? block->hidden_size : ENG_ANY_SIZE };

      if (!tensor)
        continue;
      if (!block->hidden_states)
        block->hidden_states = g_new0 (const float *, block->n_layers + 1);
      block->hidden_states[i] = eng_trace_reader_read_floats (self, tensor, 2, shape, -FLT_MAX, error);
      if (!block->hidden_states[i])
        return FALSE;
      block->hidden_size = (int) shape[1];
    }

  return TRUE;
}

static gboolean
read_layer (EngTraceReader  *self,
            const Section   *section,
            int              layer,
            GError         **error)
{
  if (!find_tensor (self, section->prefix, "attentions", layer))
    return TRUE;
  if (!read_attention (self, section, layer, error) || !read_projections (self, section, layer, error) ||
      !read_mask (self, section, layer, error) || !read_bias_and_norms (self, section, layer, error))
    return FALSE;
  section->block->layers[layer].ready = TRUE;

  return TRUE;
}

static gboolean
read_section (EngTraceReader  *self,
              EngKind          kind,
              const char      *prefix,
              GError         **error)
{
  EngBlockTrace *block = &self->trace->blocks[kind];
  Section section = { kind, prefix, block, NULL };

  if (!find_layers (self, prefix, &block->n_layers, error))
    return FALSE;
  if (block->n_layers == 0)
    return TRUE;
  block->present = TRUE;
  block->layers = g_new0 (EngLayerTrace, block->n_layers);
  if (!read_sizes (self, &section, error) || !read_tokens (self, &section, error))
    return FALSE;
  for (int layer = 0; layer < block->n_layers; layer++)
    if (!read_layer (self, &section, layer, error))
      return FALSE;
  if (block->n_kv_heads == 0)
    block->n_kv_heads = block->n_heads;

  return read_scales (self, &section, error) && read_hidden_states (self, &section, error);
}

/* Prefixed kinds, or one stack without a prefix, whose kind the metadata names. */
static gboolean
read_sections (EngTraceReader  *self,
               GError         **error)
{
  const char *kind_name = eng_safetensors_get_metadata (self->file, "kind");
  EngKind kind = ENG_KIND_ENCODER;
  gboolean prefixed = FALSE;
  int n_plain = 0;

  for (int i = 0; i < ENG_N_KINDS; i++)
    {
      if (!read_section (self, (EngKind) i, eng_kind_get_prefix ((EngKind) i), error))
        return FALSE;
      prefixed = prefixed || self->trace->blocks[i].present;
    }
  if (!find_layers (self, "", &n_plain, error))
    return FALSE;
  if (n_plain == 0 && !prefixed)
    return eng_trace_reader_refuse (self, ENG_ERROR_MISSING, error,
                                    "no trace: there is no tensor attentions.0, nor one of another layer");
  if (n_plain == 0)
    return TRUE;
  if (prefixed)
    return eng_trace_reader_refuse (self, ENG_ERROR_FORMAT, error,
                                    "attentions stand with and without the prefix of a kind, expected one of both");
  if (kind_name && (!eng_kind_from_name (kind_name, &kind) || kind == ENG_KIND_CROSS))
    return eng_trace_reader_refuse (self, ENG_ERROR_FORMAT, error,
                                    "kind is \"%s\", expected encoder or decoder for tensors without a prefix",
                                    kind_name);

  return read_section (self, kind, "", error);
}

/* Token indices of the rows: said by the metadata, or all tokens of the last stack in their order. */
static gboolean
read_positions (const EngTraceReader  *self,
                const EngTensor       *tensor,
                EngLogitsTrace        *logits,
                GError               **error)
{
  const EngBlockTrace *decoder = &self->trace->blocks[ENG_KIND_DECODER];
  const EngBlockTrace *stack = decoder->present ? decoder : &self->trace->blocks[ENG_KIND_ENCODER];
  g_autofree char *key = g_strconcat (tensor->name, ".positions", NULL);

  if (!eng_trace_reader_read_indices (self, "", key, logits->n_positions, stack->n_queries - 1,
                                      &logits->positions, error))
    return FALSE;
  if (logits->positions)
    return TRUE;
  if (logits->n_positions != stack->n_queries)
    return eng_trace_reader_refuse (self, ENG_ERROR_MISSING, error, "%s has %d rows for %d tokens, and no %s says which",
                                    tensor->name, logits->n_positions, stack->n_queries, key);
  logits->positions = g_new (int, logits->n_positions);
  for (int i = 0; i < logits->n_positions; i++)
    logits->positions[i] = i;

  return TRUE;
}

static gboolean
read_logits (EngTraceReader  *self,
             EngTask          task,
             GError         **error)
{
  g_autofree char *name = g_strconcat ("logits.", eng_task_get_name (task), NULL);
  const EngTensor *tensor = eng_safetensors_find (self->file, name);
  EngLogitsTrace *logits = &self->trace->logits[task];
  gint64 shape[2] = { ENG_ANY_SIZE, ENG_ANY_SIZE };

  if (!tensor)
    return TRUE;
  logits->data = eng_trace_reader_read_floats (self, tensor, 2, shape, -INFINITY, error);
  if (!logits->data)
    return FALSE;
  logits->n_positions = (int) shape[0];
  logits->n_classes = (int) shape[1];

  return read_positions (self, tensor, logits, error);
}

static gboolean
read_edits (EngTraceReader  *self,
            GError         **error)
{
  EngTrace *trace = self->trace;
  g_auto (GStrv) texts = NULL;
  g_autoptr (GError) edit_error = NULL;

  if (!eng_trace_reader_read_texts (self, "", "edits", ENG_ANY_SIZE, &texts, error))
    return FALSE;
  if (!texts)
    return TRUE;
  g_strfreev (trace->edit_texts);
  trace->edit_texts = g_steal_pointer (&texts);
  trace->n_edits = (int) g_strv_length (trace->edit_texts);
  trace->edits = g_new0 (EngEdit, trace->n_edits);
  for (int i = 0; i < trace->n_edits; i++)
    if (!eng_edit_parse (trace->edit_texts[i], &trace->edits[i], &edit_error))
      return eng_trace_reader_refuse (self, ENG_ERROR_FORMAT, error, "edits: %s", edit_error->message);

  return TRUE;
}

static gboolean
read_facts (EngTraceReader  *self,
            GError         **error)
{
  EngTrace *trace = self->trace;
  const char *format = eng_safetensors_get_metadata (self->file, "format");
  const char *version = eng_safetensors_get_metadata (self->file, "version");
  const char *wall_time = eng_safetensors_get_metadata (self->file, "wall_time");

  /* Other programs write other formats there, "pt" for one; only our own version says how to read ours. */
  if (g_strcmp0 (format, "headlight-trace") == 0 && g_strcmp0 (version, "1") != 0)
    return eng_trace_reader_refuse (self, ENG_ERROR_UNSUPPORTED, error, "version of the trace is %s, expected 1",
                                    version ? version : "not said");
  trace->model_name = g_strdup (eng_safetensors_get_metadata (self->file, "model"));
  trace->family = g_strdup (eng_safetensors_get_metadata (self->file, "family"));
  trace->text_a = g_strdup (eng_safetensors_get_metadata (self->file, "text_a"));
  trace->text_b = g_strdup (eng_safetensors_get_metadata (self->file, "text_b"));
  if (wall_time)
    {
      char *end;
      double milliseconds = g_ascii_strtod (wall_time, &end);

      if (end == wall_time || *end || !(milliseconds >= 0) || !isfinite (milliseconds))
        return eng_trace_reader_refuse (self, ENG_ERROR_FORMAT, error,
                                        "wall_time is \"%s\", expected a number of milliseconds", wall_time);
      trace->wall_time = milliseconds;
    }

  return read_edits (self, error);
}

/* Takes over the reference to file. */
static EngTrace *
read_trace (EngSafetensors  *file,
            GError         **error)
{
  g_autoptr (EngTrace) trace = eng_trace_new ();
  EngTraceReader reader = { file, eng_safetensors_get_path (file), trace };

  eng_trace_keep (trace, file, (GDestroyNotify) eng_safetensors_unref);
  if (!read_facts (&reader, error) || !read_sections (&reader, error))
    return NULL;
  for (int task = 0; task < ENG_N_TASKS; task++)
    if (!read_logits (&reader, (EngTask) task, error))
      return NULL;
  trace->complete = TRUE;

  return g_steal_pointer (&trace);
}

EngTrace *
eng_trace_file_open (const char  *path,
                     GError     **error)
{
  EngSafetensors *file = eng_safetensors_open (path, error);

  return file ? read_trace (file, error) : NULL;
}

EngTrace *
eng_trace_file_open_bytes (GBytes      *bytes,
                           const char  *what,
                           GError     **error)
{
  EngSafetensors *file = eng_safetensors_open_bytes (bytes, what, error);

  return file ? read_trace (file, error) : NULL;
}

double
eng_trace_get_row_sum_error (EngTrace *trace,
                             EngKind   kind,
                             int       layer)
{
  g_autoptr (EngAttention) attention = eng_trace_dup_attention (trace, kind, layer);
  double largest = 0;
  gsize n_rows, n_keys;

  if (!attention)
    return 0;
  n_rows = (gsize) attention->n_heads * (gsize) attention->n_queries;
  n_keys = (gsize) attention->n_keys;
  for (gsize row = 0; row < n_rows; row++)
    {
      double sum = 0;

      for (gsize key = 0; key < n_keys; key++)
        sum += attention->weights[row * n_keys + key];
      largest = MAX (largest, fabs (sum - 1));
    }

  return largest;
}
