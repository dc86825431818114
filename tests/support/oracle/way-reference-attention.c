/* SPDX-License-Identifier: MIT */
#include "tests/support/oracle/way-attention.h"

#include <math.h>
#include <string.h>

static double
multiply (const double *a,
          const double *b,
          int           n)
{
  double sum = 0;

  for (int i = 0; i < n; i++)
    sum += a[i] * b[i];

  return sum;
}

static const double *
get_query (const WayReference *self,
           const WayAttention *a,
           int                 t)
{
  return a->q + ((gsize) t * a->n_heads + self->head) * a->d;
}

static const double *
get_key (const WayAttention *a,
         int                 t)
{
  return a->k + ((gsize) t * a->n_kv_heads + a->kv_head) * a->d;
}

static const double *
get_value (const WayAttention *a,
           int                 t)
{
  return a->own_v + (gsize) t * a->d;
}

/* The way's own row. */
static int
get_own (const WayReference *self,
         const WayAttention *a)
{
  return self->query - a->first;
}

/* What one of the tables of distances gives the head, a row of the table that the way shows. */
static double *
expect_positions (WayReference       *self,
                  const WayAttention *a,
                  EngNumbersId        id,
                  const EngLinear    *linear,
                  const double       *table,
                  int                 n)
{
  double *all = way_attention_project (self, linear, table, n);
  double *rows = way_attention_take_columns (self, all, n, linear->out, self->head * a->d, a->d);

  way_reference_expect (self, ENG_STAGE_DISTANCES, id, rows, n, a->d);

  return rows;
}

static void
expect_term (WayReference       *self,
             const WayAttention *a,
             EngNumbersId        id,
             double              scale,
             const double       *rows,
             const double       *distances,
             double             *scores)
{
  double *term = way_reference_allocate (self, (gsize) a->n * a->m);

  for (int t = 0; t < a->n; t++)
    for (int key = 0; key < a->m; key++) {
      const double *vector = id == ENG_NUMBERS_CONTENT_POSITION ? get_query (self, a, t)
                                                                : get_key (a, key);
      int cell = t * a->m + key;

      term[cell] = scale * multiply (vector, rows + (int) distances[cell] * a->d, a->d);
      scores[cell] += term[cell];
    }
  way_reference_expect (self, ENG_STAGE_BIAS, id, term, a->n, a->m);
}

/* Positions apart from content; scores [n, m] gain both terms. */
static void
expect_terms (WayReference       *self,
              const WayAttention *a,
              double              scale,
              double             *scores)
{
  const EngRelativePositions *positions = &self->run.stack->relative_positions;
  const EngAttentionWeights *weights = a->attention.weights;
  gboolean shares = positions->shares_projections;
  int first = oracle_get_distance_row (positions, 1 - a->n);
  int n = oracle_get_distance_row (positions, a->n - 1) - first + 1;
  double *distances = way_reference_allocate (self, (gsize) a->n * a->m);
  double *table = way_reference_allocate (self, (gsize) n * self->size);
  double *keys = NULL, *queries = NULL;

  for (int cell = 0; cell < a->n * a->m; cell++)
    distances[cell] = oracle_get_distance_row (positions, cell / a->m - cell % a->m) - first;
  for (int i = 0; i < n * self->size; i++)
    table[i] = self->run.weights->relative_positions[(gsize) first * self->size + i];
  way_reference_expect (self, ENG_STAGE_DISTANCES, ENG_NUMBERS_DISTANCES, distances, a->n, a->m);
  if (positions->has_norm) {
    way_reference_norm (self, &self->run.spec->norm, &self->run.weights->relative_norm, n,
                        self->size, table);
  }
  if (positions->content_position)
    keys = expect_positions (self, a, ENG_NUMBERS_POSITION_KEYS,
                             shares ? &weights->key : &weights->position_key, table, n);
  if (positions->position_content)
    queries = expect_positions (self, a, ENG_NUMBERS_POSITION_QUERIES,
                                shares ? &weights->query : &weights->position_query, table, n);
  if (keys)
    expect_term (self, a, ENG_NUMBERS_CONTENT_POSITION, scale, keys, distances, scores);
  if (queries)
    expect_term (self, a, ENG_NUMBERS_POSITION_CONTENT, scale, queries, distances, scores);
  way_reference_expect (self, ENG_STAGE_BIAS, ENG_NUMBERS_BIASED, scores, a->n, a->m);
}

static void
expect_distance_bias (WayReference       *self,
                      const WayAttention *a,
                      double             *scores)
{
  const EngRelativeBias *bias = &self->run.stack->relative_bias;
  double *distances = way_reference_allocate (self, (gsize) a->n * a->m);
  double *added = way_reference_allocate (self, (gsize) a->n * a->m);

  for (int cell = 0; cell < a->n * a->m; cell++) {
    distances[cell] = oracle_get_bucket (bias, cell % a->m - cell / a->m,
                                         !a->attention.spec->causal);
    added[cell] = self->run.weights->relative_bias[(int) distances[cell] * a->n_heads + self->head];
    scores[cell] += added[cell];
  }
  way_reference_expect (self, ENG_STAGE_BIAS, ENG_NUMBERS_DISTANCES, distances, a->n, a->m);
  way_reference_expect (self, ENG_STAGE_BIAS, ENG_NUMBERS_DISTANCE_BIAS, added, a->n, a->m);
  way_reference_expect (self, ENG_STAGE_BIAS, ENG_NUMBERS_BIASED, scores, a->n, a->m);
}

/* scores [n, m] and readings [n, m] of the head. */
static void
expect_scores (WayReference       *self,
               const WayAttention *a,
               double             *scores,
               double             *readings)
{
  const EngAttentionSpec *spec = a->attention.spec;
  const EngKnobs *knobs = &self->knobs;
  double own_scale = spec->scale / (spec->scale_by_layer ? self->layer + 1 : 1);
  double cap = spec->soft_cap;
  double scale = knobs->has_scale ? knobs->scale : oracle_get_scale (&a->attention, self->head);
  double temperature = oracle_get_temperature (&a->attention, self->head)
                       * (knobs->temperature == 0 ? 1 : knobs->temperature);
  gboolean placed = a->kind != ENG_KIND_CROSS && !oracle_is_unplaced (&self->run, self->layer);
  double *products = way_reference_allocate (self, (gsize) a->m * a->d);
  int n_cells = a->n * a->m;

  for (int i = 0; i < a->m * a->d; i++)
    products[i] = get_query (self, a, get_own (self, a))[i % a->d]
      * get_key (a, i / a->d)[i % a->d];
  way_reference_expect (self, ENG_STAGE_PRODUCTS, ENG_NUMBERS_PRODUCTS, products, a->m, a->d);
  for (int cell = 0; cell < n_cells; cell++)
    scores[cell] = multiply (get_query (self, a, cell / a->m), get_key (a, cell % a->m), a->d);
  way_reference_expect (self, ENG_STAGE_PRODUCTS, ENG_NUMBERS_DOTS, scores, a->n, a->m);
  for (int cell = 0; cell < n_cells; cell++)
    scores[cell] *= scale;
  if (own_scale != 1 || scale != 1 || knobs->has_scale)
    way_reference_expect (self, ENG_STAGE_SCALE, ENG_NUMBERS_SCALED, scores, a->n, a->m);
  for (int cell = 0; cell < n_cells && cap != 0; cell++)
    scores[cell] = cap * tanh (scores[cell] / cap);
  if (cap != 0)
    way_reference_expect (self, ENG_STAGE_CAP, ENG_NUMBERS_CAPPED, scores, a->n, a->m);
  if (placed && self->run.stack->relative_positions.span > 0
      && (self->run.stack->relative_positions.content_position
          || self->run.stack->relative_positions.position_content))
    expect_terms (self, a, scale, scores);
  else if (placed && self->run.stack->relative_bias.n_buckets > 0)
    expect_distance_bias (self, a, scores);
  for (int cell = 0; cell < n_cells; cell++) {
    readings[cell] = way_attention_count_readings (self, a, self->head, cell / a->m + a->first,
                                                   cell % a->m);
    scores[cell] = readings[cell] > 0 ? scores[cell] : -INFINITY;
  }
  way_reference_expect (self, ENG_STAGE_MASK, ENG_NUMBERS_READINGS, readings, a->n, a->m);
  way_reference_expect (self, ENG_STAGE_MASK, ENG_NUMBERS_MASKED, scores, a->n, a->m);
  if (temperature == 1)
    return;
  for (int cell = 0; cell < n_cells; cell++)
    scores[cell] /= temperature;
  way_reference_expect (self, ENG_STAGE_TEMPERATURE, ENG_NUMBERS_TEMPERED, scores, a->n, a->m);
}

static const double *
get_oracle_weights (const WayReference *self,
                    const WayAttention *a,
                    int                 head)
{
  return a->attention.block->attention
         + (((gsize) self->layer * a->n_heads + head) * a->attention.block->n_queries + a->first)
           * a->m;
}

static gboolean
edits_weights (const WayReference *self,
               const WayAttention *a)
{
  for (int e = 0; e < self->run.n_edits; e++) {
    const EngEdit *edit = &self->run.edits[e];

    if ((edit->type == ENG_EDIT_UNIFORM_ROWS
         || (edit->type == ENG_EDIT_CUT_EDGE && !edit->renormalise))
        && oracle_names (&self->run, edit, a->kind == ENG_KIND_CROSS) && edit->layer == self->layer
        && (edit->head == self->head || edit->head == ENG_ALL_HEADS))
      return TRUE;
  }

  return FALSE;
}

static void
expect_softmax (WayReference *self,
                WayAttention *a,
                const double *scores,
                const double *readings)
{
  double *maxima = way_reference_allocate (self, a->n);
  double *totals = way_reference_allocate (self, a->n);
  double *exps = way_reference_allocate (self, (gsize) a->n * a->m);
  double *shares = way_reference_allocate (self, (gsize) a->n * a->m);

  for (int t = 0; t < a->n; t++) {
    maxima[t] = -INFINITY;
    for (int key = 0; key < a->m; key++)
      maxima[t] = fmax (maxima[t], scores[t * a->m + key]);
    for (int key = 0; key < a->m; key++) {
      int cell = t * a->m + key;

      exps[cell] = readings[cell] > 0 ? exp (scores[cell] - maxima[t]) : 0;
      totals[t] += readings[cell] * exps[cell];
    }
    for (int key = 0; key < a->m && totals[t] > 0; key++)
      shares[t * a->m + key] = exps[t * a->m + key] / totals[t];
  }
  for (int cell = 0; cell < a->n * a->m; cell++)
    if (readings[cell] > 0)
      self->largest = fmax (self->largest, fabs (scores[cell]));
  way_reference_expect (self, ENG_STAGE_SOFTMAX, ENG_NUMBERS_MAXIMA, maxima, a->n, 1);
  way_reference_expect (self, ENG_STAGE_SOFTMAX, ENG_NUMBERS_EXPS, exps, a->n, a->m);
  way_reference_expect (self, ENG_STAGE_SOFTMAX, ENG_NUMBERS_TOTALS, totals, a->n, 1);
  self->largest = 1;
  way_reference_expect (self, ENG_STAGE_SOFTMAX, ENG_NUMBERS_WEIGHTS, shares, a->n, a->m);
  a->own_weights = self->what_if ? shares : get_oracle_weights (self, a, self->head);
  if (edits_weights (self, a))
    way_reference_expect (self, ENG_STAGE_EDITS, ENG_NUMBERS_EDITED,
                          get_oracle_weights (self, a, self->head), a->n,
                          a->m);
}

static double
get_factor (const WayReference *self,
            const WayAttention *a,
            int                 head)
{
  double factor = 1;

  for (int e = 0; e < self->run.n_edits; e++) {
    const EngEdit *edit = &self->run.edits[e];

    if (edit->type == ENG_EDIT_SCALE_HEAD && edit->layer == self->layer
        && oracle_names (&self->run, edit, a->kind == ENG_KIND_CROSS)
        && (edit->head == head || edit->head == ENG_ALL_HEADS))
      factor *= edit->factor;
  }

  return factor;
}

static void
expect_factors (WayReference       *self,
                const WayAttention *a,
                EngStageId          stage)
{
  double *factors = way_reference_allocate (self, a->n_heads);
  gboolean any = FALSE;

  for (int head = 0; head < a->n_heads; head++) {
    factors[head] = get_factor (self, a, head);
    any = any || factors[head] != 1;
  }
  if (any)
    way_reference_expect (self, stage, ENG_NUMBERS_FACTORS, factors, a->n_heads, 1);
}

static void
expect_read (WayReference       *self,
             const WayAttention *a,
             const double       *readings)
{
  const double *weights = a->own_weights;
  double *weighted = way_reference_allocate (self, (gsize) a->m * a->d);
  double *read = way_reference_allocate (self, (gsize) a->n * a->d);

  expect_factors (self, a, ENG_STAGE_READ);
  for (int i = 0; i < a->m * a->d; i++) {
    int cell = get_own (self, a) * a->m + i / a->d;

    weighted[i] = weights[cell] * readings[cell] * get_value (a, i / a->d)[i % a->d];
  }
  way_reference_expect (self, ENG_STAGE_READ, ENG_NUMBERS_WEIGHTED, weighted, a->m, a->d);
  for (int t = 0; t < a->n; t++)
    for (int i = 0; i < a->d; i++)
      for (int key = 0; key < a->m; key++)
        read[t * a->d + i] += get_factor (self, a, self->head) * readings[t * a->m + key]
                              * weights[t * a->m + key] * get_value (a, key)[i];
  way_reference_expect (self, ENG_STAGE_READ, ENG_NUMBERS_READ, read, a->n, a->d);
}

/* Of one head for the token, into out [d]; readings [m]. */
static void
read_head (const WayReference *self,
           const WayAttention *a,
           int                 head,
           const double       *weights,
           const double       *readings,
           double             *out)
{
  int kv_head = head / (a->n_heads / a->n_kv_heads);

  for (int key = 0; key < a->m; key++)
    for (int i = 0; i < a->d; i++)
      out[i] += get_factor (self, a, head) * readings[key] * weights[key]
                * a->v[((gsize) key * a->n_kv_heads + kv_head) * a->d + i];
}

/* What the way's own head reads, by its own weights and values. */
static void
read_own_head (const WayReference *self,
               const WayAttention *a,
               double             *out)
{
  for (int key = 0; key < a->m; key++)
    for (int i = 0; i < a->d; i++)
      out[i] += get_factor (self, a, self->head)
                * way_attention_count_readings (self, a, self->head, self->query, key)
                * a->own_weights[get_own (self, a) * a->m + key] * get_value (a, key)[i];
}

/* Of all heads for the token; self->x becomes what W_O makes of it. */
static void
expect_heads (WayReference       *self,
              const WayAttention *a,
              gboolean            own)
{
  int width = a->n_heads * a->d;
  double *weights = way_reference_allocate (self, (gsize) a->n_heads * a->m);
  double *readings = way_reference_allocate (self, (gsize) a->n_heads * a->m);
  gboolean differ = FALSE;
  double *side = way_reference_allocate (self, width);
  double *output = way_reference_allocate (self, self->size);

  if (!own)
    expect_factors (self, a, ENG_STAGE_HEADS);
  for (int head = 0; head < a->n_heads; head++) {
    const double *from = a->all_weights ? a->all_weights + head * a->m
                                        : get_oracle_weights (self, a, head)
                                          + get_own (self, a) * a->m;

    if (own && head == self->head)
      from = a->own_weights + get_own (self, a) * a->m;
    for (int key = 0; key < a->m; key++) {
      readings[head * a->m + key] = way_attention_count_readings (self, a, head, self->query, key);
      differ = differ || readings[head * a->m + key] != readings[key];
    }
    memcpy (weights + head * a->m, from, a->m * sizeof (double));
    if (own && head == self->head)
      read_own_head (self, a, side + head * a->d);
    else
      read_head (self, a, head, from, readings + head * a->m, side + head * a->d);
  }
  way_reference_expect (self, ENG_STAGE_HEADS, ENG_NUMBERS_ALL_WEIGHTS, weights, a->n_heads, a->m);
  way_reference_expect (self, ENG_STAGE_HEADS, ENG_NUMBERS_ALL_READINGS, readings,
                        differ ? a->n_heads : 1, a->m);
  way_reference_expect (self, ENG_STAGE_HEADS, ENG_NUMBERS_ALL_VALUES, a->v, a->m,
                        a->n_kv_heads * a->d);
  way_reference_expect (self, ENG_STAGE_HEADS, ENG_NUMBERS_SIDE_BY_SIDE, side, 1, width);
  oracle_linear (&a->attention.weights->output, side, output);
  way_reference_expect (self, ENG_STAGE_OUTPUT, ENG_NUMBERS_OUTPUT, output, 1, self->size);
  self->x = output;
}

/* What every head reads across for a token that comes to it changed, x [size]. */
static void
cross_anew (WayReference *self,
            WayAttention *a,
            const double *x)
{
  const EngAttentionSpec *spec = a->attention.spec;
  double scale = spec->scale / (spec->scale_by_layer ? self->layer + 1 : 1);
  double *q = way_reference_allocate (self, a->attention.weights->query.out);

  a->all_weights = way_reference_allocate (self, (gsize) a->n_heads * a->m);
  oracle_linear (&a->attention.weights->query, x, q);
  for (int head = 0; head < a->n_heads; head++) {
    double *row = a->all_weights + head * a->m, largest = -INFINITY, sum = 0;

    for (int key = 0; key < a->m; key++) {
      const double *k = a->k + ((gsize) key * a->n_kv_heads + head / (a->n_heads / a->n_kv_heads))
        * a->d;

      row[key] = scale * multiply (q + head * a->d, k, a->d);
      if (spec->soft_cap != 0)
        row[key] = spec->soft_cap * tanh (row[key] / spec->soft_cap);
      if (oracle_count_readings (&a->attention, self->head, self->query, key) > 0)
        largest = fmax (largest, row[key]);
    }
    for (int key = 0; key < a->m; key++) {
      row[key] = oracle_count_readings (&a->attention, self->head, self->query, key) > 0
        ? exp (row[key] - largest)
                                                                             : 0;
      sum += row[key];
    }
    for (int key = 0; key < a->m && sum > 0; key++)
      row[key] /= sum;
  }
}

/* Whether an edit zeroes a dimension of the way's head. */
static gboolean
zeroes (const WayReference *self,
        const WayAttention *a,
        const EngEdit      *edit)
{
  return edit->type == ENG_EDIT_ZERO_DIMENSION && edit->layer == self->layer
         && (edit->head == self->head || edit->head == ENG_ALL_HEADS)
         && oracle_names (&self->run, edit, a->kind == ENG_KIND_CROSS);
}

static gboolean
zeroes_any (const WayReference *self,
            const WayAttention *a)
{
  for (int e = 0; e < self->run.n_edits; e++)
    if (zeroes (self, a, &self->run.edits[e]))
      return TRUE;

  return FALSE;
}

/* Heads whose projections an edit turns off: queries are shares of x [n, size], keys and values of
 * read [m, size]. */
static void
take_shares (WayReference *self,
             WayAttention *a,
             const double *x,
             const double *read)
{
  for (int i = 0; i < a->n_heads * a->d; i++) {
    int head = i / a->d, place = head / (a->n_heads / a->n_kv_heads) * a->d + i % a->d;

    if (!oracle_find_edit (&a->attention, ENG_EDIT_NO_PROJECTIONS, head))
      continue;
    for (int t = 0; t < a->n && x != NULL; t++)
      a->q[t * a->n_heads * a->d + i] = x[t * self->size + i % self->size];
    for (int t = 0; t < a->m; t++)
      a->k[t * a->n_kv_heads * a->d + place] = a->v[t * a->n_kv_heads * a->d + place] =
        read[t * self->size + i % self->size];
  }
}

static void
zero_dimension (WayReference *self,
                WayAttention *a,
                int           dimension,
                gboolean      of_keys)
{
  for (int t = 0; t < a->n; t++)
    a->q[(t * a->n_heads + self->head) * a->d + dimension] = 0;
  for (int t = 0; t < a->m && of_keys; t++)
    a->k[(t * a->n_kv_heads + a->kv_head) * a->d + dimension] = 0;
  way_attention_expect_vectors (self, a, ENG_STAGE_ZEROED);
}

static void
zero_dimensions (WayReference *self,
                 WayAttention *a)
{
  for (int e = 0; e < self->run.n_edits; e++)
    if (zeroes (self, a, &self->run.edits[e]))
      zero_dimension (self, a, self->run.edits[e].dimension,
                      a->kind != ENG_KIND_CROSS && a->n_heads == a->n_kv_heads);
  if (self->knobs.zeroes)
    zero_dimension (self, a, self->knobs.dimension,
                    a->kind != ENG_KIND_CROSS && a->n_heads == a->n_kv_heads);
}

/* The stages of the head, of its vectors. */
static void
expect_own (WayReference *self,
            WayAttention *a)
{
  double *scores = way_reference_allocate (self, (gsize) a->n * a->m);
  double *readings = way_reference_allocate (self, (gsize) a->n * a->m);

  a->own_v = way_attention_take_columns (self, a->v, a->m, a->n_kv_heads * a->d, a->kv_head * a->d,
                                         a->d);
  way_attention_expect_vectors (self, a, ENG_STAGE_PROJECTIONS);
  way_reference_expect (self, ENG_STAGE_PROJECTIONS, ENG_NUMBERS_VALUES, a->own_v, a->m, a->d);
  if (a->kind != ENG_KIND_CROSS) {
    way_attention_expect_head_norm (self, a);
    way_attention_expect_turn (self, a);
  }
  zero_dimensions (self, a);
  expect_scores (self, a, scores, readings);
  expect_softmax (self, a, scores, readings);
  expect_read (self, a, readings);
}

void
way_reference_pass_attention (WayReference *self,
                              EngKind       kind,
                              const double *read,
                              const double *base)
{
  gboolean crosses = kind == ENG_KIND_CROSS, own = kind == eng_way_get_kind (self->way);
  OracleBlock *block = &self->run.out->blocks[kind];
  const EngAttentionSpec *spec = crosses ? &self->layer_spec->cross : &self->layer_spec->self;
  const EngAttentionWeights *weights = crosses ? &self->layer_weights->cross
                                               : &self->layer_weights->self;
  WayAttention a = {
    .attention = { &self->run, block, weights, spec, self->layer, crosses },
    .kind = kind, .d = block->head_size, .n = block->n_queries, .m = block->n_keys,
    .n_heads = block->n_heads, .n_kv_heads = block->n_kv_heads,
    .kv_head = self->head / (block->n_heads / block->n_kv_heads),
  };
  const double *keys;
  int n = crosses ? 1 : self->n;
  double *x = way_reference_allocate (self, (gsize) n * self->size);
  gboolean before = self->layer_spec->attention_norm == ENG_NORM_PRE
                    || self->layer_spec->attention_norm == ENG_NORM_BOTH;
  gboolean anew = crosses && own && zeroes_any (self, &a);

  memcpy (x, read, (gsize) n * self->size * sizeof (double));
  if (crosses)
    way_reference_expect (self, ENG_STAGE_STATES, ENG_NUMBERS_KEY_STATES, self->run.source_states,
                          a.m, self->size);
  if (before)
    way_reference_norm (self, &self->layer_spec->norm, &weights->norm, n, self->size, x);
  if (anew || (crosses && own && self->knobs.projections_off)) {
    a.first = self->query;
    a.n = 1;
  }
  a.q = crosses ? way_attention_take_columns (self, block->queries
                                      + ((gsize) self->layer * block->n_queries + a.first)
                                        * a.n_heads * a.d, a.n, a.n_heads * a.d, 0, a.n_heads * a.d)
                : way_attention_project (self, &weights->query, x, a.n);
  keys = crosses ? self->run.source_states : x;
  a.k = way_attention_project (self, &weights->key, keys, a.m);
  a.v = way_attention_project (self, &weights->value, keys, a.m);
  if (anew)
    oracle_linear (&weights->query, x, a.q);
  /* Queries that cross are the oracle's, which has their shares. */
  take_shares (self, &a, crosses && !anew ? NULL : x, keys);
  if (own)
    expect_own (self, &a);
  else if (crosses && self->what_if)
    cross_anew (self, &a, x);
  expect_heads (self, &a, own);
  way_reference_finish (self, self->layer_spec->attention_norm, &weights->norm,
                        &weights->output_norm,
                        way_reference_skips (self, ENG_EDIT_SKIP_ATTENTION, crosses), base);
}
