/* SPDX-License-Identifier: MIT */
#include "engine/attention/position-terms.h"

#include "engine/kernels/linalg.h"

#define ALIGNMENT 64

/* What of a head lies where in scratch. */
typedef struct {
  float *packed;      /* its PK, packed [head_size, n_position_rows] */
  float *of_keys;     /* [n_position_rows, n_keys] k·PQ */
  float *of_queries;  /* [queries at a time, n_position_rows] q·PK */
} Scratch;

static Scratch
split_scratch (const EngBlockTrace *block,
               float               *scratch)
{
  gsize n_packed = eng_packed_n_floats (block->head_size, block->n_position_rows);
  gsize n_of_keys = eng_packed_n_floats (block->n_position_rows, block->n_keys);

  return (Scratch) { scratch, scratch + n_packed, scratch + n_packed + n_of_keys };
}

gsize
eng_position_terms_n_scratch (const EngBlockTrace *block,
                              int                  n_queries)
{
  int n_rows = block->n_position_rows;

  if (n_rows == 0)
    return 0;

  return eng_packed_n_floats (block->head_size, n_rows) +
         eng_packed_n_floats (n_rows, block->n_keys) + eng_packed_n_floats (n_queries, n_rows);
}

EngPositionTerms
eng_position_terms_of_layer (const EngLayerTrace *layer)
{
  return (layer->position_keys.data != NULL ? ENG_POSITION_TERM_CONTENT_POSITION : 0) |
         (layer->position_queries.data != NULL ? ENG_POSITION_TERM_POSITION_CONTENT : 0);
}

void
eng_position_terms_begin (const EngBlockTrace *block,
                          int                  layer,
                          int                  head,
                          const float         *keys,
                          float               *scratch)
{
  const EngLayerTrace *trace = &block->layers[layer];
  const EngHeadRows *position_keys = &trace->position_keys;
  const EngHeadRows *position_queries = &trace->position_queries;
  Scratch parts = split_scratch (block, scratch);

  if (position_keys->data != NULL)
    eng_pack_transposed (position_keys->data + head * position_keys->head_stride,
                         position_keys->row_stride, block->head_size, block->n_position_rows,
                         parts.packed);
  if (position_queries->data != NULL)
    eng_multiply (position_queries->data + head * position_queries->head_stride,
                  position_queries->row_stride, keys, block->n_position_rows, block->n_keys,
                  block->head_size, parts.of_keys, (gsize) block->n_keys);
}

void
eng_position_terms_fill (const EngBlockTrace *block,
                         int                  layer,
                         int                  head,
                         EngPositionTerms     which,
                         int                  first,
                         int                  last,
                         float               *scratch,
                         float               *out)
{
  const EngLayerTrace *trace = &block->layers[layer];
  const EngHeadRows *queries = &trace->queries;
  Scratch parts = split_scratch (block, scratch);
  EngPositionTerms there = which & eng_position_terms_of_layer (trace);
  float scale = (float) trace->scale;
  gsize n_keys = (gsize) block->n_keys, n_rows = (gsize) block->n_position_rows;

  if (there & ENG_POSITION_TERM_CONTENT_POSITION)
    eng_multiply (queries->data + head * queries->head_stride + first * queries->row_stride,
                  queries->row_stride, parts.packed, last - first, block->n_position_rows,
                  block->head_size, parts.of_queries, n_rows);

  for (int query = first; query < last; query++) {
    /* The queries are the last of the tokens that are read: the first key is this far behind. */
    const gint32 *rows = block->position_rows + (n_keys - 1) + (block->n_keys - block->n_queries) +
                         query;
    const float *of_query = parts.of_queries + (gsize) (query - first) * n_rows;

    for (gsize key = 0; key < n_keys; key++, out++) {
      gsize row = (gsize) *(rows - key);

      *out = 0;
      if (there & ENG_POSITION_TERM_CONTENT_POSITION)
        *out += scale * of_query[row];
      if (there & ENG_POSITION_TERM_POSITION_CONTENT)
        *out += scale * parts.of_keys[row * n_keys + key];
    }
  }
}

void
eng_position_terms_fill_head (const EngBlockTrace *block,
                              int                  layer,
                              int                  head,
                              EngPositionTerms     which,
                              float               *out)
{
  const EngHeadRows *keys = &block->layers[layer].keys;
  gsize n_packed = eng_packed_n_floats (block->head_size, block->n_keys);
  gsize n_scratch = eng_position_terms_n_scratch (block, block->n_queries);
  float *packed = g_aligned_alloc (n_packed + n_scratch, sizeof (float), ALIGNMENT);

  eng_pack_transposed (keys->data + eng_block_trace_get_kv_head (block, head) * keys->head_stride,
                       keys->row_stride, block->head_size, block->n_keys, packed);
  eng_position_terms_begin (block, layer, head, packed, packed + n_packed);
  eng_position_terms_fill (block, layer, head, which, 0, block->n_queries, packed + n_packed, out);
  g_aligned_free (packed);
}
