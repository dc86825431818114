/* SPDX-License-Identifier: MIT */
#include "engine/trace/check.h"

#include <math.h>

#include "engine/edits/edit.h"

#define TOLERANCE 1e-5

enum { CONTENT_POSITION, POSITION_CONTENT, N_TERMS };

/* One row of one head, worked out again. */
typedef struct {
  int       n_keys;
  int       n_readings; /* of all keys */
  int      *readings;   /* of each key; 0 = it is hidden */
  double   *products; /* q·k */
  double   *spreads;  /* |scale| · Σ |q_i k_i|: what multiplies a relative error in q or k */
  double  (*terms)[N_TERMS]; /* of positions */
  double   *scores;
  double   *weights;
} Row;

static void
row_init (Row *row,
          int  n_keys)
{
  row->n_keys = n_keys;
  row->n_readings = 0;
  row->readings = g_new0 (int, n_keys);
  row->products = g_new0 (double, n_keys);
  row->spreads = g_new0 (double, n_keys);
  row->terms = g_malloc0_n ((gsize) n_keys, sizeof *row->terms);
  row->scores = g_new0 (double, n_keys);
  row->weights = g_new0 (double, n_keys);
}

static void
row_clear (Row *row)
{
  g_free (row->readings);
  g_free (row->products);
  g_free (row->spreads);
  g_free (row->terms);
  g_free (row->scores);
  g_free (row->weights);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Row, row_clear)

/* What is added to a scaled score: the sum of the terms of positions, where there are any, which are
 * scaled like the score. */
static double
get_bias (const EngTrace *trace,
          EngKind         kind,
          int             layer,
          int             head,
          int             query,
          int             key,
          double          term_factor,
          double         *terms)
{
  gboolean (*const get[N_TERMS]) (const EngTrace *, EngKind, int, int, EngMatrix *) = {
    eng_trace_get_content_position, eng_trace_get_position_content,
  };
  gboolean apart = FALSE;
  double sum = 0;
  EngMatrix term;

  for (int i = 0; i < N_TERMS; i++)
    if (get[i] (trace, kind, layer, head, &term)) {
      terms[i] = term_factor * (double) term.data[(gsize) query * term.stride + (gsize) key];
      sum += terms[i];
      apart = TRUE;
    }
  if (!apart && eng_trace_get_position_bias (trace, kind, layer, head, &term))
    sum = (double) term.data[(gsize) query * term.stride + (gsize) key];

  return sum;
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

/* What the trace's edits make of the scale of q·k, and divide scores by. */
static double
get_scale (const EngTrace *trace,
           EngKind         kind,
           int             layer,
           int             head,
           const GArray   *edits,
           double         *temperature)
{
  double scale = eng_trace_get_scale (trace, kind, layer);

  *temperature = 1;
  for (guint i = 0; i < edits->len; i++) {
    const EngEdit *edit = &g_array_index (edits, EngEdit, i);

    if (acts_on_head (edit, ENG_EDIT_SCORE_SCALE, layer, head))
      scale = (double) edit->factor;
    if (acts_on_head (edit, ENG_EDIT_TEMPERATURE, layer, head))
      *temperature *= (double) edit->factor;
  }

  return scale;
}

/* FALSE when the trace has no queries and keys. */
static gboolean
row_score (Row          *row,
           EngTrace     *trace,
           EngKind       kind,
           int           layer,
           int           head,
           int           query,
           const GArray *edits)
{
  EngMatrix queries, keys;
  double own_scale = eng_trace_get_scale (trace, kind, layer), temperature;
  double scale = get_scale (trace, kind, layer, head, edits, &temperature);
  double cap = eng_trace_get_soft_cap (trace, kind, layer);

  if (!eng_trace_get_queries (trace, kind, layer, head, &queries) ||
      !eng_trace_get_keys (trace, kind, layer, head, &keys))
    return FALSE;

  for (int key = 0; key < row->n_keys; key++) {
    const float *q = queries.data + (gsize) query * queries.stride;
    const float *k = keys.data + (gsize) key * keys.stride;

    for (int i = 0; i < queries.cols; i++) {
      row->products[key] += (double) q[i] * k[i];
      row->spreads[key] += fabs (scale * q[i] * k[i] / temperature);
    }
    row->scores[key] = scale * row->products[key];
    if (cap != 0)
      row->scores[key] = cap * tanh (row->scores[key] / cap);
    row->scores[key] += get_bias (trace, kind, layer, head, query, key, scale / own_scale,
                                  row->terms[key]);
    row->scores[key] /= temperature;
    for (int i = 0; i < N_TERMS; i++)
      row->terms[key][i] /= temperature;
  }

  return TRUE;
}

/* mask: the query's row, NULL = each key is read once. */
static void
row_hide (Row           *row,
          const guint8  *mask,
          const GArray  *edits)
{
  for (int key = 0; key < row->n_keys; key++)
    row->readings[key] = mask ? mask[key] : 1;
  for (guint i = 0; i < edits->len; i++) {
    const EngEdit *edit = &g_array_index (edits, EngEdit, i);

    if (edit->type == ENG_EDIT_KNOCK_OUT_TOKEN && edit->key < row->n_keys)
      row->readings[edit->key] = 0;
  }
  for (int key = 0; key < row->n_keys; key++)
    row->n_readings += row->readings[key];
}

/* A row that sees nothing reads nothing. */
static void
row_softmax (Row *row)
{
  double largest = -INFINITY;
  double sum = 0;

  for (int key = 0; key < row->n_keys; key++)
    if (row->readings[key] > 0)
      largest = MAX (largest, row->scores[key]);
  if (largest == -INFINITY)
    return;

  for (int key = 0; key < row->n_keys; key++)
    if (row->readings[key] > 0) {
      row->weights[key] = exp (row->scores[key] - largest);
      sum += row->readings[key] * row->weights[key];
    }
  for (int key = 0; key < row->n_keys; key++)
    row->weights[key] /= sum;
}

static void
row_make_uniform (Row *row)
{
  for (int key = 0; key < row->n_keys; key++)
    row->weights[key] = row->readings[key] > 0 ? 1.0 / row->n_readings : 0;
}

static void
row_cut (Row           *row,
         const EngEdit *edit,
         int            query)
{
  gboolean any = FALSE;
  double rest = 0;

  for (int key = 0; key < row->n_keys; key++) {
    if (eng_edit_cuts_link (edit, query, key)) {
      row->weights[key] = 0;
      any = TRUE;
    }
    rest += row->readings[key] * row->weights[key];
  }
  for (int key = 0; key < row->n_keys && edit->renormalise && any && rest > 0; key++)
    row->weights[key] /= rest;
}

/* Rows are made uniform before edges are cut, whatever the order of the list. */
static void
row_edit (Row          *row,
          const GArray *edits,
          int           layer,
          int           head,
          int           query)
{
  for (guint i = 0; i < edits->len; i++)
    if (acts_on_head (&g_array_index (edits, EngEdit, i), ENG_EDIT_UNIFORM_ROWS, layer, head))
      row_make_uniform (row);
  for (guint i = 0; i < edits->len; i++) {
    const EngEdit *edit = &g_array_index (edits, EngEdit, i);

    if (acts_on_head (edit, ENG_EDIT_CUT_EDGE, layer, head))
      row_cut (row, edit, query);
  }
}

/* Whether an edit is about this kind: the one that it names, or that of the stack which reads A.
 * What is knocked out of an encoder is not read across either. */
static gboolean
is_about (const EngEdit  *edit,
          const EngTrace *trace,
          EngKind         kind)
{
  int named = edit->kind;

  if (named == ENG_KIND_NOT_SAID)
    named = eng_trace_has_kind (trace, ENG_KIND_ENCODER) ? ENG_KIND_ENCODER : ENG_KIND_DECODER;

  return named == (int) kind || (kind == ENG_KIND_CROSS && named == ENG_KIND_ENCODER &&
                                 edit->type == ENG_EDIT_KNOCK_OUT_TOKEN);
}

/* (transfer full) array of EngEdit. */
static GArray *
parse_edits (const EngTrace *trace,
             EngKind         kind)
{
  const char *const *texts = eng_trace_get_edits (trace);
  GArray *edits = g_array_new (FALSE, FALSE, sizeof (EngEdit));

  for (int i = 0; texts[i]; i++) {
    EngEdit edit;

    if (eng_edit_parse (texts[i], &edit, NULL) && is_about (&edit, trace, kind))
      g_array_append_val (edits, edit);
  }

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
    mean += row->readings[i] * row->weights[i] * row->spreads[i];

  return MAX (TOLERANCE, unit * row->weights[key] * (1 + row->spreads[key] + mean));
}

/* A row worked out again; FALSE where the trace has not what it is made of. */
static gboolean
row_make (Row                *row,
          EngTrace           *trace,
          EngKind             kind,
          int                 layer,
          int                 head,
          int                 query,
          const EngAttention *attention)
{
  g_autoptr (GArray) edits = parse_edits (trace, kind);

  row_init (row, attention->n_keys);
  row_hide (row, eng_attention_get_mask (attention, head, query), edits);
  if (!row_score (row, trace, kind, layer, head, query, edits))
    return FALSE;
  row_softmax (row);
  row_edit (row, edits, layer, head, query);

  return TRUE;
}

/* stored: the trace's own row. */
static EngCheckResult
row_compare (const Row      *row,
             const EngTrace *trace,
             const float    *stored,
             int             key,
             EngCheck       *check)
{
  *check = (EngCheck) {
    .product = row->products[key],
    .score = row->scores[key],
    .content_position = row->terms[key][CONTENT_POSITION],
    .position_content = row->terms[key][POSITION_CONTENT],
    .recomputed = row->weights[key],
    .stored = (double) stored[key],
    .tolerance = get_tolerance (row, key, eng_trace_get_stored_unit (trace)),
    .masked = row->readings[key] == 0,
  };

  /* Written so that a weight which is no number differs. */
  return fabs (check->recomputed - check->stored) <= check->tolerance ? ENG_CHECK_AGREES
                                                                      : ENG_CHECK_DIFFERS;
}

static const float *
get_stored_row (const EngAttention *attention,
                int                 head,
                int                 query)
{
  return attention->weights + ((gsize) head * (gsize) attention->n_queries + (gsize) query)
                              * (gsize) attention->n_keys;
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
  g_auto (Row) row = { 0 };

  *check = (EngCheck) { 0 };
  if (!attention)
    return ENG_CHECK_IMPOSSIBLE;
  if (row_make (&row, trace, kind, layer, head, query, attention))
    return row_compare (&row, trace, get_stored_row (attention, head, query), key, check);
  check->stored = (double) get_stored_row (attention, head, query)[key];
  check->masked = row.readings[key] == 0;

  return ENG_CHECK_IMPOSSIBLE;
}

int
eng_check_row (EngTrace *trace,
               EngKind   kind,
               int       layer,
               int       head,
               int       query,
               int      *n_wrong,
               EngCheck *check)
{
  g_autoptr (EngAttention) attention = eng_trace_dup_attention (trace, kind, layer);
  g_auto (Row) row = { 0 };
  double most = -1;
  int found = -1;

  *n_wrong = 0;
  *check = (EngCheck) { 0 };
  if (!attention || !row_make (&row, trace, kind, layer, head, query, attention))
    return -1;
  for (int key = 0; key < row.n_keys; key++) {
    EngCheck cell;
    double difference;

    if (row_compare (&row, trace, get_stored_row (attention, head, query), key, &cell)
        != ENG_CHECK_DIFFERS)
      continue;
    (*n_wrong)++;
    difference = fabs (cell.recomputed - cell.stored);
    if (difference <= most)
      continue;
    most = difference;
    found = key;
    *check = cell;
  }

  return found;
}

void
eng_check_edit_row (const EngTrace *trace,
                    EngKind         kind,
                    int             layer,
                    int             head,
                    int             query,
                    int            *readings,
                    int             n_keys,
                    double         *weights)
{
  g_autoptr (GArray) edits = parse_edits (trace, kind);
  Row row = { .n_keys = n_keys, .readings = readings, .weights = weights };

  for (int key = 0; key < n_keys; key++)
    row.n_readings += readings[key];
  row_edit (&row, edits, layer, head, query);
}

double
eng_check_get_scale (const EngTrace *trace,
                     EngKind         kind,
                     int             layer,
                     int             head,
                     double         *temperature)
{
  g_autoptr (GArray) edits = parse_edits (trace, kind);

  return get_scale (trace, kind, layer, head, edits, temperature);
}
