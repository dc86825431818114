/* SPDX-License-Identifier: MIT */
#include "engine/session.h"

#include "engine/attention.h"
#include "engine/forward.h"

/* Attention of a whole pass up to this size is kept in the trace without being asked for. */
#define KEPT_BYTES (64u << 20)

struct _EngSession {
  EngModel *model;
  EngArena  scratch;
};

static gboolean
check_tokens (const EngSpec    *spec,
              const EngTokens  *tokens,
              GError          **error)
{
  int n_positions = spec->n_positions - spec->position_offset;

  if (tokens->n == 0 || tokens->ids == NULL) {
    g_set_error_literal (error, ENG_ERROR, ENG_ERROR_TEXT, "there are no tokens to run");
    return FALSE;
  }
  if (spec->n_positions > 0 && tokens->n > n_positions) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT,
                 "the text has %d tokens, but the model has positions for %d",
                 tokens->n, n_positions);
    return FALSE;
  }
  for (int i = 0; i < tokens->n; i++) {
    int type = tokens->type_ids != NULL ? tokens->type_ids[i] : 0;

    if (tokens->ids[i] < 0 || tokens->ids[i] >= spec->vocab_size) {
      g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                   "token %d has the id %d, but the model's vocabulary has %d entries",
                   i, tokens->ids[i], spec->vocab_size);
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
compute_value_output_norms (EngTrace *trace,
                            EngKind   kind,
                            int       layer,
                            float    *norms)
{
  const EngWeights *weights = eng_model_get_weights (trace->model);

  eng_attention_measure_values (&trace->blocks[kind], layer, weights->layers[layer].output.weight,
                                norms);
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

static void
describe_run (EngTrace            *trace,
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
  gsize n = request->tokens->n;

  if (!check_tokens (spec, request->tokens, error) ||
      !eng_edits_check (request->edits, request->n_edits, spec->n_layers, spec->n_heads,
                        request->tokens->n, error))
    return NULL;

  g_autoptr (EngTrace) trace = eng_trace_new ();
  EngPass pass = {
    .spec = spec,
    .weights = eng_model_get_weights (self->model),
    .request = request,
    .mask_id = tokenizer != NULL ? eng_tokenizer_get_mask_id (tokenizer) : -1,
    .trace = trace,
    .keep_attention = request->keep_attention ||
                      n * n * spec->n_heads * spec->n_layers * sizeof (float) <= KEPT_BYTES,
  };

  describe_run (trace, self->model, request);
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
