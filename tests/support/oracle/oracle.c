/* SPDX-License-Identifier: MIT */
#include "tests/support/oracle/oracle.h"

#include <math.h>
#include <string.h>

#include "tests/support/oracle/oracle-parts.h"

/* What the word of a token counts. */
static double
get_word_factor (const OracleRun *run,
                 int              t)
{
  const EngEmbeddingSpec *spec = &run->spec->embedding;
  double scale = spec->scale == 0 ? 1 : spec->scale, n = 0, n_masks = 0;

  if (spec->mask_dropout == 0)
    return scale;
  if (run->tokens->ids[t] == spec->mask_id)
    return 0;

  for (int i = 0; i < run->tokens->n; i++) {
    n += run->tokens->padding[i] ? 0 : 1;
    n_masks += run->tokens->ids[i] == spec->mask_id ? 1 : 0;
  }
  return scale * (1 - spec->mask_dropout) / ((n - n_masks) / n);
}

gboolean
oracle_drops_segments (const OracleRun *run)
{
  for (int e = 0; e < run->n_edits; e++)
    if (run->edits[e].type == ENG_EDIT_NO_SEGMENTS && oracle_names (run, &run->edits[e], FALSE))
      return TRUE;
  return FALSE;
}

/* x [D] of a token */
static void
embed_token (const OracleRun *run,
             int              t,
             double          *x)
{
  const EngEmbeddingSpec *spec = &run->spec->embedding;
  const EngStackWeights *weights = run->weights;
  int hidden_size = run->spec->hidden_size;
  gsize size = spec->size == 0 ? hidden_size : spec->size;
  double factor = get_word_factor (run, t);
  g_autofree double *row = g_new (double, size);

  for (gsize i = 0; i < size; i++) {
    row[i] = factor * weights->word[run->tokens->ids[t] * size + i];
    if (spec->positions != ENG_POSITIONS_NONE && !oracle_is_unplaced (run, 0))
      row[i] += weights->position[oracle_get_position (run->spec, run->tokens, t) * size + i];
    if (spec->n_types > 0)
      row[i] += weights->type[(oracle_drops_segments (run) ? 0 : run->tokens->type_ids[t]) * size + i];
    if (run->tokens->languages)
      row[i] += weights->language[run->tokens->languages[t] * size + i];
  }
  if (spec->has_norm && !spec->projects_first)
    oracle_norm (&run->spec->norm, &weights->embedding_norm, (int) size, row);
  if (spec->size == 0)
    memcpy (x, row, size * sizeof (double));
  else
    oracle_linear (&weights->projection, row, x);
  if (spec->has_norm && spec->projects_first)
    oracle_norm (&run->spec->norm, &weights->embedding_norm, hidden_size, x);
  for (int i = 0; i < hidden_size && spec->hides_padding && run->tokens->padding[t]; i++)
    x[i] = 0;
}

/* What the convolution gives the feature o of token t, before its activation; x [n, D]. */
static double
convolve (const OracleRun *run,
          const double    *x,
          int              t,
          int              o)
{
  const EngConvolution *spec = &run->stack->convolution;
  const EngLinear *weights = &run->weights->convolution;
  int size = run->spec->hidden_size, group_size = size / spec->n_groups;
  int first = o / group_size * group_size;
  double sum = weights->bias ? weights->bias[o] : 0;

  for (int tap = 0; tap < spec->kernel_size; tap++) {
    int read = t - (spec->kernel_size - 1) / 2 + tap;

    for (int i = 0; i < group_size && read >= 0 && read < run->tokens->n; i++)
      sum += x[read * size + first + i] *
             weights->weight[(gsize) (o * group_size + i) * spec->kernel_size + tap];
  }
  return sum;
}

/* x [n, D] before the first layer, y [n, D] behind it, which is changed. */
static void
add_convolution (const OracleRun *run,
                 const double    *x,
                 double          *y)
{
  int size = run->spec->hidden_size;

  for (int t = 0; t < run->tokens->n; t++) {
    for (int i = 0; i < size; i++)
      y[t * size + i] += oracle_activate (run->stack->convolution.activation,
                                          convolve (run, x, t, i));
    oracle_norm (&run->spec->norm, &run->weights->convolution_norm, size, y + t * size);
    for (int i = 0; i < size && run->tokens->padding[t]; i++)
      y[t * size + i] = 0;
  }
}

/* x [n, D] → y [n, D] */
static void
feed_forward (const OracleRun *run,
              int              layer,
              const double    *x,
              double          *y)
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
run_sub_layer (const OracleRun *run,
               SubLayer         which,
               int              layer,
               const double    *x,
               double          *y)
{
  const EngLayerWeights *weights = &run->weights->layers[layer];
  const EngLayerSpec *spec = eng_stack_spec_get_layer (run->stack, layer);
  OracleAttention self = {
    run, &run->out->blocks[run->kind], &weights->self, &spec->self, layer, FALSE
  };
  OracleAttention cross = {
    run, &run->out->blocks[ENG_KIND_CROSS], &weights->cross, &spec->cross, layer, TRUE
  };

  switch (which) {
  case SELF:
    oracle_attend (&self, x, y);
    break;
  case CROSS:
    oracle_attend (&cross, x, y);
    break;
  case FEED_FORWARD:
    feed_forward (run, layer, x, y);
    break;
  }
}

static gboolean
skips (const OracleRun *run,
       SubLayer         which,
       int              layer)
{
  EngEditType type = which == FEED_FORWARD ? ENG_EDIT_SKIP_FEED_FORWARD : ENG_EDIT_SKIP_ATTENTION;

  for (int e = 0; e < run->n_edits; e++)
    if (run->edits[e].type == type && run->edits[e].layer == layer &&
        oracle_names (run, &run->edits[e], which == CROSS))
      return TRUE;
  return FALSE;
}

/* x [n, D] becomes x after a sub-layer of read [n, D] with its norm and its residual connection; the
 * two may be the same. */
static void
pass_sub_layer (const OracleRun  *run,
                SubLayer          which,
                int               layer,
                EngNormPlacement  placement,
                const EngNorm    *norm,
                const EngNorm    *output_norm,
                const double     *read,
                double           *x)
{
  const EngLayerSpec *layer_spec = eng_stack_spec_get_layer (run->stack, layer);
  const EngNormSpec *spec = &layer_spec->norm;
  double scale = layer_spec->residual_scale == 0 ? 1 : layer_spec->residual_scale;
  int size = run->spec->hidden_size, n = run->tokens->n;
  g_autofree double *input = g_memdup2 (read, (gsize) n * size * sizeof (double));
  g_autofree double *added = g_new0 (double, (gsize) n * size);

  for (int t = 0; t < n && (placement == ENG_NORM_PRE || placement == ENG_NORM_BOTH); t++)
    oracle_norm (spec, norm, size, input + t * size);
  run_sub_layer (run, which, layer, input, added);
  for (int t = 0; t < n; t++) {
    if (placement == ENG_NORM_MIXED)
      oracle_norm (spec, norm, size, added + t * size);
    if (placement == ENG_NORM_BOTH)
      oracle_norm (spec, output_norm, size, added + t * size);
    for (int i = 0; i < size && !skips (run, which, layer); i++)
      x[t * size + i] += scale * added[t * size + i];
    if (placement == ENG_NORM_POST)
      oracle_norm (spec, norm, size, x + t * size);
  }
}

static void
run_layer (const OracleRun *run,
           int              layer,
           double          *x)
{
  const EngLayerSpec *spec = eng_stack_spec_get_layer (run->stack, layer);
  const EngLayerWeights *weights = &run->weights->layers[layer];
  gsize n_bytes = (gsize) run->tokens->n * run->spec->hidden_size * sizeof (double);
  g_autofree double *whole = g_memdup2 (x, n_bytes);
  const double *read = spec->parallel ? whole : x;

  pass_sub_layer (run, SELF, layer, spec->attention_norm, &weights->self.norm,
                  &weights->self.output_norm, read, x);
  if (spec->cross.n_heads > 0)
    pass_sub_layer (run, CROSS, layer, spec->attention_norm, &weights->cross.norm,
                    &weights->cross.output_norm, read, x);
  pass_sub_layer (run, FEED_FORWARD, layer, spec->feed_forward_norm, &weights->feed_forward_norm,
                  &weights->feed_forward_output_norm, read, x);
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

/* What a layer reads: what the one before it left, or what somebody else says. */
static const double *
get_input (const OracleRun *run,
           int              layer,
           const double    *x)
{
  return run->given ? run->given + (gsize) layer * run->tokens->n * run->spec->hidden_size : x;
}

/* (borrowed) The last hidden states [n, D]. */
static const double *
run_stack (const OracleRun *run)
{
  const EngSpec *spec = run->spec;
  OracleBlock *block = &run->out->blocks[run->kind];
  gsize total = (gsize) run->tokens->n * spec->hidden_size;
  double *x;

  allocate_block (block, run->stack, run->tokens->n, run->tokens->n);
  if (eng_stack_spec_crosses (run->stack))
    allocate_block (&run->out->blocks[ENG_KIND_CROSS], run->stack, run->tokens->n, run->source->n);
  block->hidden_states = x = g_new0 (double, (run->stack->n_layers + 1) * total);

  for (int t = 0; t < run->tokens->n; t++)
    embed_token (run, t, x + (gsize) t * spec->hidden_size);
  for (int layer = 0; layer < run->stack->n_layers; layer++, x += total) {
    const double *input = get_input (run, layer, x);

    memcpy (x + total, input, total * sizeof (double));
    run_layer (run, layer, x + total);
    if (layer == 0 && run->stack->convolution.kernel_size > 0)
      add_convolution (run, input, x + total);
    for (gsize i = 0; i < total && run->stack->hides_padding; i++)
      x[total + i] *= run->tokens->padding[i / spec->hidden_size] ? 0 : 1;
  }
  for (int t = 0; t < run->tokens->n && run->stack->final_norm; t++)
    oracle_norm (&spec->norm, &run->weights->final_norm, spec->hidden_size,
                 x + (gsize) t * spec->hidden_size);
  return get_input (run, run->stack->n_layers, x);
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
  case ENG_HEAD_MEAN:
  default:
    g_assert_not_reached ();
  }
}

/* [D] of the states [n, D] of tokens but padding. */
static double *
get_mean (const EngTokens *tokens,
          const double    *states,
          int              size)
{
  double *mean = g_new0 (double, size);
  int n = 0;

  for (int t = 0; t < tokens->n; t++)
    n += tokens->padding[t] ? 0 : 1;
  for (int t = 0; t < tokens->n; t++)
    for (int i = 0; i < size && !tokens->padding[t]; i++)
      mean[i] += states[t * size + i] / n;

  return mean;
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
  int transformed = head->size == 0 ? size : head->size;
  int n_behind = head->has_residual ? size : transformed;
  g_autofree double *read = g_memdup2 (x, size * sizeof (double));
  g_autofree double *behind = g_new (double, transformed);
  g_autofree double *reduced = g_new (double, size);

  if (head->input == ENG_HEAD_POOLED) {
    oracle_linear (&weights->pooler, read, x);
    for (int i = 0; i < size; i++)
      x[i] = tanh (x[i]);
  }
  for (int i = 0; i < size && head->scale != 0; i++)
    x[i] *= head->scale;
  if (head->has_transform) {
    oracle_linear (&weights->heads[task].transform, x, behind);
    for (int i = 0; i < transformed; i++)
      behind[i] = oracle_activate (head->activation, behind[i]);
    if (head->has_residual) {
      oracle_linear (&weights->heads[task].reduce, behind, reduced);
      for (int i = 0; i < size; i++)
        reduced[i] += x[i];
    }
    x = head->has_residual ? reduced : behind;
    if (head->has_norm)
      oracle_norm (&spec->norm, &weights->heads[task].norm, n_behind, x);
  }
  oracle_linear (&weights->heads[task].output, x, logits);
  for (int i = 0; i < head->n_classes && head->soft_cap != 0; i++)
    logits[i] = head->soft_cap * tanh (logits[i] / head->soft_cap);
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
  gboolean all = head->input == ENG_HEAD_TOKENS, mean = head->input == ENG_HEAD_MEAN;
  int row = all || mean ? 0 : find_row (spec, head->input, first, last);
  int n = all ? last->n : 1;
  gsize size = spec->hidden_size;

  self->n_rows[task] = n;
  self->logits[task] = g_new (double, (gsize) n * head->n_classes);
  for (int t = 0; t < n; t++) {
    g_autofree double *x = mean ? get_mean (last, states, (int) size)
                                : g_memdup2 (states + (row + t) * size, size * sizeof (double));

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
oracle_run_layers (const EngSpec    *spec,
                   const EngWeights *weights,
                   const EngTokens  *tokens,
                   const EngTokens  *decoder_tokens,
                   const EngEdit    *edits,
                   int               n_edits,
                   double *const    *given)
{
  Oracle *self = g_new0 (Oracle, 1);
  const EngTokens *last = tokens;
  const double *states = NULL;

  for (int kind = 0; kind < ENG_N_STACKS; kind++) {
    gboolean crosses = eng_stack_spec_crosses (&spec->stacks[kind]);
    OracleRun run = {
      .spec = spec,
      .stack = &spec->stacks[kind],
      .weights = &weights->stacks[kind],
      .kind = (EngKind) kind,
      .tokens = crosses ? decoder_tokens : tokens,
      .source = crosses ? tokens : NULL,
      .source_states = crosses ? states : NULL,
      .given = given ? given[kind] : NULL,
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

Oracle *
oracle_run (const EngSpec    *spec,
            const EngWeights *weights,
            const EngTokens  *tokens,
            const EngTokens  *decoder_tokens,
            const EngEdit    *edits,
            int               n_edits)
{
  return oracle_run_layers (spec, weights, tokens, decoder_tokens, edits, n_edits, NULL);
}
