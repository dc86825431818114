/* SPDX-License-Identifier: MIT */
#include "engine/steps/make-private.h"

#include <string.h>

#include "engine/base/error.h"
#include "engine/families/lazy-weights.h"
#include "engine/transformer/model-private.h"

/* Numbers of all links are shown up to so many. */
#define MAX_LINKS (1 << 20)

static gboolean
refuse (GError     **error,
        EngError     code,
        const char  *what,
        int          found,
        int          n)
{
  g_set_error (error, ENG_ERROR, code, "there is no %s %d to show the steps of, only 0 to %d", what,
               found, n - 1);

  return FALSE;
}

/* What a trace file has no weights for. */
static gboolean
check_file (EngTrace             *trace,
            const EngWayRequest  *request,
            GError              **error)
{
  const EngKnobs *knobs = &request->knobs;
  EngMatrix queries;

  if (!eng_trace_get_queries (trace, request->kind, request->layer, request->head, &queries)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING,
                 "the trace file has no queries and keys of layer %d to show the steps of",
                 request->layer);
    return FALSE;
  }
  if (knobs->projections_off || knobs->positions_off || knobs->segments_off) {
    g_set_error_literal (error, ENG_ERROR, ENG_ERROR_MISSING,
                         "projections, positions and segments are turned off in a model, and a trace "
                         "file does not have its weights");
    return FALSE;
  }
  if (knobs->zeroes && (eng_file_find_useful_knobs (trace, request->kind, request->layer)
                        & 1 << ENG_KNOB_DIMENSION) == 0) {
    g_set_error_literal (error, ENG_ERROR, ENG_ERROR_MISSING,
                         "a dimension is a part of what positions add, too, which a trace file has "
                         "as a sum alone");
    return FALSE;
  }

  return TRUE;
}

static gboolean
check_trace (const EngModel       *model,
             EngTrace             *trace,
             const EngWayRequest  *request,
             GError              **error)
{
  const EngBlockTrace *block = &trace->blocks[request->kind];

  if (trace->model != model) {
    g_set_error_literal (error, ENG_ERROR, ENG_ERROR_MISSING,
                         "steps need the model that the numbers came from, and a trace of another "
                         "model does not have it");
    return FALSE;
  }
  if (!block->present || !eng_trace_is_complete (trace)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING,
                 "there is no complete pass of the %s to show the steps of",
                 eng_kind_get_name (request->kind));
    return FALSE;
  }

  return TRUE;
}

/* The heads read another stack. */
static gboolean
ends_before_heads (const EngModel *model,
                   EngKind         kind)
{
  EngKind last = eng_spec_get_last_kind (eng_model_get_spec (model));

  return last != kind && kind != ENG_KIND_CROSS;
}

static gboolean
check_request (const EngModel       *model,
               EngTrace             *trace,
               const EngWayRequest  *request,
               GError              **error)
{
  const EngBlockTrace *block = &trace->blocks[request->kind];

  if (!check_trace (model, trace, request, error))
    return FALSE;
  if (request->layer < 0 || request->layer >= block->n_layers)
    return refuse (error, ENG_ERROR_RANGE, "layer", request->layer, block->n_layers);
  if (request->head < 0 || request->head >= block->n_heads)
    return refuse (error, ENG_ERROR_RANGE, "head", request->head, block->n_heads);
  if (request->query < 0 || request->query >= block->n_queries)
    return refuse (error, ENG_ERROR_RANGE, "token", request->query, block->n_queries);
  if (request->knobs.zeroes
      && (request->knobs.dimension < 0 || request->knobs.dimension >= block->head_size))
    return refuse (error, ENG_ERROR_RANGE, "dimension", request->knobs.dimension, block->head_size);
  if (request->task >= 0 && (request->task >= ENG_N_TASKS || model == NULL
                             || !eng_model_get_spec (model)->heads[request->task].present
                             || ends_before_heads (model, request->kind))) {
    g_set_error_literal (error, ENG_ERROR, ENG_ERROR_MISSING,
                         "the model has no head for the task that the steps are to end with");
    return FALSE;
  }

  return model != NULL || check_file (trace, request, error);
}

static EngWay *
create (EngModel            *model,
        EngTrace            *trace,
        const EngWayRequest *request)
{
  EngWay *self = g_new0 (EngWay, 1);
  const EngBlockTrace *block = &trace->blocks[request->kind];

  g_atomic_ref_count_init (&self->ref_count);
  self->model = model != NULL ? eng_model_ref (model) : NULL;
  self->trace = eng_trace_ref (trace);
  self->kind = request->kind;
  self->layer = request->layer;
  self->head = request->head;
  self->query = request->query;
  self->query_tokens = block->query_tokens;
  self->key_tokens = block->key_tokens;
  self->stages = g_array_new (FALSE, FALSE, sizeof (EngStage));
  self->nodes = g_array_new (FALSE, FALSE, sizeof (EngNode));
  self->memory = g_ptr_array_new_with_free_func (g_aligned_free);
  self->n_heads = block->n_heads;
  self->n_kv_heads = block->n_kv_heads;
  self->head_size = block->head_size;
  self->what_if = eng_knobs_are_turned (&request->knobs);

  return self;
}

static guint
find_useful_knobs (const EngWalk *self)
{
  const EngEmbeddingSpec *embedding = &self->spec->embedding;
  gboolean first = self->way->layer == 0;
  guint useful = 1 << ENG_KNOB_SCALE | 1 << ENG_KNOB_TEMPERATURE | 1 << ENG_KNOB_MASK
                 | 1 << ENG_KNOB_PROJECTIONS | 1 << ENG_KNOB_DIMENSION;

  if (self->way->kind == ENG_KIND_CROSS)
    return useful;
  if ((first && embedding->positions != ENG_POSITIONS_NONE)
      || self->layer_spec->self.rotary.size > 0 || self->stack->relative_bias.n_buckets > 0
      || self->stack->relative_positions.span > 0)
    useful |= 1 << ENG_KNOB_POSITIONS;
  if (first && self->stack_weights->type != NULL && embedding->n_types > 1)
    useful |= 1 << ENG_KNOB_SEGMENTS;

  return useful;
}

void
eng_walk_find_queries (EngWalk *self)
{
  gboolean is_long = (gint64) self->n_tokens * self->way->key_tokens->n > MAX_LINKS;

  self->n_queries = is_long && !self->reembeds ? 1 : self->n_tokens;
  self->first_query = self->n_queries == 1 ? self->way->query : 0;
}

static void
begin (EngWalk  *self,
       EngModel *model)
{
  EngWay *way = self->way;
  const EngKnobs *knobs = &self->request->knobs;
  EngKind last;
  guint useful;
  gboolean first = way->layer == 0, unplaced;
  EngInterventions edits;

  self->spec = eng_model_get_spec (model);
  self->weights = eng_model_get_weights (model);
  self->stack_kind = way->kind == ENG_KIND_CROSS ? ENG_KIND_DECODER : way->kind;
  self->stack = &self->spec->stacks[self->stack_kind];
  self->stack_weights = &self->weights->stacks[self->stack_kind];
  self->layer_spec = eng_stack_spec_get_layer (self->stack, way->layer);
  self->layer_weights = &self->stack_weights->layers[way->layer];
  eng_lazy_weights_need (self->weights->lazy, self->stack_kind, -1);
  eng_lazy_weights_need (self->weights->lazy, self->stack_kind, way->layer);
  eng_lazy_weights_need (self->weights->lazy, self->stack_kind, self->stack->n_layers);
  useful = way->useful_knobs = find_useful_knobs (self);
  last = eng_spec_get_last_kind (self->spec);
  way->last_tokens = way->trace->blocks[last].query_tokens;
  way->rotary = self->layer_spec->self.rotary;
  edits = eng_trace_get_interventions (way->trace, self->stack_kind);
  unplaced = knobs->positions_off && (useful & 1 << ENG_KNOB_POSITIONS) != 0;
  self->unplaced = unplaced || eng_interventions_drop_positions (&edits, way->layer);
  self->reembeds = first && ((unplaced && self->stack_weights->position != NULL)
                             || (knobs->segments_off && (useful & 1 << ENG_KNOB_SEGMENTS) != 0));
  self->n_tokens = way->query_tokens->n;
  eng_walk_find_queries (self);
}

/* The token's states [n, D] that enter layers from first on. */
static void
add_layer_states (EngWalk    *self,
                  EngWayPart  part,
                  int         first,
                  int         n,
                  EngOperand  from)
{
  const EngBlockTrace *block = &self->way->trace->blocks[self->stack_kind];
  gsize size = (gsize) self->spec->hidden_size;
  EngNode node = {
    .shown = { .id = ENG_NUMBERS_LAYER_STATES, .rows = n, .columns = (int) size,
               .row_axis = ENG_AXIS_LAYERS, .column_axis = ENG_AXIS_FEATURES, .first_row = first,
               .stride = size, .formula = ENG_FORMULA_LAYERS },
    .operands = { from },
    /* What knobs leave is not fed forward. */
    .n_operands = self->way->what_if && part == ENG_PART_AFTER ? 0 : 1,
    .factor = 1,
    .only_row = -1,
  };
  float *states = eng_walk_allocate (self, (gsize) n * size);

  for (int i = 0; i < n; i++)
    memcpy (states + (gsize) i * size,
            block->hidden_states[first + i] + (gsize) self->way->query * size,
            size * sizeof (float));
  node.shown.data = states;
  self->part = part;
  eng_walk_begin_stage (self, ENG_STAGE_LAYERS);
  self->state = eng_operand_row (eng_walk_add (self, &node), n - 1);
}

/* What the layer reads, of all tokens; embedded: rows that enter the first layer. Returns the
 * index. */
static int
add_states (EngWalk *self,
            int      embedded)
{
  const EngBlockTrace *block = &self->way->trace->blocks[self->stack_kind];
  gboolean first = self->way->layer == 0;
  int size = self->spec->hidden_size, own = self->way->query;
  EngNode node = {
    .shown = { .id = ENG_NUMBERS_STATES, .rows = self->n_tokens, .columns = size,
               .row_axis = ENG_AXIS_QUERIES, .column_axis = ENG_AXIS_FEATURES,
               .formula = first ? ENG_FORMULA_COPY : ENG_FORMULA_LAYERS },
    .operands = { self->state },
    .n_operands = 1,
    .factor = 1,
    .only_row = self->n_queries == self->n_tokens && first ? -1 : own,
  };

  if (first)
    node.operands[0] = node.only_row < 0 ? eng_operand_rows (embedded)
      : eng_operand_row (embedded, 0);
  if (!self->reembeds) {
    node.shown.data = block->hidden_states[self->way->layer];
    node.shown.stride = (gsize) size;
  }
  self->part = self->way->kind == ENG_KIND_CROSS ? ENG_PART_OTHER : ENG_PART_ATTENTION;
  eng_walk_begin_stage (self, ENG_STAGE_STATES);

  return eng_walk_add (self, &node);
}

/* The encoder's way ends: its last state goes to another stack. */
static void
hand_to_decoder (EngWalk *self)
{
  const EngBlockTrace *block = &self->way->trace->blocks[self->stack_kind];
  int size = self->spec->hidden_size;
  EngNode node = {
    .shown = { .id = ENG_NUMBERS_LAST_STATES, .rows = 1, .columns = size, .row_axis = ENG_AXIS_ONE,
               .column_axis = ENG_AXIS_FEATURES, .stride = (gsize) size,
               .data = block->hidden_states[block->n_layers] + (gsize) self->way->query * size,
               .formula = ENG_FORMULA_COPY },
    .operands = { self->state },
    .n_operands = 1,
    .factor = 1,
    .only_row = -1,
  };

  /* Of a last layer where knobs are turned: the model's state is not what that has left. */
  if (self->way->what_if && self->part == ENG_PART_END) {
    node.shown.formula = ENG_FORMULA_LAYERS;
    node.n_operands = 0;
  }
  eng_walk_begin_stage (self, ENG_STAGE_TO_DECODER);
  eng_walk_add (self, &node);
}

/* Whether knobs change what a stage makes of numbers that are still the model's. */
static gboolean
begins_change (const EngWalk  *self,
               const EngStage *stage)
{
  const EngKnobs *knobs = &self->request->knobs;
  gboolean displaces = knobs->positions_off
                       && (self->way->useful_knobs & 1 << ENG_KNOB_POSITIONS) != 0;

  if (stage->part == ENG_PART_INPUT)
    return self->reembeds && (stage->id != ENG_STAGE_TOKENS || knobs->segments_off);
  if (stage->part != ENG_PART_ATTENTION)
    return stage->part > ENG_PART_ATTENTION;

  switch (stage->id) {
  case ENG_STAGE_PROJECTIONS:
    return knobs->projections_off;
  case ENG_STAGE_ZEROED:
    return knobs->zeroes;
  case ENG_STAGE_PRODUCTS:
    return displaces && self->layer_spec->self.rotary.size > 0;
  case ENG_STAGE_SCALE:
    return knobs->has_scale;
  case ENG_STAGE_DISTANCES:
  case ENG_STAGE_BIAS:
    return displaces;
  case ENG_STAGE_MASK:
    return displaces || knobs->mask != ENG_KNOB_MASK_MODELS
           || (knobs->hidden != NULL && knobs->hidden->len > 0);
  case ENG_STAGE_TEMPERATURE:
    return TRUE;
  default:
    return stage->id >= ENG_STAGE_SOFTMAX;
  }
}

/* Stages before the first that knobs change. */
static void
mark_unchanged (EngWalk *self)
{
  for (guint i = 0; i < self->way->stages->len; i++) {
    EngStage *stage = &g_array_index (self->way->stages, EngStage, i);

    if (begins_change (self, stage))
      return;
    stage->is_models = TRUE;
  }
}

static void
walk (EngWalk *self)
{
  int layer = self->way->layer, n_layers = self->stack->n_layers;
  int own_row = self->way->query - self->first_query, embedded;

  eng_walk_embed (self, &embedded);
  if (layer > 0)
    add_layer_states (self, ENG_PART_BEFORE, 0, layer + 1, eng_operand_row (embedded, own_row));
  eng_walk_pass_layer (self, add_states (self, embedded));
  self->is_models = self->way->what_if;
  if (layer + 1 < n_layers)
    add_layer_states (self, ENG_PART_AFTER, layer + 1, n_layers - layer, self->state);
  if (!ends_before_heads (self->way->model, self->stack_kind))
    eng_walk_answer (self);
  else if (self->request->task != ENG_WAY_NO_ANSWER)
    hand_to_decoder (self);
  if (self->way->what_if)
    mark_unchanged (self);
}

EngWay *
eng_way_new (EngModel             *model,
             EngTrace             *trace,
             const EngWayRequest  *request,
             GError              **error)
{
  EngWalk self = { .request = request };

  if (!check_request (model, trace, request, error))
    return NULL;

  self.way = create (model, trace, request);
  if (model != NULL) {
    begin (&self, model);
    walk (&self);
  } else {
    eng_walk_file (&self);
  }
  if (eng_walk_is_cancelled (&self)) {
    eng_way_unref (self.way);
    g_set_error_literal (error, ENG_ERROR, ENG_ERROR_CANCELLED, "the steps were cancelled");
    return NULL;
  }
  if (model != NULL && !eng_model_check_files (model, error)) {
    eng_way_unref (self.way);
    return NULL;
  }

  return self.way;
}
