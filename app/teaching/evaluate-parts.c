/* SPDX-License-Identifier: MIT */
/* What a weight comes from: scores and their parts, lengths of vectors; and hidden states. */
#include "app/teaching/rows.h"

#include <math.h>

#include "engine/trace/states.h"

enum { QUERY_VECTOR, KEY_VECTOR, VALUE_VECTOR, OUTPUT_VECTOR };

static const float *
get_row (const EngMatrix *matrix,
         int              row)
{
  return matrix->data + (gsize) row * matrix->stride;
}

static double
multiply (const float *a,
          const float *b,
          int          n)
{
  double sum = 0;

  for (int i = 0; i < n; i++)
    sum += (double) a[i] * b[i];

  return sum;
}

/* q · k, or one of its products. */
static gboolean
add_dot (const AppCall  *self,
         const AppHeads *head,
         int             query,
         int             key,
         GError        **error)
{
  const AppArgument *dimension = app_call_get_argument (self, 3);
  EngMatrix queries, keys;

  if (!eng_trace_get_queries (self->run->trace, self->kind, head->layer, head->head, &queries)
      || !eng_trace_get_keys (self->run->trace, self->kind, head->layer, head->head, &keys))
    return app_call_refuse (self, self->call->place, error, "the trace has no queries and keys");
  if (dimension == NULL)
    return app_call_add (self, multiply (get_row (&queries, query), get_row (&keys, key),
                                         queries.cols), error);
  if (dimension->number >= queries.cols)
    return app_call_refuse (self, dimension->place, error,
                            "there is no dimension %d, they are 0 to %d", dimension->number,
                            queries.cols - 1);

  return app_call_add (self, (double) get_row (&queries, query)[dimension->number]
                             * get_row (&keys, key)[dimension->number], error);
}

static gboolean
add_bias (const AppCall  *self,
          const AppHeads *head,
          int             query,
          int             key,
          GError        **error)
{
  EngMatrix bias;
  gboolean has_bias = eng_trace_get_position_bias (self->run->trace, self->kind, head->layer,
                                                   head->head, &bias);

  return app_call_add (self, has_bias ? get_row (&bias, query)[key] : 0, error);
}

static gboolean
add_score (const AppCall  *self,
           const AppHeads *head,
           int             query,
           int             key,
           GError        **error)
{
  g_auto (AppRows) rows = { 0 };
  g_autofree double *row = NULL;

  if (!app_rows_init (&rows, self, &self->call->arguments[2].tokens, head->layer, 0, error))
    return FALSE;
  row = g_new (double, rows.n_keys);

  return app_rows_fill_scores (&rows, head->head, query, row, error)
         && app_call_add (self, row[key], error);
}

static gboolean
add_cell (const AppCall  *self,
          const AppHeads *head,
          int             query,
          int             key,
          GError        **error)
{
  switch (self->call->function) {
  case APP_SCORE:
    return add_score (self, head, query, key, error);
  case APP_BIAS:
    return add_bias (self, head, query, key, error);
  default:
    return add_dot (self, head, query, key, error);
  }
}

/* Every head, query and key that the arguments name. */
static gboolean
evaluate_cells (const AppCall  *self,
                GError        **error)
{
  const AppArgument *arguments = self->call->arguments;
  EngTrace *trace = self->run->trace;
  const AppRun *keys_run = app_call_find_run (self, &arguments[2].tokens, error);
  g_autoptr (GArray) heads = keys_run != NULL
                             ? app_call_find_heads (self, &arguments[0].heads, error) : NULL;
  g_autoptr (GArray) queries = heads != NULL
    ? app_call_find_tokens (self, &arguments[1].tokens,
                            eng_trace_get_query_tokens (trace, self->kind), -1, error) : NULL;

  for (guint i = 0; queries != NULL && i < heads->len; i++)
    for (guint j = 0; j < queries->len; j++) {
      const int query = g_array_index (queries, int, j);
      g_autoptr (GArray) keys =
        app_call_find_tokens (self, &arguments[2].tokens,
                              eng_trace_get_key_tokens (keys_run->trace, self->kind), query, error);

      if (keys == NULL)
        return FALSE;
      for (guint k = 0; k < keys->len; k++)
        if (!add_cell (self, &g_array_index (heads, AppHeads, i), query,
                       g_array_index (keys, int, k), error))
          return FALSE;
    }

  return queries != NULL;
}

static gboolean
get_vectors (const AppCall  *self,
             const AppHeads *head,
             int             vector,
             EngMatrix      *vectors)
{
  EngTrace *trace = self->run->trace;

  switch (vector) {
  case QUERY_VECTOR:
    return eng_trace_get_queries (trace, self->kind, head->layer, head->head, vectors);
  case KEY_VECTOR:
    return eng_trace_get_keys (trace, self->kind, head->layer, head->head, vectors);
  default:
    return eng_trace_get_values (trace, self->kind, head->layer, head->head, vectors);
  }
}

static gboolean
add_length (const AppCall  *self,
            const AppHeads *head,
            int             token,
            GError        **error)
{
  const AppArgument *vector = &self->call->arguments[0];
  EngMatrix vectors;

  if (vector->number == OUTPUT_VECTOR) {
    const float *norms = eng_trace_get_value_output_norms (self->run->trace, self->kind,
                                                           head->layer, head->head);

    return norms != NULL ? app_call_add (self, norms[token], error)
                         : app_call_refuse (self, vector->place, error,
                                            "the trace has no lengths behind the output "
                                            "projection");
  }
  if (!get_vectors (self, head, vector->number, &vectors))
    return app_call_refuse (self, vector->place, error, "the trace has no such vectors");

  return app_call_add (self, sqrt (multiply (get_row (&vectors, token), get_row (&vectors, token),
                                             vectors.cols)), error);
}

static gboolean
evaluate_lengths (const AppCall  *self,
                  GError        **error)
{
  const AppArgument *arguments = self->call->arguments;
  const EngTokens *tokens = arguments[0].number == QUERY_VECTOR
                            ? eng_trace_get_query_tokens (self->run->trace, self->kind)
                            : eng_trace_get_key_tokens (self->run->trace, self->kind);
  g_autoptr (GArray) heads = app_call_find_heads (self, &arguments[1].heads, error);
  g_autoptr (GArray) found = heads != NULL
    ? app_call_find_tokens (self, &arguments[2].tokens, tokens, -1, error) : NULL;

  for (guint i = 0; found != NULL && i < heads->len; i++)
    for (guint j = 0; j < found->len; j++)
      if (!add_length (self, &g_array_index (heads, AppHeads, i), g_array_index (found, int, j),
                       error))
        return FALSE;

  return found != NULL;
}

gboolean
app_call_parts (const AppCall  *self,
                GError        **error)
{
  const AppArgument *arguments = self->call->arguments;

  if (self->call->function == APP_LENGTH)
    return evaluate_lengths (self, error);
  if (self->call->function != APP_SCALE)
    return evaluate_cells (self, error);
  if (arguments[0].number >= eng_trace_get_n_layers (self->run->trace, self->kind))
    return app_call_refuse (self, arguments[0].place, error, "there is no layer %d",
                            arguments[0].number);

  return app_call_add (self, eng_trace_get_scale (self->run->trace, self->kind,
                                                  arguments[0].number), error);
}

/* The states of a stack: those that cross-attention reads with are the decoder's. */
static EngKind
get_stack (const AppCall *self)
{
  return self->kind == ENG_KIND_CROSS ? ENG_KIND_DECODER : self->kind;
}

static gboolean
get_states (const AppCall  *self,
            const AppRun   *run,
            EngMatrix      *states,
            GError        **error)
{
  const AppArgument *layer = &self->call->arguments[0];

  return eng_trace_get_hidden_states (run->trace, get_stack (self), layer->number, states)
         || app_call_refuse (self, layer->place, error,
                             "there are no hidden states %d: 0 enter the first layer, %d leave the "
                             "last", layer->number,
                             eng_trace_get_n_layers (run->trace, get_stack (self)));
}

/* Of two tokens' states, or of one with itself. */
static EngStatesMeasure
get_measure (AppFunction function)
{
  switch (function) {
  case APP_COSINE:
    return ENG_STATES_COSINE;
  case APP_STATE_DOT:
    return ENG_STATES_DOT;
  case APP_STATE_LENGTH:
    return ENG_STATES_LENGTH;
  case APP_DISTANCE:
  default:
    return ENG_STATES_DISTANCE;
  }
}

static gboolean
add_state (const AppCall    *self,
           const EngMatrix  *states,
           int               token,
           const EngMatrix  *others,
           const GArray     *partners,
           GError          **error)
{
  for (guint i = 0; i < partners->len; i++)
    if (!app_call_add (self, eng_states_measure (get_measure (self->call->function),
                                                 get_row (states, token),
                                                 get_row (others,
                                                          g_array_index (partners, int, i)),
                                                 states->cols), error))
      return FALSE;

  return TRUE;
}

/* Where both are sets of as many tokens of two runs they stand in pairs, first with first. */
static gboolean
are_pairs (const AppTokens *first,
           const AppTokens *second)
{
  return first->type == second->type && first->run != second->run && first->type >= APP_TOKENS_ALL;
}

static gboolean
add_states (const AppCall    *self,
            const EngMatrix  *states,
            const AppRun     *partner,
            const EngMatrix  *others,
            GError          **error)
{
  static const AppTokens itself = { .type = APP_TOKENS_ITSELF };
  const AppTokens *first = &self->call->arguments[1].tokens;
  const AppTokens *second = self->call->n_arguments > 2 ? &self->call->arguments[2].tokens
                                                        : &itself;
  const EngTokens *tokens = eng_trace_get_query_tokens (self->run->trace, get_stack (self));
  const EngTokens *other_tokens = eng_trace_get_query_tokens (partner->trace, get_stack (self));
  g_autoptr (GArray) found = app_call_find_tokens (self, first, tokens, -1, error);

  for (guint i = 0; found != NULL && i < found->len; i++) {
    const int token = g_array_index (found, int, i);
    g_autoptr (GArray) partners = app_call_find_tokens (self, second, other_tokens, token, error);

    if (partners == NULL)
      return FALSE;
    if (are_pairs (first, second)) {
      if (partners->len != found->len)
        return app_call_refuse (self, second->place, error,
                                "%u tokens stand beside %u, expected as many", found->len,
                                partners->len);
      g_array_index (partners, int, 0) = g_array_index (partners, int, i);
      g_array_set_size (partners, 1);
    }
    if (!add_state (self, states, token, others, partners, error))
      return FALSE;
  }

  return found != NULL;
}

gboolean
app_call_states (const AppCall  *self,
                 GError        **error)
{
  const AppArgument *second = app_call_get_argument (self, 2);
  AppRun *partner = second != NULL ? app_call_find_run (self, &second->tokens, error) : self->run;
  EngMatrix states, others;

  if (partner == NULL || !get_states (self, self->run, &states, error)
      || !get_states (self, partner, &others, error))
    return FALSE;
  if (states.cols != others.cols)
    return app_call_refuse (self, self->call->place, error, "states have %d dimensions here and %d "
                            "there", states.cols, others.cols);

  return add_states (self, &states, partner, &others, error);
}
