/* SPDX-License-Identifier: MIT */
/* Question answering: a head that says for each token how well an answer begins and ends there. */
#include "engine/predict/predict-private.h"

#include "engine/transformer/session.h"
#include "engine/transformer/token-edits.h"

#include <math.h>
#include <string.h>

/* What transformers' question-answering pipeline does unless told otherwise. */
#define MAX_ANSWER_TOKENS 15
#define N_CANDIDATES 12
#define MAX_WINDOW 384
#define MAX_STRIDE 128

typedef struct {
  int    first; /* token */
  int    last;
  double score;
} Span;

/* The class token stands for "no answer". */
static gboolean
may_answer (const EngAnswer *answer,
            int              token)
{
  const EngTokens *tokens = answer->tokens;
  const EngTokenizer *tokenizer = eng_model_get_tokenizer (answer->model);
  int class_id = eng_tokenizer_find_special (tokenizer, "cls_token");
  gboolean in_context = !tokens->special[token] && tokens->segments[token] == 1;

  /* A file that names no roles: the template's first token is the one. */
  if (class_id < 0)
    return in_context || (token == 0 && tokens->special[0]);

  return in_context || tokens->ids[token] == class_id;
}

/* Probability of each token to be the start or end: a softmax over the context and the class token,
 * of which the first is left out afterwards. probabilities: [n tokens] */
static void
score_edges (const EngAnswer *answer,
             int              column,
             double          *probabilities)
{
  int n = answer->logits.rows;
  g_autofree float *logits = g_new (float, n);

  for (int i = 0; i < n; i++)
    logits[i] = may_answer (answer, answer->positions[i])
                ? answer->logits.data[(gsize) i * answer->logits.stride + column] : -INFINITY;
  eng_predict_softmax (logits, 1, n, probabilities);
  probabilities[0] = 0.0;
}

/* Keeps spans ordered, the best first. */
static void
insert_span (Span       *spans,
             int        *n,
             const Span *span)
{
  int at = *n;

  while (at > 0 && spans[at - 1].score < span->score)
    at--;
  if (at == N_CANDIDATES)
    return;

  *n = MIN (*n + 1, N_CANDIDATES);
  memmove (&spans[at + 1], &spans[at], (gsize) (*n - at - 1) * sizeof *spans);
  spans[at] = *span;
}

/* A class token that was typed into the question has a share of the probability, but is no
 * answer. */
static gboolean
in_context (const EngAnswer *answer,
            int              row)
{
  return answer->tokens->segments[answer->positions[row]] == 1;
}

static int
find_best_spans (const EngAnswer *answer,
                 Span            *spans)
{
  int n_tokens = answer->logits.rows;
  g_autofree double *starts = g_new (double, n_tokens);
  g_autofree double *ends = g_new (double, n_tokens);
  int n = 0;

  score_edges (answer, 0, starts);
  score_edges (answer, 1, ends);
  for (int first = 0; first < n_tokens; first++)
    for (int last = first; last < MIN (n_tokens, first + MAX_ANSWER_TOKENS); last++) {
      Span span = { first, last, starts[first] * ends[last] };

      if (span.score > 0.0 && in_context (answer, first))
        insert_span (spans, &n, &span);
    }

  return n;
}

static gboolean
is_one_word (const EngTokens *tokens,
             int              a,
             int              b)
{
  return tokens->segments[a] == tokens->segments[b] && tokens->words[a] >= 0 &&
         tokens->words[a] == tokens->words[b];
}

/* Bytes of the whole words that a span touches. */
static EngSpan
widen_to_words (const EngTokens *tokens,
                const Span      *span)
{
  int first = span->first;
  int last = span->last;

  while (first > 0 && is_one_word (tokens, first - 1, first))
    first--;
  while (last + 1 < tokens->n && is_one_word (tokens, last, last + 1))
    last++;

  return (EngSpan) { tokens->spans[first].start, tokens->spans[last].end };
}

/* Spans that read the same, whatever their case, are one answer and their scores add up. */
static void
merge_span (const EngAnswer *answer,
            double           score,
            EngSpan          span)
{
  const char *context = eng_answer_get_text (answer, 1);
  g_autofree char *text = g_strndup (context + span.start, (gsize) (span.end - span.start));
  g_autofree char *lower = g_utf8_strdown (text, -1);
  EngPrediction prediction;

  for (guint i = 0; i < answer->predictions->len; i++) {
    EngPrediction *other = &g_array_index (answer->predictions, EngPrediction, i);
    g_autofree char *other_lower = g_utf8_strdown (other->token, -1);

    if (strcmp (lower, other_lower) == 0) {
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

static gboolean
answer_window (EngSession           *session,
               const EngModel       *model,
               const EngInputs      *inputs,
               const EngRunRequest  *common,
               GArray               *predictions,
               GError              **error)
{
  EngRunRequest request = *common;
  g_autoptr (EngTrace) trace = NULL;
  EngAnswer answer;

  request.tokens = inputs->tokens;
  request.decoder_tokens = inputs->decoder_tokens;
  request.tasks = 1u << ENG_TASK_QUESTION_ANSWERING;
  trace = eng_session_run (session, &request, error);
  if (!trace || !eng_answer_init (&answer, model, trace, ENG_TASK_QUESTION_ANSWERING, predictions,
                                  error))
    return FALSE;
  eng_predict_spans (&answer);

  return TRUE;
}

void
eng_predict_spans (const EngAnswer *self)
{
  Span spans[N_CANDIDATES];
  int n = find_best_spans (self, spans);

  for (int i = 0; i < n; i++) {
    const Span span = { self->positions[spans[i].first], self->positions[spans[i].last],
                        spans[i].score };

    merge_span (self, span.score, widen_to_words (self->tokens, &span));
  }
}

void
eng_predict_keep_best (GArray *predictions)
{
  guint best = 0;

  for (guint i = 1; i < predictions->len; i++)
    if (g_array_index (predictions, EngPrediction, i).probability >
        g_array_index (predictions, EngPrediction, best).probability)
      best = i;
  if (best + 1 < predictions->len)
    g_array_remove_range (predictions, best + 1, predictions->len - best - 1);
  if (best > 0)
    g_array_remove_range (predictions, 0, best);
}

int
eng_predict_get_window (const EngModel *model)
{
  const EngModelInfo *info = eng_model_get_info (model);
  int stated = eng_tokenizer_get_max_length (eng_model_get_tokenizer (model));
  int length = MAX_WINDOW;

  if (stated > 0)
    length = MIN (length, stated);
  if (info->max_positions > 0 && info->strict_positions)
    length = MIN (length, info->max_positions);

  return length;
}

GArray *
eng_predict_answer (EngModel              *model,
                    const EngTextOptions  *options,
                    const EngRunRequest   *request,
                    GError               **error)
{
  int length = eng_model_get_tokenizer (model) ? eng_predict_get_window (model) : 0;
  EngTextOptions own = *options;
  EngTask head;
  g_autoptr (GArray) predictions = eng_predictions_new ();
  g_autoptr (EngSession) session = NULL;
  g_autoptr (GArray) windows = NULL;

  if (!eng_predict_find_head (model, ENG_TASK_QUESTION_ANSWERING, &head, error))
    return NULL;
  if (!request->text_b || !*request->text_b) {
    g_set_error_literal (error, ENG_ERROR, ENG_ERROR_TEXT,
                         "there is no text B, expected a question as text A and its context as "
                         "text B");
    return NULL;
  }

  own.truncate = FALSE;
  own.repeat = eng_predict_repeats (model, ENG_TASK_QUESTION_ANSWERING);
  windows = eng_inputs_new_windows (model, request->text_a, request->text_b, &own, length,
                                    MIN (length / 2, MAX_STRIDE), error);
  if (!windows)
    return NULL;
  if (windows->len > 1 && request->n_edits > 0) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT,
                 "the context is read in %u parts, expected one that fits into %d tokens beside "
                 "edits", windows->len, length);
    return NULL;
  }

  if (!eng_token_edits_apply (model, request->edits, request->n_edits,
                              &g_array_index (windows, EngInputs, 0), error))
    return NULL;

  session = eng_session_new (model);
  for (guint i = 0; i < windows->len; i++)
    if (!answer_window (session, model, &g_array_index (windows, EngInputs, i), request,
                        predictions, error))
      return NULL;
  eng_predict_keep_best (predictions);

  return g_steal_pointer (&predictions);
}
