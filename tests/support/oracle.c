/* SPDX-License-Identifier: MIT */
#include "tests/support/oracle.h"

#include <math.h>
#include <string.h>

typedef struct {
  const EngSpec    *spec;
  const EngWeights *weights;
  const EngTokens  *tokens;
  const EngEdit    *edits;
  int               n_edits;
  Oracle           *out;
} Run;

static double
activation (EngActivation which,
            double        x)
{
  switch (which) {
  case ENG_ACTIVATION_GELU:
    return x * 0.5 * erfc (-x / sqrt (2));
  case ENG_ACTIVATION_GELU_TANH:
    return x / 2 * (1 + tanh (sqrt (2 / G_PI) * (x + 0.044715 * pow (x, 3))));
  case ENG_ACTIVATION_QUICK_GELU:
    return x / (1 + exp (-1.702 * x));
  case ENG_ACTIVATION_RELU:
    return x > 0 ? x : 0;
  case ENG_ACTIVATION_SILU:
    return x / (1 + exp (-x));
  case ENG_ACTIVATION_TANH:
    return tanh (x);
  case ENG_ACTIVATION_LINEAR:
    return x;
  default:
    g_assert_not_reached ();
  }
}

static void
linear (const EngLinear *layer,
        const double    *x,
        double          *y)
{
  for (int o = 0; o < layer->out; o++) {
    y[o] = layer->bias ? layer->bias[o] : 0;
    for (int i = 0; i < layer->in; i++)
      y[o] += (double) layer->weight[(gsize) o * layer->in + i] * x[i];
  }
}

static void
norm (const EngSpec *spec,
      const EngNorm *weights,
      double        *x)
{
  int size = spec->hidden_size;
  double mean = 0, variance = 0;

  if (spec->norm_kind == ENG_NORM_LAYER)
    for (int i = 0; i < size; i++)
      mean += x[i] / size;
  for (int i = 0; i < size; i++)
    variance += pow (x[i] - mean, 2) / size;
  for (int i = 0; i < size; i++)
    x[i] = (x[i] - mean) / sqrt (variance + (double) spec->norm_eps) * weights->weight[i] +
           (weights->bias ? weights->bias[i] : 0);
}

static void
embed (const Run *run,
       double    *x)
{
  const EngSpec *spec = run->spec;
  int size = spec->hidden_size;

  for (int t = 0; t < run->tokens->n; t++) {
    for (int i = 0; i < size; i++) {
      double sum = run->weights->stacks[ENG_KIND_ENCODER].word[(gsize) run->tokens->ids[t] * size + i];

      sum += run->weights->stacks[ENG_KIND_ENCODER].position[(gsize) (t + spec->position_offset) * size + i];
      if (spec->n_types > 0)
        sum += run->weights->stacks[ENG_KIND_ENCODER].type[(gsize) run->tokens->type_ids[t] * size + i];
      x[(gsize) t * size + i] = sum;
    }
    if (spec->embedding_norm)
      norm (spec, &run->weights->stacks[ENG_KIND_ENCODER].embedding_norm, x + (gsize) t * size);
  }
}

static gboolean
may_read (const Run *run,
          int        query,
          int        key)
{
  for (int e = 0; e < run->n_edits; e++)
    if (run->edits[e].type == ENG_EDIT_KNOCK_OUT_TOKEN && run->edits[e].key == key)
      return FALSE;
  return key <= query || !run->spec->stacks[ENG_KIND_ENCODER].causal;
}

static gboolean
concerns (const EngEdit *edit,
          EngEditType    type,
          int            layer,
          int            head)
{
  if (edit->type != type || edit->layer != layer)
    return FALSE;
  return edit->head == head || edit->head == ENG_ALL_HEADS;
}

/* Weights of one query. */
static void
attend (const Run    *run,
        int           layer,
        int           head,
        int           query,
        const double *q,
        const double *keys,
        double       *row)
{
  int n = run->tokens->n, d = run->spec->stacks[ENG_KIND_ENCODER].head_size, width = d * run->spec->stacks[ENG_KIND_ENCODER].n_heads;
  int n_read = 0;
  double sum = 0;
  double largest = -HUGE_VAL;

  for (int key = 0; key < n; key++) {
    row[key] = 0;
    for (int i = 0; i < d; i++)
      row[key] += q[i] * keys[(gsize) key * width + head * d + i];
    row[key] *= run->spec->stacks[ENG_KIND_ENCODER].scale;
    if (may_read (run, query, key)) {
      n_read++;
      largest = fmax (largest, row[key]);
    }
  }
  for (int key = 0; key < n; key++) {
    row[key] = may_read (run, query, key) ? exp (row[key] - largest) : 0;
    sum += row[key];
  }
  for (int key = 0; key < n && n_read > 0; key++)
    row[key] /= sum;

  for (int e = 0; e < run->n_edits; e++)
    if (concerns (&run->edits[e], ENG_EDIT_UNIFORM_ROWS, layer, head))
      for (int key = 0; key < n; key++)
        row[key] = may_read (run, query, key) ? 1.0 / n_read : 0;
  for (int e = 0; e < run->n_edits; e++)
    if (concerns (&run->edits[e], ENG_EDIT_CUT_EDGE, layer, head) && run->edits[e].query == query) {
      double left = 0;

      row[run->edits[e].key] = 0;
      for (int key = 0; key < n; key++)
        left += row[key];
      for (int key = 0; key < n && run->edits[e].renormalise && left > 0; key++)
        row[key] /= left;
    }
}

static double
head_factor (const Run *run,
             int        layer,
             int        head)
{
  double factor = 1;

  for (int e = 0; e < run->n_edits; e++)
    if (concerns (&run->edits[e], ENG_EDIT_SCALE_HEAD, layer, head))
      factor *= run->edits[e].factor;
  return factor;
}

static void
measure_values (const Run       *run,
                int              layer,
                const EngLinear *output,
                const double    *values)
{
  int n = run->tokens->n, d = run->spec->stacks[ENG_KIND_ENCODER].head_size, heads = run->spec->stacks[ENG_KIND_ENCODER].n_heads;

  for (int head = 0; head < heads; head++)
    for (int key = 0; key < n; key++) {
      double squares = 0;

      for (int o = 0; o < output->out; o++) {
        double sum = 0;

        for (int i = 0; i < d; i++)
          sum += values[(gsize) key * heads * d + head * d + i] *
                 output->weight[(gsize) o * output->in + head * d + i];
        squares += sum * sum;
      }
      run->out->value_output_norms[((gsize) layer * heads + head) * n + key] = sqrt (squares);
    }
}

/* x [n, D] → y [n, D] */
static void
self_attention (const Run    *run,
                int           layer,
                const double *x,
                double       *y)
{
  const EngLayerWeights *weights = &run->weights->stacks[ENG_KIND_ENCODER].layers[layer];
  int n = run->tokens->n, size = run->spec->hidden_size;
  int heads = run->spec->stacks[ENG_KIND_ENCODER].n_heads, d = run->spec->stacks[ENG_KIND_ENCODER].head_size, width = heads * d;
  double *q = run->out->queries + (gsize) layer * n * width;
  double *k = run->out->keys + (gsize) layer * n * width;
  double *v = run->out->values + (gsize) layer * n * width;
  g_autofree double *read = g_new0 (double, (gsize) n * width);

  for (int t = 0; t < n; t++) {
    linear (&weights->self.query, x + (gsize) t * size, q + (gsize) t * width);
    linear (&weights->self.key, x + (gsize) t * size, k + (gsize) t * width);
    linear (&weights->self.value, x + (gsize) t * size, v + (gsize) t * width);
  }
  measure_values (run, layer, &weights->self.output, v);
  for (int head = 0; head < heads; head++)
    for (int t = 0; t < n; t++) {
      double *row = run->out->attention + (((gsize) layer * heads + head) * n + t) * n;

      attend (run, layer, head, t, q + (gsize) t * width + head * d, k, row);
      for (int key = 0; key < n; key++)
        for (int i = 0; i < d; i++)
          read[(gsize) t * width + head * d + i] += head_factor (run, layer, head) * row[key] *
                                                    v[(gsize) key * width + head * d + i];
    }
  for (int t = 0; t < n; t++)
    linear (&weights->self.output, read + (gsize) t * width, y + (gsize) t * size);
}

/* x [n, D] → y [n, D] */
static void
feed_forward (const Run    *run,
              int           layer,
              const double *x,
              double       *y)
{
  const EngLayerWeights *weights = &run->weights->stacks[ENG_KIND_ENCODER].layers[layer];
  int size = run->spec->hidden_size;
  g_autofree double *inner = g_new (double, run->spec->stacks[ENG_KIND_ENCODER].intermediate_size);

  for (int t = 0; t < run->tokens->n; t++) {
    linear (&weights->up, x + (gsize) t * size, inner);
    for (int i = 0; i < run->spec->stacks[ENG_KIND_ENCODER].intermediate_size; i++) {
      run->out->largest_pre_activation = fmax (run->out->largest_pre_activation,
                                               fabs (inner[i]));
      inner[i] = activation (run->spec->activation, inner[i]);
    }
    linear (&weights->down, inner, y + (gsize) t * size);
  }
}

/* x becomes x after a sub-layer; f (x) stands in added. */
static void
close_sub_layer (const Run        *run,
                 EngNormPlacement  placement,
                 const EngNorm    *weights,
                 gboolean          skipped,
                 const double     *added,
                 double           *x)
{
  int size = run->spec->hidden_size;
  g_autofree double *row = g_new (double, size);

  for (int t = 0; t < run->tokens->n; t++) {
    memcpy (row, added + (gsize) t * size, size * sizeof (double));
    if (placement == ENG_NORM_MIXED)
      norm (run->spec, weights, row);
    for (int i = 0; i < size && !skipped; i++)
      x[(gsize) t * size + i] += row[i];
    if (placement == ENG_NORM_POST)
      norm (run->spec, weights, x + (gsize) t * size);
  }
}

static gboolean
skips (const Run   *run,
       EngEditType  type,
       int          layer)
{
  for (int e = 0; e < run->n_edits; e++)
    if (run->edits[e].type == type && run->edits[e].layer == layer)
      return TRUE;
  return FALSE;
}

static void
run_layer (const Run *run,
           int        layer,
           double    *x)
{
  const EngSpec *spec = run->spec;
  const EngLayerWeights *weights = &run->weights->stacks[ENG_KIND_ENCODER].layers[layer];
  gsize total = (gsize) run->tokens->n * spec->hidden_size;
  g_autofree double *input = g_memdup2 (x, total * sizeof (double));
  g_autofree double *added = g_new0 (double, total);

  for (int t = 0; t < run->tokens->n && spec->attention_norm == ENG_NORM_PRE; t++)
    norm (spec, &weights->self.norm, input + (gsize) t * spec->hidden_size);
  self_attention (run, layer, input, added);
  close_sub_layer (run, spec->attention_norm, &weights->self.norm,
                   skips (run, ENG_EDIT_SKIP_ATTENTION, layer), added, x);

  memcpy (input, x, total * sizeof (double));
  for (int t = 0; t < run->tokens->n && spec->feed_forward_norm == ENG_NORM_PRE; t++)
    norm (spec, &weights->feed_forward_norm, input + (gsize) t * spec->hidden_size);
  feed_forward (run, layer, input, added);
  close_sub_layer (run, spec->feed_forward_norm, &weights->feed_forward_norm,
                   skips (run, ENG_EDIT_SKIP_FEED_FORWARD, layer), added, x);
}

static void
run_head (const Run    *run,
          int           task,
          const double *hidden)
{
  const EngHeadSpec *head = &run->spec->heads[task];
  const EngHeadWeights *weights = &run->weights->heads[task];
  int size = run->spec->hidden_size;
  int n = head->input == ENG_HEAD_POOLED ? 1 : run->tokens->n;
  g_autofree double *x = g_new (double, size);
  g_autofree double *transformed = g_new (double, size);

  run->out->logits[task] = g_new (double, (gsize) n * head->n_classes);
  for (int t = 0; t < n; t++) {
    memcpy (x, hidden + (gsize) t * size, size * sizeof (double));
    if (head->input == ENG_HEAD_POOLED) {
      linear (&run->weights->pooler, hidden, x);
      for (int i = 0; i < size; i++)
        x[i] = tanh (x[i]);
    }
    if (head->has_transform) {
      linear (&weights->transform, x, transformed);
      for (int i = 0; i < size; i++)
        x[i] = activation (head->activation, transformed[i]);
      if (head->has_norm)
        norm (run->spec, &weights->norm, x);
    }
    linear (&weights->output, x, run->out->logits[task] + (gsize) t * head->n_classes);
  }
}

static double
get_mean_row_maximum (const double *rows,
                      gsize         n_rows,
                      int           n)
{
  double sum = 0;

  for (gsize row = 0; row < n_rows; row++) {
    double largest = 0;

    for (int key = 0; key < n; key++)
      largest = fmax (largest, rows[row * n + key]);
    sum += largest / n_rows;
  }
  return sum;
}

static Oracle *
oracle_new (const EngSpec *spec,
            int            n)
{
  Oracle *self = g_new0 (Oracle, 1);
  gsize rows = (gsize) spec->stacks[ENG_KIND_ENCODER].n_layers * n * spec->stacks[ENG_KIND_ENCODER].n_heads * spec->stacks[ENG_KIND_ENCODER].head_size;

  self->attention = g_new0 (double, (gsize) spec->stacks[ENG_KIND_ENCODER].n_layers * spec->stacks[ENG_KIND_ENCODER].n_heads * n * n);
  self->queries = g_new0 (double, rows);
  self->keys = g_new0 (double, rows);
  self->values = g_new0 (double, rows);
  self->value_output_norms = g_new0 (double, (gsize) spec->stacks[ENG_KIND_ENCODER].n_layers * spec->stacks[ENG_KIND_ENCODER].n_heads * n);
  self->hidden_states = g_new0 (double, (gsize) (spec->stacks[ENG_KIND_ENCODER].n_layers + 1) * n * spec->hidden_size);
  return self;
}

void
oracle_free (Oracle *self)
{
  g_free (self->attention);
  g_free (self->queries);
  g_free (self->keys);
  g_free (self->values);
  g_free (self->value_output_norms);
  g_free (self->hidden_states);
  for (int task = 0; task < ENG_N_TASKS; task++)
    g_free (self->logits[task]);
  g_free (self);
}

Oracle *
oracle_run (const EngSpec    *spec,
            const EngWeights *weights,
            const EngTokens  *tokens,
            const EngEdit    *edits,
            int               n_edits)
{
  Oracle *self = oracle_new (spec, tokens->n);
  Run run = { spec, weights, tokens, edits, n_edits, self };
  gsize total = (gsize) tokens->n * spec->hidden_size;

  embed (&run, self->hidden_states);
  for (int layer = 0; layer < spec->stacks[ENG_KIND_ENCODER].n_layers; layer++) {
    double *x = self->hidden_states + (layer + 1) * total;

    memcpy (x, self->hidden_states + layer * total, total * sizeof (double));
    run_layer (&run, layer, x);
    for (int t = 0; t < tokens->n && layer == spec->stacks[ENG_KIND_ENCODER].n_layers - 1 && spec->final_norm; t++)
      norm (spec, &weights->stacks[ENG_KIND_ENCODER].final_norm, x + (gsize) t * spec->hidden_size);
  }
  for (int task = 0; task < ENG_N_TASKS; task++)
    if (spec->heads[task].present)
      run_head (&run, task, self->hidden_states + spec->stacks[ENG_KIND_ENCODER].n_layers * total);

  self->mean_row_maximum = get_mean_row_maximum (self->attention, (gsize) spec->stacks[ENG_KIND_ENCODER].n_layers *
                                                 spec->stacks[ENG_KIND_ENCODER].n_heads * tokens->n, tokens->n);
  return self;
}
