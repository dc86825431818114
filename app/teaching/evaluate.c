/* SPDX-License-Identifier: MIT */
#include "app/teaching/evaluate-private.h"

#include <math.h>

#include "ui/document/fit.h"

static GArray *evaluate (const AppClaimContext *self, const AppExpression *expression,
                         GError **error);

gboolean
app_call_refuse (const AppCall  *self,
                 AppPlace        place,
                 GError        **error,
                 const char     *format,
                 ...)
{
  va_list arguments;
  g_autofree char *sentence = NULL;

  va_start (arguments, format);
  sentence = g_strdup_vprintf (format, arguments);
  va_end (arguments);

  return app_place_refuse (place, self->evaluation->fault, error,
                           self->run->stands_in ? APP_LESSON_ERROR_LACKING : APP_LESSON_ERROR_VALUE,
                           "%s", sentence);
}

gboolean
app_call_pass_on (const AppCall  *self,
                  GError         *problem,
                  GError        **error)
{
  app_call_refuse (self, self->call->place, error, "%s", problem->message);
  g_error_free (problem);

  return FALSE;
}

gboolean
app_call_add (const AppCall  *self,
              double          value,
              GError        **error)
{
  if (self->values->len >= APP_MOST_VALUES)
    return app_call_refuse (self, self->call->place, error,
                            "these are more than %d values; name fewer heads or tokens",
                            APP_MOST_VALUES);
  g_array_append_val (self->values, value);

  return TRUE;
}

const AppArgument *
app_call_get_argument (const AppCall *self,
                       int            index)
{
  return index < self->call->n_arguments ? &self->call->arguments[index] : NULL;
}

static double
value_at (const GArray *values,
          guint         i)
{
  return g_array_index (values, double, values->len == 1 ? 0 : i);
}

static double
combine (AppExpressionType type,
         double            left,
         double            right)
{
  switch (type) {
  case APP_EXPRESSION_ADD:
    return left + right;
  case APP_EXPRESSION_SUBTRACT:
    return left - right;
  case APP_EXPRESSION_MULTIPLY:
    return left * right;
  case APP_EXPRESSION_DIVIDE:
  default:
    return left / right;
  }
}

/* What is computed of numbers is one, or the claim says nothing: infinity is above every bound.
 * Scores that a mask hides come in as infinite and may go on so. */
static gboolean
check_result (const AppClaimContext  *self,
              const AppExpression    *expression,
              double                  value,
              gboolean                is_of_numbers,
              GError                **error)
{
  if (isfinite (value) || !is_of_numbers)
    return TRUE;

  return app_place_refuse (expression->place, self->fault, error, APP_LESSON_ERROR_VALUE, "%s",
                           expression->type == APP_EXPRESSION_DIVIDE
                           ? "the quotient is no finite number"
                           : "the value is no finite number");
}

/* Value by value, or one beside all. */
static GArray *
evaluate_pair (const AppClaimContext  *self,
               const AppExpression    *expression,
               GError                **error)
{
  g_autoptr (GArray) left = evaluate (self, expression->left, error);
  g_autoptr (GArray) right = left != NULL ? evaluate (self, expression->right, error) : NULL;
  g_autoptr (GArray) values = NULL;
  guint n;

  if (right == NULL)
    return NULL;
  if (left->len != right->len && left->len != 1 && right->len != 1) {
    app_place_refuse (expression->place, self->fault, error, APP_LESSON_ERROR_VALUE,
                      "%u values stand beside %u, expected as many, or one", left->len, right->len);
    return NULL;
  }
  n = left->len == 1 ? right->len : left->len;
  values = g_array_sized_new (FALSE, FALSE, sizeof (double), n);
  for (guint i = 0; i < n; i++) {
    const double one = value_at (left, i), other = value_at (right, i);
    const double value = combine (expression->type, one, other);

    if (!check_result (self, expression, value, isfinite (one) && isfinite (other), error))
      return NULL;
    g_array_append_val (values, value);
  }

  return g_steal_pointer (&values);
}

/* What remains of many values. */
static double
reduce (const AppExpression *call,
        const GArray        *values)
{
  const double *all = (const double *) values->data;
  const AppComparison *comparison = &call->arguments[0].comparison;
  double sum = 0, squares = 0, least = INFINITY, most = -INFINITY;
  int count = 0;

  for (guint i = 0; i < values->len; i++) {
    sum += all[i];
    least = fmin (least, all[i]);
    most = fmax (most, all[i]);
    count += call->function == APP_COUNT && app_comparison_holds (comparison, all[i]);
  }
  for (guint i = 0; i < values->len; i++)
    squares += (all[i] - sum / values->len) * (all[i] - sum / values->len);

  switch (call->function) {
  case APP_MIN:
    return least;
  case APP_MAX:
    return most;
  case APP_MEAN:
    return sum / values->len;
  case APP_VARIANCE:
    return squares / values->len;
  case APP_COUNT:
    return count;
  case APP_SUM:
  default:
    return sum;
  }
}

/* Functions of values alone. */
static GArray *
evaluate_values (const AppClaimContext  *self,
                 const AppExpression    *call,
                 GError                **error)
{
  g_autoptr (GArray) values = evaluate (self, call->arguments[0].values, error);
  double reduced;

  if (values == NULL)
    return NULL;
  if (call->function >= APP_ABS) {
    for (guint i = 0; i < values->len; i++) {
      double *value = &g_array_index (values, double, i);
      const gboolean is_number = isfinite (*value);

      *value = call->function == APP_ABS ? fabs (*value)
               : call->function == APP_SQRT ? sqrt (*value) : log2 (*value);
      if (!check_result (self, call, *value, is_number, error))
        return NULL;
    }
    return g_steal_pointer (&values);
  }
  if (values->len == 0 && call->function != APP_SUM && call->function != APP_COUNT) {
    app_place_refuse (call->place, self->fault, error, APP_LESSON_ERROR_VALUE,
                      "there is no value to take the %s of",
                      app_claim_get_signature (call->function)->name);
    return NULL;
  }
  reduced = reduce (call, values);
  g_array_set_size (values, 0);
  g_array_append_val (values, reduced);

  return g_steal_pointer (&values);
}

static GArray *
evaluate_call (const AppClaimContext  *self,
               const AppExpression    *expression,
               GError                **error)
{
  g_autoptr (GError) problem = NULL;
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  AppCall call = { .evaluation = self, .call = expression, .values = values };
  gboolean done;

  if (expression->function >= APP_MIN)
    return evaluate_values (self, expression, error);

  call.run = app_runs_find (self->runs, self->lesson, self->section, expression->run, &problem);
  if (call.run == NULL) {
    *self->fault = expression->place;
    g_propagate_error (error, g_steal_pointer (&problem));
    return NULL;
  }
  call.kind = ui_fit_get_kind (app_section_get_state (self->lesson, self->section),
                               call.run->trace);
  if (!eng_trace_has_kind (call.run->trace, call.kind)) {
    app_call_refuse (&call, expression->place, error, "there is no attention of the kind %s",
                     eng_kind_get_name (call.kind));
    return NULL;
  }
  if (expression->function <= APP_ROLLOUT)
    done = app_call_attention (&call, error);
  else if (expression->function <= APP_LENGTH)
    done = app_call_parts (&call, error);
  else if (expression->function <= APP_STATE_LENGTH)
    done = app_call_states (&call, error);
  else
    done = app_call_answers (&call, error);

  return done ? g_steal_pointer (&values) : NULL;
}

static GArray *
evaluate (const AppClaimContext  *self,
          const AppExpression    *expression,
          GError                **error)
{
  g_autoptr (GArray) values = NULL;

  if (expression->type == APP_EXPRESSION_CALL)
    return evaluate_call (self, expression, error);
  if (expression->type != APP_EXPRESSION_NUMBER)
    return evaluate_pair (self, expression, error);
  values = g_array_new (FALSE, FALSE, sizeof (double));
  g_array_append_val (values, expression->number);

  return g_steal_pointer (&values);
}

gboolean
app_evaluate_claim (const AppClaimContext  *self,
                    const AppExpression    *expression,
                    double                 *value,
                    GError                **error)
{
  g_autoptr (GArray) values = evaluate (self, expression, error);

  if (values == NULL)
    return FALSE;
  if (values->len != 1)
    return app_place_refuse (expression->place, self->fault, error, APP_LESSON_ERROR_VALUE,
                             "these are %u values, expected one; min(…), max(…), mean(…), sum(…) "
                             "and count(…) make one of them", values->len);
  *value = g_array_index (values, double, 0);

  return check_result (self, expression, *value, TRUE, error);
}

/* A call without arguments, to look for tokens and heads of the section's state with. */
static gboolean
begin_call (const AppClaimContext  *self,
            AppExpression          *nothing,
            AppCall                *call,
            GError                **error)
{
  g_autoptr (GError) problem = NULL;

  *call = (AppCall) { .evaluation = self, .call = nothing };
  call->run = app_runs_find (self->runs, self->lesson, self->section, APP_RUN_THIS, &problem);
  if (call->run == NULL) {
    *self->fault = nothing->place;
    g_propagate_error (error, g_steal_pointer (&problem));
    return FALSE;
  }
  call->kind = ui_fit_get_kind (app_section_get_state (self->lesson, self->section),
                                call->run->trace);

  return TRUE;
}

static gboolean
has_twin (const EngTokens *tokens,
          int              index,
          const char      *text)
{
  for (int i = 0; i < tokens->n; i++) {
    g_autofree char *other = g_strstrip (g_strdup (tokens->texts[i]));

    if (i != index && g_str_equal (other, text))
      return TRUE;
  }

  return FALSE;
}

/* (transfer full) */
static char *
name_token (const EngTokens *tokens,
            int              index,
            const char      *text)
{
  if (!has_twin (tokens, index, text))
    return g_strdup_printf ("“%s”", text);

  return eng_tokens_has_pair (tokens)
         ? g_strdup_printf ("“%s” (%d) of sentence %c", text, index,
                            tokens->segments[index] == 0 ? 'A' : 'B')
         : g_strdup_printf ("“%s” (%d)", text, index);
}

gboolean
app_evaluate_token (const AppClaimContext  *self,
                    const AppTokens        *token,
                    gboolean                is_key,
                    int                    *index,
                    char                  **text,
                    char                  **name,
                    GError                **error)
{
  AppExpression nothing = { .place = token->place };
  AppCall call;
  const EngTokens *tokens;
  g_autoptr (GArray) found = NULL;

  if (!begin_call (self, &nothing, &call, error))
    return FALSE;
  tokens = is_key ? eng_trace_get_key_tokens (call.run->trace, call.kind)
                  : eng_trace_get_query_tokens (call.run->trace, call.kind);
  found = app_call_find_tokens (&call, token, tokens, -1, error);
  if (found == NULL)
    return FALSE;
  *index = g_array_index (found, int, 0);
  *text = g_strstrip (g_strdup (tokens->texts[*index]));
  if (name != NULL)
    *name = name_token (tokens, *index, *text);

  return TRUE;
}

static gboolean
find_head (const AppClaimContext  *self,
           const AppAsk           *ask,
           GError                **error)
{
  AppExpression nothing = { .place = ask->answer_place };
  AppCall call;
  g_autoptr (GArray) found = NULL;

  if (begin_call (self, &nothing, &call, error))
    found = app_call_find_heads (&call, &ask->head, error);

  return found != NULL;
}

/* One that reads, and of a cell one that is read. */
static gboolean
find_tokens (const AppClaimContext  *self,
             const AppAsk           *ask,
             GError                **error)
{
  for (int i = 0; i < (ask->type == APP_ASK_CELL ? 2 : 1); i++) {
    g_autofree char *text = NULL;
    int index;

    if (!app_evaluate_token (self, &ask->tokens[i], i == 1, &index, &text, NULL, error))
      return FALSE;
  }

  return TRUE;
}

gboolean
app_evaluate_answer (const AppClaimContext  *self,
                     const AppAsk           *ask,
                     double                 *number,
                     GError                **error)
{
  *number = NAN;
  if (ask->type == APP_ASK_NUMBER)
    return app_evaluate_claim (self, ask->number, number, error);

  if (ask->type == APP_ASK_HEAD)
    return find_head (self, ask, error);

  return ask->type == APP_ASK_OPTION || find_tokens (self, ask, error);
}
