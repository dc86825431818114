/* SPDX-License-Identifier: MIT */
#include "app/teaching/solution.h"

#include <math.h>
#include <stdio.h>

#include "app/teaching/check.h"

/* Nobody writes more digits than the answer is shown with. */
#define LEAST_TOLERANCE 5e-4

static gboolean
find_tokens (AppSolution             *self,
             const AppClaimContext *context,
             const AppAsk          *ask)
{
  const int n = ask->type == APP_ASK_CELL ? 2 : 1;
  char *names[2] = { NULL, NULL };

  for (int i = 0; i < n; i++) {
    g_autofree char *text = NULL;

    if (!app_evaluate_token (context, &ask->tokens[i], i == 1, &self->choice.tokens[i], &text,
                             &names[i], NULL)) {
      g_free (names[0]);
      return FALSE;
    }
  }
  self->text = n == 1 ? g_strdup (names[0]) : g_strdup_printf ("%s reads %s", names[0], names[1]);
  g_free (names[0]);
  g_free (names[1]);

  return TRUE;
}

static gboolean
find_number (AppSolution             *self,
             const AppClaimContext *context,
             const AppAsk          *ask)
{
  if (!app_evaluate_answer (context, ask, &self->choice.number, NULL))
    return FALSE;
  self->text = app_lesson_format_answer (self->choice.number, ask->tolerance);

  return TRUE;
}

void
app_solution_find (AppSolution             *self,
                 const AppClaimContext *context,
                 const AppAsk          *ask)
{
  switch (ask->type) {
  case APP_ASK_TOKEN:
  case APP_ASK_CELL:
    self->is_known = find_tokens (self, context, ask);
    break;
  case APP_ASK_NUMBER:
    self->is_known = find_number (self, context, ask);
    break;
  case APP_ASK_HEAD:
    self->is_known = app_evaluate_answer (context, ask, &self->choice.number, NULL);
    self->choice.layer = ask->head.layer;
    self->choice.head = ask->head.head;
    self->text = g_strdup_printf ("%d.%d", ask->head.layer, ask->head.head);
    break;
  case APP_ASK_OPTION:
  default:
    self->is_known = TRUE;
    self->choice.option = ask->option;
    self->text = g_strdup (ask->options->pdata[ask->option]);
    break;
  }
}

gboolean
app_solution_is_right (const AppSolution *self,
                     const AppAsk    *ask,
                     const AppChoice *choice)
{
  const double least = LEAST_TOLERANCE * fmax (1, fabs (self->choice.number));

  switch (ask->type) {
  case APP_ASK_TOKEN:
    return choice->tokens[0] == self->choice.tokens[0];
  case APP_ASK_CELL:
    return choice->tokens[0] == self->choice.tokens[0]
           && choice->tokens[1] == self->choice.tokens[1];
  case APP_ASK_NUMBER:
    return fabs (choice->number - self->choice.number) <= fmax (ask->tolerance, least);
  case APP_ASK_HEAD:
    return choice->layer == self->choice.layer && choice->head == self->choice.head;
  case APP_ASK_OPTION:
  default:
    return choice->option == self->choice.option;
  }
}

void
app_solution_clear (AppSolution *self)
{
  g_clear_pointer (&self->text, g_free);
}

char *
app_choice_to_text (const AppChoice *self,
                    AppAskType       type)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  switch (type) {
  case APP_ASK_TOKEN:
    return g_strdup_printf ("%d", self->tokens[0]);
  case APP_ASK_CELL:
    return g_strdup_printf ("%d %d", self->tokens[0], self->tokens[1]);
  case APP_ASK_NUMBER:
    return g_strdup (g_ascii_dtostr (number, sizeof number, self->number));
  case APP_ASK_HEAD:
    return g_strdup_printf ("%d.%d", self->layer, self->head);
  case APP_ASK_OPTION:
  default:
    return g_strdup_printf ("%d", self->option);
  }
}

gboolean
app_choice_from_text (AppChoice  *self,
                      AppAskType  type,
                      const char *text)
{
  char *end = NULL;

  switch (type) {
  case APP_ASK_TOKEN:
    return sscanf (text, "%d", &self->tokens[0]) == 1 && self->tokens[0] >= 0;
  case APP_ASK_CELL:
    return sscanf (text, "%d %d", &self->tokens[0], &self->tokens[1]) == 2
           && self->tokens[0] >= 0 && self->tokens[1] >= 0;
  case APP_ASK_NUMBER:
    self->number = g_ascii_strtod (text, &end);
    return end != text && *end == '\0' && isfinite (self->number);
  case APP_ASK_HEAD:
    return sscanf (text, "%d.%d", &self->layer, &self->head) == 2 && self->layer >= 0
           && self->head >= 0;
  case APP_ASK_OPTION:
  default:
    return sscanf (text, "%d", &self->option) == 1 && self->option >= 0;
  }
}
