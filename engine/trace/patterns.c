/* SPDX-License-Identifier: MIT */
#include "engine/trace/patterns.h"

#include <math.h>
#include <string.h>

#include "engine/trace/measure.h"
#include "engine/trace/pattern-rows.h"

typedef struct {
  const char *name;
  const char *title;
  double      threshold; /* strength from which it is the label of a head */
} Pattern;

static const Pattern patterns[ENG_N_PATTERNS] = {
  [ENG_PATTERN_PREVIOUS] = { "previous", "previous token", 0.4 },
  [ENG_PATTERN_NEXT] = { "next", "next token", 0.4 },
  [ENG_PATTERN_SAME_TOKEN] = { "same-token", "the token itself", 0.4 },
  [ENG_PATTERN_SAME_WORD_OTHER] = { "same-word", "same word in the other sentence", 0.3 },
  [ENG_PATTERN_FIRST] = { "first", "first token", 0.4 },
  [ENG_PATTERN_SEPARATOR] = { "separator", "separator", 0.4 },
  [ENG_PATTERN_PUNCTUATION] = { "punctuation", "punctuation", 0.4 },
  [ENG_PATTERN_BROAD] = { "broad", "broad", 0 },
  [ENG_PATTERN_BLOCK_AA] = { "aa", "A reads A", 0.6 },
  [ENG_PATTERN_BLOCK_AB] = { "ab", "A reads B", 0.6 },
  [ENG_PATTERN_BLOCK_BA] = { "ba", "B reads A", 0.6 },
  [ENG_PATTERN_BLOCK_BB] = { "bb", "B reads B", 0.6 },
};

static int
find_strongest (const EngPatternRows *rows,
                EngPattern            pattern,
                int                   query,
                const float          *row,
                int                   n_keys,
                gboolean              target)
{
  int strongest = -1;

  for (int key = 0; key < n_keys; key++)
    if (eng_pattern_rows_is_target (rows, pattern, query, key) == target
        && (strongest < 0 || row[key] > row[strongest]))
      strongest = key;

  return strongest;
}

static void
add_row (EngPatternEvidence   *evidence,
         const EngPatternRows *rows,
         EngPattern            pattern,
         int                   query,
         const float          *row,
         int                   n_keys)
{
  int target = find_strongest (rows, pattern, query, row, n_keys, TRUE);
  int other = find_strongest (rows, pattern, query, row, n_keys, FALSE);

  evidence->n_hits += row[target] > row[other];
  if (evidence->query < 0 || row[target] > evidence->weight) {
    evidence->query = query;
    evidence->key = target;
    evidence->weight = row[target];
  }
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

/* FALSE when none of the patterns from first to last reaches its threshold. */
static gboolean
choose_among (const float *scores,
              const float *chances,
              EngPattern   first,
              EngPattern   last,
              EngPattern  *chosen)
{
  double best = -1;

  for (EngPattern pattern = first; pattern <= last; pattern++) {
    double strength = get_strength (scores[pattern], chances[pattern]);

    if (strength < patterns[pattern].threshold || strength <= best)
      continue;
    best = strength;
    *chosen = pattern;
  }

  return best >= 0;
}

const char *
eng_pattern_get_name (EngPattern pattern)
{
  return patterns[pattern].name;
}

const char *
eng_pattern_get_title (EngPattern pattern)
{
  return patterns[pattern].title;
}

gboolean
eng_pattern_from_name (const char *name,
                       EngPattern *pattern)
{
  for (int i = 0; i < ENG_N_PATTERNS; i++)
    if (g_strcmp0 (name, patterns[i].name) == 0) {
      *pattern = (EngPattern) i;
      return TRUE;
    }

  return FALSE;
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
      add_row (&evidence, &rows, pattern, query, row, n_keys);
  }

  return evidence;
}

EngPattern
eng_patterns_choose (const float *scores,
                     const float *chances)
{
  EngPattern chosen = ENG_PATTERN_BROAD;

  if (!choose_among (scores, chances, ENG_PATTERN_PREVIOUS, ENG_PATTERN_PUNCTUATION, &chosen))
    choose_among (scores, chances, ENG_PATTERN_BLOCK_AA, ENG_PATTERN_BLOCK_BB, &chosen);

  return chosen;
}
