/* SPDX-License-Identifier: MIT */
#include "app/lessons/claim.h"

#include <math.h>

#define NONE   APP_PARAMETER_NONE
#define HEADS  APP_PARAMETER_HEADS
#define LAYER  APP_PARAMETER_LAYER
#define TOKENS APP_PARAMETER_TOKENS
#define VALUES APP_PARAMETER_VALUES

static const AppSignature signatures[APP_N_FUNCTIONS] = {
  [APP_WEIGHT] = { "weight", { HEADS, TOKENS, TOKENS, APP_PARAMETER_MEASURE }, 3, TRUE, TRUE },
  [APP_SHARE] = { "share", { HEADS, TOKENS, TOKENS, APP_PARAMETER_MEASURE }, 3, TRUE, TRUE },
  [APP_ROW_SUM] = { "row-sum", { HEADS, TOKENS }, 2 },
  [APP_COLUMN_SUM] = { "column-sum", { HEADS, TOKENS }, 2 },
  [APP_STRONGEST] = { "strongest", { HEADS, TOKENS, TOKENS }, 3, TRUE, TRUE },
  [APP_ENTROPY] = { "entropy", { HEADS, TOKENS }, 1, TRUE },
  [APP_PATTERN] = { "pattern", { HEADS, APP_PARAMETER_PATTERN }, 2 },
  [APP_NAMED] = { "named", { HEADS, APP_PARAMETER_PATTERN }, 2 },
  [APP_PAIR_SHARE] = { "pair-share", { HEADS }, 1 },
  [APP_ROLLOUT] = { "rollout", { LAYER, TOKENS, TOKENS }, 3 },
  [APP_SCORE] = { "score", { HEADS, TOKENS, TOKENS }, 3, TRUE, TRUE },
  [APP_DOT] = { "dot", { HEADS, TOKENS, TOKENS }, 3 },
  [APP_PRODUCT] = { "product", { HEADS, TOKENS, TOKENS, APP_PARAMETER_NUMBER }, 4 },
  [APP_BIAS] = { "bias", { HEADS, TOKENS, TOKENS }, 3 },
  [APP_SCALE] = { "scale", { LAYER }, 1 },
  [APP_LENGTH] = { "length", { APP_PARAMETER_VECTOR, HEADS, TOKENS }, 3 },
  [APP_COSINE] = { "cosine", { LAYER, TOKENS, TOKENS }, 3, FALSE, TRUE },
  [APP_DISTANCE] = { "distance", { LAYER, TOKENS, TOKENS }, 3, FALSE, TRUE },
  [APP_STATE_DOT] = { "state-dot", { LAYER, TOKENS, TOKENS }, 3, FALSE, TRUE },
  [APP_STATE_LENGTH] = { "state-length", { LAYER, TOKENS }, 2 },
  [APP_PROBABILITY] = { "probability", { APP_PARAMETER_ANSWER, TOKENS }, 1 },
  [APP_RANK] = { "rank", { APP_PARAMETER_ANSWER, TOKENS }, 1 },
  [APP_LENS] = { "lens", { LAYER, APP_PARAMETER_ANSWER, TOKENS }, 2 },
  [APP_LENS_RANK] = { "lens-rank", { LAYER, APP_PARAMETER_ANSWER, TOKENS }, 2 },
  [APP_CHANGE] = { "change", { NONE }, 0 },
  [APP_ABLATION] = { "ablation", { HEADS }, 1 },
  [APP_SIZE] = { "size", { APP_PARAMETER_SIZE }, 1 },
  [APP_MIN] = { "min", { VALUES }, 1 },
  [APP_MAX] = { "max", { VALUES }, 1 },
  [APP_MEAN] = { "mean", { VALUES }, 1 },
  [APP_SUM] = { "sum", { VALUES }, 1 },
  [APP_VARIANCE] = { "variance", { VALUES }, 1 },
  [APP_COUNT] = { "count", { APP_PARAMETER_COMPARISON }, 1 },
  [APP_ABS] = { "abs", { VALUES }, 1 },
  [APP_SQRT] = { "sqrt", { VALUES }, 1 },
  [APP_LOG2] = { "log2", { VALUES }, 1 },
};

static const char *const run_names[APP_N_RUNS] = { "", "other", "before", "unedited" };
static const char *const relation_signs[] = { ">=", "<=", ">", "<", "=" };

/* In the order of EngMeasure, all but the rollout, which is of no head. */
static const char *const measure_names[] = { "weight", "value-norm", "output-norm", NULL };
static const char *const vector_names[] = { "query", "key", "value", "output", NULL };
static const char *const size_names[] = {
  "layers", "heads", "head-size", "hidden-size", "tokens", "parameters", NULL
};

const AppSignature *
app_claim_get_signature (AppFunction function)
{
  return &signatures[function];
}

const char *const *
app_claim_get_names (AppParameter parameter)
{
  switch (parameter) {
  case APP_PARAMETER_MEASURE:
    return measure_names;
  case APP_PARAMETER_VECTOR:
    return vector_names;
  case APP_PARAMETER_SIZE:
    return size_names;
  default:
    return NULL;
  }
}

const char *
app_claim_get_run_name (AppClaimRun run)
{
  return run_names[run];
}

const char *
app_relation_get_sign (AppRelation relation)
{
  return relation_signs[relation];
}

gboolean
app_comparison_holds (const AppComparison *self,
                      double               value)
{
  switch (self->relation) {
  case APP_IS_AT_LEAST:
    return value >= self->bound;
  case APP_IS_AT_MOST:
    return value <= self->bound;
  case APP_IS_MORE:
    return value > self->bound;
  case APP_IS_LESS:
    return value < self->bound;
  case APP_IS:
  default:
    return fabs (value - self->bound) <= self->tolerance;
  }
}

gboolean
app_tokens_equal (const AppTokens *a,
                  const AppTokens *b)
{
  return a->run == b->run && a->type == b->type && a->index == b->index && a->nth == b->nth
         && g_strcmp0 (a->word, b->word) == 0;
}

static gboolean
comparison_equal (const AppComparison *a,
                  const AppComparison *b)
{
  return a->relation == b->relation && a->bound == b->bound && a->tolerance == b->tolerance;
}

static gboolean
argument_equal (const AppArgument *a,
                const AppArgument *b)
{
  return a->heads.layer == b->heads.layer && a->heads.head == b->heads.head
         && app_tokens_equal (&a->tokens, &b->tokens) && a->number == b->number
         && g_strcmp0 (a->text, b->text) == 0 && a->quoted == b->quoted
         && app_expression_equal (a->values, b->values)
         && comparison_equal (&a->comparison, &b->comparison);
}

static gboolean
what_if_equal (const AppWhatIf *a,
               const AppWhatIf *b)
{
  return a->asked == b->asked && a->plain == b->plain && a->scale_set == b->scale_set
         && a->scale == b->scale && a->temperature == b->temperature && a->plus == b->plus;
}

gboolean
app_expression_equal (const AppExpression *a,
                      const AppExpression *b)
{
  if (a == NULL || b == NULL)
    return a == b;
  if (a->type != b->type || a->number != b->number || a->function != b->function
      || a->run != b->run || a->n_arguments != b->n_arguments
      || !what_if_equal (&a->what_if, &b->what_if))
    return FALSE;
  for (int i = 0; i < a->n_arguments; i++)
    if (!argument_equal (&a->arguments[i], &b->arguments[i]))
      return FALSE;

  return app_expression_equal (a->left, b->left) && app_expression_equal (a->right, b->right);
}

gboolean
app_claim_equal (const AppClaim *a,
                 const AppClaim *b)
{
  return comparison_equal (&a->comparison, &b->comparison)
         && app_expression_equal (a->expression, b->expression);
}

void
app_expression_free (AppExpression *self)
{
  if (self == NULL)
    return;
  app_expression_free (self->left);
  app_expression_free (self->right);
  for (int i = 0; i < APP_MAX_PARAMETERS; i++) {
    app_expression_free (self->arguments[i].values);
    g_free (self->arguments[i].tokens.word);
    g_free (self->arguments[i].text);
  }
  g_free (self);
}

void
app_claim_free (AppClaim *self)
{
  app_expression_free (self->expression);
  g_free (self->text);
  g_free (self);
}
