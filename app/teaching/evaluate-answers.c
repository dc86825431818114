/* SPDX-License-Identifier: MIT */
/* What the task heads say, what edits change in it, and sizes. */
#include "app/teaching/evaluate-private.h"

#include <math.h>

#include "app/run/pass.h"
#include "engine/predict/predict.h"
#include "engine/predict/task-changes.h"
#include "engine/transformer/lens.h"

enum { SIZE_LAYERS, SIZE_HEADS, SIZE_HEAD, SIZE_HIDDEN, SIZE_TOKENS, SIZE_PARAMETERS };

static gboolean
check_model (const AppCall  *self,
             GError        **error)
{
  return self->run->model != NULL
         || app_call_refuse (self, self->call->place, error,
                             "a trace has no task heads to ask, expected a model that runs");
}

/* All candidates of a task, borrowed. */
static const GArray *
get_answers (const AppCall  *self,
             EngTask         task,
             GError        **error)
{
  AppRun *run = self->run;
  g_autoptr (GError) problem = NULL;

  if (run->answers[task] == NULL)
    run->answers[task] = eng_predict (run->model, run->trace, task,
                                      eng_model_get_info (run->model)->vocab_size, &problem);
  if (run->answers[task] == NULL)
    app_call_pass_on (self, g_steal_pointer (&problem), error);

  return run->answers[task];
}

/* Whether the head was asked: its logits are in the trace. */
static gboolean
was_asked (const AppCall *self,
           EngTask        task)
{
  EngMatrix logits;
  EngTask head;

  return eng_predict_find_head (self->run->model, task, &head, NULL)
         && eng_trace_get_logits (self->run->trace, head, &logits, NULL);
}

static const EngPrediction *
prediction_at (const GArray *answers,
               guint         i)
{
  return &g_array_index (answers, EngPrediction, i);
}

static gboolean
is_word (const EngPrediction *prediction,
         const char          *word)
{
  const char *token = prediction->token;

  return g_str_equal (token[0] == ' ' && token[1] != '\0' ? token + 1 : token, word);
}

/* The place of which the answer is asked: the argument's, which is nullable, or the only one. */
static gboolean
find_position (const AppCall      *self,
               const AppArgument  *place,
               const GArray       *answers,
               int                *position,
               GError            **error)
{
  const EngTokens *tokens =
    eng_trace_get_query_tokens (self->run->trace, eng_trace_get_default_kind (self->run->trace));
  g_autoptr (GArray) found = NULL;

  if (place != NULL) {
    found = app_call_find_tokens (self, &place->tokens, tokens, -1, error);
    if (found == NULL)
      return FALSE;
    if (found->len != 1)
      return app_call_refuse (self, place->place, error, "these are %u tokens, expected one",
                              found->len);
    *position = g_array_index (found, int, 0);
    return TRUE;
  }
  *position = prediction_at (answers, 0)->position;
  if (prediction_at (answers, answers->len - 1)->position != *position)
    return app_call_refuse (self, self->call->place, error,
                            "several words are masked, expected which one behind a comma");

  return TRUE;
}

/* Of an answer, argument first, at the place that the argument behind it names, which may lack. */
static const EngPrediction *
find_word (const AppCall  *self,
           int             first,
           EngTask        *task,
           GError        **error)
{
  const AppArgument *answer = &self->call->arguments[first];
  const GArray *answers;
  int position = -1;

  *task = was_asked (self, ENG_TASK_FILL_MASK) ? ENG_TASK_FILL_MASK : ENG_TASK_LANGUAGE_MODEL;
  answers = get_answers (self, *task, error);
  if (answers == NULL
      || !find_position (self, app_call_get_argument (self, first + 1), answers, &position, error))
    return NULL;
  for (guint i = 0; i < answers->len; i++)
    if (prediction_at (answers, i)->position == position
        && is_word (prediction_at (answers, i), answer->text))
      return prediction_at (answers, i);
  app_call_refuse (self, answer->place, error, "“%s” is no word that can stand at token %d",
                   answer->text, position);

  return NULL;
}

static gboolean
evaluate_word (const AppCall  *self,
               GError        **error)
{
  EngTask task;
  const EngPrediction *found = find_word (self, 0, &task, error);
  const GArray *answers;
  int n_better = 0;

  if (found == NULL)
    return FALSE;
  answers = self->run->answers[task];
  for (guint i = 0; i < answers->len; i++)
    n_better += prediction_at (answers, i)->position == found->position
                && prediction_at (answers, i)->probability > found->probability;

  return app_call_add (self, self->call->function == APP_RANK ? n_better + 1 : found->probability,
                       error);
}

/* The same of the states before the last. */
static gboolean
evaluate_lens (const AppCall  *self,
               GError        **error)
{
  const AppArgument *layer = &self->call->arguments[0];
  g_autoptr (GError) problem = NULL;
  g_autofree float *logits = NULL;
  EngTask task;
  const EngPrediction *found = find_word (self, 1, &task, error);
  EngMatrix own;
  const int *positions;
  const float *row;
  int n_better = 0, i = 0;

  if (found == NULL)
    return FALSE;
  logits = eng_lens_read (self->run->model, self->run->trace, task, layer->number, &problem);
  if (logits == NULL)
    return app_call_pass_on (self, g_steal_pointer (&problem), error);
  eng_trace_get_logits (self->run->trace, task, &own, &positions);
  while (i + 1 < own.rows && positions[i] != found->position)
    i++;
  row = logits + (gsize) i * (gsize) own.cols;
  if (self->call->function == APP_LENS)
    return app_call_add (self, eng_prediction_change_get_probability (row, own.cols,
                                                                      ENG_CHANGE_ONE_OF_ALL,
                                                                      found->id), error);
  for (int id = 0; id < own.cols; id++)
    n_better += row[id] > row[found->id];

  return app_call_add (self, n_better + 1, error);
}

static gboolean
evaluate_label (const AppCall  *self,
                GError        **error)
{
  static const EngTask tasks[] = {
    ENG_TASK_NEXT_SENTENCE, ENG_TASK_SENTENCE_ORDER, ENG_TASK_TEXT_CLASSIFICATION
  };
  const AppArgument *answer = &self->call->arguments[0];

  for (gsize i = 0; i < G_N_ELEMENTS (tasks); i++) {
    const GArray *answers = was_asked (self, tasks[i]) ? get_answers (self, tasks[i], error) : NULL;
    const EngPrediction *found = NULL;
    int n_better = 0;

    for (guint j = 0; answers != NULL && j < answers->len; j++)
      if (g_str_equal (prediction_at (answers, j)->label, answer->text))
        found = prediction_at (answers, j);
    for (guint j = 0; found != NULL && j < answers->len; j++)
      n_better += prediction_at (answers, j)->probability > found->probability;
    if (found != NULL)
      return app_call_add (self, self->call->function == APP_RANK ? n_better + 1
                                                                  : found->probability, error);
  }

  return app_call_refuse (self, answer->place, error,
                          "no task head was asked that has a class “%s”; a word stands in quotes",
                          answer->text);
}

/* The divergence of what is predicted, from without edits or from Other, to this. */
static gboolean
evaluate_change (const AppCall  *self,
                 GError        **error)
{
  const AppClaimContext *evaluation = self->evaluation;
  const UiDocument *state = app_section_get_state (evaluation->lesson, evaluation->section);
  const AppTokens from = {
    .place = self->call->place,
    .run = ui_document_has_second_side (state) ? APP_RUN_OTHER : APP_RUN_UNEDITED,
  };
  AppRun *before = app_call_find_run (self, &from, error);
  g_autoptr (GArray) changes = NULL;
  double sum = 0;
  int n = 0;

  if (before == NULL)
    return FALSE;
  changes = eng_task_changes_list (self->run->model, before->trace, self->run->trace, 1);
  for (guint i = 0; i < changes->len; i++) {
    const EngTaskChange *change = &g_array_index (changes, EngTaskChange, i);

    if (change->task == g_array_index (changes, EngTaskChange, 0).task) {
      sum += change->divergence;
      n++;
    }
  }
  if (n == 0)
    return app_call_refuse (self, self->call->place, error,
                            "nothing is predicted that could be compared");

  return app_call_add (self, sum / n, error);
}

/* (transfer full) Each head of the kind taken away in turn. */
static EngSweep *
sweep (const AppCall  *self,
       GError        **error)
{
  const AppRun *run = self->run;
  g_autoptr (GArray) edits = app_pass_parse_edits (run->document, error);
  EngRunRequest request = { 0 };
  EngTask task;

  if (edits == NULL)
    return NULL;
  if (!eng_predict_find_default_task (run->model, run->inputs.tokens, &task)) {
    app_call_refuse (self, self->call->place, error, "the model has no task head");
    return NULL;
  }
  request.tokens = run->inputs.tokens;
  request.decoder_tokens = run->inputs.decoder_tokens;
  request.edits = (const EngEdit *) edits->data;
  request.n_edits = (int) edits->len;
  request.cancel = app_runs_get_cancel (self->evaluation->runs);

  return eng_sweep_run (run->model, &request, self->kind, task, ENG_EDIT_SCALE_HEAD, 0, NULL, NULL,
                        error);
}

static gboolean
evaluate_ablation (const AppCall  *self,
                   GError        **error)
{
  AppRun *run = self->run;
  g_autoptr (GError) problem = NULL;
  g_autoptr (GArray) heads = app_call_find_heads (self, &self->call->arguments[0].heads, error);

  if (heads == NULL)
    return FALSE;
  if (run->sweep == NULL || run->sweep->kind != self->kind) {
    g_clear_pointer (&run->sweep, eng_sweep_free);
    run->sweep = sweep (self, &problem);
  }
  if (run->sweep == NULL)
    return app_call_pass_on (self, g_steal_pointer (&problem), error);
  if (run->sweep->measure != ENG_SWEEP_PREDICTION)
    return app_call_refuse (self, self->call->place, error, "the text leaves nothing to predict");
  for (guint i = 0; i < heads->len; i++) {
    const AppHeads *head = &g_array_index (heads, AppHeads, i);

    if (!app_call_add (self, run->sweep->changes[head->layer * run->sweep->n_heads
                                                 + head->head].change, error))
      return FALSE;
  }

  return TRUE;
}

static gboolean
evaluate_size (const AppCall  *self,
               GError        **error)
{
  EngTrace *trace = self->run->trace;
  const AppArgument *what = &self->call->arguments[0];
  EngMatrix matrix;

  switch (what->number) {
  case SIZE_LAYERS:
    return app_call_add (self, eng_trace_get_n_layers (trace, self->kind), error);
  case SIZE_HEADS:
    return app_call_add (self, eng_trace_get_n_heads (trace, self->kind), error);
  case SIZE_TOKENS:
    return app_call_add (self, eng_trace_get_n_queries (trace, self->kind), error);
  case SIZE_HEAD:
    if (eng_trace_get_queries (trace, self->kind, 0, 0, &matrix))
      return app_call_add (self, matrix.cols, error);
    break;
  case SIZE_HIDDEN:
    if (eng_trace_get_hidden_states (trace, self->kind, 0, &matrix))
      return app_call_add (self, matrix.cols, error);
    break;
  case SIZE_PARAMETERS:
  default:
    if (self->run->model != NULL)
      return app_call_add (self, (double) eng_model_get_info (self->run->model)->n_parameters,
                           error);
    break;
  }

  return app_call_refuse (self, what->place, error, "the trace does not say the %s",
                          app_claim_get_names (APP_PARAMETER_SIZE)[what->number]);
}

gboolean
app_call_answers (const AppCall  *self,
                  GError        **error)
{
  switch (self->call->function) {
  case APP_SIZE:
    return evaluate_size (self, error);
  case APP_CHANGE:
    return check_model (self, error) && evaluate_change (self, error);
  case APP_ABLATION:
    return check_model (self, error) && evaluate_ablation (self, error);
  case APP_LENS:
  case APP_LENS_RANK:
    return check_model (self, error) && evaluate_lens (self, error);
  default:
    return check_model (self, error)
           && (self->call->arguments[0].quoted ? evaluate_word (self, error)
                                               : evaluate_label (self, error));
  }
}
