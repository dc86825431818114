/* SPDX-License-Identifier: MIT */
/* Weights, their sums, patterns and entropy. */
#include "app/teaching/rows.h"

#include "engine/trace/head-facts.h"
#include "engine/trace/measure.h"
#include "engine/trace/measures.h"

/* What is appended for one query of one head. keys: array of int. */
typedef gboolean (*RowFunc) (const AppCall *self, const double *row, int n_keys,
                             const GArray *keys, GError **error);

static double
sum_of (const double *row,
        const GArray *keys)
{
  double sum = 0;

  for (guint i = 0; i < keys->len; i++)
    sum += row[g_array_index (keys, int, i)];

  return sum;
}

static gboolean
add_weights (const AppCall  *self,
             const double   *row,
             int             n_keys,
             const GArray   *keys,
             GError        **error)
{
  for (guint i = 0; i < keys->len; i++)
    if (!app_call_add (self, row[g_array_index (keys, int, i)], error))
      return FALSE;

  return TRUE;
}

/* Of lengths, which sum to anything, their part of the row. */
static gboolean
add_share (const AppCall  *self,
           const double   *row,
           int             n_keys,
           const GArray   *keys,
           GError        **error)
{
  const AppArgument *measure = app_call_get_argument (self, 3);
  double total = 0;

  for (int key = 0; key < n_keys; key++)
    total += row[key];
  if (measure == NULL || measure->number == ENG_MEASURE_WEIGHT || total <= 0)
    total = 1;

  return app_call_add (self, sum_of (row, keys) / total, error);
}

static gboolean
add_sum (const AppCall  *self,
         const double   *row,
         int             n_keys,
         const GArray   *keys,
         GError        **error)
{
  double total = 0;

  for (int key = 0; key < n_keys; key++)
    total += row[key];

  return app_call_add (self, total, error);
}

static gboolean
add_strongest (const AppCall  *self,
               const double   *row,
               int             n_keys,
               const GArray   *keys,
               GError        **error)
{
  int strongest = 0;
  gboolean is_one = FALSE;

  for (int key = 1; key < n_keys; key++)
    if (row[key] > row[strongest])
      strongest = key;
  for (guint i = 0; i < keys->len; i++)
    is_one |= g_array_index (keys, int, i) == strongest;

  return keys->len == 0 || app_call_add (self, is_one, error);
}

static gboolean
add_entropy (const AppCall  *self,
             const double   *row,
             int             n_keys,
             const GArray   *keys,
             GError        **error)
{
  g_autofree float *weights = g_new (float, n_keys);

  for (int key = 0; key < n_keys; key++)
    weights[key] = (float) row[key];

  return app_call_add (self, eng_measure_entropy (weights, (gsize) n_keys), error);
}

static RowFunc
get_row_func (AppFunction function)
{
  switch (function) {
  case APP_SHARE:
    return add_share;
  case APP_ROW_SUM:
    return add_sum;
  case APP_STRONGEST:
    return add_strongest;
  case APP_ENTROPY:
    return add_entropy;
  case APP_WEIGHT:
  default:
    return add_weights;
  }
}

/* The rows of one head. */
static gboolean
add_rows (const AppCall    *self,
          const AppRows    *rows,
          int               head,
          const AppTokens  *query_spec,
          const AppTokens  *key_spec,
          GError          **error)
{
  const EngTokens *queries = eng_trace_get_query_tokens (self->run->trace, self->kind);
  const EngTokens *keys = eng_trace_get_key_tokens (rows->keys_run->trace, self->kind);
  RowFunc func = get_row_func (self->call->function);
  g_autofree double *row = g_new (double, rows->n_keys);
  g_autoptr (GArray) chosen = app_call_find_tokens (self, query_spec, queries, -1, error);

  for (guint i = 0; chosen != NULL && i < chosen->len; i++) {
    const int query = g_array_index (chosen, int, i);
    g_autoptr (GArray) read = app_call_find_tokens (self, key_spec, keys, query, error);

    if (read == NULL || !app_rows_fill (rows, head, query, row, error)
        || !func (self, row, rows->n_keys, read, error))
      return FALSE;
  }

  return chosen != NULL;
}

/* weight, share, row-sum, strongest and entropy of rows. */
static gboolean
evaluate_rows (const AppCall  *self,
               GError        **error)
{
  static const AppTokens all = { .type = APP_TOKENS_ALL };
  static const AppTokens real = { .type = APP_TOKENS_TYPED };
  const AppArgument *heads = app_call_get_argument (self, 0);
  const AppArgument *query = app_call_get_argument (self, 1);
  const AppArgument *key = app_call_get_argument (self, 2);
  const AppArgument *measure = app_call_get_argument (self, 3);
  const AppTokens *query_spec = query != NULL ? &query->tokens : &real;
  const AppTokens *key_spec = key != NULL ? &key->tokens : &all;
  g_autoptr (GArray) found = app_call_find_heads (self, &heads->heads, error);
  g_auto (AppRows) rows = { .layer = -1 };

  for (guint i = 0; found != NULL && i < found->len; i++) {
    const AppHeads *head = &g_array_index (found, AppHeads, i);

    if (head->layer != rows.layer) {
      app_rows_clear (&rows);
      if (!app_rows_init (&rows, self, key_spec, head->layer,
                          measure != NULL ? measure->number : ENG_MEASURE_WEIGHT, error))
        return FALSE;
    }
    if (!add_rows (self, &rows, head->head, query_spec, key_spec, error))
      return FALSE;
  }

  return found != NULL;
}

static gboolean
evaluate_column_sums (const AppCall  *self,
                      GError        **error)
{
  EngTrace *trace = self->run->trace;
  const EngTokens *keys = eng_trace_get_key_tokens (trace, self->kind);
  g_autoptr (GArray) heads = app_call_find_heads (self, &self->call->arguments[0].heads, error);
  g_autoptr (GArray) columns = heads != NULL
                               ? app_call_find_tokens (self, &self->call->arguments[1].tokens, keys,
                                                       -1, error) : NULL;

  for (guint i = 0; columns != NULL && i < heads->len; i++) {
    const AppHeads *head = &g_array_index (heads, AppHeads, i);
    g_autoptr (EngAttention) block = eng_trace_dup_attention (trace, self->kind, head->layer);
    const float *weights = block->weights + (gsize) head->head * (gsize) block->n_queries
                                            * (gsize) block->n_keys;

    for (guint j = 0; j < columns->len; j++) {
      double sum = 0;

      for (int query = 0; query < block->n_queries; query++)
        sum += weights[(gsize) query * (gsize) block->n_keys
                       + (gsize) g_array_index (columns, int, j)];
      if (!app_call_add (self, sum, error))
        return FALSE;
    }
  }

  return columns != NULL;
}

/* What the program says of each head. */
static gboolean
evaluate_facts (const AppCall  *self,
                GError        **error)
{
  const AppFunction function = self->call->function;
  const AppArgument *pattern = app_call_get_argument (self, 1);
  g_autoptr (GArray) heads = app_call_find_heads (self, &self->call->arguments[0].heads, error);

  for (guint i = 0; heads != NULL && i < heads->len; i++) {
    const AppHeads *head = &g_array_index (heads, AppHeads, i);
    const EngHeadFacts *facts = eng_trace_get_head_facts (self->run->trace, self->kind,
                                                          head->layer);
    double value;

    if (facts == NULL)
      return app_call_refuse (self, self->call->place, error, "the memory does not hold layer %d",
                              head->layer);
    facts += head->head;
    value = function == APP_ENTROPY ? facts->entropy
            : function == APP_PAIR_SHARE ? facts->pair_share
            : function == APP_NAMED ? (int) facts->label == pattern->number
            : facts->scores[pattern->number];
    if (!app_call_add (self, value, error))
      return FALSE;
  }

  return heads != NULL;
}

static gboolean
evaluate_rollout (const AppCall  *self,
                  GError        **error)
{
  const AppArgument *arguments = self->call->arguments;
  const EngTokens *tokens = eng_trace_get_query_tokens (self->run->trace, self->kind);
  g_autoptr (GError) problem = NULL;
  g_autoptr (EngAttention) block = NULL;
  g_autoptr (GArray) queries = NULL;

  if (arguments[0].number >= eng_trace_get_n_layers (self->run->trace, self->kind))
    return app_call_refuse (self, arguments[0].place, error, "there is no layer %d",
                            arguments[0].number);
  block = eng_measures_dup_block (self->run->trace, self->kind, arguments[0].number,
                                  ENG_MEASURE_ROLLOUT, NULL, &problem);
  if (block == NULL)
    return app_call_pass_on (self, g_steal_pointer (&problem), error);
  queries = app_call_find_tokens (self, &arguments[1].tokens, tokens, -1, error);
  for (guint i = 0; queries != NULL && i < queries->len; i++) {
    const int query = g_array_index (queries, int, i);
    g_autoptr (GArray) keys = app_call_find_tokens (self, &arguments[2].tokens, tokens, query,
                                                    error);

    for (guint j = 0; keys != NULL && j < keys->len; j++)
      if (!app_call_add (self, block->weights[(gsize) query * (gsize) block->n_keys
                                              + (gsize) g_array_index (keys, int, j)], error))
        return FALSE;
    if (keys == NULL)
      return FALSE;
  }

  return queries != NULL;
}

gboolean
app_call_attention (const AppCall  *self,
                    GError        **error)
{
  switch (self->call->function) {
  case APP_ROLLOUT:
    return evaluate_rollout (self, error);
  case APP_COLUMN_SUM:
    return evaluate_column_sums (self, error);
  case APP_PATTERN:
  case APP_NAMED:
  case APP_PAIR_SHARE:
    return evaluate_facts (self, error);
  case APP_ENTROPY:
    /* Of a head on the whole, the number that the window gives. */
    if (self->call->n_arguments == 1 && !self->call->what_if.asked)
      return evaluate_facts (self, error);
    return evaluate_rows (self, error);
  default:
    return evaluate_rows (self, error);
  }
}
