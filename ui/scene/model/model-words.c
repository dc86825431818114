/* SPDX-License-Identifier: MIT */
#include "ui/scene/model/model-scene.h"

#include <math.h>

#include "ui/document/fit.h"
#include "ui/scene/base/describe.h"
#include "ui/scene/base/layer-words.h"
#include "ui/scene/base/plain-words.h"
#include "ui/scene/model/model-facts.h"

static const UiModelScene *
model_scene (const UiScene *scene)
{
  return (const UiModelScene *) scene;
}

/* "layer 2 of the decoder": the words of a scene are of its own layer. */
static char *
describe_layer (const UiScene *scene,
                int            layer)
{
  UiScene other = *scene;

  other.layer = layer;
  return ui_describe_layer (&other);
}

static char *
format (const char *format,
        double      value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup (g_ascii_formatd (buffer, sizeof buffer, format, value));
}

static char *
describe_missing (const UiModelScene *self,
                  const char         *layer)
{
  g_autofree char *name = g_strdup (layer);

  name[0] = g_ascii_toupper (name[0]);
  if (self->is_growing)
    return g_strdup_printf ("%s is still being computed.", name);
  return g_strdup_printf ("%s cannot be shown: the trace does not hold of it what this measure"
                          " needs (%s).", name, ui_describe_measure (&self->scene.weights));
}

static void
append_facts (const UiScene      *scene,
              const EngHeadFacts *facts,
              GString            *text)
{
  g_autofree char *entropy = format ("%.1f", facts->entropy);

  g_string_append_printf (text, "; entropy %s bits", entropy);
  if (scene->kind != ENG_KIND_CROSS && !isnan (facts->pair_share)) {
    g_autofree char *share = format ("%.2f", facts->pair_share);

    g_string_append_printf (text, "; %s of its attention crosses", share);
  }
  g_string_append_c (text, '.');
}

static char *
describe_opener (const UiModelScene *self,
                 const UiItem       *item)
{
  const int cell = ui_model_scene_find_cell (self, item);
  const int n_more = cell >= 0 ? self->layout.cells[cell].n_more : 0;
  const char *title = eng_pattern_get_title ((EngPattern) item->pattern);

  return n_more > 0
         ? g_strdup_printf ("Shows %d more head%s of “%s”.", n_more, n_more == 1 ? "" : "s", title)
         : g_strdup_printf ("Shows the clearest heads of “%s” alone.", title);
}

/* What it does most, behind the name that stands below the map, if there is one: " “next”: each word
 * reads the one after; evidence: …". */
static void
append_claim (const UiModelScene *self,
              const UiItem       *item,
              const EngHeadFacts *facts,
              GString            *text)
{
  g_autofree char *evidence = NULL;
  g_autofree char *clause =
    ui_model_describe_claim (self->scene.trace, self->scene.kind, item->layer, item->head, &evidence);

  if (clause == NULL)
    return;
  if (self->layout.is_grid && ui_model_layout_has_names (&self->layout)) {
    const UiModelCell cell = { .layer = item->layer, .head = item->head };
    g_autofree char *name = ui_model_name_cell (self, &cell, facts);

    g_string_append_printf (text, " “%s”", name);
  }
  g_string_append_printf (text, ": %s", clause);
  if (evidence != NULL)
    g_string_append_printf (text, "; evidence: %s", evidence);
}

char *
ui_model_describe (const UiScene *scene,
                   const UiItem  *item)
{
  const UiModelScene *self = model_scene (scene);
  g_autofree char *layer = NULL;
  g_autofree char *reach = NULL;
  const EngHeadFacts *facts;
  GString *text;

  if (item->type == UI_ITEM_GROUP)
    return describe_opener (self, item);
  if (item->type != UI_ITEM_HEAD)
    return g_strdup ("");
  layer = describe_layer (scene, item->layer);
  if (ui_model_scene_get_maps (self, item->layer) == NULL)
    return describe_missing (self, layer);
  facts = ui_model_scene_get_facts (self, item->layer);
  if (facts == NULL)
    return g_strdup_printf ("Rollout up to %s: how much of what a token holds there came from which"
                            " token.", layer);

  facts += item->head;
  reach = ui_layer_describe_reach (scene->trace, scene->kind, item->layer);
  text = g_string_new (NULL);
  g_string_append_printf (text, "Head %d of %s%s%s%s%s, mostly", item->head, layer,
                          reach != NULL ? " (" : "", reach != NULL ? reach : "",
                          reach != NULL ? ")" : "",
                          ui_model_scene_is_edited (self, item->layer, item->head)
                          ? ", edited" : "");
  append_claim (self, item, facts, text);
  append_facts (scene, facts, text);
  return g_string_free (text, FALSE);
}

static const char *
describe_order (const UiModelScene *self)
{
  switch (self->scene.document->order) {
  case UI_ORDER_PATTERN:
    return " Grouped by pattern, the clearest first.";
  case UI_ORDER_ENTROPY:
    return " Lowest entropy first.";
  case UI_ORDER_TRAFFIC:
    return self->has_pair ? " Most traffic from A to B first."
                          : " There are no two sentences to sort by.";
  case UI_ORDER_LAYER:
  default:
    return "";
  }
}

static const char *
describe_number (const UiModelScene *self)
{
  switch (self->scene.document->order) {
  case UI_ORDER_ENTROPY:
    return " Number: entropy in bits, mean over the rows.";
  case UI_ORDER_TRAFFIC:
    return self->has_pair ? " Number: weight of a row of A on B." : "";
  case UI_ORDER_PATTERN:
    return " Number: score of the pattern.";
  case UI_ORDER_LAYER:
  default:
    if (!self->has_pair)
      return " Number: score of the pattern.";
    return self->layout.has_label == UI_MODEL_LABEL_BARE
           ? " Number: share of attention that crosses between A and B."
           : " ⇄: share of attention that crosses between A and B.";
  }
}

/* What stands below the maps. A rollout is no head. */
static void
append_labels (const UiModelScene *self,
               GString            *text)
{
  gboolean has_names = self->layout.is_grid && ui_model_layout_has_names (&self->layout);
  gboolean has_numbers = ui_model_layout_has_numbers (&self->layout);

  if (self->is_rollout)
    return;
  g_string_append (text, describe_order (self));
  if (has_numbers)
    g_string_append (text, describe_number (self));
  if (self->scene.weights.block.measure != ENG_MEASURE_WEIGHT && (has_names || has_numbers))
    g_string_append_printf (text, " %s of the weights.",
                            !has_names ? "Numbers are"
                                       : has_numbers ? "Names and numbers are" : "Names are");
}

/* A rollout is that of the layer of each map. */
static void
append_measure (const UiScene *scene,
                GString       *text)
{
  if (scene->weights.block.measure != ENG_MEASURE_ROLLOUT)
    ui_describe_append_measure (scene, text);
  else
    g_string_append (text, " Rollout up to each layer: R = (½ mean over heads + ½ I) · R of the"
                           " layer below.");
}

static void
append_opacity (const UiScene *scene,
                GString       *text)
{
  const UiWeights *weights = &scene->weights;
  g_autofree char *gain = format ("%.3g", weights->gain);

  if (weights->block.unit == 1) {
    ui_describe_append_opacity (scene, text);
    g_string_append_c (text, '.');
  } else {
    g_string_append_printf (text, " Opacity = %s ÷ the largest of the layer × %s, at most 1.",
                            ui_describe_measure (weights), gain);
  }
}

/* Whether two sides were chosen, of which the grid shows one. */
static gboolean
has_sides (const UiScene *scene)
{
  return scene->document->compare == UI_COMPARE_SIDES
         || scene->document->compare == UI_COMPARE_DIFFERENCE;
}

/* Marks of what a document has chosen. */
static void
append_marks (const UiScene *scene,
              GString       *text)
{
  const UiModelScene *self = model_scene (scene);
  int n_marked = ui_head_set_count (&scene->document->heads, self->n_heads);

  if (n_marked < self->n_heads && !self->is_rollout) {
    g_autofree char *layer = ui_describe_layer (scene);
    g_autofree char *heads = ui_describe_heads (scene);

    g_string_append_printf (text, " Framed: %s of %s.", heads, layer);
  }
  /* A figure says it with how it is read. */
  if (ui_model_scene_has_edited (self) && !scene->options.caption)
    g_string_append (text, " Struck through: heads that are edited.");
  if (scene->document->panels.n > 0)
    g_string_append (text, " Letters: the heads that were collected.");
  if (has_sides (scene))
    g_string_append (text, " All heads are those of This.");
}

static int
count_layers (const UiModelScene *self)
{
  int n = 0;

  for (int layer = 0; layer < self->n_layers; layer++)
    n += self->present[layer];
  return n;
}

/* A grid marks the places of what is missing, another order has none. */
static void
append_missing (const UiModelScene *self,
                GString            *text)
{
  g_autofree char *layers = ui_fit_list_layers (self->scene.trace, self->scene.kind);

  if (!self->is_growing && count_layers (self) < self->n_layers)
    g_string_append_printf (text, " The trace holds %s alone.", layers);
}

static gboolean
has_mask (const UiModelScene *self)
{
  for (int layer = 0; layer < self->n_layers; layer++)
    if (eng_trace_get_mask (self->scene.trace, self->scene.kind, layer) != NULL)
      return TRUE;
  return FALSE;
}

char *
ui_model_legend (const UiScene *scene)
{
  const UiModelScene *self = model_scene (scene);
  int size = ui_model_scene_get_map_size (self);
  GString *text = g_string_new (scene->note);
  UiRowSums sums;

  append_measure (scene, text);
  ui_model_scene_find_row_sums (self, &sums);
  ui_describe_append_sums (&sums, text);
  append_opacity (scene, text);
  ui_describe_append_left_out (scene, "Cells", text);
  append_labels (self, text);
  ui_model_append_names (self, text);
  append_marks (scene, text);
  append_missing (self, text);
  ui_layer_append_all_reaches (scene, text);
  if (has_mask (self))
    g_string_append (text, " Hatched: masked.");
  if (scene->queries->n > size || scene->keys->n > size)
    g_string_append (text, " Where tokens share a pixel: sum over what is read, mean over who reads.");
  return g_strchug (g_string_free (text, FALSE));
}

char *
ui_model_explain (const UiScene *scene)
{
  const UiModelScene *self = model_scene (scene);
  g_autofree char *cells = ui_plain_explain_cells (scene);
  GString *markup = g_string_new (cells);

  if (!self->is_rollout && scene->document->order == UI_ORDER_PATTERN
      && ui_model_layout_has_numbers (&self->layout))
    g_string_append (markup, " Number: how clearly the head follows the pattern.");
  if (ui_model_scene_has_edited (self))
    g_string_append (markup, " Struck through: an edited head.");
  return g_string_free (markup, FALSE);
}

static const char *
get_arrangement (const UiModelScene *self)
{
  switch (self->scene.document->order) {
  case UI_ORDER_PATTERN:
    return ", grouped by what they read, the clearest first.";
  case UI_ORDER_ENTROPY:
    return ", those first that read the fewest words.";
  case UI_ORDER_TRAFFIC:
    return ", those first that read most of B in A.";
  case UI_ORDER_LAYER:
  default:
    return ", by layer.";
  }
}

/* What a person chose for the other views is no claim of this one. */
static const char *
describe_sides (const UiScene *scene)
{
  return has_sides (scene) ? " Nothing is compared here." : "";
}

char *
ui_model_headline (const UiScene *scene)
{
  const UiModelScene *self = model_scene (scene);
  const int n_layers = count_layers (self);
  const int n_heads = n_layers * eng_trace_get_n_heads (scene->trace, scene->kind);
  const char *owner = ui_describe_owner (scene);
  const char *sides = describe_sides (scene);
  g_autofree char *sharing = ui_layer_describe_sharing (scene->trace, scene->kind);
  const char *s = n_layers == 1 ? "" : "s";

  if (self->is_rollout)
    return g_strdup_printf ("<b>%d layer%s</b>%s, the attention of each through those below it.%s",
                            n_layers, s, owner, sides);
  if (self->layout.is_grouped)
    return g_strdup_printf ("<b>%d heads</b>%s%s%s", n_heads, owner, get_arrangement (self), sides);
  return g_strdup_printf ("<b>%d heads</b> of %d layer%s%s%s%s%s", n_heads, n_layers, s, owner,
                          sharing, get_arrangement (self), sides);
}

/* "6 layers × 12 heads", with gaps "4 of 24 layers × 16 heads" */
static char *
describe_size (const UiModelScene *self)
{
  const UiScene *scene = &self->scene;
  int n_present = count_layers (self);
  int n_heads = eng_trace_get_n_heads (scene->trace, scene->kind);
  GString *text = g_string_new (NULL);

  if (n_present < self->n_layers)
    g_string_append_printf (text, "%d of ", n_present);
  g_string_append_printf (text, "%d layer%s × %d head%s", self->n_layers,
                          self->n_layers == 1 ? "" : "s", n_heads, n_heads == 1 ? "" : "s");
  if (ui_describe_has_two_stacks (scene->trace))
    g_string_append_printf (text, " (%s)", eng_kind_get_name (scene->kind));
  if (scene->weights.block.measure != ENG_MEASURE_WEIGHT)
    g_string_append_printf (text, " · %s", ui_describe_measure (&scene->weights));
  return g_string_free (text, FALSE);
}

char *
ui_model_caption (const UiScene *scene)
{
  g_autofree char *size = describe_size (model_scene (scene));

  return ui_describe_caption_of (scene, size);
}

char *
ui_model_summarise (const UiScene *scene)
{
  g_autofree char *caption = ui_model_caption (scene);

  return g_strdup_printf ("Model view: %s. %d tokens read %d.", caption, scene->queries->n,
                          scene->keys->n);
}

static void
append_number (GString *text,
               double   value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_c (text, '\t');
  if (!isnan (value))
    g_string_append (text, g_ascii_formatd (buffer, sizeof buffer, "%.6g", value));
}

/* Patterns that came later stand behind those that a reader of the table may count on. */
static const EngPattern columns[ENG_N_PATTERNS] = {
  ENG_PATTERN_PREVIOUS, ENG_PATTERN_NEXT, ENG_PATTERN_SAME_TOKEN, ENG_PATTERN_SAME_WORD_OTHER,
  ENG_PATTERN_FIRST, ENG_PATTERN_SEPARATOR, ENG_PATTERN_PUNCTUATION, ENG_PATTERN_BROAD,
  ENG_PATTERN_BLOCK_AA, ENG_PATTERN_BLOCK_AB, ENG_PATTERN_BLOCK_BA, ENG_PATTERN_BLOCK_BB,
  ENG_PATTERN_TWO_BACK, ENG_PATTERN_TWO_ON, ENG_PATTERN_SAME_WORD_ANYWHERE,
  ENG_PATTERN_OWN_SENTENCE,
};

/* One head a line; a number that a head has not is left empty. */
char *
ui_model_numbers (const UiScene *scene)
{
  const UiModelScene *self = model_scene (scene);
  GString *text = g_string_new ("layer\thead\tpattern\tentropy in bits\tshare that crosses"
                                "\tA→B\tB→A");

  for (int i = 0; i < ENG_N_PATTERNS; i++)
    g_string_append_printf (text, "\t%s", eng_pattern_get_name (columns[i]));
  g_string_append_c (text, '\n');
  for (int i = 0; i < self->layout.n_cells; i++) {
    const UiModelCell *cell = &self->layout.cells[i];
    const EngHeadFacts *facts = cell->head >= 0
      ? eng_trace_get_head_facts (scene->trace, scene->kind, cell->layer) : NULL;

    if (facts == NULL || self->is_rollout)
      continue;
    facts += cell->head;
    g_string_append_printf (text, "%d\t%d\t%s", cell->layer, cell->head,
                            eng_pattern_get_name (facts->label));
    append_number (text, facts->entropy);
    append_number (text, facts->pair_share);
    append_number (text, facts->traffic_ab);
    append_number (text, facts->traffic_ba);
    for (int column = 0; column < ENG_N_PATTERNS; column++)
      append_number (text, facts->scores[columns[column]]);
    g_string_append_c (text, '\n');
  }
  return g_string_free (text, FALSE);
}
