/* SPDX-License-Identifier: MIT */
/* expression = term { (+ | -) term };  term = factor { (* | /) factor };
 * factor = number | - factor | ( expression ) | [run .] function ( arguments ). */
#include "app/lessons/scanner.h"

#include <string.h>

#include "engine/trace/patterns.h"

#define MOST_DEPTH 24
#define MOST_FACTORS 200

static AppExpression *read_sum (AppScanner *scanner, GError **error);

static AppExpression *
expression_new (AppExpressionType type,
                AppPlace          place)
{
  AppExpression *self = g_new0 (AppExpression, 1);

  self->type = type;
  self->place = place;

  return self;
}

static gboolean
read_relation (AppScanner   *scanner,
               AppRelation  *relation,
               GError      **error)
{
  app_scanner_skip (scanner);
  for (int i = APP_IS_AT_LEAST; i <= APP_IS; i++) {
    const char *sign = app_relation_get_sign (i);

    if (g_str_has_prefix (scanner->p, sign)) {
      app_scanner_advance (scanner, strlen (sign));
      *relation = i;
      return TRUE;
    }
  }

  return app_scanner_refuse (scanner, error, "one of >= <= > < = and a number");
}

static gboolean
read_comparison (AppScanner     *scanner,
                 AppComparison  *comparison,
                 GError        **error)
{
  AppPlace start;

  if (!read_relation (scanner, &comparison->relation, error)
      || !app_scanner_read_number (scanner, &comparison->bound, error))
    return FALSE;
  app_scanner_skip (scanner);
  start = scanner->place;
  if (!app_scanner_read_tolerance (scanner, &comparison->tolerance, error))
    return FALSE;
  if (comparison->tolerance > 0 && comparison->relation != APP_IS)
    return app_place_refuse (start, scanner->fault, error, APP_LESSON_ERROR_SYNTAX,
                             "only = takes a tolerance, not %s",
                             app_relation_get_sign (comparison->relation));

  return TRUE;
}

/* One of a list of names; *number is its index. */
static gboolean
read_listed_name (AppScanner         *scanner,
                  const char *const  *names,
                  int                *number,
                  GError            **error)
{
  g_autofree char *name = app_scanner_peek_name (scanner);
  g_autofree char *list = NULL;

  for (int i = 0; name != NULL && names[i] != NULL; i++)
    if (g_str_equal (name, names[i])) {
      app_scanner_advance (scanner, strlen (name));
      *number = i;
      return TRUE;
    }
  list = g_strjoinv (", ", (char **) names);

  return app_scanner_refuse (scanner, error, list);
}

static gboolean
read_pattern (AppScanner  *scanner,
              int         *number,
              GError     **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (int i = 0; i < ENG_N_PATTERNS; i++)
    g_ptr_array_add (names, (gpointer) eng_pattern_get_name (i));
  g_ptr_array_add (names, NULL);

  return read_listed_name (scanner, (const char *const *) names->pdata, number, error);
}

static gboolean
read_answer (AppScanner   *scanner,
             AppArgument  *argument,
             GError      **error)
{
  app_scanner_skip (scanner);
  argument->quoted = *scanner->p == '"';
  if (argument->quoted)
    return app_scanner_read_word (scanner, &argument->text, error);
  argument->text = app_scanner_peek_name (scanner);
  if (argument->text == NULL)
    return app_scanner_refuse_word (scanner, error,
                                    "a word in quotes or the label of a class, such as is-next");
  app_scanner_advance (scanner, strlen (argument->text));

  return TRUE;
}

static gboolean
read_argument (AppScanner    *scanner,
               AppParameter   parameter,
               AppArgument   *argument,
               GError       **error)
{
  app_scanner_skip (scanner);
  argument->place = scanner->place;
  switch (parameter) {
  case APP_PARAMETER_HEADS:
    return app_scanner_read_heads (scanner, &argument->heads, error);
  case APP_PARAMETER_LAYER:
    return app_scanner_read_index (scanner, "the number of a layer", &argument->number, error);
  case APP_PARAMETER_TOKENS:
    return app_scanner_read_tokens (scanner, &argument->tokens, error);
  case APP_PARAMETER_NUMBER:
    return app_scanner_read_index (scanner, "a whole number", &argument->number, error);
  case APP_PARAMETER_PATTERN:
    return read_pattern (scanner, &argument->number, error);
  case APP_PARAMETER_ANSWER:
    return read_answer (scanner, argument, error);
  case APP_PARAMETER_VALUES:
  case APP_PARAMETER_COMPARISON:
    argument->values = read_sum (scanner, error);
    return argument->values != NULL
           && (parameter == APP_PARAMETER_VALUES
               || read_comparison (scanner, &argument->comparison, error));
  default:
    return read_listed_name (scanner, app_claim_get_names (parameter), &argument->number, error);
  }
}

/* scale=, temperature=, plus= or plain; *taken is FALSE where none of them stands there. */
static gboolean
read_what_if (AppScanner  *scanner,
              AppWhatIf   *what_if,
              gboolean    *taken,
              GError     **error)
{
  g_autofree char *name = app_scanner_peek_name (scanner);
  double *value = NULL;
  AppPlace start;

  *taken = TRUE;
  if (g_strcmp0 (name, "scale") == 0)
    value = &what_if->scale;
  else if (g_strcmp0 (name, "temperature") == 0)
    value = &what_if->temperature;
  else if (g_strcmp0 (name, "plus") == 0)
    value = &what_if->plus;
  else if (g_strcmp0 (name, "plain") == 0)
    what_if->plain = TRUE;
  else
    *taken = FALSE;
  if (!*taken)
    return TRUE;

  what_if->asked = TRUE;
  app_scanner_advance (scanner, strlen (name));
  if (value == NULL)
    return TRUE;
  if (!app_scanner_expect (scanner, '=', error))
    return FALSE;
  app_scanner_skip (scanner);
  start = scanner->place;
  if (!app_scanner_read_number (scanner, value, error))
    return FALSE;
  what_if->scale_set |= value == &what_if->scale;
  if (what_if->temperature <= 0)
    return app_place_refuse (start, scanner->fault, error, APP_LESSON_ERROR_SYNTAX,
                             "the temperature is not above 0");

  return TRUE;
}

/* Queries are of one run, and so is what is read but where the function says otherwise. */
static gboolean
check_run (AppScanner          *scanner,
           const AppSignature  *signature,
           const AppExpression *call,
           GError             **error)
{
  const AppTokens *tokens = &call->arguments[call->n_arguments - 1].tokens;

  return tokens->run == APP_RUN_THIS || (signature->other && call->n_arguments == 3)
         || app_place_refuse (tokens->place, scanner->fault, error, APP_LESSON_ERROR_SYNTAX,
                              "the token is of another run, which %s reads %s", signature->name,
                              signature->other ? "as its third argument alone" : "not at all");
}

/* The next argument, or a what-if behind those that are needed. */
static gboolean
read_next (AppScanner          *scanner,
           const AppSignature  *signature,
           AppExpression       *call,
           GError             **error)
{
  AppParameter parameter = call->n_arguments < APP_MAX_PARAMETERS
                           ? signature->parameters[call->n_arguments] : APP_PARAMETER_NONE;
  gboolean taken = FALSE;

  if (signature->what_if && call->n_arguments >= signature->n_needed
      && !read_what_if (scanner, &call->what_if, &taken, error))
    return FALSE;
  if (taken)
    return TRUE;
  if (parameter == APP_PARAMETER_NONE || call->what_if.asked) {
    g_autofree char *expected = g_strdup_printf ("\")\", for %s takes no more", signature->name);

    return app_scanner_refuse (scanner, error, expected);
  }
  call->n_arguments++;

  return read_argument (scanner, parameter, &call->arguments[call->n_arguments - 1], error)
         && check_run (scanner, signature, call, error);
}

static gboolean
read_arguments (AppScanner     *scanner,
                AppExpression  *call,
                GError        **error)
{
  const AppSignature *signature = app_claim_get_signature (call->function);

  call->what_if.temperature = 1;
  if (!app_scanner_expect (scanner, '(', error))
    return FALSE;
  if (signature->n_needed == 0 && app_scanner_takes (scanner, ')'))
    return TRUE;
  do
    if (!read_next (scanner, signature, call, error))
      return FALSE;
  while (app_scanner_takes (scanner, ','));
  if (call->n_arguments < signature->n_needed)
    return app_scanner_refuse (scanner, error, "\",\" and what else the function takes");

  return app_scanner_expect (scanner, ')', error);
}

static AppExpression *
read_call (AppScanner  *scanner,
           GError     **error)
{
  g_autoptr (AppExpression) call = expression_new (APP_EXPRESSION_CALL, scanner->place);
  g_autofree char *name = NULL;

  app_scanner_read_run (scanner, &call->run);
  name = app_scanner_peek_name (scanner);
  for (int i = 0; name != NULL && i < APP_N_FUNCTIONS; i++)
    if (g_str_equal (name, app_claim_get_signature (i)->name)) {
      call->function = i;
      app_scanner_advance (scanner, strlen (name));
      return read_arguments (scanner, call, error) ? g_steal_pointer (&call) : NULL;
    }
  if (name != NULL)
    app_place_refuse (scanner->place, scanner->fault, error, APP_LESSON_ERROR_SYNTAX,
                      "there is no function “%s”; the lesson “How a lesson is written” lists them",
                      name);
  else
    app_scanner_refuse (scanner, error, "a number or a function, such as weight(3.11, 2, 9)");

  return NULL;
}

static AppExpression *
read_number (AppScanner  *scanner,
             GError     **error)
{
  g_autoptr (AppExpression) number = expression_new (APP_EXPRESSION_NUMBER, scanner->place);

  return app_scanner_read_number (scanner, &number->number, error) ? g_steal_pointer (&number)
                                                                   : NULL;
}

static AppExpression *read_factor (AppScanner *scanner, GError **error);

/* A minus before an expression is 0 less it. */
static AppExpression *
read_negative (AppScanner  *scanner,
               GError     **error)
{
  g_autoptr (AppExpression) negative = expression_new (APP_EXPRESSION_SUBTRACT, scanner->place);

  app_scanner_advance (scanner, 1);
  negative->left = expression_new (APP_EXPRESSION_NUMBER, scanner->place);
  negative->right = read_factor (scanner, error);

  return negative->right != NULL ? g_steal_pointer (&negative) : NULL;
}

static AppExpression *
read_in_brackets (AppScanner  *scanner,
                  GError     **error)
{
  g_autoptr (AppExpression) inner = NULL;

  app_scanner_advance (scanner, 1);
  inner = read_sum (scanner, error);

  return inner != NULL && app_scanner_expect (scanner, ')', error) ? g_steal_pointer (&inner)
                                                                   : NULL;
}

static AppExpression *
read_factor (AppScanner  *scanner,
             GError     **error)
{
  AppExpression *factor;

  app_scanner_skip (scanner);
  if (scanner->depth >= MOST_DEPTH) {
    app_place_refuse (scanner->place, scanner->fault, error, APP_LESSON_ERROR_SYNTAX,
                      "there are more than %d brackets within each other", MOST_DEPTH);
    return NULL;
  }
  if (++scanner->n_factors > MOST_FACTORS) {
    app_place_refuse (scanner->place, scanner->fault, error, APP_LESSON_ERROR_SYNTAX,
                      "there are more than %d numbers and functions", MOST_FACTORS);
    return NULL;
  }
  scanner->depth++;
  if (*scanner->p == '-')
    factor = read_negative (scanner, error);
  else if (*scanner->p == '(')
    factor = read_in_brackets (scanner, error);
  else if (g_ascii_isdigit (*scanner->p))
    factor = read_number (scanner, error);
  else
    factor = read_call (scanner, error);
  scanner->depth--;

  return factor;
}

/* left SIGN right; takes left, which is nullable. */
static AppExpression *
join (AppExpressionType  type,
      AppPlace           place,
      AppExpression     *left,
      AppExpression     *right)
{
  AppExpression *both = expression_new (type, place);

  both->left = left;
  both->right = right;

  return both;
}

static AppExpression *
read_product (AppScanner  *scanner,
              GError     **error)
{
  g_autoptr (AppExpression) product = read_factor (scanner, error);

  while (product != NULL) {
    AppPlace place;
    gboolean multiplies;
    AppExpression *factor;

    app_scanner_skip (scanner);
    place = scanner->place;
    multiplies = *scanner->p == '*';
    if (!multiplies && *scanner->p != '/')
      return g_steal_pointer (&product);
    app_scanner_advance (scanner, 1);
    factor = read_factor (scanner, error);
    if (factor == NULL)
      return NULL;
    product = join (multiplies ? APP_EXPRESSION_MULTIPLY : APP_EXPRESSION_DIVIDE, place,
                    g_steal_pointer (&product), factor);
  }

  return NULL;
}

static AppExpression *
read_sum (AppScanner  *scanner,
          GError     **error)
{
  g_autoptr (AppExpression) sum = read_product (scanner, error);

  while (sum != NULL) {
    AppPlace place;
    gboolean adds;
    AppExpression *term;

    app_scanner_skip (scanner);
    place = scanner->place;
    adds = *scanner->p == '+' && scanner->p[1] != '-';
    if (!adds && *scanner->p != '-')
      return g_steal_pointer (&sum);
    app_scanner_advance (scanner, 1);
    term = read_product (scanner, error);
    if (term == NULL)
      return NULL;
    sum = join (adds ? APP_EXPRESSION_ADD : APP_EXPRESSION_SUBTRACT, place,
                g_steal_pointer (&sum), term);
  }

  return NULL;
}

AppExpression *
app_scanner_read_expression (AppScanner  *scanner,
                             GError     **error)
{
  return read_sum (scanner, error);
}

AppClaim *
app_claim_parse (const char  *text,
                 AppPlace     place,
                 AppPlace    *fault,
                 GError     **error)
{
  g_autoptr (AppClaim) claim = g_new0 (AppClaim, 1);
  AppScanner scanner;

  app_scanner_init (&scanner, text, place, fault);
  app_scanner_skip (&scanner);
  claim->place = scanner.place;
  claim->text = g_strchomp (g_strdup (scanner.p));
  claim->expression = read_sum (&scanner, error);

  return claim->expression != NULL && read_comparison (&scanner, &claim->comparison, error)
         && app_scanner_end (&scanner, error) ? g_steal_pointer (&claim) : NULL;
}
