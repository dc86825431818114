/* SPDX-License-Identifier: MIT */
#include "engine/steps/attend-private.h"

#include "engine/spec/positions.h"

static gboolean
norms_heads (const EngAttend *self)
{
  return self->attention->spec->qk_norm != ENG_QK_NORM_NONE;
}

static gboolean
turns (const EngAttend *self)
{
  return self->attention->spec->rotary.size > 0 && !self->walk->unplaced;
}

static int
add_projection (EngAttend       *self,
                EngNode          node,
                const EngLinear *linear,
                int              head,
                EngOperand       x)
{
  EngLinear rows = eng_linear_take_head (linear, head, self->size);
  int share = node.shown.id == ENG_NUMBERS_QUERIES ? self->query_share : self->key_share;

  if (share < 0)
    return eng_walk_add_linear (self->walk, &rows, x, node);

  node.shown.formula = ENG_FORMULA_COPY;
  node.offset = share * self->size;
  node.operands[0] = x;
  node.n_operands = 1;

  return eng_walk_add (self->walk, &node);
}

/* Vectors of all heads of which edits or the knob make some shares of x: no one rule makes them. */
static int
add_shared (EngAttend       *self,
            EngNode          node,
            const EngLinear *linear,
            EngOperand       x)
{
  const EngNumbers *read = eng_way_get_numbers (self->walk->way, x.numbers);
  const float *rows = read->data + (gsize) x.first_row * read->stride;
  gboolean of_keys = node.shown.id == ENG_NUMBERS_ALL_KEYS;
  float *data = eng_walk_allocate (self->walk, (gsize) node.shown.rows * (gsize) linear->out);

  eng_walk_multiply (self->walk, linear, rows, node.shown.rows, data);
  eng_walk_put_shares (self->walk, self->attention, rows, node.shown.rows, of_keys, data);
  node.shown.formula = ENG_FORMULA_LAYERS;
  node.shown.data = data;
  node.shown.stride = (gsize) linear->out;

  return eng_walk_add (self->walk, &node);
}

/* All heads' vectors, which one norm takes together. */
static int
add_all (EngAttend       *self,
         EngNumbersId     id,
         int              n_rows,
         EngAxis          row_axis,
         const EngLinear *linear,
         EngOperand       x)
{
  EngNode node = eng_attend_make_node (id, n_rows, linear->out, row_axis, ENG_AXIS_ALL_FEATURES,
                                       ENG_FORMULA_COPY);

  node.shown.first_row = row_axis == ENG_AXIS_QUERIES ? self->walk->first_query : 0;
  if (eng_walk_has_shares (self->walk, self->attention))
    return add_shared (self, node, linear, x);

  return eng_walk_add_linear (self->walk, linear, x, node);
}

static void
project (EngAttend *self)
{
  EngOperand x = self->walk->x, key_x = self->walk->key_x;
  const EngAttentionWeights *weights = self->attention->weights;
  const EngLayerTrace *trace = self->attention->trace;
  EngNode queries = eng_attend_make_queries (self, ENG_FORMULA_LINEAR);
  EngNode keys = eng_attend_make_keys (self, ENG_NUMBERS_KEYS, ENG_FORMULA_LINEAR);
  EngNode values = eng_attend_make_keys (self, ENG_NUMBERS_VALUES, ENG_FORMULA_LINEAR);
  gboolean is_last = !norms_heads (self) && !turns (self) && !self->zeroes;
  EngOperand query_x = x.fixed ? x : (EngOperand) { x.numbers, self->walk->first_query, FALSE };

  if (!self->revectors && is_last) {
    eng_node_show_rows (&queries, &trace->queries, self->head, self->walk->first_query);
    eng_node_show_rows (&keys, &trace->keys, self->kv_head, 0);
  }
  if (!self->walk->reembeds && !self->knobs->projections_off)
    eng_node_show_rows (&values, &trace->values, self->kv_head, 0);
  if (x.fixed)
    queries.only_row = self->walk->way->query - self->walk->first_query;

  eng_walk_begin_stage (self->walk, ENG_STAGE_PROJECTIONS);
  self->queries = add_projection (self, queries, &weights->query, self->head, query_x);
  self->keys = add_projection (self, keys, &weights->key, self->kv_head, key_x);
  self->values = add_projection (self, values, &weights->value, self->kv_head, key_x);
}

/* Vectors of the head behind a norm, of themselves or of those of all heads. */
static int
add_normed (EngAttend     *self,
            EngNode        node,
            const EngNorm *norm,
            int            from,
            int            head,
            int            n_features)
{
  gboolean apart = self->attention->spec->qk_norm == ENG_QK_NORM_HEAD;
  const EngNormSpec *spec = &self->walk->layer_spec->norm;
  EngAxis axis = apart ? ENG_AXIS_HEAD_FEATURES : ENG_AXIS_ALL_FEATURES;
  int weight = eng_walk_add_weights (self->walk, ENG_NUMBERS_NORM_WEIGHT, norm->weight, 1,
                                     n_features, ENG_AXIS_ONE, axis);
  int bias = eng_walk_add_weights (self->walk, ENG_NUMBERS_NORM_BIAS, norm->bias, 1, n_features,
                                   ENG_AXIS_ONE, axis);

  node.detail = (int) spec->kind;
  node.eps = (double) spec->eps;
  node.offset = apart ? 0 : head * self->size;
  eng_node_add_operand (&node, from);
  node.operands[node.n_operands++] = eng_operand_row (weight, 0);
  if (bias >= 0)
    node.operands[node.n_operands++] = eng_operand_row (bias, 0);

  return eng_walk_add (self->walk, &node);
}

static void
norm_heads (EngAttend *self)
{
  const EngAttentionSpec *spec = self->attention->spec;
  const EngAttentionWeights *weights = self->attention->weights;
  const EngLayerTrace *trace = self->attention->trace;
  EngNode queries = eng_attend_make_queries (self, ENG_FORMULA_NORM);
  EngNode keys = eng_attend_make_keys (self, ENG_NUMBERS_KEYS, ENG_FORMULA_NORM);
  gboolean apart = spec->qk_norm == ENG_QK_NORM_HEAD;
  EngOperand query_x = { self->walk->x.numbers, self->walk->first_query, FALSE };

  if (!norms_heads (self))
    return;
  if (!self->revectors && !turns (self) && !self->zeroes) {
    eng_node_show_rows (&queries, &trace->queries, self->head, self->walk->first_query);
    eng_node_show_rows (&keys, &trace->keys, self->kv_head, 0);
  }
  eng_walk_begin_stage (self->walk, ENG_STAGE_HEAD_NORM);
  if (!apart) {
    self->queries = add_all (self, ENG_NUMBERS_ALL_QUERIES, self->n_queries, ENG_AXIS_QUERIES,
                             &weights->query, query_x);
    self->keys = add_all (self, ENG_NUMBERS_ALL_KEYS, self->n_keys, ENG_AXIS_KEYS, &weights->key,
                          self->walk->key_x);
  }
  self->queries = add_normed (self, queries, &weights->query_norm, self->queries, self->head,
                              apart ? self->size : spec->n_heads * self->size);
  self->keys = add_normed (self, keys, &weights->key_norm, self->keys, self->kv_head,
                           apart ? self->size : spec->n_kv_heads * self->size);
}

static int
add_angles (EngAttend    *self,
            EngNumbersId  id,
            EngFormula    formula,
            int           frequencies)
{
  const EngRotary *rotary = &self->attention->spec->rotary;
  EngNode node = eng_attend_make_node (id, self->n_keys, rotary->size / 2, ENG_AXIS_KEYS,
                                       ENG_AXIS_PAIRS, formula);

  node.factor = rotary->attention_factor != 0 ? rotary->attention_factor : 1;
  eng_node_add_operand (&node, eng_way_find (self->walk->way, ENG_PART_INPUT, ENG_NUMBERS_PLACES,
                                             0));
  node.operands[node.n_operands++] = eng_operand_row (frequencies, 0);

  return eng_walk_add (self->walk, &node);
}

static int
add_turned (EngAttend *self,
            EngNode    node,
            int        from,
            int        cosines,
            int        sines,
            int        first)
{
  eng_node_add_operand (&node, from);
  node.operands[node.n_operands++] = (EngOperand) { cosines, first, FALSE };
  node.operands[node.n_operands++] = (EngOperand) { sines, first, FALSE };

  return eng_walk_add (self->walk, &node);
}

static void
turn (EngAttend *self)
{
  const EngRotary *rotary = &self->attention->spec->rotary;
  const EngLayerTrace *trace = self->attention->trace;
  EngWalk *walk = self->walk;
  EngNode queries = eng_attend_make_queries (self, ENG_FORMULA_TURN);
  EngNode keys = eng_attend_make_keys (self, ENG_NUMBERS_KEYS, ENG_FORMULA_TURN);
  int frequencies, cosines, sines;
  float *data;

  if (!turns (self))
    return;
  if (!self->revectors && !self->zeroes) {
    eng_node_show_rows (&queries, &trace->queries, self->head, walk->first_query);
    eng_node_show_rows (&keys, &trace->keys, self->kv_head, 0);
  }
  data = eng_walk_allocate (walk, (gsize) rotary->size / 2);
  eng_rotary_fill_frequencies (rotary, &walk->stack->rotary_factors,
                               walk->stack_weights->frequencies, self->n_keys, data);
  eng_walk_begin_stage (walk, ENG_STAGE_TURN);
  frequencies = eng_walk_add_given (walk, ENG_NUMBERS_FREQUENCIES, data, 1, rotary->size / 2,
                                    (gsize) rotary->size / 2, ENG_AXIS_ONE, ENG_AXIS_PAIRS);
  cosines = add_angles (self, ENG_NUMBERS_COSINES, ENG_FORMULA_COSINE, frequencies);
  sines = add_angles (self, ENG_NUMBERS_SINES, ENG_FORMULA_SINE, frequencies);
  self->queries = add_turned (self, queries, self->queries, cosines, sines, walk->first_query);
  self->keys = add_turned (self, keys, self->keys, cosines, sines, 0);
}

/* of_keys: keys too; is_last: the trace has what is left. */
static void
zero_dimension (EngAttend *self,
                int        dimension,
                gboolean   of_keys,
                gboolean   is_last)
{
  const EngLayerTrace *trace = self->attention->trace;
  EngNode queries = eng_attend_make_queries (self, ENG_FORMULA_ZERO);
  EngNode keys = eng_attend_make_keys (self, ENG_NUMBERS_KEYS, ENG_FORMULA_ZERO);

  if (is_last) {
    eng_node_show_rows (&queries, &trace->queries, self->head, self->walk->first_query);
    eng_node_show_rows (&keys, &trace->keys, self->kv_head, 0);
  }
  queries.detail = dimension;
  keys.detail = of_keys ? dimension : -1;
  eng_node_add_operand (&queries, self->queries);
  eng_node_add_operand (&keys, self->keys);
  eng_walk_begin_stage (self->walk, ENG_STAGE_ZEROED);
  self->queries = eng_walk_add (self->walk, &queries);
  self->keys = eng_walk_add (self->walk, &keys);
}

/* Whether no other head reads its keys. */
static gboolean
has_own_keys (const EngAttend *self)
{
  const EngBlockTrace *block = self->attention->block;

  return self->attention->kind != ENG_KIND_CROSS && block->n_kv_heads == block->n_heads;
}

/* Those of the trace's edits, then that of the knob. */
static void
zero_dimensions (EngAttend *self)
{
  const EngInterventions *edits = &self->edits;
  gboolean own_keys = has_own_keys (self);
  int n_left = 0;

  for (int i = 0; i < edits->n_edits; i++)
    n_left += eng_attend_zeroes (self, &edits->edits[i]);
  for (int i = 0; i < edits->n_edits; i++)
    if (eng_attend_zeroes (self, &edits->edits[i]))
      zero_dimension (self, edits->edits[i].dimension, own_keys,
                      --n_left == 0 && !self->revectors);
  if (self->knobs->zeroes)
    zero_dimension (self, self->knobs->dimension, own_keys, FALSE);
}

void
eng_attend_make_vectors (EngAttend *self)
{
  project (self);
  norm_heads (self);
  turn (self);
  zero_dimensions (self);
}

void
eng_attend_take_vectors (EngAttend *self)
{
  const EngBlockTrace *block = self->attention->block;
  const EngLayerTrace *trace = self->attention->trace;
  EngNode queries = eng_attend_make_queries (self, ENG_FORMULA_GIVEN);
  EngNode keys = eng_attend_make_keys (self, ENG_NUMBERS_KEYS, ENG_FORMULA_GIVEN);
  EngNode values = eng_attend_make_keys (self, ENG_NUMBERS_VALUES, ENG_FORMULA_GIVEN);

  eng_node_show_rows (&queries, &trace->queries, self->head, self->walk->first_query);
  eng_node_show_rows (&keys, &trace->keys, self->kv_head, 0);
  eng_walk_begin_stage (self->walk, ENG_STAGE_PROJECTIONS);
  self->queries = eng_walk_add (self->walk, &queries);
  self->keys = eng_walk_add (self->walk, &keys);
  self->values = -1;
  if (trace->values.data != NULL && block->value_size == block->head_size) {
    eng_node_show_rows (&values, &trace->values, self->kv_head, 0);
    self->values = eng_walk_add (self->walk, &values);
  }
  /* What edits did to them is done. */
  if (self->knobs->zeroes)
    zero_dimension (self, self->knobs->dimension, has_own_keys (self), FALSE);
}
