/* SPDX-License-Identifier: MIT */
#include "engine/predict/prediction-change.h"

#include <math.h>

/* log Σ e^x, so that log p = x - that. */
static double
get_log_sum (const float *logits,
             int          n_classes)
{
  double largest = -INFINITY;
  double sum = 0;

  for (int i = 0; i < n_classes; i++)
    largest = MAX (largest, (double) logits[i]);
  for (int i = 0; i < n_classes; i++)
    sum += exp (logits[i] - largest);

  return largest + log (sum);
}

/* log (1 + e^x) */
static double
soft_plus (double x)
{
  return x > 0 ? x + log1p (exp (-x)) : log1p (exp (x));
}

static double
sigmoid (double x)
{
  return x > 0 ? 1 / (1 + exp (-x)) : exp (x) / (1 + exp (x));
}

/* Of one class that is true or not, in nats: log p = -soft_plus (-x), log (1 - p) =
 * -soft_plus (x). */
static double
diverge_each (double before,
              double after)
{
  double p = sigmoid (before);

  return p * (soft_plus (-after) - soft_plus (-before)) +
         (1 - p) * (soft_plus (after) - soft_plus (before));
}

static int
compare_ids (const float *logits,
             int          a,
             int          b)
{
  if (logits[a] != logits[b])
    return logits[a] > logits[b] ? -1 : 1;

  return a - b;
}

/* The best k classes, best first: insertion into a short list. Returns how many there are. */
static int
find_top (const float *logits,
          int          n_classes,
          int          k,
          int         *top)
{
  int n = 0;

  for (int id = 0; id < n_classes; id++) {
    int at = n;

    while (at > 0 && compare_ids (logits, id, top[at - 1]) < 0)
      at--;
    if (at == k)
      continue;
    n = MIN (n + 1, k);
    for (int i = n - 1; i > at; i--)
      top[i] = top[i - 1];
    top[at] = id;
  }

  return n;
}

static int
find_rank (const float *logits,
           int          n_classes,
           int          id)
{
  int rank = 0;

  for (int other = 0; other < n_classes; other++)
    rank += other != id && compare_ids (logits, other, id) < 0;

  return rank;
}

static int
compare_moves (gconstpointer a,
               gconstpointer b)
{
  return ((const EngPredictionMove *) a)->rank_before -
         ((const EngPredictionMove *) b)->rank_before;
}

void
eng_prediction_change_probabilities (const float     *logits,
                                     int              n_classes,
                                     EngChangeScores  scores,
                                     double          *probabilities)
{
  double sum = scores == ENG_CHANGE_ONE_OF_ALL ? get_log_sum (logits, n_classes) : 0;

  for (int i = 0; i < n_classes; i++)
    probabilities[i] = scores == ENG_CHANGE_ONE_OF_ALL ? exp (logits[i] - sum)
                                                       : sigmoid (logits[i]);
}

double
eng_prediction_change_get_probability (const float     *logits,
                                       int              n_classes,
                                       EngChangeScores  scores,
                                       int              id)
{
  return scores == ENG_CHANGE_ONE_OF_ALL ? exp (logits[id] - get_log_sum (logits, n_classes))
                                         : sigmoid (logits[id]);
}

double
eng_prediction_change_divergence (const float     *before,
                                  const float     *after,
                                  int              n_classes,
                                  EngChangeScores  scores)
{
  gboolean shared = scores == ENG_CHANGE_ONE_OF_ALL;
  double sum_before = shared ? get_log_sum (before, n_classes) : 0;
  double sum_after = shared ? get_log_sum (after, n_classes) : 0;
  double nats = 0;

  for (int i = 0; i < n_classes; i++) {
    double log_p = before[i] - sum_before;
    double log_q = after[i] - sum_after;

    nats += shared ? exp (log_p) * (log_p - log_q) : diverge_each (before[i], after[i]);
  }

  return MAX (nats, 0) / G_LN2;
}

int
eng_prediction_change_find_best (const float *logits,
                                 int          n_classes)
{
  int best = 0;

  for (int i = 1; i < n_classes; i++)
    if (logits[i] > logits[best])
      best = i;

  return best;
}

GArray *
eng_prediction_change_list_moves (const float     *before,
                                  const float     *after,
                                  int              n_classes,
                                  EngChangeScores  scores,
                                  int              k)
{
  GArray *moves = g_array_new (FALSE, FALSE, sizeof (EngPredictionMove));
  g_autofree int *top = g_new (int, 2 * (gsize) MAX (k, 0) + 1);
  double sum_before = get_log_sum (before, n_classes);
  double sum_after = get_log_sum (after, n_classes);
  int n = find_top (before, n_classes, k, top);
  int n_after = find_top (after, n_classes, k, top + n);

  for (int i = 0; i < n + n_after; i++) {
    EngPredictionMove move = {
      .id = top[i],
      .before = exp (before[top[i]] - sum_before),
      .after = exp (after[top[i]] - sum_after),
      .rank_before = i < n ? i : find_rank (before, n_classes, top[i]),
    };

    if (scores == ENG_CHANGE_EACH) {
      move.before = sigmoid (before[top[i]]);
      move.after = sigmoid (after[top[i]]);
    }
    move.rank_after = i < n ? find_rank (after, n_classes, top[i]) : i - n;
    if (i < n || move.rank_before >= k)
      g_array_append_val (moves, move);
  }
  g_array_sort (moves, compare_moves);

  return moves;
}
