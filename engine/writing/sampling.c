/* SPDX-License-Identifier: MIT */
#include "engine/writing/sampling.h"

#include "engine/kernels/nn.h"
#include "engine/writing/top-k.h"

#include <math.h>
#include <string.h>

/* A float has four digits. */
#define DIGIT_BITS 8
#define N_DIGITS (1 << DIGIT_BITS)

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

/* Adds up the masses of the numbers that agree with prefix in the bits of mask, by their digit of
 * DIGIT_BITS at shift. */
static void
add_up (const float *probabilities,
        int          n,
        guint32      prefix,
        guint32      mask,
        int          shift,
        double       masses[N_DIGITS])
{
  for (int digit = 0; digit < N_DIGITS; digit++)
    masses[digit] = 0;
  for (int i = 0; i < n; i++) {
    guint32 bits;

    memcpy (&bits, &probabilities[i], sizeof bits);
    if ((bits & mask) == prefix)
      masses[bits >> shift & (N_DIGITS - 1)] += probabilities[i];
  }
}

/* Leaves the likeliest tokens whose masses together reach mass: one at least, of equally likely
 * ones the lowest first. Numbers that are not negative are in the order of their bits, so that
 * the least one that stays is found digit by digit. */
static void
keep_top_p (float  *probabilities,
            int     n,
            double  mass)
{
  double masses[N_DIGITS];
  guint32 prefix = 0;
  guint32 mask = 0;
  double sum = 0;
  float least;

  if (mass >= 1)
    return;
  for (int shift = 32 - DIGIT_BITS; shift >= 0; shift -= DIGIT_BITS) {
    guint32 digit = N_DIGITS - 1;

    add_up (probabilities, n, prefix, mask, shift, masses);
    for (; digit > 0 && (masses[digit] == 0 || sum + masses[digit] < mass); digit--)
      sum += masses[digit];
    prefix |= digit << shift;
    mask |= (guint32) (N_DIGITS - 1) << shift;
  }

  memcpy (&least, &prefix, sizeof least);
  for (int i = 0; i < n; i++)
    if (probabilities[i] == least && (sum == 0 || sum < mass))
      sum += probabilities[i];
    else if (probabilities[i] <= least)
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

  keep_top_p (scores, n, settings->top_p);
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
