/* SPDX-License-Identifier: MIT */
#include "tests/support/scene-trace.h"

#include <math.h>

#include "engine/trace/trace-private.h"

/* A linear congruential generator, so that no library decides about the numbers. Uniform in [0, 1).
 */
static double
draw (guint64 *state)
{
  *state = *state * G_GUINT64_CONSTANT (6364136223846793005) +
           G_GUINT64_CONSTANT (1442695040888963407);
  return (double) (*state >> 40) / (1 << 24);
}

/* Twelve uniform ones make a normal one, near enough. */
static double
draw_normal (guint64 *state)
{
  double sum = -6;

  for (int i = 0; i < 12; i++)
    sum += draw (state);
  return sum;
}

static double
make_score (int      kind,
            int      query,
            int      key,
            guint64 *state)
{
  double noise = draw_normal (state);

  switch (kind) {
  case 0:
    return 0.5 * noise;
  case 1:
    return 1.5 * noise;
  case 2:
    return 3.5 * noise;
  case 3:
    return noise + (key == query - 1 ? 6 : 0);
  case 4:
    return noise + (key == 0 ? 5 : 0);
  default:
    return noise - 0.35 * ABS (query - key);
  }
}

static void
make_row (float        *row,
          const guint8 *mask,
          int           kind,
          int           query,
          int           n_keys,
          guint64      *state)
{
  double sum = 0;

  for (int key = 0; key < n_keys; key++) {
    double score = make_score (kind, query, key, state);

    row[key] = mask == NULL || mask[key] ? (float) exp (score) : 0;
    sum += row[key];
  }
  for (int key = 0; key < n_keys; key++)
    row[key] = (float) (row[key] / sum);
}

/* [n_queries, n_keys], 1 = visible; NULL for SCENE_MASK_NONE. */
static guint8 *
make_mask (SceneMask mask,
           int       n_queries,
           int       n_keys)
{
  guint8 *visible = mask != SCENE_MASK_NONE ? g_new (guint8, (gsize) n_queries * n_keys) : NULL;

  for (int i = 0; visible != NULL && i < n_queries * n_keys; i++) {
    int query = i / n_keys;
    int key = i % n_keys;

    if (mask == SCENE_MASK_PADDED)
      visible[i] = key < n_keys - SCENE_N_PADDING;
    else
      visible[i] = key <= query && (mask == SCENE_MASK_CAUSAL || query - key <= SCENE_WINDOW);
  }
  return visible;
}

/* Takes the references to the tokens over. */
static void
add_block (EngTrace  *trace,
           EngKind    kind,
           EngTokens *queries,
           EngTokens *keys,
           int        n_layers,
           int        n_heads,
           SceneMask  mask)
{
  EngBlockTrace *block = &trace->blocks[kind];
  gsize size = (gsize) queries->n * keys->n;
  guint8 *visible = make_mask (mask, queries->n, keys->n);
  guint64 state = 20260101;

  block->present = TRUE;
  block->n_layers = n_layers;
  block->n_heads = block->n_kv_heads = n_heads;
  block->n_queries = queries->n;
  block->n_keys = keys->n;
  block->query_tokens = queries;
  block->key_tokens = keys;
  block->layers = g_new0 (EngLayerTrace, n_layers);
  if (visible != NULL)
    eng_trace_keep (trace, visible, 0, g_free);
  for (int layer = 0; layer < n_layers; layer++) {
    float *weights = g_new (float, n_heads * size);

    for (int head = 0; head < n_heads; head++)
      for (int query = 0; query < queries->n; query++)
        make_row (weights + head * size + (gsize) query * keys->n,
                  visible != NULL ? visible + (gsize) query * keys->n : NULL, head % 6, query,
                  keys->n, &state);
    block->layers[layer].attention = weights;
    block->layers[layer].mask = visible;
    block->layers[layer].scale = 1;
    g_atomic_int_set (&block->layers[layer].ready, TRUE);
    eng_trace_keep (trace, weights, 0, g_free);
  }
}

static EngTrace *
new_trace (void)
{
  EngTrace *trace = eng_trace_new ();

  trace->model_name = g_strdup ("made");
  g_atomic_int_set (&trace->complete, TRUE);
  return trace;
}

/* One layer of one kind. */
static EngTrace *
make_trace (EngKind    kind,
            EngTokens *queries,
            EngTokens *keys,
            int        n_heads,
            SceneMask  mask)
{
  EngTrace *trace = new_trace ();

  add_block (trace, kind, queries, keys, 1, n_heads, mask);
  return trace;
}

static int
count (const char *const *words)
{
  return words != NULL ? (int) g_strv_length ((char **) words) : 0;
}

static void
set_token (EngTokens  *tokens,
           int         i,
           const char *text,
           int         segment,
           gboolean    special)
{
  g_free (tokens->texts[i]);
  g_free (tokens->pieces[i]);
  tokens->texts[i] = g_strdup (text);
  tokens->pieces[i] = g_strdup (text);
  tokens->segments[i] = (guint8) segment;
  tokens->special[i] = (guint8) special;
}

EngTrace *
scene_trace_new (const char *const *a,
                 const char *const *b,
                 int                n_heads)
{
  int n_a = count (a), n_b = count (b);
  EngTokens *tokens = eng_tokens_new (n_a + 2 + (n_b > 0 ? n_b + 1 : 0));
  EngTrace *trace;
  g_autofree char *text_a = g_strjoinv (" ", (char **) a);
  g_autofree char *text_b = b != NULL ? g_strjoinv (" ", (char **) b) : NULL;

  set_token (tokens, 0, "[CLS]", 0, TRUE);
  for (int i = 0; i < n_a; i++)
    set_token (tokens, 1 + i, a[i], 0, FALSE);
  set_token (tokens, n_a + 1, "[SEP]", 0, TRUE);
  for (int i = 0; i < n_b; i++)
    set_token (tokens, n_a + 2 + i, b[i], 1, FALSE);
  if (n_b > 0)
    set_token (tokens, tokens->n - 1, "[SEP]", 1, TRUE);

  trace = make_trace (ENG_KIND_ENCODER, tokens, eng_tokens_ref (tokens), n_heads, SCENE_MASK_NONE);
  trace->text_a = g_steal_pointer (&text_a);
  trace->text_b = g_steal_pointer (&text_b);
  return trace;
}

static EngTokens *
make_numbered_tokens (int n,
                      int n_a)
{
  EngTokens *tokens = eng_tokens_new (n);

  for (int i = 0; i < n; i++) {
    g_autofree char *text = g_strdup_printf ("w%d", i);

    set_token (tokens, i, text, i >= n_a, FALSE);
  }
  return tokens;
}

EngTrace *
scene_trace_new_long (int n,
                      int n_heads)
{
  EngTokens *tokens = make_numbered_tokens (n, n / 2);

  return make_trace (ENG_KIND_ENCODER, tokens, eng_tokens_ref (tokens), n_heads, SCENE_MASK_NONE);
}

EngTrace *
scene_trace_new_exact (int n_a,
                       int n_b,
                       int n_heads)
{
  int n = n_a + n_b;
  EngTokens *tokens = make_numbered_tokens (n, n_a);
  EngTrace *trace;
  float *weights;

  for (int i = 0; i < n; i++) {
    if (i == n_a - 1 || i == n - 1)
      set_token (tokens, i, "[SEP]", i >= n_a, TRUE);
  }
  trace = make_trace (ENG_KIND_ENCODER, tokens, eng_tokens_ref (tokens), n_heads, SCENE_MASK_NONE);
  weights = (float *) trace->blocks[ENG_KIND_ENCODER].layers[0].attention;
  for (int head = 0; head < n_heads; head++) {
    for (int i = 0; i < n * n; i++)
      weights[head * n * n + i] = i % n == (i / n + head) % n ? 0.7f : 0.3f / (n - 1);
  }
  return trace;
}

EngTrace *
scene_trace_new_masked (SceneMask mask,
                        int       n,
                        int       n_heads)
{
  EngTokens *tokens = make_numbered_tokens (n, n);

  for (int i = n - SCENE_N_PADDING; i < n && mask == SCENE_MASK_PADDED; i++)
    set_token (tokens, i, "[PAD]", 0, TRUE);
  return make_trace (ENG_KIND_DECODER, tokens, eng_tokens_ref (tokens), n_heads, mask);
}

EngTrace *
scene_trace_new_cross (int n_queries,
                       int n_keys,
                       int n_heads)
{
  return make_trace (ENG_KIND_CROSS, make_numbered_tokens (n_queries, n_queries),
                     make_numbered_tokens (n_keys, n_keys), n_heads, SCENE_MASK_CAUSAL);
}

EngTrace *
scene_trace_new_two_stacks (int n_source,
                            int n_target)
{
  EngTrace *trace = new_trace ();
  EngTokens *source = make_numbered_tokens (n_source, n_source);
  EngTokens *target = make_numbered_tokens (n_target, 0);

  add_block (trace, ENG_KIND_ENCODER, eng_tokens_ref (source), eng_tokens_ref (source), 3, 4,
             SCENE_MASK_NONE);
  add_block (trace, ENG_KIND_DECODER, eng_tokens_ref (target), eng_tokens_ref (target), 2, 2,
             SCENE_MASK_CAUSAL);
  add_block (trace, ENG_KIND_CROSS, target, source, 2, 2, SCENE_MASK_NONE);
  return trace;
}

double
scene_trace_weight (EngTrace *trace,
                    EngKind   kind,
                    int       head,
                    int       query,
                    int       key)
{
  const EngBlockTrace *block = &trace->blocks[kind];
  gsize row = (gsize) head * block->n_queries + query;

  return block->layers[0].attention[row * block->n_keys + key];
}
