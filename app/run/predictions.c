/* SPDX-License-Identifier: MIT */
#include "app/run/predictions.h"

#include <string.h>

#include "app/run/pass.h"

#define N_CANDIDATES          5
#define REPLACEMENT_CHARACTER "\xEF\xBF\xBD"

static gboolean
has_mask (const EngModel  *model,
          const EngTokens *tokens)
{
  const EngTokenizer *tokenizer = eng_model_get_tokenizer (model);
  int mask_id = tokenizer != NULL ? eng_tokenizer_get_mask_id (tokenizer) : -1;

  for (int i = 0; i < tokens->n && mask_id >= 0; i++)
    if (tokens->ids[i] == mask_id)
      return TRUE;

  return FALSE;
}

/* NULL where the pass of the trace says it all: of a text that is short, or cut, or edited. */
static GArray *
answer_in_parts (EngModel         *model,
                 const UiDocument *document,
                 EngTrace         *trace,
                 gint             *cancel)
{
  const EngTextOptions options = {
    .no_special_tokens = document->no_special_tokens,
    .prefix = document->prefix,
  };
  const EngRunRequest request = {
    .text_a = document->text_a,
    .text_b = document->text_b,
    .cancel = cancel,
  };
  int n_tokens = eng_trace_get_n_queries (trace, eng_trace_get_default_kind (trace));
  g_autoptr (GArray) edits = app_pass_parse_edits (document, NULL);

  if (document->truncate || edits == NULL || edits->len > 0
      || eng_model_get_tokenizer (model) == NULL
      || n_tokens <= eng_predict_get_window (model))
    return NULL;

  return eng_predict_answer (model, &options, &request, NULL);
}

/* A word that begins or ends within a character is no text, as pipelines say it too: it is shown as
 * it was typed. */
static void
show_as_typed (GArray           *entities,
               const UiDocument *document,
               const EngTokens  *tokens)
{
  for (guint i = 0; i < entities->len; i++) {
    EngPrediction *entity = &g_array_index (entities, EngPrediction, i);
    const char *text = tokens->segments[entity->position] == 1 ? document->text_b
                                                               : document->text_a;

    if (strstr (entity->token, REPLACEMENT_CHARACTER) == NULL)
      continue;
    g_free (entity->token);
    entity->token = g_utf8_substring (text, entity->start, entity->end);
  }
}

static int
compare_probabilities (gconstpointer a,
                       gconstpointer b)
{
  double first = ((const EngPrediction *) a)->probability;
  double second = ((const EngPrediction *) b)->probability;

  return (first < second) - (first > second);
}

/* All tokens that were replaced, the likeliest first, and where they are few the next ones: a list
 * of every token of a long text says nothing. */
static void
keep_likeliest (GArray *tokens)
{
  guint n = 0;

  g_array_sort (tokens, compare_probabilities);
  while (n < tokens->len
         && (n < N_CANDIDATES || g_array_index (tokens, EngPrediction, n).probability > 0.5))
    n++;
  g_array_set_size (tokens, n);
}

void
app_predictions_clear (AppPredictions *self)
{
  for (int task = 0; task < ENG_N_TASKS; task++)
    g_clear_pointer (&self->of[task], g_array_unref);
}

guint
app_predictions_choose (const EngModel  *model,
                        const EngInputs *inputs)
{
  guint tasks = eng_model_get_info (model)->tasks;

  if (!has_mask (model, inputs->tokens))
    tasks &= ~(1u << ENG_TASK_FILL_MASK);
  if (!eng_tokens_has_pair (inputs->tokens))
    tasks &= ~(1u << ENG_TASK_NEXT_SENTENCE | 1u << ENG_TASK_SENTENCE_ORDER
               | 1u << ENG_TASK_QUESTION_ANSWERING);

  return tasks;
}

void
app_predictions_read (AppPredictions   *self,
                      EngModel         *model,
                      const UiDocument *document,
                      EngTrace         *trace,
                      gint             *cancel)
{
  for (int task = 0; task < ENG_N_TASKS; task++) {
    EngMatrix logits;

    if (!eng_trace_get_logits (trace, (EngTask) task, &logits, NULL))
      continue;
    if (task == ENG_TASK_QUESTION_ANSWERING)
      self->of[task] = answer_in_parts (model, document, trace, cancel);
    if (self->of[task] == NULL)
      self->of[task] = eng_predict (model, trace, (EngTask) task, N_CANDIDATES, NULL);
    if (task == ENG_TASK_REPLACED_TOKENS && self->of[task] != NULL)
      keep_likeliest (self->of[task]);
    if (task == ENG_TASK_ENTITIES && self->of[task] != NULL)
      show_as_typed (self->of[task], document,
                     eng_trace_get_query_tokens (trace, eng_trace_get_default_kind (trace)));
  }
}
