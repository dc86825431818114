/* SPDX-License-Identifier: MIT */
/* What all heads of an attention read for the way's token, side by side, and W_O. */
#include "engine/steps/make-private.h"

#include <math.h>
#include <string.h>

#include "engine/kernels/nn.h"
#include "engine/spec/positions.h"

/* Whether the knob takes projections of the attention off: its own head's. */
static gboolean
knob_drops_projections (const EngWalk          *self,
                        const EngWalkAttention *attention)
{
  return self->request->knobs.projections_off && attention->kind == self->way->kind;
}

gboolean
eng_walk_drops_projections (const EngWalk          *self,
                            const EngWalkAttention *attention,
                            int                     head)
{
  EngInterventions edits = eng_trace_get_interventions (self->way->trace, attention->kind);

  return (head == self->way->head && knob_drops_projections (self, attention))
         || eng_interventions_drop_projections (&edits, self->way->layer, head);
}

int
eng_walk_find_share (const EngWalk          *self,
                     const EngWalkAttention *attention,
                     int                     kv_head)
{
  int n_shared = attention->spec->n_heads / attention->spec->n_kv_heads;

  for (int head = (kv_head + 1) * n_shared - 1; head >= kv_head * n_shared; head--)
    if (eng_walk_drops_projections (self, attention, head))
      return head;

  return -1;
}

gboolean
eng_walk_has_shares (const EngWalk          *self,
                     const EngWalkAttention *attention)
{
  for (int head = 0; head < attention->spec->n_kv_heads; head++)
    if (eng_walk_find_share (self, attention, head) >= 0)
      return TRUE;

  return FALSE;
}

void
eng_walk_put_shares (const EngWalk          *self,
                     const EngWalkAttention *attention,
                     const float            *x,
                     int                     n,
                     gboolean                of_keys,
                     float                  *y)
{
  const EngAttentionSpec *spec = attention->spec;
  int n_heads = of_keys ? spec->n_kv_heads : spec->n_heads, size = spec->head_size;
  int width = self->spec->hidden_size;

  for (int head = 0; head < n_heads; head++) {
    int share = of_keys ? eng_walk_find_share (self, attention, head)
                : eng_walk_drops_projections (self, attention, head) ? head : -1;

    for (int row = 0; row < n && share >= 0; row++)
      for (int i = 0; i < size; i++)
        y[((gsize) row * (gsize) n_heads + (gsize) head) * (gsize) size + (gsize) i] =
          x[(gsize) row * (gsize) width + (gsize) ((share * size + i) % width)];
  }
}

/* Of vectors [n, n_heads · d]; of keys, those that no other head reads. */
static void
zero_dimensions (const EngWalk          *self,
                 const EngWalkAttention *attention,
                 int                     n,
                 int                     n_heads,
                 float                  *rows)
{
  EngInterventions edits = eng_trace_get_interventions (self->way->trace, attention->kind);

  for (int i = 0; i < n * n_heads && n_heads == attention->spec->n_heads; i++)
    eng_interventions_zero_dimensions (&edits, self->way->layer, i % n_heads,
                                       rows + (gsize) i * (gsize) attention->spec->head_size);
}

int
eng_walk_add_factors (EngWalk                *self,
                      const EngWalkAttention *attention)
{
  EngInterventions edits = eng_trace_get_interventions (self->way->trace, attention->kind);
  float *factors = eng_walk_allocate (self, (gsize) self->way->n_heads);
  gboolean any = FALSE;

  for (int head = 0; head < self->way->n_heads; head++) {
    factors[head] = eng_interventions_get_factor (&edits, self->way->layer, head);
    any = any || factors[head] != 1;
  }
  if (!any)
    return -1;

  return eng_walk_add_given (self, ENG_NUMBERS_FACTORS, factors, self->way->n_heads, 1, 1,
                             ENG_AXIS_HEADS, ENG_AXIS_ONE);
}

/* y [n, n_heads · d] of x [n, D]: projected, normed and turned, the first of them at a token. */
static void
make_vectors (EngWalk                *self,
              const EngWalkAttention *attention,
              const EngLinear        *linear,
              const EngNorm          *norm,
              const float            *x,
              int                     first,
              int                     n,
              gboolean                of_keys,
              float                  *y)
{
  const EngAttentionSpec *spec = attention->spec;
  gboolean apart = spec->qk_norm == ENG_QK_NORM_HEAD;
  int size = apart ? spec->head_size : linear->out;
  g_autofree gint32 *places = g_new (gint32, self->n_tokens);
  g_autofree float *turns = g_new (float, (gsize) n * (gsize) MAX (spec->rotary.size, 1));

  eng_walk_multiply (self, linear, x, n, y);
  eng_walk_put_shares (self, attention, x, n, of_keys, y);
  for (int i = 0; i < n * linear->out / size && spec->qk_norm != ENG_QK_NORM_NONE; i++)
    eng_norm (self->layer_spec->norm.kind, self->layer_spec->norm.eps, norm,
              y + (gsize) i * (gsize) size,
              NULL, size, y + (gsize) i * (gsize) size);
  if (spec->rotary.size > 0 && !self->unplaced && attention->kind != ENG_KIND_CROSS) {
    eng_positions_fill (self->spec, self->way->query_tokens->ids, self->n_tokens, places);
    eng_rotary_fill (&spec->rotary, &self->stack->rotary_factors, self->stack_weights->frequencies,
                     places + first, n, self->n_tokens, turns);
    eng_rotary_turn (&spec->rotary, turns, n, linear->out / spec->head_size, spec->head_size,
                     (gsize) linear->out, y);
  }
  zero_dimensions (self, attention, n, linear->out / spec->head_size, y);
}

static double
multiply_rows (const float *a,
               const float *b,
               int          n)
{
  double sum = 0;

  for (int i = 0; i < n; i++)
    sum += (double) a[i] * (double) b[i];

  return sum;
}

/* What positions add to a score of the token's query. */
static double
get_bias (const EngWalk          *self,
          const EngWalkAttention *attention,
          int                     head,
          int                     key,
          double                  scale,
          const float            *q,
          const float            *k)
{
  const EngBlockTrace *block = attention->block;
  const EngLayerTrace *trace = attention->trace;
  int query = self->way->query, size = attention->spec->head_size;
  gsize cell = ((gsize) head * (gsize) block->n_queries + (gsize) query) * (gsize) block->n_keys;
  double bias = 0;

  if (self->unplaced || attention->kind == ENG_KIND_CROSS)
    return 0;
  if (block->n_position_rows == 0)
    return trace->position_bias != NULL ? (double) trace->position_bias[cell + (gsize) key] : 0;

  gsize row = (gsize) block->position_rows[block->n_keys - 1 + query - key];
  const EngHeadRows *keys = &trace->position_keys, *queries = &trace->position_queries;

  if (keys->data != NULL)
    bias += scale * multiply_rows (q, keys->data + (gsize) head * keys->head_stride
                                             + row * keys->row_stride, size);
  if (queries->data != NULL)
    bias += scale * multiply_rows (k, queries->data + (gsize) head * queries->head_stride
                                             + row * queries->row_stride, size);

  return bias;
}

/* How often a head reads each key for the token, [keys], by its mask and the trace's edits. */
static void
fill_mask (const EngWalk          *self,
           const EngWalkAttention *attention,
           int                     head,
           guint8                 *mask)
{
  EngInterventions edits = eng_trace_get_interventions (self->way->trace, attention->kind);
  const EngLayerTrace *trace = attention->trace;
  gsize n_queries = (gsize) attention->block->n_queries, n = (gsize) attention->block->n_keys;
  const guint8 *block = trace->head_masks != NULL ? trace->head_masks + (gsize) head * n_queries * n
                                                  : trace->mask;

  memset (mask, 1, n);
  if (block != NULL)
    memcpy (mask, block + (gsize) self->way->query * n, n);
  edits.first_query = self->way->query;
  eng_interventions_hide_links (&edits, self->way->layer, head, 0, 1, (int) n, mask);
}

/* Weights [keys] of the token in a head, of its query q and the keys [keys, kv heads · d]; of one
 * reading each. */
static void
weigh (const EngWalk          *self,
       const EngWalkAttention *attention,
       int                     head,
       const float            *q,
       const EngHeadRows      *keys,
       float                  *weights)
{
  EngInterventions edits = eng_trace_get_interventions (self->way->trace, attention->kind);
  int n = attention->block->n_keys, layer = self->way->layer;
  const float *of_head = keys->data + (gsize) eng_block_trace_get_kv_head (attention->block, head)
                                      * keys->head_stride;
  double scale = eng_interventions_get_scale (&edits, layer, head, attention->trace->scale);
  double temperature = eng_interventions_get_temperature (&edits, layer, head);
  double cap = attention->spec->soft_cap;
  g_autofree guint8 *mask = g_new (guint8, n);

  fill_mask (self, attention, head, mask);
  for (int key = 0; key < n; key++) {
    const float *k = of_head + (gsize) key * keys->row_stride;
    double score = scale * multiply_rows (q, k, attention->spec->head_size);

    if (cap != 0)
      score = cap * tanh (score / cap);
    score += get_bias (self, attention, head, key, scale, q, k);
    /* n readings weigh as one with ln n added. */
    weights[key] = (float) (score / temperature + (mask[key] > 1 ? log (mask[key]) : 0));
  }
  eng_softmax (weights, n, 1, NULL, mask);
  edits.first_query = self->way->query;
  eng_interventions_edit_weights (&edits, layer, head, 0, 1, n, mask, weights);
  for (int key = 0; key < n; key++)
    weights[key] /= (float) MAX (mask[key], 1);
}

/* What all heads would read, which the trace does not know: weights [heads, keys]. */
static void
weigh_anew (EngWalk                *self,
            const EngWalkAttention *attention,
            float                  *weights)
{
  const EngNumbers *x = eng_way_get_numbers (self->way, self->x.numbers);
  const EngNumbers *key_x = eng_way_get_numbers (self->way, self->key_x.numbers);
  const EngAttentionWeights *parts = attention->weights;
  EngHeadRows keys = attention->trace->keys;
  int row = self->x.fixed ? self->x.first_row : self->way->query, n = attention->block->n_keys;
  gsize size = (gsize) attention->spec->head_size;
  g_autofree float *q = g_new (float, parts->query.out);
  g_autofree float *k = NULL;

  make_vectors (self, attention, &parts->query, &parts->query_norm,
                x->data + (gsize) row * x->stride, self->way->query, 1, FALSE, q);
  if (attention->kind != ENG_KIND_CROSS || knob_drops_projections (self, attention)) {
    k = g_new (float, (gsize) n * (gsize) parts->key.out);
    make_vectors (self, attention, &parts->key, &parts->key_norm, key_x->data, 0, n, TRUE, k);
    keys = (EngHeadRows) { k, size, (gsize) parts->key.out };
  }
  for (int head = 0; head < self->way->n_heads && !eng_walk_is_cancelled (self); head++)
    weigh (self, attention, head, q + (gsize) head * size, &keys,
           weights + (gsize) head * (gsize) n);
}

/* The trace's own weights of the token in every head. */
static void
copy_weights (EngWalk                *self,
              const EngWalkAttention *attention,
              float                  *weights)
{
  g_autoptr (EngAttention) all = eng_trace_dup_attention (self->way->trace, attention->kind,
                                                          self->way->layer);
  gsize n = (gsize) attention->block->n_keys;

  for (int head = 0; head < self->way->n_heads && all != NULL; head++)
    memcpy (weights + (gsize) head * n,
            all->weights + ((gsize) head * (gsize) all->n_queries + (gsize) self->way->query) * n,
            n * sizeof (float));
}

/* The token's row of [queries, keys] that the way's own head has, in its place among all heads'. */
static void
copy_own_row (const EngWalk *self,
              int            numbers,
              float         *rows)
{
  const EngNumbers *links = eng_way_get_numbers (self->way, numbers);
  gsize row = (gsize) (self->way->query - self->first_query), n = (gsize) links->columns;

  memcpy (rows + (gsize) self->way->head * n, links->data + row * links->stride,
          n * sizeof (float));
}

/* own: NULL = the attention is another. */
static int
add_weights (EngWalk                *self,
             const EngWalkAttention *attention,
             gboolean                anew,
             const EngWalkHead      *own)
{
  int n = attention->block->n_keys;
  EngNode node = {
    .shown = { .id = ENG_NUMBERS_ALL_WEIGHTS, .rows = self->way->n_heads, .columns = n,
               .row_axis = ENG_AXIS_HEADS, .column_axis = ENG_AXIS_KEYS, .stride = (gsize) n,
               .formula = ENG_FORMULA_LAYERS },
    .factor = 1,
    .only_row = -1,
  };
  float *weights = eng_walk_allocate (self, (gsize) self->way->n_heads * (gsize) n);

  if (anew)
    weigh_anew (self, attention, weights);
  else
    copy_weights (self, attention, weights);
  if (own != NULL)
    copy_own_row (self, own->weights, weights);
  node.shown.data = weights;

  return eng_walk_add (self, &node);
}

/* A row for all heads, or for each where they read different keys. */
static int
add_readings (EngWalk                *self,
              const EngWalkAttention *attention,
              const EngWalkHead      *own)
{
  gsize n = (gsize) attention->block->n_keys;
  int n_heads = self->way->n_heads;
  gboolean differ = FALSE;
  float *readings = eng_walk_allocate (self, (gsize) n_heads * n);
  g_autofree guint8 *mask = g_new (guint8, n);

  for (int head = 0; head < n_heads; head++) {
    fill_mask (self, attention, head, mask);
    for (gsize key = 0; key < n; key++)
      readings[(gsize) head * n + key] = mask[key];
  }
  if (own != NULL)
    copy_own_row (self, own->readings, readings);
  for (int head = 1; head < n_heads && !differ; head++)
    differ = memcmp (readings, readings + (gsize) head * n, n * sizeof (float)) != 0;

  return eng_walk_add_given (self, ENG_NUMBERS_ALL_READINGS, readings, differ ? n_heads : 1,
                             (int) n, n, differ ? ENG_AXIS_HEADS : ENG_AXIS_ONE, ENG_AXIS_KEYS);
}

/* Values of which edits or the knob make some shares of x: no one rule makes them. */
static int
add_shared_values (EngWalk                *self,
                   const EngWalkAttention *attention,
                   EngNode                 node)
{
  const EngLinear *linear = &attention->weights->value;
  const EngNumbers *x = eng_way_get_numbers (self->way, self->key_x.numbers);
  float *data;

  node.shown.formula = ENG_FORMULA_LAYERS;
  node.shown.columns = linear->out;
  if (node.shown.data == NULL) {
    data = eng_walk_allocate (self, (gsize) node.shown.rows * (gsize) linear->out);
    eng_walk_multiply (self, linear, x->data, node.shown.rows, data);
    eng_walk_put_shares (self, attention, x->data, node.shown.rows, TRUE, data);
    node.shown.data = data;
    node.shown.stride = (gsize) linear->out;
  }

  return eng_walk_add (self, &node);
}

/* A forward keeps the values of all heads side by side. */
static int
add_values (EngWalk                *self,
            const EngWalkAttention *attention)
{
  const EngHeadRows *values = &attention->trace->values;
  EngNode node = {
    .shown = { .id = ENG_NUMBERS_ALL_VALUES, .rows = attention->block->n_keys,
               .row_axis = ENG_AXIS_KEYS, .column_axis = ENG_AXIS_ALL_FEATURES },
    .factor = 1,
    .only_row = -1,
  };

  if (!self->reembeds && !knob_drops_projections (self, attention)) {
    node.shown.data = values->data;
    node.shown.stride = values->row_stride;
  }
  if (eng_walk_has_shares (self, attention))
    return add_shared_values (self, attention, node);

  return eng_walk_add_linear (self, &attention->weights->value, self->key_x, node);
}

/* Whether other heads' weights are not those that the trace has: what they read has changed, or the
 * knob's keys are theirs too, or its vectors stand in their norm. */
static gboolean
weighs_anew (const EngWalk          *self,
             const EngWalkAttention *attention)
{
  const EngAttentionSpec *spec = attention->spec;
  gboolean shares = spec->n_kv_heads < spec->n_heads || spec->qk_norm == ENG_QK_NORM_ALL;

  return self->reembeds || (self->unplaced && self->way->what_if)
         || (self->restates && attention->kind != self->way->kind)
         || (shares && knob_drops_projections (self, attention));
}

void
eng_walk_merge_heads (EngWalk                *self,
                      const EngWalkAttention *attention,
                      const EngWalkHead      *own)
{
  const EngAttentionSpec *spec = attention->spec;
  gboolean anew = weighs_anew (self, attention);
  int factors = own != NULL ? own->factors : -1;
  EngNode node = {
    .shown = { .id = ENG_NUMBERS_SIDE_BY_SIDE, .rows = 1,
               .columns = spec->n_heads * spec->head_size,
               .row_axis = ENG_AXIS_ONE, .column_axis = ENG_AXIS_ALL_FEATURES,
               .formula = ENG_FORMULA_READ_HEAD },
    .factor = 1,
    .detail = own != NULL ? self->way->head : -1,
    .only_row = -1,
  };
  EngNode output = {
    .shown = { .id = ENG_NUMBERS_OUTPUT, .rows = 1, .row_axis = ENG_AXIS_ONE,
               .column_axis = ENG_AXIS_FEATURES },
    .factor = 1,
    .only_row = -1,
  };

  eng_walk_begin_stage (self, ENG_STAGE_HEADS);
  if (own == NULL)
    factors = eng_walk_add_factors (self, attention);
  else
    node.operands[node.n_operands++] =
      eng_operand_row (own->read, self->way->query - self->first_query);
  node.operands[node.n_operands++] = eng_operand_rows (add_weights (self, attention, anew, own));
  node.operands[node.n_operands++] = eng_operand_rows (add_readings (self, attention, own));
  node.operands[node.n_operands++] = eng_operand_rows (add_values (self, attention));
  if (factors >= 0)
    node.operands[node.n_operands++] = eng_operand_rows (factors);
  self->state = eng_operand_row (eng_walk_add (self, &node), 0);
  eng_walk_begin_stage (self, ENG_STAGE_OUTPUT);
  self->state = eng_operand_row (eng_walk_add_linear (self, &attention->weights->output,
                                                      self->state, output), 0);
}
