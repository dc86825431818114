/* SPDX-License-Identifier: MIT */
#include "engine/trace/measures.h"

#include <math.h>

#include "engine/base/error.h"
#include "engine/trace/rollout.h"

static const char *const measure_titles[ENG_N_MEASURES] = {
  "weight", "weight × value norm", "weight × norm after the output projection", "rollout",
};

static gboolean G_GNUC_PRINTF (4, 5)
refuse (GError     **error,
        EngError     code,
        EngMeasure   measure,
        const char  *format,
        ...)
{
  va_list arguments;

  va_start (arguments, format);
  eng_error_refuse (error, code, measure_titles[measure], format, arguments);
  va_end (arguments);

  return FALSE;
}

static gboolean
has_layers_up_to (const EngTrace *trace,
                  EngKind         kind,
                  int             layer,
                  int            *missing)
{
  for (int i = 0; i <= layer; i++)
    if (!eng_trace_has_layer (trace, kind, i)) {
      *missing = i;
      return FALSE;
    }

  return TRUE;
}

static gboolean
check_rollout (EngTrace  *trace,
               EngKind    kind,
               int        layer,
               GError   **error)
{
  const char *name = eng_kind_get_name (kind);
  int n_queries = eng_trace_get_n_queries (trace, kind);
  int n_keys = eng_trace_get_n_keys (trace, kind);
  int missing;

  if (kind == ENG_KIND_CROSS)
    return refuse (error, ENG_ERROR_UNSUPPORTED, ENG_MEASURE_ROLLOUT,
                   "the tokens that cross attention reads are not those that its next layer gets");
  if (n_queries != n_keys)
    return refuse (error, ENG_ERROR_SHAPE, ENG_MEASURE_ROLLOUT,
                   "needs as many rows as columns, but the %s has %d rows and %d columns", name,
                   n_queries, n_keys);
  if (!has_layers_up_to (trace, kind, layer, &missing))
    return refuse (error, ENG_ERROR_MISSING, ENG_MEASURE_ROLLOUT,
                   "up to layer %d needs every layer from 0 on, but the %s has no layer %d", layer,
                   name, missing);

  return TRUE;
}

/* (transfer full) ‖v‖ of every key of every head, [n_heads, n_keys]; NULL without values. */
static float *
dup_value_norms (EngTrace *trace,
                 EngKind   kind,
                 int       layer)
{
  int n_heads = eng_trace_get_n_heads (trace, kind);
  int n_keys = eng_trace_get_n_keys (trace, kind);
  g_autofree float *norms = g_new (float, (gsize) n_heads * (gsize) n_keys);
  float *norm = norms;

  for (int head = 0; head < n_heads; head++) {
    EngMatrix values;

    if (!eng_trace_get_values (trace, kind, layer, head, &values))
      return NULL;
    for (int key = 0; key < n_keys; key++, norm++) {
      const float *value = values.data + (gsize) key * values.stride;
      double sum = 0;

      for (int i = 0; i < values.cols; i++)
        sum += (double) value[i] * value[i];
      *norm = (float) sqrt (sum);
    }
  }

  return g_steal_pointer (&norms);
}

/* (transfer full) What a measure multiplies each column with, [n_heads, n_keys]. */
static float *
dup_key_norms (EngTrace    *trace,
               EngKind      kind,
               int          layer,
               EngMeasure   measure,
               GError     **error)
{
  gsize n = (gsize) eng_trace_get_n_heads (trace, kind)
          * (gsize) eng_trace_get_n_keys (trace, kind);
  gboolean projected = measure == ENG_MEASURE_OUTPUT_NORM;
  float *norms = projected
               ? g_memdup2 (eng_trace_get_value_output_norms (trace, kind, layer, 0),
                            n * sizeof *norms)
               : dup_value_norms (trace, kind, layer);

  if (!norms)
    refuse (error, ENG_ERROR_MISSING, measure, "layer %d of the %s has no %s", layer,
            eng_kind_get_name (kind), projected ? "norms of v W_O" : "values");

  return norms;
}

static EngAttention *
scale_columns (const EngAttention  *attention,
               const float         *norms,
               EngMeasure           measure,
               GError             **error)
{
  gsize n_keys = (gsize) attention->n_keys;
  gsize n_rows = (gsize) attention->n_heads * (gsize) attention->n_queries;
  float *scaled = g_try_new (float, n_rows * n_keys);

  if (!scaled) {
    refuse (error, ENG_ERROR_RANGE, measure, "there is no memory for %" G_GSIZE_FORMAT " numbers",
            n_rows * n_keys);
    return NULL;
  }
  for (gsize row = 0; row < n_rows; row++) {
    const float *norm = norms + row / (gsize) attention->n_queries * n_keys;

    for (gsize key = 0; key < n_keys; key++)
      scaled[row * n_keys + key] = attention->weights[row * n_keys + key] * norm[key];
  }

  return eng_attention_new (attention->n_heads, attention->n_queries, attention->n_keys, scaled,
                            g_memdup2 (attention->mask,
                                       (gsize) attention->n_queries * n_keys),
                            g_memdup2 (attention->head_masks, n_rows * n_keys));
}

gboolean
eng_measures_has (EngTrace   *trace,
                  EngKind     kind,
                  int         layer,
                  EngMeasure  measure)
{
  EngMatrix values;

  if (!eng_trace_has_layer (trace, kind, layer))
    return FALSE;
  switch (measure) {
  case ENG_MEASURE_VALUE_NORM:
    return eng_trace_get_values (trace, kind, layer, 0, &values);
  case ENG_MEASURE_OUTPUT_NORM:
    return eng_trace_has_value_output_norms (trace, kind, layer);
  case ENG_MEASURE_ROLLOUT:
    return check_rollout (trace, kind, layer, NULL);
  case ENG_MEASURE_WEIGHT:
  default:
    return TRUE;
  }
}

EngAttention *
eng_measures_dup_block (EngTrace    *trace,
                        EngKind      kind,
                        int          layer,
                        EngMeasure   measure,
                        const gint  *cancel,
                        GError     **error)
{
  g_autoptr (EngAttention) attention = NULL;
  g_autofree float *norms = NULL;

  if (!eng_trace_has_layer (trace, kind, layer)) {
    refuse (error, ENG_ERROR_MISSING, measure, "the %s has no layer %d", eng_kind_get_name (kind),
            layer);
    return NULL;
  }
  if (measure == ENG_MEASURE_ROLLOUT)
    return check_rollout (trace, kind, layer, error)
         ? eng_rollout_dup (trace, kind, layer, cancel, error) : NULL;

  if (measure != ENG_MEASURE_WEIGHT) {
    norms = dup_key_norms (trace, kind, layer, measure, error);
    if (!norms)
      return NULL;
  }
  attention = eng_trace_dup_attention (trace, kind, layer);
  if (!attention) {
    refuse (error, ENG_ERROR_RANGE, measure, "there is no memory for layer %d of the %s", layer,
            eng_kind_get_name (kind));
    return NULL;
  }

  return norms ? scale_columns (attention, norms, measure, error) : g_steal_pointer (&attention);
}

double *
eng_measures_dup_head_output (const EngAttention *attention,
                              const EngMatrix    *values,
                              int                 head,
                              int                 query)
{
  gsize row = (gsize) head * (gsize) attention->n_queries + (gsize) query;
  const float *weights = attention->weights + row * (gsize) attention->n_keys;
  const guint8 *readings = eng_attention_get_mask (attention, head, query);
  double *output = g_new0 (double, values->cols);

  for (int key = 0; key < values->rows; key++) {
    double weight = (double) weights[key] * (readings && readings[key] > 1 ? readings[key] : 1);

    for (int i = 0; i < values->cols; i++)
      output[i] += weight * values->data[(gsize) key * values->stride + (gsize) i];
  }

  return output;
}
