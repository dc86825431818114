/* SPDX-License-Identifier: MIT */
#include "engine/trace/check.h"

#include <math.h>

#include "engine/edit.h"

#define TOLERANCE 1e-5

/* One row of one head, worked out again. */
typedef struct {
  int       n_keys;
  int       n_visible;
  gboolean *visible;
  double   *products; /* q·k */
  double   *spreads;  /* |scale| · Σ |q_i k_i|: what multiplies a relative error in q or k */
  double   *scores;
  double   *weights;
} Row;

static void
row_init (Row *row,
          int  n_keys)
{
  row->n_keys = n_keys;
  row->n_visible = 0;
  row->visible = g_new0 (gboolean, n_keys);
  row->products = g_new0 (double, n_keys);
  row->spreads = g_new0 (double, n_keys);
  row->scores = g_new0 (double, n_keys);
  row->weights = g_new0 (double, n_keys);
}

static void
row_clear (Row *row)
{
  g_free (row->visible);
  g_free (row->products);
  g_free (row->spreads);
  g_free (row->scores);
  g_free (row->weights);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Row, row_clear)

/* FALSE when the trace has no queries and keys. */
static gboolean
row_score (Row      *row,
           EngTrace *trace,
           EngKind   kind,
           int       layer,
           int       head,
           int       query)
{
  EngMatrix queries, keys, bias;
  gboolean has_bias = eng_trace_get_position_bias (trace, kind, layer, head, &bias);
  double scale = eng_trace_get_scale (trace, kind, layer);

  if (!eng_trace_get_queries (trace, kind, layer, head, &queries) ||
      !eng_trace_get_keys (trace, kind, layer, head, &keys))
    return FALSE;

  for (int key = 0; key < row->n_keys; key++) {
    const float *q = queries.data + (gsize) query * queries.stride;
    const float *k = keys.data + (gsize) key * keys.stride;

    for (int i = 0; i < queries.cols; i++) {
      row->products[key] += (double) q[i] * k[i];
      row->spreads[key] += fabs (scale * q[i] * k[i]);
    }
    row->scores[key] = scale * row->products[key];
    if (has_bias)
      row->scores[key] += bias.data[(gsize) query * bias.stride + (gsize) key];
  }

  return TRUE;
}

/* mask: the query's row, NULL = all visible. */
static void
row_hide (Row           *row,
          const guint8  *mask,
          const EngEdit *edits,
          int            n_edits)
{
  for (int key = 0; key < row->n_keys; key++)
    row->visible[key] = !mask || mask[key];
  for (int i = 0; i < n_edits; i++)
    if (edits[i].type == ENG_EDIT_KNOCK_OUT_TOKEN && edits[i].key < row->n_keys)
      row->visible[edits[i].key] = FALSE;
  for (int key = 0; key < row->n_keys; key++)
    row->n_visible += row->visible[key];
}

/* A row that sees nothing reads nothing. */
static void
row_softmax (Row *row)
{
  double largest = -INFINITY;
  double sum = 0;

  for (int key = 0; key < row->n_keys; key++)
    if (row->visible[key])
      largest = MAX (largest, row->scores[key]);
  if (largest == -INFINITY)
    return;

  for (int key = 0; key < row->n_keys; key++)
    if (row->visible[key])
      sum += row->weights[key] = exp (row->scores[key] - largest);
  for (int key = 0; key < row->n_keys; key++)
    row->weights[key] /= sum;
}

static void
row_make_uniform (Row *row)
{
  for (int key = 0; key < row->n_keys; key++)
    row->weights[key] = row->visible[key] ? 1.0 / row->n_visible : 0;
}

static void
row_cut (Row           *row,
         const EngEdit *edit)
{
  double rest = 0;

  if (edit->key >= row->n_keys)
    return;

  row->weights[edit->key] = 0;
  for (int key = 0; key < row->n_keys; key++)
    rest += row->weights[key];
  for (int key = 0; key < row->n_keys && edit->renormalise && rest > 0; key++)
    row->weights[key] /= rest;
}

static gboolean
acts_on_head (const EngEdit *edit,
              EngEditType    type,
              int            layer,
              int            head)
{
  return edit->type == type && edit->layer == layer &&
         (edit->head == ENG_ALL_HEADS || edit->head == head);
}

/* Rows are made uniform before edges are cut, whatever the order of the list. */
static void
row_edit (Row           *row,
          const EngEdit *edits,
          int            n_edits,
          int            layer,
          int            head,
          int            query)
{
  for (int i = 0; i < n_edits; i++)
    if (acts_on_head (&edits[i], ENG_EDIT_UNIFORM_ROWS, layer, head))
      row_make_uniform (row);
  for (int i = 0; i < n_edits; i++)
    if (acts_on_head (&edits[i], ENG_EDIT_CUT_EDGE, layer, head) && edits[i].query == query)
      row_cut (row, &edits[i]);
}

static gboolean
is_row_edited (const EngEdit *edits,
               int            n_edits,
               int            layer,
               int            head,
               int            query)
{
  for (int i = 0; i < n_edits; i++)
    if (edits[i].type == ENG_EDIT_KNOCK_OUT_TOKEN ||
        acts_on_head (&edits[i], ENG_EDIT_UNIFORM_ROWS, layer, head) ||
        (acts_on_head (&edits[i], ENG_EDIT_CUT_EDGE, layer, head) && edits[i].query == query))
      return TRUE;

  return FALSE;
}

/* An edit does not say which stack it means, which is clear only where there is one. */
static gboolean
has_one_kind (const EngTrace *trace)
{
  int n_kinds = 0;

  for (int kind = 0; kind < ENG_N_KINDS; kind++)
    n_kinds += eng_trace_has_kind (trace, (EngKind) kind);

  return n_kinds == 1;
}

static EngEdit *
parse_edits (const EngTrace *trace,
             int            *n_edits)
{
  const char *const *texts = eng_trace_get_edits (trace);
  EngEdit *edits;

  *n_edits = 0;
  edits = g_new0 (EngEdit, g_strv_length ((char **) texts) + 1);
  for (int i = 0; texts[i]; i++)
    if (eng_edit_parse (texts[i], &edits[*n_edits], NULL))
      (*n_edits)++;

  return edits;
}

/* One unit of the stored type in the weight itself, in q and in k, the latter two as far as the
 * softmax carries them into this weight: ∂w_j = w_j (∂s_j - Σ w ∂s). For F32 that is far below
 * 1e-5. */
static double
get_tolerance (const Row *row,
               int        key,
               double     unit)
{
  double mean = 0;

  for (int i = 0; i < row->n_keys; i++)
    mean += row->weights[i] * row->spreads[i];

  return MAX (TOLERANCE, unit * row->weights[key] * (1 + row->spreads[key] + mean));
}

EngCheckResult
eng_check_cell (EngTrace *trace,
                EngKind   kind,
                int       layer,
                int       head,
                int       query,
                int       key,
                EngCheck *check)
{
  g_autoptr (EngAttention) attention = eng_trace_dup_attention (trace, kind, layer);
  g_autofree EngEdit *edits = NULL;
  g_auto (Row) row = { 0 };
  const guint8 *mask;
  double tolerance;
  int n_edits;

  *check = (EngCheck) { 0 };
  if (!attention)
    return ENG_CHECK_IMPOSSIBLE;

  edits = parse_edits (trace, &n_edits);
  mask = attention->mask ? attention->mask + (gsize) query * (gsize) attention->n_keys : NULL;
  check->stored = attention->weights[((gsize) head * (gsize) attention->n_queries + (gsize) query) *
                                     (gsize) attention->n_keys + (gsize) key];
  row_init (&row, attention->n_keys);
  row_hide (&row, mask, edits, n_edits);
  check->masked = !row.visible[key];
  if (!row_score (&row, trace, kind, layer, head, query))
    return ENG_CHECK_IMPOSSIBLE;

  row_softmax (&row);
  row_edit (&row, edits, n_edits, layer, head, query);
  check->product = row.products[key];
  check->score = row.scores[key];
  check->recomputed = row.weights[key];
  if (is_row_edited (edits, n_edits, layer, head, query) && !has_one_kind (trace))
    return ENG_CHECK_EDITED;

  tolerance = get_tolerance (&row, key, eng_trace_get_stored_unit (trace));

  /* Written so that a weight which is no number differs. */
  return fabs (check->recomputed - check->stored) <= tolerance ? ENG_CHECK_AGREES
                                                               : ENG_CHECK_DIFFERS;
}
