/* SPDX-License-Identifier: MIT */
#include "engine/trace/rollout.h"

#include "engine/base/error.h"
#include "engine/kernels/arena.h"
#include "engine/kernels/linalg.h"
#include "engine/kernels/pool.h"
#include "engine/trace/measure.h"
#include "engine/trace/rollout-cache.h"
#include "engine/trace/trace-private.h"

/* Rows of a piece of work. */
#define CHUNK_ROWS 32

/* One layer: mixed = Â, then result = Â · below. */
typedef struct {
  const EngAttention *attention;
  int                 n;
  float              *mixed;  /* [n, n] */
  const float        *packed; /* the rollout below */
  float              *result; /* [n, n] */
} LayerWork;

static void
fail_as_cancelled (GError **error)
{
  g_set_error_literal (error, ENG_ERROR, ENG_ERROR_CANCELLED, "the rollout was cancelled");
}

static gboolean
is_cancelled (const gint  *cancel,
              GError     **error)
{
  if (!cancel || !g_atomic_int_get (cancel))
    return FALSE;

  fail_as_cancelled (error);

  return TRUE;
}

static gboolean
fail_for_memory (int      n,
                 GError **error)
{
  g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
               "rollout: there is no memory for %d × %d numbers", n, n);

  return FALSE;
}

/* Rows of Â = ½ mean over heads + ½ I. */
static void
mix_rows (int      chunk,
          int      worker,
          gpointer data)
{
  const LayerWork *work = data;
  gsize n = (gsize) work->n;
  gsize last = MIN ((gsize) (chunk + 1) * CHUNK_ROWS, n);
  float share = 0.5f / (float) work->attention->n_heads;

  (void) worker;
  for (gsize row = (gsize) chunk * CHUNK_ROWS; row < last; row++) {
    float *mixed = work->mixed + row * n;

    for (gsize head = 0; head < (gsize) work->attention->n_heads; head++) {
      const float *weights = work->attention->weights + (head * n + row) * n;
      const guint8 *readings = eng_attention_get_mask (work->attention, (int) head, (int) row);

      for (gsize column = 0; column < n; column++)
        mixed[column] += weights[column] * (readings ? MAX (readings[column], 1) : 1);
    }
    for (gsize column = 0; column < n; column++)
      mixed[column] *= share;
    mixed[row] += 0.5f;
  }
}

static void
multiply_rows (int      chunk,
               int      worker,
               gpointer data)
{
  const LayerWork *work = data;
  gsize first = (gsize) chunk * CHUNK_ROWS * (gsize) work->n;
  int n_rows = MIN (CHUNK_ROWS, work->n - chunk * CHUNK_ROWS);

  (void) worker;
  eng_multiply (work->mixed + first, (gsize) work->n, work->packed, n_rows, work->n, work->n,
                work->result + first, (gsize) work->n);
}

/* (transfer full) NULL with an error. */
static float *
mix_heads (const EngAttention  *attention,
           const gint          *cancel,
           GError             **error)
{
  int n = attention->n_queries;
  g_autofree float *mixed = g_try_new0 (float, (gsize) n * (gsize) n);
  LayerWork work = { .attention = attention, .n = n, .mixed = mixed };

  if (!mixed) {
    fail_for_memory (n, error);
    return NULL;
  }
  eng_pool_run ((n + CHUNK_ROWS - 1) / CHUNK_ROWS, mix_rows, &work, cancel);

  return is_cancelled (cancel, error) ? NULL : g_steal_pointer (&mixed);
}

/* (transfer full) mixed · below, [n, n]. */
static float *
multiply (float               *mixed,
          const EngAttention  *below,
          const gint          *cancel,
          GError             **error)
{
  int n = below->n_queries;
  g_autofree float *result = g_try_new (float, (gsize) n * (gsize) n);
  g_autoptr (EngArena) arena = eng_arena_new ();
  LayerWork work = { .n = n, .mixed = mixed, .result = result };
  float *packed;

  eng_arena_measure (arena);
  eng_arena_floats (arena, eng_packed_n_floats (n, n));
  if (!eng_arena_allocate (arena, error))
    return NULL;
  if (!result) {
    fail_for_memory (n, error);
    return NULL;
  }

  packed = eng_arena_floats (arena, eng_packed_n_floats (n, n));
  eng_pack (below->weights, (gsize) n, n, n, packed);
  work.packed = packed;
  eng_pool_run ((n + CHUNK_ROWS - 1) / CHUNK_ROWS, multiply_rows, &work, cancel);

  return is_cancelled (cancel, error) ? NULL : g_steal_pointer (&result);
}

/* (transfer full) Visible is what the layer sees and what came through from below. A token always
 * keeps itself, but padding stays marked as what nobody sees. NULL = all. */
static guint8 *
join_masks (const EngAttention *attention,
            const EngTokens    *tokens,
            const float        *rollout)
{
  gsize n = (gsize) attention->n_queries;
  g_autofree guint8 *padding = NULL;
  guint8 *mask;

  if (!attention->mask)
    return NULL;

  padding = eng_measure_mark_padding (attention, tokens, tokens);
  mask = g_memdup2 (attention->mask, n * n);
  for (gsize row = 0; row < n; row++) {
    gsize own = row * n + row;
    guint8 sees_itself = mask[own] || !padding || !padding[row];

    for (gsize cell = row * n; cell < (row + 1) * n; cell++)
      mask[cell] |= rollout[cell] > 0;
    mask[own] = sees_itself;
  }

  return mask;
}

/* (transfer full) below is NULL for layer 0, where the rollout before is I. */
static EngAttention *
compute_layer (EngTrace            *trace,
               EngKind              kind,
               int                  layer,
               const EngAttention  *below,
               const gint          *cancel,
               GError             **error)
{
  g_autoptr (EngAttention) attention = eng_trace_dup_attention (trace, kind, layer);
  int n = eng_trace_get_n_queries (trace, kind);
  g_autofree float *mixed = NULL;
  g_autofree float *product = NULL;
  float *rollout;
  guint8 *mask;

  if (!attention) {
    fail_for_memory (n, error);
    return NULL;
  }
  mixed = mix_heads (attention, cancel, error);
  if (!mixed)
    return NULL;
  if (below) {
    product = multiply (mixed, below, cancel, error);
    if (!product)
      return NULL;
  }

  rollout = below ? g_steal_pointer (&product) : g_steal_pointer (&mixed);
  mask = join_masks (attention, eng_trace_get_query_tokens (trace, kind), rollout);

  return eng_attention_new (1, n, n, rollout, mask, NULL);
}

/* From the highest rollout that is kept up to the layer. */
static EngAttention *
climb (EngTrace    *trace,
       EngKind      kind,
       int          layer,
       const gint  *cancel,
       GError     **error)
{
  int first;
  g_autoptr (EngAttention) below =
    eng_rollout_cache_dup_highest (trace->rollouts, kind, layer, &first);

  for (int i = below ? first + 1 : 0; i <= layer; i++) {
    EngAttention *rollout = compute_layer (trace, kind, i, below, cancel, error);

    if (!rollout)
      return NULL;
    g_clear_pointer (&below, eng_attention_unref);
    below = rollout;
    eng_rollout_cache_keep (trace->rollouts, kind, i, rollout);
  }

  return g_steal_pointer (&below);
}

EngAttention *
eng_rollout_dup (EngTrace    *trace,
                 EngKind      kind,
                 int          layer,
                 const gint  *cancel,
                 GError     **error)
{
  EngAttention *rollout;

  if (!eng_rollout_cache_take_turn (trace->rollouts, kind, layer, cancel, &rollout)) {
    if (!rollout)
      fail_as_cancelled (error);
    return rollout;
  }

  rollout = climb (trace, kind, layer, cancel, error);
  eng_rollout_cache_end_turn (trace->rollouts);

  return rollout;
}
