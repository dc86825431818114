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
  return g_strdup_printf ("q·k = %s, %s = %s. %s", dot, formula, score, link);
}

static void
append_dimensions (const UiNeuronScene *self,
                   GString             *text)
{
  int n = self->layout.n_dimensions;

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

static void
append_vectors (const UiNeuronScene *self,
                const char          *name,
                const EngTokens     *tokens,
                const EngMatrix     *vectors,
                GString             *text)
{
  for (int row = 0; row < vectors->rows; row++) {
    append_row (text, name, tokens, row);
    for (int i = 0; i < self->layout.n_dimensions; i++)
      append_value (text, vectors->data[(gsize) row * vectors->stride + (gsize) self->order[i]]);
    g_string_append (text, "\t\t\t\n");
  }
}

static void
append_products (const UiNeuronScene *self,
                 GString             *text)
{
  for (int key = 0; key < self->key_vectors.rows; key++) {
    append_row (text, "q × k", self->parent.scene.keys, key);
    for (int i = 0; i < self->layout.n_dimensions; i++)
      append_value (text, ui_neuron_get_query (self, self->query, self->order[i])
                          * ui_neuron_get_key (self, key, self->order[i]));
    append_value (text, ui_neuron_get_dot (self, self->query, key));
    if (ui_neuron_is_masked (self, self->query, key))
      g_string_append (text, "\tmasked");
    else
      append_value (text, ui_neuron_get_score (self, self->query, key));
    append_value (text, ui_neuron_get_weight (self, self->query, key));
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
ui_neuron_describe_score (const UiNeuronScene *self)
{
  const char *bias = self->bias.data != NULL ? " + bias" : "";
  double n = self->layout.n_dimensions;
  g_autofree char *factor = NULL;

  if (fabs (self->scale - 1) < 1e-6)
    return g_strconcat ("q·k", bias, NULL);
  if (fabs (self->scale * sqrt (n) - 1) < 1e-6)
    return g_strdup_printf ("q·k ÷ √%d%s", self->layout.n_dimensions, bias);
  factor = format_number ("%.4g", self->scale);
  return g_strdup_printf ("q·k × %s%s", factor, bias);
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

char *
ui_neuron_legend (const UiScene *scene)
{
  const UiNeuronScene *self = (const UiNeuronScene *) scene;
  gboolean bars = scene->document->bands == UI_BANDS_BARS;
  const char *full = bars ? "Full height" : "Full colour";
  int n_pinned = scene->document->pins.n_queries;
  g_autofree char *band_scale = format_number ("%.2f", self->band_scale);
  GString *text = g_string_new (bars ? "Up and warm is positive, down and cool negative."
                                     : "Warm is positive, cool negative.");

  g_string_append_printf (text, " %s: ±%s in q and k", full, band_scale);
  if (self->query >= 0) {
    double full_product = ui_neuron_get_product_scale (self, self->query);
    g_autofree char *product_scale = format_number ("%.2f", full_product);
    g_autofree char *formula = ui_neuron_describe_score (self);

    g_string_append_printf (text, ", ±%s in q × k. Score: %s", product_scale, formula);
  }
  g_string_append_c (text, '.');
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

  for (int i = 0; i < self->layout.n_dimensions; i++)
    g_string_append_printf (text, "\t%d", self->order[i]);
  g_string_append (text, "\tq·k\tscore\tweight\n");
  append_vectors (self, "q", scene->queries, &self->query_vectors, text);
  append_vectors (self, "k", scene->keys, &self->key_vectors, text);
  if (self->query >= 0)
    append_products (self, text);
  return g_string_free (text, FALSE);
}
