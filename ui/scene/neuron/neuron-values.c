/* SPDX-License-Identifier: MIT */
#include "ui/scene/neuron/neuron-scene.h"

#include <math.h>

#include "ui/scene/base/edit-words.h"
#include "ui/scene/numbers/mask.h"
#include "ui/scene/numbers/telling-query.h"

typedef struct {
  int    dimension;
  double contribution;
} Ranked;

static double
get_element (const EngMatrix *matrix,
             int              row,
             int              column)
{
  return (double) matrix->data[(gsize) row * matrix->stride + (gsize) column];
}

/* Σ |element| of a column over some rows. */
static double
sum_column (const EngMatrix *matrix,
            int              first,
            int              last,
            int              column)
{
  double sum = 0;

  for (int row = first; row < last; row++)
    sum += fabs (get_element (matrix, row, column));
  return sum;
}

static double
find_largest (const EngMatrix *matrix)
{
  double largest = 0;

  for (int row = 0; row < matrix->rows; row++)
    for (int column = 0; column < matrix->cols; column++)
      largest = MAX (largest, fabs (get_element (matrix, row, column)));
  return largest;
}

static double
get_norm (const EngMatrix *matrix,
          int              row)
{
  double sum = 0;

  for (int column = 0; column < matrix->cols; column++)
    sum += get_element (matrix, row, column) * get_element (matrix, row, column);
  return sqrt (sum);
}

static int
compare_ranked (gconstpointer a,
                gconstpointer b)
{
  const Ranked *left = a;
  const Ranked *right = b;

  if (left->contribution != right->contribution)
    return left->contribution > right->contribution ? -1 : 1;
  return left->dimension - right->dimension;
}

double
ui_neuron_get_query (const UiNeuronScene *self,
                     int                  query,
                     int                  dimension)
{
  return get_element (&self->query_vectors, query, dimension);
}

double
ui_neuron_get_key (const UiNeuronScene *self,
                   int                  key,
                   int                  dimension)
{
  return get_element (&self->key_vectors, key, dimension);
}

double
ui_neuron_get_value (const UiNeuronScene *self,
                     int                  key,
                     int                  dimension)
{
  return get_element (&self->value_vectors, key, dimension);
}

double
ui_neuron_get_dot (const UiNeuronScene *self,
                   int                  query,
                   int                  key)
{
  double sum = 0;

  for (int i = 0; i < self->query_vectors.cols; i++)
    sum += ui_neuron_get_query (self, query, i) * ui_neuron_get_key (self, key, i);
  return sum;
}

double
ui_neuron_get_bias_term (const UiNeuronScene *self,
                         int                  which,
                         int                  query,
                         int                  key)
{
  return get_element (&self->biases[which].numbers, query, key);
}

double
ui_neuron_get_bias (const UiNeuronScene *self,
                    int                  query,
                    int                  key)
{
  double sum = 0;

  for (int i = 0; i < self->n_biases; i++)
    sum += ui_neuron_get_bias_term (self, i, query, key);
  return sum;
}

double
ui_neuron_get_score (const UiNeuronScene *self,
                     int                  query,
                     int                  key)
{
  double score = self->scale * ui_neuron_get_dot (self, query, key);

  if (self->soft_cap != 0)
    score = self->soft_cap * tanh (score / self->soft_cap);
  return score + ui_neuron_get_bias (self, query, key);
}

double
ui_neuron_get_weight (const UiNeuronScene *self,
                      int                  query,
                      int                  key)
{
  return ui_weights_get (&self->parent.scene.weights, self->head, query, key);
}

double
ui_neuron_get_measured (const UiNeuronScene *self,
                        int                  query,
                        int                  key)
{
  return ui_neuron_get_weight (self, query, key) * (self->norms != NULL ? self->norms[key] : 1);
}

double
ui_neuron_get_factor (const UiNeuronScene *self)
{
  const UiScene *scene = &self->parent.scene;

  return ui_edit_get_factor (scene->trace, scene->kind, scene->layer, self->head);
}

/* Before an edit that scales the head. */
static double *
dup_sum (const UiNeuronScene *self,
         int                  query)
{
  return eng_measures_dup_head_output (self->parent.scene.attention, &self->value_vectors,
                                       self->head, query);
}

double *
ui_neuron_get_output (const UiNeuronScene *self,
                      int                  query)
{
  double *output;

  if (self->value_vectors.data == NULL)
    return NULL;
  output = dup_sum (self, query);
  for (int i = 0; i < self->value_vectors.cols; i++)
    output[i] = self->factor == 0 ? 0 : output[i] * self->factor; /* no negative 0 */
  return output;
}

gboolean
ui_neuron_is_masked (const UiNeuronScene *self,
                     int                  query,
                     int                  key)
{
  return ui_mask_hides (self->parent.scene.attention, query, key);
}

int
ui_neuron_find_query (const UiNeuronScene *self)
{
  const UiScene *scene = &self->parent.scene;

  return ui_telling_query_find (scene->attention, self->head, scene->queries, scene->keys,
                                &scene->document->pins);
}

int
ui_neuron_find_key (const UiNeuronScene *self,
                    int                  query)
{
  const UiPins *pins = &self->parent.scene.document->pins;
  int best = -1;

  if (pins->n_keys > 0)
    return pins->keys[0];
  for (int key = 0; key < self->key_vectors.rows; key++)
    if (!ui_neuron_is_masked (self, query, key)
        && (best < 0 || ui_neuron_get_measured (self, query, key)
                        > ui_neuron_get_measured (self, query, best)))
      best = key;
  return best;
}

double
ui_neuron_get_product_scale (const UiNeuronScene *self,
                             int                  query)
{
  double largest = 0;

  for (int key = 0; key < self->key_vectors.rows; key++) {
    for (int i = 0; i < self->query_vectors.cols && !ui_neuron_is_masked (self, query, key); i++) {
      double product = ui_neuron_get_query (self, query, i) * ui_neuron_get_key (self, key, i);

      largest = MAX (largest, fabs (product));
    }
  }
  return largest;
}

double
ui_neuron_get_score_scale (const UiNeuronScene *self,
                           int                  query)
{
  double largest = 0;

  for (int key = 0; key < self->key_vectors.rows; key++) {
    double bias = ui_neuron_get_bias (self, query, key);
    double score;

    if (ui_neuron_is_masked (self, query, key))
      continue;
    score = ui_neuron_get_score (self, query, key);
    largest = MAX (largest, fabs (score));
    if (self->n_biases > 0)
      largest = MAX (largest, fabs (score - bias));
    for (int i = 0; i < self->n_biases; i++)
      largest = MAX (largest, fabs (ui_neuron_get_bias_term (self, i, query, key)));
  }
  return largest;
}

double
ui_neuron_get_measure_scale (const UiNeuronScene *self,
                             int                  query)
{
  double largest = 0;

  for (int key = 0; key < self->key_vectors.rows; key++)
    largest = MAX (largest, ui_neuron_get_measured (self, query, key));
  return largest;
}

double
ui_neuron_get_output_scale (const UiNeuronScene *self,
                            int                  query)
{
  g_autofree double *sum = dup_sum (self, query);
  double largest = 0;

  for (int i = 0; i < self->value_vectors.cols; i++)
    largest = MAX (largest, fabs (sum[i]));
  return largest * MAX (1, fabs (self->factor));
}

double
ui_neuron_get_band_scale (const UiNeuronScene *self)
{
  return MAX (find_largest (&self->query_vectors), find_largest (&self->key_vectors));
}

double
ui_neuron_get_value_scale (const UiNeuronScene *self)
{
  return self->value_vectors.data != NULL ? find_largest (&self->value_vectors) : 0;
}

double *
ui_neuron_get_norms (const UiNeuronScene *self,
                     const UiSceneParts  *parts)
{
  EngMeasure measure = parts->document->measure;
  int layer = parts->document->layer;
  const float *stored;
  double *norms;

  if ((measure != ENG_MEASURE_VALUE_NORM && measure != ENG_MEASURE_OUTPUT_NORM)
      || !eng_measures_has (parts->trace, parts->kind, layer, measure))
    return NULL;
  stored = eng_trace_get_value_output_norms (parts->trace, parts->kind, layer, self->head);
  norms = g_new (double, self->key_vectors.rows);
  for (int key = 0; key < self->key_vectors.rows; key++)
    norms[key] = measure == ENG_MEASURE_VALUE_NORM ? get_norm (&self->value_vectors, key)
                                                   : stored[key];
  return norms;
}

int *
ui_neuron_get_order (const UiNeuronScene *self)
{
  int n = self->query_vectors.cols;
  int first = self->is_pinned ? self->query : 0;
  int last = self->is_pinned ? self->query + 1 : self->query_vectors.rows;
  g_autofree Ranked *ranked = g_new (Ranked, n);
  int *order = g_new (int, n);

  for (int i = 0; i < n; i++) {
    double queries = sum_column (&self->query_vectors, first, last, i);
    double keys = sum_column (&self->key_vectors, 0, self->key_vectors.rows, i);

    ranked[i] = (Ranked) { i, queries * keys };
  }
  if (self->parent.scene.document->sort_dimensions)
    qsort (ranked, (gsize) n, sizeof *ranked, compare_ranked);
  for (int i = 0; i < n; i++)
    order[i] = ranked[i].dimension;
  return order;
}
