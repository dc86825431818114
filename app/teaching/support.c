/* SPDX-License-Identifier: MIT */
#include "app/teaching/support.h"

#include <math.h>

/* What a claim is to name, as it says the answer of a question. */
typedef struct {
  const AppClaimContext *context;
  const AppAsk          *ask;
  guint                  option; /* of an option */
  gboolean               is_key; /* of a token: the second one of a cell */
} Sought;

/* By its number in the picture, for a token has several names. -1 = it is not one that is named. */
static int
find_token (const AppClaimContext *context,
            const AppTokens       *token,
            gboolean               is_key)
{
  g_autofree char *text = NULL;
  int index;

  return token->run == APP_RUN_THIS && token->type <= APP_TOKENS_WORD
         && app_evaluate_token (context, token, is_key, &index, &text, NULL) ? index : -1;
}

static gboolean
is_token (const Sought    *self,
          const AppTokens *token)
{
  const int index = find_token (self->context, token, self->is_key);

  return index >= 0
         && index == find_token (self->context, &self->ask->tokens[self->is_key], self->is_key);
}

static gboolean
is_number (const Sought *self,
           double        value)
{
  double number;

  return app_evaluate_answer (self->context, self->ask, &number, NULL)
         && fabs (value - number) <= self->ask->tolerance;
}

static gboolean
is_sought (const Sought        *self,
           const AppExpression *call,
           int                  i)
{
  const AppParameter *parameters = app_claim_get_signature (call->function)->parameters;
  const AppParameter parameter = parameters[i];
  const AppArgument *argument = &call->arguments[i];
  const gboolean is_second = i > 0 && parameters[i - 1] == APP_PARAMETER_TOKENS;

  switch (self->ask->type) {
  case APP_ASK_TOKEN:
    return parameter == APP_PARAMETER_TOKENS && is_token (self, &argument->tokens);
  case APP_ASK_CELL:
    return parameter == APP_PARAMETER_TOKENS && is_second == self->is_key
           && is_token (self, &argument->tokens);
  case APP_ASK_HEAD:
    return parameter == APP_PARAMETER_HEADS && argument->heads.layer == self->ask->head.layer
           && argument->heads.head == self->ask->head.head;
  case APP_ASK_NUMBER:
    return parameter == APP_PARAMETER_LAYER && is_number (self, argument->number);
  case APP_ASK_OPTION:
  default:
    return g_strcmp0 (parameter == APP_PARAMETER_ANSWER ? argument->text : argument->tokens.word,
                      self->ask->options->pdata[self->option]) == 0;
  }
}

static gboolean
names (const Sought        *self,
       const AppExpression *expression)
{
  if (expression == NULL)
    return FALSE;
  for (int i = 0; i < expression->n_arguments; i++)
    if (names (self, expression->arguments[i].values)
        || (expression->run == APP_RUN_THIS && is_sought (self, expression, i)))
      return TRUE;

  return names (self, expression->left) || names (self, expression->right);
}

/* A number that is no function of the model may be anything. */
static gboolean
is_computed (const AppExpression *expression)
{
  return expression != NULL
         && (expression->type == APP_EXPRESSION_CALL || is_computed (expression->left)
             || is_computed (expression->right));
}

static gboolean
stands_behind (const AppClaimContext *context,
               const AppClaim        *claim,
               const AppAsk          *ask)
{
  const Sought sought = { .context = context, .ask = ask, .option = (guint) ask->option };
  const Sought key = { .context = context, .ask = ask, .is_key = TRUE };

  if (ask->type == APP_ASK_NUMBER && claim->comparison.relation == APP_IS
      && is_number (&sought, claim->comparison.bound))
    return TRUE;

  return names (&sought, claim->expression)
         && (ask->type != APP_ASK_CELL || names (&key, claim->expression));
}

/* Whether a claim has the words of an option, which are then what it is about. */
static gboolean
names_option (const AppClaimContext *context,
              const AppClaim        *claim,
              const AppAsk          *ask)
{
  for (guint i = 0; i < ask->options->len; i++) {
    const Sought sought = { .context = context, .ask = ask, .option = i };

    if (names (&sought, claim->expression))
      return TRUE;
  }

  return FALSE;
}

gboolean
app_support_find (const AppClaimContext *context,
                  const AppAsk          *ask)
{
  const AppSection *section = context->lesson->sections->pdata[context->section];
  gboolean is_open = ask->type == APP_ASK_OPTION || is_computed (ask->number);

  for (guint i = 0; i < section->blocks->len; i++) {
    const AppBlock *block = section->blocks->pdata[i];

    if (block->type != APP_BLOCK_CLAIM)
      continue;
    if (stands_behind (context, block->claim, ask))
      return TRUE;
    is_open &= !names_option (context, block->claim, ask);
  }

  return is_open;
}
