/* SPDX-License-Identifier: MIT */
#include "app/run/token-path.h"

#include "app/store/model-store.h"
#include "engine/transformer/inputs.h"
#include "engine/transformer/session.h"

#define POST_NORM_MODEL "headlight-mini"
#define PRE_NORM_MODEL "headlight-causal"

/* The head that says words, of the stack that the token is of. */
static void
find_answers (AppTokenPath            *self,
              EngModel                *model,
              const AppTokenQuestion  *question,
              GError                 **error)
{
  self->task = eng_model_has_task (model, ENG_TASK_FILL_MASK) ? ENG_TASK_FILL_MASK
                                                              : ENG_TASK_LANGUAGE_MODEL;
  if (!eng_model_has_task (model, self->task))
    self->no_answers = "This model has no word head: it says no word, at no layer.";
  else if (eng_model_has_two_stacks (model) && question->kind == ENG_KIND_ENCODER)
    self->no_answers = "The word head reads the decoder: choose one of its tokens.";
  else
    self->answers = eng_layer_answers_new (model, question->trace, self->task, question->token,
                                           APP_TOKEN_PATH_CANDIDATES, question->cancel, error);
}

/* The last token that has a byte of the span; -1 = none. */
static int
find_token (const EngTokens *tokens,
            const EngSpan   *span)
{
  int found = -1;

  for (int i = 0; i < tokens->n; i++)
    if (tokens->spans[i].start >= 0 && tokens->spans[i].start < span->end
        && tokens->spans[i].end > span->start)
      found = i;

  return found;
}

static EngModel *
open_other (const AppTokenQuestion *question,
            EngNormPlacement        norms)
{
  g_autofree char *name = NULL;
  g_autofree char *folder = app_model_store_find (norms == ENG_NORM_POST ? PRE_NORM_MODEL
                                                                         : POST_NORM_MODEL,
                                                  &name, NULL);

  if (question->other != NULL && g_strcmp0 (eng_model_get_info (question->other)->name, name) == 0)
    return eng_model_ref (question->other);
  return folder != NULL ? eng_model_open (folder, name, NULL) : NULL;
}

/* The token's own sentence alone, in the other model. */
static void
compare_norms (AppTokenPath           *self,
               const AppTokenQuestion *question)
{
  const EngTokens *tokens = eng_trace_get_query_tokens (question->trace, question->kind);
  const EngSpan *span = tokens->spans != NULL ? &tokens->spans[question->token] : NULL;
  const char *text = tokens->segments[question->token] == 1 ? question->document->text_b
                                                            : question->document->text_a;
  g_autoptr (EngModel) other = NULL;
  g_autoptr (EngSession) session = NULL;
  g_autoptr (EngTrace) trace = NULL;
  g_auto (EngInputs) inputs = { 0 };
  EngRunRequest request = { .cancel = question->cancel };
  EngKind kind;
  int token;

  if (span == NULL || span->start < 0
      || question->kind != eng_trace_get_default_kind (question->trace)
      || (other = open_other (question, self->norms)) == NULL
      || !eng_inputs_from_texts (other, text, "", NULL, &inputs, NULL)
      || (token = find_token (inputs.tokens, span)) < 0)
    return;
  session = eng_session_new (other);
  request.tokens = inputs.tokens;
  trace = eng_session_run (session, &request, NULL);
  if (trace == NULL)
    return;
  kind = eng_trace_get_default_kind (trace);
  self->other_norms = eng_stations_get_norms (other, kind);
  self->other_stations = eng_stations_new (other, trace, kind, token, question->cancel, NULL);
  self->other = g_steal_pointer (&other);
}

AppTokenPath *
app_token_path_new (const AppTokenQuestion  *question,
                    GError                 **error)
{
  g_autoptr (AppTokenPath) self = g_new0 (AppTokenPath, 1);
  EngModel *model = eng_session_get_model_of (question->trace);
  g_autoptr (GError) local = NULL;

  g_return_val_if_fail (model != NULL, NULL);

  self->norms = eng_stations_get_norms (model, question->kind);
  self->stations = eng_stations_new (model, question->trace, question->kind, question->token,
                                     question->cancel, error);
  if (self->stations == NULL)
    return NULL;
  find_answers (self, model, question, &local);
  if (local != NULL) {
    g_propagate_error (error, g_steal_pointer (&local));
    return NULL;
  }
  compare_norms (self, question);

  return g_steal_pointer (&self);
}

void
app_token_path_free (AppTokenPath *self)
{
  g_clear_pointer (&self->stations, g_array_unref);
  g_clear_pointer (&self->other_stations, g_array_unref);
  g_clear_pointer (&self->answers, eng_layer_answers_free);
  g_clear_pointer (&self->other, eng_model_unref);
  g_free (self);
}

int
app_token_path_find_settled (const AppTokenPath *self)
{
  const EngLayerAnswers *answers = self->answers;
  int layer;

  if (answers == NULL)
    return -1;
  layer = answers->n_layers - 1;
  while (layer > 0 && answers->candidates[(layer - 1) * answers->n_candidates].index
                      == answers->candidates[(answers->n_layers - 1) * answers->n_candidates].index)
    layer--;

  return layer;
}

const char *
app_token_path_get_part (const EngStation *station)
{
  switch (station->part) {
  case ENG_PART_INPUT:
    return "embedding";
  case ENG_PART_OTHER:
    return "other attention";
  case ENG_PART_ATTENTION:
    return "attention";
  case ENG_PART_FEED_FORWARD:
    return "feed-forward";
  default:
    return "end";
  }
}

char *
app_token_path_dup_place (int states)
{
  return states == 0 ? g_strdup ("before the layers")
                     : g_strdup_printf ("behind layer %d", states - 1);
}
