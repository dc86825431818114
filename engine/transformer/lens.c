/* SPDX-License-Identifier: MIT */
#include "engine/transformer/lens.h"

#include <string.h>

#include "engine/base/error.h"
#include "engine/families/lazy-weights.h"
#include "engine/kernels/arena.h"
#include "engine/transformer/heads.h"
#include "engine/transformer/model-private.h"
#include "engine/transformer/rows.h"
#include "engine/transformer/stack.h"

typedef struct {
  const EngSpec    *spec;
  const EngWeights *weights;
  EngTask           task;
  EngKind           kind;        /* of the stack that the head reads */
  int               n_rows;
  int               n_classes;
  const int        *positions;   /* [n_rows] */
  EngArena          arena;
  float            *gathered;    /* [n_rows, D] */
  float            *transformed; /* [n_rows, head size] */
  float            *products;
} Lens;

static void
lay_out (Lens *self)
{
  gsize n = (gsize) self->n_rows;

  self->gathered = eng_arena_floats (&self->arena, n * (gsize) self->spec->hidden_size);
  self->transformed = eng_arena_floats (&self->arena,
                                        n * (gsize) eng_spec_get_head_size (self->spec));
  self->products = eng_arena_floats (&self->arena,
                                     eng_stack_n_head_scratch (self->spec, MAX (self->n_rows, 1)));
}

static gboolean
allocate (Lens    *self,
          GError **error)
{
  eng_arena_measure (&self->arena);
  lay_out (self);
  if (!eng_arena_allocate (&self->arena, error))
    return FALSE;
  lay_out (self);

  return TRUE;
}

/* The rows that the head reads, behind the norm that ends the stack. */
static void
gather (Lens            *self,
        const EngMatrix *states,
        gboolean         is_last)
{
  const int size = self->spec->hidden_size;
  const EngRows rows = { self->n_rows, size, NULL };
  const EngStackSpec *stack = &self->spec->stacks[self->kind];

  for (int i = 0; i < self->n_rows; i++)
    memcpy (self->gathered + (gsize) i * (gsize) size,
            states->data + (gsize) self->positions[i] * states->stride,
            (gsize) size * sizeof (float));
  if (is_last || !stack->final_norm)
    return;
  eng_lazy_weights_need (self->weights->lazy, self->kind, stack->n_layers);
  eng_rows_add_norm (&rows, &self->spec->norm, &self->weights->stacks[self->kind].final_norm,
                     self->gathered, NULL, self->gathered);
}

static gboolean
begin (Lens            *self,
       const EngModel  *model,
       EngTrace        *trace,
       int              index,
       EngMatrix       *states,
       GError         **error)
{
  self->spec = eng_model_get_spec (model);
  self->weights = eng_model_get_weights (model);
  self->kind = eng_spec_get_last_kind (self->spec);
  if (self->spec->heads[self->task].input != ENG_HEAD_TOKENS || self->positions == NULL) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING,
                 "the trace holds no logits of tokens for %s", eng_task_get_name (self->task));
    return FALSE;
  }
  if (!eng_trace_get_hidden_states (trace, self->kind, index, states)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                 "there are no hidden states %d, expected 0 to %d", index,
                 self->spec->stacks[self->kind].n_layers);
    return FALSE;
  }

  return TRUE;
}

/* The head over the rows that positions name. */
static float *
read_rows (Lens            *self,
           const EngModel  *model,
           EngTrace        *trace,
           int              index,
           GError         **error)
{
  EngMatrix states;
  float *logits;

  if (!begin (self, model, trace, index, &states, error) || !allocate (self, error))
    return NULL;
  gather (self, &states, index == self->spec->stacks[self->kind].n_layers);
  logits = g_new (float, (gsize) self->n_rows * (gsize) self->n_classes);
  eng_heads_apply (self->spec, self->weights, self->task, self->gathered, self->n_rows,
                   self->gathered, self->transformed, self->products, NULL, logits);
  eng_arena_clear (&self->arena);

  return logits;
}

float *
eng_lens_read (const EngModel  *model,
               EngTrace        *trace,
               EngTask          task,
               int              index,
               GError         **error)
{
  Lens self = { .task = task };
  EngMatrix logits;

  if (eng_trace_get_logits (trace, task, &logits, &self.positions)) {
    self.n_rows = logits.rows;
    self.n_classes = logits.cols;
  }

  return read_rows (&self, model, trace, index, error);
}

float *
eng_lens_read_token (const EngModel  *model,
                     EngTrace        *trace,
                     EngTask          task,
                     int              index,
                     int              token,
                     int             *n_classes,
                     GError         **error)
{
  const EngHeadSpec *head = &eng_model_get_spec (model)->heads[task];
  Lens self = { .task = task, .n_rows = 1, .n_classes = head->n_classes,
                .positions = head->present ? &token : NULL };

  *n_classes = head->n_classes;

  return read_rows (&self, model, trace, index, error);
}
