/* SPDX-License-Identifier: MIT */
#include "engine/heads.h"

#include <string.h>

#include "engine/linalg.h"

static gboolean
is_wanted (const EngPass *self,
           int            task)
{
  return self->spec->heads[task].present && (self->request->tasks & (1u << task)) != 0;
}

static gboolean
reads_token (const EngPass *self,
             int            task,
             int            token)
{
  if (self->spec->heads[task].input == ENG_HEAD_POOLED)
    return token == 0;
  if (task == ENG_TASK_FILL_MASK && !self->request->all_positions)
    return self->request->tokens->ids[token] == self->mask_id;
  return TRUE;
}

/* The rows that a head reads, [n_positions, D]: the last hidden state itself when it reads all of
 * it. */
static const float *
gather_inputs (const EngPass *self,
               int            task,
               const float   *hidden)
{
  const EngLogitsTrace *logits = &self->trace->logits[task];
  gsize size = self->spec->hidden_size;
  EngProduct pool = { &self->weights->pooler, self->gathered };

  if (self->spec->heads[task].input == ENG_HEAD_POOLED) {
    eng_products (&pool, 1, hidden, 1, ENG_ACTIVATION_TANH, self->products,
                  self->request->cancel);
    return self->gathered;
  }
  if (logits->n_positions == self->n)
    return hidden;

  for (int i = 0; i < logits->n_positions; i++)
    memcpy (self->gathered + i * size, hidden + logits->positions[i] * size, size * sizeof (float));
  return self->gathered;
}

/* x [n, D] → transformed [n, D] = norm (activation (x · Wᵀ + b)) */
static const float *
transform (const EngPass *self,
           int            task,
           const float   *x,
           int            n)
{
  const EngHeadWeights *weights = &self->weights->heads[task];
  gsize size = weights->transform.out;
  EngProduct product = { &weights->transform, self->transformed };

  eng_products (&product, 1, x, n, self->spec->heads[task].activation,
                self->products, self->request->cancel);
  for (int row = 0; row < n; row++)
    eng_norm (self->spec->norm_kind, self->spec->norm_eps, &weights->norm,
              self->transformed + row * size, NULL, weights->transform.out,
              self->transformed + row * size);
  return self->transformed;
}

static void
run_head (EngPass *self,
          int      task)
{
  EngLogitsTrace *logits = &self->trace->logits[task];
  const float *hidden = self->block->hidden_states[self->spec->n_layers];
  const float *x = gather_inputs (self, task, hidden);
  EngProduct output = { &self->weights->heads[task].output, self->logits[task] };

  if (self->spec->heads[task].has_transform)
    x = transform (self, task, x, logits->n_positions);
  eng_products (&output, 1, x, logits->n_positions, ENG_ACTIVATION_LINEAR,
                self->products, self->request->cancel);

  /* A reader may already have the trace from a layer that was done; it never sees unfinished
   * numbers. */
  if (!eng_pass_is_cancelled (self))
    g_atomic_pointer_set (&logits->data, self->logits[task]);
}

void
eng_heads_describe (EngPass *self)
{
  for (int task = 0; task < ENG_N_TASKS; task++) {
    EngLogitsTrace *logits = &self->trace->logits[task];

    if (!is_wanted (self, task))
      continue;
    logits->positions = g_new (int, self->n);
    logits->n_classes = self->spec->heads[task].n_classes;
    for (int token = 0; token < self->n; token++)
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
