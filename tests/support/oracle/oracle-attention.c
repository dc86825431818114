/* SPDX-License-Identifier: MIT */
#include "tests/support/oracle/oracle-parts.h"

#include <math.h>
#include <stdlib.h>

gboolean
oracle_is_unplaced (const OracleRun *run,
                    int              layer)
{
  for (int e = 0; e < run->n_edits; e++) {
    const EngEdit *edit = &run->edits[e];

    if (edit->type == ENG_EDIT_NO_POSITIONS && oracle_names (run, edit, FALSE) &&
        (edit->layer == layer || edit->layer == ENG_ALL_LAYERS))
      return TRUE;
  }
  return FALSE;
}

gboolean
oracle_names (const OracleRun *run,
              const EngEdit   *edit,
              gboolean         crosses)
{
  EngKind kind = crosses ? ENG_KIND_CROSS : run->kind;

  if (edit->kind == ENG_KIND_NOT_SAID)
    return kind == eng_spec_get_first_kind (run->spec);
  return edit->kind == (int) kind;
}

/* A token that the encoder is not to read is none for the decoder either. */
static gboolean
is_knocked_out (const OracleAttention *self,
                int                    key)
{
  const OracleRun *run = self->run;

  for (int e = 0; e < run->n_edits; e++) {
    const EngEdit *edit = &run->edits[e];
    gboolean of_encoder = edit->kind == ENG_KIND_NOT_SAID || edit->kind == ENG_KIND_ENCODER;

    if (edit->type == ENG_EDIT_KNOCK_OUT_TOKEN && edit->key == key &&
        (oracle_names (run, edit, self->crosses) || (self->crosses && of_encoder)))
      return TRUE;
  }
  return FALSE;
}

/* How often a query may read a key of its text, by the blocks that both stand in. */
static int
count_block_readings (const OracleAttention *self,
                      int                    query,
                      int                    key)
{
  const EngBlocks *blocks = &self->spec->blocks;
  int size = blocks->size, r = blocks->n_random, n = self->block->n_keys, n_blocks, q, k;

  if (size == 0 || n <= 5 * size + 2 * r * size)
    return 1;
  n_blocks = (n + size - 1) / size;
  for (q = 0; (q + 1) * size <= query; q++) ;
  for (k = 0; (k + 1) * size <= key; k++) ;
  if (q == 0 || q == n_blocks - 1)
    return 1;
  return (k == 0 ? 1 + r : 0) + (k == n_blocks - 1 ? 1 : 0) +
         (k > 0 && k < n_blocks - 1 && k >= q - 1 && k <= q + 1 ? 1 : 0);
}

/* Whether an edit of the list concerns a head here. */
static gboolean
concerns (const OracleAttention *self,
          int                    e,
          EngEditType            type,
          int                    head)
{
  const EngEdit *edit = &self->run->edits[e];

  return oracle_names (self->run, edit, self->crosses) && edit->type == type &&
         edit->layer == self->layer &&
         (edit->head == head || edit->head == ENG_ALL_HEADS);
}

/* The last edit of a type of a head; NULL where there is none. */
const EngEdit *
oracle_find_edit (const OracleAttention *self,
                  EngEditType            type,
                  int                    head)
{
  for (int e = self->run->n_edits - 1; e >= 0; e--)
    if (concerns (self, e, type, head))
      return &self->run->edits[e];
  return NULL;
}

/* As an edit of the head says, whatever its model does. */
static gboolean
may_read_by_edit (const OracleAttention *self,
                  EngHeadMask            mask,
                  int                    query,
                  int                    key)
{
  const EngTokens *read = self->crosses ? self->run->source : self->run->tokens;

  if (mask == ENG_HEAD_MASK_NONE)
    return TRUE;
  return !read->padding[key] && (mask == ENG_HEAD_MASK_PADDING || query >= key);
}

static gboolean
may_read (const OracleAttention *self,
          int                    head,
          int                    query,
          int                    key)
{
  const OracleRun *run = self->run;
  const EngEdit *edit = oracle_find_edit (self, ENG_EDIT_HEAD_MASK, head);

  if (is_knocked_out (self, key))
    return FALSE;
  if (edit)
    return may_read_by_edit (self, edit->mask, query, key);
  if (self->crosses)
    return !run->source->padding[key];
  if (run->tokens->padding[key] || (self->spec->causal && key > query))
    return FALSE;
  if (self->spec->window != 0 && abs (query - key) > self->spec->window - 1)
    return FALSE;
  return count_block_readings (self, query, key) > 0;
}

/* As often as a key is read, it counts. */
int
oracle_count_readings (const OracleAttention *self,
                       int                    head,
                       int                    query,
                       int                    key)
{
  if (!may_read (self, head, query, key))
    return 0;
  return self->crosses || oracle_find_edit (self, ENG_EDIT_HEAD_MASK, head) ? 1 : count_block_readings (self, query, key);
}

gboolean
oracle_spans (int first,
              int n_more,
              int token)
{
  return first == ENG_ALL_TOKENS || (first <= token && token <= first + n_more);
}

static void
edit_row (const OracleAttention *self,
          int                    head,
          int                    query,
          double                *row)
{
  int n = self->block->n_keys, n_read = 0;

  for (int key = 0; key < n; key++)
    n_read += oracle_count_readings (self, head, query, key);
  for (int e = 0; e < self->run->n_edits; e++)
    if (concerns (self, e, ENG_EDIT_UNIFORM_ROWS, head))
      for (int key = 0; key < n; key++)
        row[key] = may_read (self, head, query, key) ? 1.0 / n_read : 0;
  for (int e = 0; e < self->run->n_edits; e++) {
    const EngEdit *edit = &self->run->edits[e];
    double left = 0;

    if (!concerns (self, e, ENG_EDIT_CUT_EDGE, head)
        || !oracle_spans (edit->query, edit->n_more_queries, query))
      continue;
    for (int key = 0; key < n; key++)
      row[key] = oracle_spans (edit->key, edit->n_more_keys, key) ? 0 : row[key];
    for (int key = 0; key < n; key++)
      left += oracle_count_readings (self, head, query, key) * row[key];
    for (int key = 0; key < n && edit->renormalise && left > 0; key++)
      row[key] /= left;
  }
}

static double
get_bias (const OracleAttention *self,
          int                    head,
          int                    distance)
{
  const OracleRun *run = self->run;
  const EngRelativeBias *bias = &run->stack->relative_bias;

  if (self->crosses || bias->n_buckets == 0 || oracle_is_unplaced (run, self->layer))
    return 0;
  return run->weights->relative_bias[oracle_get_bucket (bias, distance, !self->spec->causal) *
                                     self->spec->n_heads + head];
}

static int
get_kv_head (const OracleBlock *block,
             int                head)
{
  return head * block->n_kv_heads / block->n_heads;
}

/* Key or value vector of a head. */
static double *
get_kv (const OracleBlock *block,
        double            *rows,
        int                layer,
        int                key,
        int                head)
{
  gsize row = (gsize) layer * block->n_keys + key;

  return rows + (row * block->n_kv_heads + get_kv_head (block, head)) * block->head_size;
}

/* Keys or queries of all distances that the text has, from 1 - n on: [2 n - 1, heads · d]; NULL
 * where there are none. */
static double *
project_positions (const OracleAttention *self,
                   gboolean               there,
                   const EngLinear       *linear)
{
  const OracleRun *run = self->run;
  const EngRelativePositions *positions = &run->stack->relative_positions;
  int n = run->tokens->n, size = run->spec->hidden_size;
  g_autofree double *row = g_new (double, size);
  double *projected;

  if (self->crosses || positions->span == 0 || !there || oracle_is_unplaced (run, self->layer))
    return NULL;
  projected = g_new (double, (gsize) (2 * n - 1) * linear->out);
  for (int i = 0; i < 2 * n - 1; i++) {
    int place = oracle_get_distance_row (positions, i - (n - 1));

    for (int c = 0; c < size; c++)
      row[c] = run->weights->relative_positions[(gsize) place * size + c];
    if (positions->has_norm)
      oracle_norm (&run->spec->norm, &run->weights->relative_norm, size, row);
    oracle_linear (linear, row, projected + (gsize) i * linear->out);
  }
  return projected;
}

/* A vector of a head times that of the distance's; 0 where there is none. */
static double
multiply_position (const OracleAttention *self,
                   int                    head,
                   int                    distance,
                   const double          *vector,
                   const double          *positions)
{
  const OracleBlock *block = self->block;
  int d = block->head_size;
  gsize row = distance + block->n_keys - 1;
  double sum = 0;

  for (int i = 0; i < d && positions; i++)
    sum += vector[i] * positions[(row * block->n_heads + head) * d + i];
  return sum;
}

double
oracle_get_scale (const OracleAttention *self,
                  int                    head)
{
  const EngEdit *edit = oracle_find_edit (self, ENG_EDIT_SCORE_SCALE, head);

  if (edit)
    return edit->factor;
  return self->spec->scale / (self->spec->scale_by_layer ? 1 + self->layer : 1);
}

double
oracle_get_temperature (const OracleAttention *self,
                        int                    head)
{
  double temperature = 1;

  for (int e = 0; e < self->run->n_edits; e++)
    if (concerns (self, e, ENG_EDIT_TEMPERATURE, head))
      temperature *= self->run->edits[e].factor;
  return temperature;
}

/* A row that may read nothing stays 0. */
static void
attend_row (const OracleAttention *self,
            const double          *position_keys,
            const double          *position_queries,
            int                    head,
            int                    query,
            const double          *q,
            double                *row)
{
  const OracleBlock *block = self->block;
  double scale = oracle_get_scale (self, head);
  double largest = -HUGE_VAL, sum = 0;

  for (int key = 0; key < block->n_keys; key++) {
    const double *k = get_kv (block, block->keys, self->layer, key, head);

    row[key] = 0;
    for (int i = 0; i < block->head_size; i++)
      row[key] += q[i] * k[i];
    row[key] *= scale;
    if (self->spec->soft_cap != 0)
      row[key] = self->spec->soft_cap * tanh (row[key] / self->spec->soft_cap);
    row[key] += get_bias (self, head, key - query);
    row[key] += scale * multiply_position (self, head, query - key, q, position_keys);
    row[key] += scale * multiply_position (self, head, query - key, k, position_queries);
    row[key] /= oracle_get_temperature (self, head);
    if (may_read (self, head, query, key))
      largest = fmax (largest, row[key]);
  }
  for (int key = 0; key < block->n_keys; key++) {
    row[key] = may_read (self, head, query, key) ? exp (row[key] - largest) : 0;
    sum += oracle_count_readings (self, head, query, key) * row[key];
  }
  for (int key = 0; key < block->n_keys && sum > 0; key++)
    row[key] /= sum;
  edit_row (self, head, query, row);
}

static double
get_factor (const OracleAttention *self,
            int                    head)
{
  double factor = 1;

  for (int e = 0; e < self->run->n_edits; e++)
    if (concerns (self, e, ENG_EDIT_SCALE_HEAD, head))
      factor *= self->run->edits[e].factor;
  return factor;
}

static void
measure_values (const OracleAttention *self)
{
  const OracleBlock *block = self->block;
  const EngLinear *output = &self->weights->output;
  int d = block->head_size;
  double *norms = block->value_output_norms +
                  (gsize) self->layer * block->n_heads * block->n_keys;

  for (int head = 0; head < block->n_heads; head++)
    for (int key = 0; key < block->n_keys; key++) {
      const double *v = get_kv (block, block->values, self->layer, key, head);
      double squares = 0;

      for (int o = 0; o < output->out; o++) {
        double sum = 0;

        for (int i = 0; i < d; i++)
          sum += v[i] * output->weight[(gsize) o * output->in + head * d + i];
        squares += sum * sum;
      }
      norms[head * block->n_keys + key] = sqrt (squares);
    }
}

/* The vectors of all heads of a token, before they are turned. */
static void
norm_vectors (const OracleAttention *self,
              const EngNorm         *norm,
              int                    n_heads,
              double                *vectors)
{
  const EngNormSpec *spec = &eng_stack_spec_get_layer (self->run->stack, self->layer)->norm;
  int d = self->block->head_size;

  if (self->spec->qk_norm == ENG_QK_NORM_ALL)
    oracle_norm (spec, norm, n_heads * d, vectors);
  for (int head = 0; head < n_heads && self->spec->qk_norm == ENG_QK_NORM_HEAD; head++)
    oracle_norm (spec, norm, d, vectors + head * d);
}

/* Heads whose projections are off: a token's query is features of what it reads. */
static void
take_query_shares (const OracleAttention *self,
                   const double          *x,
                   double                *q)
{
  int d = self->block->head_size;

  for (int head = 0; head < self->block->n_heads; head++)
    for (int c = 0; c < d && oracle_find_edit (self, ENG_EDIT_NO_PROJECTIONS, head); c++)
      q[head * d + c] = x[(head * d + c) % self->run->spec->hidden_size];
}

/* And the key and value of a token that is read. */
static void
take_key_shares (const OracleAttention *self,
                 const double          *read,
                 double                *k,
                 double                *v)
{
  const OracleBlock *block = self->block;
  int d = block->head_size;

  for (int head = 0; head < block->n_heads; head++)
    for (int c = 0; c < d && oracle_find_edit (self, ENG_EDIT_NO_PROJECTIONS, head); c++) {
      double feature = read[(head * d + c) % self->run->spec->hidden_size];

      k[get_kv_head (block, head) * d + c] = feature;
      v[get_kv_head (block, head) * d + c] = feature;
    }
}

/* Of queries, and of keys that no other head reads; k NULL = they are the encoder's. */
static void
zero_dimensions (const OracleAttention *self,
                 double                *q,
                 double                *k)
{
  const OracleBlock *block = self->block;

  for (int e = 0; e < self->run->n_edits; e++)
    for (int head = 0; head < block->n_heads; head++) {
      int place = head * block->head_size + self->run->edits[e].dimension;

      if (!concerns (self, e, ENG_EDIT_ZERO_DIMENSION, head))
        continue;
      q[place] = 0;
      if (k && block->n_kv_heads == block->n_heads)
        k[place] = 0;
    }
}

/* Queries from x [n, D], keys and values from read [m, D], turned where positions are rotary. */
static void
project (const OracleAttention *self,
         const double          *x,
         const double          *read)
{
  const OracleRun *run = self->run;
  const EngSpec *spec = run->spec;
  const OracleBlock *block = self->block;
  gsize size = spec->hidden_size;
  int d = block->head_size, n = block->n_queries, m = block->n_keys;
  gsize width = (gsize) block->n_heads * d, kv_width = (gsize) block->n_kv_heads * d;
  double *q = block->queries + self->layer * n * width;
  double *k = block->keys + self->layer * m * kv_width;
  double *v = block->values + self->layer * m * kv_width;
  const float *frequencies = run->weights->frequencies;

  for (int t = 0; t < n; t++) {
    oracle_linear (&self->weights->query, x + t * size, q + t * width);
    take_query_shares (self, x + t * size, q + t * width);
  }
  for (int t = 0; t < m; t++) {
    oracle_linear (&self->weights->key, read + t * size, k + t * kv_width);
    oracle_linear (&self->weights->value, read + t * size, v + t * kv_width);
    take_key_shares (self, read + t * size, k + t * kv_width, v + t * kv_width);
  }
  for (int t = 0; t < n && self->crosses; t++)
    zero_dimensions (self, q + t * width, NULL);
  for (int t = 0; t < n && !self->crosses; t++) {
    int position = oracle_get_position (spec, run->tokens, t);
    gboolean turns = !oracle_is_unplaced (run, self->layer);

    norm_vectors (self, &self->weights->query_norm, block->n_heads, q + t * width);
    norm_vectors (self, &self->weights->key_norm, block->n_kv_heads, k + t * kv_width);
    for (int head = 0; head < block->n_heads && turns; head++)
      oracle_turn (&self->spec->rotary, &run->stack->rotary_factors, frequencies, position, n,
                   q + t * width + head * d);
    for (int head = 0; head < block->n_kv_heads && turns; head++)
      oracle_turn (&self->spec->rotary, &run->stack->rotary_factors, frequencies, position, n,
                   k + t * kv_width + head * d);
    zero_dimensions (self, q + t * width, k + t * kv_width);
  }
}

void
oracle_attend (const OracleAttention *self,
               const double          *x,
               double                *y)
{
  const OracleBlock *block = self->block;
  gsize size = self->run->spec->hidden_size;
  int n = block->n_queries, d = block->head_size;
  gsize width = (gsize) block->n_heads * d;
  const double *q = block->queries + self->layer * n * width;
  g_autofree double *read = g_new0 (double, n * width);
  const EngRelativePositions *positions = &self->run->stack->relative_positions;
  gboolean shares = positions->shares_projections;
  g_autofree double *position_keys =
    project_positions (self, positions->content_position,
                       shares ? &self->weights->key : &self->weights->position_key);
  g_autofree double *position_queries =
    project_positions (self, positions->position_content,
                       shares ? &self->weights->query : &self->weights->position_query);

  project (self, x, self->crosses ? self->run->source_states : x);
  measure_values (self);
  for (int head = 0; head < block->n_heads; head++)
    for (int t = 0; t < n; t++) {
      double *row = block->attention +
                    (((gsize) self->layer * block->n_heads + head) * n + t) * block->n_keys;

      attend_row (self, position_keys, position_queries, head, t, q + t * width + head * d, row);
      for (int key = 0; key < block->n_keys; key++)
        for (int i = 0; i < d; i++)
          read[t * width + head * d + i] +=
            get_factor (self, head) * oracle_count_readings (self, head, t, key) * row[key] *
            get_kv (block, block->values, self->layer, key, head)[i];
    }
  for (int t = 0; t < n; t++)
    oracle_linear (&self->weights->output, read + t * width, y + t * size);
}
