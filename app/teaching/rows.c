/* SPDX-License-Identifier: MIT */
#include "app/teaching/rows.h"

#include <math.h>

#include "engine/trace/measures.h"

gboolean
app_rows_init (AppRows          *self,
               const AppCall    *call,
               const AppTokens  *keys,
               int               layer,
               int               measure,
               GError          **error)
{
  g_autoptr (GError) problem = NULL;
  AppRun *keys_run = app_call_find_run (call, keys, error);

  *self = (AppRows) { .call = call, .keys_run = keys_run, .layer = layer };
  if (keys_run == NULL)
    return FALSE;
  self->anew = call->call->what_if.asked || keys->run != APP_RUN_THIS;
  if (self->anew && measure != ENG_MEASURE_WEIGHT)
    return app_call_refuse (call, call->call->place, error,
                            "what is computed anew has weights, and no other measure");
  if (!eng_trace_has_kind (keys_run->trace, call->kind)
      || !eng_trace_has_layer (keys_run->trace, call->kind, layer))
    return app_call_refuse (call, call->call->place, error, "the other run has no layer %d", layer);
  self->n_keys = eng_trace_get_n_keys (keys_run->trace, call->kind);
  if (keys_run != call->run)
    return TRUE;

  self->attention = eng_measures_dup_block (call->run->trace, call->kind, layer,
                                            (EngMeasure) measure, NULL, &problem);

  return self->attention != NULL || app_call_pass_on (call, g_steal_pointer (&problem), error);
}

void
app_rows_clear (AppRows *self)
{
  g_clear_pointer (&self->attention, eng_attention_unref);
}

/* A head's part of what enters the layer, instead of the vectors that it projects. */
static gboolean
get_plain (const AppRows   *self,
           const EngTrace  *trace,
           int              head,
           EngMatrix       *vectors)
{
  const EngKind kind = self->call->kind;
  const int n_heads = eng_trace_get_n_heads (trace, kind);

  if (kind == ENG_KIND_CROSS
      || !eng_trace_get_hidden_states (trace, kind, self->layer, vectors))
    return FALSE;
  vectors->cols /= n_heads;
  vectors->data += (gsize) head * (gsize) vectors->cols;

  return TRUE;
}

static gboolean
get_vectors (const AppRows  *self,
             int             head,
             EngMatrix      *queries,
             EngMatrix      *keys,
             GError        **error)
{
  const AppCall *call = self->call;
  const gboolean plain = call->call->what_if.plain;
  const EngTrace *trace = call->run->trace;
  const EngTrace *other = self->keys_run->trace;

  if (plain ? get_plain (self, trace, head, queries) && get_plain (self, other, head, keys)
            : eng_trace_get_queries (trace, call->kind, self->layer, head, queries)
              && eng_trace_get_keys (other, call->kind, self->layer, head, keys))
    return queries->cols == keys->cols
           || app_call_refuse (call, call->call->place, error,
                               "queries have %d dimensions and keys of the other run %d",
                               queries->cols, keys->cols);

  return app_call_refuse (call, call->call->place, error, "the trace has no %s",
                          plain ? "hidden states" : "queries and keys");
}

static double
multiply (const EngMatrix *a,
          int              i,
          const EngMatrix *b,
          int              j)
{
  double sum = 0;

  for (int k = 0; k < a->cols; k++)
    sum += (double) a->data[(gsize) i * a->stride + (gsize) k]
           * b->data[(gsize) j * b->stride + (gsize) k];

  return sum;
}

static double
cap (double score,
     double limit)
{
  return limit > 0 ? limit * tanh (score / limit) : score;
}

gboolean
app_rows_fill_scores (const AppRows  *self,
                      int             head,
                      int             query,
                      double         *row,
                      GError        **error)
{
  const AppCall *call = self->call;
  const AppWhatIf *what_if = &call->call->what_if;
  const EngTrace *trace = call->run->trace;
  const guint8 *mask = self->attention != NULL
                       ? eng_attention_get_mask (self->attention, head, query) : NULL;
  const double scale = what_if->scale_set ? what_if->scale
                                          : eng_trace_get_scale (trace, call->kind, self->layer);
  const double limit = eng_trace_get_soft_cap (trace, call->kind, self->layer);
  EngMatrix queries, keys, bias;
  gboolean has_bias;

  if (!get_vectors (self, head, &queries, &keys, error))
    return FALSE;
  has_bias = self->keys_run == call->run && !what_if->plain
             && eng_trace_get_position_bias (trace, call->kind, self->layer, head, &bias);
  for (int key = 0; key < self->n_keys; key++) {
    row[key] = cap (scale * multiply (&queries, query, &keys, key), limit);
    if (has_bias)
      row[key] += bias.data[(gsize) query * bias.stride + (gsize) key];
    row[key] = mask != NULL && mask[key] == 0 ? -INFINITY
                                              : row[key] / what_if->temperature + what_if->plus;
  }

  return TRUE;
}

/* weights = softmax of the scores */
static void
normalise (double *row,
           int     n)
{
  double largest = -INFINITY, sum = 0;

  for (int i = 0; i < n; i++)
    largest = fmax (largest, row[i]);
  for (int i = 0; i < n; i++)
    sum += row[i] = isinf (row[i]) ? 0 : exp (row[i] - largest);
  for (int i = 0; i < n && sum > 0; i++)
    row[i] /= sum;
}

gboolean
app_rows_fill (const AppRows  *self,
               int             head,
               int             query,
               double         *row,
               GError        **error)
{
  const EngAttention *attention = self->attention;

  if (self->anew) {
    if (!app_rows_fill_scores (self, head, query, row, error))
      return FALSE;
    normalise (row, self->n_keys);
    return TRUE;
  }
  for (int key = 0; key < self->n_keys; key++)
    row[key] = attention->weights[((gsize) head * (gsize) attention->n_queries + (gsize) query)
                                  * (gsize) attention->n_keys + (gsize) key];

  return TRUE;
}
