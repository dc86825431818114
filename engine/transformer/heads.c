/* SPDX-License-Identifier: MIT */
#include "engine/transformer/heads.h"

#include <string.h>

#include "engine/families/lazy-weights.h"
#include "engine/kernels/linalg.h"
#include "engine/kernels/nn.h"

static gboolean
is_wanted (const EngPass *self,
           int            task)
{
  return self->spec->heads[task].present && (self->request->tasks & (1u << task)) != 0;
}

/* The last token that is no padding. */
static int
find_last (const EngTokens *tokens)
{
  int last = tokens->n - 1;

  while (last > 0 && tokens->padding[last])
    last--;
  return last;
}

/* The last token that is not the padding's, also where that was typed: who trained the head told
 * padding by its id alone. */
static int
find_last_typed (const EngSpec   *spec,
                 const EngTokens *tokens)
{
  int last = find_last (tokens);

  while (last > 0 && tokens->ids[last] == spec->pad_id)
    last--;
  return last;
}

/* The decoder's row of the end token's own number. It has read what stands before the end token,
 * not the token itself, because a start token comes first: this is how the heads were trained. */
static int
find_end (const EngPass *self)
{
  const EngTokens *tokens = self->request->tokens;
  int last = MIN (tokens->n, self->tokens[eng_spec_get_last_kind (self->spec)]->n) - 1;

  for (int i = last; i >= 0; i--)
    if (tokens->ids[i] == self->spec->end_id)
      return i;
  return last;
}

static gboolean
reads_token (const EngPass *self,
             int            task,
             int            token)
{
  const EngTokens *tokens = self->tokens[eng_spec_get_last_kind (self->spec)];

  switch (self->spec->heads[task].input) {
  case ENG_HEAD_POOLED:
  case ENG_HEAD_FIRST:
  case ENG_HEAD_MEAN:
    return token == 0;
  case ENG_HEAD_LAST:
    return token == find_last_typed (self->spec, tokens);
  case ENG_HEAD_END:
    return token == find_end (self);
  case ENG_HEAD_TOKENS:
  default:
    break;
  }
  if (task == ENG_TASK_FILL_MASK && !self->request->all_positions)
    return tokens->ids[token] == self->mask_id;
  if (task == ENG_TASK_LANGUAGE_MODEL && !self->request->all_positions)
    return token == find_last (tokens);
  return TRUE;
}

/* mean [D] of the rows of hidden [n, D] that are no padding. */
static void
average (const EngTokens *tokens,
         const float     *hidden,
         gsize            size,
         float           *mean)
{
  int n = 0;

  for (int token = 0; token < tokens->n; token++)
    n += !tokens->padding[token];
  for (gsize column = 0; column < size; column++) {
    double sum = 0;

    for (int token = 0; token < tokens->n; token++)
      if (!tokens->padding[token])
        sum += (double) hidden[token * size + column];
    mean[column] = (float) (sum / MAX (n, 1));
  }
}

/* The rows that a head reads, [n_positions, D]: the last hidden state itself when it reads all of
 * it. */
static const float *
gather_inputs (const EngPass *self,
               int            task,
               const float   *hidden)
{
  const EngStackPass *stack = &self->stacks[eng_spec_get_last_kind (self->spec)];
  const EngLogitsTrace *logits = &self->trace->logits[task];

  if (self->spec->heads[task].input != ENG_HEAD_POOLED && logits->n_positions == stack->n)
    return hidden;

  eng_heads_gather (self->spec, self->weights, (EngTask) task,
                    self->tokens[eng_spec_get_last_kind (self->spec)], hidden, logits->positions,
                    logits->n_positions, stack->products, self->request->cancel, self->gathered);
  return self->gathered;
}

static void
run_head (EngPass *self,
          int      task)
{
  EngLogitsTrace *logits = &self->trace->logits[task];
  const EngStackPass *stack = &self->stacks[eng_spec_get_last_kind (self->spec)];
  const float *x = gather_inputs (self, task, eng_stack_get_output (stack));

  eng_heads_apply (self->spec, self->weights, (EngTask) task, x, logits->n_positions,
                   self->gathered, self->transformed, stack->products, self->request->cancel,
                   self->logits[task]);

  /* A reader may already have the trace from a layer that was done; it never sees unfinished
   * numbers. */
  if (!eng_pass_is_cancelled (self))
    g_atomic_pointer_set (&logits->data, self->logits[task]);
}

void
eng_heads_describe (EngPass *self)
{
  int n = self->tokens[eng_spec_get_last_kind (self->spec)]->n;

  for (int task = 0; task < ENG_N_TASKS; task++) {
    EngLogitsTrace *logits = &self->trace->logits[task];

    if (!is_wanted (self, task))
      continue;
    logits->positions = g_new (int, n);
    logits->n_classes = self->spec->heads[task].n_classes;
    for (int token = 0; token < n; token++)
      if (reads_token (self, task, token))
        logits->positions[logits->n_positions++] = token;
  }
}

void
eng_heads_run (EngPass *self)
{
  for (int task = 0; task < ENG_N_TASKS; task++)
    if (self->trace->logits[task].n_positions > 0)
      run_head (self, task);
}

void
eng_heads_gather (const EngSpec    *spec,
                  const EngWeights *weights,
                  EngTask           task,
                  const EngTokens  *tokens,
                  const float      *hidden,
                  const int        *positions,
                  int               n_positions,
                  float            *products,
                  const gint       *cancel,
                  float            *gathered)
{
  gsize size = spec->hidden_size;
  EngProduct pool = { &weights->pooler, gathered };

  eng_lazy_weights_need_head (weights->lazy, task);
  if (spec->heads[task].input == ENG_HEAD_POOLED) {
    eng_products (&pool, 1, hidden, 1, ENG_ACTIVATION_TANH, products, cancel);
    return;
  }
  if (spec->heads[task].input == ENG_HEAD_MEAN) {
    average (tokens, hidden, size, gathered);
    return;
  }
  for (int i = 0; i < n_positions; i++)
    memcpy (gathered + i * size, hidden + positions[i] * size, size * sizeof (float));
}

void
eng_heads_apply (const EngSpec    *spec,
                 const EngWeights *weights,
                 EngTask           task,
                 const float      *x,
                 int               n,
                 float            *scaled,
                 float            *transformed,
                 float            *products,
                 const gint       *cancel,
                 float            *logits)
{
  const EngHeadSpec *head = &spec->heads[task];
  const EngHeadWeights *parts = &weights->heads[task];
  gsize size = head->has_residual ? spec->hidden_size : parts->transform.out;
  EngProduct transform = { &parts->transform, transformed };
  EngProduct output = { &parts->output, logits };

  eng_lazy_weights_need_head (weights->lazy, task);
  if (head->scale != 0) {
    for (gsize i = 0; i < (gsize) n * spec->hidden_size; i++)
      scaled[i] = x[i] * (float) head->scale;
    x = scaled;
  }
  if (head->has_residual)
    eng_product_pair (&parts->transform, head->activation, &parts->reduce, x, n, products,
                      transformed, cancel);
  else if (head->has_transform)
    eng_products (&transform, 1, x, n, head->activation, products, cancel);
  for (int row = 0; row < n && head->has_transform && head->has_norm; row++)
    eng_norm (spec->norm.kind, spec->norm.eps, &parts->norm, transformed + row * size,
              head->has_residual ? x + row * size : NULL, (int) size, transformed + row * size);
  if (head->has_transform)
    x = transformed;
  eng_products (&output, 1, x, n, ENG_ACTIVATION_LINEAR, products, cancel);
  if (head->soft_cap == 0)
    return;
  eng_soft_cap (logits, (gsize) n * head->n_classes, 1, head->soft_cap);
  for (gsize i = 0; i < (gsize) n * head->n_classes; i++)
    logits[i] *= (float) head->soft_cap;
}
