/* SPDX-License-Identifier: MIT */
/* What the files of evaluate.h share. */
#pragma once

#include "app/teaching/evaluate.h"

G_BEGIN_DECLS

#define APP_MOST_VALUES 5000000

/* A call that is being computed. */
typedef struct {
  const AppClaimContext *evaluation;
  const AppExpression *call;
  AppRun              *run;
  EngKind              kind;
  GArray              *values;  /* of double; what it comes to is appended */
} AppCall;

/* Always FALSE. The numbers that a trace which stands in for a model has not are lacking, not
 * wrong. */
gboolean   app_call_refuse       (const AppCall    *self,
                                  AppPlace          place,
                                  GError          **error,
                                  const char       *format,
                                  ...) G_GNUC_PRINTF (4, 5);
/* The same with what the engine says; takes problem. */
gboolean   app_call_pass_on      (const AppCall    *self,
                                  GError           *problem,
                                  GError          **error);
gboolean   app_call_add          (const AppCall    *self,
                                  double            value,
                                  GError          **error);

/* The layers and heads that an argument names: array of AppHeads. (transfer full) */
GArray    *app_call_find_heads   (const AppCall    *self,
                                  const AppHeads   *heads,
                                  GError          **error);
/* Tokens that it names: array of int. query: what the relative ones are seen from, -1 = nothing.
 * (transfer full) */
GArray    *app_call_find_tokens  (const AppCall    *self,
                                  const AppTokens  *spec,
                                  const EngTokens  *tokens,
                                  int               query,
                                  GError          **error);
/* The run that an argument names instead of the call's. */
AppRun    *app_call_find_run     (const AppCall    *self,
                                  const AppTokens  *spec,
                                  GError          **error);
/* The argument, or NULL where it was left out. */
const AppArgument *app_call_get_argument (const AppCall *self,
                                  int               index);

/* weight to rollout, row sums; score to length */
gboolean   app_call_attention    (const AppCall    *self,
                                  GError          **error);
gboolean   app_call_parts        (const AppCall    *self,
                                  GError          **error);
/* cosine to state-length */
gboolean   app_call_states       (const AppCall    *self,
                                  GError          **error);
/* probability to size */
gboolean   app_call_answers      (const AppCall    *self,
                                  GError          **error);

G_END_DECLS
