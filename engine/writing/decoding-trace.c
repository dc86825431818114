/* SPDX-License-Identifier: MIT */
/* The trace of a decoding: blocks that point to the rows which it keeps. */
#include "engine/writing/decoding-private.h"

#include "engine/transformer/session-private.h"

static void
set_tokens (EngBlockTrace *block,
            EngTokens     *queries,
            EngTokens     *keys)
{
  block->query_tokens = eng_tokens_ref (queries);
  block->key_tokens = eng_tokens_ref (keys);
}

static void
set_ready (EngTrace *trace)
{
  for (int kind = 0; kind < ENG_N_KINDS; kind++)
    for (int layer = 0; trace->blocks[kind].present && layer < trace->blocks[kind].n_layers;
         layer++)
      g_atomic_int_set (&trace->blocks[kind].layers[layer].ready, 1);
}

/* Blocks of a trace that show the rows of the first sequence, without masks and bias. */
static void
describe_trace (EngDecoding  *self,
                EngTrace     *trace,
                EngStackPass  passes[ENG_N_STACKS])
{
  EngStackPass *pass = &passes[ENG_KIND_DECODER];
  int n = self->n_tokens;
  g_autoptr (EngTokens) tokens = eng_inputs_append (self->model, self->start,
                                                    self->ids + self->start->n,
                                                    n - self->start->n);

  eng_stack_describe_block (self->spec, ENG_KIND_DECODER, n, n, &trace->blocks[ENG_KIND_DECODER]);
  set_tokens (&trace->blocks[ENG_KIND_DECODER], tokens, tokens);
  *pass = eng_decoding_describe_pass (self, ENG_KIND_DECODER);
  pass->n = n;
  pass->rows = self->rows;
  pass->blocks = &trace->blocks[ENG_KIND_DECODER];
  if (!self->source)
    return;

  eng_stack_describe_block (self->spec, ENG_KIND_CROSS, n, self->source->n,
                            &trace->blocks[ENG_KIND_CROSS]);
  set_tokens (&trace->blocks[ENG_KIND_CROSS], tokens, self->source);
  pass->cross = &self->cross;
  pass->cross_blocks = &trace->blocks[ENG_KIND_CROSS];

  eng_stack_describe_block (self->spec, ENG_KIND_ENCODER, self->source->n, self->source->n,
                            &trace->blocks[ENG_KIND_ENCODER]);
  set_tokens (&trace->blocks[ENG_KIND_ENCODER], self->source, self->source);
  eng_decoding_describe_encoder_pass (self, &trace->blocks[ENG_KIND_ENCODER],
                                      &passes[ENG_KIND_ENCODER]);
}

/* What follows the last token. */
static void
copy_logits (const EngDecoding *self,
             EngTrace          *trace)
{
  EngLogitsTrace *logits = &trace->logits[ENG_TASK_LANGUAGE_MODEL];
  int n_classes = eng_decoding_get_n_classes (self);
  const gsize n_bytes = n_classes * sizeof (float);
  float *data = g_memdup2 (eng_decoding_get_logits (self, 0), n_bytes);

  eng_trace_keep (trace, data, n_bytes, g_free);
  logits->data = data;
  logits->n_positions = 1;
  logits->n_classes = n_classes;
  logits->positions = g_new (int, 1);
  logits->positions[0] = self->n_tokens - 1;
}

EngTrace *
eng_decoding_dup_trace (EngDecoding *self,
                        const char  *text_a,
                        const char  *text_b)
{
  EngTrace *trace = eng_trace_new ();
  EngArena *arena = eng_arena_new ();
  EngRunRequest request = {
    .text_a = text_a, .text_b = text_b, .edits = self->edits, .n_edits = self->n_edits,
  };
  EngStackPass passes[ENG_N_STACKS] = { 0 };
  gboolean allocated;

  eng_session_describe_run (trace, self->model, &request);
  eng_trace_keep (trace, eng_decoding_storage_ref (self->storage), 0, eng_decoding_storage_unref);
  describe_trace (self, trace, passes);

  eng_arena_measure (arena);
  for (int kind = 0; kind < ENG_N_STACKS; kind++)
    if (passes[kind].spec)
      eng_stack_lay_out_block (&passes[kind], FALSE, arena);
  allocated = eng_arena_allocate (arena, NULL);
  eng_trace_keep (trace, arena, arena->n_bytes, (GDestroyNotify) eng_arena_free);
  if (!allocated) {
    eng_trace_unref (trace);
    return NULL;
  }
  for (int kind = 0; kind < ENG_N_STACKS; kind++)
    if (passes[kind].spec) {
      eng_stack_lay_out_block (&passes[kind], FALSE, arena);
      eng_stack_show (&passes[kind]);
    }

  copy_logits (self, trace);
  set_ready (trace);
  g_atomic_int_set (&trace->complete, 1);

  return trace;
}
