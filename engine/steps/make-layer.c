/* SPDX-License-Identifier: MIT */
/* A layer behind its input, as engine/spec/layer.h has it, and what follows it in its stack. */
#include "engine/steps/make-private.h"

#include <string.h>

/* What a sub-layer's norms are, and what its result is added to. */
typedef struct {
  EngNormPlacement  placement;
  const EngNorm    *norm;
  const EngNorm    *output_norm;
  EngOperand        base;
  gboolean          skipped;  /* by an edit: it adds nothing */
} SubLayer;

static gboolean
is_before (EngNormPlacement placement)
{
  return placement == ENG_NORM_PRE || placement == ENG_NORM_BOTH;
}

/* The token's state behind a norm. */
static void
norm_state (EngWalk           *self,
            const EngNormSpec *spec,
            const EngNorm     *norm)
{
  self->state = eng_operand_row (eng_walk_add_norm (self, spec, norm, self->state, 1), 0);
}

/* The result of a sub-layer is normed, added to what the sub-layer stands beside, and normed, as
 * the spec places norms. */
static void
finish_sub_layer (EngWalk        *self,
                  const SubLayer *sub)
{
  const EngLayerSpec *spec = self->layer_spec;
  double factor = spec->residual_scale != 0 ? spec->residual_scale : 1;

  if (sub->placement == ENG_NORM_MIXED)
    norm_state (self, &spec->norm, sub->norm);
  if (sub->placement == ENG_NORM_BOTH)
    norm_state (self, &spec->norm, sub->output_norm);

  const EngOperand operands[] = { sub->base, self->state };

  eng_walk_pass (self, ENG_STAGE_RESIDUAL, ENG_NUMBERS_RESIDUAL, ENG_FORMULA_ADD_SCALED, operands,
                 2, sub->skipped ? 0 : factor);
  if (sub->placement == ENG_NORM_POST)
    norm_state (self, &spec->norm, sub->norm);
}

static EngWalkAttention
get_attention (const EngWalk *self,
               EngKind        kind)
{
  const EngBlockTrace *block = &self->way->trace->blocks[kind];
  gboolean crosses = kind == ENG_KIND_CROSS;

  return (EngWalkAttention) {
    kind,
    crosses ? &self->layer_spec->cross : &self->layer_spec->self,
    crosses ? &self->layer_weights->cross : &self->layer_weights->self,
    block,
    &block->layers[self->way->layer],
  };
}

static gboolean
skips (const EngWalk *self,
       EngKind        kind,
       EngEditType    type)
{
  EngInterventions edits = eng_trace_get_interventions (self->way->trace, kind);

  return eng_interventions_skip (&edits, type, self->way->layer);
}

/* What is read of the encoder, [keys, D]. */
static EngOperand
add_key_states (EngWalk *self)
{
  const EngBlockTrace *encoder = &self->way->trace->blocks[ENG_KIND_ENCODER];
  int size = self->spec->hidden_size;
  EngNode node = {
    .shown = { .id = ENG_NUMBERS_KEY_STATES, .rows = encoder->n_queries, .columns = size,
               .row_axis = ENG_AXIS_KEYS, .column_axis = ENG_AXIS_FEATURES, .stride = (gsize) size,
               .data = encoder->hidden_states[encoder->n_layers], .formula = ENG_FORMULA_LAYERS },
    .factor = 1,
    .only_row = -1,
  };

  return eng_operand_rows (eng_walk_add (self, &node));
}

/* x of an attention, behind its norm where that stands before it: of all rows, or the one that is
 * fixed. */
static EngOperand
norm_input (EngWalk                *self,
            const EngWalkAttention *attention,
            EngOperand              x)
{
  int n = x.fixed ? 1 : self->n_tokens;
  int normed;

  if (!is_before (self->layer_spec->attention_norm))
    return x;
  normed = eng_walk_add_norm (self, &self->layer_spec->norm, &attention->weights->norm, x, n);

  return x.fixed ? eng_operand_row (normed, 0) : eng_operand_rows (normed);
}

/* Whether an edit zeroes dimensions of the way's head where it crosses. */
static gboolean
zeroes_queries (const EngWalk *self)
{
  EngInterventions edits = eng_trace_get_interventions (self->way->trace, ENG_KIND_CROSS);

  for (int i = 0; i < edits.n_edits && self->way->kind == ENG_KIND_CROSS; i++)
    if (edits.edits[i].type == ENG_EDIT_ZERO_DIMENSION
        && eng_edit_is_of_head (&edits.edits[i], self->way->layer, self->way->head)
        && eng_edit_acts_on (&edits.edits[i], ENG_KIND_CROSS, edits.first))
      return TRUE;

  return FALSE;
}

/* What other tokens' queries would be made of in cross-attention is not known here. */
static void
keep_own_query (EngWalk *self)
{
  self->n_queries = 1;
  self->first_query = self->way->query;
}

/* One attention with its norms and residual connection: base is what it is added to, x what it
 * reads, the same or what the layer reads. */
static void
pass_attention (EngWalk    *self,
                EngKind     kind,
                EngOperand  x,
                EngOperand  base)
{
  EngWalkAttention attention = get_attention (self, kind);
  SubLayer sub = {
    self->layer_spec->attention_norm, &attention.weights->norm, &attention.weights->output_norm,
    base,
    skips (self, kind, ENG_EDIT_SKIP_ATTENTION),
  };

  self->part = kind == self->way->kind ? ENG_PART_ATTENTION : ENG_PART_OTHER;
  if (kind == ENG_KIND_CROSS) {
    eng_walk_begin_stage (self, ENG_STAGE_STATES);
    self->key_x = add_key_states (self);
    if (self->request->knobs.projections_off || zeroes_queries (self))
      keep_own_query (self);
  }
  self->x = norm_input (self, &attention, x);
  if (kind != ENG_KIND_CROSS)
    self->key_x = self->x;
  if (kind == self->way->kind)
    eng_walk_attend (self, &attention);
  else
    eng_walk_merge_heads (self, &attention, NULL);
  finish_sub_layer (self, &sub);
  self->restates = self->way->what_if && kind == self->way->kind;
}

/* A stage that makes a row of neurons; returns its index. */
static int
add_neurons (EngWalk         *self,
             EngNumbersId     id,
             const EngLinear *linear)
{
  EngNode node = {
    .shown = { .id = id, .rows = 1, .row_axis = ENG_AXIS_ONE, .column_axis = ENG_AXIS_NEURONS },
    .factor = 1,
    .only_row = -1,
  };

  return eng_walk_add_linear (self, linear, self->state, node);
}

static void
fire (EngWalk *self)
{
  const EngLayerWeights *weights = self->layer_weights;
  int activation = (int) self->layer_spec->feed_forward.activation, gate = -1;
  EngOperand operands[2];

  eng_walk_begin_stage (self, ENG_STAGE_UP);
  if (weights->gate.weight != NULL)
    gate = add_neurons (self, ENG_NUMBERS_GATE, &weights->gate);
  operands[1] = eng_operand_row (add_neurons (self, ENG_NUMBERS_UP, &weights->up), 0);
  eng_walk_begin_stage (self, ENG_STAGE_ACTIVATION);
  if (gate < 0) {
    self->state = eng_operand_row (eng_walk_add_row (self, ENG_NUMBERS_NEURONS,
                                                     ENG_FORMULA_ACTIVATION,
                                                     operands + 1, 1, activation), 0);
    return;
  }
  operands[0] = eng_operand_row (gate, 0);
  operands[0] = eng_operand_row (eng_walk_add_row (self, ENG_NUMBERS_GATE_OPEN,
                                                   ENG_FORMULA_ACTIVATION,
                                                   operands, 1, activation), 0);
  self->state = eng_operand_row (eng_walk_add_row (self, ENG_NUMBERS_NEURONS, ENG_FORMULA_PRODUCT,
                                                   operands, 2,
                                                   0), 0);
}

/* x: what the feed-forward reads, base: what it is added to. */
static void
feed_forward (EngWalk    *self,
              EngOperand  x,
              EngOperand  base)
{
  const EngLayerWeights *weights = self->layer_weights;
  SubLayer sub = {
    self->layer_spec->feed_forward_norm, &weights->feed_forward_norm,
    &weights->feed_forward_output_norm, base,
    skips (self, self->stack_kind, ENG_EDIT_SKIP_FEED_FORWARD),
  };
  EngNode node = {
    .shown = { .id = ENG_NUMBERS_DOWN, .rows = 1, .row_axis = ENG_AXIS_ONE,
               .column_axis = ENG_AXIS_FEATURES },
    .factor = 1,
    .only_row = -1,
  };

  self->part = ENG_PART_FEED_FORWARD;
  self->state = x;
  if (is_before (self->layer_spec->feed_forward_norm))
    norm_state (self, &self->layer_spec->norm, &weights->feed_forward_norm);
  fire (self);
  eng_walk_begin_stage (self, ENG_STAGE_DOWN);
  self->state = eng_operand_row (eng_walk_add_linear (self, &weights->down, self->state, node), 0);
  finish_sub_layer (self, &sub);
}

/* What the first layer reads is convolved beside it. */
static void
convolve (EngWalk *self,
          int      states)
{
  const EngConvolution *spec = &self->stack->convolution;
  EngNode node = {
    .shown = { .id = ENG_NUMBERS_CONVOLVED, .rows = 1, .row_axis = ENG_AXIS_ONE,
               .column_axis = ENG_AXIS_FEATURES },
    .factor = 1,
    .only_row = -1,
  };
  EngOperand operands[2] = { self->state };

  self->way->n_taps = spec->kernel_size;
  self->way->group_size = self->spec->hidden_size / spec->n_groups;
  eng_walk_begin_stage (self, ENG_STAGE_CONVOLUTION);
  operands[1] = eng_operand_row (eng_walk_add_convolution (self, &self->stack_weights->convolution,
                                                           eng_operand_row (states,
                                                                            self->way->query),
                                                           node), 0);
  operands[1] = eng_operand_row (eng_walk_add_row (self, ENG_NUMBERS_CONVOLUTION,
                                                   ENG_FORMULA_ACTIVATION,
                                                   operands + 1, 1, (int) spec->activation), 0);
  eng_walk_pass (self, ENG_STAGE_SUM, ENG_NUMBERS_SUM, ENG_FORMULA_SUM, operands, 2, 1);
  norm_state (self, &self->spec->norm, &self->stack_weights->convolution_norm);
}

static void
hide_padding (EngWalk *self)
{
  int padding = eng_way_find (self->way, ENG_PART_INPUT, ENG_NUMBERS_PADDING, 0);
  EngOperand operands[] = { self->state, eng_operand_row (padding, self->way->query) };

  if (padding >= 0)
    eng_walk_pass (self, ENG_STAGE_PADDING, ENG_NUMBERS_HIDDEN, ENG_FORMULA_HIDE, operands, 2, 1);
}

/* What the layer leaves, as the trace has it. */
static void
leave (EngWalk *self)
{
  const EngBlockTrace *block = &self->way->trace->blocks[self->stack_kind];
  int size = self->spec->hidden_size;
  EngNode node = {
    .shown = { .id = ENG_NUMBERS_LEFT, .rows = 1, .columns = size, .row_axis = ENG_AXIS_ONE,
               .column_axis = ENG_AXIS_FEATURES, .formula = ENG_FORMULA_COPY },
    .operands = { self->state },
    .n_operands = 1,
    .factor = 1,
    .only_row = -1,
  };

  if (!self->way->what_if) {
    node.shown.data = block->hidden_states[self->way->layer + 1]
                      + (gsize) self->way->query * (gsize) size;
    node.shown.stride = (gsize) size;
  }
  eng_walk_begin_stage (self, ENG_STAGE_LEFT);
  self->state = eng_operand_row (eng_walk_add (self, &node), 0);
}

static void
end_layer (EngWalk *self,
           int      states)
{
  gboolean convolves = self->way->layer == 0 && self->stack->convolution.kernel_size > 0;

  self->part = ENG_PART_END;
  if (convolves)
    convolve (self, states);
  if (convolves || self->stack->hides_padding)
    hide_padding (self);
  if (self->way->layer == self->stack->n_layers - 1 && self->stack->final_norm)
    norm_state (self, &self->spec->norm, &self->stack_weights->final_norm);
  leave (self);
}

void
eng_walk_pass_layer (EngWalk *self,
                     int      states)
{
  EngOperand own = eng_operand_row (states, self->way->query);
  gboolean parallel = self->layer_spec->parallel;

  pass_attention (self, self->stack_kind, eng_operand_rows (states), own);
  if (self->layer_spec->cross.n_heads > 0)
    pass_attention (self, ENG_KIND_CROSS, parallel ? own : self->state, self->state);
  feed_forward (self, parallel ? own : self->state, self->state);
  end_layer (self, states);
}
