/* SPDX-License-Identifier: MIT */
#include "engine/attention/attention-heads.h"

#include <math.h>
#include <string.h>

#include "engine/attention/position-terms.h"
#include "engine/kernels/linalg.h"
#include "engine/kernels/nn.h"
#include "engine/kernels/pool.h"

/* Rows of a head that are computed at a time, so that softmax and α · V find them in the second
 * level cache. */
#define BLOCK_QUERIES 96
/* Keys whose ‖v W_O‖ is computed at a time. */
#define BLOCK_KEYS 32
#define ALIGNMENT 64

/* Scratch of one worker, one head at a time. */
typedef struct {
  float *keys;      /* packed [head_size, n_keys] */
  float *values;    /* packed [n_keys, value_size] */
  float *weights;   /* [BLOCK_QUERIES, n_keys] */
  float *bias;      /* [BLOCK_QUERIES, n_keys]; NULL where positions are not apart */
  float *positions; /* of eng_position_terms_begin() */
  gsize  size;      /* of all, in floats */
} HeadScratch;

typedef struct {
  const EngBlockTrace    *block;
  int                     layer;
  const EngInterventions *edits;
  float                  *weights; /* [n_heads, n_queries, n_keys] or NULL */
  float                  *scratch; /* [workers] of HeadScratch */
  float                  *context; /* [n_queries, n_heads * value_size] */
} ReadCall;

typedef struct {
  const EngBlockTrace *block;
  int                  layer;
  const float         *output;  /* [hidden_size, n_heads * value_size] */
  float               *scratch; /* [workers, n_scratch] */
  gsize                n_scratch;
  float               *norms;   /* [n_heads, n_keys] */
} MeasureCall;

static HeadScratch
get_head_scratch (const EngBlockTrace *block,
                  float               *scratch,
                  int                  worker)
{
  gsize n_keys = eng_packed_n_floats (block->head_size, block->n_keys);
  gsize n_values = eng_packed_n_floats (block->n_keys, block->value_size);
  gsize n_weights = eng_packed_n_floats (BLOCK_QUERIES, block->n_keys);
  gsize n_positions = eng_position_terms_n_scratch (block, BLOCK_QUERIES);
  gsize n_bias = n_positions > 0 ? n_weights : 0;
  gsize size = n_keys + n_values + n_weights + n_bias + n_positions;
  float *keys = scratch + worker * size;
  float *values = keys + n_keys;
  float *weights = values + n_values;
  float *bias = weights + n_weights;

  return (HeadScratch) {
    keys, values, weights, n_positions > 0 ? bias : NULL, bias + n_bias, size,
  };
}

static void
pack_keys (const EngBlockTrace *block,
           int                  layer,
           int                  head,
           float               *packed)
{
  const EngHeadRows *keys = &block->layers[layer].keys;

  const float *rows = keys->data +
                      eng_block_trace_get_kv_head (block, head) * keys->head_stride;

  eng_pack_transposed (rows, keys->row_stride, block->head_size, block->n_keys, packed);
}

static void
pack_values (const EngBlockTrace *block,
             int                  layer,
             int                  head,
             float               *packed)
{
  const EngHeadRows *values = &block->layers[layer].values;

  const float *rows = values->data +
                      eng_block_trace_get_kv_head (block, head) * values->head_stride;

  eng_pack (rows, values->row_stride, block->n_keys, block->value_size, packed);
}

/* Scores [n_keys] before the softmax multiplies them: n readings weigh as one with ln n added. */
static void
add_readings (const guint8 *readings,
              int           n_keys,
              double        scale,
              float        *scores)
{
  for (int key = 0; key < n_keys; key++)
    if (readings[key] > 1)
      scores[key] += (float) (log (readings[key]) / scale);
}

/* What a head sees, [n_queries, n_keys]; NULL = all. */
static const guint8 *
get_mask (const EngBlockTrace *block,
          int                  layer,
          int                  head)
{
  const EngLayerTrace *trace = &block->layers[layer];
  gsize n_cells = (gsize) block->n_queries * block->n_keys;

  return trace->head_masks != NULL ? trace->head_masks + head * n_cells : trace->mask;
}

/* weights [last - first, n_keys] of all readings become those of one. */
static void
take_one_reading (const EngBlockTrace *block,
                  int                  layer,
                  int                  head,
                  int                  first,
                  int                  last,
                  float               *weights)
{
  const EngLayerTrace *trace = &block->layers[layer];
  gsize n_weights = (gsize) (last - first) * block->n_keys;
  const guint8 *readings;

  if (!trace->counted)
    return;

  readings = get_mask (block, layer, head) + (gsize) first * block->n_keys;
  for (gsize i = 0; i < n_weights; i++)
    if (readings[i] > 1)
      weights[i] /= readings[i];
}

/* Packs the keys of a head and what its positions need. */
static void
begin_head (const EngBlockTrace *block,
            int                  layer,
            int                  head,
            const HeadScratch   *scratch)
{
  pack_keys (block, layer, head, scratch->keys);
  if (scratch->bias != NULL)
    eng_position_terms_begin (block, layer, head, scratch->keys, scratch->positions);
}

/* [last - first, n_keys] what is added to the scaled scores of the queries [first, last); NULL =
 * nothing is. */
static const float *
get_bias (const EngBlockTrace *block,
          int                  layer,
          int                  head,
          const HeadScratch   *scratch,
          int                  first,
          int                  last)
{
  const float *bias = block->layers[layer].position_bias;

  if (scratch->bias != NULL) {
    eng_position_terms_fill (block, layer, head, ENG_POSITION_TERM_BOTH, first, last,
                             scratch->positions, scratch->bias);
    return scratch->bias;
  }

  return bias != NULL ? bias + ((gsize) head * block->n_queries + first) * block->n_keys : NULL;
}

/* scores [n, n_keys], which the softmax was to scale and to add bias (or NULL) to, become those of
 * a temperature, with nothing left to do; readings as above, NULL where none counts. */
static void
divide_scores (int           n,
               int           n_keys,
               double        scale,
               double        bias_factor,
               double        temperature,
               const float  *bias,
               const guint8 *readings,
               float        *scores)
{
  for (gsize i = 0; i < (gsize) n * n_keys; i++) {
    double score = scale * scores[i] + (bias != NULL ? bias_factor * bias[i] : 0);

    scores[i] = (float) (score / temperature);
    if (readings != NULL && readings[i] > 1)
      scores[i] += (float) log (readings[i]);
  }
}

/* What the queries [first, last) of a head see, [last - first, n_keys]; NULL = all. *seen: filled
 * where edits hide links too. */
static const guint8 *
get_seen (const EngBlockTrace     *block,
          int                      layer,
          int                      head,
          const EngInterventions  *edits,
          int                      first,
          int                      last,
          guint8                 **seen)
{
  const guint8 *mask = get_mask (block, layer, head);
  gsize n = (gsize) (last - first) * block->n_keys;

  if (mask != NULL)
    mask += (gsize) first * block->n_keys;
  if (!eng_interventions_cut_mask (edits, layer, head))
    return mask;

  *seen = g_malloc (n);
  if (mask != NULL)
    memcpy (*seen, mask, n);
  else
    memset (*seen, 1, n);
  eng_interventions_hide_links (edits, layer, head, first, last, block->n_keys, *seen);

  return *seen;
}

/* weights [last - first, n_keys] of the queries [first, last) of one head that has begun, of all
 * readings of a key together. */
static void
compute_rows (const EngBlockTrace    *block,
              int                     layer,
              int                     head,
              const EngInterventions *edits,
              const HeadScratch      *scratch,
              int                     first,
              int                     last,
              float                  *weights)
{
  const EngLayerTrace *trace = &block->layers[layer];
  const EngHeadRows *queries = &trace->queries;
  gsize n_keys = block->n_keys;
  const float *bias = get_bias (block, layer, head, scratch, first, last);
  g_autofree guint8 *filled = NULL;
  const guint8 *seen = get_seen (block, layer, head, edits, first, last, &filled);
  double scale = eng_interventions_get_scale (edits, layer, head, trace->scale);
  double temperature = eng_interventions_get_temperature (edits, layer, head);
  /* Terms of positions are scaled, too. */
  double bias_factor = scratch->bias != NULL && scale != trace->scale ? scale / trace->scale : 1;
  gboolean divides = temperature != 1 || bias_factor != 1;

  eng_multiply (queries->data + head * queries->head_stride + first * queries->row_stride,
                queries->row_stride, scratch->keys, last - first, block->n_keys, block->head_size,
                weights, n_keys);
  if (trace->soft_cap != 0) {
    eng_soft_cap (weights, (last - first) * n_keys, scale, trace->soft_cap);
    scale = trace->soft_cap;
  }
  if (divides) {
    divide_scores (last - first, block->n_keys, scale, bias_factor, temperature, bias,
                   trace->counted ? seen : NULL, weights);
    scale = 1;
    bias = NULL;
  }
  for (gsize query = first; query < (gsize) last && trace->counted && !divides; query++)
    add_readings (seen + (query - first) * n_keys, block->n_keys, scale,
                  weights + (query - first) * n_keys);
  for (gsize query = first; query < (gsize) last; query++)
    eng_softmax (weights + (query - first) * n_keys, block->n_keys, (float) scale,
                 bias != NULL ? bias + (query - first) * n_keys : NULL,
                 seen != NULL ? seen + (query - first) * n_keys : NULL);
  eng_interventions_edit_weights (edits, layer, head, first, last, block->n_keys, seen, weights);
}

/* context [n, value_size], rows n_heads * value_size apart. */
static void
scale_rows (const EngBlockTrace *block,
            float                factor,
            int                  n,
            float               *context)
{
  gsize stride = (gsize) block->n_heads * block->value_size;

  for (int row = 0; row < n; row++)
    for (int i = 0; i < block->value_size; i++)
      context[row * stride + i] *= factor;
}

static void
read_head (int      head,
           int      worker,
           gpointer data)
{
  const ReadCall *call = data;
  const EngBlockTrace *block = call->block;
  HeadScratch scratch = get_head_scratch (block, call->scratch, worker);
  float factor = eng_interventions_get_factor (call->edits, call->layer, head);
  gsize stride = (gsize) block->n_heads * block->value_size;

  begin_head (block, call->layer, head, &scratch);
  pack_values (block, call->layer, head, scratch.values);
  for (int first = 0; first < block->n_queries; first += BLOCK_QUERIES) {
    int last = MIN (first + BLOCK_QUERIES, block->n_queries);
    gsize row = (gsize) head * block->n_queries + first;
    float *context = call->context + first * stride + (gsize) head * block->value_size;
    float *weights = scratch.weights;

    if (call->weights != NULL)
      weights = call->weights + row * block->n_keys;
    compute_rows (block, call->layer, head, call->edits, &scratch, first, last, weights);
    eng_multiply (weights, block->n_keys, scratch.values, last - first, block->value_size,
                  block->n_keys, context, stride);
    if (factor != 1)
      scale_rows (block, factor, last - first, context);
    if (call->weights != NULL)
      take_one_reading (block, call->layer, head, first, last, weights);
  }
}

static float *
new_aligned_floats (gsize n)
{
  return g_aligned_alloc (n, sizeof (float), ALIGNMENT);
}

static void
measure_head (int      head,
              int      worker,
              gpointer data)
{
  const MeasureCall *call = data;
  const EngBlockTrace *block = call->block;
  const EngHeadRows *values = &block->layers[call->layer].values;
  const float *head_values = values->data +
                             eng_block_trace_get_kv_head (block, head) * values->head_stride;
  gsize size = block->hidden_size;
  float *packed = call->scratch + worker * call->n_scratch;
  float *rows = packed + eng_packed_n_floats (block->value_size, block->hidden_size);

  eng_pack_transposed (call->output + (gsize) head * block->value_size,
                       (gsize) block->n_heads * block->value_size,
                       block->value_size, block->hidden_size, packed);
  for (int first = 0; first < block->n_keys; first += BLOCK_KEYS) {
    int n = MIN (BLOCK_KEYS, block->n_keys - first);

    eng_multiply (head_values + first * values->row_stride, values->row_stride, packed,
                  n, block->hidden_size, block->value_size, rows, size);
    for (int key = 0; key < n; key++) {
      double squares = 0;

      for (gsize i = 0; i < size; i++)
        squares += (double) rows[key * size + i] * rows[key * size + i];
      call->norms[(gsize) head * block->n_keys + first + key] = (float) sqrt (squares);
    }
  }
}

gsize
eng_attention_n_scratch (const EngBlockTrace *block)
{
  return eng_pool_get_n_workers () * get_head_scratch (block, NULL, 0).size;
}

void
eng_attention_read (const EngBlockTrace    *block,
                    int                     layer,
                    const EngInterventions *edits,
                    float                  *weights,
                    float                  *scratch,
                    float                  *context,
                    const gint             *cancel)
{
  ReadCall call = { block, layer, edits, weights, scratch, context };

  eng_pool_run (block->n_heads, read_head, &call, cancel);
}

void
eng_attention_weights (const EngBlockTrace    *block,
                       int                     layer,
                       const EngInterventions *edits,
                       int                     first_head,
                       int                     last_head,
                       float                  *weights)
{
  float *floats = new_aligned_floats (get_head_scratch (block, NULL, 0).size);
  HeadScratch scratch = get_head_scratch (block, floats, 0);
  gsize n_weights = (gsize) block->n_queries * block->n_keys;

  for (int head = first_head; head < last_head; head++, weights += n_weights) {
    begin_head (block, layer, head, &scratch);

    /* In the blocks of the forward: OpenBLAS rounds otherwise for another number of rows. */
    for (int first = 0; first < block->n_queries; first += BLOCK_QUERIES) {
      int last = MIN (first + BLOCK_QUERIES, block->n_queries);
      float *rows = weights + (gsize) first * block->n_keys;

      compute_rows (block, layer, head, edits, &scratch, first, last, rows);
      take_one_reading (block, layer, head, first, last, rows);
    }
  }
  g_aligned_free (floats);
}

void
eng_attention_measure_values (const EngBlockTrace *block,
                              int                  layer,
                              const float         *output,
                              float               *norms)
{
  gsize n_scratch = eng_packed_n_floats (block->value_size, block->hidden_size) +
                    eng_packed_n_floats (BLOCK_KEYS, block->hidden_size);
  float *scratch = new_aligned_floats (eng_pool_get_n_workers () * n_scratch);
  MeasureCall call = { block, layer, output, scratch, n_scratch, norms };

  eng_pool_run (block->n_heads, measure_head, &call, NULL);
  g_aligned_free (scratch);
}
