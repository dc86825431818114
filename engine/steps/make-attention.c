/* SPDX-License-Identifier: MIT */
/* Attention in stages, as engine/spec/layer.h has it. Numbers that the trace has are shown as they
 * stand there, unless a knob changes them. */
#include "engine/steps/attend-private.h"

#include <string.h>

#include "engine/spec/positions.h"

/* The scores so far become others by a rule with them and, where it is there, another operand. */
static void
pass_scores (EngAttend    *self,
             EngStageId    stage,
             EngNumbersId  id,
             EngFormula    formula,
             int           other,
             double        factor)
{
  EngNode node = eng_attend_make_links (self, id, formula);

  node.factor = factor;
  eng_node_add_operand (&node, self->scores);
  if (other >= 0)
    eng_node_add_operand (&node, other);
  if (stage != (EngStageId) -1)
    eng_walk_begin_stage (self->walk, stage);
  self->scores = eng_walk_add (self->walk, &node);
}

static void
multiply (EngAttend *self)
{
  int own = self->walk->way->query - self->walk->first_query;
  EngNode products = eng_attend_make_keys (self, ENG_NUMBERS_PRODUCTS, ENG_FORMULA_PRODUCT);
  EngNode dots = eng_attend_make_links (self, ENG_NUMBERS_DOTS, ENG_FORMULA_DOT);

  products.operands[0] = eng_operand_row (self->queries, own);
  products.operands[1] = eng_operand_rows (self->keys);
  products.n_operands = 2;
  eng_walk_begin_stage (self->walk, ENG_STAGE_PRODUCTS);
  eng_node_add_operand (&dots, eng_walk_add (self->walk, &products));
  eng_node_add_operand (&dots, self->queries);
  eng_node_add_operand (&dots, self->keys);
  self->scores = eng_walk_add (self->walk, &dots);
}

static double
get_scale (const EngAttend *self)
{
  return self->knobs->has_scale
         ? self->knobs->scale
         : eng_interventions_get_scale (&self->edits, self->walk->way->layer, self->head,
                                        self->attention->trace->scale);
}

/* What scores are divided by: the edits' and the knob's. */
static double
get_temperature (const EngAttend *self)
{
  double knob = self->knobs->temperature != 0 ? self->knobs->temperature : 1;

  return knob * eng_interventions_get_temperature (&self->edits, self->walk->way->layer, self->head);
}

/* Where the rows of a table of distances are, a link each. */
static int
add_distances (EngAttend *self)
{
  const EngBlockTrace *block = self->attention->block;
  const EngStackSpec *stack = self->walk->stack;
  gboolean apart = block->position_rows != NULL;
  float *rows = eng_walk_allocate (self->walk, (gsize) self->n_queries * (gsize) self->n_keys);

  for (int row = 0; row < self->n_queries; row++)
    for (int key = 0; key < self->n_keys; key++) {
      int distance = row + self->walk->first_query - key;

      rows[row * self->n_keys + key] =
        (float) (apart ? block->position_rows[self->n_keys - 1 + distance]
                       : eng_relative_bias_get_bucket (&stack->relative_bias, -distance,
                                                       !eng_stack_spec_get_heads (stack)->causal));
    }

  return eng_walk_add_given (self->walk, ENG_NUMBERS_DISTANCES, rows, self->n_queries, self->n_keys,
                             (gsize) self->n_keys, ENG_AXIS_QUERIES, ENG_AXIS_KEYS);
}

/* The rows of the table of distances that the text has use for, normed where they are. */
static int
add_distance_table (EngAttend *self)
{
  const EngStackWeights *weights = self->walk->stack_weights;
  const EngRelativePositions *positions = &self->walk->stack->relative_positions;
  int n = self->attention->block->n_position_rows, size = self->walk->spec->hidden_size, first;
  int table;

  eng_relative_positions_count_rows (positions, self->n_keys, &first);
  table = eng_walk_add_weights (self->walk, ENG_NUMBERS_DISTANCE_TABLE,
                                weights->relative_positions + (gsize) first * (gsize) size, n, size,
                                ENG_AXIS_POSITIONS, ENG_AXIS_FEATURES);
  if (!positions->has_norm)
    return table;

  table = eng_walk_add_norm (self->walk, &self->walk->spec->norm, &weights->relative_norm,
                             eng_operand_rows (table), n);
  eng_walk_begin_stage (self->walk, ENG_STAGE_DISTANCES);

  return table;
}

/* Keys or queries that distances have in the head, of the table. */
static int
add_position_vectors (EngAttend         *self,
                      EngNumbersId       id,
                      const EngLinear   *linear,
                      const EngHeadRows *rows,
                      int                table)
{
  EngLinear of_head = eng_linear_take_head (linear, self->head, self->size);
  EngNode node = eng_attend_make_node (id, self->attention->block->n_position_rows, self->size,
                                       ENG_AXIS_POSITIONS, ENG_AXIS_HEAD_FEATURES,
                                       ENG_FORMULA_LINEAR);

  eng_node_show_rows (&node, rows, self->head, 0);

  return eng_walk_add_linear (self->walk, &of_head, eng_operand_rows (table), node);
}

static int
add_term (EngAttend    *self,
          EngNumbersId  id,
          int           vectors,
          int           positions,
          int           distances)
{
  EngNode node = eng_attend_make_links (self, id, ENG_FORMULA_DISTANCE);

  node.factor = get_scale (self);
  eng_node_add_operand (&node, vectors);
  eng_node_add_operand (&node, positions);
  eng_node_add_operand (&node, distances);

  return eng_walk_add (self->walk, &node);
}

/* Both terms of positions that are apart from content. */
static void
bias_apart (EngAttend *self)
{
  const EngLayerTrace *trace = self->attention->trace;
  const EngAttentionWeights *weights = self->attention->weights;
  gboolean shares = self->walk->stack->relative_positions.shares_projections;
  EngNode sum = eng_attend_make_links (self, ENG_NUMBERS_BIASED, ENG_FORMULA_SUM);
  int table, distances, position_keys = -1, position_queries = -1;

  eng_walk_begin_stage (self->walk, ENG_STAGE_DISTANCES);
  distances = add_distances (self);
  table = add_distance_table (self);
  if (trace->position_keys.data != NULL)
    position_keys = add_position_vectors (self, ENG_NUMBERS_POSITION_KEYS,
                                          shares ? &weights->key : &weights->position_key,
                                          &trace->position_keys, table);
  if (trace->position_queries.data != NULL)
    position_queries = add_position_vectors (self, ENG_NUMBERS_POSITION_QUERIES,
                                             shares ? &weights->query : &weights->position_query,
                                             &trace->position_queries, table);
  eng_walk_begin_stage (self->walk, ENG_STAGE_BIAS);
  eng_node_add_operand (&sum, self->scores);
  if (position_keys >= 0)
    eng_node_add_operand (&sum, add_term (self, ENG_NUMBERS_CONTENT_POSITION, self->queries,
                                          position_keys, distances));
  if (position_queries >= 0)
    eng_node_add_operand (&sum, add_term (self, ENG_NUMBERS_POSITION_CONTENT, self->keys,
                                          position_queries, distances));
  self->scores = eng_walk_add (self->walk, &sum);
}

static void
bias_by_distance (EngAttend *self)
{
  const EngLayerTrace *trace = self->attention->trace;
  const EngRelativeBias *bias = &self->walk->stack->relative_bias;
  gsize first = (gsize) self->head * (gsize) self->attention->block->n_queries
                + (gsize) self->walk->first_query;
  EngNode node = eng_attend_make_links (self, ENG_NUMBERS_DISTANCE_BIAS, ENG_FORMULA_PICK);
  int picked;

  eng_walk_begin_stage (self->walk, ENG_STAGE_BIAS);
  node.shown.data = trace->position_bias + first * (gsize) self->n_keys;
  node.shown.stride = (gsize) self->n_keys;
  node.detail = self->head;
  eng_node_add_operand (&node, eng_walk_add_weights (self->walk, ENG_NUMBERS_DISTANCE_TABLE,
                                                     self->walk->stack_weights->relative_bias,
                                                     bias->n_buckets,
                                                     self->attention->spec->n_heads,
                                                     ENG_AXIS_TABLE, ENG_AXIS_HEADS));
  eng_node_add_operand (&node, add_distances (self));
  picked = eng_walk_add (self->walk, &node);
  pass_scores (self, (EngStageId) -1, ENG_NUMBERS_BIASED, ENG_FORMULA_SUM, picked, 1);
}

/* A term of positions as the trace has it, scaled as the scores are; -1 where it has none. */
static int
add_given_term (EngAttend    *self,
                EngNumbersId  id,
                double        factor,
                gboolean    (*get) (const EngTrace *, EngKind, int, int, EngMatrix *))
{
  const EngWay *way = self->walk->way;
  const gsize n = (gsize) self->n_keys;
  EngMatrix term;
  float *numbers;

  if (!get (way->trace, way->kind, way->layer, self->head, &term))
    return -1;
  numbers = eng_walk_allocate (self->walk, (gsize) self->n_queries * n);
  for (int row = 0; row < self->n_queries; row++)
    for (gsize key = 0; key < n; key++)
      numbers[(gsize) row * n + key] =
        (float) (factor * (double) term.data[(gsize) (row + self->walk->first_query) * term.stride
                                             + key]);
  return eng_walk_add_given (self->walk, id, numbers, self->n_queries, self->n_keys, n,
                             ENG_AXIS_QUERIES, ENG_AXIS_KEYS);
}

/* What a file says that positions add. */
static void
add_given_bias (EngAttend *self)
{
  const EngWay *way = self->walk->way;
  const double factor = get_scale (self) / self->attention->trace->scale;
  EngNode sum = eng_attend_make_links (self, ENG_NUMBERS_BIASED, ENG_FORMULA_SUM);
  int terms[2], n_terms = 0;
  EngMatrix bias;

  if (!eng_trace_get_position_bias (way->trace, way->kind, way->layer, self->head, &bias))
    return;
  eng_walk_begin_stage (self->walk, ENG_STAGE_BIAS);
  terms[0] = add_given_term (self, ENG_NUMBERS_CONTENT_POSITION, factor,
                             eng_trace_get_content_position);
  terms[1] = add_given_term (self, ENG_NUMBERS_POSITION_CONTENT, factor,
                             eng_trace_get_position_content);
  eng_node_add_operand (&sum, self->scores);
  for (gsize i = 0; i < G_N_ELEMENTS (terms); i++)
    if (terms[i] >= 0) {
      eng_node_add_operand (&sum, terms[i]);
      n_terms++;
    }
  if (n_terms == 0)
    eng_node_add_operand (&sum, add_given_term (self, ENG_NUMBERS_DISTANCE_BIAS, 1,
                                                eng_trace_get_position_bias));
  self->scores = eng_walk_add (self->walk, &sum);
}

static void
add_bias (EngAttend *self)
{
  if (self->walk->unplaced || self->attention->kind == ENG_KIND_CROSS)
    return;
  if (self->attention->weights == NULL)
    add_given_bias (self);
  else if (self->attention->trace->position_keys.data != NULL
      || self->attention->trace->position_queries.data != NULL)
    bias_apart (self);
  else if (self->attention->trace->position_bias != NULL)
    bias_by_distance (self);
}

/* By an edit of the trace. */
static gboolean
is_knocked_out (const EngAttend *self,
                int              key)
{
  for (int i = 0; i < self->edits.n_edits; i++)
    if (self->edits.edits[i].type == ENG_EDIT_KNOCK_OUT_TOKEN && self->edits.edits[i].key == key
        && eng_edit_acts_on (&self->edits.edits[i], self->edits.kind, self->edits.first))
      return TRUE;

  return FALSE;
}

/* Whether a mask of one's own takes a link out. */
static gboolean
is_hidden (const EngAttend *self,
           int              query,
           int              key)
{
  const GArray *hidden = self->knobs->hidden;

  return hidden != NULL && eng_links_have (hidden, query, key);
}

/* As the model has it: how often keys are read, [queries, keys]; NULL = all once. */
static const guint8 *
get_mask (const EngAttend *self)
{
  const EngLayerTrace *trace = self->attention->trace;
  gsize n_cells = (gsize) self->attention->block->n_queries * (gsize) self->n_keys;

  return trace->head_masks != NULL ? trace->head_masks + (gsize) self->head * n_cells
                                   : trace->mask;
}

/* A file does not say which tokens are padding: those are that no query reads. */
static gboolean
is_padding (const EngAttend *self,
            int              key)
{
  const EngBlockTrace *block = self->attention->block;
  const guint8 *mask = get_mask (self);
  gboolean any = FALSE;

  if (self->attention->weights != NULL || mask == NULL)
    return self->walk->way->key_tokens->padding[key];
  for (int query = 0; query < block->n_queries && !any; query++)
    any = mask[(gsize) query * (gsize) self->n_keys + (gsize) key] != 0;

  return !any;
}

/* How often a key is read, as the model or the knob has it. */
static int
count_readings (const EngAttend *self,
                int              query,
                int              key,
                gboolean         padding)
{
  const guint8 *mask = get_mask (self);
  gsize cell = (gsize) query * (gsize) self->n_keys + (gsize) key;

  if (is_hidden (self, query, key)
      || (self->knobs->mask != ENG_KNOB_MASK_MODELS && is_knocked_out (self, key)))
    return 0;

  switch (self->knobs->mask) {
  case ENG_KNOB_MASK_NONE:
    return 1;
  case ENG_KNOB_MASK_CAUSAL:
    return key <= query && !padding;
  case ENG_KNOB_MASK_PADDING:
    return !padding;
  case ENG_KNOB_MASK_MODELS:
  default:
    return mask != NULL ? mask[cell] : 1;
  }
}

static void
mask_scores (EngAttend *self)
{
  float *readings = eng_walk_allocate (self->walk, (gsize) self->n_queries * (gsize) self->n_keys);
  g_autofree guint8 *seen = g_new (guint8, self->n_keys);
  g_autofree guint8 *padding = g_new (guint8, self->n_keys);

  for (int key = 0; key < self->n_keys; key++)
    padding[key] = is_padding (self, key) != 0;
  for (int row = 0; row < self->n_queries; row++) {
    int query = row + self->walk->first_query;

    for (int key = 0; key < self->n_keys; key++)
      seen[key] = (guint8) count_readings (self, query, key, padding[key]);
    eng_interventions_hide_links (&self->edits, self->walk->way->layer, self->head, query,
                                  query + 1, self->n_keys, seen);
    for (int key = 0; key < self->n_keys; key++)
      readings[row * self->n_keys + key] = seen[key];
  }
  eng_walk_begin_stage (self->walk, ENG_STAGE_MASK);
  self->readings = eng_walk_add_given (self->walk, ENG_NUMBERS_READINGS, readings, self->n_queries,
                                       self->n_keys, (gsize) self->n_keys, ENG_AXIS_QUERIES,
                                       ENG_AXIS_KEYS);
  pass_scores (self, (EngStageId) -1, ENG_NUMBERS_MASKED, ENG_FORMULA_MASK, self->readings, 1);
}

/* Whether an edit of the trace changes the head's weights behind the softmax: a cut that brings rows
 * back to 1 is a mask. */
static gboolean
is_edited (const EngAttend *self)
{
  for (int i = 0; i < self->edits.n_edits; i++) {
    const EngEdit *edit = &self->edits.edits[i];

    if ((edit->type == ENG_EDIT_UNIFORM_ROWS
         || (edit->type == ENG_EDIT_CUT_EDGE && !edit->renormalise))
        && eng_edit_is_of_head (edit, self->walk->way->layer, self->head)
        && eng_edit_acts_on (edit, self->edits.kind, self->edits.first))
      return TRUE;
  }

  return FALSE;
}

/* The trace's own weights of the head, unless a knob changes them. */
static void
show_weights (const EngAttend *self,
              EngNode         *node)
{
  g_autoptr (EngAttention) attention = NULL;
  gsize n = (gsize) self->n_queries * (gsize) self->n_keys;
  float *weights;

  if (self->what_if)
    return;
  attention = eng_trace_dup_attention (self->walk->way->trace, self->attention->kind,
                                       self->walk->way->layer);
  if (attention == NULL)
    return;
  weights = eng_walk_allocate (self->walk, n);
  memcpy (weights, attention->weights + ((gsize) self->head * (gsize) attention->n_queries
                                         + (gsize) self->walk->first_query) * (gsize) self->n_keys,
          n * sizeof (float));
  node->shown.data = weights;
  node->shown.stride = (gsize) self->n_keys;
}

static int
add_of_rows (EngAttend    *self,
             EngNumbersId  id,
             EngFormula    formula,
             int           x,
             int           y)
{
  EngNode node = eng_attend_make_node (id, self->n_queries, 1, ENG_AXIS_QUERIES, ENG_AXIS_ONE,
                                       formula);

  node.shown.first_row = self->walk->first_query;
  eng_node_add_operand (&node, x);
  if (y >= 0)
    eng_node_add_operand (&node, y);

  return eng_walk_add (self->walk, &node);
}

static void
share (EngAttend *self)
{
  EngNode weights = eng_attend_make_links (self, ENG_NUMBERS_WEIGHTS, ENG_FORMULA_SHARE);
  gboolean edited = is_edited (self);
  int maxima, totals;

  eng_walk_begin_stage (self->walk, ENG_STAGE_SOFTMAX);
  maxima = add_of_rows (self, ENG_NUMBERS_MAXIMA, ENG_FORMULA_MAXIMUM, self->scores, -1);
  pass_scores (self, (EngStageId) -1, ENG_NUMBERS_EXPS, ENG_FORMULA_EXP, maxima, 1);
  totals = add_of_rows (self, ENG_NUMBERS_TOTALS, ENG_FORMULA_TOTAL, self->scores, self->readings);
  if (!edited)
    show_weights (self, &weights);
  eng_node_add_operand (&weights, self->scores);
  eng_node_add_operand (&weights, totals);
  self->weights = eng_walk_add (self->walk, &weights);
  if (!edited)
    return;

  weights = eng_attend_make_links (self, ENG_NUMBERS_EDITED, ENG_FORMULA_EDITED);
  show_weights (self, &weights);
  eng_node_add_operand (&weights, self->weights);
  eng_node_add_operand (&weights, self->readings);
  eng_walk_begin_stage (self->walk, ENG_STAGE_EDITS);
  self->weights = eng_walk_add (self->walk, &weights);
}

static void
read_values (EngAttend *self)
{
  int own = self->walk->way->query - self->walk->first_query;
  EngNode weighted = eng_attend_make_keys (self, ENG_NUMBERS_WEIGHTED, ENG_FORMULA_WEIGHTED);
  EngNode read = eng_attend_make_queries (self, ENG_FORMULA_READ);
  EngWalkHead head = { .weights = self->weights, .readings = self->readings };

  weighted.operands[0] = eng_operand_row (self->weights, own);
  weighted.operands[1] = eng_operand_row (self->readings, own);
  weighted.operands[2] = eng_operand_rows (self->values);
  weighted.n_operands = 3;
  read.shown.id = ENG_NUMBERS_READ;
  read.detail = self->head;
  eng_walk_begin_stage (self->walk, ENG_STAGE_READ);
  head.factors = eng_walk_add_factors (self->walk, self->attention);
  eng_node_add_operand (&read, eng_walk_add (self->walk, &weighted));
  eng_node_add_operand (&read, self->weights);
  eng_node_add_operand (&read, self->readings);
  eng_node_add_operand (&read, self->values);
  if (head.factors >= 0)
    eng_node_add_operand (&read, head.factors);
  head.read = eng_walk_add (self->walk, &read);
  if (self->attention->weights != NULL)
    eng_walk_merge_heads (self->walk, self->attention, &head);
}

/* What the trace's edits do to the head's vectors, and the knob to its projections. */
static void
find_edits (EngAttend *self)
{
  gboolean off;

  self->edits = eng_trace_get_interventions (self->walk->way->trace, self->attention->kind);
  if (self->attention->weights == NULL)
    return;
  off = eng_walk_drops_projections (self->walk, self->attention, self->head);
  self->query_share = off ? self->head : -1;
  self->key_share = eng_walk_find_share (self->walk, self->attention, self->kv_head);
  for (int i = 0; i < self->edits.n_edits; i++)
    self->zeroes = self->zeroes || eng_attend_zeroes (self, &self->edits.edits[i]);
}

void
eng_walk_attend (EngWalk                *self,
                 const EngWalkAttention *attention)
{
  const EngKnobs *knobs = &self->request->knobs;
  EngAttend attend = {
    .walk = self,
    .attention = attention,
    .knobs = knobs,
    .head = self->way->head,
    .kv_head = eng_block_trace_get_kv_head (attention->block, self->way->head),
    .size = attention->block->head_size,
    .n_queries = self->n_queries,
    .n_keys = attention->block->n_keys,
    .what_if = self->way->what_if,
    .revectors = knobs->projections_off || self->reembeds || (self->unplaced && self->way->what_if),
  };

  find_edits (&attend);
  if (attention->weights != NULL)
    eng_attend_make_vectors (&attend);
  else
    eng_attend_take_vectors (&attend);
  multiply (&attend);
  if (attention->trace->scale != 1 || get_scale (&attend) != 1 || knobs->has_scale)
    pass_scores (&attend, ENG_STAGE_SCALE, ENG_NUMBERS_SCALED, ENG_FORMULA_SCALE, -1,
                 get_scale (&attend));
  if (attention->trace->soft_cap != 0)
    pass_scores (&attend, ENG_STAGE_CAP, ENG_NUMBERS_CAPPED, ENG_FORMULA_CAP, -1,
                 attention->trace->soft_cap);
  add_bias (&attend);
  mask_scores (&attend);
  if (get_temperature (&attend) != 1)
    pass_scores (&attend, ENG_STAGE_TEMPERATURE, ENG_NUMBERS_TEMPERED, ENG_FORMULA_SCALE, -1,
                 1 / get_temperature (&attend));
  share (&attend);
  if (attend.values >= 0)
    read_values (&attend);
}
