/* SPDX-License-Identifier: MIT */
#include "engine/writing/beam-search.h"

#include "engine/writing/top-k.h"

#include <math.h>
#include <string.h>

/* The score of a text that is not there. */
#define NOTHING -1e9f

/* A way to go on. */
typedef struct {
  int    parent;
  gint32 id;
  float  probability;
  int    ends; /* with this token the text is at its end */
} Candidate;

struct _EngBeamSearch {
  const EngGeneration *settings;
  int                  n_beams;
  int                  n_classes;
  int                  n_start;
  int                  max_length;
  int                  n_kept;      /* ways to go on that are looked at, some of which end */

  EngBeam             *open;        /* [n_beams] */
  EngBeam             *next;        /* [n_beams] the open ones after the step */
  EngBeam             *finished;    /* [n_beams] the best first */
  EngBeam             *spare;       /* [n_beams] the finished ones after the step */
  int                  n;           /* new tokens of the open texts */
  gboolean             hopeless;    /* no open text can become better than the finished ones */
  gboolean             done;

  /* Of a step. */
  Candidate           *candidates;  /* [n_kept] the best first */
  float               *totals;      /* [n_kept] their scores */
  float               *keys;        /* [n_beams · n_kept] */
  int                 *order;       /* [n_beams · n_kept] */
  int                 *tokens;      /* [n_beams · n_kept] */
};

static EngBeam *
beams_new (const EngBeamSearch *self)
{
  EngBeam *beams = g_new0 (EngBeam, self->n_beams);

  for (int i = 0; i < self->n_beams; i++) {
    beams[i].ids = g_new0 (gint32, self->max_length);
    beams[i].probabilities = g_new0 (float, self->max_length - self->n_start);
    beams[i].score = NOTHING;
  }

  return beams;
}

static void
beams_free (EngBeam *beams,
            int      n_beams)
{
  for (int i = 0; i < n_beams; i++) {
    g_free (beams[i].ids);
    g_free (beams[i].probabilities);
  }
  g_free (beams);
}

static void
copy_beam (const EngBeamSearch *self,
           const EngBeam       *from,
           EngBeam             *to)
{
  memcpy (to->ids, from->ids, (self->n_start + from->n) * sizeof *to->ids);
  memcpy (to->probabilities, from->probabilities, from->n * sizeof *to->probabilities);
  to->n = from->n;
  to->score = from->score;
  to->finished = from->finished;
}

/* A candidate as a text with this score. */
static void
follow (const EngBeamSearch *self,
        const Candidate     *candidate,
        float                score,
        EngBeam             *to)
{
  copy_beam (self, &self->open[candidate->parent], to);
  to->ids[self->n_start + to->n] = candidate->id;
  to->probabilities[to->n] = candidate->probability;
  to->n++;
  to->score = score;
}

static void
swap_beams (EngBeam **a,
            EngBeam **b)
{
  EngBeam *c = *a;

  *a = *b;
  *b = c;
}

static gboolean
is_end (const EngBeamSearch *self,
        gint32               id)
{
  const GArray *ends = self->settings->end_ids;

  if (self->n_start + self->n + 1 >= self->max_length)
    return TRUE;
  for (guint i = 0; ends && i < ends->len; i++)
    if (g_array_index (ends, gint32, i) == id)
      return TRUE;

  return FALSE;
}

/* The best ways to go on from all open texts. Returns how many. */
static int
find_candidates (EngBeamSearch *self,
                 const float   *log_probabilities,
                 const float   *scores)
{
  int n_each = MIN (self->n_kept, self->n_classes);
  int n_all = self->n_beams * n_each;
  int n = MIN (self->n_kept, n_all);

  for (int beam = 0; beam < self->n_beams; beam++) {
    const float *row = scores + (gsize) beam * self->n_classes;
    int *tokens = self->tokens + beam * n_each;

    eng_top_k (row, self->n_classes, n_each, tokens);
    for (int i = 0; i < n_each; i++)
      self->keys[beam * n_each + i] = row[tokens[i]] + self->open[beam].score;
  }
  eng_top_k (self->keys, n_all, n, self->order);

  for (int i = 0; i < n; i++) {
    int parent = self->order[i] / n_each;
    int id = self->tokens[self->order[i]];

    self->candidates[i] = (Candidate) {
      .parent = parent,
      .id = id,
      .probability = expf (log_probabilities[(gsize) parent * self->n_classes + id]),
      .ends = is_end (self, id),
    };
    self->totals[i] = self->keys[self->order[i]];
  }

  return n;
}

/* The open texts of the next step: the best candidates that do not end. */
static void
go_on (EngBeamSearch *self,
       int            n,
       int           *parents,
       gint32        *ids)
{
  for (int i = 0; i < n; i++)
    self->keys[i] = self->candidates[i].ends ? self->totals[i] + NOTHING : self->totals[i];
  eng_top_k (self->keys, n, self->n_beams, self->order);

  for (int i = 0; i < self->n_beams; i++) {
    const Candidate *candidate = &self->candidates[self->order[i]];

    follow (self, candidate, self->keys[self->order[i]], &self->next[i]);
    parents[i] = candidate->parent;
    ids[i] = candidate->id;
  }
}

static float
divide_by_length (const EngBeamSearch *self,
                  float                score,
                  int                  n)
{
  return score / (float) pow (n, self->settings->length_penalty);
}

/* Only candidates among the first n_beams finish a text; the others are there so that enough go
 * on. */
static void
finish (EngBeamSearch *self)
{
  int n_beams = self->n_beams;

  for (int i = 0; i < n_beams; i++) {
    self->keys[i] = self->finished[i].score;
    self->keys[n_beams + i] = self->candidates[i].ends
                                ? divide_by_length (self, self->totals[i], self->n + 1)
                                : -INFINITY;
  }
  eng_top_k (self->keys, 2 * n_beams, n_beams, self->order);

  for (int i = 0; i < n_beams; i++) {
    int place = self->order[i];

    if (place < n_beams) {
      copy_beam (self, &self->finished[place], &self->spare[i]);
    } else {
      follow (self, &self->candidates[place - n_beams], self->keys[place], &self->spare[i]);
      self->spare[i].finished = TRUE;
    }
  }
  swap_beams (&self->finished, &self->spare);
}

/* Whether the best open text can become better than the worst finished one. A text that is not
 * there yet is worse than any. */
static gboolean
may_improve (const EngBeamSearch *self)
{
  gboolean at_longest = self->settings->early_stopping == ENG_EARLY_STOPPING_NEVER &&
                        self->settings->length_penalty > 0;
  int n = at_longest ? self->max_length - self->n_start : self->n;

  return divide_by_length (self, self->open[0].score, n) > self->finished[self->n_beams - 1].score;
}

static gboolean
is_over (const EngBeamSearch *self,
         int                  n_candidates)
{
  gboolean all_finished = TRUE;
  gboolean all_end = TRUE;

  for (int i = 0; i < self->n_beams; i++)
    all_finished = all_finished && self->finished[i].finished;
  for (int i = 0; i < n_candidates; i++)
    all_end = all_end && self->candidates[i].ends;

  return self->hopeless || all_end ||
         (all_finished && self->settings->early_stopping == ENG_EARLY_STOPPING_AT_ONCE);
}

EngBeamSearch *
eng_beam_search_new (const EngGeneration *settings,
                     const gint32        *start,
                     int                  n_start,
                     int                  max_length,
                     int                  n_classes)
{
  EngBeamSearch *self = g_new0 (EngBeamSearch, 1);
  int n_ends = settings->end_ids ? (int) MIN (settings->end_ids->len, (guint) n_classes) : 0;
  gsize n_all;

  self->settings = settings;
  self->n_beams = settings->n_beams;
  self->n_classes = n_classes;
  self->n_start = n_start;
  self->max_length = max_length;
  self->n_kept = MAX (2, 1 + n_ends) * self->n_beams;
  n_all = (gsize) self->n_beams * self->n_kept;

  self->open = beams_new (self);
  self->next = beams_new (self);
  self->finished = beams_new (self);
  self->spare = beams_new (self);
  /* All but one begin as texts that are not there: else each would find the same. */
  for (int i = 0; i < self->n_beams; i++) {
    memcpy (self->open[i].ids, start, n_start * sizeof *start);
    self->open[i].score = i == 0 ? 0 : NOTHING;
    memcpy (self->finished[i].ids, start, n_start * sizeof *start);
  }
  self->candidates = g_new (Candidate, self->n_kept);
  self->totals = g_new (float, self->n_kept);
  self->keys = g_new (float, n_all);
  self->order = g_new (int, n_all);
  self->tokens = g_new (int, n_all);

  return self;
}

void
eng_beam_search_free (EngBeamSearch *self)
{
  beams_free (self->open, self->n_beams);
  beams_free (self->next, self->n_beams);
  beams_free (self->finished, self->n_beams);
  beams_free (self->spare, self->n_beams);
  g_free (self->candidates);
  g_free (self->totals);
  g_free (self->keys);
  g_free (self->order);
  g_free (self->tokens);
  g_free (self);
}

const EngBeam *
eng_beam_search_get_open (const EngBeamSearch *self,
                          int                  beam)
{
  return &self->open[beam];
}

void
eng_beam_search_advance (EngBeamSearch *self,
                         const float   *log_probabilities,
                         const float   *scores,
                         int           *parents,
                         gint32        *ids)
{
  int n = find_candidates (self, log_probabilities, scores);

  go_on (self, n, parents, ids);
  finish (self);
  swap_beams (&self->open, &self->next);
  self->n++;

  self->hopeless = self->hopeless || !may_improve (self);
  self->done = is_over (self, n);
}

gboolean
eng_beam_search_is_done (const EngBeamSearch *self)
{
  return self->done;
}

const EngBeam *
eng_beam_search_get_best (const EngBeamSearch *self)
{
  return self->done ? &self->finished[0] : &self->open[0];
}
