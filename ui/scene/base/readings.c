/* SPDX-License-Identifier: MIT */
#include "ui/scene/base/readings.h"

#include "ui/scene/base/describe.h"
#include "ui/scene/base/scene-private.h"
#include "ui/scene/base/token-words.h"
#include "ui/scene/numbers/mask.h"
#include "ui/scene/sinks/text.h"

static void
reading_clear (gpointer data)
{
  UiReading *self = data;

  g_free (self->per_head);
}

/* Strongest first; equal ones, as far as a float tells, in the order of the text. */
static int
compare_readings (gconstpointer a,
                  gconstpointer b)
{
  const UiReading *first = a, *second = b;

  if ((float) first->weight != (float) second->weight)
    return first->weight > second->weight ? -1 : 1;
  return first->token - second->token;
}

GArray *
ui_readings_new (const UiScene *scene,
                 const UiPins  *pins,
                 gboolean       keys)
{
  const UiWeights *weights = &scene->weights;
  int n_tokens = keys ? weights->attention->n_keys : weights->attention->n_queries;
  GArray *readings = g_array_new (FALSE, FALSE, sizeof (UiReading));

  g_array_set_clear_func (readings, reading_clear);
  for (int token = 0; token < n_tokens; token++) {
    UiReading reading = { .token = token, .per_head = g_new0 (float, weights->attention->n_heads) };
    double sum = 0;

    for (int i = 0; i < weights->n_heads; i++) {
      double weight = ui_weights_sum (weights, pins, weights->heads[i], keys, token);

      reading.per_head[weights->heads[i]] = (float) weight;
      sum += weight;
    }
    reading.weight = sum / MAX (weights->n_heads, 1);
    if (sum > 0)
      g_array_append_val (readings, reading);
    else
      g_free (reading.per_head);
  }
  g_array_sort (readings, compare_readings);
  return readings;
}

/* In self-attention a token is the same one on both sides: what is pinned as a key also reads. */
static UiPins
choose_pins (const UiScene *scene,
             const UiPins  *pins,
             gboolean       keys)
{
  gboolean is_self = scene->kind != ENG_KIND_CROSS;
  UiPins chosen = *pins;

  if (keys && pins->n_queries == 0) {
    chosen = (UiPins) { 0 };
    if (is_self) {
      chosen.queries = pins->keys;
      chosen.n_queries = pins->n_keys;
    }
  } else if (!keys && pins->n_keys == 0) {
    chosen = (UiPins) { 0 };
    if (is_self) {
      chosen.keys = pins->queries;
      chosen.n_keys = pins->n_queries;
    }
  }
  return chosen;
}

GArray *
ui_scene_readings (const UiScene *self,
                   const UiItem  *item,
                   gboolean       keys)
{
  UiPins of_item;
  UiPins pins;

  if (item != NULL && item->type != UI_ITEM_NONE) {
    of_item = ui_scene_pins_of (item);
    pins = choose_pins (self, &of_item, keys);
  } else {
    pins = choose_pins (self, &self->document->pins, keys);
  }
  return ui_readings_new (self, &pins, keys);
}

/* Into its place among those that are stronger. */
static void
insert_link (GArray              *links,
             const UiLinkReading *link,
             guint                n)
{
  guint i = links->len;

  while (i > 0 && g_array_index (links, UiLinkReading, i - 1).weight < link->weight)
    i--;
  if (i >= n)
    return;
  g_array_insert_vals (links, i, link, 1);
  if (links->len > n)
    g_array_set_size (links, n);
}

static void
insert_links_of (GArray          *links,
                 const UiWeights *weights,
                 int              query,
                 guint            n)
{
  for (int i = 0; i < weights->n_heads; i++)
    for (int key = 0; key < weights->attention->n_keys; key++) {
      const UiLinkReading link = {
        weights->heads[i], query, key, ui_weights_get (weights, weights->heads[i], query, key)
      };

      if (link.weight > 0)
        insert_link (links, &link, n);
    }
}

GArray *
ui_readings_find_strongest (const UiScene *scene,
                            guint          n)
{
  const UiWeights *weights = &scene->weights;
  const int n_queries = weights->attention->n_queries;
  GArray *links = g_array_new (FALSE, FALSE, sizeof (UiLinkReading));

  for (int query = 0; query < n_queries; query++)
    if (ui_mask_leaves_choice (weights->attention, query))
      insert_links_of (links, weights, query, n);
  for (int query = 0; query < n_queries && links->len < n; query++)
    if (!ui_mask_leaves_choice (weights->attention, query))
      insert_links_of (links, weights, query, n);
  return links;
}

static gboolean
is_shown (const UiPins *pins,
          gboolean      key,
          int           token)
{
  return (key ? pins->n_keys : pins->n_queries) == 0 || ui_pins_has (pins, key, token);
}

/* "0", or "mean", "rollout" for what stands for several. */
static char *
describe_layer_cell (const UiScene *scene)
{
  static const char *const aggregates[] = {
    [UI_AGGREGATE_MEAN] = "mean", [UI_AGGREGATE_MAX] = "max"
  };
  UiAggregate layers = scene->weights.block.layers;

  return layers == UI_AGGREGATE_EACH ? g_strdup_printf ("%d", scene->layer)
                                     : g_strdup (aggregates[layers]);
}

gboolean
ui_readings_have_typed (const UiScene *scene)
{
  return ui_tokens_have_typed (scene->queries) || ui_tokens_have_typed (scene->keys);
}

void
ui_readings_append_typed (const UiScene *scene,
                          int            query,
                          int            key,
                          GString       *text)
{
  g_autofree char *of_query = ui_tokens_dup_typed (scene->queries, query);
  g_autofree char *of_key = ui_tokens_dup_typed (scene->keys, key);

  g_string_append_printf (text, "\t%s\t%s", of_query != NULL ? of_query : "",
                          of_key != NULL ? of_key : "");
}

/* What is not drawn is not in the table, so its heading says from where on it is. */
static void
append_heading (const UiScene *scene,
                gboolean       with_typed,
                GString       *text)
{
  const UiWeights *weights = &scene->weights;
  const char *noun = ui_describe_has_words (weights) ? "word" : "token";
  g_autofree char *values = ui_describe_column (scene);
  char threshold[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *mass = ui_describe_part (scene->document->mass);

  g_ascii_formatd (threshold, sizeof threshold, "%.3g", weights->threshold);
  g_string_append_printf (text, "layer\thead\tquery\tquery %s\tkey\tkey %s\t%s", noun, noun,
                          values);
  if (weights->threshold > 0)
    g_string_append_printf (text, ", from %s", threshold);
  if (weights->row_floor != NULL)
    g_string_append_printf (text, ", strongest %s of each row", mass);
  if (with_typed)
    g_string_append (text, UI_READINGS_TYPED);
  g_string_append_c (text, '\n');
}

char *
ui_readings_to_text (const UiScene *scene)
{
  const UiWeights *weights = &scene->weights;
  const UiPins *pins = &scene->document->pins;
  g_auto (GStrv) queries = ui_tokens_make_visible (scene->queries);
  g_auto (GStrv) keys = ui_tokens_make_visible (scene->keys);
  g_autofree char *layer = describe_layer_cell (scene);
  const gboolean with_typed = ui_readings_have_typed (scene);
  GString *text = g_string_new (NULL);

  append_heading (scene, with_typed, text);
  for (int i = 0; i < weights->n_heads; i++) {
    g_autofree char *head = ui_describe_lane (weights, weights->heads[i]);

    for (int query = 0; query < scene->queries->n; query++) {
      for (int key = 0; key < scene->keys->n && is_shown (pins, FALSE, query); key++) {
        double weight = ui_weights_get (weights, weights->heads[i], query, key);
        char buffer[G_ASCII_DTOSTR_BUF_SIZE];

        if (!ui_weights_draws (weights, weights->heads[i], query, weight)
            || !is_shown (pins, TRUE, key))
          continue;
        g_ascii_formatd (buffer, sizeof buffer, "%.7g", weight);
        g_string_append_printf (text, "%s\t%s\t%d\t%s\t%d\t%s\t%s", layer, head,
                                eng_tokens_get_number (scene->queries, query), queries[query],
                                eng_tokens_get_number (scene->keys, key), keys[key], buffer);
        if (with_typed)
          ui_readings_append_typed (scene, query, key, text);
        g_string_append_c (text, '\n');
      }
    }
  }
  return g_string_free (text, FALSE);
}
