/* SPDX-License-Identifier: MIT */
#include "ui/scene/neuron-scene.h"

#include <math.h>
#include <string.h>

#include "ui/scene/describe.h"
#include "ui/scene/mask.h"
#include "ui/scene/text.h"

#define N_NAMED_DIMENSIONS 8 /* of a sorted head, in the legend */

static char *
format_number (const char *format,
               double      value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup (g_ascii_formatd (buffer, sizeof buffer, format, value));
}

/* Values are small, and times a weight smaller: a third decimal. */
static char *
describe_fine_number (double value)
{
  g_autofree char *digits = format_number ("%.3f", fabs (value));

  if (strcmp (digits, "0.000") == 0)
    return g_strdup ("0.000");
  return g_strconcat (value < 0 ? "−" : "+", digits, NULL);
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

  if (self->query < 0)
    return g_strdup_printf ("Dimension %d of the value of %s is %s.", item->dimension, token,
                            value);
  alpha = ui_neuron_get_weight (self, self->query, item->key);
  reader = ui_describe_token (self->parent.scene.queries, self->query);
  weight = ui_describe_weight (alpha);
  part = describe_fine_number (alpha * number);
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
  g_autofree char *part = NULL;

  if (best < 0)
    return g_strdup_printf ("Dimension %d of the output of head %d for %s is %s.",
                            item->dimension, self->head, token, value);
  source = ui_describe_token (self->parent.scene.keys, best);
  part = describe_fine_number (ui_neuron_get_weight (self, item->query, best)
                               * ui_neuron_get_value (self, best, item->dimension));
  return g_strdup_printf ("Dimension %d of the output of head %d for %s is %s, the sum of weight × "
                          "value over all keys; %s has the largest part: %s.",
                          item->dimension, self->head, token, value, source, part);
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
  g_autofree char *norm = format_number ("%.3g", self->norms[item->key]);
  g_autofree char *measured =
    format_number ("%.3g", ui_neuron_get_measured (self, item->query, item->key));

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
  g_autofree char *bias = ui_neuron_describe_number (bias_number);
  g_autofree char *score = ui_neuron_describe_number (score_number);

  return g_strdup_printf ("%s = %s, position bias %s, %s = %s. %s", product_formula, product, bias,
                          formula, score, link);
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
  if (self->bias.data != NULL)
    return describe_biased (self, item, formula, link);
  return g_strdup_printf ("q·k = %s, %s = %s. %s", dot, formula, score, link);
}

static void
append_dimensions (const UiNeuronScene *self,
                   GString             *text)
{
  int n = self->layout.columns.n_dimensions;

  if (!self->parent.scene.document->sort_dimensions) {
    g_string_append_printf (text, " Dimensions 0 to %d from left to right.", n - 1);
    return;
  }
  g_string_append_printf (text, " Dimensions by Σ |q × k| over all keys and %s, largest first: ",
                          self->query >= 0 ? "the pinned query" : "all queries");
  for (int i = 0; i < MIN (n, N_NAMED_DIMENSIONS); i++)
    g_string_append_printf (text, "%s%d", i > 0 ? ", " : "", self->order[i]);
  g_string_append (text, n > N_NAMED_DIMENSIONS ? " …" : ".");
}

static void
append_row (GString             *text,
            const char          *vector,
            const EngTokens     *tokens,
            int                  token)
{
  g_autofree char *visible = ui_text_make_visible (tokens->texts[token]);

  g_string_append_printf (text, "%s\t%d\t%s", vector, token, visible);
}

static void
append_value (GString *text,
              double   value)
{
  g_autofree char *number = format_number ("%.7g", value);

  g_string_append_printf (text, "\t%s", number);
}

/* Columns of numbers: dimensions as they are drawn, then those that only values have. */
static int
count_dimensions (const UiNeuronScene *self)
{
  return MAX (self->layout.columns.n_dimensions, self->layout.columns.n_value_dimensions);
}

static int
get_numbered_dimension (const UiNeuronScene *self,
                        int                  column)
{
  return column < self->layout.columns.n_dimensions ? self->order[column] : column;
}

/* Ends a row that has no score. */
static void
end_row (const UiNeuronScene *self,
         GString             *text)
{
  g_string_append (text, self->bias.data != NULL ? "\t\t\t\t\t" : "\t\t\t");
  g_string_append (text, self->norms != NULL ? "\t\n" : "\n");
}

static void
append_vectors (const UiNeuronScene *self,
                const char          *name,
                const EngTokens     *tokens,
                const EngMatrix     *vectors,
                GString             *text)
{
  for (int row = 0; row < vectors->rows; row++) {
    append_row (text, name, tokens, row);
    for (int column = 0; column < count_dimensions (self); column++) {
      int i = get_numbered_dimension (self, column);

      if (i < vectors->cols)
        append_value (text, vectors->data[(gsize) row * vectors->stride + (gsize) i]);
      else
        g_string_append_c (text, '\t');
    }
    end_row (self, text);
  }
}

static void
append_output (const UiNeuronScene *self,
               GString             *text)
{
  g_autofree double *output = ui_neuron_get_output (self, self->query);

  if (output == NULL)
    return;
  append_row (text, "output", self->parent.scene.queries, self->query);
  for (int column = 0; column < count_dimensions (self); column++) {
    int i = get_numbered_dimension (self, column);

    if (i < self->value_vectors.cols)
      append_value (text, output[i]);
    else
      g_string_append_c (text, '\t');
  }
  end_row (self, text);
}

static void
append_score (const UiNeuronScene *self,
              int                  key,
              GString             *text)
{
  double score = ui_neuron_get_score (self, self->query, key);
  double bias = ui_neuron_get_bias (self, self->query, key);

  append_value (text, ui_neuron_get_dot (self, self->query, key));
  if (self->bias.data != NULL) {
    append_value (text, score - bias);
    append_value (text, bias);
  }
  if (ui_neuron_is_masked (self, self->query, key))
    g_string_append (text, "\tmasked");
  else
    append_value (text, score);
}

static void
append_products (const UiNeuronScene *self,
                 GString             *text)
{
  for (int key = 0; key < self->key_vectors.rows; key++) {
    append_row (text, "q × k", self->parent.scene.keys, key);
    for (int column = 0; column < count_dimensions (self); column++) {
      int i = get_numbered_dimension (self, column);

      if (i < self->query_vectors.cols)
        append_value (text, ui_neuron_get_query (self, self->query, i)
                            * ui_neuron_get_key (self, key, i));
      else
        g_string_append_c (text, '\t');
    }
    append_score (self, key, text);
    append_value (text, ui_neuron_get_weight (self, self->query, key));
    if (self->norms != NULL)
      append_value (text, ui_neuron_get_measured (self, self->query, key));
    g_string_append_c (text, '\n');
  }
}

char *
ui_neuron_describe_number (double value)
{
  g_autofree char *digits = format_number (fabs (value) < 99.995 ? "%.2f" : "%.1f", fabs (value));

  if (strcmp (digits, "0.00") == 0)
    return g_steal_pointer (&digits);
  return g_strconcat (value < 0 ? "−" : "+", digits, NULL);
}

char *
ui_neuron_describe_product (const UiNeuronScene *self)
{
  double n = self->layout.columns.n_dimensions;
  g_autofree char *factor = NULL;

  if (fabs (self->scale - 1) < 1e-6)
    return g_strdup ("q·k");
  if (fabs (self->scale * sqrt (n) - 1) < 1e-6)
    return g_strdup_printf ("q·k ÷ √%d", self->layout.columns.n_dimensions);
  factor = format_number ("%.4g", self->scale);
  return g_strdup_printf ("q·k × %s", factor);
}

char *
ui_neuron_describe_score (const UiNeuronScene *self)
{
  g_autofree char *product = ui_neuron_describe_product (self);

  return g_strconcat (product, self->bias.data != NULL ? " + bias" : "", NULL);
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

/* What full bands stand for. A window says so in the headings, which stay in sight. */
static void
append_scales (const UiNeuronScene *self,
               GString             *text)
{
  gboolean bars = self->parent.scene.document->bands == UI_BANDS_BARS;
  g_autofree char *band_scale = format_number ("%.2f", self->band_scale);
  g_autofree char *value_scale = format_number ("%.2f", self->value_scale);

  g_string_append_printf (text, " %s: ±%s in q and k", bars ? "Full height" : "Full colour",
                          band_scale);
  if (self->value_vectors.data != NULL)
    g_string_append_printf (text, ", ±%s in v", value_scale);
  if (self->query >= 0) {
    double full = ui_neuron_get_product_scale (self, self->query);
    g_autofree char *product_scale = format_number ("%.2f", full);

    g_string_append_printf (text, ", ±%s in q × k", product_scale);
  }
  g_string_append_c (text, '.');
}

static void
append_output_words (const UiNeuronScene *self,
                     GString             *text)
{
  g_autofree double *output = NULL;
  g_autofree char *scale = NULL;

  if (self->query < 0 || self->value_vectors.data == NULL)
    return;
  output = ui_neuron_get_output (self, self->query);
  scale = format_number ("%.2f", ui_neuron_get_output_scale (self, output));
  g_string_append_printf (text, " Output of the head: Σ softmax × v, ±%s.", scale);
}

static void
append_formula (const UiNeuronScene *self,
                GString             *text)
{
  g_autofree char *formula = ui_neuron_describe_score (self);

  if (self->query >= 0)
    g_string_append_printf (text, " Score: %s.", formula);
}

static void
append_measure (const UiNeuronScene *self,
                GString             *text)
{
  static const char *const lacks =
    "The trace holds no lengths of the values of this layer: only weights are shown. ";

  switch (self->parent.scene.document->measure) {
  case ENG_MEASURE_VALUE_NORM:
    g_string_append (text, self->norms == NULL ? lacks
                           : "α × norm: weight × length of the value, α‖v‖. ");
    break;
  case ENG_MEASURE_OUTPUT_NORM:
    g_string_append (text, self->norms == NULL ? lacks
                           : "α × norm: weight × length of the value behind the output "
                             "projection, α‖v W_O‖. ");
    break;
  case ENG_MEASURE_ROLLOUT:
    g_string_append (text, "A rollout is of all heads together: of this one, weights are shown. ");
    break;
  case ENG_MEASURE_WEIGHT:
  default:
    break;
  }
}

char *
ui_neuron_legend (const UiScene *scene)
{
  const UiNeuronScene *self = (const UiNeuronScene *) scene;
  gboolean in_window = scene->options.view_height > 0;
  int n_pinned = scene->document->pins.n_queries;
  GString *text = g_string_new (NULL);

  append_measure (self, text);
  g_string_append (text, scene->document->bands == UI_BANDS_BARS
                           ? "Up and warm is positive, down and cool negative."
                           : "Warm is positive, cool negative.");
  if (!in_window)
    append_scales (self, text);
  append_formula (self, text);
  if (!in_window)
    append_output_words (self, text);
  if (!in_window || scene->document->sort_dimensions)
    append_dimensions (self, text);
  if (n_pinned > 1)
    g_string_append_printf (text, " The first of %d pinned tokens is compared.", n_pinned);
  if (self->query >= 0 && ui_mask_count_hidden (scene->attention, self->query) > 0)
    g_string_append (text, " Hatched: masked, not seen by this token.");
  return g_string_free (text, FALSE);
}

char *
ui_neuron_numbers (const UiScene *scene)
{
  const UiNeuronScene *self = (const UiNeuronScene *) scene;
  GString *text = g_string_new ("vector\ttoken\ttext");

  for (int column = 0; column < count_dimensions (self); column++)
    g_string_append_printf (text, "\t%d", get_numbered_dimension (self, column));
  g_string_append (text, "\tq·k");
  if (self->bias.data != NULL)
    g_string_append (text, "\tscaled q·k\tposition bias");
  g_string_append (text, "\tscore\tweight");
  if (self->norms != NULL)
    g_string_append_printf (text, "\t%s", ui_neuron_get_measure_symbol (self));
  g_string_append_c (text, '\n');
  append_vectors (self, "q", scene->queries, &self->query_vectors, text);
  append_vectors (self, "k", scene->keys, &self->key_vectors, text);
  if (self->query >= 0)
    append_products (self, text);
  append_vectors (self, "v", scene->keys, &self->value_vectors, text);
  if (self->query >= 0)
    append_output (self, text);
  return g_string_free (text, FALSE);
}
