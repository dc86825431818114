/* SPDX-License-Identifier: MIT */
#include "engine/trace/head-facts.h"

#include <math.h>

#include "engine/trace/head-facts-table.h"
#include "engine/trace/measure.h"
#include "engine/trace/trace-private.h"

struct _EngHeadFactsTable {
  GMutex      lock;
  GHashTable *layers[ENG_N_KINDS]; /* number of the layer → EngHeadFacts [n_heads] */
};

/* Mean over the rows that are no padding. */
static float
measure_entropy (const EngAttention *attention,
                 const guint8       *padding,
                 int                 head)
{
  gsize n_keys = (gsize) attention->n_keys;
  const float *row = attention->weights + (gsize) head * (gsize) attention->n_queries * n_keys;
  double sum = 0;
  int n = 0;

  for (int query = 0; query < attention->n_queries; query++, row += n_keys) {
    if (padding && padding[query])
      continue;
    sum += eng_measure_entropy (row, n_keys);
    n++;
  }

  return (float) (sum / MAX (n, 1));
}

/* (transfer full) [n_heads] */
static EngHeadFacts *
compute_facts (const EngAttention *attention,
               const EngTokens    *queries,
               const EngTokens    *keys)
{
  int n_heads = attention->n_heads;
  EngHeadFacts *facts = g_new0 (EngHeadFacts, n_heads);
  g_autofree guint8 *padding = eng_measure_mark_padding (attention, queries, keys);
  g_autofree float *scores = g_new (float, (gsize) n_heads * ENG_N_PATTERNS);
  g_autofree float *shares = g_new (float, n_heads);
  gboolean pair = eng_measure_pair_share (attention, queries, keys, shares);
  float chances[ENG_N_PATTERNS];

  eng_patterns_measure (attention, queries, keys, scores);
  eng_patterns_find_chances (attention, queries, keys, chances);
  for (int head = 0; head < n_heads; head++) {
    EngHeadFacts *own = &facts[head];

    for (int pattern = 0; pattern < ENG_N_PATTERNS; pattern++)
      own->scores[pattern] = scores[head * ENG_N_PATTERNS + pattern];
    own->entropy = measure_entropy (attention, padding, head);
    own->pair_share = pair ? shares[head] : NAN;
    own->traffic_ab = own->scores[ENG_PATTERN_BLOCK_AB];
    own->traffic_ba = own->scores[ENG_PATTERN_BLOCK_BA];
    own->label = eng_patterns_choose (own->scores, chances);
  }

  return facts;
}

EngHeadFactsTable *
eng_head_facts_table_new (void)
{
  EngHeadFactsTable *self = g_new0 (EngHeadFactsTable, 1);

  g_mutex_init (&self->lock);
  for (int kind = 0; kind < ENG_N_KINDS; kind++)
    self->layers[kind] = g_hash_table_new_full (NULL, NULL, NULL, g_free);

  return self;
}

void
eng_head_facts_table_free (EngHeadFactsTable *self)
{
  for (int kind = 0; kind < ENG_N_KINDS; kind++)
    g_hash_table_unref (self->layers[kind]);
  g_mutex_clear (&self->lock);
  g_free (self);
}

const EngHeadFacts *
eng_trace_get_head_facts (EngTrace *trace,
                          EngKind   kind,
                          int       layer)
{
  GHashTable *layers = trace->head_facts->layers[kind];
  g_autoptr (EngAttention) attention = NULL;
  g_autofree EngHeadFacts *computed = NULL;
  EngHeadFacts *facts;

  g_mutex_lock (&trace->head_facts->lock);
  facts = g_hash_table_lookup (layers, GINT_TO_POINTER (layer));
  g_mutex_unlock (&trace->head_facts->lock);
  if (facts)
    return facts;

  attention = eng_trace_dup_attention (trace, kind, layer);
  if (!attention)
    return NULL;
  computed = compute_facts (attention, eng_trace_get_query_tokens (trace, kind),
                            eng_trace_get_key_tokens (trace, kind));

  /* Who was first wins: others hold its pointer. */
  g_mutex_lock (&trace->head_facts->lock);
  facts = g_hash_table_lookup (layers, GINT_TO_POINTER (layer));
  if (!facts) {
    facts = g_steal_pointer (&computed);
    g_hash_table_insert (layers, GINT_TO_POINTER (layer), facts);
  }
  g_mutex_unlock (&trace->head_facts->lock);

  return facts;
}
