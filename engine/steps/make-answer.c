/* SPDX-License-Identifier: MIT */
/* A task head, as engine/spec/head.h has it, of the last stack's states. */
#include "engine/steps/make-private.h"

#include "engine/families/lazy-weights.h"
#include "engine/steps/candidates.h"
#include "engine/transformer/model-private.h"

#define N_CANDIDATES 10

static gboolean
reads_tokens (const EngWalk *self,
              int            task)
{
  const EngHeadSpec *head = &self->spec->heads[task];

  return head->present && head->input == ENG_HEAD_TOKENS;
}

/* -1 where no head can answer. */
static int
choose_task (const EngWalk *self)
{
  if (self->request->task != ENG_WAY_ANY_TASK)
    return self->request->task;
  if (reads_tokens (self, ENG_TASK_LANGUAGE_MODEL))
    return ENG_TASK_LANGUAGE_MODEL;
  if (reads_tokens (self, ENG_TASK_FILL_MASK))
    return ENG_TASK_FILL_MASK;
  for (int task = 0; task < ENG_N_TASKS; task++)
    if (self->way->trace->logits[task].data != NULL || reads_tokens (self, task))
      return task;

  return -1;
}

/* The token whose row a head reads: its own, where it reads every token; -1 = the mean of all,
 * -2 = the trace does not say. */
static int
choose_token (const EngWalk *self,
              int            task)
{
  const EngLogitsTrace *logits = &self->way->trace->logits[task];
  const EngTokens *tokens = self->way->last_tokens;
  int last = tokens->n - 1;

  if (self->spec->heads[task].input == ENG_HEAD_MEAN)
    return -1;
  if (self->spec->heads[task].input != ENG_HEAD_TOKENS)
    return logits->n_positions > 0 ? logits->positions[0] : -2;
  if (self->stack_kind == eng_spec_get_last_kind (self->spec))
    return self->way->query;
  while (last > 0 && tokens->padding[last])
    last--;

  return last;
}

/* The trace's logits of the token; NULL where it has none. */
static const float *
find_logits (const EngWalk *self)
{
  const EngLogitsTrace *logits = &self->way->trace->logits[self->way->task];

  for (int row = 0; row < logits->n_positions && logits->data != NULL; row++)
    if (logits->positions[row] == self->way->answer_token || self->way->answer_token < 0)
      return logits->data + (gsize) row * (gsize) logits->n_classes;

  return NULL;
}

static void
add_input (EngWalk *self)
{
  EngKind last = eng_spec_get_last_kind (self->spec);
  const EngBlockTrace *block = &self->way->trace->blocks[last];
  int size = self->spec->hidden_size, token = self->way->answer_token;
  EngNode node = {
    .shown = { .id = ENG_NUMBERS_LAST_STATES, .rows = block->n_queries, .columns = size,
               .row_axis = ENG_AXIS_LAST, .column_axis = ENG_AXIS_FEATURES, .stride = (gsize) size,
               .data = block->hidden_states[block->n_layers], .formula = ENG_FORMULA_LAYERS },
    .factor = 1,
    .only_row = -1,
  };
  EngOperand x;

  eng_walk_begin_stage (self, ENG_STAGE_HEAD_INPUT);
  x = eng_operand_row (eng_walk_add (self, &node), MAX (token, 0));
  self->state = eng_operand_row (eng_walk_add_row (self, ENG_NUMBERS_HEAD_INPUT,
                                                   token < 0 ? ENG_FORMULA_MEAN : ENG_FORMULA_COPY,
                                                   &x, 1, 0), 0);
}

static void
add_linear (EngWalk         *self,
            EngNumbersId     id,
            const EngLinear *linear,
            EngAxis          axis,
            const float     *data)
{
  EngNode node = {
    .shown = { .id = id, .rows = 1, .row_axis = ENG_AXIS_ONE, .column_axis = axis,
               .stride = (gsize) linear->out, .data = data },
    .factor = 1,
    .only_row = -1,
  };

  self->state = eng_operand_row (eng_walk_add_linear (self, linear, self->state, node), 0);
}

static void
activate (EngWalk       *self,
          EngNumbersId   id,
          EngActivation  activation)
{
  self->state = eng_operand_row (eng_walk_add_row (self, id, ENG_FORMULA_ACTIVATION, &self->state,
                                                   1, (int) activation), 0);
}

static void
transform (EngWalk *self)
{
  const EngHeadSpec *head = &self->spec->heads[self->way->task];
  const EngHeadWeights *weights = &self->weights->heads[self->way->task];
  EngOperand x = self->state;

  eng_walk_begin_stage (self, ENG_STAGE_TRANSFORM);
  add_linear (self, ENG_NUMBERS_TRANSFORMED, &weights->transform, ENG_AXIS_FEATURES, NULL);
  activate (self, ENG_NUMBERS_ACTIVATED, head->activation);
  if (head->has_residual) {
    add_linear (self, ENG_NUMBERS_REDUCED, &weights->reduce, ENG_AXIS_FEATURES, NULL);

    const EngOperand operands[] = { x, self->state };

    eng_walk_pass (self, ENG_STAGE_RESIDUAL, ENG_NUMBERS_RESIDUAL, ENG_FORMULA_SUM, operands, 2, 1);
  }
  if (head->has_norm)
    self->state = eng_operand_row (eng_walk_add_norm (self, &self->spec->norm, &weights->norm,
                                                      self->state, 1), 0);
}

static void
add_logits (EngWalk *self)
{
  const EngHeadSpec *head = &self->spec->heads[self->way->task];
  const float *logits = find_logits (self);
  EngNode node = {
    .shown = { .id = ENG_NUMBERS_CAPPED, .rows = 1, .columns = head->n_classes,
               .row_axis = ENG_AXIS_ONE, .column_axis = ENG_AXIS_CLASSES,
               .stride = (gsize) head->n_classes, .data = logits, .formula = ENG_FORMULA_CAP },
    .n_operands = 1,
    .factor = head->soft_cap,
    .only_row = -1,
  };

  eng_walk_begin_stage (self, ENG_STAGE_LOGITS);
  add_linear (self, ENG_NUMBERS_LOGITS, &self->weights->heads[self->way->task].output,
              ENG_AXIS_CLASSES, head->soft_cap == 0 ? logits : NULL);
  if (head->soft_cap == 0)
    return;
  node.operands[0] = self->state;
  eng_walk_begin_stage (self, ENG_STAGE_CAP);
  self->state = eng_operand_row (eng_walk_add (self, &node), 0);
}

/* Whether the logits are shares of one, or each a chance of its own; ENG_FORMULA_GIVEN where
 * they are neither: numbers of a regression, or of tokens that compete as beginning and end of
 * an answer. */
static EngFormula
choose_scores (const EngWalk *self)
{
  EngScores scores = eng_model_get_scores (self->way->model);

  if (self->way->task == ENG_TASK_QUESTION_ANSWERING)
    return ENG_FORMULA_GIVEN;
  if (self->way->task == ENG_TASK_REPLACED_TOKENS)
    return ENG_FORMULA_SIGMOID;
  if (self->way->task != ENG_TASK_TEXT_CLASSIFICATION || scores == ENG_SCORES_SOFTMAX)
    return ENG_FORMULA_SOFTMAX;

  return scores == ENG_SCORES_SIGMOID ? ENG_FORMULA_SIGMOID : ENG_FORMULA_GIVEN;
}

/* probabilities: -1 = there are none. */
static void
list_candidates (EngWalk *self,
                 int      logits,
                 int      probabilities)
{
  EngWay *way = self->way;
  const EngNumbers *shown = eng_way_get_numbers (way, logits);

  way->candidates = g_new0 (EngCandidate, N_CANDIDATES);
  way->n_candidates =
    eng_candidates_fill (way->model, way->task, shown->data,
                         probabilities >= 0 ? eng_way_get_numbers (way, probabilities)->data : NULL,
                         shown->columns, N_CANDIDATES, way->candidates);
}

static void
score (EngWalk *self)
{
  EngFormula formula = choose_scores (self);
  int logits = self->state.numbers, probabilities = -1;

  if (formula != ENG_FORMULA_GIVEN) {
    EngOperand operand = self->state;

    eng_walk_pass (self, ENG_STAGE_ANSWER, ENG_NUMBERS_PROBABILITIES, formula, &operand, 1, 1);
    probabilities = self->state.numbers;
  }
  list_candidates (self, logits, probabilities);
}

void
eng_walk_answer (EngWalk *self)
{
  int task = choose_task (self), token = task >= 0 ? choose_token (self, task) : -2;
  const EngHeadSpec *head;

  if (token == -2)
    return;

  self->part = ENG_PART_ANSWER;
  self->way->task = (EngTask) task;
  self->way->answer_token = token;
  head = &self->spec->heads[task];
  eng_lazy_weights_need_head (self->weights->lazy, self->way->task);
  add_input (self);
  if (head->input == ENG_HEAD_POOLED) {
    eng_walk_begin_stage (self, ENG_STAGE_POOLER);
    add_linear (self, ENG_NUMBERS_POOLED_UP, &self->weights->pooler, ENG_AXIS_FEATURES, NULL);
    activate (self, ENG_NUMBERS_POOLED, ENG_ACTIVATION_TANH);
  }
  if (head->scale != 0) {
    EngOperand operand = self->state;

    eng_walk_pass (self, ENG_STAGE_SCALE, ENG_NUMBERS_SCALED, ENG_FORMULA_SCALE, &operand, 1,
                   head->scale);
  }
  if (head->has_transform)
    transform (self);
  add_logits (self);
  score (self);
}
