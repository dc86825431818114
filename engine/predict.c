/* SPDX-License-Identifier: MIT */
#include "engine/predict.h"

#include "engine/model-private.h"

#include <math.h>
#include <string.h>

/* What transformers' question-answering pipeline does unless told otherwise. */
#define MAX_ANSWER_TOKENS 15
#define N_ANSWER_CANDIDATES 12

/* What the makers of answers share. */
typedef struct {
  const EngModel  *model;
  EngTrace        *trace;
  const EngTokens *tokens;
  EngMatrix        logits;
  const int       *positions;
  GArray          *predictions;
} Answer;

/* probabilities: [n] */
static void
softmax (const float *logits,
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

static int
find_largest (const double *values,
              int           n)
{
  int best = 0;

  for (int i = 1; i < n; i++)
    if (values[i] > values[best])
      best = i;

  return best;
}

static const char *
get_text (const Answer *answer,
          int           segment)
{
  return segment ? eng_trace_get_text_b (answer->trace) : eng_trace_get_text_a (answer->trace);
}

/* What a piece that goes on with the word of the piece before it adds to it; NULL for the first of
 * a word. */
static const char *
get_continuation (const Answer *answer,
                  int           i)
{
  const EngTokens *tokens = answer->tokens;
  const char *mark = eng_tokenizer_get_continuation (eng_model_get_tokenizer (answer->model));

  if (!mark || i == 0 || tokens->special[i] || tokens->special[i - 1] ||
      tokens->segments[i] != tokens->segments[i - 1] || !g_str_has_prefix (tokens->pieces[i], mark))
    return NULL;

  return tokens->pieces[i] + strlen (mark);
}

/* Fill-mask. */

static void
add_candidates (const Answer *answer,
                int           row,
                int           n_candidates)
{
  const EngTokenizer *tokenizer =
    eng_tokenizer_get_target (eng_model_get_tokenizer (answer->model));
  int n = answer->logits.cols;
  g_autofree double *probabilities = g_new (double, n);

  softmax (answer->logits.data + (gsize) row * answer->logits.stride, 1, n, probabilities);
  for (int i = 0; i < MIN (n_candidates, n); i++) {
    int id = find_largest (probabilities, n);
    EngPrediction prediction = {
      .position = answer->positions[row],
      .id = id,
      .token = eng_tokenizer_dup_text (tokenizer, id),
      .probability = probabilities[id],
    };

    g_array_append_val (answer->predictions, prediction);
    probabilities[id] = -1.0;
  }
}

static gboolean
has_mask (const EngModel  *model,
          const EngTokens *tokens)
{
  int mask_id = eng_tokenizer_get_mask_id (eng_model_get_tokenizer (model));

  for (int i = 0; i < tokens->n; i++)
    if (tokens->ids[i] == mask_id)
      return TRUE;

  return FALSE;
}

static void
fill_masks (const Answer *answer,
            int           n_candidates)
{
  int mask_id = eng_tokenizer_get_mask_id (eng_model_get_tokenizer (answer->model));

  for (int row = 0; row < answer->logits.rows; row++)
    if (answer->tokens->ids[answer->positions[row]] == mask_id)
      add_candidates (answer, row, n_candidates);
}

/* Next sentence and text classification. */

static int
compare_probabilities (gconstpointer a,
                       gconstpointer b)
{
  double first = ((const EngPrediction *) a)->probability;
  double second = ((const EngPrediction *) b)->probability;

  return (first < second) - (first > second);
}

static void
score_classes (const Answer *answer,
               EngTask       task,
               EngScores     scores)
{
  int n = answer->logits.cols;
  g_autofree double *probabilities = g_new (double, n);

  softmax (answer->logits.data, 1, n, probabilities);
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

/* Entities: tokens in a row with one tag are one entity ("simple" aggregation). */

/* Consecutive tokens [first, last] under one tag. */
typedef struct {
  const char *label; /* of the last token */
  int         first;
  int         last;
  int         n;
  double      sum;   /* of the tokens' probabilities */
} Group;

static const char *
get_tag (const char *label,
         gboolean   *begins)
{
  *begins = g_str_has_prefix (label, "B-");

  return *begins || g_str_has_prefix (label, "I-") ? label + 2 : label;
}

static gboolean
belongs_to_group (const EngTokens *tokens,
                  const Group     *group,
                  int              token,
                  const char      *label)
{
  gboolean begins;
  gboolean group_begins;

  return group->n > 0 && tokens->segments[token] == tokens->segments[group->last] &&
         strcmp (get_tag (label, &begins), get_tag (group->label, &group_begins)) == 0 && !begins;
}

static void
append_typed (GString    *string,
              const char *text,
              EngSpan     span)
{
  g_string_append_len (string, text + span.start, span.end - span.start);
}

/* Pieces joined as a tokenizer decodes them: no blank inside of a word and before . ? ! , */
static char *
join_pieces (const Answer *answer,
             int           first,
             int           last)
{
  const EngTokens *tokens = answer->tokens;
  int unknown_id = eng_tokenizer_get_unknown_id (eng_model_get_tokenizer (answer->model));
  GString *word = g_string_new (NULL);

  for (int i = first; i <= last; i++) {
    const char *piece = tokens->pieces[i];
    const char *rest = i > first ? get_continuation (answer, i) : NULL;

    if (i > first && !rest && !strchr (".?!,", piece[0]))
      g_string_append_c (word, ' ');
    if (tokens->ids[i] == unknown_id)
      append_typed (word, get_text (answer, tokens->segments[i]), tokens->spans[i]);
    else
      g_string_append (word, rest ? rest : piece);
  }

  return g_string_free (word, FALSE);
}

static void
close_group (const Answer *answer,
             Group        *group)
{
  const EngTokens *tokens = answer->tokens;
  const char *dash = group->n > 0 ? strchr (group->label, '-') : NULL;
  const char *entity = dash ? dash + 1 : group->label;

  if (group->n > 0 && strcmp (entity, "O") != 0) {
    const char *text = get_text (answer, tokens->segments[group->first]);
    EngPrediction prediction = {
      .position = group->first,
      .token = join_pieces (answer, group->first, group->last),
      .label = g_strdup (entity),
      .start = (int) g_utf8_strlen (text, tokens->spans[group->first].start),
      .end = (int) g_utf8_strlen (text, tokens->spans[group->last].end),
      .probability = group->sum / group->n,
    };

    g_array_append_val (answer->predictions, prediction);
  }
  *group = (Group) { 0 };
}

static void
find_entities (const Answer *answer)
{
  int n_classes = answer->logits.cols;
  g_autofree double *probabilities = g_new (double, n_classes);
  Group group = { 0 };

  for (int row = 0; row < answer->logits.rows; row++) {
    int token = answer->positions[row];
    const char *label;
    int best;

    if (answer->tokens->special[token])
      continue;
    softmax (answer->logits.data + (gsize) row * answer->logits.stride, 1, n_classes,
             probabilities);
    best = find_largest (probabilities, n_classes);
    label = eng_model_get_label (answer->model, ENG_TASK_ENTITIES, best);

    if (!belongs_to_group (answer->tokens, &group, token, label)) {
      close_group (answer, &group);
      group.first = token;
    }
    group.label = label;
    group.last = token;
    group.n++;
    group.sum += probabilities[best];
  }
  close_group (answer, &group);
}

/* Question answering. */

typedef struct {
  int    first; /* token */
  int    last;
  double score;
} AnswerSpan;

/* Probability of each token to be the start or end: a softmax over the context and the first token,
 * which stands for "no answer" and is left out afterwards. probabilities: [n tokens] */
static void
score_edges (const Answer *answer,
             int           column,
             double       *probabilities)
{
  const EngTokens *tokens = answer->tokens;
  g_autofree float *logits = g_new (float, answer->logits.rows);

  for (int i = 0; i < answer->logits.rows; i++) {
    int token = answer->positions[i];
    const float *row = answer->logits.data + (gsize) i * answer->logits.stride;
    gboolean in_context = !tokens->special[token] && tokens->segments[token] == 1;

    logits[i] = in_context || (token == 0 && tokens->special[0]) ? row[column] : -INFINITY;
  }
  softmax (logits, 1, answer->logits.rows, probabilities);
  if (tokens->special[0])
    probabilities[0] = 0.0;
}

/* Keeps spans ordered, the best first. */
static void
insert_span (AnswerSpan       *spans,
             int              *n,
             const AnswerSpan *span)
{
  int at = *n;

  while (at > 0 && spans[at - 1].score < span->score)
    at--;
  if (at == N_ANSWER_CANDIDATES)
    return;

  *n = MIN (*n + 1, N_ANSWER_CANDIDATES);
  memmove (&spans[at + 1], &spans[at], (gsize) (*n - at - 1) * sizeof *spans);
  spans[at] = *span;
}

static int
find_best_spans (const Answer *answer,
                 AnswerSpan   *spans)
{
  int n_tokens = answer->logits.rows;
  g_autofree double *starts = g_new (double, n_tokens);
  g_autofree double *ends = g_new (double, n_tokens);
  int n = 0;

  score_edges (answer, 0, starts);
  score_edges (answer, 1, ends);
  for (int first = 0; first < n_tokens; first++)
    for (int last = first; last < MIN (n_tokens, first + MAX_ANSWER_TOKENS); last++) {
      AnswerSpan span = { first, last, starts[first] * ends[last] };

      if (span.score > 0.0)
        insert_span (spans, &n, &span);
    }

  return n;
}

/* Bytes of the whole words that a span touches. */
static EngSpan
widen_to_words (const Answer     *answer,
                const AnswerSpan *span)
{
  const EngTokens *tokens = answer->tokens;
  int first = span->first;
  int last = span->last;

  while (get_continuation (answer, first))
    first--;
  while (last + 1 < tokens->n && get_continuation (answer, last + 1))
    last++;

  return (EngSpan) { tokens->spans[first].start, tokens->spans[last].end };
}

/* Spans that read the same, whatever their case, are one answer and their scores add up. */
static void
merge_span (const Answer *answer,
            double        score,
            EngSpan       span)
{
  const char *context = eng_trace_get_text_b (answer->trace);
  g_autofree char *text = g_strndup (context + span.start, (gsize) (span.end - span.start));
  g_autofree char *folded = g_utf8_strdown (text, -1);
  EngPrediction prediction;

  for (guint i = 0; i < answer->predictions->len; i++) {
    EngPrediction *other = &g_array_index (answer->predictions, EngPrediction, i);
    g_autofree char *other_folded = g_utf8_strdown (other->token, -1);

    if (strcmp (folded, other_folded) == 0) {
      other->probability += score;
      return;
    }
  }

  prediction = (EngPrediction) {
    .start = (int) g_utf8_strlen (context, span.start),
    .end = (int) g_utf8_strlen (context, span.end),
    .probability = score,
    .token = g_steal_pointer (&text),
  };
  g_array_append_val (answer->predictions, prediction);
}

static void
find_answer (const Answer *answer)
{
  AnswerSpan spans[N_ANSWER_CANDIDATES];
  int n = find_best_spans (answer, spans);

  for (int i = 0; i < n; i++)
    merge_span (answer, spans[i].score, widen_to_words (answer, &spans[i]));
  g_array_sort (answer->predictions, compare_probabilities);
  if (answer->predictions->len > 1)
    g_array_set_size (answer->predictions, 1);
}

static gboolean
check_head (const EngModel  *model,
            EngTask          task,
            GError         **error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  if (eng_model_has_task (model, task))
    return TRUE;

  for (int other = 0; other < ENG_N_TASKS; other++)
    if (eng_model_has_task (model, other))
      g_string_append_printf (names, "%s%s", names->len ? ", " : "", eng_task_get_name (other));
  g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING, "%s has no task head for %s, it has %s",
               eng_model_get_info (model)->name, eng_task_get_name (task),
               names->len ? names->str : "none");

  return FALSE;
}

/* What a task asks of the text before its head can answer. */
static gboolean
check_text (const Answer  *answer,
            EngTask        task,
            GError       **error)
{
  const EngTokenizer *tokenizer = eng_model_get_tokenizer (answer->model);
  int mask_id = eng_tokenizer_get_mask_id (tokenizer);
  gboolean pair = eng_tokens_has_pair (answer->tokens);

  if (task == ENG_TASK_FILL_MASK && !has_mask (answer->model, answer->tokens)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT,
                 "the text has no mask token, expected %s somewhere in it",
                 mask_id >= 0 ? eng_tokenizer_get_piece (tokenizer, mask_id) : "one");
    return FALSE;
  }
  if (task == ENG_TASK_QUESTION_ANSWERING && !pair) {
    g_set_error_literal (error, ENG_ERROR, ENG_ERROR_TEXT,
                         "there is no text B, expected a question as text A and its context as "
                         "text B");
    return FALSE;
  }
  if ((task == ENG_TASK_ENTITIES || task == ENG_TASK_QUESTION_ANSWERING) &&
      (!get_text (answer, 0) || (pair && !get_text (answer, 1)))) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING,
                 "the trace does not hold the text that %s points into",
                 eng_task_get_name (task));
    return FALSE;
  }

  return TRUE;
}

static gboolean
find_logits (Answer   *self,
             EngTask   task,
             GError  **error)
{
  if (eng_trace_get_logits (self->trace, task, &self->logits, &self->positions))
    return TRUE;
  g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING, "the trace holds no logits for %s",
               eng_task_get_name (task));

  return FALSE;
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
  g_autoptr (GArray) predictions = g_array_new (FALSE, TRUE, sizeof (EngPrediction));
  Answer answer = {
    .model = model,
    .trace = trace,
    .tokens = eng_trace_get_query_tokens (trace, eng_trace_get_default_kind (trace)),
    .predictions = predictions,
  };

  g_array_set_clear_func (predictions, (GDestroyNotify) eng_prediction_clear);
  if (!check_head (model, task, error) || !check_text (&answer, task, error) ||
      !find_logits (&answer, task, error))
    return NULL;

  switch (task) {
  case ENG_TASK_FILL_MASK:
    fill_masks (&answer, n_candidates);
    break;
  case ENG_TASK_NEXT_SENTENCE:
    score_classes (&answer, task, ENG_SCORES_SOFTMAX);
    break;
  case ENG_TASK_TEXT_CLASSIFICATION:
    score_classes (&answer, task, eng_model_get_scores (model));
    break;
  case ENG_TASK_ENTITIES:
    find_entities (&answer);
    break;
  case ENG_TASK_QUESTION_ANSWERING:
    find_answer (&answer);
    break;
  case ENG_TASK_LANGUAGE_MODEL:
    fill_masks (&answer, n_candidates);
    break;
  }

  return g_steal_pointer (&predictions);
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

    if (eng_model_has_task (model, candidate)) {
      *task = candidate;
      return TRUE;
    }
  }

  return FALSE;
}
