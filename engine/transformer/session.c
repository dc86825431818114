/* SPDX-License-Identifier: MIT */
#include "engine/transformer/session-private.h"

#include "engine/attention/attention-heads.h"
#include "engine/families/lazy-weights.h"
#include "engine/kernels/nn.h"
#include "engine/transformer/forward.h"
#include "engine/transformer/model-private.h"

#include <math.h>

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
  int n_positions = eng_spec_get_max_positions (spec), n_types = spec->embedding.n_types;

  if (tokens == NULL || tokens->n == 0 || tokens->ids == NULL) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT, "there are no tokens to run in the %s",
                 eng_kind_get_name (kind));
    return FALSE;
  }
  if (spec->embedding.positions != ENG_POSITIONS_NONE && tokens->n > n_positions) {
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
    if (tokens->languages != NULL &&
        (tokens->languages[i] < 0 || tokens->languages[i] >= spec->embedding.n_languages)) {
      g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                   "token %d has the language %d, but the model knows %d languages",
                   i, tokens->languages[i], spec->embedding.n_languages);
      return FALSE;
    }
    if (n_types > 0 && (type < 0 || type >= n_types)) {
      g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                   "token %d has the type %d, but the model knows %d types",
                   i, type, n_types);
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
  EngEditSizes sizes[ENG_N_KINDS];
  int n_tokens, n_decoder_tokens;

  if (!check_tokens (spec, first, request->tokens, error) ||
      (eng_spec_has_cross (spec) &&
       !check_tokens (spec, ENG_KIND_DECODER, request->decoder_tokens, error)))
    return FALSE;

  n_tokens = request->tokens->n;
  n_decoder_tokens = request->decoder_tokens != NULL ? request->decoder_tokens->n : 0;
  if (request->unfinished)
    *(eng_spec_has_cross (spec) ? &n_decoder_tokens : &n_tokens) = G_MAXINT;
  eng_session_measure (spec, n_tokens, n_decoder_tokens, sizes);

  return eng_edits_check (request->edits, request->n_edits, sizes, first, error);
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
    gsize n_keys = n[kind] + (eng_stack_spec_crosses (stack) ? n[ENG_KIND_ENCODER] : 0);

    n_weights += n[kind] * n_keys * eng_stack_spec_get_heads (stack)->n_heads * stack->n_layers;
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

  eng_lazy_weights_need (weights->lazy, stack, layer);
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
eng_session_measure (const EngSpec *spec,
                     int            n_tokens,
                     int            n_decoder_tokens,
                     EngEditSizes  *sizes)
{
  int n[ENG_N_STACKS] = { 0 };
  const EngStackSpec *decoder = &spec->stacks[ENG_KIND_DECODER];

  n[eng_spec_get_first_kind (spec)] = n_tokens;
  if (eng_spec_has_cross (spec))
    n[ENG_KIND_DECODER] = n_decoder_tokens;
  for (int kind = 0; kind < ENG_N_STACKS; kind++)
    sizes[kind] = (EngEditSizes) {
      spec->stacks[kind].n_layers, eng_stack_spec_get_heads (&spec->stacks[kind])->n_heads,
      n[kind], n[kind], eng_stack_spec_get_heads (&spec->stacks[kind])->head_size,
    };
  sizes[ENG_KIND_CROSS] = eng_spec_has_cross (spec)
                          ? (EngEditSizes) { decoder->n_layers, sizes[ENG_KIND_DECODER].n_heads,
                                             n[ENG_KIND_DECODER], n[ENG_KIND_ENCODER],
                                             sizes[ENG_KIND_DECODER].head_size }
                          : (EngEditSizes) { 0 };
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
  eng_trace_keep (trace, model, 0, unref_model);
}

static gboolean
allocate (EngSession  *self,
          EngPass     *pass,
          GError     **error)
{
  EngArena *storage = eng_arena_new ();
  gboolean allocated;

  eng_arena_measure (storage);
  eng_forward_lay_out_trace (pass, storage);
  eng_arena_measure (&self->scratch);
  eng_forward_lay_out_scratch (pass, &self->scratch);
  allocated = eng_arena_allocate (storage, error) && eng_arena_allocate (&self->scratch, error);
  eng_trace_keep (pass->trace, storage, storage->n_bytes, free_arena);
  if (!allocated)
    return FALSE;

  eng_forward_lay_out_trace (pass, storage);
  eng_forward_lay_out_scratch (pass, &self->scratch);
  return TRUE;
}

static gboolean
is_rows_finite (const EngHeadRows *rows,
                int                n_heads,
                int                n_rows,
                int                size)
{
  for (int head = 0; head < n_heads; head++)
    for (int row = 0; row < n_rows; row++)
      if (!eng_is_finite (rows->data + head * rows->head_stride + row * rows->row_stride, size))
        return FALSE;

  return TRUE;
}

/* What of a block is infinite or no number, NULL for nothing. */
static const char *
find_not_finite (const EngBlockTrace *block,
                 int                  layer)
{
  const EngLayerTrace *rows = &block->layers[layer];
  int n_queries = block->n_queries, n_keys = block->n_keys;

  if (!is_rows_finite (&rows->queries, block->n_heads, n_queries, block->head_size))
    return "queries";
  if (!is_rows_finite (&rows->keys, block->n_kv_heads, n_keys, block->head_size))
    return "keys";
  if (!is_rows_finite (&rows->values, block->n_kv_heads, n_keys, block->value_size))
    return "values";
  if (block->hidden_states != NULL &&
      !eng_is_finite (block->hidden_states[layer + 1], (gsize) n_queries * block->hidden_size))
    return "hidden states";

  return NULL;
}

/* A softmax makes zeros of what is no number, which would look like heads that read nothing. */
static gboolean
check_finite (const EngTrace  *trace,
              GError         **error)
{
  for (int kind = 0; kind < ENG_N_KINDS; kind++)
    for (int layer = 0; layer < trace->blocks[kind].n_layers; layer++) {
      const char *found = find_not_finite (&trace->blocks[kind], layer);

      if (found == NULL)
        continue;
      g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                   "%s: %s of layer %d (%s) are infinite or no numbers, expected weights that stay "
                   "within float32", trace->model_name, found, layer,
                   eng_kind_get_name ((EngKind) kind));
      return FALSE;
    }

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
    .model = self->model,
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
  if (!eng_model_check_files (self->model, error) || !check_finite (trace, error))
    return NULL;

  trace->wall_time = (g_get_monotonic_time () - start) / 1000.0;
  g_atomic_int_set (&trace->complete, 1);
  return g_steal_pointer (&trace);
}

EngModel *
eng_session_get_model_of (const EngTrace *trace)
{
  return trace->model;
}
