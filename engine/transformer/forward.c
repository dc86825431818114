/* SPDX-License-Identifier: MIT */
#include "engine/transformer/forward.h"

#include "engine/spec/positions.h"
#include "engine/transformer/heads.h"
#include "engine/transformer/model-private.h"

static int
count_tokens (const EngPass *self,
              EngKind        kind)
{
  return self->tokens[kind] != NULL ? self->tokens[kind]->n : 0;
}

/* The layers of a stack are read by whoever has the trace from the moment that they are ready, its
 * own attention and the one that crosses at once. One that read a file which another program has
 * changed meanwhile is never ready, nor is one behind it. */
static void
layer_done (EngPass *self,
            EngKind  kind,
            int      layer)
{
  EngTrace *trace = self->trace;

  if (!eng_model_check_files (self->model, NULL))
    return;
  g_atomic_int_set (&trace->blocks[kind].layers[layer].ready, 1);
  if (eng_stack_spec_crosses (&self->spec->stacks[kind]))
    g_atomic_int_set (&trace->blocks[ENG_KIND_CROSS].layers[layer].ready, 1);
  if (self->request->layer_done != NULL)
    self->request->layer_done (trace, kind, layer, self->request->data);
}

static void
encoder_layer_done (int      layer,
                    gpointer data)
{
  layer_done (data, ENG_KIND_ENCODER, layer);
}

static void
decoder_layer_done (int      layer,
                    gpointer data)
{
  layer_done (data, ENG_KIND_DECODER, layer);
}

static void
describe_tokens (EngBlockTrace *block,
                 EngTokens     *queries,
                 EngTokens     *keys)
{
  block->query_tokens = eng_tokens_ref (queries);
  block->key_tokens = eng_tokens_ref (keys);
}

static void
describe_stack (EngPass *self,
                EngKind  kind)
{
  EngTokens *tokens = self->tokens[kind];
  const EngRunRequest *request = self->request;
  EngBlockTrace *block = &self->trace->blocks[kind];

  eng_stack_describe_block (self->spec, kind, tokens->n, tokens->n, block);
  describe_tokens (block, tokens, tokens);
  self->stacks[kind] = (EngStackPass) {
    .spec = self->spec,
    .stack = &self->spec->stacks[kind],
    .weights = &self->weights->stacks[kind],
    .kind = kind,
    .edits = request->edits,
    .n_edits = request->n_edits,
    .cancel = request->cancel,
    .n_sequences = 1,
    .n = tokens->n,
    .rows = &self->rows[kind],
    .ids = tokens->ids,
    .type_ids = tokens->type_ids,
    .languages = tokens->languages,
    .hidden_tokens = eng_tokens_has_padding (tokens) ? tokens->padding : NULL,
    .blocks = block,
    .layer_done = kind == ENG_KIND_ENCODER ? encoder_layer_done : decoder_layer_done,
    .data = self,
  };
}

static void
describe_cross (EngPass *self)
{
  EngTokens *queries = self->tokens[ENG_KIND_DECODER];
  EngTokens *keys = self->tokens[ENG_KIND_ENCODER];
  EngBlockTrace *block = &self->trace->blocks[ENG_KIND_CROSS];
  EngStackPass *stack = &self->stacks[ENG_KIND_DECODER];

  eng_stack_describe_block (self->spec, ENG_KIND_CROSS, queries->n, keys->n, block);
  describe_tokens (block, queries, keys);
  self->cross.n = keys->n;
  self->cross.hidden_tokens = eng_tokens_has_padding (keys) ? keys->padding : NULL;
  stack->cross = &self->cross;
  stack->cross_blocks = block;
}

void
eng_forward_describe (EngPass *self)
{
  EngKind first = eng_spec_get_first_kind (self->spec);

  self->tokens[first] = self->request->tokens;
  if (eng_spec_has_cross (self->spec))
    self->tokens[ENG_KIND_DECODER] = self->request->decoder_tokens;

  for (int kind = 0; kind < ENG_N_STACKS; kind++)
    if (self->tokens[kind] != NULL)
      describe_stack (self, (EngKind) kind);
  if (eng_spec_has_cross (self->spec))
    describe_cross (self);
  eng_heads_describe (self);
}

void
eng_forward_lay_out_trace (EngPass  *self,
                           EngArena *arena)
{
  for (int kind = 0; kind < ENG_N_STACKS; kind++)
    if (self->tokens[kind] != NULL)
      eng_stack_rows_lay_out (&self->rows[kind], self->spec, (EngKind) kind,
                              self->tokens[kind]->n, TRUE, arena);
  if (eng_spec_has_cross (self->spec))
    eng_cross_rows_lay_out (&self->cross, self->spec, self->cross.n, arena);
  for (int kind = 0; kind < ENG_N_STACKS; kind++)
    if (self->tokens[kind] != NULL)
      eng_stack_lay_out_block (&self->stacks[kind], self->keep_attention, arena);

  for (int task = 0; task < ENG_N_TASKS; task++) {
    const EngLogitsTrace *logits = &self->trace->logits[task];

    if (logits->n_positions > 0)
      self->logits[task] = eng_arena_floats (arena, (gsize) logits->n_positions *
                                                    logits->n_classes);
  }
}

void
eng_forward_lay_out_scratch (EngPass  *self,
                             EngArena *arena)
{
  gsize n = MAX (count_tokens (self, ENG_KIND_ENCODER), count_tokens (self, ENG_KIND_DECODER));

  for (int kind = 0; kind < ENG_N_STACKS; kind++)
    if (self->tokens[kind] != NULL) {
      self->positions[kind] = eng_arena_take (arena, self->tokens[kind]->n * sizeof (gint32));
      eng_stack_lay_out_scratch (&self->stacks[kind], arena);
    }
  self->gathered = eng_arena_floats (arena, n * self->spec->hidden_size);
  self->transformed = eng_arena_floats (arena, n * eng_spec_get_head_size (self->spec));
}

static void
read_encoder (EngPass *self)
{
  const EngStackPass *encoder = &self->stacks[ENG_KIND_ENCODER];
  const EngStackPass *decoder = &self->stacks[ENG_KIND_DECODER];
  EngInterventions edits = eng_stack_get_interventions (decoder, ENG_KIND_CROSS, 0);

  eng_stack_read_encoder (self->spec, decoder->weights, &edits, eng_stack_get_output (encoder),
                          encoder->products, self->request->cancel, &self->cross);
}

gboolean
eng_forward_run (EngPass *self)
{
  for (int kind = 0; kind < ENG_N_STACKS; kind++) {
    EngStackPass *stack = &self->stacks[kind];

    if (self->tokens[kind] == NULL)
      continue;

    eng_positions_fill (self->spec, stack->ids, stack->n, self->positions[kind]);
    stack->positions = self->positions[kind];
    if (stack->cross != NULL)
      read_encoder (self);
    if (!eng_stack_run (stack))
      return FALSE;
  }
  eng_heads_run (self);
  return !eng_pass_is_cancelled (self);
}
