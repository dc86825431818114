/* SPDX-License-Identifier: MIT */
#include "engine/trace/trace-reader.h"

#include <float.h>
#include <math.h>
#include <string.h>

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

  return eng_tensor_set_find (self->file, name);
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

  if (!g_ascii_string_to_unsigned (text, 10, 0, MAX_LAYERS - 1, &value, NULL) ||
      (text[0] == '0' && text[1]))
    return FALSE;
  *layer = (int) value;

  return TRUE;
}

/* Raises *n_layers to 1 + the largest layer of a role. What belongs to a layer's attention needs it
 * beside it. */
static gboolean
count_role (const EngTraceReader  *self,
            const char            *prefix,
            const char            *role,
            gboolean               needs_attention,
            int                   *n_layers,
            GError               **error)
{
  for (int i = 0; i < eng_tensor_set_get_n_tensors (self->file); i++) {
    const char *name = eng_tensor_set_get_tensor (self->file, i)->name;
    const char *index = match_name (name, prefix, role);
    int layer;

    if (!index)
      continue;
    if (!parse_layer (index, &layer))
      return eng_trace_reader_refuse (self, ENG_ERROR_FORMAT, error,
                                      "the layer of %s is not a whole number from 0 to %d",
                                      name, MAX_LAYERS - 1);
    if (needs_attention && !find_tensor (self, prefix, "attentions", layer))
      return eng_trace_reader_refuse (self, ENG_ERROR_MISSING, error,
                                      "%s is there without %sattentions.%d",
                                      name, prefix, layer);
    *n_layers = MAX (*n_layers, layer + 1);
  }

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

/* A stack reads its own tokens; the cross attention's rows are the decoder's, its columns the
 * encoder's. */
static gboolean
read_tokens (const EngTraceReader  *self,
             const Section         *section,
             GError               **error)
{
  EngBlockTrace *block = section->block;

  if (section->kind == ENG_KIND_CROSS) {
    block->query_tokens = eng_trace_reader_read_tokens (self,
                                                        eng_kind_get_prefix (ENG_KIND_DECODER),
                                                        section->first, block->n_queries, error);
    if (!block->query_tokens)
      return FALSE;
    block->key_tokens = eng_trace_reader_read_tokens (self,
                                                      eng_kind_get_prefix (ENG_KIND_ENCODER),
                                                      section->first, block->n_keys, error);
    return block->key_tokens != NULL;
  }
  if (block->n_queries != block->n_keys)
    return eng_trace_reader_refuse (self, ENG_ERROR_SHAPE, error,
                                    "%s has %d queries but %d keys, expected as many where a stack "
                                    "reads itself", section->first->name, block->n_queries,
                                    block->n_keys);
  block->query_tokens = eng_trace_reader_read_tokens (self, section->prefix, section->first,
                                                      block->n_queries, error);
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

/* Queries, keys or values: [heads, rows, size]. *n_heads and *size are 0 until the first layer has
 * said them. */
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
    return eng_trace_reader_refuse (self, ENG_ERROR_SHAPE, error,
                                    "%s has %d heads, which do not divide the %d of %s",
                                    tensor->name, (int) shape[0], section->block->n_heads,
                                    section->first->name);
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

  return read_head_rows (self, section, queries, block->n_queries, &block->n_heads,
                         &block->head_size,
                         &data->queries, error) &&
         read_head_rows (self, section, keys, block->n_keys, &block->n_kv_heads, &block->head_size,
                         &data->keys, error) &&
         read_head_rows (self, section, values, block->n_keys, &block->n_kv_heads,
                         &block->value_size,
                         &data->values, error);
}

/* Whether each head has a mask of its own. A batch of one may stand in front of either. */
static gboolean
is_by_head (const EngTensor *mask)
{
  return mask->rank == 4 || (mask->rank == 3 && mask->shape[0] != 1);
}

/* NULL with an error. */
static const guint8 *
read_mask_bytes (const EngTraceReader  *self,
                 const Section         *section,
                 const EngTensor       *mask,
                 GError               **error)
{
  const EngBlockTrace *block = section->block;
  gint64 shape[3] = { block->n_heads, block->n_queries, block->n_keys };
  gboolean by_head = is_by_head (mask);

  if (mask->type != ENG_TYPE_U8 && mask->type != ENG_TYPE_BOOL) {
    eng_trace_reader_refuse (self, ENG_ERROR_FORMAT, error, "%s is %s, expected U8 or BOOL",
                             mask->name, mask->type_name);
    return NULL;
  }
  if (!eng_trace_reader_match_shape (self, mask, by_head ? 3 : 2, by_head ? shape : shape + 1,
                                     error))
    return NULL;
  for (gsize i = 0; i < mask->n_bytes && mask->type == ENG_TYPE_BOOL; i++)
    if (mask->data[i] > 1) {
      eng_trace_reader_refuse (self, ENG_ERROR_RANGE, error,
                               "%s holds %d, expected 1 = visible or 0 = hidden of a BOOL",
                               mask->name, mask->data[i]);
      return NULL;
    }

  return mask->data;
}

/* Whether a key is read more than once. */
static gboolean
counts_readings (const EngTensor *mask)
{
  for (gsize i = 0; i < mask->n_bytes; i++)
    if (mask->data[i] > 1)
      return TRUE;

  return FALSE;
}

/* What a mask hides has the weight 0. */
static gboolean
check_hidden (const EngTraceReader  *self,
              const EngBlockTrace   *block,
              const EngTensor       *attention,
              const EngTensor       *mask,
              const float           *weights,
              GError               **error)
{
  gsize n_rows = mask->n_bytes / (gsize) block->n_keys;

  for (int head = 0; head < block->n_heads; head++)
    for (int query = 0; query < block->n_queries; query++) {
      gsize row = ((gsize) head * (gsize) block->n_queries + (gsize) query) % n_rows;
      const guint8 *visible = mask->data + row * (gsize) block->n_keys;

      for (int key = 0; key < block->n_keys; key++)
        if (!visible[key] && weights[key] != 0)
          return eng_trace_reader_refuse (self, ENG_ERROR_RANGE, error,
                                          "%s[%d, %d, %d] is not 0, but %s hides it",
                                          attention->name, head, query, key, mask->name);
      weights += block->n_keys;
    }

  return TRUE;
}

/* What one head sees or another. */
static void
unite_heads (EngTraceReader      *self,
             const EngBlockTrace *block,
             EngLayerTrace       *data)
{
  gsize n_cells = (gsize) block->n_queries * (gsize) block->n_keys;
  g_autofree int *heads = g_new (int, block->n_heads);
  guint8 *seen = g_malloc (n_cells);

  for (int head = 0; head < block->n_heads; head++)
    heads[head] = head;
  eng_masks_unite (data->head_masks, n_cells, heads, block->n_heads, seen);
  eng_trace_keep (self->trace, seen, n_cells, g_free);
  data->mask = seen;
}

/* A layer's own mask or the one for all layers. */
static gboolean
read_mask (EngTraceReader        *self,
           const Section         *section,
           int                    layer,
           GError               **error)
{
  EngBlockTrace *block = section->block;
  EngLayerTrace *data = &block->layers[layer];
  g_autofree char *shared = g_strconcat (section->prefix, "mask", NULL);
  const EngTensor *attention = find_tensor (self, section->prefix, "attentions", layer);
  const EngTensor *mask = find_tensor (self, section->prefix, "mask", layer);

  if (!mask)
    mask = eng_tensor_set_find (self->file, shared);
  if (!mask)
    return TRUE;
  data->mask = read_mask_bytes (self, section, mask, error);
  data->counted = data->mask && counts_readings (mask);

  if (!data->mask || !check_hidden (self, block, attention, mask, data->attention, error))
    return FALSE;
  if (is_by_head (mask)) {
    data->head_masks = data->mask;
    unite_heads (self, block, data);
  }

  return TRUE;
}

/* How far a bias of half precision may be from the sum of its terms. */
#define TERMS_TOLERANCE 4e-3

/* The bias is the sum of its terms, whether the file says it or not. */
static gboolean
sum_terms (EngTraceReader   *self,
           const EngTensor  *bias,
           EngBlockTrace    *block,
           EngLayerTrace    *data,
           GError          **error)
{
  gsize n_keys = (gsize) block->n_keys, n_queries = (gsize) block->n_queries;
  gsize n = (gsize) block->n_heads * n_queries * n_keys;
  g_autofree float *sums = bias ? NULL : g_new (float, n);

  for (gsize i = 0; i < n; i++) {
    float first = data->content_position ? data->content_position[i] : 0;
    float second = data->position_content ? data->position_content[i] : 0;
    char number[G_ASCII_DTOSTR_BUF_SIZE];

    if (sums)
      sums[i] = first + second;
    else if (!(fabsf (data->position_bias[i] - (first + second)) <=
               (float) TERMS_TOLERANCE * (1 + fabsf (first) + fabsf (second)))) {
      g_ascii_formatd (number, sizeof number, "%g", (double) data->position_bias[i]);
      return eng_trace_reader_refuse (self, ENG_ERROR_RANGE, error,
                                      "%s[%d, %d, %d] is %s, expected the sum of content_position "
                                      "and position_content", bias->name,
                                      (int) (i / n_keys / n_queries),
                                      (int) (i / n_keys % n_queries), (int) (i % n_keys), number);
    }
  }
  if (sums) {
    data->position_bias = sums;
    eng_trace_keep (self->trace, g_steal_pointer (&sums), n * sizeof (float), g_free);
  }

  return TRUE;
}

/* Minus infinity hides a key where there are no terms. */
static gboolean
read_bias (EngTraceReader  *self,
           const Section   *section,
           int              layer,
           GError         **error)
{
  EngBlockTrace *block = section->block;
  EngLayerTrace *data = &block->layers[layer];
  const struct {
    const char   *role;
    const float **slot;
    float         lowest;
  } roles[] = {
    { "position_bias", &data->position_bias, -INFINITY },
    { "content_position", &data->content_position, -FLT_MAX },
    { "position_content", &data->position_content, -FLT_MAX },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (roles); i++) {
    const EngTensor *tensor = find_tensor (self, section->prefix, roles[i].role, layer);
    gint64 shape[3] = { block->n_heads, block->n_queries, block->n_keys };

    if (!tensor)
      continue;
    note_stored_type (self, tensor);
    *roles[i].slot = eng_trace_reader_read_floats (self, tensor, 3, shape, roles[i].lowest, error);
    if (!*roles[i].slot)
      return FALSE;
  }

  return (!data->content_position && !data->position_content) ||
         sum_terms (self, find_tensor (self, section->prefix, "position_bias", layer), block, data,
                    error);
}

static gboolean
read_norms (EngTraceReader  *self,
            const Section   *section,
            int              layer,
            GError         **error)
{
  EngBlockTrace *block = section->block;
  EngLayerTrace *data = &block->layers[layer];
  const EngTensor *norms = find_tensor (self, section->prefix, "value_output_norms", layer);
  gint64 norms_shape[2] = { block->n_heads, block->n_keys };

  if (norms)
    data->value_output_norms = eng_trace_reader_read_floats (self, norms, 2, norms_shape, 0, error);

  return !norms || data->value_output_norms;
}

static gboolean
read_hidden_states (EngTraceReader  *self,
                    const Section   *section,
                    GError         **error)
{
  EngBlockTrace *block = section->block;

  for (int i = 0; i <= block->n_layers; i++) {
    const EngTensor *tensor = find_tensor (self, section->prefix, "hidden_states", i);
    gint64 shape[2] = { block->n_queries,
                        block->hidden_size ? block->hidden_size : ENG_ANY_SIZE };

    if (!tensor)
      continue;
    if (!block->hidden_states)
      block->hidden_states = g_new0 (const float *, block->n_layers + 1);
    block->hidden_states[i] = eng_trace_reader_read_floats (self, tensor, 2, shape, -FLT_MAX,
                                                            error);
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
  if (!read_attention (self, section, layer, error) ||
      !read_projections (self, section, layer, error) ||
      !read_mask (self, section, layer, error) || !read_bias (self, section, layer, error) ||
      !read_norms (self, section, layer, error))
    return FALSE;
  section->block->layers[layer].ready = TRUE;

  return TRUE;
}

gboolean
eng_trace_reader_count_layers (const EngTraceReader  *self,
                               const char            *prefix,
                               int                   *n_layers,
                               GError               **error)
{
  static const char *const roles[] = { "queries", "keys", "values", "mask", "position_bias",
                                       "content_position", "position_content",
                                       "value_output_norms" };
  int n_states = 0;

  if (!count_role (self, prefix, "attentions", FALSE, n_layers, error))
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (roles); i++)
    if (!count_role (self, prefix, roles[i], TRUE, n_layers, error))
      return FALSE;
  if (*n_layers == 0)
    return TRUE;
  if (!count_role (self, prefix, "hidden_states", FALSE, &n_states, error))
    return FALSE;
  /* States 0 to n belong to n layers, of which not all need show their attention. */
  *n_layers = MAX (*n_layers, n_states - 1);

  return TRUE;
}

gboolean
eng_trace_reader_read_block (EngTraceReader  *self,
                             EngKind          kind,
                             const char      *prefix,
                             GError         **error)
{
  EngBlockTrace *block = &self->trace->blocks[kind];
  Section section = { kind, prefix, block, NULL };

  if (!eng_trace_reader_count_layers (self, prefix, &block->n_layers, error))
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

  return eng_trace_reader_read_layer_numbers (self, prefix, block, error) &&
         read_hidden_states (self, &section, error);
}
