/* SPDX-License-Identifier: MIT */
#include "ui/scene/neuron/neuron-scene.h"

#include "ui/scene/base/describe.h"
#include "ui/scene/base/edited-heads.h"
#include "ui/scene/base/layer-words.h"
#include "ui/scene/base/plain-words.h"
#include "ui/scene/numbers/mask.h"

#define N_NAMED_DIMENSIONS 8 /* of a sorted head */

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
                          self->is_pinned ? "the pinned query" : "all queries");
  for (int i = 0; i < MIN (n, N_NAMED_DIMENSIONS); i++)
    g_string_append_printf (text, "%s%d", i > 0 ? ", " : "", self->order[i]);
  g_string_append (text, n > N_NAMED_DIMENSIONS ? " …" : ".");
}

/* What full bands stand for. A window says so in the headings, which stay in sight, if they have the
 * room. */
static void
append_scales (const UiNeuronScene *self,
               GString             *text)
{
  gboolean bars = self->parent.scene.document->bands == UI_BANDS_BARS;
  g_autofree char *band_scale = ui_neuron_format_number ("%.2f", self->band_scale);
  g_autofree char *value_scale = ui_neuron_format_number ("%.2f", self->value_scale);
  double full = ui_neuron_get_product_scale (self, self->query);
  g_autofree char *product_scale = ui_neuron_format_number ("%.2f", full);

  g_string_append_printf (text, " %s: ±%s in q and k", bars ? "Full height" : "Full colour",
                          band_scale);
  if (self->value_vectors.data != NULL)
    g_string_append_printf (text, ", ±%s in v", value_scale);
  g_string_append_printf (text, ", ±%s in q\u00a0×\u00a0k.", product_scale);
}

static void
append_output_words (const UiNeuronScene *self,
                     GString             *text)
{
  g_autofree char *sum = ui_neuron_describe_output (self);
  g_autofree char *scale = NULL;

  if (self->value_vectors.data == NULL)
    return;
  scale = ui_neuron_format_number ("%.2f", ui_neuron_get_output_scale (self, self->query));
  g_string_append_printf (text, " Output of the head: %s, ±%s.", sum, scale);
}

/* No other number here is touched by it. */
static void
append_edit (const UiNeuronScene *self,
             GString             *text)
{
  g_autofree char *number = ui_neuron_format_number ("%.4g", self->factor);

  if (self->factor != 1 && self->value_vectors.data != NULL)
    g_string_append_printf (text, "An edit multiplies the output of the head by %s. ", number);
}

static void
append_formula (const UiNeuronScene *self,
                GString             *text)
{
  g_autofree char *formula = ui_neuron_describe_score (self);

  g_string_append_printf (text, " Score: %s.", formula);
}

static void
append_measure (const UiNeuronScene *self,
                GString             *text)
{
  static const char *const lacks =
    "The trace holds no lengths of the values of this layer: only weights are shown.";

  switch (self->parent.scene.document->measure) {
  case ENG_MEASURE_VALUE_NORM:
    g_string_append (text, self->norms == NULL ? lacks
                           : "α × norm: weight × length of the value, α‖v‖.");
    break;
  case ENG_MEASURE_OUTPUT_NORM:
    g_string_append (text, self->norms == NULL ? lacks
                           : "α × norm: weight × length of the value behind the output "
                             "projection, α‖v W_O‖.");
    break;
  case ENG_MEASURE_ROLLOUT:
    g_string_append (text, "A rollout is of all heads together: of this one, weights are shown.");
    break;
  case ENG_MEASURE_WEIGHT:
  default:
    g_string_append (text, "Weights: the softmax of the scores.");
    break;
  }
}

/* One head is shown as it is; what else is chosen is for the other views. */
static void
append_not_applied (const UiDocument *document,
                    GString          *text)
{
  const struct { gboolean is_chosen; const char *name; } choices[] = {
    { document->aggregate != UI_AGGREGATE_EACH || document->layers != UI_AGGREGATE_EACH,
      "aggregates" },
    { document->mass < 1, "mass" },
    { document->filter != UI_FILTER_ALL, "filter" },
    { document->hide_special, "hidden special tokens" },
    { document->words, "merged word pieces" },
  };
  const char *before = " Not applied in this view: ";
  const gsize length = text->len;

  for (gsize i = 0; i < G_N_ELEMENTS (choices); i++)
    if (choices[i].is_chosen) {
      g_string_append_printf (text, "%s%s", before, choices[i].name);
      before = ", ";
    }
  if (text->len > length)
    g_string_append_c (text, '.');
}

/* Words in the colour that they name. */
static void
append_colored (GString    *markup,
                UiColor     color,
                const char *words)
{
  g_string_append_printf (markup, "<span foreground=\"#%02x%02x%02x\">%s</span>", color.r, color.g,
                          color.b, words);
}

char *
ui_neuron_explain (const UiScene *scene)
{
  const UiPalette *palette = ui_palette_get (scene->options.theme);
  const gboolean are_bars = scene->document->bands == UI_BANDS_BARS;
  GString *markup = g_string_new ("<b>");

  append_colored (markup, palette->positive, are_bars ? "Up, warm" : "Warm");
  g_string_append (markup, ": positive. ");
  append_colored (markup, palette->negative, are_bars ? "Down, cool" : "Cool");
  g_string_append (markup, ": negative.</b>");
  g_string_append (markup, " A long bar in q × k decides.");
  ui_plain_append_threshold (scene, "Links", markup);
  return g_string_free (markup, FALSE);
}

static void
append_question (const UiNeuronScene *self,
                 int                  key,
                 GString             *markup)
{
  const UiScene *scene = &self->parent.scene;
  g_autofree char *reader = ui_describe_distinct (scene->queries, self->query);
  g_autofree char *read = ui_describe_distinct (scene->keys, key);

  g_string_append (markup, "Why ");
  ui_plain_append_bold (markup, reader, FALSE);
  g_string_append (markup, " reads ");
  ui_plain_append_bold (markup, read, FALSE);
  if (scene->kind != ENG_KIND_CROSS && eng_tokens_has_pair (scene->queries)
      && scene->queries->segments[self->query] != scene->keys->segments[key])
    g_string_append (markup, " in the other sentence");
  g_string_append (markup, ": ");
}

char *
ui_neuron_headline (const UiScene *scene)
{
  const UiNeuronScene *self = (const UiNeuronScene *) scene;
  const int key = ui_neuron_find_key (self, self->query);
  g_autofree char *head = ui_describe_one_head (scene, self->head);
  GString *markup = g_string_new (NULL);

  if (key >= 0)
    append_question (self, key, markup);
  ui_plain_append_bold (markup, head, key < 0);
  if (ui_scene_is_edited (scene, self->head))
    g_string_append (markup, ", edited");
  g_string_append (markup, key < 0 ? ": queries and keys." : ".");
  if (scene->document->pins.n_queries > 1) {
    g_autofree char *reader = ui_describe_distinct (scene->queries, self->query);

    g_string_append (markup, " Explained: ");
    ui_plain_append (markup, reader);
    g_string_append_printf (markup, ", the first of %d pinned.",
                            scene->document->pins.n_queries);
  }
  return g_string_free (markup, FALSE);
}

/* Which query is compared, where it is not the only one that is pinned. */
static void
append_compared (const UiNeuronScene *self,
                 GString             *text)
{
  const UiScene *scene = &self->parent.scene;
  const UiPins *pins = &scene->document->pins;
  g_autofree char *compared = ui_describe_distinct (scene->queries, self->query);

  if (pins->n_queries > 1)
    g_string_append_printf (text, " The first of %d pinned tokens, %s, is compared.",
                            pins->n_queries, compared);
  else if (pins->n_queries == 0 && pins->n_keys > 0)
    g_string_append_printf (text, " A token that is read is pinned: its strongest reader, %s, is "
                            "compared.", compared);
  else if (pins->n_queries == 0)
    g_string_append_printf (text, " No token is pinned: the query of the strongest link, %s, is "
                            "compared.", compared);
}

char *
ui_neuron_legend (const UiScene *scene)
{
  const UiNeuronScene *self = (const UiNeuronScene *) scene;
  gboolean in_window = scene->options.view_height > 0;
  GString *text = g_string_new (NULL);

  append_edit (self, text);
  append_measure (self, text);
  if (!in_window || self->layout.is_tight)
    append_scales (self, text);
  append_formula (self, text);
  if (!in_window)
    append_output_words (self, text);
  if (!in_window || scene->document->sort_dimensions)
    append_dimensions (self, text);
  append_compared (self, text);
  ui_describe_append_opacity (scene, text);
  g_string_append_c (text, '.');
  ui_describe_append_threshold (scene, "Links", text);
  append_not_applied (scene->document, text);
  ui_layer_append_reach (scene, text);
  if (ui_mask_count_hidden (scene->attention, self->query) > 0)
    g_string_append (text, " Hatched: masked, not seen by this token.");
  return g_string_free (text, FALSE);
}
