/* SPDX-License-Identifier: MIT */
#include "engine/steps/make-private.h"

#define ALIGNMENT 64

gboolean
eng_walk_is_cancelled (const EngWalk *self)
{
  return self->request->cancel != NULL && g_atomic_int_get (self->request->cancel) != 0;
}

float *
eng_walk_allocate (EngWalk *self,
                   gsize    n_floats)
{
  float *floats = g_aligned_alloc0 (MAX (n_floats, 1), sizeof (float), ALIGNMENT);

  g_ptr_array_add (self->way->memory, floats);

  return floats;
}

void
eng_walk_begin_stage (EngWalk    *self,
                      EngStageId  id)
{
  EngStage stage = {
    .id = id,
    .part = self->part,
    .name = eng_stage_get_name (id),
    .first = (int) self->way->nodes->len,
    .result = -1,
    .is_models = self->is_models,
  };

  g_array_append_val (self->way->stages, stage);
}

int
eng_walk_add (EngWalk       *self,
              const EngNode *node)
{
  EngWay *way = self->way;
  EngStage *stage = &g_array_index (way->stages, EngStage, way->stages->len - 1);
  EngNode added = *node;
  EngNumbers *shown = &added.shown;
  int numbers = (int) way->nodes->len;

  shown->stage = (int) way->stages->len - 1;
  shown->name = eng_numbers_get_name (shown->id);
  shown->symbol = eng_numbers_get_symbol (shown->id);
  if (shown->data == NULL) {
    float *data = eng_walk_allocate (self, (gsize) shown->rows * (gsize) shown->columns);

    shown->stride = (gsize) shown->columns;
    shown->data = data;
    if (!eng_walk_is_cancelled (self))
      eng_walk_fill (self, &added, data);
  }
  g_array_append_val (way->nodes, added);
  stage->n++;
  if (!shown->is_weights)
    stage->result = numbers;

  return numbers;
}

int
eng_walk_add_weights (EngWalk      *self,
                      EngNumbersId  id,
                      const float  *data,
                      int           rows,
                      int           columns,
                      EngAxis       row_axis,
                      EngAxis       column_axis)
{
  EngNode node = {
    .shown = { .id = id, .is_weights = TRUE, .rows = rows, .columns = columns,
               .row_axis = row_axis, .column_axis = column_axis, .stride = (gsize) columns,
               .data = data, .formula = ENG_FORMULA_GIVEN },
    .factor = 1,
    .only_row = -1,
  };

  return data != NULL ? eng_walk_add (self, &node) : -1;
}

int
eng_walk_add_given (EngWalk      *self,
                    EngNumbersId  id,
                    const float  *data,
                    int           rows,
                    int           columns,
                    gsize         stride,
                    EngAxis       row_axis,
                    EngAxis       column_axis)
{
  EngNode node = {
    .shown = { .id = id, .rows = rows, .columns = columns, .row_axis = row_axis,
               .column_axis = column_axis, .stride = stride, .data = data,
               .first_row = row_axis == ENG_AXIS_QUERIES && rows == self->n_queries
                            ? self->first_query : 0,
               .formula = ENG_FORMULA_GIVEN },
    .factor = 1,
    .only_row = -1,
  };

  return eng_walk_add (self, &node);
}

/* Which weights and bias of a product are listed as, by what it makes. */
static void
name_weights (EngNumbersId  made,
              EngNumbersId *weight,
              EngNumbersId *bias)
{
  *weight = ENG_NUMBERS_WEIGHT;
  *bias = ENG_NUMBERS_BIAS;
  switch (made) {
  case ENG_NUMBERS_QUERIES:
    *weight = ENG_NUMBERS_QUERY_WEIGHT;
    *bias = ENG_NUMBERS_QUERY_BIAS;
    break;
  case ENG_NUMBERS_KEYS:
    *weight = ENG_NUMBERS_KEY_WEIGHT;
    *bias = ENG_NUMBERS_KEY_BIAS;
    break;
  case ENG_NUMBERS_VALUES:
    *weight = ENG_NUMBERS_VALUE_WEIGHT;
    *bias = ENG_NUMBERS_VALUE_BIAS;
    break;
  case ENG_NUMBERS_GATE:
    *weight = ENG_NUMBERS_GATE_WEIGHT;
    *bias = ENG_NUMBERS_GATE_BIAS;
    break;
  default:
    break;
  }
}

static int
add_product (EngWalk         *self,
             const EngLinear *linear,
             EngOperand       x,
             EngNode          node,
             EngFormula       formula)
{
  EngAxis in = eng_way_get_numbers (self->way, x.numbers)->column_axis;
  EngAxis out = node.shown.column_axis;
  EngNumbersId weight_id, bias_id;
  int bias;

  name_weights (node.shown.id, &weight_id, &bias_id);
  node.operands[0] = x;
  node.operands[1] = eng_operand_rows (eng_walk_add_weights (self, weight_id, linear->weight,
                                                             linear->out, linear->in, out, in));
  bias = eng_walk_add_weights (self, bias_id, linear->bias, 1, linear->out, ENG_AXIS_ONE, out);
  node.n_operands = 2;
  if (bias >= 0)
    node.operands[node.n_operands++] = eng_operand_row (bias, 0);
  node.shown.columns = linear->out;
  node.shown.formula = formula;

  return eng_walk_add (self, &node);
}

int
eng_walk_add_linear (EngWalk         *self,
                     const EngLinear *linear,
                     EngOperand       x,
                     EngNode          node)
{
  return add_product (self, linear, x, node, ENG_FORMULA_LINEAR);
}

int
eng_walk_add_convolution (EngWalk         *self,
                          const EngLinear *linear,
                          EngOperand       x,
                          EngNode          node)
{
  return add_product (self, linear, x, node, ENG_FORMULA_CONVOLVE);
}

int
eng_walk_add_norm (EngWalk           *self,
                   const EngNormSpec *spec,
                   const EngNorm     *norm,
                   EngOperand         x,
                   int                n)
{
  const EngNumbers read = *eng_way_get_numbers (self->way, x.numbers);
  EngNode node = {
    .shown = { .id = ENG_NUMBERS_NORMED, .rows = n, .columns = read.columns,
               .row_axis = x.fixed ? ENG_AXIS_ONE : read.row_axis, .column_axis = read.column_axis,
               .first_row = x.fixed ? 0 : read.first_row, .formula = ENG_FORMULA_NORM },
    .operands = { x },
    .n_operands = 1,
    .factor = 1,
    .detail = (int) spec->kind,
    .eps = (double) spec->eps,
    .only_row = -1,
  };
  int weight, bias;

  eng_walk_begin_stage (self, ENG_STAGE_NORM);
  weight = eng_walk_add_weights (self, ENG_NUMBERS_NORM_WEIGHT, norm->weight, 1, read.columns,
                                 ENG_AXIS_ONE, read.column_axis);
  bias = eng_walk_add_weights (self, ENG_NUMBERS_NORM_BIAS, norm->bias, 1, read.columns,
                               ENG_AXIS_ONE, read.column_axis);
  if (weight >= 0)
    node.operands[node.n_operands++] = eng_operand_row (weight, 0);
  if (bias >= 0)
    node.operands[node.n_operands++] = eng_operand_row (bias, 0);

  return eng_walk_add (self, &node);
}

static EngNode
make_row (const EngWalk    *self,
          EngNumbersId      id,
          EngFormula        formula,
          const EngOperand *operands,
          int               n_operands)
{
  const EngNumbers *read = eng_way_get_numbers (self->way, operands[0].numbers);
  EngNode node = {
    .shown = { .id = id, .rows = 1, .columns = read->columns, .row_axis = ENG_AXIS_ONE,
               .column_axis = read->column_axis, .formula = formula },
    .n_operands = n_operands,
    .factor = 1,
    .only_row = -1,
  };

  for (int i = 0; i < n_operands; i++)
    node.operands[i] = operands[i];

  return node;
}

int
eng_walk_add_row (EngWalk          *self,
                  EngNumbersId      id,
                  EngFormula        formula,
                  const EngOperand *operands,
                  int               n_operands,
                  int               detail)
{
  EngNode node = make_row (self, id, formula, operands, n_operands);

  node.detail = detail;

  return eng_walk_add (self, &node);
}

void
eng_walk_pass (EngWalk          *self,
               EngStageId        stage,
               EngNumbersId      id,
               EngFormula        formula,
               const EngOperand *operands,
               int               n_operands,
               double            factor)
{
  EngNode node = make_row (self, id, formula, operands, n_operands);

  node.factor = factor;
  eng_walk_begin_stage (self, stage);
  self->state = eng_operand_row (eng_walk_add (self, &node), 0);
}
