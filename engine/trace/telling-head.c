/* SPDX-License-Identifier: MIT */
#include "engine/trace/telling-head.h"

#include "engine/trace/head-facts.h"

#define CLEAR 0.5f /* more than half of what it reads */

/* Weights that are looked at: of a larger trace it is every so many layers. */
#define MOST_WEIGHTS (1 << 26)

/* The most telling first. What heads rest on (first token, separators) and the broad tell nothing. */
static const int ranks[ENG_N_LABELS] = {
  [ENG_PATTERN_SAME_WORD_OTHER] = 1,
  [ENG_PATTERN_PREVIOUS] = 2,
  [ENG_PATTERN_NEXT] = 2,
  [ENG_PATTERN_SAME_WORD_ANYWHERE] = 2,
  [ENG_PATTERN_TWO_BACK] = 3,
  [ENG_PATTERN_TWO_ON] = 3,
  [ENG_PATTERN_SAME_TOKEN] = 3,
  [ENG_PATTERN_BLOCK_AB] = 4,
  [ENG_PATTERN_BLOCK_BA] = 4,
};
#define UNCLEAR 4 /* ranks later */

typedef struct {
  int   rank; /* 0 = none yet */
  float score;
  int   layer;
  int   head;
} Telling;

static void
consider (Telling            *best,
          const EngHeadFacts *facts,
          int                 layer,
          int                 head)
{
  const float score = facts->scores[facts->label];
  int rank = ranks[facts->label];

  if (rank == 0)
    return;
  if (score < CLEAR)
    rank += UNCLEAR;
  if (best->rank == 0 || rank < best->rank || (rank == best->rank && score > best->score))
    *best = (Telling) { rank, score, layer, head };
}

static int
find_stride (const EngTrace *trace,
             EngKind         kind)
{
  return 1 + (int) (eng_trace_count_weights (trace, kind) / MOST_WEIGHTS);
}

gboolean
eng_trace_find_telling_head (EngTrace *trace,
                             EngKind   kind,
                             int      *layer,
                             int      *head)
{
  const int n_layers = eng_trace_get_n_layers (trace, kind);
  const int n_heads = eng_trace_get_n_heads (trace, kind);
  const int stride = find_stride (trace, kind);
  Telling best = { 0 };
  int last = 0;

  for (int i = 0; i < n_layers; i += stride) {
    const EngHeadFacts *facts = eng_trace_get_head_facts (trace, kind, i);

    for (int j = 0; facts != NULL && j < n_heads; j++)
      consider (&best, &facts[j], i, j);
    if (facts != NULL)
      last = i;
  }
  if (best.rank == 0)
    best.layer = MIN (last, n_layers / 2);

  *layer = best.layer;
  *head = best.head;
  return best.rank > 0;
}
