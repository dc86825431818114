/* SPDX-License-Identifier: MIT */
#include "engine/training/step-private.h"

#include <string.h>

#include "engine/kernels/random.h"

EngStep *
eng_step_new (const EngSpec          *spec,
              const EngWeights       *weights,
              const EngGradients     *gradients,
              const EngStepSettings  *settings,
              GError                **error)
{
  const EngHeadSpec *head = &spec->heads[settings->task];
  EngStep *self;

  if (!head->present || head->input == ENG_HEAD_MEAN || head->input == ENG_HEAD_END ||
      head->has_residual) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
                 "the model has no head of the task %s that can be trained, expected one that "
                 "reads tokens", eng_task_get_name (settings->task));
    return NULL;
  }

  self = g_new0 (EngStep, 1);
  self->spec = spec;
  self->head_spec = head;
  self->head_weights = &weights->heads[settings->task];
  self->pooler = head->input == ENG_HEAD_POOLED ? &weights->pooler : NULL;
  self->settings = *settings;
  self->pieces.gradients = gradients;
  self->head.pieces.gradients = gradients;
  for (int kind = 0; kind < ENG_N_STACKS; kind++) {
    EngStepStack *stack = &self->stacks[kind];

    stack->spec = &spec->stacks[kind];
    stack->weights = &weights->stacks[kind];
    stack->layers = g_new0 (EngStepLayer, stack->spec->n_layers);
  }
  self->last = &self->stacks[eng_spec_get_last_kind (spec)];
  if (eng_spec_has_cross (spec))
    self->last->memory = &self->stacks[ENG_KIND_ENCODER];

  return self;
}

void
eng_step_free (EngStep *self)
{
  eng_arena_clear (&self->arena);
  for (int kind = 0; kind < ENG_N_STACKS; kind++)
    g_free (self->stacks[kind].layers);
  g_free (self);
}

/* The widest rows of all layers of a stack. */
static int
get_widest (const EngStepStack *stack,
            gboolean            heads)
{
  int widest = 0;

  for (int layer = 0; layer < stack->spec->n_layers; layer++) {
    const EngLayerSpec *spec = eng_stack_spec_get_layer (stack->spec, layer);

    widest = MAX (widest, heads ? MAX (eng_attention_spec_get_size (&spec->self),
                                       eng_attention_spec_get_size (&spec->cross))
                                : spec->feed_forward.intermediate_size);
  }

  return widest;
}

static void
lay_out (EngStep *self)
{
  EngStepStack *last = self->last, *memory = last->memory;
  EngArena *arena = &self->arena;
  gsize n = (gsize) eng_step_stack_count_rows (self, last), n_scratch;
  int size = self->spec->hidden_size;
  int wide = get_widest (last, FALSE), heads = get_widest (last, TRUE);
  int widest;

  if (memory) {
    eng_step_stack_lay_out (self, memory);
    n = MAX (n, (gsize) eng_step_stack_count_rows (self, memory));
    wide = MAX (wide, get_widest (memory, FALSE));
    heads = MAX (heads, get_widest (memory, TRUE));
  }
  eng_step_stack_lay_out (self, last);
  n_scratch = MAX (eng_step_stack_n_scratch (self, last),
                   memory ? eng_step_stack_n_scratch (self, memory) : 0);
  self->heads = eng_arena_floats (arena, n_scratch);
  self->branch = eng_arena_floats (arena, n * (gsize) size);
  self->d_read = eng_arena_floats (arena, n * (gsize) size);
  for (int i = 0; i < 4; i++)
    self->d_heads[i] = eng_arena_floats (arena, n * (gsize) heads);
  for (int i = 0; i < 2; i++)
    self->d_wide[i] = eng_arena_floats (arena, n * (gsize) wide);
  widest = MAX (MAX (wide, heads), size);
  eng_pieces_lay_out (&self->pieces, (int) n, widest, widest, ENG_PIECES_TOGETHER, arena);
  eng_step_head_lay_out (self);
}

static gboolean
check_batch (const EngStep   *self,
             const EngBatch  *batch,
             GError         **error)
{
  int longest = eng_spec_get_max_positions (self->spec), n = MAX (batch->n, batch->n_source);

  if (self->spec->embedding.positions != ENG_POSITIONS_NONE && n > longest) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                 "the texts have %d tokens, expected at most the %d that the model has positions "
                 "for", n, longest);
    return FALSE;
  }
  if ((batch->n_source > 0) != (self->last->memory != NULL)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
                 self->last->memory ? "a model of two stacks learns from pairs of texts, expected "
                                      "one that is read and one that is written"
                                    : "a model of one stack learns from texts, expected no pairs");
    return FALSE;
  }

  return TRUE;
}

static void
take_batch (EngStep        *self,
            const EngBatch *batch)
{
  EngStepStack *last = self->last, *memory = last->memory;

  self->batch = batch;
  last->n = batch->n;
  last->ids = batch->ids;
  last->type_ids = batch->type_ids;
  last->visible = batch->visible;
  if (!memory)
    return;
  memory->n = batch->n_source;
  memory->ids = batch->source_ids;
  memory->visible = batch->source_visible;
}

static gboolean
prepare (EngStep         *self,
         const EngBatch  *batch,
         guint64          seed,
         const gint      *cancel,
         GError         **error)
{
  if (!check_batch (self, batch, error))
    return FALSE;

  take_batch (self, batch);
  for (int kind = 0; kind < ENG_N_STACKS; kind++)
    self->stacks[kind].seed = eng_random_key (seed, (guint64) kind);
  self->pieces.cancel = cancel;
  self->head.pieces.cancel = cancel;
  self->head.n = eng_step_head_count (self);
  eng_arena_measure (&self->arena);
  lay_out (self);
  if (!eng_arena_allocate (&self->arena, error))
    return FALSE;
  lay_out (self);

  return TRUE;
}

/* The sum of the losses. */
static double
run_forward (EngStep *self)
{
  if (self->last->memory)
    eng_step_stack_run (self, self->last->memory);
  eng_step_stack_run (self, self->last);

  return eng_step_head_run (self, self->last->output, self->last->d);
}

static void
run_backward (EngStep *self)
{
  EngStepStack *memory = self->last->memory;

  if (memory)
    memset (memory->d, 0, (gsize) eng_step_stack_count_rows (self, memory) *
                          (gsize) self->spec->hidden_size * sizeof (float));
  eng_step_stack_run_backward (self, self->last);
  if (memory)
    eng_step_stack_run_backward (self, memory);
}

gboolean
eng_step_run (EngStep         *self,
              const EngBatch  *batch,
              double           divisor,
              guint64          seed,
              const gint      *cancel,
              double          *loss,
              GError         **error)
{
  self->learns = TRUE;
  self->factor = 1 / divisor;
  if (!prepare (self, batch, seed, cancel, error))
    return FALSE;
  *loss = run_forward (self);
  run_backward (self);

  return TRUE;
}

gboolean
eng_step_evaluate (EngStep         *self,
                   const EngBatch  *batch,
                   const gint      *cancel,
                   double          *loss,
                   GError         **error)
{
  self->learns = FALSE;
  self->factor = 0;
  if (!prepare (self, batch, 0, cancel, error))
    return FALSE;
  *loss = run_forward (self);

  return TRUE;
}
