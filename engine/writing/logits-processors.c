/* SPDX-License-Identifier: MIT */
#include "engine/writing/logits-processors.h"

#include "engine/kernels/nn.h"

#include <math.h>
#include <string.h>

/* ids [n]; those that are no classes are passed over. */
static void
ban_ids (const EngLogitsProcessors *self,
         const gint32              *ids,
         int                        n,
         float                     *scores)
{
  for (int i = 0; i < n; i++)
    if (ids[i] < self->n_classes)
      scores[ids[i]] = -INFINITY;
}

static void
ban_list (const EngLogitsProcessors *self,
          const GArray              *ids,
          float                     *scores)
{
  if (ids)
    ban_ids (self, (const gint32 *) ids->data, (int) ids->len, scores);
}

/* Once for each of the tokens ids, however often it is among them. Keskar et al. 2019, section 4.1;
 * a score below 0 is multiplied, so that a penalty lowers it too. */
static void
penalise (const EngLogitsProcessors *self,
          const gint32              *ids,
          int                        n,
          float                      penalty,
          float                     *scores)
{
  g_autofree guint8 *seen = NULL;

  if (penalty == 1.0f)
    return;

  seen = g_new0 (guint8, self->n_classes);
  for (int i = 0; i < n; i++) {
    float *score;

    if (ids[i] >= self->n_classes || seen[ids[i]])
      continue;
    seen[ids[i]] = TRUE;
    score = &scores[ids[i]];
    *score = *score < 0 ? *score * penalty : *score / penalty;
  }
}

/* Bans what followed the last size - 1 of the n tokens ids in text [n_text]. */
static void
ban_ngrams (const EngLogitsProcessors *self,
            int                        size,
            const gint32              *text,
            int                        n_text,
            const gint32              *ids,
            int                        n,
            float                     *scores)
{
  if (size == 0 || n < size - 1)
    return;
  for (int i = 0; i + size <= n_text; i++)
    if (memcmp (text + i, ids + n - (size - 1), (size - 1) * sizeof *ids) == 0)
      ban_ids (self, &text[i + size - 1], 1, scores);
}

/* An end token alone cannot be banned: the text would have no end. */
static gboolean
is_end (const EngGeneration *settings,
        const GArray        *sequence)
{
  gint32 first = g_array_index (sequence, gint32, 0);

  if (sequence->len > 1 || !settings->end_ids)
    return FALSE;
  for (guint i = 0; i < settings->end_ids->len; i++)
    if (g_array_index (settings->end_ids, gint32, i) == first)
      return TRUE;

  return FALSE;
}

static void
ban_sequences (const EngLogitsProcessors *self,
               const gint32              *ids,
               int                        n,
               float                     *scores)
{
  const GPtrArray *banned = self->settings->banned;

  for (guint i = 0; banned && i < banned->len; i++) {
    const GArray *sequence = g_ptr_array_index (banned, i);
    const gint32 *words = (const gint32 *) sequence->data;
    int n_before = (int) sequence->len - 1;

    if (n_before <= n && !is_end (self->settings, sequence) &&
        memcmp (ids + n - n_before, words, n_before * sizeof *words) == 0)
      ban_ids (self, &words[n_before], 1, scores);
  }
}

/* ids [n_ids] become the only tokens that may follow, all equally likely. */
static void
force (const EngLogitsProcessors *self,
       const gint32              *ids,
       int                        n_ids,
       float                     *scores)
{
  for (int i = 0; i < self->n_classes; i++)
    scores[i] = -INFINITY;
  for (int i = 0; i < n_ids; i++)
    scores[ids[i]] = 0;
}

void
eng_logits_process (const EngLogitsProcessors *self,
                    const gint32              *ids,
                    int                        n,
                    float                     *scores)
{
  const EngGeneration *settings = self->settings;
  const GArray *forced_end = settings->forced_end_ids;
  gboolean forces_first = settings->forced_first_id >= 0;
  /* A first token that is forced is followed by the first that is free. */
  int n_first = self->n_start + (self->n_start == 1 && forces_first);

  penalise (self, self->given, self->n_given,
            (float) (1 / settings->encoder_repetition_penalty), scores);
  penalise (self, ids, n, (float) settings->repetition_penalty, scores);
  ban_ngrams (self, settings->no_repeat_ngram_size, ids, n, ids, n, scores);
  ban_ngrams (self, settings->encoder_no_repeat_ngram_size, self->given, self->n_given, ids, n,
              scores);
  ban_sequences (self, ids, n, scores);
  if (n < self->min_length)
    ban_list (self, settings->end_ids, scores);
  if (n == 1 && forces_first)
    force (self, &settings->forced_first_id, 1, scores);
  if (n == self->max_length - 1 && forced_end && forced_end->len > 0)
    force (self, (const gint32 *) forced_end->data, (int) forced_end->len, scores);
  ban_list (self, settings->suppressed_ids, scores);
  if (n == n_first)
    ban_list (self, settings->suppressed_first_ids, scores);
}

void
eng_logits_normalise (float *scores,
                      int    n,
                      float *scratch)
{
  int best = 0;
  double sum = 0;
  float largest, log_largest;

  for (int i = 1; i < n; i++)
    if (scores[i] > scores[best])
      best = i;
  largest = scores[best];

  /* The softmax of the largest score is 1 over the sum of exp (score - largest). It is taken in
   * single precision; that its sum is not quite 1 says by how much it is off. */
  memcpy (scratch, scores, n * sizeof *scores);
  eng_softmax (scratch, n, 1, NULL, NULL);
  for (int i = 0; i < n; i++)
    sum += scratch[i];
  log_largest = (float) log (scratch[best] / sum);

  for (int i = 0; i < n; i++)
    scores[i] = (scores[i] - largest) + log_largest;
}
