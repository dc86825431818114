/* SPDX-License-Identifier: MIT */
#include "engine/trace/patterns.h"

#include <math.h>
#include <string.h>

#include "engine/trace/measure.h"
#include "engine/trace/pattern-rows.h"

#define THRESHOLD 0.25
#define BLOCK_THRESHOLD 0.6
/* How much stronger the whole must be than its parts to be named for them. */
#define WHOLE 1.25
/* Of the strongest link: so strong a link between two tokens is the better example. */
#define EXAMPLE_PART 0.5

/* The first and the last pattern of each rank; what no rank has is broad. */
static const EngPattern ranks[][2] = {
  { ENG_PATTERN_PREVIOUS, ENG_PATTERN_SAME_WORD_ANYWHERE },
  { ENG_PATTERN_FIRST, ENG_PATTERN_PUNCTUATION },
  { ENG_PATTERN_OWN_SENTENCE, ENG_PATTERN_BLOCK_BA },
};

/* Of a row that counts, among the keys that are targets or among the others; without: none or a key
 * that is left out. -1 = there is none. */
static int
find_strongest (const EngPatternRows *rows,
                EngPattern            pattern,
                int                   query,
                const float          *row,
                int                   n_keys,
                gboolean              target,
                int                   without)
{
  int strongest = -1;

  for (int key = 0; key < n_keys; key++)
    if (key != without && eng_pattern_rows_is_target (rows, pattern, query, key) == target
        && (strongest < 0 || row[key] > row[strongest]))
      strongest = key;

  return strongest;
}

static void
take_link (EngPatternEvidence *evidence,
           int                 query,
           int                 key,
           float               weight)
{
  if (key < 0 || (evidence->query >= 0 && weight <= evidence->weight))
    return;
  evidence->query = query;
  evidence->key = key;
  evidence->weight = weight;
}

/* apart: takes the strongest link between two tokens. */
static void
add_row (EngPatternEvidence   *evidence,
         EngPatternEvidence   *apart,
         const EngPatternRows *rows,
         EngPattern            pattern,
         int                   query,
         const float          *row,
         int                   n_keys)
{
  int target = find_strongest (rows, pattern, query, row, n_keys, TRUE, -1);
  int other = find_strongest (rows, pattern, query, row, n_keys, FALSE, -1);
  int distant = target;

  if (pattern == ENG_PATTERN_SAME_WORD_ANYWHERE && target == query)
    distant = find_strongest (rows, pattern, query, row, n_keys, TRUE, query);
  evidence->n_hits += row[target] > row[other];
  take_link (evidence, query, target, row[target]);
  take_link (apart, query, distant, distant >= 0 ? row[distant] : 0);
}

/* broadest: how broad the broadest row so far is. */
static void
add_broad_row (EngPatternEvidence   *evidence,
               const EngPatternRows *rows,
               int                   query,
               const float          *row,
               int                   n_keys,
               double               *broadest)
{
  double broad = eng_measure_entropy (row, (gsize) n_keys) / rows->widest[query];

  evidence->n_hits += broad > 0.5;
  if (evidence->query >= 0 && broad <= *broadest)
    return;
  *broadest = broad;
  evidence->query = query;
  evidence->key = 0;
  for (int key = 1; key < n_keys; key++)
    if (row[key] > row[evidence->key])
      evidence->key = key;
  evidence->weight = row[evidence->key];
}

/* The part of the way from chance to 1; -1 where one of the two is not known. */
static double
get_strength (float score,
              float chance)
{
  return isnan (score) || !(chance < 1) ? -1 : ((double) score - chance) / (1 - chance);
}

static double
get_threshold (EngPattern pattern)
{
  return pattern == ENG_PATTERN_BLOCK_AB || pattern == ENG_PATTERN_BLOCK_BA ? BLOCK_THRESHOLD
                                                                            : THRESHOLD;
}

/* Leaves a strength to the same word anywhere, or to what it contains. */
static void
settle_same_word (double *strengths)
{
  double *whole = &strengths[ENG_PATTERN_SAME_WORD_ANYWHERE];
  double *token = &strengths[ENG_PATTERN_SAME_TOKEN];
  double *other = &strengths[ENG_PATTERN_SAME_WORD_OTHER];

  if (*whole >= THRESHOLD && *whole >= WHOLE * MAX (*token, *other))
    *token = *other = -1;
  else
    *whole = -1;
}

void
eng_patterns_measure (const EngAttention *attention,
                      const EngTokens    *queries,
                      const EngTokens    *keys,
                      float              *scores)
{
  g_auto (EngPatternRows) rows = { 0 };

  eng_pattern_rows_init (&rows, attention, queries, keys);
  eng_pattern_rows_measure (&rows, attention, scores, NULL);
}

void
eng_patterns_find_chances (const EngAttention *attention,
                           const EngTokens    *queries,
                           const EngTokens    *keys,
                           float              *chances)
{
  g_auto (EngPatternRows) rows = { 0 };

  eng_pattern_rows_init (&rows, attention, queries, keys);
  memcpy (chances, rows.chances, sizeof rows.chances);
}

EngPatternEvidence
eng_patterns_find_evidence (const EngAttention *attention,
                            const EngTokens    *queries,
                            const EngTokens    *keys,
                            int                 head,
                            EngPattern          pattern)
{
  EngPatternEvidence evidence = { .query = -1, .key = -1 };
  EngPatternEvidence apart = evidence;
  g_auto (EngPatternRows) rows = { 0 };
  int n_keys = attention->n_keys;
  const float *row = attention->weights
                   + (gsize) head * (gsize) attention->n_queries * (gsize) n_keys;
  double broadest = 0;

  eng_pattern_rows_init (&rows, attention, queries, keys);
  evidence.n_rows = rows.n_rows[pattern];
  for (int query = 0; query < attention->n_queries; query++, row += n_keys) {
    if (!(rows.counts[query] >> pattern & 1))
      continue;
    if (pattern == ENG_PATTERN_BROAD)
      add_broad_row (&evidence, &rows, query, row, n_keys, &broadest);
    else
      add_row (&evidence, &apart, &rows, pattern, query, row, n_keys);
  }
  if (apart.query >= 0 && apart.weight >= EXAMPLE_PART * evidence.weight) {
    apart.n_rows = evidence.n_rows;
    apart.n_hits = evidence.n_hits;
    evidence = apart;
  }

  return evidence;
}

EngPattern
eng_patterns_choose (const float *scores,
                     const float *chances)
{
  double strengths[ENG_N_LABELS];

  for (int i = 0; i < ENG_N_LABELS; i++)
    strengths[i] = get_strength (scores[i], chances[i]);
  settle_same_word (strengths);
  for (int rank = 0; rank < (int) G_N_ELEMENTS (ranks); rank++) {
    EngPattern chosen = ENG_PATTERN_BROAD;
    double best = -1;

    for (EngPattern pattern = ranks[rank][0]; pattern <= ranks[rank][1]; pattern++)
      if (strengths[pattern] >= get_threshold (pattern) && strengths[pattern] > best) {
        best = strengths[pattern];
        chosen = pattern;
      }
    if (chosen != ENG_PATTERN_BROAD)
      return chosen;
  }

  return ENG_PATTERN_BROAD;
}
