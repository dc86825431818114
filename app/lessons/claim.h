/* SPDX-License-Identifier: MIT */
/* What a lesson says of the model's numbers, "weight(3.11, "cat"#1, "cat"#2) >= 0.9": read from one
 * line, not yet computed. The grammar is told to people in resources/lessons/README.md; the table
 * of functions is in claim.c. No model is needed and none is asked. Any thread. */
#pragma once

#include "app/lessons/place.h"

G_BEGIN_DECLS

/* Whose numbers. */
typedef enum {
  APP_RUN_THIS,     /* of the section's state */
  APP_RUN_OTHER,    /* of the second side of the state */
  APP_RUN_BEFORE,   /* of the section before */
  APP_RUN_UNEDITED, /* of the state without its edits */
} AppClaimRun;
#define APP_N_RUNS 4

typedef enum {
  APP_TOKENS_NUMBER,   /* the one of that index */
  APP_TOKENS_WORD,     /* the nth of that text; nth 0 = there is only one */
  APP_TOKENS_ALL,
  APP_TOKENS_TYPED,
  APP_TOKENS_SPECIAL,  /* of the template */
  APP_TOKENS_PADDING,
  APP_TOKENS_A,        /* of a sentence, its template tokens among them */
  APP_TOKENS_B,
  APP_TOKENS_ITSELF,   /* this and what follows, seen from the token before it in the claim */
  APP_TOKENS_PREVIOUS,
  APP_TOKENS_NEXT,
  APP_TOKENS_EARLIER,
  APP_TOKENS_LATER
} AppTokensType;

typedef struct {
  AppPlace      place;
  AppClaimRun   run;
  AppTokensType type;
  int           index;
  char         *word;
  int           nth;
} AppTokens;

#define APP_ALL (-1)

typedef struct {
  AppPlace place;
  int      layer; /* APP_ALL = every one */
  int      head;  /* likewise */
} AppHeads;

typedef enum { APP_IS_AT_LEAST, APP_IS_AT_MOST, APP_IS_MORE, APP_IS_LESS, APP_IS } AppRelation;

typedef struct {
  AppRelation relation;
  double      bound;
  double      tolerance; /* of APP_IS */
} AppComparison;

typedef enum {
  APP_WEIGHT, APP_SHARE, APP_ROW_SUM, APP_COLUMN_SUM, APP_STRONGEST, APP_ENTROPY, APP_PATTERN,
  APP_NAMED, APP_PAIR_SHARE, APP_ROLLOUT,
  APP_SCORE, APP_DOT, APP_PRODUCT, APP_BIAS, APP_SCALE, APP_LENGTH,
  APP_COSINE, APP_DISTANCE, APP_STATE_DOT, APP_STATE_LENGTH,
  APP_PROBABILITY, APP_RANK, APP_LENS, APP_LENS_RANK, APP_CHANGE, APP_ABLATION, APP_SIZE,
  APP_MIN, APP_MAX, APP_MEAN, APP_SUM, APP_VARIANCE, APP_COUNT, APP_ABS, APP_SQRT, APP_LOG2
} AppFunction;
#define APP_N_FUNCTIONS 36

/* What stands at a place in the brackets of a function. */
typedef enum {
  APP_PARAMETER_NONE,
  APP_PARAMETER_HEADS,     /* 3.11, 3.*, *.* */
  APP_PARAMETER_LAYER,     /* 3 */
  APP_PARAMETER_TOKENS,    /* "cat"#2, 4, typed, other."cat" */
  APP_PARAMETER_NUMBER,    /* a whole one */
  APP_PARAMETER_PATTERN,   /* the name of a pattern */
  APP_PARAMETER_MEASURE,   /* the name of a measure */
  APP_PARAMETER_VECTOR,    /* query, key, value, output */
  APP_PARAMETER_SIZE,      /* layers, heads, … */
  APP_PARAMETER_ANSWER,    /* a word in quotes, or the label of a class */
  APP_PARAMETER_VALUES,    /* an expression */
  APP_PARAMETER_COMPARISON /* an expression, a relation and a number */
} AppParameter;
#define APP_MAX_PARAMETERS 4

typedef struct {
  const char  *name;
  AppParameter parameters[APP_MAX_PARAMETERS];
  int          n_needed;   /* what stands behind them may be left out */
  gboolean     what_if;    /* behind them scale=…, temperature=…, plus=… or plain may stand */
  gboolean     other;      /* its second tokens may be of another run: other."cat" */
} AppSignature;

const AppSignature *app_claim_get_signature (AppFunction function);
/* The names that a parameter takes, NULL-terminated; NULL where it is no name of a list. A name's
 * index is what AppArgument.number holds. */
const char *const  *app_claim_get_names     (AppParameter parameter);
const char         *app_claim_get_run_name  (AppClaimRun run);

typedef struct _AppExpression AppExpression;

typedef struct {
  AppPlace       place;
  AppHeads       heads;
  AppTokens      tokens;
  int            number;     /* of a layer, a number and a name */
  char          *text;       /* of an answer */
  gboolean       quoted;     /* it is a word, not a label */
  AppExpression *values;     /* of values and a comparison */
  AppComparison  comparison;
} AppArgument;

/* A row of scores as it would be, in that head alone, and nothing is fed forward. */
typedef struct {
  gboolean asked;
  gboolean plain;       /* queries and keys are what enters the layer, a part for each head */
  gboolean scale_set;
  double   scale;
  double   temperature;
  double   plus;
} AppWhatIf;

typedef enum {
  APP_EXPRESSION_NUMBER, APP_EXPRESSION_CALL, APP_EXPRESSION_ADD, APP_EXPRESSION_SUBTRACT,
  APP_EXPRESSION_MULTIPLY, APP_EXPRESSION_DIVIDE
} AppExpressionType;

struct _AppExpression {
  AppExpressionType type;
  AppPlace          place;
  double            number;
  AppExpression    *left;
  AppExpression    *right;
  AppFunction       function;
  AppClaimRun       run;
  AppArgument       arguments[APP_MAX_PARAMETERS];
  int               n_arguments;
  AppWhatIf         what_if;
};

typedef struct {
  AppPlace       place;       /* of the expression's first character */
  char          *text;        /* as it stands in the file */
  AppExpression *expression;
  AppComparison  comparison;
} AppClaim;

/* (transfer full) place: of the text's first character; fault is set with an error. */
AppClaim      *app_claim_parse        (const char     *text,
                                       AppPlace        place,
                                       AppPlace       *fault,
                                       GError        **error);
void           app_claim_free         (AppClaim       *self);
void           app_expression_free    (AppExpression  *self);
/* Whether they say the same, wherever they stand and however they are spaced. */
gboolean       app_tokens_equal       (const AppTokens     *a,
                                       const AppTokens     *b);
gboolean       app_expression_equal   (const AppExpression *a,
                                       const AppExpression *b);
gboolean       app_claim_equal        (const AppClaim      *a,
                                       const AppClaim      *b);
/* ">=" */
const char    *app_relation_get_sign  (AppRelation     relation);
gboolean       app_comparison_holds   (const AppComparison *self,
                                       double               value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppClaim, app_claim_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppExpression, app_expression_free)

G_END_DECLS
