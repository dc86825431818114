/* SPDX-License-Identifier: MIT */
/* The task head of a step: gathers the rows that are asked something, since masked words are few of
 * all, and makes logits of some at a time, since these are as wide as the vocabulary. */
#include "engine/training/step-private.h"

#include <string.h>

#define BLOCK_ROWS 512

/* Features that the output reads. */
static int
get_width (const EngStep *self)
{
  return self->head_weights->output.in;
}

void
eng_step_head_lay_out (EngStep *self)
{
  EngStepHead *head = &self->head;
  EngArena *arena = &self->arena;
  gsize n = (gsize) head->n, size = (gsize) self->spec->hidden_size;
  gsize width = (gsize) get_width (self), n_block = MIN (n, BLOCK_ROWS);
  int n_classes = self->head_spec->n_classes;

  head->rows = eng_arena_take (arena, n * sizeof (int));
  head->labels = eng_arena_take (arena, n * sizeof (gint32));
  head->gathered = eng_arena_floats (arena, n * size);
  head->transformed = self->head_spec->has_transform ? eng_arena_floats (arena, n * width) : NULL;
  head->active = self->head_spec->has_transform ? eng_arena_floats (arena, n * width) : NULL;
  head->normed = self->head_spec->has_norm ? eng_arena_floats (arena, n * width) : NULL;
  head->logits = eng_arena_floats (arena, n_block * (gsize) n_classes);
  head->gradients = eng_arena_floats (arena, n * MAX (size, width));
  head->losses = eng_arena_take (arena, n_block * sizeof (double));
  eng_pieces_lay_out (&head->pieces, (int) n_block, n_classes, (int) width, arena);
}

static void
gather (EngStep     *self,
        const float *hidden)
{
  EngStepHead *head = &self->head;
  gsize size = (gsize) self->spec->hidden_size;
  int n = 0;

  for (int row = 0; row < self->batch->n_sequences * self->batch->n; row++)
    if (self->batch->labels[row] != ENG_NO_LABEL) {
      head->rows[n] = row;
      head->labels[n] = self->batch->labels[row];
      memcpy (head->gathered + (gsize) n * size, hidden + row * size, size * sizeof (float));
      n++;
    }
}

/* What the output reads, [L, E]. */
static const float *
transform (EngStep *self)
{
  const EngStepHead *head = &self->head;
  const float *x = head->gathered;
  int width = get_width (self);

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

  return x;
}

/* d [L, E] of what the output reads becomes d of the gathered rows, [L, D]. */
static void
transform_backward (EngStep *self,
                    float   *d)
{
  const EngStepHead *head = &self->head;
  const float *normed_x = head->active != NULL ? head->active : head->gathered;
  int width = get_width (self);

  if (head->normed != NULL)
    eng_piece_norm_backward (&self->pieces, &self->spec->norm, &self->head_weights->norm, normed_x,
                             d, head->n, width, d);
  if (head->transformed == NULL)
    return;
  /* The activations are of no more use: their place takes the gradient before them. */
  eng_piece_activate_backward (&self->pieces, self->head_spec->activation, NULL, head->transformed,
                               d, head->n, width, NULL, head->active);
  eng_piece_linear_backward (&self->pieces, &self->head_weights->transform, head->gathered,
                             head->active, head->n, FALSE, d);
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
  for (int first = 0; first < head->n; first += BLOCK_ROWS) {
    int n = MIN (BLOCK_ROWS, head->n - first);
    const float *read = x + first * width;

    eng_piece_linear (&head->pieces, output, read, n, head->logits);
    loss += eng_piece_cross_entropy (&head->pieces, head->logits, head->labels + first, n,
                                     output->out, self->learns ? self->settings.smoothing : 0,
                                     self->factor, head->losses);
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
