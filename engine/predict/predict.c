/* SPDX-License-Identifier: MIT */
#include "engine/predict/predict.h"

#include "engine/predict/predict-private.h"
#include "engine/transformer/model-private.h"

#include <math.h>

/* Words for a masked token, and for the token that follows a text. */

/* The text of one id, as transformers gives it to a candidate. */
static char *
dup_word (const EngModel *model,
          int             id)
{
  const EngTokenizer *tokenizer = eng_model_get_tokenizer (model);

  return tokenizer ? eng_tokenizer_decode (tokenizer, &id, 1, FALSE) : g_strdup_printf ("%d", id);
}

static void
add_candidates (const EngAnswer *answer,
                int              row,
                int              n_candidates)
{
  int n = answer->logits.cols;
  g_autofree double *probabilities = g_new (double, n);

  eng_predict_softmax (answer->logits.data + (gsize) row * answer->logits.stride, 1, n,
                       probabilities);
  for (int i = 0; i < MIN (n_candidates, n); i++) {
    int id = eng_predict_find_largest (probabilities, n);
    EngPrediction prediction = {
      .position = answer->positions[row],
      .id = id,
      .token = dup_word (answer->model, id),
      .probability = probabilities[id],
    };

    g_array_append_val (answer->predictions, prediction);
    probabilities[id] = -1.0;
  }
}

static int
get_mask_id (const EngModel *model)
{
  const EngTokenizer *tokenizer = eng_model_get_tokenizer (model);

  return tokenizer ? eng_tokenizer_get_mask_id (tokenizer) : -1;
}

static gboolean
has_mask (const EngModel  *model,
          const EngTokens *tokens)
{
  int mask_id = get_mask_id (model);

  for (int i = 0; i < tokens->n; i++)
    if (tokens->ids[i] == mask_id)
      return TRUE;

  return FALSE;
}

static void
fill_masks (const EngAnswer *answer,
            int              n_candidates)
{
  int mask_id = get_mask_id (answer->model);

  for (int row = 0; row < answer->logits.rows; row++)
    if (answer->tokens->ids[answer->positions[row]] == mask_id)
      add_candidates (answer, row, n_candidates);
}

/* Behind the last token that is no padding. */
static void
continue_text (const EngAnswer *answer,
               int              n_candidates)
{
  int row = answer->logits.rows - 1;

  while (row > 0 && answer->tokens->padding[answer->positions[row]])
    row--;
  if (row >= 0)
    add_candidates (answer, row, n_candidates);
}

/* Next sentence, order of sentences and text classification. */

static int
compare_probabilities (gconstpointer a,
                       gconstpointer b)
{
  double first = ((const EngPrediction *) a)->probability;
  double second = ((const EngPrediction *) b)->probability;

  return (first < second) - (first > second);
}

static void
score_classes (const EngAnswer *answer,
               EngTask          task,
               EngScores        scores)
{
  int n = answer->logits.cols;
  g_autofree double *probabilities = g_new (double, n);

  eng_predict_softmax (answer->logits.data, 1, n, probabilities);
  for (int i = 0; i < n; i++) {
    double logit = (double) answer->logits.data[i];
    EngPrediction prediction = {
      .id = i,
      .label = g_strdup (eng_model_get_label (answer->model, task, i)),
      .probability = scores == ENG_SCORES_SOFTMAX   ? probabilities[i]
                     : scores == ENG_SCORES_SIGMOID ? 1.0 / (1.0 + exp (-logit))
                                                    : logit,
    };

    g_array_append_val (answer->predictions, prediction);
  }
  g_array_sort (answer->predictions, compare_probabilities);
}

static gboolean
has_head (const EngModel *model,
          EngTask         task,
          EngTask        *head)
{
  *head = task;
  if (task == ENG_TASK_FILL_MASK && !eng_model_has_task (model, task) &&
      eng_model_has_two_stacks (model) && get_mask_id (model) >= 0)
    *head = ENG_TASK_LANGUAGE_MODEL;

  return eng_model_has_task (model, *head);
}

/* What a task asks of the text before its head can answer. */
static gboolean
check_text (const EngModel  *model,
            EngTrace        *trace,
            EngTask          task,
            GError         **error)
{
  const EngTokens *tokens = eng_trace_get_query_tokens (trace, eng_trace_get_default_kind (trace));
  gboolean pair = eng_tokens_has_pair (tokens);
  int mask_id = get_mask_id (model);

  if (task == ENG_TASK_FILL_MASK && !has_mask (model, tokens)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT,
                 "the text has no mask token, expected %s somewhere in it",
                 mask_id >= 0 ? eng_tokenizer_get_piece (eng_model_get_tokenizer (model), mask_id)
                              : "one");
    return FALSE;
  }
  if (task == ENG_TASK_QUESTION_ANSWERING && !pair) {
    g_set_error_literal (error, ENG_ERROR, ENG_ERROR_TEXT,
                         "there is no text B, expected a question as text A and its context as "
                         "text B");
    return FALSE;
  }
  if ((task == ENG_TASK_ENTITIES || task == ENG_TASK_REPLACED_TOKENS ||
       task == ENG_TASK_QUESTION_ANSWERING) &&
      (!eng_trace_get_text_a (trace) || (pair && !eng_trace_get_text_b (trace)))) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING,
                 "the trace does not hold the text that %s points into",
                 eng_task_get_name (task));
    return FALSE;
  }

  return TRUE;
}

void
eng_predict_softmax (const float *logits,
                     gsize        stride,
                     int          n,
                     double      *probabilities)
{
  double largest = -INFINITY;
  double sum = 0.0;

  for (int i = 0; i < n; i++)
    largest = MAX (largest, (double) logits[(gsize) i * stride]);
  for (int i = 0; i < n; i++)
    sum += probabilities[i] = exp ((double) logits[(gsize) i * stride] - largest);
  for (int i = 0; i < n; i++)
    probabilities[i] /= sum;
}

int
eng_predict_find_largest (const double *values,
                          int           n)
{
  int best = 0;

  for (int i = 1; i < n; i++)
    if (values[i] > values[best])
      best = i;

  return best;
}

gboolean
eng_predict_find_head (const EngModel  *model,
                       EngTask          task,
                       EngTask         *head,
                       GError         **error)
{
  g_autoptr (GString) names = NULL;

  if (has_head (model, task, head))
    return TRUE;

  names = g_string_new (NULL);
  for (int other = 0; other < ENG_N_TASKS; other++)
    if (has_head (model, other, head))
      g_string_append_printf (names, "%s%s", names->len ? ", " : "", eng_task_get_name (other));
  g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING, "%s has no task head for %s, it has %s",
               eng_model_get_info (model)->name, eng_task_get_name (task),
               names->len ? names->str : "none");

  return FALSE;
}

gboolean
eng_answer_init (EngAnswer       *self,
                 const EngModel  *model,
                 EngTrace        *trace,
                 EngTask          task,
                 GArray          *predictions,
                 GError         **error)
{
  EngKind kind = task == ENG_TASK_LANGUAGE_MODEL ? ENG_KIND_DECODER
                                                 : eng_trace_get_default_kind (trace);
  EngTask head;

  *self = (EngAnswer) {
    .model = model,
    .trace = trace,
    .tokens = eng_trace_get_query_tokens (trace, kind),
    .predictions = predictions,
  };
  if (!eng_predict_find_head (model, task, &head, error))
    return FALSE;
  if (eng_trace_get_logits (trace, head, &self->logits, &self->positions))
    return TRUE;
  g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING, "the trace holds no logits for %s",
               eng_task_get_name (task));

  return FALSE;
}

const char *
eng_answer_get_text (const EngAnswer *self,
                     int              segment)
{
  return segment ? eng_trace_get_text_b (self->trace) : eng_trace_get_text_a (self->trace);
}

GArray *
eng_predictions_new (void)
{
  GArray *predictions = g_array_new (FALSE, TRUE, sizeof (EngPrediction));

  g_array_set_clear_func (predictions, (GDestroyNotify) eng_prediction_clear);

  return predictions;
}

void
eng_prediction_clear (EngPrediction *self)
{
  g_clear_pointer (&self->token, g_free);
  g_clear_pointer (&self->label, g_free);
}

GArray *
eng_predict (const EngModel  *model,
             EngTrace        *trace,
             EngTask          task,
             int              n_candidates,
             GError         **error)
{
  g_autoptr (GArray) predictions = eng_predictions_new ();
  EngAnswer answer;
  EngTask head;

  if (!eng_predict_find_head (model, task, &head, error) ||
      !check_text (model, trace, task, error) ||
      !eng_answer_init (&answer, model, trace, task, predictions, error))
    return NULL;

  switch (task) {
  case ENG_TASK_FILL_MASK:
    fill_masks (&answer, n_candidates);
    break;
  case ENG_TASK_NEXT_SENTENCE:
  case ENG_TASK_SENTENCE_ORDER:
    score_classes (&answer, task, ENG_SCORES_SOFTMAX);
    break;
  case ENG_TASK_TEXT_CLASSIFICATION:
    score_classes (&answer, task, eng_model_get_scores (model));
    break;
  case ENG_TASK_ENTITIES:
    eng_predict_entities (&answer);
    break;
  case ENG_TASK_REPLACED_TOKENS:
    eng_predict_replaced (&answer);
    break;
  case ENG_TASK_QUESTION_ANSWERING:
    eng_predict_spans (&answer);
    eng_predict_keep_best (predictions);
    break;
  case ENG_TASK_LANGUAGE_MODEL:
    continue_text (&answer, n_candidates);
    break;
  }

  return g_steal_pointer (&predictions);
}

gboolean
eng_predict_repeats (const EngModel *model,
                     EngTask         task)
{
  if (!eng_model_has_two_stacks (model))
    return FALSE;

  return task == ENG_TASK_FILL_MASK ||
         (!eng_model_has_task (model, ENG_TASK_LANGUAGE_MODEL) &&
          eng_model_get_info (model)->tasks != 0);
}

gboolean
eng_predict_find_default_task (const EngModel  *model,
                               const EngTokens *tokens,
                               EngTask         *task)
{
  gboolean masked = has_mask (model, tokens);

  /* Without a mask the head for masked words has nothing to say, so it comes last. */
  for (int i = 0; i < ENG_N_TASKS; i++) {
    EngTask candidate = masked ? i : (i + 1) % ENG_N_TASKS;
    EngTask head;

    if (has_head (model, candidate, &head)) {
      *task = candidate;
      return TRUE;
    }
  }

  return FALSE;
}
