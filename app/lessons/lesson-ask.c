/* SPDX-License-Identifier: MIT */
#include "app/lessons/lesson-private.h"

#include <string.h>

#include "app/lessons/scanner.h"

AppAsk *
app_ask_read (const char  *text,
              AppPlace     place,
              AppPlace    *fault,
              GError     **error)
{
  g_autoptr (AppAsk) ask = g_new0 (AppAsk, 1);
  g_autofree char *name = NULL;
  AppScanner scanner;

  ask->options = g_ptr_array_new_with_free_func (g_free);
  app_scanner_init (&scanner, text, place, fault);
  name = app_scanner_peek_name (&scanner);
  if (!app_ask_type_from_name (name, &ask->type)) {
    app_scanner_refuse (&scanner, error,
                        "what is to be chosen: token, cell, head, number or option");
    return NULL;
  }
  app_scanner_advance (&scanner, strlen (name));
  app_scanner_skip (&scanner);
  if (*scanner.p == '\0') {
    app_scanner_refuse (&scanner, error, "the question");
    return NULL;
  }
  ask->question = g_strdup (scanner.p);

  return g_steal_pointer (&ask);
}

/* One token, not a set of them, and of the picture on show. */
static gboolean
read_token (AppScanner  *scanner,
            AppTokens   *token,
            GError     **error)
{
  if (!app_scanner_read_tokens (scanner, token, error))
    return FALSE;

  return (token->run == APP_RUN_THIS && token->type <= APP_TOKENS_WORD)
         || app_place_refuse (token->place, scanner->fault, error, APP_LESSON_ERROR_SYNTAX,
                              "the answer is not one token, expected a word in quotes or a number");
}

static gboolean
read_head (AppScanner  *scanner,
           AppHeads    *head,
           GError     **error)
{
  if (!app_scanner_read_heads (scanner, head, error))
    return FALSE;

  return (head->layer != APP_ALL && head->head != APP_ALL)
         || app_place_refuse (head->place, scanner->fault, error, APP_LESSON_ERROR_SYNTAX,
                              "the answer is not one head, expected such as 3.11");
}

static gboolean
read_option (AppScanner       *scanner,
             const GPtrArray  *options,
             int              *option,
             GError          **error)
{
  app_scanner_skip (scanner);
  for (guint i = 0; i < options->len; i++)
    if (g_str_equal (scanner->p, options->pdata[i])) {
      *option = (int) i;
      app_scanner_advance (scanner, strlen (scanner->p));
      return TRUE;
    }

  return app_place_refuse (scanner->place, scanner->fault, error, APP_LESSON_ERROR_SYNTAX,
                           "“%s” is none of the options", scanner->p);
}

gboolean
app_ask_read_answer (AppAsk      *self,
                     const char  *text,
                     AppPlace     place,
                     AppPlace    *fault,
                     GError     **error)
{
  AppScanner scanner;
  gboolean done = FALSE;

  app_scanner_init (&scanner, text, place, fault);
  app_scanner_skip (&scanner);
  self->answer_place = scanner.place;
  self->answer = g_strdup (scanner.p);
  switch (self->type) {
  case APP_ASK_TOKEN:
    done = read_token (&scanner, &self->tokens[0], error);
    break;
  case APP_ASK_CELL:
    done = read_token (&scanner, &self->tokens[0], error)
           && app_scanner_expect (&scanner, ',', error)
           && read_token (&scanner, &self->tokens[1], error);
    break;
  case APP_ASK_HEAD:
    done = read_head (&scanner, &self->head, error);
    break;
  case APP_ASK_NUMBER:
    self->number = app_scanner_read_expression (&scanner, error);
    done = self->number != NULL && app_scanner_read_tolerance (&scanner, &self->tolerance, error);
    break;
  case APP_ASK_OPTION:
  default:
    done = read_option (&scanner, self->options, &self->option, error);
    break;
  }

  return done && app_scanner_end (&scanner, error);
}
