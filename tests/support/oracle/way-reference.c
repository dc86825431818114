/* SPDX-License-Identifier: MIT */
#include "tests/support/oracle/way-reference-parts.h"

#include <math.h>
#include <string.h>

static void
expect_column (WayReference *self,
               EngNumbersId  id,
               const gint32 *numbers)
{
  double *column = way_reference_allocate (self, self->n);

  for (int i = 0; i < self->n; i++)
    column[i] = numbers[i];
  way_reference_expect (self, ENG_STAGE_TOKENS, id, column, self->n, 1);
}

static double
get_word_factor (const WayReference *self,
                 int                 t)
{
  const EngEmbeddingSpec *spec = &self->run.spec->embedding;
  const EngTokens *tokens = self->run.tokens;
  double n = 0, n_masks = 0, scale = spec->scale == 0 ? 1 : spec->scale;

  if (spec->mask_dropout == 0)
    return scale;
  for (int i = 0; i < self->n; i++) {
    n += !tokens->padding[i];
    n_masks += tokens->ids[i] == spec->mask_id;
  }

  return tokens->ids[t] == spec->mask_id ? 0 : scale * (1 - spec->mask_dropout) * n / (n - n_masks);
}

static gboolean
turns_somewhere (const WayReference *self)
{
  const EngStackSpec *stack = &self->whole->stacks[self->run.kind];

  for (int layer = 0; layer < stack->n_layers; layer++)
    if (eng_stack_spec_get_layer (stack, layer)->self.rotary.size > 0)
      return TRUE;

  return FALSE;
}

static void
expect_tokens (WayReference *self)
{
  const EngSpec *spec = self->whole;
  const EngTokens *tokens = self->run.tokens;
  gboolean pads = FALSE;
  gint32 numbers[512];
  static const gint32 none[512];
  double *factors = way_reference_allocate (self, self->n);

  expect_column (self, ENG_NUMBERS_IDS, tokens->ids);
  for (int i = 0; i < self->n; i++)
    numbers[i] = oracle_get_position (spec, tokens, i);
  if (spec->embedding.positions != ENG_POSITIONS_NONE || turns_somewhere (self))
    expect_column (self, ENG_NUMBERS_PLACES, numbers);
  if (spec->embedding.n_types > 0)
    expect_column (self, ENG_NUMBERS_TYPES,
                   oracle_drops_segments (&self->run) ? none : tokens->type_ids);
  if (tokens->languages)
    expect_column (self, ENG_NUMBERS_LANGUAGES, tokens->languages);
  for (int i = 0; i < self->n; i++) {
    numbers[i] = tokens->padding[i];
    pads = pads || tokens->padding[i];
    factors[i] = get_word_factor (self, i);
  }
  if (pads && (spec->embedding.hides_padding || self->run.stack->hides_padding
               || self->run.stack->convolution.kernel_size > 0))
    expect_column (self, ENG_NUMBERS_PADDING, numbers);
  if (spec->embedding.scale != 0 || spec->embedding.mask_dropout != 0)
    way_reference_expect (self, ENG_STAGE_TOKENS, ENG_NUMBERS_WORD_FACTORS, factors, self->n, 1);
}

/* Rows of a table, added to sum [n, size]; table NULL = there is none. */
static int
add_vectors (WayReference    *self,
             EngNumbersId  id,
             const float  *table,
             int           size,
             int (*get_row) (const WayReference *self, int t),
             double       *sum)
{
  double *rows = way_reference_allocate (self, (gsize) self->n * size);

  if (!table)
    return 0;
  for (int t = 0; t < self->n; t++)
    for (int i = 0; i < size; i++) {
      double factor = id == ENG_NUMBERS_WORDS ? get_word_factor (self, t) : 1;

      rows[t * size + i] = factor * table[(gsize) get_row (self, t) * size + i];
      sum[t * size + i] += rows[t * size + i];
    }
  way_reference_expect (self, ENG_STAGE_EMBEDDING, id, rows, self->n, size);

  return 1;
}

static int
get_id (const WayReference *self,
        int                 t)
{
  return self->run.tokens->ids[t];
}

static int
get_type (const WayReference *self,
          int                 t)
{
  return oracle_drops_segments (&self->run) ? 0 : self->run.tokens->type_ids[t];
}

static int
get_language (const WayReference *self,
              int                 t)
{
  return self->run.tokens->languages[t];
}

static void
expect_input (WayReference *self)
{
  const EngSpec *spec = self->run.spec;
  const EngEmbeddingSpec *embedding = &spec->embedding;
  const EngStackWeights *weights = self->run.weights;
  int n = self->n, size = embedding->size == 0 ? self->size : embedding->size, n_added;
  double *x = way_reference_allocate (self, (gsize) n * MAX (size, self->size)), *wide = x;

  expect_tokens (self);
  n_added = add_vectors (self, ENG_NUMBERS_WORDS, weights->word, size, get_id, x);
  n_added += add_vectors (self, ENG_NUMBERS_TYPE_VECTORS,
                          embedding->n_types > 0 ? weights->type : NULL,
                          size, get_type, x);
  n_added += add_vectors (self, ENG_NUMBERS_PLACE_VECTORS,
                          embedding->positions == ENG_POSITIONS_NONE
                          || oracle_is_unplaced (&self->run, 0) ? NULL : weights->position,
                          size, way_reference_get_place, x);
  n_added += add_vectors (self, ENG_NUMBERS_LANGUAGE_VECTORS,
                          self->run.tokens->languages ? weights->language : NULL, size,
                          get_language, x);
  if (n_added > 1)
    way_reference_expect (self, ENG_STAGE_SUM, ENG_NUMBERS_SUM, x, n, size);
  if (embedding->has_norm && !embedding->projects_first)
    way_reference_norm (self, &spec->norm, &weights->embedding_norm, n, size, x);
  if (embedding->size > 0) {
    wide = way_reference_allocate (self, (gsize) n * self->size);
    for (int t = 0; t < n; t++)
      oracle_linear (&weights->projection, x + t * size, wide + t * self->size);
    way_reference_expect (self, ENG_STAGE_WIDEN, ENG_NUMBERS_WIDENED, wide, n, self->size);
  }
  if (embedding->has_norm && embedding->projects_first)
    way_reference_norm (self, &spec->norm, &weights->embedding_norm, n, self->size, wide);
  if (embedding->hides_padding && eng_tokens_has_padding (self->run.tokens)) {
    for (int i = 0; i < n * self->size; i++)
      wide[i] *= self->run.tokens->padding[i / self->size] ? 0 : 1;
    way_reference_expect (self, ENG_STAGE_PADDING, ENG_NUMBERS_HIDDEN, wide, n, self->size);
  }
}

static const double *
get_states (const WayReference *self,
            int                 index)
{
  return self->run.given + (gsize) index * self->n * self->size;
}

static void
expect_layers (WayReference *self,
               int           first,
               int           n)
{
  double *rows = way_reference_allocate (self, (gsize) n * self->size);

  for (int i = 0; i < n; i++)
    memcpy (rows + i * self->size, get_states (self, first + i) + self->query * self->size,
            self->size * sizeof (double));
  way_reference_expect (self, ENG_STAGE_LAYERS, ENG_NUMBERS_LAYER_STATES, rows, n, self->size);
}

static void
feed_forward (WayReference *self,
              const double *read,
              const double *base)
{
  const EngLayerWeights *weights = self->layer_weights;
  const EngFeedForwardSpec *spec = &self->layer_spec->feed_forward;
  int n = spec->intermediate_size;
  double *x = way_reference_allocate (self, self->size), *up = way_reference_allocate (self, n);
  double *gate = way_reference_allocate (self, n);
  EngNormPlacement placement = self->layer_spec->feed_forward_norm;

  memcpy (x, read, self->size * sizeof (double));
  if (placement == ENG_NORM_PRE || placement == ENG_NORM_BOTH)
    way_reference_norm (self, &self->layer_spec->norm, &weights->feed_forward_norm, 1, self->size,
                        x);
  oracle_linear (&weights->up, x, up);
  if (spec->gated) {
    oracle_linear (&weights->gate, x, gate);
    way_reference_expect (self, ENG_STAGE_UP, ENG_NUMBERS_GATE, gate, 1, n);
  }
  way_reference_expect (self, ENG_STAGE_UP, ENG_NUMBERS_UP, up, 1, n);
  for (int i = 0; i < n && spec->gated; i++)
    gate[i] = oracle_activate (spec->activation, gate[i]);
  if (spec->gated)
    way_reference_expect (self, ENG_STAGE_ACTIVATION, ENG_NUMBERS_GATE_OPEN, gate, 1, n);
  for (int i = 0; i < n; i++)
    up[i] = spec->gated ? gate[i] * up[i] : oracle_activate (spec->activation, up[i]);
  way_reference_expect (self, ENG_STAGE_ACTIVATION, ENG_NUMBERS_NEURONS, up, 1, n);
  self->x = way_reference_allocate (self, self->size);
  oracle_linear (&weights->down, up, self->x);
  way_reference_expect (self, ENG_STAGE_DOWN, ENG_NUMBERS_DOWN, self->x, 1, self->size);
  way_reference_finish (self, placement, &weights->feed_forward_norm,
                        &weights->feed_forward_output_norm,
                        way_reference_skips (self, ENG_EDIT_SKIP_FEED_FORWARD, FALSE), base);
}

static void
expect_convolution (WayReference *self)
{
  const EngConvolution *spec = &self->run.stack->convolution;
  const EngLinear *linear = &self->run.weights->convolution;
  int group_size = self->size / spec->n_groups;
  const double *x = get_states (self, 0);
  double *y = way_reference_allocate (self, self->size);

  for (int o = 0; o < self->size; o++) {
    y[o] = linear->bias ? linear->bias[o] : 0;
    for (int i = 0; i < group_size * spec->kernel_size; i++) {
      int t = self->query + i % spec->kernel_size - (spec->kernel_size - 1) / 2;
      int feature = o / group_size * group_size + i / spec->kernel_size;

      if (t >= 0 && t < self->n)
        y[o] += x[t * self->size + feature]
                * linear->weight[(gsize) o * group_size * spec->kernel_size + i];
    }
  }
  way_reference_expect (self, ENG_STAGE_CONVOLUTION, ENG_NUMBERS_CONVOLVED, y, 1, self->size);
  for (int o = 0; o < self->size; o++)
    y[o] = oracle_activate (spec->activation, y[o]);
  way_reference_expect (self, ENG_STAGE_CONVOLUTION, ENG_NUMBERS_CONVOLUTION, y, 1, self->size);
  for (int o = 0; o < self->size; o++)
    self->x[o] += y[o];
  way_reference_expect (self, ENG_STAGE_SUM, ENG_NUMBERS_SUM, self->x, 1, self->size);
  way_reference_norm (self, &self->run.spec->norm, &self->run.weights->convolution_norm, 1,
                      self->size, self->x);
}

static void
expect_end (WayReference *self)
{
  const EngStackSpec *stack = self->run.stack;
  gboolean convolves = self->layer == 0 && stack->convolution.kernel_size > 0;

  if (convolves)
    expect_convolution (self);
  if ((convolves || stack->hides_padding) && eng_tokens_has_padding (self->run.tokens)) {
    for (int i = 0; i < self->size && self->run.tokens->padding[self->query]; i++)
      self->x[i] = 0;
    way_reference_expect (self, ENG_STAGE_PADDING, ENG_NUMBERS_HIDDEN, self->x, 1, self->size);
  }
  if (self->layer == stack->n_layers - 1 && stack->final_norm)
    way_reference_norm (self, &self->run.spec->norm, &self->run.weights->final_norm, 1, self->size,
                        self->x);
  way_reference_expect (self, ENG_STAGE_LEFT, ENG_NUMBERS_LEFT,
                        self->what_if ? self->x
                          : self->run.out->blocks[self->run.kind].hidden_states
          + ((gsize) (self->layer + 1) * self->n + self->query) * self->size, 1, self->size);
}

static void
expect_transform (WayReference         *self,
                  const EngHeadSpec    *head,
                  const EngHeadWeights *weights)
{
  int n = weights->transform.out;
  double *x = self->x, *y = way_reference_allocate (self, n);

  oracle_linear (&weights->transform, x, y);
  way_reference_expect (self, ENG_STAGE_TRANSFORM, ENG_NUMBERS_TRANSFORMED, y, 1, n);
  for (int i = 0; i < n; i++)
    y[i] = oracle_activate (head->activation, y[i]);
  way_reference_expect (self, ENG_STAGE_TRANSFORM, ENG_NUMBERS_ACTIVATED, y, 1, n);
  if (head->has_residual) {
    double *reduced = way_reference_allocate (self, self->size);

    oracle_linear (&weights->reduce, y, reduced);
    way_reference_expect (self, ENG_STAGE_TRANSFORM, ENG_NUMBERS_REDUCED, reduced, 1, self->size);
    for (int i = 0; i < self->size; i++)
      reduced[i] += x[i];
    way_reference_expect (self, ENG_STAGE_RESIDUAL, ENG_NUMBERS_RESIDUAL, reduced, 1, self->size);
    y = reduced;
    n = self->size;
  }
  self->x = y;
  if (head->has_norm)
    way_reference_norm (self, &self->run.spec->norm, &weights->norm, 1, n, self->x);
}

static void
expect_probabilities (WayReference *self,
                      EngTask       task,
                      int           n,
                      double       *logits)
{
  double sum = 0;

  if (eng_way_find_stage (self->way, ENG_PART_ANSWER, ENG_STAGE_ANSWER) < 0) {
    g_assert_cmpint (task, ==, ENG_TASK_QUESTION_ANSWERING);
    return;
  }
  for (int i = 0; i < n; i++)
    sum += exp (logits[i]);
  for (int i = 0; i < n; i++)
    logits[i] = task == ENG_TASK_REPLACED_TOKENS ? 1 / (1 + exp (-logits[i]))
      : exp (logits[i]) / sum;
  way_reference_expect (self, ENG_STAGE_ANSWER, ENG_NUMBERS_PROBABILITIES, logits, 1, n);
}

/* The row of the last stack that the head reads. */
static void
expect_head_input (WayReference      *self,
                   const EngHeadSpec *head,
                   int                token)
{
  EngKind last = eng_spec_get_last_kind (self->run.spec);
  const OracleBlock *block = &self->run.out->blocks[last];
  const EngTokens *tokens = eng_way_get_last_tokens (self->way);
  const double *states = self->given[last]
    + (gsize) block->n_layers * block->n_queries * self->size;
  int n = 0;

  self->x = way_reference_allocate (self, self->size);
  way_reference_expect (self, ENG_STAGE_HEAD_INPUT, ENG_NUMBERS_LAST_STATES, states,
                        block->n_queries, self->size);
  for (int t = 0; t < block->n_queries; t++) {
    if (token >= 0 ? t != token : tokens->padding[t])
      continue;
    n++;
    for (int i = 0; i < self->size; i++)
      self->x[i] += states[t * self->size + i];
  }
  for (int i = 0; i < self->size; i++)
    self->x[i] /= n;
  g_assert_cmpint (token < 0, ==, head->input == ENG_HEAD_MEAN);
  way_reference_expect (self, ENG_STAGE_HEAD_INPUT, ENG_NUMBERS_HEAD_INPUT, self->x, 1, self->size);
}

static void
expect_answer (WayReference     *self,
               const EngWeights *weights)
{
  int n_candidates, token;
  EngTask task;
  const EngHeadSpec *head;
  double *logits;

  if (!eng_way_get_candidates (self->way, &n_candidates, &task, &token))
    return;
  head = &self->run.spec->heads[task];
  expect_head_input (self, head, token);
  if (head->input == ENG_HEAD_POOLED) {
    double *pooled = way_reference_allocate (self, self->size);

    oracle_linear (&weights->pooler, self->x, pooled);
    way_reference_expect (self, ENG_STAGE_POOLER, ENG_NUMBERS_POOLED_UP, pooled, 1, self->size);
    for (int i = 0; i < self->size; i++)
      pooled[i] = tanh (pooled[i]);
    way_reference_expect (self, ENG_STAGE_POOLER, ENG_NUMBERS_POOLED, pooled, 1, self->size);
    self->x = pooled;
  }
  for (int i = 0; i < self->size && head->scale != 0; i++)
    self->x[i] *= head->scale;
  if (head->scale != 0)
    way_reference_expect (self, ENG_STAGE_SCALE, ENG_NUMBERS_SCALED, self->x, 1, self->size);
  if (head->has_transform)
    expect_transform (self, head, &weights->heads[task]);
  logits = way_reference_allocate (self, head->n_classes);
  oracle_linear (&weights->heads[task].output, self->x, logits);
  way_reference_expect (self, ENG_STAGE_LOGITS, ENG_NUMBERS_LOGITS, logits, 1, head->n_classes);
  for (int i = 0; i < head->n_classes && head->soft_cap != 0; i++)
    logits[i] = head->soft_cap * tanh (logits[i] / head->soft_cap);
  if (head->soft_cap != 0)
    way_reference_expect (self, ENG_STAGE_CAP, ENG_NUMBERS_CAPPED, logits, 1, head->n_classes);
  expect_probabilities (self, task, head->n_classes, logits);
}

/* No head reads an encoder that a decoder reads: its way ends with its last state. */
static void
expect_handing (WayReference *self)
{
  int n_candidates, token;
  EngTask task;

  g_assert_null (eng_way_get_candidates (self->way, &n_candidates, &task, &token));
  way_reference_expect (self, ENG_STAGE_TO_DECODER, ENG_NUMBERS_LAST_STATES,
                        get_states (self, self->run.stack->n_layers) + self->query * self->size, 1,
                        self->size);
}

static void
pass (WayReference     *self,
      const EngWeights *weights)
{
  int n_layers = self->run.stack->n_layers;
  const double *states = get_states (self, self->layer), *own = states + self->query * self->size;
  gboolean parallel = self->layer_spec->parallel;
  const double *between;

  expect_input (self);
  if (self->layer > 0)
    expect_layers (self, 0, self->layer + 1);
  way_reference_expect (self, ENG_STAGE_STATES, ENG_NUMBERS_STATES, states, self->n, self->size);
  way_reference_pass_attention (self, self->run.kind, states, own);
  between = self->x;
  if (self->layer_spec->cross.n_heads > 0)
    way_reference_pass_attention (self, ENG_KIND_CROSS, parallel ? own : between, between);
  between = self->x;
  feed_forward (self, parallel ? own : between, between);
  expect_end (self);
  if (self->layer + 1 < n_layers)
    expect_layers (self, self->layer + 1, n_layers - self->layer);
  if (self->run.kind == eng_spec_get_last_kind (self->run.spec))
    expect_answer (self, weights);
  else
    expect_handing (self);
}

/* [layers + 1, n, D] */
static double *
copy_states (EngTrace *trace,
             EngKind   kind)
{
  int n_layers = eng_trace_get_n_layers (trace, kind);
  double *states = NULL, *to = NULL;

  for (int i = 0; i <= n_layers && eng_trace_has_kind (trace, kind); i++) {
    EngMatrix matrix;

    g_assert_true (eng_trace_get_hidden_states (trace, kind, i, &matrix));
    if (!states)
      to = states = g_new (double, (gsize) (n_layers + 1) * matrix.rows * matrix.cols);
    for (int cell = 0; cell < matrix.rows * matrix.cols; cell++)
      *to++ = matrix.data[cell / matrix.cols * matrix.stride + cell % matrix.cols];
  }

  return states;
}

/* The model without positions, where they are off, and the tokens without segments, where these
 * are: *changed. Both before the first layer alone, but for what a layer has of positions
 * itself. */
static void
turn_knobs (WayReference     *self,
            EngKind           kind,
            const EngTokens  *tokens,
            EngTokens       **changed)
{
  EngStackSpec *stack = &self->spec.stacks[kind];

  if (eng_way_get_kind (self->way) == ENG_KIND_CROSS)
    return;
  for (int sort = 0; sort < ENG_MAX_LAYER_SORTS && self->knobs.positions_off; sort++)
    stack->sorts[sort].self.rotary.size = 0;
  if (self->knobs.positions_off) {
    stack->relative_bias.n_buckets = 0;
    stack->relative_positions.span = 0;
    if (self->layer == 0)
      self->spec.embedding.positions = ENG_POSITIONS_NONE;
  }
  if (!self->knobs.segments_off || self->layer > 0)
    return;
  *changed = eng_tokens_new (tokens->n);
  memcpy ((*changed)->ids, tokens->ids, tokens->n * sizeof (gint32));
  memcpy ((*changed)->padding, tokens->padding, tokens->n);
  if (tokens->languages)
    (*changed)->languages = g_memdup2 (tokens->languages, tokens->n * sizeof (gint32));
}

/* (borrowed) The edits and, where the way's head has no projections, the one that takes them off:
 * *n of them. It reaches each head that shares keys with it or a norm. */
static const EngEdit *
add_projections_off (WayReference  *self,
                     const EngEdit *edits,
                     int           *n)
{
  EngKind kind = eng_way_get_kind (self->way);
  EngEdit *all = g_new0 (EngEdit, *n + 1);

  g_ptr_array_add (self->memory, all);
  for (int i = 0; i < *n; i++)
    all[i] = edits[i];
  if (self->knobs.projections_off)
    all[(*n)++] = (EngEdit) {
      .type = ENG_EDIT_NO_PROJECTIONS, .layer = self->layer, .head = self->head,
      .kind = kind == eng_spec_get_first_kind (self->whole) ? ENG_KIND_NOT_SAID : (int) kind,
    };

  return all;
}

double
way_reference_compare (EngWay           *way,
                       const EngSpec    *spec,
                       const EngWeights *weights,
                       const EngTokens  *tokens,
                       const EngTokens  *decoder_tokens,
                       const EngEdit    *edits,
                       int               n_edits,
                       const EngKnobs   *knobs,
                       EngTrace         *trace)
{
  EngKind kind = eng_way_get_kind (way) == ENG_KIND_CROSS ? ENG_KIND_DECODER
    : eng_way_get_kind (way);
  gboolean crosses = kind == ENG_KIND_DECODER && decoder_tokens;
  g_autoptr (GPtrArray) memory = g_ptr_array_new_with_free_func (g_free);
  g_autofree gboolean *seen = g_new0 (gboolean, eng_way_get_n_numbers (way));
  WayReference self = {
    .way = way, .layer = eng_way_get_layer (way), .head = eng_way_get_head (way),
    .query = eng_way_get_query (way), .size = spec->hidden_size, .seen = seen, .stage = -1,
    .largest = 1, .memory = memory, .knobs = knobs ? *knobs : (EngKnobs) { 0 },
    .what_if = eng_way_is_what_if (way), .spec = *spec, .whole = spec,
  };
  g_autoptr (EngTokens) changed = NULL;
  g_autoptr (Oracle) oracle = NULL;

  for (int stack = 0; stack < ENG_N_STACKS; stack++)
    g_ptr_array_add (memory, self.given[stack] = copy_states (trace, (EngKind) stack));
  edits = add_projections_off (&self, edits, &n_edits);
  turn_knobs (&self, kind, crosses ? decoder_tokens : tokens, &changed);
  if (changed)
    *(crosses ? &decoder_tokens : &tokens) = changed;
  oracle = oracle_run_layers (&self.spec, weights, tokens, decoder_tokens, edits, n_edits,
                              self.given);
  if (self.layer == 0 && self.what_if) {
    memcpy (self.given[kind], oracle->blocks[kind].hidden_states,
            (gsize) (crosses ? decoder_tokens : tokens)->n * self.size * sizeof (double));
    oracle_free (g_steal_pointer (&oracle));
    oracle = oracle_run_layers (&self.spec, weights, tokens, decoder_tokens, edits, n_edits,
                                self.given);
  }
  self.run = (OracleRun) {
    &self.spec, &self.spec.stacks[kind], &weights->stacks[kind], kind,
    crosses ? decoder_tokens : tokens,
    crosses ? tokens : NULL, NULL, self.given[kind], edits, n_edits, oracle,
  };
  self.n = self.run.tokens->n;
  if (crosses)
    self.run.source_states = self.given[ENG_KIND_ENCODER] + (gsize) tokens->n * self.size
                             * eng_trace_get_n_layers (trace, ENG_KIND_ENCODER);
  self.layer_spec = eng_stack_spec_get_layer (self.run.stack, self.layer);
  self.layer_weights = &self.run.weights->layers[self.layer];
  pass (&self, weights);
  for (int i = 0; i < eng_way_get_n_numbers (way); i++)
    if (!seen[i] && !eng_way_get_numbers (way, i)->is_weights)
      g_error ("nothing was compared with %s", eng_way_get_numbers (way, i)->name);
  g_assert_cmpint (self.stage, ==, eng_way_get_n_stages (way) - 1);

  return self.worst;
}
