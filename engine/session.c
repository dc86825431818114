/* SPDX-License-Identifier: MIT */
#include "engine/session-private.h"

#include "engine/attention.h"
#include "engine/forward.h"
#include "engine/model-private.h"

/* Attention of a whole pass up to this size is kept in the trace without being asked for. */
#define KEPT_BYTES (64u << 20)

struct _EngSession {
  EngModel *model;
  EngArena  scratch;
};

static gboolean
check_tokens (const EngSpec    *spec,
              EngKind           kind,
              const EngTokens  *tokens,
              GError          **error)
{
  int vocab_size = spec->stacks[kind].vocab_size;
  int n_positions = spec->n_positions - spec->position_offset;

  if (tokens == NULL || tokens->n == 0 || tokens->ids == NULL) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT, "there are no tokens to run in the %s",
                 eng_kind_get_name (kind));
    return FALSE;
  }
  if (spec->positions != ENG_POSITIONS_NONE && tokens->n > n_positions) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT,
                 "the text has %d tokens, but the model has positions for %d",
                 tokens->n, n_positions);
    return FALSE;
  }
  for (int i = 0; i < tokens->n; i++) {
    int type = tokens->type_ids != NULL ? tokens->type_ids[i] : 0;

    if (tokens->ids[i] < 0 || tokens->ids[i] >= vocab_size) {
      g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                   "token %d has the id %d, but the model's vocabulary has %d entries",
                   i, tokens->ids[i], vocab_size);
      return FALSE;
    }
    if (spec->n_types > 0 && (type < 0 || type >= spec->n_types)) {
      g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                   "token %d has the type %d, but the model knows %d types",
                   i, type, spec->n_types);
      return FALSE;
    }
  }
  return TRUE;
}

static gboolean
check_request (const EngSpec        *spec,
               const EngRunRequest  *request,
               GError              **error)
{
  EngKind first = eng_spec_get_first_kind (spec);
  const EngStackSpec *stack = &spec->stacks[first];

  return check_tokens (spec, first, request->tokens, error) &&
         (!eng_spec_has_cross (spec) ||
          check_tokens (spec, ENG_KIND_DECODER, request->decoder_tokens, error)) &&
         eng_edits_check (request->edits, request->n_edits, stack->n_layers, stack->n_heads,
                          request->tokens->n, error);
}

/* Whether the attention of all layers of all kinds is small enough to be kept without being asked
 * for. */
static gboolean
is_small (const EngSpec       *spec,
          const EngRunRequest *request)
{
  gsize n[ENG_N_STACKS] = { 0 };
  gsize n_weights = 0;

  n[eng_spec_get_first_kind (spec)] = request->tokens->n;
  if (eng_spec_has_cross (spec))
    n[ENG_KIND_DECODER] = request->decoder_tokens->n;
  for (int kind = 0; kind < ENG_N_STACKS; kind++) {
    const EngStackSpec *stack = &spec->stacks[kind];
    gsize n_keys = n[kind] + (stack->cross_attention ? n[ENG_KIND_ENCODER] : 0);

    n_weights += n[kind] * n_keys * stack->n_heads * stack->n_layers;
  }
  return n_weights * sizeof (float) <= KEPT_BYTES;
}

static gboolean
compute_value_output_norms (EngTrace *trace,
                            EngKind   kind,
                            int       layer,
                            float    *norms)
{
  const EngWeights *weights = eng_model_get_weights (trace->model);
  EngKind stack = kind == ENG_KIND_CROSS ? ENG_KIND_DECODER : kind;
  const EngLayerWeights *layer_weights = &weights->stacks[stack].layers[layer];
  const EngLinear *output = kind == ENG_KIND_CROSS ? &layer_weights->cross.output
                                                   : &layer_weights->self.output;

  eng_attention_measure_values (&trace->blocks[kind], layer, output->weight, norms);
  return TRUE;
}

static void
unref_model (gpointer model)
{
  eng_model_unref (model);
}

static void
free_arena (gpointer arena)
{
  eng_arena_free (arena);
}

void
eng_session_describe_run (EngTrace            *trace,
                          EngModel            *model,
                          const EngRunRequest *request)
{
  const EngModelInfo *info = eng_model_get_info (model);

  trace->model_name = g_strdup (info->name);
  trace->family = g_strdup (info->family);
  trace->text_a = g_strdup (request->text_a);
  trace->text_b = g_strdup (request->text_b);
  g_strfreev (trace->edit_texts);
  trace->edit_texts = g_new0 (char *, request->n_edits + 1);
  for (int i = 0; i < request->n_edits; i++)
    trace->edit_texts[i] = eng_edit_to_string (&request->edits[i]);
  trace->edits = g_memdup2 (request->edits, request->n_edits * sizeof (EngEdit));
  trace->n_edits = request->n_edits;
  trace->model = eng_model_ref (model);
  trace->compute_value_output_norms = compute_value_output_norms;
  eng_trace_keep (trace, model, unref_model);
}

static gboolean
allocate (EngSession  *self,
          EngPass     *pass,
          GError     **error)
{
  EngArena *storage = eng_arena_new ();

  eng_trace_keep (pass->trace, storage, free_arena);
  eng_arena_measure (storage);
  eng_forward_lay_out_trace (pass, storage);
  eng_arena_measure (&self->scratch);
  eng_forward_lay_out_scratch (pass, &self->scratch);
  if (!eng_arena_allocate (storage, error) || !eng_arena_allocate (&self->scratch, error))
    return FALSE;

  eng_forward_lay_out_trace (pass, storage);
  eng_forward_lay_out_scratch (pass, &self->scratch);
  return TRUE;
}

EngSession *
eng_session_new (EngModel *model)
{
  EngSession *self = g_new0 (EngSession, 1);

  self->model = eng_model_ref (model);
  return self;
}

void
eng_session_free (EngSession *self)
{
  eng_arena_clear (&self->scratch);
  eng_model_unref (self->model);
  g_free (self);
}

EngTrace *
eng_session_run (EngSession           *self,
                 const EngRunRequest  *request,
                 GError              **error)
{
  const EngSpec *spec = eng_model_get_spec (self->model);
  const EngTokenizer *tokenizer = eng_model_get_tokenizer (self->model);
  gint64 start = g_get_monotonic_time ();

  if (!check_request (spec, request, error))
    return NULL;

  g_autoptr (EngTrace) trace = eng_trace_new ();
  EngPass pass = {
    .spec = spec,
    .weights = eng_model_get_weights (self->model),
    .request = request,
    .mask_id = tokenizer != NULL ? eng_tokenizer_get_mask_id (tokenizer) : -1,
    .trace = trace,
    .keep_attention = request->keep_attention || is_small (spec, request),
  };

  eng_session_describe_run (trace, self->model, request);
  eng_forward_describe (&pass);
  if (!allocate (self, &pass, error))
    return NULL;
  if (!eng_forward_run (&pass)) {
    g_set_error_literal (error, ENG_ERROR, ENG_ERROR_CANCELLED, "the pass was cancelled");
    return NULL;
  }

  trace->wall_time = (g_get_monotonic_time () - start) / 1000.0;
  g_atomic_int_set (&trace->complete, 1);
  return g_steal_pointer (&trace);
}
