/* SPDX-License-Identifier: MIT */
#include "engine/predict/sweep.h"

#include <math.h>
#include <string.h>

#include "engine/kernels/linalg.h"
#include "engine/kernels/nn.h"
#include "engine/predict/prediction-change.h"
#include "engine/spec/positions.h"
#include "engine/transformer/forward.h"
#include "engine/transformer/heads.h"
#include "engine/transformer/model-private.h"
#include "engine/transformer/session-private.h"

/* Rows of tokens that run at once: enough to read the weights seldom, few enough for a cancel to be
 * answered soon and for the memory of long texts. */
#define MAX_ROWS 256

/* B sequences of the same tokens in one stack, whose states before some layer are known. */
typedef struct {
  EngStackPass   pass;
  int            capacity;     /* B */
  EngStackRows  *rows;         /* [B] */
  EngBlockTrace *blocks;       /* [B] */
  EngBlockTrace *cross_blocks; /* [B] or NULL */
  EngCrossRows   cross;
  gint32        *positions;    /* [B, n] */
  float         *first_states; /* [B, n, D] */
} Batch;

typedef struct {
  const EngSpec       *spec;
  const EngWeights    *weights;
  const EngRunRequest *request;
  EngTrace            *base;      /* the pass without an edit of the sweep */
  EngTask              task;
  EngChangeScores      scores;
  int                  n_positions;
  const int           *positions; /* [P] that the head reads; NULL = hidden states are compared */
  EngMatrix            logits;    /* [P, classes] of the base */

  EngEdit              edit;      /* layer and head are filled in */
  EngEdit             *edits;     /* [B, the request's and one more] */
  Batch                swept;     /* the stack that has the heads */
  Batch                after;     /* a decoder behind an encoder that is swept, one at a time */
  gboolean             has_after;
  EngArena             arena;
  float               *gathered;    /* [B, P, D] */
  float               *transformed; /* the same */
  float               *edited;      /* [B, P, classes] */
  float               *products;

  EngSweep            *result;
} Sweep;

static gboolean
is_cancelled (const Sweep  *self,
              GError      **error)
{
  if (self->request->cancel == NULL || g_atomic_int_get (self->request->cancel) == 0)
    return FALSE;
  g_set_error_literal (error, ENG_ERROR, ENG_ERROR_CANCELLED, "the sweep was cancelled");

  return TRUE;
}

static const EngBlockTrace *
get_base (const Sweep *self,
          const Batch *batch)
{
  return &self->base->blocks[batch->pass.kind];
}

/* Last hidden states [n, D] without an edit of the sweep. */
static const float *
get_last_states (const Sweep *self)
{
  EngKind last = eng_spec_get_last_kind (self->spec);

  return self->base->blocks[last].hidden_states[self->base->blocks[last].n_layers];
}

static void
describe_batch (Sweep         *self,
                Batch         *batch,
                EngKind        kind,
                int            capacity,
                const EngEdit *edits,
                int            n_edits,
                int            edit_stride)
{
  const EngBlockTrace *base = &self->base->blocks[kind];
  const EngTokens *tokens = base->query_tokens;
  const EngTokens *source = self->base->blocks[ENG_KIND_ENCODER].query_tokens;
  gboolean crosses = eng_stack_spec_crosses (&self->spec->stacks[kind]);

  batch->capacity = capacity;
  batch->rows = g_new0 (EngStackRows, capacity);
  batch->blocks = g_new0 (EngBlockTrace, capacity);
  batch->cross_blocks = crosses ? g_new0 (EngBlockTrace, capacity) : NULL;
  for (int i = 0; i < capacity; i++) {
    eng_stack_describe_block (self->spec, kind, tokens->n, tokens->n, &batch->blocks[i]);
    if (crosses)
      eng_stack_describe_block (self->spec, ENG_KIND_CROSS, tokens->n, source->n,
                                &batch->cross_blocks[i]);
  }
  batch->pass = (EngStackPass) {
    .spec = self->spec,
    .stack = &self->spec->stacks[kind],
    .weights = &self->weights->stacks[kind],
    .kind = kind,
    .edits = edits,
    .n_edits = n_edits,
    .edit_stride = edit_stride,
    .cancel = self->request->cancel,
    .n_sequences = capacity,
    .n = tokens->n,
    .rows = batch->rows,
    .hidden_tokens = eng_tokens_has_padding (tokens) ? tokens->padding : NULL,
    .blocks = batch->blocks,
    .cross_blocks = batch->cross_blocks,
    .cross = crosses ? &batch->cross : NULL,
  };
  if (!crosses)
    return;
  batch->cross.n = source->n;
  batch->cross.hidden_tokens = eng_tokens_has_padding (source) ? source->padding : NULL;
}

static void
batch_clear (Batch *self)
{
  for (int i = 0; i < self->capacity; i++) {
    g_free (self->blocks[i].layers);
    g_free (self->blocks[i].hidden_states);
    g_free (self->blocks[i].position_rows);
    if (self->cross_blocks != NULL)
      g_free (self->cross_blocks[i].layers);
  }
  g_free (self->rows);
  g_free (self->blocks);
  g_free (self->cross_blocks);
}

static void
lay_out_batch (Sweep *self,
               Batch *batch)
{
  gsize n_rows = (gsize) batch->capacity * batch->pass.n;

  for (int i = 0; i < batch->capacity; i++)
    eng_stack_rows_lay_out (&batch->rows[i], self->spec, batch->pass.kind, batch->pass.n, FALSE,
                            &self->arena);
  if (batch->pass.cross != NULL)
    eng_cross_rows_lay_out (&batch->cross, self->spec, batch->cross.n, &self->arena);
  eng_stack_lay_out_block (&batch->pass, FALSE, &self->arena);
  eng_stack_lay_out_scratch (&batch->pass, &self->arena);
  batch->positions = eng_arena_take (&self->arena, n_rows * sizeof (gint32));
  batch->first_states = eng_arena_floats (&self->arena, n_rows * self->spec->hidden_size);
}

static void
lay_out (Sweep *self)
{
  gsize n_rows = (gsize) self->swept.capacity * self->n_positions;
  int n_source = self->base->blocks[ENG_KIND_ENCODER].n_queries;
  int size = self->spec->hidden_size, head_size = eng_spec_get_head_size (self->spec);

  lay_out_batch (self, &self->swept);
  if (self->has_after)
    lay_out_batch (self, &self->after);
  self->gathered = eng_arena_floats (&self->arena, n_rows * size);
  self->transformed = eng_arena_floats (&self->arena, n_rows * head_size);
  self->edited = eng_arena_floats (&self->arena, n_rows * self->logits.cols);
  self->products = eng_arena_floats (&self->arena,
                                     MAX (eng_stack_n_head_scratch (self->spec, MAX ((int) n_rows, 1)),
                                          eng_products_n_scratch (MAX (n_source, 1), size)));
}

static gboolean
allocate (Sweep   *self,
          GError **error)
{
  eng_arena_measure (&self->arena);
  lay_out (self);
  if (!eng_arena_allocate (&self->arena, error))
    return FALSE;
  lay_out (self);

  return TRUE;
}

/* Keys and values of an encoder's last states [E, D] for the decoder that reads them. */
static void
read_source (Sweep       *self,
             Batch       *batch,
             const float *states)
{
  const EngInterventions edits = {
    .edits = self->request->edits, .n_edits = self->request->n_edits, .kind = ENG_KIND_CROSS,
    .first = eng_spec_get_first_kind (self->spec),
  };

  eng_stack_read_encoder (self->spec, batch->pass.weights, &edits, states, self->products,
                          self->request->cancel, &batch->cross);
}

static void
fill_positions (const Sweep *self,
                Batch       *batch)
{
  const EngTokens *tokens = get_base (self, batch)->query_tokens;

  for (int i = 0; i < batch->capacity; i++)
    eng_positions_fill (self->spec, tokens->ids, tokens->n,
                        batch->positions + (gsize) i * tokens->n);
  batch->pass.positions = batch->positions;
}

/* Every sequence begins as the base does before a layer. */
static gboolean
run_batch (const Sweep *self,
           Batch       *batch,
           int          n_sequences,
           int          first_layer)
{
  gsize n = (gsize) batch->pass.n * self->spec->hidden_size;

  for (int i = 0; i < n_sequences; i++)
    memcpy (batch->first_states + i * n, get_base (self, batch)->hidden_states[first_layer],
            n * sizeof (float));
  batch->pass.first_states = batch->first_states;
  batch->pass.first_layer = first_layer;
  batch->pass.n_sequences = n_sequences;

  return eng_stack_run (&batch->pass);
}

/* ‖Δh‖ / ‖h‖ */
static double
compare_states (const Sweep *self,
                const float *states)
{
  const EngBlockTrace *last = &self->base->blocks[eng_spec_get_last_kind (self->spec)];
  const float *before = get_last_states (self);
  gsize n = (gsize) last->n_queries * self->spec->hidden_size;
  double squares = 0, whole = 0;

  for (gsize i = 0; i < n; i++) {
    double difference = (double) states[i] - before[i];

    squares += difference * difference;
    whole += (double) before[i] * before[i];
  }

  return whole > 0 ? sqrt (squares / whole) : 0;
}

/* logits [P, classes] with the edit; incomplete after a cancel. */
static void
compare_logits (const Sweep    *self,
                const float    *logits,
                EngSweepChange *change)
{
  int n_classes = self->logits.cols;

  for (int i = 0; i < self->n_positions && !is_cancelled (self, NULL); i++) {
    const float *before = self->logits.data + i * self->logits.stride;
    const float *after = logits + (gsize) i * n_classes;
    int best = eng_prediction_change_find_best (before, n_classes);

    change->change += eng_prediction_change_divergence (before, after, n_classes, self->scores) /
                      self->n_positions;
    change->probability_change +=
      (eng_prediction_change_get_probability (after, n_classes, self->scores, best) -
       eng_prediction_change_get_probability (before, n_classes, self->scores, best)) /
      self->n_positions;
  }
  change->best = eng_prediction_change_find_best (logits, n_classes);
}

/* Takes what the comparison needs of the last states [n, D] of sequence i. */
static void
take_states (Sweep       *self,
             int          i,
             int          first_head,
             int          layer,
             const float *states)
{
  EngSweep *result = self->result;
  EngSweepChange *change = &result->changes[layer * result->n_heads + first_head + i];

  if (self->positions != NULL)
    eng_heads_gather (self->spec, self->weights, self->task,
                      self->base->blocks[eng_spec_get_last_kind (self->spec)].query_tokens,
                      states, self->positions, self->n_positions, self->products,
                      self->request->cancel,
                      self->gathered + (gsize) i * self->n_positions * self->spec->hidden_size);
  else
    *change = (EngSweepChange) { .change = compare_states (self, states), .best = -1 };
}

/* The heads [first, first + n) of a layer, each in a sequence of its own. */
static gboolean
run_heads (Sweep   *self,
           int      layer,
           int      first,
           int      n,
           GError **error)
{
  const EngStackPass *pass = &self->swept.pass;
  gsize n_states = (gsize) pass->n * self->spec->hidden_size;

  for (int i = 0; i < n; i++) {
    EngEdit *edit = &self->edits[(gsize) (i + 1) * pass->n_edits - 1];

    edit->layer = layer;
    edit->head = first + i;
  }
  if (!run_batch (self, &self->swept, n, layer))
    return !is_cancelled (self, error);

  for (int i = 0; i < n; i++) {
    const float *states = eng_stack_get_output (pass) + i * n_states;

    if (self->has_after) {
      read_source (self, &self->after, states);
      if (!run_batch (self, &self->after, 1, 0))
        return !is_cancelled (self, error);
      states = eng_stack_get_output (&self->after.pass);
    }
    take_states (self, i, first, layer, states);
  }
  if (self->positions != NULL)
    eng_heads_apply (self->spec, self->weights, self->task, self->gathered, n * self->n_positions,
                     self->gathered, self->transformed, self->products, self->request->cancel,
                     self->edited);

  return !is_cancelled (self, error);
}

static gboolean
check_change (const EngSweepChange  *change,
              int                    layer,
              int                    head,
              GError               **error)
{
  if (isfinite (change->change) && isfinite (change->probability_change))
    return TRUE;
  g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
               "the edit of head %d in layer %d leads to infinite numbers, expected an edit and "
               "weights that stay within float32", head, layer);

  return FALSE;
}

static gboolean
finish_heads (Sweep         *self,
              int            layer,
              int            first,
              int            n,
              EngSweepFunc   head_done,
              gpointer       data,
              GError       **error)
{
  EngSweep *result = self->result;

  for (int i = 0; i < n; i++) {
    EngSweepChange *change = &result->changes[layer * result->n_heads + first + i];

    if (self->positions != NULL)
      compare_logits (self, self->edited + (gsize) i * self->n_positions * self->logits.cols,
                      change);
    if (is_cancelled (self, error) || !check_change (change, layer, first + i, error))
      return FALSE;
    if (head_done != NULL)
      head_done (layer, first + i, change, data);
  }

  return TRUE;
}

static gboolean
is_measured (EngTask task)
{
  return task == ENG_TASK_FILL_MASK || task == ENG_TASK_NEXT_SENTENCE ||
         task == ENG_TASK_SENTENCE_ORDER || task == ENG_TASK_TEXT_CLASSIFICATION ||
         task == ENG_TASK_LANGUAGE_MODEL;
}

/* What is wrong with the request, the pass that all start from refuses. */
static gboolean
check (const EngModel       *model,
       const EngRunRequest  *request,
       EngTask               task,
       const EngEdit        *edit,
       GError              **error)
{
  const EngSpec *spec = eng_model_get_spec (model);
  EngEditSizes sizes[ENG_N_KINDS];
  int n_tokens = request->tokens != NULL ? request->tokens->n : 0;
  int n_decoder_tokens = request->decoder_tokens != NULL ? request->decoder_tokens->n : 0;

  if (!is_measured (task)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
                 "a sweep of %s is not supported, expected fill-mask, next-sentence, "
                 "sentence-order, text-classification or language-model", eng_task_get_name (task));
    return FALSE;
  }
  eng_session_measure (spec, n_tokens, n_decoder_tokens, sizes);

  return eng_edits_check (edit, 1, sizes, eng_spec_get_first_kind (spec), error);
}

static gboolean
run_base (Sweep     *self,
          EngModel  *model,
          GError   **error)
{
  g_autoptr (EngSession) session = eng_session_new (model);
  EngRunRequest request = *self->request;

  request.tasks = 1u << self->task;
  request.keep_attention = FALSE;
  request.layer_done = NULL;
  self->base = eng_session_run (session, &request, error);

  return self->base != NULL;
}

/* What is compared, and what it is without an edit of the sweep. */
static void
choose_measure (Sweep          *self,
                const EngModel *model)
{
  EngSweep *result = self->result;
  EngScores scores = self->task == ENG_TASK_TEXT_CLASSIFICATION ? eng_model_get_scores (model)
                                                                : ENG_SCORES_SOFTMAX;

  result->measure = ENG_SWEEP_HIDDEN_STATES;
  result->best = -1;
  if (scores == ENG_SCORES_RAW ||
      !eng_trace_get_logits (self->base, self->task, &self->logits, &self->positions) ||
      self->logits.rows == 0) {
    self->positions = NULL;
    self->logits = (EngMatrix) { 0 };
    return;
  }

  self->scores = scores == ENG_SCORES_SIGMOID ? ENG_CHANGE_EACH : ENG_CHANGE_ONE_OF_ALL;
  self->n_positions = self->logits.rows;
  result->measure = ENG_SWEEP_PREDICTION;
  result->best = eng_prediction_change_find_best (self->logits.data, self->logits.cols);
  result->probability = eng_prediction_change_get_probability (self->logits.data,
                                                               self->logits.cols, self->scores,
                                                               result->best);
}

/* The batches of the stacks that run, with the edits that each sequence has. */
static gboolean
prepare (Sweep    *self,
         EngKind   kind,
         GError  **error)
{
  const EngRunRequest *request = self->request;
  EngKind stack = kind == ENG_KIND_CROSS ? ENG_KIND_DECODER : kind;
  int n_tokens = self->base->blocks[stack].n_queries;
  int n_heads = eng_stack_spec_get_heads (&self->spec->stacks[stack])->n_heads;
  int capacity = CLAMP (MAX_ROWS / n_tokens, 1, n_heads);
  int n_edits = request->n_edits + 1;
  const float *source;

  self->edits = g_new (EngEdit, (gsize) capacity * n_edits);
  for (int i = 0; i < capacity; i++) {
    EngEdit *edits = self->edits + (gsize) i * n_edits;

    if (request->n_edits > 0)
      memcpy (edits, request->edits, request->n_edits * sizeof *edits);
    edits[n_edits - 1] = self->edit;
  }
  self->has_after = stack != eng_spec_get_last_kind (self->spec);
  describe_batch (self, &self->swept, stack, capacity, self->edits, n_edits, n_edits);
  if (self->has_after)
    describe_batch (self, &self->after, ENG_KIND_DECODER, 1, request->edits, request->n_edits, 0);
  if (!allocate (self, error))
    return FALSE;

  fill_positions (self, &self->swept);
  if (self->has_after)
    fill_positions (self, &self->after);
  if (self->swept.pass.cross != NULL) {
    const EngBlockTrace *encoder = &self->base->blocks[ENG_KIND_ENCODER];

    source = encoder->hidden_states[encoder->n_layers];
    read_source (self, &self->swept, source);
  }

  return TRUE;
}

static void
sweep_clear (Sweep *self)
{
  batch_clear (&self->swept);
  batch_clear (&self->after);
  eng_arena_clear (&self->arena);
  g_free (self->edits);
  g_clear_pointer (&self->base, eng_trace_unref);
  g_clear_pointer (&self->result, eng_sweep_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Sweep, sweep_clear)

EngSweep *
eng_sweep_run (EngModel             *model,
               const EngRunRequest  *request,
               EngKind               kind,
               EngTask               task,
               EngEditType           type,
               float                 factor,
               EngSweepFunc          head_done,
               gpointer              data,
               GError              **error)
{
  const EngSpec *spec = eng_model_get_spec (model);
  const EngStackSpec *stack = &spec->stacks[kind == ENG_KIND_CROSS ? ENG_KIND_DECODER : kind];
  int n_heads = eng_stack_spec_get_heads (stack)->n_heads;
  g_auto (Sweep) self = {
    .spec = spec,
    .weights = eng_model_get_weights (model),
    .request = request,
    .task = task,
    .edit = { .type = type, .head = ENG_ALL_HEADS, .factor = factor, .kind = kind },
  };

  g_return_val_if_fail (type == ENG_EDIT_SCALE_HEAD || type == ENG_EDIT_UNIFORM_ROWS, NULL);

  if (!check (model, request, task, &self.edit, error) || !run_base (&self, model, error))
    return NULL;
  self.result = g_new0 (EngSweep, 1);
  self.result->kind = kind;
  self.result->n_layers = stack->n_layers;
  self.result->n_heads = n_heads;
  self.result->changes = g_new0 (EngSweepChange, (gsize) stack->n_layers * n_heads);
  choose_measure (&self, model);
  if (!prepare (&self, kind, error))
    return NULL;

  for (int layer = stack->n_layers - 1; layer >= 0; layer--)
    for (int first = 0; first < n_heads; first += self.swept.capacity) {
      int n = MIN (self.swept.capacity, n_heads - first);

      if (!run_heads (&self, layer, first, n, error) || !eng_model_check_files (model, error) ||
          !finish_heads (&self, layer, first, n, head_done, data, error))
        return NULL;
    }

  return g_steal_pointer (&self.result);
}

void
eng_sweep_free (EngSweep *self)
{
  g_free (self->changes);
  g_free (self);
}
