/* SPDX-License-Identifier: MIT */
#include "engine/predict/task-changes.h"

#include "engine/transformer/model-private.h"

#include <math.h>

/* The same rows of two runs. */
typedef struct {
  const EngModel  *model;
  EngTask          task;
  EngMatrix        before;
  EngMatrix        after;
  const int       *before_positions;
  const int       *after_positions;
  const EngTokens *before_tokens;
  const EngTokens *after_tokens;
} Pair;

static void
clear_change (EngTaskChange *change)
{
  g_array_unref (change->moves);
}

static void
clear_move (EngTaskMove *move)
{
  g_free (move->name);
}

static gboolean
is_same_place (const EngTokens *a,
               int              in_a,
               const EngTokens *b,
               int              in_b)
{
  const EngSpan *first = a->spans != NULL ? &a->spans[in_a] : NULL;
  const EngSpan *second = b->spans != NULL ? &b->spans[in_b] : NULL;

  if (a->segments[in_a] != b->segments[in_b] || a->special[in_a] != b->special[in_b])
    return FALSE;
  return first != NULL && second != NULL && first->start >= 0 && first->start == second->start
         && first->end == second->end;
}

/* The token of before that a token of after was; -1 = none that is known. */
static int
find_before (const EngTokens *before,
             const EngTokens *after,
             int              token)
{
  int template_number = 0;

  for (int i = 0; i < before->n; i++)
    if (is_same_place (before, i, after, token))
      return i;
  /* Tokens of the template come from no place of the text: their order is what tells them apart. */
  if (after->special[token]) {
    for (int i = 0; i < token; i++)
      template_number += after->special[i];
    for (int i = 0; i < before->n; i++)
      if (before->special[i] && template_number-- == 0)
        return i;
    return -1;
  }
  /* Ids that were typed have no places; as long as none was added or taken away they stay. */
  return before->n == after->n && (after->spans == NULL || after->spans[token].start < 0)
         ? token : -1;
}

static char *
dup_name (const Pair *pair,
          int         id)
{
  const EngTokenizer *tokenizer = eng_model_get_tokenizer (pair->model);

  if (pair->task != ENG_TASK_FILL_MASK && pair->task != ENG_TASK_LANGUAGE_MODEL)
    return g_strdup (eng_model_get_label (pair->model, pair->task, id));
  return tokenizer != NULL ? eng_tokenizer_decode (tokenizer, &id, 1, FALSE)
                           : g_strdup_printf ("%d", id);
}

static const float *
get_row (const EngMatrix *matrix,
         int              row)
{
  return matrix->data + (gsize) row * matrix->stride;
}

static gboolean
is_each_alone (const Pair *pair)
{
  return pair->task == ENG_TASK_REPLACED_TOKENS
         || (pair->task == ENG_TASK_TEXT_CLASSIFICATION
             && eng_model_get_scores (pair->model) == ENG_SCORES_SIGMOID);
}

static void
append_change (const Pair *pair,
               int         before_row,
               int         after_row,
               int         position,
               int         k,
               GArray     *changes)
{
  const float *before = get_row (&pair->before, before_row);
  const float *after = get_row (&pair->after, after_row);
  const int n = pair->after.cols;
  const EngChangeScores scores = is_each_alone (pair) ? ENG_CHANGE_EACH : ENG_CHANGE_ONE_OF_ALL;
  g_autoptr (GArray) moves = eng_prediction_change_list_moves (before, after, n, scores, k);
  EngTaskChange change = {
    .task = pair->task,
    .position = position,
    .divergence = eng_prediction_change_divergence (before, after, n, scores),
    .moves = g_array_new (FALSE, FALSE, sizeof (EngTaskMove)),
  };

  g_array_set_clear_func (change.moves, (GDestroyNotify) clear_move);
  for (guint i = 0; i < moves->len; i++) {
    EngTaskMove move = { .move = g_array_index (moves, EngPredictionMove, i) };

    move.name = dup_name (pair, move.move.id);
    g_array_append_val (change.moves, move);
  }
  g_array_append_val (changes, change);
}

static int
find_row (const int *positions,
          int        n,
          int        position)
{
  for (int row = 0; row < n; row++)
    if (positions[row] == position)
      return row;

  return -1;
}

/* Whether a token that is only spoken of where its answer is another shall be spoken of. */
static gboolean
has_other_answer (const Pair *pair,
                  int         before_row,
                  int         after_row)
{
  const float *before = get_row (&pair->before, before_row);
  const float *after = get_row (&pair->after, after_row);
  const int n = pair->after.cols;

  switch (pair->task) {
  case ENG_TASK_ENTITIES:
    return eng_prediction_change_find_best (before, n)
           != eng_prediction_change_find_best (after, n);
  case ENG_TASK_REPLACED_TOKENS:
    return (*before > 0) != (*after > 0);
  default:
    return TRUE;
  }
}

/* Each row that stands at the same token in both. */
static void
compare_tokens (const Pair *pair,
                int         k,
                GArray     *changes)
{
  for (int row = 0; row < pair->after.rows; row++) {
    const int position = pair->after_positions[row];
    const int token = find_before (pair->before_tokens, pair->after_tokens, position);
    const int before_row = find_row (pair->before_positions, pair->before.rows, token);

    if (before_row < 0)
      continue;
    /* Only a mask is asked for; another token may have logits because a head has them all. */
    if (pair->task == ENG_TASK_FILL_MASK
        && pair->after_tokens->ids[position] != pair->before_tokens->ids[token])
      continue;
    if (has_other_answer (pair, before_row, row))
      append_change (pair, before_row, row, position, k, changes);
  }
}

static int
find_last_row (const EngMatrix *logits,
               const int       *positions,
               const EngTokens *tokens)
{
  int row = logits->rows - 1;

  while (row > 0 && tokens->padding[positions[row]])
    row--;
  return row;
}

static gboolean
init_pair (Pair           *pair,
           const EngModel *model,
           EngTrace       *before,
           EngTrace       *after,
           EngTask         task)
{
  const EngKind kind = task == ENG_TASK_LANGUAGE_MODEL ? ENG_KIND_DECODER
                                                       : eng_trace_get_default_kind (after);

  *pair = (Pair) { .model = model, .task = task };
  if (!eng_trace_get_logits (before, task, &pair->before, &pair->before_positions)
      || !eng_trace_get_logits (after, task, &pair->after, &pair->after_positions)
      || pair->before.cols != pair->after.cols || pair->before.rows == 0 || pair->after.rows == 0)
    return FALSE;
  pair->before_tokens = eng_trace_get_query_tokens (before, kind);
  pair->after_tokens = eng_trace_get_query_tokens (after, kind);

  return TRUE;
}

static void
compare (const Pair *pair,
         int         k,
         GArray     *changes)
{
  int before_row, after_row;

  switch (pair->task) {
  case ENG_TASK_FILL_MASK:
  case ENG_TASK_ENTITIES:
  case ENG_TASK_REPLACED_TOKENS:
    compare_tokens (pair, k, changes);
    break;
  case ENG_TASK_LANGUAGE_MODEL:
    before_row = find_last_row (&pair->before, pair->before_positions, pair->before_tokens);
    after_row = find_last_row (&pair->after, pair->after_positions, pair->after_tokens);
    append_change (pair, before_row, after_row, pair->after_positions[after_row], k, changes);
    break;
  case ENG_TASK_TEXT_CLASSIFICATION:
    if (eng_model_get_scores (pair->model) != ENG_SCORES_RAW)
      append_change (pair, 0, 0, -1, k, changes);
    break;
  case ENG_TASK_NEXT_SENTENCE:
  case ENG_TASK_SENTENCE_ORDER:
    append_change (pair, 0, 0, -1, k, changes);
    break;
  case ENG_TASK_QUESTION_ANSWERING:
  default:
    break;
  }
}

GArray *
eng_task_changes_list (const EngModel *model,
                       EngTrace       *before,
                       EngTrace       *after,
                       int             k)
{
  GArray *changes = g_array_new (FALSE, FALSE, sizeof (EngTaskChange));
  Pair pair;

  g_array_set_clear_func (changes, (GDestroyNotify) clear_change);
  for (int task = 0; task < ENG_N_TASKS; task++)
    if (init_pair (&pair, model, before, after, (EngTask) task))
      compare (&pair, k, changes);

  return changes;
}

static double
get_change (const float *before,
            const float *after,
            int          n)
{
  double difference = 0, length = 0;

  for (int i = 0; i < n; i++) {
    difference += ((double) after[i] - before[i]) * ((double) after[i] - before[i]);
    length += (double) before[i] * before[i];
  }
  return length > 0 ? sqrt (difference / length) : 0;
}

GArray *
eng_token_changes_list (EngTrace *before,
                        EngTrace *after,
                        EngKind   kind)
{
  GArray *changes = g_array_new (FALSE, FALSE, sizeof (EngTokenChange));
  const EngTokens *before_tokens = eng_trace_get_query_tokens (before, kind);
  const EngTokens *after_tokens = eng_trace_get_query_tokens (after, kind);
  const int n_layers = eng_trace_get_n_layers (after, kind);
  EngMatrix from, to;

  if (n_layers != eng_trace_get_n_layers (before, kind)
      || !eng_trace_get_hidden_states (before, kind, n_layers, &from)
      || !eng_trace_get_hidden_states (after, kind, n_layers, &to) || from.cols != to.cols)
    return changes;

  for (int token = 0; token < to.rows; token++) {
    const int other = find_before (before_tokens, after_tokens, token);
    EngTokenChange change = { .token = token };

    if (other < 0 || after_tokens->padding[token])
      continue;
    change.change = get_change (get_row (&from, other), get_row (&to, token), to.cols);
    g_array_append_val (changes, change);
  }

  return changes;
}
