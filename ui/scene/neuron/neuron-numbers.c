/* SPDX-License-Identifier: MIT */
#include "ui/scene/neuron/neuron-scene.h"

#include "ui/scene/base/readings.h"
#include "ui/scene/base/token-words.h"
#include "ui/scene/sinks/text.h"

static void
append_row (GString             *text,
            const char          *vector,
            const EngTokens     *tokens,
            int                  token)
{
  g_autofree char *visible = ui_text_make_visible (tokens->texts[token]);

  g_string_append_printf (text, "%s\t%d\t%s", vector, token, visible);
}

/* Behind all other cells, where the vocabulary lacks words. with_typed: the table says what was
 * typed. */
static void
end_line (const EngTokens *tokens,
          int              token,
          gboolean         with_typed,
          GString         *text)
{
  g_autofree char *typed = with_typed ? ui_tokens_dup_typed (tokens, token) : NULL;

  if (with_typed)
    g_string_append_printf (text, "\t%s", typed != NULL ? typed : "");
  g_string_append_c (text, '\n');
}

static void
append_value (GString *text,
              double   value)
{
  g_autofree char *number = ui_neuron_format_number ("%.7g", value);

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

/* Leaves the cells of a row empty that has no score. */
static void
skip_score (const UiNeuronScene *self,
            GString             *text)
{
  for (int i = 0; i < self->n_biases; i++)
    g_string_append (text, "\t");
  g_string_append (text, self->n_biases > 0 ? "\t\t\t\t" : "\t\t\t");
  if (self->norms != NULL)
    g_string_append_c (text, '\t');
}

static void
append_vectors (const UiNeuronScene *self,
                const char          *name,
                const EngTokens     *tokens,
                const EngMatrix     *vectors,
                gboolean             with_typed,
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
    skip_score (self, text);
    end_line (tokens, row, with_typed, text);
  }
}

static void
append_output (const UiNeuronScene *self,
               gboolean             with_typed,
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
  skip_score (self, text);
  end_line (self->parent.scene.queries, self->query, with_typed, text);
}

static void
append_score (const UiNeuronScene *self,
              int                  key,
              GString             *text)
{
  double score = ui_neuron_get_score (self, self->query, key);
  double bias = ui_neuron_get_bias (self, self->query, key);

  append_value (text, ui_neuron_get_dot (self, self->query, key));
  if (self->n_biases > 0)
    append_value (text, score - bias);
  for (int i = 0; i < self->n_biases; i++)
    append_value (text, ui_neuron_get_bias_term (self, i, self->query, key));
  if (ui_neuron_is_masked (self, self->query, key))
    g_string_append (text, "\tmasked");
  else
    append_value (text, score);
}

static void
append_products (const UiNeuronScene *self,
                 gboolean             with_typed,
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
    end_line (self->parent.scene.keys, key, with_typed, text);
  }
}

char *
ui_neuron_numbers (const UiScene *scene)
{
  const UiNeuronScene *self = (const UiNeuronScene *) scene;
  const gboolean with_typed = ui_readings_have_typed (scene);
  GString *text = g_string_new ("vector\ttoken\ttext");

  for (int column = 0; column < count_dimensions (self); column++)
    g_string_append_printf (text, "\t%d", get_numbered_dimension (self, column));
  g_string_append (text, "\tq·k");
  if (self->n_biases > 0)
    g_string_append (text, "\tscaled q·k");
  for (int i = 0; i < self->n_biases; i++)
    g_string_append_printf (text, "\t%s", self->biases[i].name);
  g_string_append (text, "\tscore\tweight");
  if (self->norms != NULL)
    g_string_append_printf (text, "\t%s", ui_neuron_get_measure_symbol (self));
  g_string_append (text, with_typed ? "\ttyped\n" : "\n");
  append_vectors (self, "q", scene->queries, &self->query_vectors, with_typed, text);
  append_vectors (self, "k", scene->keys, &self->key_vectors, with_typed, text);
  if (self->is_pinned)
    append_products (self, with_typed, text);
  append_vectors (self, "v", scene->keys, &self->value_vectors, with_typed, text);
  if (self->is_pinned)
    append_output (self, with_typed, text);
  return g_string_free (text, FALSE);
}
