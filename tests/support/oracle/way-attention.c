/* SPDX-License-Identifier: MIT */
#include "tests/support/oracle/way-attention.h"

#include <math.h>
#include <string.h>

#define TOLERANCE 1e-5

double *
way_attention_take_columns (WayReference *self,
                            const double *rows,
                            int           n,
                            int           width,
                            int           first,
                            int           d)
{
  double *columns = way_reference_allocate (self, (gsize) n * d);

  for (int i = 0; i < n; i++)
    memcpy (columns + i * d, rows + (gsize) i * width + first, d * sizeof (double));

  return columns;
}

void
way_attention_expect_vectors (WayReference       *self,
                              const WayAttention *a,
                              EngStageId          stage)
{
  way_reference_expect (self, stage, ENG_NUMBERS_QUERIES,
                        way_attention_take_columns (self, a->q, a->n, a->n_heads * a->d,
                                                    self->head * a->d,
                                                    a->d), a->n, a->d);
  way_reference_expect (self, stage, ENG_NUMBERS_KEYS,
                        way_attention_take_columns (self, a->k, a->m, a->n_kv_heads * a->d,
                                                    a->kv_head * a->d,
                                                    a->d), a->m,
                        a->d);
}

double *
way_attention_project (WayReference    *self,
                       const EngLinear *linear,
                       const double    *x,
                       int              n)
{
  double *y = way_reference_allocate (self, (gsize) n * linear->out);

  for (int t = 0; t < n; t++)
    oracle_linear (linear, x + (gsize) t * self->size, y + (gsize) t * linear->out);

  return y;
}

/* Vectors of all heads of a token. */
static void
norm_vectors (const WayReference *self,
              const WayAttention *a,
              const EngNorm      *norm,
              int                 n_heads,
              double             *x)
{
  if (a->attention.spec->qk_norm == ENG_QK_NORM_ALL)
    oracle_norm (&self->layer_spec->norm, norm, n_heads * a->d, x);
  for (int head = 0; head < n_heads && a->attention.spec->qk_norm == ENG_QK_NORM_HEAD; head++)
    oracle_norm (&self->layer_spec->norm, norm, a->d, x + head * a->d);
}

void
way_attention_expect_head_norm (WayReference *self,
                                WayAttention *a)
{
  const EngAttentionWeights *weights = a->attention.weights;

  if (a->attention.spec->qk_norm == ENG_QK_NORM_NONE)
    return;
  if (a->attention.spec->qk_norm == ENG_QK_NORM_ALL) {
    way_reference_expect (self, ENG_STAGE_HEAD_NORM, ENG_NUMBERS_ALL_QUERIES, a->q, a->n,
                          a->n_heads * a->d);
    way_reference_expect (self, ENG_STAGE_HEAD_NORM, ENG_NUMBERS_ALL_KEYS, a->k, a->m,
                          a->n_kv_heads * a->d);
  }
  for (int t = 0; t < a->n; t++)
    norm_vectors (self, a, &weights->query_norm, a->n_heads, a->q + (gsize) t * a->n_heads * a->d);
  for (int t = 0; t < a->m; t++)
    norm_vectors (self, a, &weights->key_norm, a->n_kv_heads,
                  a->k + (gsize) t * a->n_kv_heads * a->d);
  way_attention_expect_vectors (self, a, ENG_STAGE_HEAD_NORM);
}

static void
turn_vector (const WayReference *self,
             const WayAttention *a,
             int                 t,
             double             *x)
{
  oracle_turn (&a->attention.spec->rotary, &self->run.stack->rotary_factors,
               self->run.weights->frequencies, way_reference_get_place (self, t), self->n, x);
}

/* Cosines and sines are what becomes of (1, 0). */
static void
expect_angles (WayReference       *self,
               const WayAttention *a)
{
  const EngRotary *rotary = &a->attention.spec->rotary;
  const EngNumbers *frequencies = way_reference_take (self, ENG_STAGE_TURN,
                                                      ENG_NUMBERS_FREQUENCIES);
  int half = rotary->size / 2;
  double *cosines = way_reference_allocate (self, (gsize) a->m * half);
  double *sines = way_reference_allocate (self, (gsize) a->m * half);
  double factor = rotary->attention_factor == 0 ? 1 : rotary->attention_factor;

  for (int t = 0; t < a->m; t++)
    for (int c = 0; c < half; c++) {
      int one = rotary->adjacent ? 2 * c : c, other = rotary->adjacent ? one + 1 : half + c;
      double *unit = way_reference_allocate (self, a->d);
      float angle = (float) way_reference_get_place (self, t)
        * (float) eng_numbers_get (frequencies, 0, c);

      unit[one] = 1;
      turn_vector (self, a, t, unit);
      cosines[t * half + c] = unit[one];
      sines[t * half + c] = unit[other];
      g_assert_cmpfloat (fabs (factor * cos ((double) angle) - unit[one]), <, TOLERANCE);
    }
  way_reference_expect (self, ENG_STAGE_TURN, ENG_NUMBERS_COSINES, cosines, a->m, half);
  way_reference_expect (self, ENG_STAGE_TURN, ENG_NUMBERS_SINES, sines, a->m, half);
}

void
way_attention_expect_turn (WayReference *self,
                           WayAttention *a)
{
  if (a->attention.spec->rotary.size == 0 || oracle_is_unplaced (&self->run, self->layer))
    return;
  expect_angles (self, a);
  for (int t = 0; t < a->n; t++)
    for (int head = 0; head < a->n_heads; head++)
      turn_vector (self, a, t, a->q + ((gsize) t * a->n_heads + head) * a->d);
  for (int t = 0; t < a->m; t++)
    for (int head = 0; head < a->n_kv_heads; head++)
      turn_vector (self, a, t, a->k + ((gsize) t * a->n_kv_heads + head) * a->d);
  way_attention_expect_vectors (self, a, ENG_STAGE_TURN);
}

/* Whether an edit takes links of a head and a query out. */
static gboolean
cuts_row (const WayReference *self,
          const WayAttention *a,
          const EngEdit      *edit,
          int                 head,
          int                 query)
{
  return edit->type == ENG_EDIT_CUT_EDGE && edit->layer == self->layer
         && oracle_names (&self->run, edit, a->kind == ENG_KIND_CROSS)
         && (edit->head == head || edit->head == ENG_ALL_HEADS)
         && oracle_spans (edit->query, edit->n_more_queries, query);
}

/* Whether a link goes by a cut that brings its row back to 1 or that stands before such a one. */
static gboolean
is_cut (const WayReference *self,
        const WayAttention *a,
        int                 head,
        int                 query,
        int                 key)
{
  gboolean goes = FALSE, gone = FALSE;

  for (int e = 0; e < self->run.n_edits; e++) {
    const EngEdit *edit = &self->run.edits[e];

    if (!cuts_row (self, a, edit, head, query))
      continue;
    goes = goes || oracle_spans (edit->key, edit->n_more_keys, key);
    gone = edit->renormalise ? goes : gone;
  }

  return gone;
}

/* As the model and its edits have it. */
static int
count_without_knobs (const WayReference *self,
                     const WayAttention *a,
                     int                 head,
                     int                 query,
                     int                 key)
{
  return is_cut (self, a, head, query, key)
         ? 0 : oracle_count_readings (&a->attention, head, query, key);
}

int
way_attention_count_readings (const WayReference *self,
                              const WayAttention *a,
                              int                 head,
                              int                 query,
                              int                 key)
{
  const OracleRun *run = &self->run;
  const EngTokens *read = a->kind == ENG_KIND_CROSS ? run->source : run->tokens;
  const GArray *hidden = self->knobs.hidden;

  if (head != self->head || a->kind != eng_way_get_kind (self->way))
    return count_without_knobs (self, a, head, query, key);
  for (guint i = 0; hidden != NULL && i < hidden->len; i++) {
    const EngLinks *links = &g_array_index (hidden, EngLinks, i);

    if (oracle_spans (links->query, links->n_more_queries, query)
        && oracle_spans (links->key, links->n_more_keys, key))
      return 0;
  }
  switch (self->knobs.mask) {
  case ENG_KNOB_MASK_NONE:
    return 1;
  case ENG_KNOB_MASK_CAUSAL:
    return key > query || read->padding[key] ? 0 : 1;
  case ENG_KNOB_MASK_PADDING:
    return read->padding[key] ? 0 : 1;
  case ENG_KNOB_MASK_MODELS:
  default:
    return count_without_knobs (self, a, head, query, key);
  }
}
