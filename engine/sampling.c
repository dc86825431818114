/* SPDX-License-Identifier: MIT */
#include "engine/sampling.h"

#include "engine/nn.h"
#include "engine/top-k.h"

#include <math.h>

/* The first guess of how many tokens hold the mass of top_p. */
#define FIRST_GUESS 64

/* Tokens as likely as the last of the k likeliest stay too. */
static void
keep_top_k (float *scores,
            int    n,
            int    k,
            int   *scratch)
{
  float least;

  if (k == 0 || k >= n)
    return;
  eng_top_k (scores, n, k, scratch);
  least = scores[scratch[k - 1]];
  for (int i = 0; i < n; i++)
    if (scores[i] < least)
      scores[i] = -INFINITY;
}

/* Leaves the likeliest tokens whose masses together reach mass: one at least. */
static void
keep_top_p (float  *probabilities,
            int     n,
            double  mass,
            int    *scratch)
{
  double sum = 0;
  int n_kept = 0;
  int last;

  if (mass >= 1)
    return;
  for (int n_sorted = 0; n_kept == n_sorted && n_kept < n && (n_kept == 0 || sum < mass);) {
    n_sorted = MIN (MAX (n_sorted * 8, FIRST_GUESS), n);
    eng_top_k (probabilities, n, n_sorted, scratch);
    for (; n_kept < n_sorted && (n_kept == 0 || sum < mass); n_kept++)
      sum += probabilities[scratch[n_kept]];
  }

  last = scratch[n_kept - 1];
  for (int i = 0; i < n; i++)
    if (probabilities[i] < probabilities[last] ||
        (probabilities[i] == probabilities[last] && i > last))
      probabilities[i] = 0;
}

static void
keep_min_p (float *probabilities,
            int    n,
            float  share)
{
  float largest = 0;

  for (int i = 0; i < n; i++)
    largest = MAX (largest, probabilities[i]);
  for (int i = 0; i < n; i++)
    if (probabilities[i] < share * largest)
      probabilities[i] = 0;
}

gboolean
eng_sampling_narrow (const EngGeneration *settings,
                     float               *scores,
                     int                  n,
                     int                 *scratch)
{
  float temperature = (float) settings->temperature;
  double sum = 0;

  for (int i = 0; i < n; i++)
    scores[i] /= temperature;
  keep_top_k (scores, n, settings->top_k, scratch);
  eng_softmax (scores, n, 1, NULL, NULL);
  for (int i = 0; i < n; i++)
    sum += scores[i];
  if (!(sum > 0 && isfinite (sum)))
    return FALSE;

  keep_top_p (scores, n, settings->top_p, scratch);
  keep_min_p (scores, n, (float) settings->min_p);

  return TRUE;
}

/* SplitMix64 (Steele, Lea, Flood 2014), whose numbers can be had in any order. */
double
eng_sampling_get_uniform (guint64 seed,
                          int     index)
{
  guint64 bits = seed + G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) * ((guint64) index + 1);

  bits = (bits ^ (bits >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  bits = (bits ^ (bits >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  bits ^= bits >> 31;

  return (double) (bits >> 11) * 0x1p-53;
}

int
eng_sampling_draw (const float *probabilities,
                   int          n,
                   double       uniform)
{
  double sum = 0;
  double place;
  int last = 0;

  for (int i = 0; i < n; i++)
    sum += probabilities[i];
  place = uniform * sum;

  sum = 0;
  for (int i = 0; i < n; i++)
    if (probabilities[i] > 0) {
      sum += probabilities[i];
      last = i;
      if (place < sum)
        break;
    }

  return last;
}
