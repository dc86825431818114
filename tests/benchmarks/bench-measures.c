/* SPDX-License-Identifier: MIT */
/* What is measured on a trace whose weights are there: facts of all heads of a large grid, the
 * rollout through twelve layers of a long text, the links of two tokens. Prints the fastest of some
 * tries. */
#include "engine/kernels/pool.h"
#include "engine/trace/head-facts.h"
#include "engine/trace/link-search.h"
#include "tests/support/made-trace.h"

#define TRIES 5

typedef void (*Work) (EngTrace *trace);

static void
find_facts (EngTrace *trace)
{
  for (int layer = 0; layer < eng_trace_get_n_layers (trace, ENG_KIND_ENCODER); layer++)
    eng_trace_get_head_facts (trace, ENG_KIND_ENCODER, layer);
}

static void
roll (EngTrace *trace)
{
  int last = eng_trace_get_n_layers (trace, ENG_KIND_ENCODER) - 1;
  g_autoptr (EngAttention) rollout =
    eng_measures_dup_block (trace, ENG_KIND_ENCODER, last, ENG_MEASURE_ROLLOUT, NULL, NULL);
}

static void
search (EngTrace *trace)
{
  g_autoptr (GArray) links =
    eng_links_search (trace, ENG_KIND_ENCODER, 1, 2, ENG_MEASURE_WEIGHT, NULL, NULL);
}

static void
measure (const char *what,
         Work        work,
         int         n_tokens,
         int         n_heads,
         int         n_layers)
{
  double fastest = G_MAXDOUBLE;
  char text[32];

  for (int i = 0; i < TRIES; i++) {
    /* What was computed once is kept: every try needs a trace of its own. */
    g_autoptr (EngTrace) trace =
      made_trace_new (n_tokens / 2, n_tokens - n_tokens / 2, n_heads, n_layers);
    gint64 start = g_get_monotonic_time ();

    work (trace);
    fastest = MIN (fastest, (g_get_monotonic_time () - start) / 1000.0);
  }
  g_print ("%s, %d layers of %d heads, %d tokens: %s ms\n", what, n_layers, n_heads, n_tokens,
           g_ascii_formatd (text, sizeof text, "%.2f", fastest));
}

int
main (void)
{
  measure ("facts of heads", find_facts, 128, 16, 24);
  measure ("rollout", roll, 512, 12, 12);
  measure ("links of two tokens", search, 512, 12, 12);
  eng_pool_shutdown ();

  return 0;
}
