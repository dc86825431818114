/* SPDX-License-Identifier: MIT */
/* The task head of a step: gathers the rows that are asked something, since masked words are few of
 * all, and makes logits of some at a time, since these are as wide as the vocabulary. */
#include "engine/training/step-private.h"

#include "engine/kernels/random.h"
#include "engine/training/span-loss.h"

#include <string.h>

#define BLOCK_ROWS 512

/* Features that the output reads. */
static int
get_width (const EngStep *self)
{
  return self->head_weights->output.in;
}

/* Whether the tokens of a text stand against each other, and not the classes of a token. */
static gboolean
asks_spans (const EngStep *self)
{
  return self->settings.task == ENG_TASK_QUESTION_ANSWERING;
}

static gboolean
has_label (const EngStep *self,
           int            row)
{
  return self->batch->labels[row] != ENG_NO_LABEL;
}

/* The row of a text's label; -1 = it has none. */
static int
find_label (const EngStep *self,
            int            sequence)
{
  int n = self->batch->n;

  for (int row = sequence * n; row < (sequence + 1) * n; row++)
    if (has_label (self, row))
      return row;

  return -1;
}

static gboolean
reads (const EngStep *self,
       int            row)
{
  const guint8 *visible = self->batch->visible;

  if (!asks_spans (self))
    return has_label (self, row);

  return (visible == NULL || visible[row]) && find_label (self, row / self->batch->n) >= 0;
}

int
eng_step_head_count (const EngStep *self)
{
  int n = 0;

  for (int row = 0; row < self->batch->n_sequences * self->batch->n; row++)
    n += reads (self, row);

  return n;
}

/* Rows that have logits at a time. */
static int
get_block (const EngStep *self)
{
  return asks_spans (self) ? self->head.n : MIN (self->head.n, BLOCK_ROWS);
}

/* Of what a classifier reads. */
static EngDropout
get_dropout (const EngStep *self)
{
  gboolean drops = self->learns && (self->settings.task == ENG_TASK_TEXT_CLASSIFICATION ||
                                    self->settings.task == ENG_TASK_ENTITIES);

  return (EngDropout) { drops ? self->settings.hidden_dropout : 0,
                        eng_random_key (self->last->seed, G_MAXUINT64) };
}

void
eng_step_head_lay_out (EngStep *self)
{
  EngStepHead *head = &self->head;
  EngArena *arena = &self->arena;
  gsize n = (gsize) head->n, size = (gsize) self->spec->hidden_size;
  gsize width = (gsize) get_width (self), n_block = (gsize) get_block (self);
  int n_classes = self->head_spec->n_classes;

  head->rows = eng_arena_take (arena, n * sizeof (int));
  head->labels = eng_arena_take (arena, n * sizeof (gint32));
  head->gathered = eng_arena_floats (arena, n * size);
  head->pooler_sum = self->pooler ? eng_arena_floats (arena, n * size) : NULL;
  head->pooled = self->pooler ? eng_arena_floats (arena, n * size) : NULL;
  head->transformed = self->head_spec->has_transform ? eng_arena_floats (arena, n * width) : NULL;
  head->active = self->head_spec->has_transform ? eng_arena_floats (arena, n * width) : NULL;
  head->normed = self->head_spec->has_norm ? eng_arena_floats (arena, n * width) : NULL;
  head->logits = eng_arena_floats (arena, n_block * (gsize) n_classes);
  head->gradients = eng_arena_floats (arena, n * MAX (size, width));
  head->losses = eng_arena_take (arena, n_block * sizeof (double));
  eng_pieces_lay_out (&head->pieces, (int) n_block, n_classes, (int) width, 1, arena);
}

static void
gather (EngStep     *self,
        const float *hidden)
{
  EngStepHead *head = &self->head;
  gsize size = (gsize) self->spec->hidden_size;
  int n = 0;

  for (int row = 0; row < self->batch->n_sequences * self->batch->n; row++)
    if (reads (self, row)) {
      head->rows[n] = row;
      head->labels[n] = self->batch->labels[row];
      memcpy (head->gathered + (gsize) n * size, hidden + row * size, size * sizeof (float));
      n++;
    }
}

/* gathered [L, D] → pooled [L, D] */
static void
pool (EngStep *self)
{
  const EngStepHead *head = &self->head;

  if (!self->pooler)
    return;
  eng_piece_linear (&self->pieces, self->pooler, head->gathered, head->n, head->pooler_sum);
  eng_piece_activate (&self->pieces, ENG_ACTIVATION_TANH, NULL, head->pooler_sum, head->n,
                      self->pooler->out, head->pooled);
}

/* What the output reads, [L, E]. */
static float *
transform (EngStep *self)
{
  const EngStepHead *head = &self->head;
  float *x = self->pooler ? head->pooled : head->gathered;
  EngDropout dropout = get_dropout (self);
  int width = get_width (self);

  pool (self);
  if (head->transformed != NULL) {
    eng_piece_linear (&self->pieces, &self->head_weights->transform, x, head->n,
                      head->transformed);
    eng_piece_activate (&self->pieces, self->head_spec->activation, NULL, head->transformed,
                        head->n, width, head->active);
    x = head->active;
  }
  if (head->normed != NULL) {
    eng_piece_norm (&self->pieces, &self->spec->norm, &self->head_weights->norm, x, head->n, width,
                    head->normed);
    x = head->normed;
  }
  if (dropout.rate > 0)
    eng_piece_drop (&self->pieces, &dropout, x, head->n, width, x);

  return x;
}

/* d [L, E] of what the pooler gives becomes that of the gathered rows. */
static void
pool_backward (EngStep *self,
               float   *d)
{
  const EngStepHead *head = &self->head;

  if (!self->pooler)
    return;
  /* As below. */
  eng_piece_activate_backward (&self->pieces, ENG_ACTIVATION_TANH, NULL, head->pooler_sum, d,
                               head->n, self->pooler->out, NULL, head->pooled);
  eng_piece_linear_backward (&self->pieces, self->pooler, head->gathered, head->pooled, head->n,
                             FALSE, d);
}

/* d [L, E] of what the output reads becomes d of the gathered rows, [L, D]. */
static void
transform_backward (EngStep *self,
                    float   *d)
{
  const EngStepHead *head = &self->head;
  const float *read = self->pooler ? head->pooled : head->gathered;
  const float *normed_x = head->active != NULL ? head->active : read;
  EngDropout dropout = get_dropout (self);
  int width = get_width (self);

  if (dropout.rate > 0)
    eng_piece_drop (&self->pieces, &dropout, d, head->n, width, d);
  if (head->normed != NULL)
    eng_piece_norm_backward (&self->pieces, &self->spec->norm, &self->head_weights->norm, normed_x,
                             d, head->n, width, d);
  if (head->transformed != NULL) {
    /* The activations are of no more use: their place takes the gradient before them. */
    eng_piece_activate_backward (&self->pieces, self->head_spec->activation, NULL,
                                 head->transformed, d, head->n, width, NULL, head->active);
    eng_piece_linear_backward (&self->pieces, &self->head_weights->transform, read, head->active,
                               head->n, FALSE, d);
  }
  pool_backward (self, d);
}

static void
scatter (EngStep     *self,
         const float *rows,
         float       *d)
{
  const EngStepHead *head = &self->head;
  gsize size = (gsize) self->spec->hidden_size;

  memset (d, 0, (gsize) self->batch->n_sequences * (gsize) self->batch->n * size * sizeof (float));
  for (int i = 0; i < head->n; i++)
    memcpy (d + head->rows[i] * size, rows + i * size, size * sizeof (float));
}

/* Of the logits of rows [first, first + n), which become their gradients. */
static double
run_loss (EngStep *self,
          int      first,
          int      n)
{
  const EngStepHead *head = &self->head;
  int n_classes = self->head_weights->output.out, n_tokens = self->batch->n;
  double loss = 0;

  if (!asks_spans (self))
    return eng_piece_cross_entropy (&head->pieces, head->logits, head->labels + first, n, n_classes,
                                    self->learns ? self->settings.smoothing : 0, self->factor,
                                    head->losses);

  for (int i = 0, next; i < n; i = next) {
    int sequence = head->rows[i] / n_tokens, label = find_label (self, sequence);
    int start = -1, end = -1;

    for (next = i; next < n && head->rows[next] / n_tokens == sequence; next++) {
      start = head->rows[next] == label ? next - i : start;
      end = head->rows[next] % n_tokens == self->batch->labels[label] ? next - i : end;
    }
    loss += eng_span_loss (head->logits + i * n_classes, next - i, start, end, self->factor);
  }

  return loss;
}

double
eng_step_head_run (EngStep     *self,
                   const float *hidden,
                   float       *d)
{
  EngStepHead *head = &self->head;
  const EngLinear *output = &self->head_weights->output;
  gsize width = (gsize) get_width (self);
  const float *x;
  double loss = 0;

  gather (self, hidden);
  x = head->n > 0 ? transform (self) : NULL;
  for (int first = 0; first < head->n; first += get_block (self)) {
    int n = MIN (get_block (self), head->n - first);
    const float *read = x + first * width;

    eng_piece_linear (&head->pieces, output, read, n, head->logits);
    loss += run_loss (self, first, n);
    if (self->learns)
      eng_piece_linear_backward (&head->pieces, output, read, head->logits, n, FALSE,
                                 head->gradients + first * width);
  }
  if (self->learns && head->n > 0)
    transform_backward (self, head->gradients);
  if (self->learns)
    scatter (self, head->gradients, d);

  return loss;
}
