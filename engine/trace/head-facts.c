/* SPDX-License-Identifier: MIT */
#include "engine/trace/head-facts.h"

#include <math.h>

#include "engine/trace/head-facts-table.h"
#include "engine/trace/measure.h"
#include "engine/trace/pattern-rows.h"
#include "engine/trace/trace-private.h"

struct _EngHeadFactsTable {
  GMutex      lock;
  GHashTable *layers[ENG_N_KINDS]; /* number of the layer → EngHeadFacts [n_heads] */
  GHashTable *evidence[ENG_N_KINDS]; /* the same → EngPatternEvidence [n_heads] */
};

/* (transfer full) [n_heads] */
static EngHeadFacts *
compute_facts (const EngAttention *attention,
               const EngTokens    *queries,
               const EngTokens    *keys)
{
  int n_heads = attention->n_heads;
  EngHeadFacts *facts = g_new0 (EngHeadFacts, n_heads);
  g_autofree float *scores = g_new (float, (gsize) n_heads * ENG_N_PATTERNS);
  g_autofree float *entropies = g_new (float, n_heads);
  g_autofree float *shares = g_new (float, n_heads);
  gboolean pair = eng_measure_pair_share (attention, queries, keys, shares);
  g_auto (EngPatternRows) rows = { 0 };

  eng_pattern_rows_init (&rows, attention, queries, keys);
  eng_pattern_rows_measure (&rows, attention, scores, entropies);
  for (int head = 0; head < n_heads; head++) {
    EngHeadFacts *own = &facts[head];

    for (int pattern = 0; pattern < ENG_N_PATTERNS; pattern++)
      own->scores[pattern] = scores[head * ENG_N_PATTERNS + pattern];
    own->entropy = entropies[head];
    own->pair_share = pair ? shares[head] : NAN;
    own->traffic_ab = own->scores[ENG_PATTERN_BLOCK_AB];
    own->traffic_ba = own->scores[ENG_PATTERN_BLOCK_BA];
    own->label = eng_patterns_choose (own->scores, rows.chances);
  }

  return facts;
}

EngHeadFactsTable *
eng_head_facts_table_new (void)
{
  EngHeadFactsTable *self = g_new0 (EngHeadFactsTable, 1);

  g_mutex_init (&self->lock);
  for (int kind = 0; kind < ENG_N_KINDS; kind++) {
    self->layers[kind] = g_hash_table_new_full (NULL, NULL, NULL, g_free);
    self->evidence[kind] = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  }

  return self;
}

void
eng_head_facts_table_free (EngHeadFactsTable *self)
{
  for (int kind = 0; kind < ENG_N_KINDS; kind++) {
    g_hash_table_unref (self->layers[kind]);
    g_hash_table_unref (self->evidence[kind]);
  }
  g_mutex_clear (&self->lock);
  g_free (self);
}

const EngHeadFacts *
eng_trace_find_head_facts (EngTrace *trace,
                           EngKind   kind,
                           int       layer)
{
  const EngHeadFacts *facts;

  g_mutex_lock (&trace->head_facts->lock);
  facts = g_hash_table_lookup (trace->head_facts->layers[kind], GINT_TO_POINTER (layer));
  g_mutex_unlock (&trace->head_facts->lock);

  return facts;
}

const EngHeadFacts *
eng_trace_get_head_facts (EngTrace *trace,
                          EngKind   kind,
                          int       layer)
{
  GHashTable *layers = trace->head_facts->layers[kind];
  g_autoptr (EngAttention) attention = NULL;
  g_autofree EngHeadFacts *computed = NULL;
  const EngHeadFacts *facts = eng_trace_find_head_facts (trace, kind, layer);

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
    facts = computed;
    g_hash_table_insert (layers, GINT_TO_POINTER (layer), g_steal_pointer (&computed));
  }
  g_mutex_unlock (&trace->head_facts->lock);

  return facts;
}

/* Of all heads of the layer not computed yet: n_rows is -1. Under the lock. */
static EngPatternEvidence *
ensure_evidence (GHashTable *layers,
                 int         layer,
                 int         n_heads)
{
  EngPatternEvidence *evidence = g_hash_table_lookup (layers, GINT_TO_POINTER (layer));

  if (evidence)
    return evidence;
  evidence = g_new0 (EngPatternEvidence, n_heads);
  for (int i = 0; i < n_heads; i++)
    evidence[i].n_rows = -1;
  g_hash_table_insert (layers, GINT_TO_POINTER (layer), evidence);
  return evidence;
}

gboolean
eng_trace_get_head_evidence (EngTrace           *trace,
                             EngKind             kind,
                             int                 layer,
                             int                 head,
                             EngPatternEvidence *evidence)
{
  const EngHeadFacts *facts = eng_trace_get_head_facts (trace, kind, layer);
  g_autoptr (EngAttention) attention = NULL;
  EngPatternEvidence *kept;

  *evidence = (EngPatternEvidence) { 0 };
  if (!facts)
    return FALSE;

  g_mutex_lock (&trace->head_facts->lock);
  kept = ensure_evidence (trace->head_facts->evidence[kind], layer,
                          eng_trace_get_n_heads (trace, kind));
  *evidence = kept[head];
  g_mutex_unlock (&trace->head_facts->lock);
  if (evidence->n_rows >= 0)
    return TRUE;

  attention = eng_trace_dup_attention (trace, kind, layer);
  *evidence = (EngPatternEvidence) { 0 };
  if (!attention)
    return FALSE;
  *evidence = eng_patterns_find_evidence (attention, eng_trace_get_query_tokens (trace, kind),
                                          eng_trace_get_key_tokens (trace, kind), head,
                                          facts[head].label);
  g_mutex_lock (&trace->head_facts->lock);
  kept[head] = *evidence;
  g_mutex_unlock (&trace->head_facts->lock);
  return TRUE;
}
