/* SPDX-License-Identifier: MIT */
#include "tests/support/oracle.h"

#include <math.h>
#include <string.h>

#include "tests/support/oracle-parts.h"

/* One stack. */
typedef struct {
  const EngSpec         *spec;
  const EngStackSpec    *stack;
  const EngStackWeights *weights;
  EngKind                kind;
  const EngTokens       *tokens;
  const EngTokens       *source;        /* what is crossed reads these; NULL = nothing is */
  const double          *source_states; /* [source->n, D] */
  const EngEdit         *edits;
  int                    n_edits;
  Oracle                *out;
} Run;

/* One attention of a layer. */
typedef struct {
  const Run                 *run;
  OracleBlock               *block;
  const EngAttentionWeights *weights;
  const EngAttentionSpec    *spec;
  int                        layer;
  gboolean                   crosses;
} Attention;

static void
embed (const Run *run,
       double    *x)
{
  const EngEmbeddingSpec *spec = &run->spec->embedding;
  const EngStackWeights *weights = run->weights;
  gsize size = run->spec->hidden_size;
  double scale = spec->scale == 0 ? 1 : spec->scale;

  for (int t = 0; t < run->tokens->n; t++, x += size) {
    for (gsize i = 0; i < size; i++) {
      x[i] = scale * weights->word[run->tokens->ids[t] * size + i];
      if (spec->positions != ENG_POSITIONS_NONE)
        x[i] += weights->position[oracle_get_position (run->spec, run->tokens, t) * size + i];
      if (spec->n_types > 0)
        x[i] += weights->type[run->tokens->type_ids[t] * size + i];
    }
    if (spec->has_norm)
      oracle_norm (&run->spec->norm, &weights->embedding_norm, (int) size, x);
  }
}

/* Whether an edit is about an attention of a stack. */
static gboolean
names (const Run     *run,
       const EngEdit *edit,
       gboolean       crosses)
{
  EngKind kind = crosses ? ENG_KIND_CROSS : run->kind;

  if (edit->kind == ENG_KIND_NOT_SAID)
    return kind == eng_spec_get_first_kind (run->spec);
  return edit->kind == (int) kind;
}

/* A token that the encoder is not to read is none for the decoder either. */
static gboolean
is_knocked_out (const Attention *self,
                int              key)
{
  const Run *run = self->run;

  for (int e = 0; e < run->n_edits; e++) {
    const EngEdit *edit = &run->edits[e];
    gboolean of_encoder = edit->kind == ENG_KIND_NOT_SAID || edit->kind == ENG_KIND_ENCODER;

    if (edit->type == ENG_EDIT_KNOCK_OUT_TOKEN && edit->key == key &&
        (names (run, edit, self->crosses) || (self->crosses && of_encoder)))
      return TRUE;
  }
  return FALSE;
}

static gboolean
may_read (const Attention *self,
          int              query,
          int              key)
{
  const Run *run = self->run;

  if (is_knocked_out (self, key))
    return FALSE;
  if (self->crosses)
    return !run->source->padding[key];
  if (run->tokens->padding[key] || (self->spec->causal && key > query))
    return FALSE;
  return self->spec->window == 0 || abs (query - key) <= self->spec->window - 1;
}

/* Whether an edit of the list concerns a head here. */
static gboolean
concerns (const Attention *self,
          int              e,
          EngEditType      type,
          int              head)
{
  const EngEdit *edit = &self->run->edits[e];

  return names (self->run, edit, self->crosses) && edit->type == type &&
         edit->layer == self->layer &&
         (edit->head == head || edit->head == ENG_ALL_HEADS);
}

static void
edit_row (const Attention *self,
          int              head,
          int              query,
          double          *row)
{
  int n = self->block->n_keys, n_read = 0;

  for (int key = 0; key < n; key++)
    n_read += may_read (self, query, key);
  for (int e = 0; e < self->run->n_edits; e++)
    if (concerns (self, e, ENG_EDIT_UNIFORM_ROWS, head))
      for (int key = 0; key < n; key++)
        row[key] = may_read (self, query, key) ? 1.0 / n_read : 0;
  for (int e = 0; e < self->run->n_edits; e++) {
    const EngEdit *edit = &self->run->edits[e];
    double left = 0;

    if (!concerns (self, e, ENG_EDIT_CUT_EDGE, head) || edit->query != query)
      continue;
    row[edit->key] = 0;
    for (int key = 0; key < n; key++)
      left += row[key];
    for (int key = 0; key < n && edit->renormalise && left > 0; key++)
      row[key] /= left;
  }
}

static double
get_bias (const Attention *self,
          int              head,
          int              distance)
{
  const Run *run = self->run;
  const EngRelativeBias *bias = &run->stack->relative_bias;

  if (self->crosses || bias->n_buckets == 0)
    return 0;
  return run->weights->relative_bias[oracle_get_bucket (bias, distance, !self->spec->causal) *
                                     self->spec->n_heads + head];
}

static int
get_kv_head (const OracleBlock *block,
             int                head)
{
  return head * block->n_kv_heads / block->n_heads;
}

/* Key or value vector of a head. */
static double *
get_kv (const OracleBlock *block,
        double            *rows,
        int                layer,
        int                key,
        int                head)
{
  gsize row = (gsize) layer * block->n_keys + key;

  return rows + (row * block->n_kv_heads + get_kv_head (block, head)) * block->head_size;
}

/* A row that may read nothing stays 0. */
static void
attend (const Attention *self,
        int              head,
        int              query,
        const double    *q,
        double          *row)
{
  const OracleBlock *block = self->block;
  double scale = self->spec->scale / (self->spec->scale_by_layer ? 1 + self->layer : 1);
  double largest = -HUGE_VAL, sum = 0;

  for (int key = 0; key < block->n_keys; key++) {
    const double *k = get_kv (block, block->keys, self->layer, key, head);

    row[key] = 0;
    for (int i = 0; i < block->head_size; i++)
      row[key] += q[i] * k[i];
    row[key] = row[key] * scale + get_bias (self, head, key - query);
    if (may_read (self, query, key))
      largest = fmax (largest, row[key]);
  }
  for (int key = 0; key < block->n_keys; key++) {
    row[key] = may_read (self, query, key) ? exp (row[key] - largest) : 0;
    sum += row[key];
  }
  for (int key = 0; key < block->n_keys && sum > 0; key++)
    row[key] /= sum;
  edit_row (self, head, query, row);
}

static double
get_factor (const Attention *self,
            int              head)
{
  double factor = 1;

  for (int e = 0; e < self->run->n_edits; e++)
    if (concerns (self, e, ENG_EDIT_SCALE_HEAD, head))
      factor *= self->run->edits[e].factor;
  return factor;
}

static void
measure_values (const Attention *self)
{
  const OracleBlock *block = self->block;
  const EngLinear *output = &self->weights->output;
  int d = block->head_size;
  double *norms = block->value_output_norms +
                  (gsize) self->layer * block->n_heads * block->n_keys;

  for (int head = 0; head < block->n_heads; head++)
    for (int key = 0; key < block->n_keys; key++) {
      const double *v = get_kv (block, block->values, self->layer, key, head);
      double squares = 0;

      for (int o = 0; o < output->out; o++) {
        double sum = 0;

        for (int i = 0; i < d; i++)
          sum += v[i] * output->weight[(gsize) o * output->in + head * d + i];
        squares += sum * sum;
      }
      norms[head * block->n_keys + key] = sqrt (squares);
    }
}

/* Queries from x [n, D], keys and values from read [m, D], turned where positions are rotary. */
static void
project (const Attention *self,
         const double    *x,
         const double    *read)
{
  const Run *run = self->run;
  const EngSpec *spec = run->spec;
  const OracleBlock *block = self->block;
  gsize size = spec->hidden_size;
  int d = block->head_size, n = block->n_queries, m = block->n_keys;
  gsize width = (gsize) block->n_heads * d, kv_width = (gsize) block->n_kv_heads * d;
  double *q = block->queries + self->layer * n * width;
  double *k = block->keys + self->layer * m * kv_width;
  double *v = block->values + self->layer * m * kv_width;

  for (int t = 0; t < n; t++)
    oracle_linear (&self->weights->query, x + t * size, q + t * width);
  for (int t = 0; t < m; t++) {
    oracle_linear (&self->weights->key, read + t * size, k + t * kv_width);
    oracle_linear (&self->weights->value, read + t * size, v + t * kv_width);
  }
  for (int t = 0; t < n && !self->crosses; t++) {
    int position = oracle_get_position (spec, run->tokens, t);

    for (int head = 0; head < block->n_heads; head++)
      oracle_turn (&self->spec->rotary, position, n, q + t * width + head * d);
    for (int head = 0; head < block->n_kv_heads; head++)
      oracle_turn (&self->spec->rotary, position, n, k + t * kv_width + head * d);
  }
}

/* x [n, D] → y [n, D] */
static void
run_attention (const Attention *self,
               const double    *x,
               double          *y)
{
  const OracleBlock *block = self->block;
  gsize size = self->run->spec->hidden_size;
  int n = block->n_queries, d = block->head_size;
  gsize width = (gsize) block->n_heads * d;
  const double *q = block->queries + self->layer * n * width;
  g_autofree double *read = g_new0 (double, n * width);

  project (self, x, self->crosses ? self->run->source_states : x);
  measure_values (self);
  for (int head = 0; head < block->n_heads; head++)
    for (int t = 0; t < n; t++) {
      double *row = block->attention +
                    (((gsize) self->layer * block->n_heads + head) * n + t) * block->n_keys;

      attend (self, head, t, q + t * width + head * d, row);
      for (int key = 0; key < block->n_keys; key++)
        for (int i = 0; i < d; i++)
          read[t * width + head * d + i] +=
            get_factor (self, head) * row[key] *
            get_kv (block, block->values, self->layer, key, head)[i];
    }
  for (int t = 0; t < n; t++)
    oracle_linear (&self->weights->output, read + t * width, y + t * size);
}

/* x [n, D] → y [n, D] */
static void
feed_forward (const Run    *run,
              int           layer,
              const double *x,
              double       *y)
{
  const EngLayerWeights *weights = &run->weights->layers[layer];
  gsize size = run->spec->hidden_size;
  const EngFeedForwardSpec *spec = &eng_stack_spec_get_layer (run->stack, layer)->feed_forward;
  int n_inner = spec->intermediate_size;
  g_autofree double *inner = g_new (double, n_inner);
  g_autofree double *gate = g_new (double, n_inner);

  for (int t = 0; t < run->tokens->n; t++) {
    oracle_linear (&weights->up, x + t * size, inner);
    if (spec->gated)
      oracle_linear (&weights->gate, x + t * size, gate);
    for (int i = 0; i < n_inner; i++) {
      double active = spec->gated ? gate[i] : inner[i];

      run->out->largest_pre_activation = fmax (run->out->largest_pre_activation, fabs (active));
      active = oracle_activate (spec->activation, active);
      inner[i] = spec->gated ? active * inner[i] : active;
    }
    oracle_linear (&weights->down, inner, y + t * size);
  }
}

typedef enum { SELF, CROSS, FEED_FORWARD } SubLayer;

/* x [n, D] → y [n, D] of a sub-layer alone. */
static void
run_sub_layer (const Run    *run,
               SubLayer      which,
               int           layer,
               const double *x,
               double       *y)
{
  const EngLayerWeights *weights = &run->weights->layers[layer];
  const EngLayerSpec *spec = eng_stack_spec_get_layer (run->stack, layer);
  Attention self = {
    run, &run->out->blocks[run->kind], &weights->self, &spec->self, layer, FALSE
  };
  Attention cross = {
    run, &run->out->blocks[ENG_KIND_CROSS], &weights->cross, &spec->cross, layer, TRUE
  };

  switch (which) {
  case SELF:
    run_attention (&self, x, y);
    break;
  case CROSS:
    run_attention (&cross, x, y);
    break;
  case FEED_FORWARD:
    feed_forward (run, layer, x, y);
    break;
  }
}

static gboolean
skips (const Run *run,
       SubLayer   which,
       int        layer)
{
  EngEditType type = which == FEED_FORWARD ? ENG_EDIT_SKIP_FEED_FORWARD : ENG_EDIT_SKIP_ATTENTION;

  for (int e = 0; e < run->n_edits; e++)
    if (run->edits[e].type == type && run->edits[e].layer == layer &&
        names (run, &run->edits[e], which == CROSS))
      return TRUE;
  return FALSE;
}

/* x [n, D] becomes x after a sub-layer with its norm and its residual connection. */
static void
pass_sub_layer (const Run        *run,
                SubLayer          which,
                int               layer,
                EngNormPlacement  placement,
                const EngNorm    *norm,
                double           *x)
{
  const EngNormSpec *spec = &eng_stack_spec_get_layer (run->stack, layer)->norm;
  int size = run->spec->hidden_size, n = run->tokens->n;
  g_autofree double *input = g_memdup2 (x, (gsize) n * size * sizeof (double));
  g_autofree double *added = g_new0 (double, (gsize) n * size);

  for (int t = 0; t < n && placement == ENG_NORM_PRE; t++)
    oracle_norm (spec, norm, size, input + t * size);
  run_sub_layer (run, which, layer, input, added);
  for (int t = 0; t < n; t++) {
    if (placement == ENG_NORM_MIXED)
      oracle_norm (spec, norm, size, added + t * size);
    for (int i = 0; i < size && !skips (run, which, layer); i++)
      x[t * size + i] += added[t * size + i];
    if (placement == ENG_NORM_POST)
      oracle_norm (spec, norm, size, x + t * size);
  }
}

static void
run_layer (const Run *run,
           int        layer,
           double    *x)
{
  const EngLayerSpec *spec = eng_stack_spec_get_layer (run->stack, layer);
  const EngLayerWeights *weights = &run->weights->layers[layer];

  pass_sub_layer (run, SELF, layer, spec->attention_norm, &weights->self.norm, x);
  if (spec->cross.n_heads > 0)
    pass_sub_layer (run, CROSS, layer, spec->attention_norm, &weights->cross.norm, x);
  pass_sub_layer (run, FEED_FORWARD, layer, spec->feed_forward_norm, &weights->feed_forward_norm,
                  x);
}

static void
allocate_block (OracleBlock        *block,
                const EngStackSpec *stack,
                int                 n_queries,
                int                 n_keys)
{
  const EngAttentionSpec *heads = eng_stack_spec_get_heads (stack);
  gsize n_layers = stack->n_layers, d = heads->head_size;

  *block = (OracleBlock) {
    .n_layers = stack->n_layers,
    .n_heads = heads->n_heads,
    .n_kv_heads = heads->n_kv_heads,
    .head_size = heads->head_size,
    .n_queries = n_queries,
    .n_keys = n_keys,
    .attention = g_new0 (double, n_layers * heads->n_heads * n_queries * n_keys),
    .queries = g_new0 (double, n_layers * n_queries * heads->n_heads * d),
    .keys = g_new0 (double, n_layers * n_keys * heads->n_kv_heads * d),
    .values = g_new0 (double, n_layers * n_keys * heads->n_kv_heads * d),
    .value_output_norms = g_new0 (double, n_layers * heads->n_heads * n_keys),
  };
}

/* (borrowed) The last hidden states [n, D]. */
static const double *
run_stack (const Run *run)
{
  const EngSpec *spec = run->spec;
  OracleBlock *block = &run->out->blocks[run->kind];
  gsize total = (gsize) run->tokens->n * spec->hidden_size;
  double *x;

  allocate_block (block, run->stack, run->tokens->n, run->tokens->n);
  if (eng_stack_spec_crosses (run->stack))
    allocate_block (&run->out->blocks[ENG_KIND_CROSS], run->stack, run->tokens->n, run->source->n);
  block->hidden_states = x = g_new0 (double, (run->stack->n_layers + 1) * total);

  embed (run, x);
  for (int layer = 0; layer < run->stack->n_layers; layer++, x += total) {
    memcpy (x + total, x, total * sizeof (double));
    run_layer (run, layer, x + total);
  }
  for (int t = 0; t < run->tokens->n && run->stack->final_norm; t++)
    oracle_norm (&spec->norm, &run->weights->final_norm, spec->hidden_size,
                 x + (gsize) t * spec->hidden_size);
  return x;
}

/* The last stack's row that a head reads which reads one. first: tokens of the first stack. */
static int
find_row (const EngSpec   *spec,
          EngHeadInput     input,
          const EngTokens *first,
          const EngTokens *last)
{
  int end = MIN (first->n, last->n) - 1;

  switch (input) {
  case ENG_HEAD_LAST:
    for (int i = last->n - 1; i > 0; i--)
      if (!last->padding[i] && last->ids[i] != spec->pad_id)
        return i;
    return 0;
  case ENG_HEAD_END:
    for (int i = end; i >= 0; i--)
      if (first->ids[i] == spec->end_id)
        return i;
    return end;
  case ENG_HEAD_POOLED:
  case ENG_HEAD_FIRST:
    return 0;
  case ENG_HEAD_TOKENS:
  default:
    g_assert_not_reached ();
  }
}

/* logits [classes] of the row x [D], which is changed. */
static void
run_head_row (const EngSpec    *spec,
              const EngWeights *weights,
              int               task,
              double           *x,
              double           *logits)
{
  const EngHeadSpec *head = &spec->heads[task];
  int size = spec->hidden_size;
  g_autofree double *read = g_memdup2 (x, size * sizeof (double));

  if (head->input == ENG_HEAD_POOLED) {
    oracle_linear (&weights->pooler, read, x);
    for (int i = 0; i < size; i++)
      x[i] = tanh (x[i]);
  }
  for (int i = 0; i < size && head->scale != 0; i++)
    x[i] *= head->scale;
  if (head->has_transform) {
    memcpy (read, x, size * sizeof (double));
    oracle_linear (&weights->heads[task].transform, read, x);
    for (int i = 0; i < size; i++)
      x[i] = oracle_activate (head->activation, x[i]);
    if (head->has_norm)
      oracle_norm (&spec->norm, &weights->heads[task].norm, size, x);
  }
  oracle_linear (&weights->heads[task].output, x, logits);
}

/* states [n, D] of the last stack. */
static void
run_head (Oracle           *self,
          const EngSpec    *spec,
          const EngWeights *weights,
          int               task,
          const EngTokens  *first,
          const EngTokens  *last,
          const double     *states)
{
  const EngHeadSpec *head = &spec->heads[task];
  gboolean all = head->input == ENG_HEAD_TOKENS;
  int row = all ? 0 : find_row (spec, head->input, first, last);
  int n = all ? last->n : 1;
  gsize size = spec->hidden_size;

  self->n_rows[task] = n;
  self->logits[task] = g_new (double, (gsize) n * head->n_classes);
  for (int t = 0; t < n; t++) {
    g_autofree double *x = g_memdup2 (states + (row + t) * size, size * sizeof (double));

    run_head_row (spec, weights, task, x, self->logits[task] + (gsize) t * head->n_classes);
  }
}

static double
get_mean_row_maximum (const Oracle *self)
{
  double sum = 0;
  gsize n_rows = 0;

  for (int kind = 0; kind < ENG_N_KINDS; kind++) {
    const OracleBlock *block = &self->blocks[kind];
    gsize n = (gsize) block->n_layers * block->n_heads * block->n_queries;

    n_rows += n;
    for (gsize row = 0; row < n; row++) {
      double largest = 0;

      for (int key = 0; key < block->n_keys; key++)
        largest = fmax (largest, block->attention[row * block->n_keys + key]);
      sum += largest;
    }
  }
  return sum / n_rows;
}

void
oracle_free (Oracle *self)
{
  for (int kind = 0; kind < ENG_N_KINDS; kind++) {
    OracleBlock *block = &self->blocks[kind];

    g_free (block->attention);
    g_free (block->queries);
    g_free (block->keys);
    g_free (block->values);
    g_free (block->value_output_norms);
    g_free (block->hidden_states);
  }
  for (int task = 0; task < ENG_N_TASKS; task++)
    g_free (self->logits[task]);
  g_free (self);
}

Oracle *
oracle_run (const EngSpec    *spec,
            const EngWeights *weights,
            const EngTokens  *tokens,
            const EngTokens  *decoder_tokens,
            const EngEdit    *edits,
            int               n_edits)
{
  Oracle *self = g_new0 (Oracle, 1);
  const EngTokens *last = tokens;
  const double *states = NULL;

  for (int kind = 0; kind < ENG_N_STACKS; kind++) {
    gboolean crosses = eng_stack_spec_crosses (&spec->stacks[kind]);
    Run run = {
      .spec = spec,
      .stack = &spec->stacks[kind],
      .weights = &weights->stacks[kind],
      .kind = (EngKind) kind,
      .tokens = crosses ? decoder_tokens : tokens,
      .source = crosses ? tokens : NULL,
      .source_states = crosses ? states : NULL,
      .edits = edits,
      .n_edits = n_edits,
      .out = self,
    };

    if (spec->stacks[kind].n_layers == 0)
      continue;
    states = run_stack (&run);
    last = run.tokens;
  }
  for (int task = 0; task < ENG_N_TASKS; task++)
    if (spec->heads[task].present)
      run_head (self, spec, weights, task, tokens, last, states);

  self->mean_row_maximum = get_mean_row_maximum (self);
  return self;
}
