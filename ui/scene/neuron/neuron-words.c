/* SPDX-License-Identifier: MIT */
#include "ui/scene/neuron/neuron-scene.h"

#include <math.h>
#include <string.h>

#include "ui/scene/base/describe.h"

/* What is too small for the decimals has no sign: "<0.001". */
static char *
describe_signed (double value,
                 int    n_decimals)
{
  g_autofree char *digits = ui_describe_amount (fabs (value), n_decimals);

  if (!g_ascii_isdigit (*digits) || value == 0)
    return g_steal_pointer (&digits);
  return g_strconcat (value < 0 ? "−" : "+", digits, NULL);
}

/* Values are small, and times a weight smaller: a third decimal. */
static char *
describe_fine_number (double value)
{
  return describe_signed (value, 3);
}

static char *
describe_query_cell (const UiNeuronScene *self,
                     const UiItem        *item)
{
  double number = ui_neuron_get_query (self, item->query, item->dimension);
  g_autofree char *token = ui_describe_token (self->parent.scene.queries, item->query);
  g_autofree char *value = ui_neuron_describe_number (number);

  return g_strdup_printf ("Dimension %d of the query of %s is %s.", item->dimension, token, value);
}

static char *
describe_key_cell (const UiNeuronScene *self,
                   const UiItem        *item)
{
  double number = ui_neuron_get_key (self, item->key, item->dimension);
  g_autofree char *token = ui_describe_token (self->parent.scene.keys, item->key);
  g_autofree char *value = ui_neuron_describe_number (number);

  return g_strdup_printf ("Dimension %d of the key of %s is %s.", item->dimension, token, value);
}

/* A part of the output, "−0.026" or, where an edit scales the head, "−0.026 × 0.5". */
static char *
describe_part (const UiNeuronScene *self,
               double               part)
{
  g_autofree char *number = describe_fine_number (part);
  g_autofree char *factor = ui_neuron_format_number ("%.4g", self->factor);

  return self->factor == 1 ? g_steal_pointer (&number)
                           : g_strconcat (number, " × ", factor, NULL);
}

/* What the pinned query takes of it, too. */
static char *
describe_value_cell (const UiNeuronScene *self,
                     const UiItem        *item)
{
  double number = ui_neuron_get_value (self, item->key, item->dimension);
  g_autofree char *token = ui_describe_token (self->parent.scene.keys, item->key);
  g_autofree char *value = describe_fine_number (number);
  g_autofree char *reader = NULL;
  g_autofree char *weight = NULL;
  g_autofree char *part = NULL;
  double alpha;

  if (item->query < 0)
    return g_strdup_printf ("Dimension %d of the value of %s is %s.", item->dimension, token,
                            value);
  alpha = ui_neuron_get_weight (self, item->query, item->key);
  reader = ui_describe_token (self->parent.scene.queries, item->query);
  weight = ui_describe_weight (alpha);
  part = describe_part (self, alpha * number);
  return g_strdup_printf ("Dimension %d of the value of %s is %s: with weight %s it adds %s to the "
                          "output for %s.", item->dimension, token, value, weight, part, reader);
}

/* The key that adds most to a dimension of the output, -1 for none. */
static int
find_largest_part (const UiNeuronScene *self,
                   int                  query,
                   int                  dimension)
{
  double largest = 0;
  int best = -1;

  for (int key = 0; key < self->value_vectors.rows; key++) {
    double part = fabs (ui_neuron_get_weight (self, query, key)
                        * ui_neuron_get_value (self, key, dimension));

    if (part <= largest)
      continue;
    largest = part;
    best = key;
  }
  return best;
}

static char *
describe_output_cell (const UiNeuronScene *self,
                      const UiItem        *item)
{
  g_autofree double *output = ui_neuron_get_output (self, item->query);
  g_autofree char *token = ui_describe_token (self->parent.scene.queries, item->query);
  g_autofree char *value = describe_fine_number (output[item->dimension]);
  int best = find_largest_part (self, item->query, item->dimension);
  g_autofree char *source = NULL;
  g_autofree char *number = ui_neuron_format_number ("%.4g", self->factor);
  g_autofree char *factor = self->factor == 1 ? g_strdup ("") : g_strconcat (number, " × ", NULL);
  g_autofree char *part = NULL;

  if (self->factor == 0)
    return g_strdup_printf ("Dimension %d of the output of head %d for %s is 0: an edit zeroes it.",
                            item->dimension, self->head, token);
  if (best < 0)
    return g_strdup_printf ("Dimension %d of the output of head %d for %s is %s.",
                            item->dimension, self->head, token, value);
  source = ui_describe_token (self->parent.scene.keys, best);
  part = describe_part (self, ui_neuron_get_weight (self, item->query, best)
                              * ui_neuron_get_value (self, best, item->dimension));
  return g_strdup_printf ("Dimension %d of the output of head %d for %s is %s, %sthe sum of weight × "
                          "value over all keys; %s has the largest part: %s.",
                          item->dimension, self->head, token, value, factor, source, part);
}

static char *
describe_mask (const UiNeuronScene *self,
               const UiItem        *item)
{
  g_autofree char *reader = ui_describe_token (self->parent.scene.queries, item->query);
  g_autofree char *read = ui_describe_token (self->parent.scene.keys, item->key);

  if (ui_neuron_is_masked (self, item->query, item->key))
    return g_strdup_printf ("%s is hidden from %s: the mask leaves it out of the softmax.", read,
                            reader);
  return g_strdup_printf ("%s is not hidden from %s: its score goes into the softmax.", read,
                          reader);
}

static char *
describe_measure (const UiNeuronScene *self,
                  const UiItem        *item)
{
  g_autofree char *link = ui_describe_link (&self->parent.scene, self->head, item->query,
                                            item->key);
  const char *symbol = ui_neuron_get_measure_symbol (self);
  g_autofree char *norm = ui_neuron_format_number ("%.3g", self->norms[item->key]);
  g_autofree char *measured =
    ui_neuron_format_number ("%.3g", ui_neuron_get_measured (self, item->query, item->key));

  /* ‖v‖ stands behind the α. */
  return g_strdup_printf ("%s %s = %s, %s = %s.", link, g_utf8_next_char (symbol), norm, symbol,
                          measured);
}

static char *
describe_product_cell (const UiNeuronScene *self,
                       const UiItem        *item)
{
  double query_value = ui_neuron_get_query (self, item->query, item->dimension);
  double key_value = ui_neuron_get_key (self, item->key, item->dimension);
  g_autofree char *query = ui_describe_token (self->parent.scene.queries, item->query);
  g_autofree char *key = ui_describe_token (self->parent.scene.keys, item->key);
  g_autofree char *left = ui_neuron_describe_number (query_value);
  g_autofree char *right = ui_neuron_describe_number (key_value);
  g_autofree char *product = ui_neuron_describe_number (query_value * key_value);

  return g_strdup_printf ("Dimension %d, query of %s × key of %s: %s × %s = %s.",
                          item->dimension, query, key, left, right, product);
}

/* The score as a sum. */
static char *
describe_biased (const UiNeuronScene *self,
                 const UiItem        *item,
                 const char          *formula,
                 const char          *link)
{
  double score_number = ui_neuron_get_score (self, item->query, item->key);
  double bias_number = ui_neuron_get_bias (self, item->query, item->key);
  g_autofree char *product_formula = ui_neuron_describe_product (self);
  g_autofree char *product = ui_neuron_describe_number (score_number - bias_number);
  g_autofree char *score = ui_neuron_describe_number (score_number);
  g_autoptr (GString) biases = g_string_new (NULL);

  for (int i = 0; i < self->n_biases; i++) {
    double number = ui_neuron_get_bias_term (self, i, item->query, item->key);
    g_autofree char *bias = ui_neuron_describe_number (number);

    g_string_append_printf (biases, ", %s %s", self->biases[i].name, bias);
  }

  return g_strdup_printf ("%s = %s%s, %s = %s. %s", product_formula, product, biases->str, formula,
                          score, link);
}

/* From the dot product to the weight. */
static char *
describe_comparison (const UiNeuronScene *self,
                     const UiItem        *item)
{
  int query = item->query;
  int key = item->key;
  g_autofree char *link = ui_describe_link (&self->parent.scene, self->head, query, key);
  g_autofree char *formula = ui_neuron_describe_score (self);
  g_autofree char *dot = ui_neuron_describe_number (ui_neuron_get_dot (self, query, key));
  g_autofree char *score = ui_neuron_describe_number (ui_neuron_get_score (self, query, key));

  if (strcmp (formula, "q·k") == 0)
    return g_strdup_printf ("q·k = %s. %s", dot, link);
  if (self->n_biases > 0)
    return describe_biased (self, item, formula, link);
  return g_strdup_printf ("q·k = %s, %s = %s. %s", dot, formula, score, link);
}

char *
ui_neuron_format_number (const char *format,
                         double      value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup (g_ascii_formatd (buffer, sizeof buffer, format, value));
}

char *
ui_neuron_describe_number (double value)
{
  return describe_signed (value, fabs (value) < 99.995 ? 2 : 1);
}

static char *
describe_scaled (const UiNeuronScene *self)
{
  int n = self->layout.columns.n_dimensions * self->n_terms;
  g_autofree char *factor = NULL;

  if (fabs (self->scale - 1) < 1e-6)
    return g_strdup ("q·k");
  if (fabs (self->scale * sqrt (n) - 1) < 1e-6)
    return g_strdup_printf ("q·k ÷ √%d", n);
  factor = ui_neuron_format_number ("%.4g", self->scale);
  return g_strdup_printf ("q·k × %s", factor);
}

/* " ÷ 0.5", "" where no edit divides. */
static char *
describe_temperature (const UiNeuronScene *self)
{
  g_autofree char *temperature = ui_neuron_format_number ("%.4g", self->temperature);

  return self->temperature == 1 ? g_strdup ("") : g_strconcat (" ÷ ", temperature, NULL);
}

char *
ui_neuron_describe_product (const UiNeuronScene *self)
{
  g_autofree char *scaled = describe_scaled (self);
  g_autofree char *cap = ui_neuron_format_number ("%.4g", self->soft_cap);
  g_autofree char *tempered = describe_temperature (self);

  if (self->soft_cap == 0)
    return g_strconcat (scaled, tempered, NULL);
  return g_strdup_printf ("%s tanh (%s ÷ %s)%s", cap, scaled, cap, tempered);
}

char *
ui_neuron_describe_score (const UiNeuronScene *self)
{
  g_autofree char *product = ui_neuron_describe_product (self);
  g_autofree char *tempered = describe_temperature (self);
  GString *formula = g_string_new (product);

  for (int i = 0; i < self->n_biases; i++)
    g_string_append_printf (formula, " + %s%s", self->biases[i].symbol, tempered);
  return g_string_free (formula, FALSE);
}

char *
ui_neuron_describe_output (const UiNeuronScene *self)
{
  g_autofree char *factor = ui_neuron_format_number ("%.4g", self->factor);

  return self->factor == 1 ? g_strdup ("Σ softmax × v")
                           : g_strconcat (factor, " × Σ softmax × v", NULL);
}

const char *
ui_neuron_get_measure_symbol (const UiNeuronScene *self)
{
  return self->parent.scene.document->measure == ENG_MEASURE_OUTPUT_NORM ? "α‖v W_O‖" : "α‖v‖";
}

char *
ui_neuron_describe (const UiScene *scene,
                    const UiItem  *item)
{
  const UiNeuronScene *self = (const UiNeuronScene *) scene;

  if (!ui_neuron_has_item (self, item))
    return g_strdup ("");
  switch (item->type) {
  case UI_ITEM_QUERY_CELL:
    return describe_query_cell (self, item);
  case UI_ITEM_KEY_CELL:
    return describe_key_cell (self, item);
  case UI_ITEM_PRODUCT_CELL:
    if (ui_neuron_is_masked (self, item->query, item->key))
      return ui_describe_link (scene, self->head, item->query, item->key);
    return describe_product_cell (self, item);
  case UI_ITEM_VALUE_CELL:
    return describe_value_cell (self, item);
  case UI_ITEM_OUTPUT_CELL:
    return describe_output_cell (self, item);
  case UI_ITEM_MASK:
    return describe_mask (self, item);
  case UI_ITEM_MEASURE:
    return describe_measure (self, item);
  case UI_ITEM_SCALED_PRODUCT:
  case UI_ITEM_BIAS:
  case UI_ITEM_SECOND_BIAS:
  case UI_ITEM_SCORE:
  case UI_ITEM_SOFTMAX:
    if (ui_neuron_is_masked (self, item->query, item->key))
      return ui_describe_link (scene, self->head, item->query, item->key);
    return describe_comparison (self, item);
  case UI_ITEM_KEY:
    return ui_describe_reader (scene, TRUE, item->key);
  case UI_ITEM_QUERY:
  default:
    return ui_describe_reader (scene, FALSE, item->query);
  }
}

